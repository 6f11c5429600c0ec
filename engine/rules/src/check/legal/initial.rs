//! Minimal initial batches: nothing can be removed from them without missing the minimum (DESIGN, two legal sets).

use super::pick::{Pick, Stack};
use super::{Lister, canonical, sequences};
use crate::action::{Action, CardList, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Rank};
use crate::check::{self, Placement, Placements};
use crate::table::{Phase, Table};
use alloc::vec::Vec;
use exact::InitialSearch;
use smallvec::{SmallVec, smallvec};
use worth::{InitialChoice, InitialGroup, InitialWorth, is_meld};

mod bounds;
mod exact;
mod pools;
mod splash;
mod state;
mod sums;
mod worth;

/// Maximum number of listed batches.
const BATCHES_MAX: usize = 512;

/// The groups of a batch: the top's first, then sequences, then sets by rank, then wilds.
type Choices = SmallVec<[InitialGroup; 6]>;

/// Lists the minimal batches of a side that has not opened.
pub(super) fn melds(lister: &mut Lister<'_>) {
    let found = search(lister, None);
    emit(lister, found, None);
}

/// Lists the takes of a side that has not opened.
pub(super) fn takes(lister: &mut Lister<'_>, top: Card) {
    let (table, rank) = (lister.table, top.rank());
    let (kind, meld_rank) = check::top_meld(top);
    let held = if kind == MeldKind::Wild { 0 } else { lister.held(rank) };
    if held < 2 && !table.frozen(lister.side).is_empty() {
        return;
    }
    let naturals = meld_rank.map_or_else(Stack::default, |rank| Stack::of(lister.hand, rank));
    let entitled = |pick: &Pick| {
        check::entitles(table, lister.side, None, rank, pick.naturals, pick.wilds())
            && is_meld(lister.set, meld_rank, *pick, 1)
    };
    // Wilds alone take a wild top only.
    let least = u8::from(rank.is_natural());
    let picks: SmallVec<[Pick; 8]> = lister.wilds.picks(least, held).filter(entitled).collect();
    if picks.is_empty() || lister.is_cut() {
        return;
    }
    let found = search(lister, Some((meld_rank, &picks)));
    if check::picked_up_count(table) <= 1 && table.phase() == Phase::Start {
        let (is_far, wilds) = (lister.is_far_from_out(Some(top)), lister.wilds);
        for pick in picks {
            if lister.begins_twice(&pick, held) {
                continue;
            }
            let with = || pick.cards(&naturals, &wilds);
            let take = || TakePile { with: with(), onto: Onto::New, also: Groups::new() };
            lister.take_and_go_out(take, top, is_far);
        }
    }
    emit(lister, found, Some(top));
}

/// A batch whose cards are named when somebody asks for them.
#[derive(Clone, Debug)]
pub(super) struct InitialBatch {
    /// The top of the pile, if its group is the first.
    top: Option<Card>,
    choices: Choices,
}

impl InitialBatch {
    /// Returns the batch as an action, with the lowest cards of this hand.
    pub(super) fn action(&self, table: &Table, hand: &Cards) -> Action {
        let Some(top) = self.top else {
            return Action::Meld(groups(hand, &self.choices, None).1);
        };
        let (kind, rank) = check::top_meld(top);
        let (first, rest) = self.choices.split_first().expect("a take begins with its top");
        let (with, mut also) = groups(hand, rest, Some((rank, first.pick)));
        if table.phase() == Phase::Taking {
            also.insert(0, Group { kind, onto: Onto::New, top: true, cards: with });
            return Action::Meld(also);
        }
        Action::TakePile(TakePile { with, onto: Onto::New, also })
    }

    /// Returns the melds that the action begins, the top's first.
    pub(super) fn placements(&self, table: &Table, hand: &Cards) -> Placements {
        let groups = match self.action(table, hand) {
            Action::TakePile(TakePile { mut with, mut also, onto }) => {
                with.extend(self.top);
                let kind = if self.choices[0].rank.is_some() { MeldKind::Set } else { MeldKind::Wild };
                also.insert(0, Group { kind, onto, top: false, cards: with });
                also
            }
            Action::Meld(groups) => groups,
            _ => unreachable!("a batch is laid or takes the pile"),
        };
        groups.into_iter().map(|group| Placement::from_group(table, group)).collect()
    }

    /// Whether the batch takes the top of the pile.
    pub(super) fn takes(&self) -> bool {
        self.top.is_some()
    }

    /// Returns the number of groups, and of cards of the hand in them.
    pub(super) fn named(&self) -> (usize, usize) {
        (self.choices.len(), self.len().0.into())
    }

    /// Returns the number of cards of the hand, and of naturals among them.
    fn len(&self) -> (u8, u8) {
        let sum = |len: fn(Pick) -> u8| self.choices.iter().map(|choice| len(choice.pick)).sum();
        (sum(Pick::len), sum(|pick| pick.naturals))
    }
}

/// Returns the minimal batches, each with its value. With a top, they contain one of its groups: the picks are the cards
/// laid with the top.
fn search(lister: &mut Lister<'_>, top: Option<(Option<Rank>, &[Pick])>) -> Vec<(i32, Choices)> {
    let (found, is_whole) = lister.nodes.list(|nodes| {
        let worth = InitialWorth { lister };
        let of_pick = |rank| move |&pick: &Pick| Some(worth.choice(worth.group(rank, pick, 1)));
        let tops: SmallVec<[Option<InitialChoice>; 4]> = match top {
            Some((rank, picks)) => picks.iter().map(of_pick(rank)).collect(),
            None => smallvec![None],
        };
        if !worth.may_be_batch(&tops) {
            return Vec::new();
        }
        let mut search = InitialSearch::new(worth, nodes);
        search.run(&tops);
        search.found
    });
    lister.steps.truncated |= !is_whole;
    found
}

fn emit(lister: &mut Lister<'_>, mut found: Vec<(i32, Choices)>, top: Option<Card>) {
    lister.steps.truncated |= found.len() > BATCHES_MAX;
    found.truncate(BATCHES_MAX);
    let before = lister.steps.actions.len();
    for (_, choices) in found {
        let batch = InitialBatch { top, choices };
        let (named, naturals) = batch.len();
        let stays = lister.hand.len() - u16::from(named);
        let is_proven = stays >= 2 && lister.proves_batch(naturals.into(), batch.choices.len());
        // A take that goes out may be in the list already.
        let is_take = top.is_some() && lister.table.phase() == Phase::Start;
        if is_proven && (!is_take || before == 0) {
            debug_assert!(lister.is_accepted_uncounted(&batch.action(lister.table, lister.hand)));
            lister.steps.push_batch(batch);
            continue;
        }
        let action = batch.action(lister.table, lister.hand);
        if !lister.steps.actions[..before].contains(&action) {
            lister.offer(action, is_proven);
        }
    }
}

/// Returns the cards laid with the top, if there is one, and the groups of a batch.
fn groups(hand: &Cards, choices: &[InitialGroup], top: Option<(Option<Rank>, Pick)>) -> (CardList, Groups) {
    let mut groups = Groups::new();
    let mut rest = *hand;
    // Sequences come first: they need certain cards, sets take any cards of their rank.
    for sequence in choices.iter().filter_map(|choice| choice.sequence) {
        take_out(&mut rest, sequence.cards());
        groups.push(sequences::group(sequence));
    }
    let has_sequences = !groups.is_empty();
    let mut named = |rank: Option<Rank>, pick: Pick| {
        let naturals = rank.map_or_else(Stack::default, |rank| Stack::of(&rest, rank));
        let cards = pick.cards(&naturals, &Stack::wilds(&rest));
        take_out(&mut rest, cards.iter().copied());
        cards
    };
    let with = top.map_or_else(CardList::new, |(rank, pick)| named(rank, pick));
    for choice in choices.iter().filter(|choice| choice.sequence.is_none()) {
        let kind = if choice.rank.is_some() { MeldKind::Set } else { MeldKind::Wild };
        let cards = named(choice.rank, choice.pick);
        groups.push(Group { kind, onto: Onto::New, top: false, cards });
    }
    // Of two sets of one rank, the set with the lower cards comes later.
    if has_sequences || choices.windows(2).any(|pair| pair[0].rank == pair[1].rank) {
        canonical::sort(&mut groups);
    }
    (with, groups)
}

fn take_out(rest: &mut Cards, cards: impl Iterator<Item = Card>) {
    for card in cards {
        let held = rest.remove(card);
        debug_assert!(held, "a batch names every card once");
    }
}
