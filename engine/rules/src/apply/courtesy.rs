//! Melding after the own discard (HF-073, AMB-HF-14).

use super::melds;
use crate::action::About;
use crate::check::{Placements, next_opponent};
use crate::event::{Event, Events};
use crate::rules;
use crate::seat::Seat;
use crate::table::{Courtesy, Phase, Table};

/// All opponents are asked, from `first` on; where their consent is not needed they are told.
pub(super) fn ask(state: &mut Table, first: Seat, events: &mut Events) {
    let seat = state.turn.seat;
    let mut told = Some(first);
    while let Some(to) = told {
        events.push(Event::Asked { seat, about: About::Courtesy, to });
        told = next_opponent(state, seat, to);
    }
    state.turn.courtesy = Courtesy::Granted;
    if state.set().courtesy == rules::Courtesy::WithConsent {
        state.turn.courtesy = Courtesy::Asked(first);
        state.phase = Phase::Asked;
    }
}

/// One after the other consents; the first "no" decides.
pub(super) fn answer(state: &mut Table, by: Seat, yes: bool, events: &mut Events) {
    events.push(Event::Answered { seat: by, yes });
    state.turn.courtesy = match next_opponent(state, state.turn.seat, by) {
        _ if !yes => Courtesy::Refused(by),
        Some(to) => return state.turn.courtesy = Courtesy::Asked(to),
        None => Courtesy::Granted,
    };
    state.phase = Phase::Play;
}

/// `seat` melds while another is in turn: of that turn nothing changes, but that a mate's melds may be no longer the
/// last that were begun. An empty hand waits for the next turn (HF-078).
pub(super) fn lay(state: &mut Table, seat: Seat, placements: Placements, events: &mut Events) {
    let side = state.side_of(seat);
    let next = state.round.next_id[side.index()];
    let (new_from, touched_old) = (state.turn.new_from, state.turn.touched_old);
    melds::place_all(state, seat, placements, events);
    melds::open(state, seat);
    let is_mate = side == state.side_of(state.turn.seat);
    state.turn.new_from =
        if is_mate && new_from == next { state.round.next_id[side.index()] } else { new_from };
    state.turn.touched_old = touched_old;
    if state.hand(seat).is_empty() {
        state.round.courteous &= !(1 << seat.0);
    }
}

/// `seat` has laid what it wanted.
pub(super) fn end(state: &mut Table, seat: Seat, events: &mut Events) {
    state.round.courteous &= !(1 << seat.0);
    events.push(Event::Passed { seat });
}
