//! Minimal initial batches: nothing can be removed without missing the minimum (DESIGN, two legal sets).

use super::Lister;
use super::pick::{Pick, Stack};
use crate::action::{Action, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Rank};
use crate::check;
use crate::rules::InitialCount;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The most batches that are listed.
const MAX_BATCHES: usize = 512;
/// The most nodes of the search: beyond it the list says that it is cut.
const MAX_NODES: u32 = 50_000;

/// A group of a batch: naturals of `rank`, or wilds only.
#[derive(Clone, Copy, Debug)]
struct Choice {
    rank: Option<Rank>,
    pick: Pick,
    /// Naturals that lie there already: the top card of a take.
    top: u8,
    value: i32,
}

type Choices = SmallVec<[Choice; 6]>;

struct Search<'l, 'a> {
    lister: &'l Lister<'a>,
    required: i32,
    chosen: Choices,
    found: Vec<(i32, Choices)>,
    nodes: u32,
    /// For each place in the order of ranks, the most that the naturals from there on can add.
    reach: [i32; 12],
}

/// Melds by a side that has not opened.
pub(super) fn melds(lister: &mut Lister<'_>) {
    let mut search = Search::new(lister);
    if !search.is_in_reach(0, lister.wilds.twos(), lister.wilds.jokers(), 0) {
        return;
    }
    search.extend(0, lister.wilds.twos(), lister.wilds.jokers(), 0);
    search.finish_wild();
    let Search { found, nodes, .. } = search;
    emit(lister, found, nodes, |lister, choices| Action::Meld(groups(lister, choices, 0, 0)));
}

/// Takes by a side that has not opened.
pub(super) fn takes(lister: &mut Lister<'_>, top: Card) {
    let (state, rank) = (lister.state, top.rank());
    let held = lister.held(rank);
    if held < 2 && !state.frozen(lister.side).is_empty() {
        return;
    }
    let mut found = Vec::new();
    let mut nodes = 0;
    let counted = lister.set.initial_count == InitialCount::WithTop;
    let picked = check::picked_up(state).len();
    for pick in lister.wilds.picks(0, held) {
        if !check::entitles(state, lister.side, None, rank, pick.naturals, pick.wilds())
            || !check::is_set(lister.set, pick.naturals + 1, pick.wilds())
        {
            continue;
        }
        let mut search = Search::new(lister);
        let value = search.value(Some(rank), pick) + if counted { state.rules.card_points(top) } else { 0 };
        search.chosen.push(Choice { rank: Some(rank), pick, top: 1, value });
        search.extend(0, lister.wilds.twos() - pick.twos, lister.wilds.jokers() - pick.jokers, value);
        found.append(&mut search.found);
        nodes += search.nodes;
        if picked <= 1 {
            let with = pick.cards(&Stack::of(lister.hand, rank), &lister.wilds);
            lister.take_and_go_out(&TakePile { with, onto: Onto::New, also: Groups::new() }, top);
        }
    }
    emit(lister, found, nodes, |lister, choices| {
        let (first, rest) = choices.split_first().expect("a take begins with its top");
        let with = first.pick.cards(&Stack::of(lister.hand, rank), &lister.wilds);
        let also = groups(lister, rest, first.pick.twos, first.pick.jokers);
        Action::TakePile(TakePile { with, onto: Onto::New, also })
    });
}

fn emit(
    lister: &mut Lister<'_>,
    mut found: Vec<(i32, Choices)>,
    nodes: u32,
    action: impl Fn(&Lister<'_>, &[Choice]) -> Action,
) {
    found.sort_by_key(|&(value, _)| value);
    lister.steps.truncated |= found.len() > MAX_BATCHES || nodes >= MAX_NODES;
    found.truncate(MAX_BATCHES);
    let before = lister.steps.actions.len();
    for (_, choices) in found {
        let named: u8 = choices.iter().map(|choice| choice.pick.len()).sum();
        let action = action(lister, &choices);
        // The going out by a take may be there already.
        if !lister.steps.actions[..before].contains(&action) {
            lister.offer(action, lister.hand.len() - u16::from(named));
        }
    }
}

/// The groups of a batch; `twos` and `jokers` are used already.
fn groups(lister: &Lister<'_>, choices: &[Choice], mut twos: u8, mut jokers: u8) -> Groups {
    let mut groups = Groups::new();
    for choice in choices {
        let (kind, naturals) = match choice.rank {
            Some(rank) => (MeldKind::Set, Stack::of(lister.hand, rank)),
            None => (MeldKind::Wild, Stack::default()),
        };
        // Wilds are handed out from left to right, so that no card is named twice.
        let cards = choice.pick.cards(&naturals, &lister.wilds.without(twos, jokers));
        (twos, jokers) = (twos + choice.pick.twos, jokers + choice.pick.jokers);
        groups.push(Group { kind, onto: Onto::New, top: false, cards });
    }
    groups
}

impl<'l, 'a> Search<'l, 'a> {
    fn new(lister: &'l Lister<'a>) -> Self {
        let mut search = Self {
            lister,
            required: lister.state.minimum(lister.side),
            chosen: SmallVec::new(),
            found: Vec::new(),
            nodes: 0,
            reach: [0; 12],
        };
        for (i, rank) in Rank::NATURAL.into_iter().enumerate().rev() {
            let held = lister.held(rank);
            let counts = held >= lister.set.min_naturals;
            let pick = Pick { naturals: if counts { held } else { 0 }, twos: 0, jokers: 0 };
            search.reach[i] = search.reach[i + 1] + search.value(Some(rank), pick);
        }
        search
    }

    fn value(&self, rank: Option<Rank>, pick: Pick) -> i32 {
        let points = |rank: Rank, count: u8| i32::from(count) * self.lister.state.rules.rank_points(rank);
        rank.map_or(0, |rank| points(rank, pick.naturals))
            + points(Rank::Two, pick.twos)
            + points(Rank::Joker, pick.jokers)
    }

    /// Whether everything from place `i` on, with these wilds, is worth enough.
    fn is_in_reach(&self, i: usize, twos: u8, jokers: u8, value: i32) -> bool {
        let wilds = self.value(None, Pick { naturals: 0, twos, jokers });
        value + self.reach[i] + wilds >= self.required
    }

    /// Adds groups of the ranks from place `i` on until the minimum is reached.
    fn extend(&mut self, i: usize, twos: u8, jokers: u8, value: i32) {
        self.nodes += 1;
        if value >= self.required && !self.chosen.is_empty() {
            self.record(value);
            return;
        }
        if !self.is_in_reach(i, twos, jokers, value) || self.nodes >= MAX_NODES {
            return;
        }
        let Some(&rank) = Rank::NATURAL.get(i) else { return };
        self.extend(i + 1, twos, jokers, value);
        if self.chosen.iter().any(|c| c.rank == Some(rank)) {
            return;
        }
        let set = self.lister.set;
        for naturals in set.min_naturals..=self.lister.held(rank) {
            for t in 0..=twos {
                for j in 0..=jokers {
                    if !check::is_set(set, naturals, t + j) {
                        continue;
                    }
                    let pick = Pick { naturals, twos: t, jokers: j };
                    let worth = self.value(Some(rank), pick);
                    self.chosen.push(Choice { rank: Some(rank), pick, top: 0, value: worth });
                    self.extend(i + 1, twos - t, jokers - j, value + worth);
                    self.chosen.pop();
                }
            }
        }
    }

    /// Batches of a wild meld alone, where there are wild melds; with sets they come as later steps.
    fn finish_wild(&mut self) {
        let set = self.lister.set;
        if !set.wild_melds {
            return;
        }
        for pick in self.lister.wilds.picks(0, 0) {
            let value = self.value(None, pick);
            if pick.wilds() >= set.meld_min && value >= self.required {
                self.chosen.push(Choice { rank: None, pick, top: 0, value });
                self.record(value);
                self.chosen.pop();
            }
        }
    }

    fn record(&mut self, value: i32) {
        if self.is_minimal(value) {
            self.found.push((value, self.chosen.clone()));
        }
    }

    /// No group but the top's, and no card, can be left out.
    fn is_minimal(&self, value: i32) -> bool {
        let spare = value - self.required;
        self.chosen.iter().all(|choice| {
            let group_kept = choice.top > 0 || choice.value > spare;
            group_kept && self.smaller(choice).all(|pick| choice.value - self.worth(choice, pick) > spare)
        })
    }

    fn worth(&self, choice: &Choice, pick: Pick) -> i32 {
        let top = choice.value - self.value(choice.rank, choice.pick);
        top + self.value(choice.rank, pick)
    }

    /// The legal groups with one card less.
    fn smaller(&self, choice: &Choice) -> impl Iterator<Item = Pick> + use<'a> {
        let set = self.lister.set;
        let (pick, top, wild) = (choice.pick, choice.top, choice.rank.is_none());
        let frozen_pair = top > 0;
        [
            pick.naturals.checked_sub(1).map(|naturals| Pick { naturals, ..pick }),
            pick.twos.checked_sub(1).map(|twos| Pick { twos, ..pick }),
            pick.jokers.checked_sub(1).map(|jokers| Pick { jokers, ..pick }),
        ]
        .into_iter()
        .flatten()
        .filter(move |p| {
            let legal = if wild {
                p.wilds() >= set.meld_min
            } else {
                check::is_set(set, p.naturals + top, p.wilds())
            };
            legal && !(frozen_pair && p.naturals < 2)
        })
    }
}
