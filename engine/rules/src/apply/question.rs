//! The question whether to go out, and its answers (ALG-17).

use super::Sink;
use crate::action::About;
use crate::check::next_mate;
use crate::event::Event;
use crate::rules::AskWhom;
use crate::seat::Seat;
use crate::table::{Answer, Permission, Phase, Table};

pub(super) fn ask(table: &mut Table, to: Seat, events: &mut impl Sink) {
    let about = About::GoOut;
    let seat = table.turn.seat;
    table.turn.permission = Permission::Pending { to };
    table.round.asked |= 1 << seat.0;
    table.phase = Phase::Asked;
    events.add(|| Event::Asked { seat, about, to });
    if matches!(table.set().ask_whom, AskWhom::All | AskWhom::Any) {
        let mut asked = to;
        while let Some(to) = next_mate(table, seat, asked) {
            events.add(|| Event::Asked { seat, about, to });
            asked = to;
        }
    }
}

/// Records an answer. If all mates are asked, all answer, and one "no" decides (AMB-WH-04).
pub(super) fn answer(table: &mut Table, by: Seat, yes: bool, events: &mut impl Sink) {
    events.add(|| Event::Answered { seat: by, yes });
    let before = table.turn.answered.take();
    let mut others = table.mates(table.turn.seat).filter(|&mate| mate != by);
    let waits = others.next().filter(|_| table.set().ask_whom == AskWhom::All && before.is_none());
    if let Some(to) = waits {
        table.turn.permission = Permission::Pending { to };
        table.turn.answered = Some(Answer { by, yes });
        return;
    }
    let answers = before.into_iter().chain([Answer { by, yes }]);
    let refused = answers.filter(|answer| !answer.yes).map(|answer| answer.by).next();
    table.turn.permission = refused.map_or(Permission::Yes, |by| Permission::No { by });
    table.phase = Phase::Play;
}
