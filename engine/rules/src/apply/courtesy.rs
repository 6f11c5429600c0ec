//! Melding after the own discard (HF-073, AMB-HF-14).

use super::{Sink, melds, open};
use crate::action::About;
use crate::check::{Placements, next_opponent};
use crate::event::Event;
use crate::rules;
use crate::seat::Seat;
use crate::table::{Courtesy, Phase, Table};

/// Asks all opponents for their consent, from `first` on. If the rule set needs no consent, they are only
/// told.
pub(super) fn ask(table: &mut Table, first: Seat, events: &mut impl Sink) {
    let seat = table.turn.seat;
    let mut told = Some(first);
    while let Some(to) = told {
        events.add(|| Event::Asked { seat, about: About::Courtesy, to });
        told = next_opponent(table, seat, to);
    }
    table.turn.courtesy = Courtesy::Granted;
    if table.set().courtesy == rules::Courtesy::WithConsent {
        table.turn.courtesy = Courtesy::Asked(first);
        table.phase = Phase::Asked;
    }
}

/// Records the answer of one opponent and asks the next one. The first "no" decides.
pub(super) fn answer(table: &mut Table, by: Seat, yes: bool, events: &mut impl Sink) {
    events.add(|| Event::Answered { seat: by, yes });
    table.turn.courtesy = match next_opponent(table, table.turn.seat, by) {
        _ if !yes => Courtesy::Refused(by),
        Some(to) => return table.turn.courtesy = Courtesy::Asked(to),
        None => Courtesy::Granted,
    };
    table.phase = Phase::Play;
}

/// Lays melds of `seat` while another seat is in turn. The facts of that turn stay as they are, except one:
/// if a mate is in turn and has not begun a meld, these melds must not count as begun in its turn. If the
/// hand is empty afterwards, the foot waits for the seat's next turn (HF-078).
pub(super) fn lay(table: &mut Table, seat: Seat, placements: Placements, events: &mut impl Sink) {
    let side = table.side_of(seat);
    let next = table.round.next_id[side.index()];
    let (new_from, touched_old) = (table.turn.new_from, table.turn.touched_old);
    melds::place_all(table, seat, placements, events);
    open(table, seat);
    let is_mate = side == table.side_of(table.turn.seat);
    table.turn.new_from =
        if is_mate && new_from == next { table.round.next_id[side.index()] } else { new_from };
    table.turn.touched_old = touched_old;
    if table.hand(seat).is_empty() {
        table.round.courteous &= !(1 << seat.0);
    }
}

/// Ends the courtesy: `seat` has laid what it wanted.
pub(super) fn end(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    table.round.courteous &= !(1 << seat.0);
    events.add(|| Event::Passed { seat });
}
