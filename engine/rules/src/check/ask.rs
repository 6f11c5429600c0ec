//! `ask` and `answer` (ALG-17).

use super::{Desk, Plan, Verdict, one, size, threes};
use crate::action::About;
use crate::facts::{answers_bind, next_mate, next_opponent, used_up};
use crate::rejection::{Field, Violation};
use crate::rules::{Ask, AskCheck, AskLimit, AskWhom, AskWindow, Courtesy};
use crate::seat::Seat;
use crate::table::{self, Table};
use crate::violations::Code;
use crate::way_out;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// G2 for `ask`: somebody can be asked.
pub(super) fn partner_gate(
    state: &Table,
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
fn addressee(state: &Table, seat: Seat, to: Option<Seat>) -> Option<Seat> {
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

/// The mates whom the question of `seat` may name, one for each different question.
pub(crate) fn addressees(state: &Table, seat: Seat) -> SmallVec<[Seat; 2]> {
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
    if desk.set.ask_check == AskCheck::Strict && !way_out::exists(&way_out::Reach::of(state), desk.nodes) {
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
    if state.turn.courtesy != table::Courtesy::None {
        desk.push(Violation::new(Code::AskUsedUp, Field::Action).fact("scope", "TURN"));
    }
    let first = next_opponent(state, desk.seat, desk.seat).expect("somebody plays against a seat");
    desk.settle(Plan::Ask { about: About::Courtesy, to: first })
}

/// Whether the seat in turn may ask to meld after its discard.
pub(crate) fn may_ask_courtesy(state: &Table) -> bool {
    state.set().courtesy != Courtesy::Off && state.turn.courtesy == table::Courtesy::None
}

/// In place of G1 and G2 for `answer`: the actor is asked.
pub(super) fn answer_gate(state: &Table, seat: Option<Seat>) -> Result<Seat, Vec<Violation>> {
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

/// CL-086: only directly after the draw or the take.
fn too_late(state: &Table) -> bool {
    state.set().ask_window == AskWindow::BeforeMelds && state.turn.melded_since_draw
}

/// AMB-17, AC-45: a "no" could not be obeyed, with one card that cannot be kept or without a discard that keeps one.
fn no_choice(state: &Table, seat: Seat) -> bool {
    let hand = state.hand(seat);
    let keeps = state.set().pass_discard && hand.len() == 1;
    answers_bind(state) && !keeps && !super::discard::leaves_a_card(state, hand)
}

/// Whether the seat in turn may ask now, given that it can go out.
pub(crate) fn may_ask(state: &Table) -> bool {
    let seat = state.turn.seat;
    state.set().ask != Ask::Off && !used_up(state, seat) && !too_late(state) && !no_choice(state, seat)
}
