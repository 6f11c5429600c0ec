//! Laying cards, and taking the pile (ALG-06).

use super::{go_out, start_play, stock};
use crate::action::{CardList, MeldId};
use crate::card::{Cards, Class};
use crate::check::Placement;
use crate::event::{Event, Events};
use crate::seat::{Seat, Side};
use crate::state::{Causes, Meld, Source, State};
use smallvec::SmallVec;

pub(super) fn lay(
    state: &mut State,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut Events,
) {
    place_all(state, seat, placements, events);
    if state.hands[seat.index()].is_empty() {
        go_out(state, seat, events);
    }
}

pub(super) fn take(
    state: &mut State,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut Events,
) {
    // The top joins the hand for a moment, so that the first placement can lay it like any other card.
    let top = state.pile.pop().expect("a take has a top");
    state.hands[seat.index()].insert(top);
    place_all(state, seat, placements, events);

    let cards: CardList = state.pile.drain(..).collect();
    state.freeze = Causes::default();
    state.round.start_len = 0;
    events.push(Event::TookPile { seat, cards: cards.clone() });
    for card in cards {
        if card.class() == Class::RedThree {
            // CL-072: no replacement.
            stock::lay_three(state, seat, card, events);
        } else {
            state.hands[seat.index()].insert(card);
        }
    }
    start_play(state, Source::Pile);
    if state.hands[seat.index()].is_empty() {
        go_out(state, seat, events);
    }
}

fn place_all(
    state: &mut State,
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
        let at = state.melds.partition_point(|m| (m.side, m.id) < (meld.side, meld.id));
        state.melds.insert(at, meld);
    }
    state.round.opened |= 1 << side.0;
    state.round.has_melded |= 1 << seat.0;
}

fn grow(state: &mut State, at: usize, placement: Placement, events: &mut Events) {
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

fn begin(state: &mut State, side: Side, placement: Placement, events: &mut Events) -> Meld {
    let next = &mut state.round.next_id[side.index()];
    let id = MeldId(*next);
    *next += 1;
    let Placement { kind, rank, cards, .. } = placement;
    let meld = Meld { side, id, kind, rank, cards: cards.iter().copied().collect::<Cards>() };
    let grade = meld.grade(state.set());
    events.push(Event::Melded { side, meld: id, kind, rank, cards });
    if let Some(grade) = grade {
        events.push(Event::Canasta { side, meld: id, grade });
    }
    meld
}
