//! `ask` and `answer` (ALG-17).

use super::{Desk, Plan, Verdict, one};
use crate::action::About;
use crate::rejection::{Field, Violation};
use crate::rules::{Ask, AskLimit, AskWindow};
use crate::seat::Seat;
use crate::state::{Permission, State};
use crate::violations::Code;
use crate::way_out;
use alloc::vec::Vec;

/// G2 for `ask`: somebody can be asked.
pub(super) fn partner_gate(
    state: &State,
    seat: Seat,
    about: About,
    to: Option<Seat>,
) -> Result<(), Vec<Violation>> {
    if about == About::Courtesy {
        let fault = Violation::new(Code::TurnActionNotInRules, Field::Action);
        return Err(one(fault.fact("action", "ask").fact("knob", "courtesy")));
    }
    match addressee(state, seat, to) {
        Some(_) => Ok(()),
        None => Err(one(Violation::new(Code::AskNoPartner, Field::To))),
    }
}

/// The mate that is asked: the one named, or the only one (AMB-20).
pub(crate) fn addressee(state: &State, seat: Seat, to: Option<Seat>) -> Option<Seat> {
    if state.set().ask == Ask::Off {
        return None;
    }
    let mut mates = state.mates(seat);
    match to {
        Some(to) => mates.find(|&mate| mate == to),
        None => mates.next().filter(|_| mates.next().is_none()),
    }
}

pub(super) fn check(mut desk: Desk<'_>, to: Option<Seat>) -> Verdict {
    let state = desk.state;
    let to = addressee(state, desk.seat, to).expect("the partner gate was passed");
    if used_up(state, desk.seat) {
        let scope = match desk.set.ask_limit {
            AskLimit::Turn => "TURN",
            AskLimit::RoundSeat => "ROUND_SEAT",
            AskLimit::RoundSide => "ROUND_SIDE",
        };
        desk.push(Violation::new(Code::AskUsedUp, Field::Action).fact("scope", scope));
    }
    if too_late(state) {
        desk.push(Violation::new(Code::AskTooLate, Field::Action).fact("melds", "YES"));
    }
    if !way_out::exists(&way_out::Table::of(state)) {
        desk.push(Violation::new(Code::AskCannotGoOut, Field::Action));
    }
    if no_choice(state, desk.seat) {
        desk.push(Violation::new(Code::AskNoChoice, Field::Action));
    }
    desk.settle(Plan::Ask { about: About::GoOut, to })
}

fn used_up(state: &State, seat: Seat) -> bool {
    let asked = |s: Seat| state.round.asked & (1 << s.0) != 0;
    match state.set().ask_limit {
        AskLimit::Turn => state.turn.permission != Permission::None,
        AskLimit::RoundSeat => asked(seat),
        AskLimit::RoundSide => state.seats_of(state.side_of(seat)).any(asked),
    }
}

/// CL-086: only directly after the draw or the take.
fn too_late(state: &State) -> bool {
    state.set().ask_window == AskWindow::BeforeMelds && state.turn.melded_since_draw
}

/// AMB-17: with one card a "no" could not be obeyed.
fn no_choice(state: &State, seat: Seat) -> bool {
    state.hand(seat).len() < 2
}

/// Whether the seat in turn may ask now, given that it can go out.
pub(crate) fn may_ask(state: &State) -> bool {
    let seat = state.turn.seat;
    state.set().ask != Ask::Off && !used_up(state, seat) && !too_late(state) && !no_choice(state, seat)
}
