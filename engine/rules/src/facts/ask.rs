//! Questions and answers as they stand (ALG-17).

use crate::rules::{Ask, AskCheck, AskLimit};
use crate::seat::Seat;
use crate::table::{Permission, Table};

pub(crate) fn used_up(state: &Table, seat: Seat) -> bool {
    let asked = |s: Seat| state.round.asked & (1 << s.0) != 0;
    match state.set().ask_limit {
        AskLimit::Turn => state.turn.permission != Permission::None,
        AskLimit::RoundSeat => asked(seat),
        AskLimit::RoundSide => state.seats_of(state.side_of(seat)).any(asked),
    }
}

pub(crate) fn answers_bind(state: &Table) -> bool {
    matches!(state.set().ask, Ask::Binding | Ask::Required)
}

/// CL-088: whether the seat in turn must go out, having been answered "yes". Where asking is not checked the
/// promise may be broken (IR-050, IR-053).
pub(crate) fn must_go_out(state: &Table) -> bool {
    state.turn.permission == Permission::Yes
        && answers_bind(state)
        && state.set().ask_check == AskCheck::Strict
}

/// CL-089: the mate whose "no" forbids the seat in turn to go out.
pub(crate) fn refused_by(state: &Table) -> Option<Seat> {
    match state.turn.permission {
        Permission::No { by } if answers_bind(state) => Some(by),
        _ => None,
    }
}

/// IR-055: whether the seat in turn may not go out before it has asked: the duty holds while there is a mate,
/// and a question left to put.
pub(crate) fn must_ask(state: &Table) -> bool {
    let seat = state.turn.seat;
    state.set().ask == Ask::Required
        && state.turn.permission == Permission::None
        && state.mates(seat).next().is_some()
        && !used_up(state, seat)
}

/// The mate of `seat` who plays first after `after`, before the turn comes back to `seat`.
pub(crate) fn next_mate(state: &Table, seat: Seat, after: Seat) -> Option<Seat> {
    let left = |seat: &Seat| Some(seat.left(state.set().seats));
    let mut others = core::iter::successors(left(&after), left).take_while(|&other| other != seat);
    others.find(|&other| state.side_of(other) == state.side_of(seat))
}

/// The opponent of `seat` who plays first after `after`, before the turn comes back to `seat`.
pub(crate) fn next_opponent(state: &Table, seat: Seat, after: Seat) -> Option<Seat> {
    let left = |seat: &Seat| Some(seat.left(state.set().seats));
    let mut others = core::iter::successors(left(&after), left).take_while(|&other| other != seat);
    others.find(|&other| state.side_of(other) != state.side_of(seat))
}
