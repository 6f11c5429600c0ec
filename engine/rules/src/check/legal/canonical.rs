//! The canonical form: one form for all actions that do the same.

use crate::action::{About, Action, CardList, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class};
use crate::check::{self, Legal, Placement, Placements, Plan, permits};
use crate::rules::LastThree;
use crate::sequence::Sequence;
use crate::table::Table;
use smallvec::SmallVec;

/// The number of kinds of card that a group can hold: four suits of its rank, four twos, the joker.
const KINDS: usize = 9;
/// The number of copies of each kind in a group: its rank by suit, the twos by suit, jokers.
type Counts = [u8; KINDS];

/// Returns the canonical form of `action` if the seat or role that must act may do it; otherwise returns
/// `action` as it is. The canonical form keeps to these rules:
///
/// - Groups that go to one meld are one group; for the top's meld this group is `with`.
/// - Groups are in the order of their targets: own melds by id, then new melds: sets by rank, wilds, sequences
///   by suit and low end, black threes. New melds of one kind and rank are in the order of their counts of each
///   kind.
/// - `onto` is an id or NEW, never AUTO, and `to` is named.
/// - The cards of a group are in ascending order, naturals first.
/// - Wilds left over when a canasta closes are in the group of the new meld, except the pair that takes a wild
///   top.
/// - A top that goes onto a sequence goes there alone: other cards for the sequence are a group of their own. A
///   top goes alone onto a set, too, if the other cards, named with the top, would not take the pile.
///
/// Actions from [`steps`](super::steps) are canonical already. The canonical form
/// leads to the same state as `action`, except for the ids of melds begun in it.
pub fn canonical(table: &Table, action: &Action) -> Action {
    match permits(table, super::actor(table), action) {
        Some(legal) => form(table, action, legal),
        None => action.clone(),
    }
}

/// Returns the canonical form of an action that `legal` allows.
pub(super) fn form(table: &Table, action: &Action, legal: Legal) -> Action {
    match legal.plan {
        Plan::Meld(placements) => Action::Meld(groups(table, placements)),
        Plan::Place { placements, top, .. } => Action::Meld(placed(table, placements, top)),
        Plan::Undo { meld, mut cards, .. } => {
            cards.sort_unstable_by_key(|card| (card.is_wild(), *card));
            Action::UndoMeld { meld, cards }
        }
        Plan::Take(mut placements) | Plan::TakeOnlyTop(mut placements) => {
            let mut first = placements.remove(0);
            let top = *table.pile.last().expect("a take has a top");
            let at = first.cards.iter().position(|&card| card == top).expect("the top is laid");
            first.cards.remove(at);
            pair_up(&mut first, &mut placements);
            let is_whole = !is_laid_off(table, &first);
            let own = group(table, first);
            if is_whole {
                let also = groups(table, placements);
                return Action::TakePile(TakePile { with: own.cards, onto: own.onto, also });
            }
            // The top goes to its meld alone; other cards for this meld are laid after it (clarifications 14
            // and 29).
            let mut also = groups(table, placements);
            let onto = own.onto;
            if !own.cards.is_empty() {
                also.push(own);
                sort(&mut also);
            }
            Action::TakePile(TakePile { with: CardList::new(), onto, also })
        }
        Plan::Merge { a, b } => {
            let id = |at: u8| table.melds[usize::from(at)].id;
            Action::MergeMelds { a: id(a.min(b)), b: id(a.max(b)) }
        }
        Plan::Ask { about: About::Courtesy, .. } => {
            Action::Ask { about: About::Courtesy, to: None, with: None }
        }
        Plan::Ask { about, to } => Action::Ask { about, to: Some(to), with: None },
        Plan::TakeTalon | Plan::Reveal(_) | Plan::SpecialHand(_) => action.clone(),
        Plan::LayThrees(cards) => Action::LayThrees(threes(table, cards)),
        _ => action.clone(),
    }
}

/// Whether the top goes alone to the meld to which `first` adds other cards: to a sequence, or to a set if the
/// other cards, named with the top, do not take the pile.
fn is_laid_off(table: &Table, first: &Placement) -> bool {
    let (MeldKind::Set, Some(rank), Some(at)) = (first.kind, first.rank, first.target) else {
        return first.kind == MeldKind::Sequence;
    };
    let wilds = first.cards.iter().filter(|card| card.is_wild()).count() as u8;
    let (naturals, meld) = (first.cards.len() as u8 - wilds, &table.melds[usize::from(at)]);
    check::splits(table) && !check::entitles(table, meld.side, Some(meld), rank, naturals, wilds)
}

/// Fills the group of a wild top up to two wilds, with the highest of a new wild meld. A wild top and its two
/// wilds may close one canasta and begin another (AMB-HF-13), but `with` names both wilds all the same.
fn pair_up(first: &mut Placement, others: &mut Placements) {
    if first.kind != MeldKind::Wild {
        return;
    }
    let begun = |placement: &Placement| placement.kind == MeldKind::Wild && placement.target.is_none();
    while let Some(at) = others.iter().position(begun).filter(|_| first.cards.len() < 2) {
        let cards = &mut others[at].cards;
        cards.sort_unstable();
        first.cards.extend(cards.pop());
        if cards.is_empty() {
            others.remove(at);
        }
    }
}

/// Returns the threes that are really laid: threes after one that ends the round are not. Late threes come
/// first, since they take nothing from the stock.
fn threes(table: &Table, named: CardList) -> CardList {
    let set = table.set();
    let mut late: Cards = check::held_threes(table);
    late.subtract(&table.turn.fresh);
    let mut stock = table.stock.len();
    let mut keyed: SmallVec<[(bool, Card); 22]> = SmallVec::new();
    for card in named {
        let replaced = set.late_three_replaced || !late.remove(card);
        keyed.push((replaced, card));
        if replaced && stock == 0 && set.last_three == LastThree::EndRound {
            break;
        }
        stock = stock.saturating_sub(usize::from(replaced));
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, card)| card).collect()
}

fn groups(table: &Table, placements: impl IntoIterator<Item = Placement>) -> Groups {
    let mut groups: Groups = placements.into_iter().map(|placement| group(table, placement)).collect();
    sort(&mut groups);
    groups
}

/// Returns the groups of a `meld`. The group that lays the taken top, if there is one, names the top by `top`.
fn placed(table: &Table, placements: impl IntoIterator<Item = Placement>, top: Option<u8>) -> Groups {
    let mut groups: Groups = placements.into_iter().map(|placement| group(table, placement)).collect();
    if let Some((group, taken)) = top.map(|at| &mut groups[usize::from(at)]).zip(table.taken_top) {
        let at = group.cards.iter().position(|&card| card == taken.card).expect("the top is laid");
        group.cards.remove(at);
        group.top = true;
        // To a sequence the top goes alone.
        if group.kind == MeldKind::Sequence && !group.cards.is_empty() {
            let others = Group { top: false, ..group.clone() };
            group.cards.clear();
            groups.push(others);
        }
    }
    sort(&mut groups);
    groups
}

fn group(table: &Table, placement: Placement) -> Group {
    let onto = placement
        .target
        .map_or(Onto::New, |at| Onto::Meld { side: None, id: table.melds[usize::from(at)].id });
    let mut cards = placement.cards;
    cards.sort_unstable_by_key(|card| (card.is_wild(), *card));
    Group { kind: placement.kind, onto, top: false, cards }
}

/// Returns the groups of one batch in canonical order, as [`sort`] does.
pub(super) fn sorted(mut groups: Groups) -> Groups {
    sort(&mut groups);
    groups
}

/// Sorts the groups of one batch in canonical order. Each group must have its own target and sorted cards.
pub(super) fn sort(groups: &mut Groups) {
    if groups.len() < 2 {
        return;
    }
    let id = |group: &Group| match group.onto {
        Onto::Meld { id, .. } => Some(id),
        _ => None,
    };
    // The top first, then own melds by id, then new melds by kind, and sets by rank.
    let target = |group: &Group| {
        let is_set = group.kind == MeldKind::Set;
        let rank = group.cards.first().filter(|_| is_set).map_or(0, |card| card.rank() as u32);
        let begun = 1 << 8 | (group.kind as u32) << 4 | rank;
        u32::from(!group.top) << 16 | id(group).map_or(begun, |id| id.0.into())
    };
    // These decide only between new melds of one kind and rank.
    let cards = |group: &Group| match group.kind {
        _ if id(group).is_some() => ([0; KINDS], None),
        MeldKind::Sequence => ([0; KINDS], Sequence::of(&group.cards.iter().copied().collect())),
        _ => (counts(&group.cards), None),
    };
    groups.sort_by(|a, b| target(a).cmp(&target(b)).then_with(|| cards(a).cmp(&cards(b))));
}

/// Returns the count of each kind in the cards of one group.
fn counts(cards: &[Card]) -> Counts {
    let mut counts = [0; KINDS];
    for &card in cards {
        counts[place(card)] += 1;
    }
    counts
}

/// Returns the place of a card in [`Counts`].
fn place(card: Card) -> usize {
    match (card.suit(), card.class()) {
        (None, _) => 8,
        (Some(suit), Class::Wild) => 4 + usize::from(suit),
        (Some(suit), _) => usize::from(suit),
    }
}
