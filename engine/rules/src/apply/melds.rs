//! Laying cards, and taking the pile (ALG-06).

use super::{foot, formation, start_play, stock, tentative, threes};
use crate::action::CardList;
use crate::card::{Cards, Class};
use crate::check::{Placement, portion_under_top};
use crate::event::{Event, Events};
use crate::seat::{Seat, Side};
use crate::table::{Meld, Phase, Source, Table};
use smallvec::SmallVec;

pub(super) fn lay(
    state: &mut Table,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut Events,
) {
    place_all(state, seat, placements, events);
    open(state, seat);
    if state.hands[seat.index()].is_empty() {
        foot::pick_up_or_go_out(state, seat, events);
    }
}

pub(super) fn take(
    state: &mut Table,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut Events,
) {
    lay_top(state, seat, placements, events);
    receive_pile(state, seat, events);
}

/// HN-048: the pile stays where it is.
pub(super) fn take_only_top(
    state: &mut Table,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut Events,
) {
    lay_top(state, seat, placements, events);
    state.round.start_len = state.round.start_len.min(state.pile.len() as u16);
    events.push(Event::TookPile { seat, cards: CardList::new() });
    start_play(state, Source::TopOnly);
    threes::close_window(state);
}

/// The top joins the hand for a moment, so that the first placement can lay it like any other card.
fn lay_top(
    state: &mut Table,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut Events,
) {
    let top = state.pile.pop().expect("a take has a top");
    state.hands[seat.index()].insert(top);
    place_all(state, seat, placements, events);
    open(state, seat);
}

/// The side of `seat` has made its initial meld, if it had not.
pub(super) fn open(state: &mut Table, seat: Seat) {
    state.round.opened |= 1 << state.side_of(seat).0;
    state.round.has_melded |= 1 << seat.0;
}

/// What lies under the top goes to the hand, and play goes on with it.
pub(super) fn receive_pile(state: &mut Table, seat: Seat, events: &mut Events) {
    let left = state.pile.len() - portion_under_top(state.set(), state.pile.len());
    let cards: CardList = state.pile.drain(left..).collect();
    state.round.start_len = state.round.start_len.min(left as u16);
    state.freeze = state.causes_of_pile();
    events.push(Event::TookPile { seat, cards: cards.clone() });
    for &card in cards.iter().filter(|card| card.class() != Class::RedThree) {
        state.hands[seat.index()].insert(card);
    }
    let mut unreplaced = false;
    for &card in cards.iter().filter(|card| card.class() == Class::RedThree) {
        stock::lay_three(state, seat, card, events);
        // CL-072: no replacement, unless the rule set says so (AMB-HF-10).
        unreplaced |= state.set().pile_threes_replaced && !stock::replace(state, seat, events);
    }
    formation::fix_sides(state, seat, events);
    start_play(state, Source::Pile);
    threes::close_window(state);
    if unreplaced {
        stock::last_three(state, seat, events);
    }
    if state.phase != Phase::Play {
        return;
    }
    if state.hands[seat.index()].is_empty() {
        tentative::settle(state, seat);
        foot::pick_up_or_go_out(state, seat, events);
    }
}

/// Unites two own melds; a merge is melding (clarification 15).
pub(super) fn merge(state: &mut Table, seat: Seat, (a, b): (u8, u8), events: &mut Events) {
    let (first, second) = (&state.melds[usize::from(a)], &state.melds[usize::from(b)]);
    let (side, ids, before) = (first.side, (first.id, second.id), first.grade(state.set()));
    let joins_old = ids.0.0 < state.turn.new_from || ids.1.0 < state.turn.new_from;
    state.turn.touched_old |= joins_old;
    state.turn.melded_since_draw = true;
    threes::close_window(state);
    state.round.has_melded |= 1 << seat.0;
    state.unite(a, b);
    events.push(Event::Merged { side, a: ids.0, b: ids.1 });
    let after = state.meld(side, ids.0).and_then(|meld| meld.grade(state.set()));
    if let Some(grade) = after.filter(|_| after != before) {
        events.push(Event::Canasta { side, meld: ids.0, grade });
    }
}

pub(super) fn place_all(
    state: &mut Table,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut Events,
) {
    let side = state.side_of(seat);
    // Targets are indices into the melds as they were: new melds are put in at the end.
    let mut fresh: SmallVec<[Meld; 4]> = SmallVec::new();
    for placement in placements {
        for &card in &placement.cards {
            let held = state.hands[seat.index()].remove(card);
            assert!(held, "a melded card is held");
            state.release(seat, card);
        }
        match placement.target {
            Some(at) => {
                state.turn.touched_old |= state.melds[usize::from(at)].id.0 < state.turn.new_from;
                grow(state, usize::from(at), placement, events);
            }
            None => fresh.push(begin(state, side, placement, events)),
        }
    }
    for meld in fresh {
        state.insert_meld(meld);
    }
}

fn grow(state: &mut Table, at: usize, placement: Placement, events: &mut Events) {
    let before = state.melds[at].grade(state.set());
    let meld = &mut state.melds[at];
    for &card in &placement.cards {
        meld.cards.insert(card);
    }
    let (side, id) = (meld.side, meld.id);
    events.push(Event::Melded { side, meld: id, kind: meld.kind, rank: meld.rank, cards: placement.cards });
    let after = state.melds[at].grade(state.set());
    if let Some(grade) = after.filter(|_| after != before) {
        events.push(Event::Canasta { side, meld: id, grade });
    }
}

fn begin(state: &mut Table, side: Side, placement: Placement, events: &mut Events) -> Meld {
    let id = state.begin_meld_id(side);
    let Placement { kind, rank, cards, .. } = placement;
    let meld = Meld { side, id, kind, rank, cards: cards.iter().copied().collect::<Cards>() };
    let grade = meld.grade(state.set());
    events.push(Event::Melded { side, meld: id, kind, rank, cards });
    if let Some(grade) = grade {
        events.push(Event::Canasta { side, meld: id, grade });
    }
    meld
}
