//! One form for all actions that do the same.

use crate::action::{Action, CardList, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Class, Rank};
use crate::check::{Legal, Placement, Plan, check};
use crate::state::State;

/// How many kinds of card a group can hold: four suits of its rank, four twos, the joker.
pub(super) const KINDS: usize = 9;
/// The place of the first wild among them.
pub(super) const WILDS: usize = 4;
/// Copies of each kind in a group: its rank by suit, the twos by suit, jokers.
pub(super) type Counts = [u8; KINDS];

/// `action` in its canonical form, if whoever must act may do it, and else as it is.
///
/// Groups that go to one meld are one group, in `with` if that is the top's meld. Groups stand in the
/// order of their targets: own melds by id, then new melds: sets by rank, wilds, black threes; new
/// sets of one rank by their counts of each kind. `onto` is an id or NEW, never AUTO, and `to` is
/// named. The cards of a group stand in ascending order, naturals first.
///
/// It is canonical already if it comes from [`all`](super::all()) or [`steps`](super::steps). It leads to
/// the same state up to the ids of melds begun in it.
pub fn canonical(state: &State, action: &Action) -> Action {
    match check(state, super::actor(state), action) {
        Ok(legal) => form(state, action, legal),
        Err(_) => action.clone(),
    }
}

/// The canonical form of an action that `legal` allows.
pub(super) fn form(state: &State, action: &Action, legal: Legal) -> Action {
    match legal.plan {
        Plan::Meld(placements) => Action::Meld(groups(state, placements)),
        Plan::Take(mut placements) => {
            let mut first = placements.remove(0);
            let top = *state.pile.last().expect("a take has a top");
            let at = first.cards.iter().position(|&card| card == top).expect("the top is laid");
            first.cards.remove(at);
            let Group { onto, cards, .. } = group(state, first);
            Action::TakePile(TakePile { with: cards, onto, also: groups(state, placements) })
        }
        Plan::Ask { about, to } => Action::Ask { about, to: Some(to) },
        Plan::Deal(_) | Plan::Draw | Plan::Discard(_) | Plan::Answer { .. } | Plan::EndRound => {
            action.clone()
        }
    }
}

fn groups(state: &State, placements: impl IntoIterator<Item = Placement>) -> Groups {
    let mut groups: Groups = placements.into_iter().map(|placement| group(state, placement)).collect();
    sort(&mut groups);
    groups
}

fn group(state: &State, placement: Placement) -> Group {
    let onto = placement
        .target
        .map_or(Onto::New, |at| Onto::Meld { side: None, id: state.melds[usize::from(at)].id });
    let mut cards = placement.cards;
    cards.sort_unstable_by_key(|card| (card.is_wild(), *card));
    Group { kind: placement.kind, onto, top: false, cards }
}

/// Puts groups of one batch, each with its own target and sorted cards, in canonical order.
pub(super) fn sort(groups: &mut Groups) {
    let key = |group: &Group| {
        let id = match group.onto {
            Onto::Meld { id, .. } => Some(id),
            _ => None,
        };
        let rank = group.cards.first().filter(|_| id.is_none()).map(|card| card.rank());
        let kind = (id.is_none()).then_some(group.kind);
        (id.is_none(), id, kind, rank, if id.is_none() { counts(&group.cards) } else { [0; KINDS] })
    };
    groups.sort_by_cached_key(key);
}

/// How many of each kind there are in the cards of one group.
pub(super) fn counts(cards: &[Card]) -> Counts {
    let mut counts = [0; KINDS];
    for &card in cards {
        counts[place(card)] += 1;
    }
    counts
}

/// The place of a card in [`Counts`].
fn place(card: Card) -> usize {
    match (card.suit(), card.class()) {
        (None, _) => 8,
        (Some(suit), Class::Wild) => 4 + usize::from(suit),
        (Some(suit), _) => usize::from(suit),
    }
}

/// The card at a place in [`Counts`] of a group of `rank`; a wild meld has no rank.
pub(super) fn card_at(place: usize, rank: Option<Rank>) -> Option<Card> {
    match place {
        0..4 => Some(Card::suited(place as u8, rank?)),
        4..8 => Some(Card::suited(place as u8 - 4, Rank::Two)),
        _ => Some(Card::JOKER),
    }
}

/// The cards of a group, naturals first.
pub(super) fn cards(counts: &Counts, rank: Option<Rank>) -> CardList {
    let mut cards = CardList::new();
    for (place, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
        let card = card_at(place, rank).expect("only kinds that exist are counted");
        cards.extend(core::iter::repeat_n(card, usize::from(count)));
    }
    cards
}

/// The rank of the non-wild cards of a group of this kind.
pub(super) fn rank_of(kind: MeldKind, rank: Option<Rank>) -> Option<Rank> {
    if kind == MeldKind::BlackThrees { Some(Rank::Three) } else { rank }
}
