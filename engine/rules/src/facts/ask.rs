//! The state of the question whether a seat may go out, and of its answers (ALG-17).

use crate::rules::{Ask, AskCheck, AskLimit};
use crate::seat::Seat;
use crate::table::{Permission, Table};

pub(crate) fn used_up(table: &Table, seat: Seat) -> bool {
    let asked = |s: Seat| table.round.asked & (1 << s.0) != 0;
    match table.set().ask_limit {
        AskLimit::Turn => table.turn.permission != Permission::None,
        AskLimit::RoundSeat => asked(seat),
        AskLimit::RoundSide => table.seats_of(table.side_of(seat)).any(asked),
    }
}

pub(crate) fn answers_bind(table: &Table) -> bool {
    matches!(table.set().ask, Ask::Binding | Ask::Required)
}

/// Whether the seat in turn must go out because its question was answered "yes" (CL-088). If the rule set does
/// not check the promise, the seat may break it (IR-050, IR-053).
pub(crate) fn must_go_out(table: &Table) -> bool {
    table.turn.permission == Permission::Yes
        && answers_bind(table)
        && table.set().ask_check == AskCheck::Strict
}

/// Returns the mate whose "no" forbids the seat in turn to go out (CL-089), or `None` if no answer forbids it.
pub(crate) fn refused_by(table: &Table) -> Option<Seat> {
    match table.turn.permission {
        Permission::No { by } if answers_bind(table) => Some(by),
        _ => None,
    }
}

/// Whether the seat in turn must ask before it may go out (IR-055). The duty holds while the seat has a mate
/// and may still ask.
pub(crate) fn must_ask(table: &Table) -> bool {
    let seat = table.turn.seat;
    table.set().ask == Ask::Required
        && table.turn.permission == Permission::None
        && table.mates(seat).next().is_some()
        && !used_up(table, seat)
}

/// Returns the mate of `seat` who plays first after `after`, before the turn comes back to `seat`; `None` if no
/// mate plays in between.
pub(crate) fn next_mate(table: &Table, seat: Seat, after: Seat) -> Option<Seat> {
    others_after(table, seat, after).find(|&other| table.side_of(other) == table.side_of(seat))
}

/// Returns the opponent of `seat` who plays first after `after`, before the turn comes back to `seat`; `None`
/// if no opponent plays in between.
pub(crate) fn next_opponent(table: &Table, seat: Seat, after: Seat) -> Option<Seat> {
    others_after(table, seat, after).find(|&other| table.side_of(other) != table.side_of(seat))
}

/// Returns the seats after `after`, in the order of play, up to `seat`.
fn others_after(table: &Table, seat: Seat, after: Seat) -> impl Iterator<Item = Seat> {
    let left = move |seat: &Seat| Some(seat.left(table.set().seats));
    core::iter::successors(left(&after), left).take_while(move |&other| other != seat)
}
