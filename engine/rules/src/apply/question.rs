//! Asking and answering (ALG-17).

use crate::action::About;
use crate::check::next_mate;
use crate::event::{Event, Events};
use crate::rules::AskWhom;
use crate::seat::Seat;
use crate::table::{Answer, Permission, Phase, Table};

pub(super) fn ask(state: &mut Table, to: Seat, events: &mut Events) {
    let about = About::GoOut;
    let seat = state.turn.seat;
    state.turn.permission = Permission::Pending { to };
    state.round.asked |= 1 << seat.0;
    state.phase = Phase::Asked;
    events.push(Event::Asked { seat, about, to });
    if matches!(state.set().ask_whom, AskWhom::All | AskWhom::Any) {
        let mut asked = to;
        while let Some(to) = next_mate(state, seat, asked) {
            events.push(Event::Asked { seat, about, to });
            asked = to;
        }
    }
}

/// Where all are asked, all answer, and one "no" decides (AMB-WH-04).
pub(super) fn answer(state: &mut Table, by: Seat, yes: bool, events: &mut Events) {
    events.push(Event::Answered { seat: by, yes });
    let before = state.turn.answered.take();
    let mut others = state.mates(state.turn.seat).filter(|&mate| mate != by);
    let waits = others.next().filter(|_| state.set().ask_whom == AskWhom::All && before.is_none());
    if let Some(to) = waits {
        state.turn.permission = Permission::Pending { to };
        state.turn.answered = Some(Answer { by, yes });
        return;
    }
    let answers = before.into_iter().chain([Answer { by, yes }]);
    let refused = answers.filter(|answer| !answer.yes).map(|answer| answer.by).next();
    state.turn.permission = refused.map_or(Permission::Yes, |by| Permission::No { by });
    state.phase = Phase::Play;
}
