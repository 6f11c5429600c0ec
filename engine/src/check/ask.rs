//! `ask` and `answer` (ALG-17).

use super::{Desk, Plan, Verdict, one, size, threes};
use crate::action::About;
use crate::rejection::{Field, Violation};
use crate::rules::{Ask, AskCheck, AskLimit, AskWhom, AskWindow, Courtesy};
use crate::seat::Seat;
use crate::state::{self, Permission, State};
use crate::violations::Code;
use crate::way_out;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// G2 for `ask`: somebody can be asked.
pub(super) fn partner_gate(
    state: &State,
    seat: Seat,
    about: About,
    to: Option<Seat>,
) -> Result<(), Vec<Violation>> {
    if about == About::Courtesy && state.set().courtesy == Courtesy::Off {
        let fault = Violation::new(Code::TurnActionNotInRules, Field::Action);
        return Err(one(fault.fact("action", "ask").fact("knob", "courtesy")));
    }
    let fits = match about {
        About::GoOut => addressee(state, seat, to).is_some(),
        // All opponents are asked, whichever of them is named.
        About::Courtesy => {
            to.is_none_or(|to| to.0 < state.set().seats && state.side_of(to) != state.side_of(seat))
        }
    };
    if fits { Ok(()) } else { Err(one(Violation::new(Code::AskNoPartner, Field::To))) }
}

/// The mate that answers first: the one named, or the only one (AMB-20); elsewhere whoever of them plays
/// next, whichever of those that are asked is named.
fn addressee(state: &State, seat: Seat, to: Option<Seat>) -> Option<Seat> {
    if state.set().ask == Ask::Off {
        return None;
    }
    let whom = state.set().ask_whom;
    if whom == AskWhom::Named {
        let mut mates = state.mates(seat);
        return match to {
            Some(to) => mates.find(|&mate| mate == to),
            None => mates.next().filter(|_| mates.next().is_none()),
        };
    }
    let next = next_mate(state, seat, seat)?;
    let asked =
        |to: Seat| if whom == AskWhom::Next { to == next } else { state.mates(seat).any(|m| m == to) };
    to.is_none_or(asked).then_some(next)
}

/// The mate of `seat` who plays first after `after`, before the turn comes back to `seat`.
pub(crate) fn next_mate(state: &State, seat: Seat, after: Seat) -> Option<Seat> {
    let left = |seat: &Seat| Some(seat.left(state.set().seats));
    let mut others = core::iter::successors(left(&after), left).take_while(|&other| other != seat);
    others.find(|&other| state.side_of(other) == state.side_of(seat))
}

/// The opponent of `seat` who plays first after `after`, before the turn comes back to `seat`.
pub(crate) fn next_opponent(state: &State, seat: Seat, after: Seat) -> Option<Seat> {
    let left = |seat: &Seat| Some(seat.left(state.set().seats));
    let mut others = core::iter::successors(left(&after), left).take_while(|&other| other != seat);
    others.find(|&other| state.side_of(other) != state.side_of(seat))
}

/// The mates whom the question of `seat` may name, one for each different question.
pub(crate) fn addressees(state: &State, seat: Seat) -> SmallVec<[Seat; 2]> {
    match state.set().ask_whom {
        AskWhom::Named => state.mates(seat).collect(),
        AskWhom::All | AskWhom::Next | AskWhom::Any => next_mate(state, seat, seat).into_iter().collect(),
    }
}

pub(super) fn check(mut desk: Desk<'_>, to: Option<Seat>) -> Verdict {
    let state = desk.state;
    let to = addressee(state, desk.seat, to).expect("the partner gate was passed");
    threes::judge_kept(&mut desk);
    if used_up(state, desk.seat) {
        let scope = match desk.set.ask_limit {
            AskLimit::Turn => "TURN",
            AskLimit::RoundSeat => "ROUND_SEAT",
            AskLimit::RoundSide => "ROUND_SIDE",
        };
        desk.push(Violation::new(Code::AskUsedUp, Field::Action).fact("scope", scope));
    }
    if too_late(state) {
        desk.push(Violation::new(Code::AskTooLate, Field::Action).fact("melds_since_draw", "YES"));
    }
    if desk.set.ask_check == AskCheck::Strict && !way_out::exists(&way_out::Table::of(state), desk.nodes) {
        let missing = size::missing(state, desk.seat, desk.side);
        desk.push(Violation::new(Code::AskCannotGoOut, Field::Action).fact("missing", missing));
    }
    if no_choice(state, desk.seat) {
        desk.push(Violation::new(Code::AskNoChoice, Field::Action));
    }
    desk.settle(Plan::Ask { about: About::GoOut, to })
}

/// HF-073: once a turn, before the discard.
pub(super) fn check_courtesy(mut desk: Desk<'_>) -> Verdict {
    let state = desk.state;
    threes::judge_kept(&mut desk);
    if state.turn.courtesy != state::Courtesy::None {
        desk.push(Violation::new(Code::AskUsedUp, Field::Action).fact("scope", "TURN"));
    }
    let first = next_opponent(state, desk.seat, desk.seat).expect("somebody plays against a seat");
    desk.settle(Plan::Ask { about: About::Courtesy, to: first })
}

/// Whether the seat in turn may ask to meld after its discard.
pub(crate) fn may_ask_courtesy(state: &State) -> bool {
    state.set().courtesy != Courtesy::Off && state.turn.courtesy == state::Courtesy::None
}

/// In place of G1 and G2 for `answer`: the actor is asked.
pub(super) fn answer_gate(state: &State, seat: Option<Seat>) -> Result<Seat, Vec<Violation>> {
    let Some((about, to)) = state.pending() else {
        return Err(one(Violation::new(Code::AskNothingPending, Field::Action)));
    };
    // All that are asked answer in any order, each once.
    let open = match state.set().ask_whom {
        // Opponents consent one after the other.
        _ if about == About::Courtesy => false,
        AskWhom::Any => true,
        AskWhom::All => state.turn.answered.is_none(),
        AskWhom::Named | AskWhom::Next => false,
    };
    let is_asked = |seat: Seat| seat == to || open && state.mates(state.turn.seat).any(|mate| mate == seat);
    seat.filter(|&seat| is_asked(seat)).ok_or_else(|| {
        let fault = Violation::new(Code::AskNotAddressed, Field::Actor);
        one(fault.fact("seat", to))
    })
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

/// AMB-17, AC-45: a "no" could not be obeyed, with one card that cannot be kept or without a discard that keeps one.
fn no_choice(state: &State, seat: Seat) -> bool {
    let hand = state.hand(seat);
    let keeps = state.set().pass_discard && hand.len() == 1;
    answers_bind(state) && !keeps && !super::discard::leaves_a_card(state, hand)
}

/// Whether the seat in turn may ask now, given that it can go out.
pub(crate) fn may_ask(state: &State) -> bool {
    let seat = state.turn.seat;
    state.set().ask != Ask::Off && !used_up(state, seat) && !too_late(state) && !no_choice(state, seat)
}

fn answers_bind(state: &State) -> bool {
    matches!(state.set().ask, Ask::Binding | Ask::Required)
}

/// CL-088: whether the seat in turn must go out, having been answered "yes". Where asking is not checked the
/// promise may be broken (IR-050, IR-053).
pub(crate) fn must_go_out(state: &State) -> bool {
    state.turn.permission == Permission::Yes
        && answers_bind(state)
        && state.set().ask_check == AskCheck::Strict
}

/// CL-089: the mate whose "no" forbids the seat in turn to go out.
pub(crate) fn refused_by(state: &State) -> Option<Seat> {
    match state.turn.permission {
        Permission::No { by } if answers_bind(state) => Some(by),
        _ => None,
    }
}

/// IR-055: whether the seat in turn may not go out before it has asked: the duty holds while there is a mate,
/// and a question left to put.
pub(crate) fn must_ask(state: &State) -> bool {
    let seat = state.turn.seat;
    state.set().ask == Ask::Required
        && state.turn.permission == Permission::None
        && state.mates(seat).next().is_some()
        && !used_up(state, seat)
}
