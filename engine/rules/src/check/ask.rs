//! `ask` and `answer` (ALG-17).

use super::{CheckContext, Plan, Verdict, ask_way, one, size};
use crate::action::{About, NamedWay};
use crate::facts::{answers_bind, leaves_a_card, next_mate, next_opponent, used_up};
use crate::rejection::{Field, Violation};
use crate::rules::{Ask, AskCheck, AskLimit, AskWhom, AskWindow, Courtesy};
use crate::seat::Seat;
use crate::table::{self, Table};
use crate::violations::Code;
use crate::way_out::{self, WayOutAnswer};
use alloc::vec::Vec;
use smallvec::SmallVec;

/// Checks that somebody can be asked (G2 for `ask`).
pub(super) fn partner_gate(
    table: &Table,
    seat: Seat,
    about: About,
    to: Option<Seat>,
) -> Result<(), Vec<Violation>> {
    if about == About::Courtesy && table.set().courtesy == Courtesy::Off {
        let fault = Violation::new(Code::TurnActionNotInRules, Field::Action);
        return Err(one(fault.fact("action", "ask").fact("knob", "courtesy")));
    }
    let fits = match about {
        About::GoOut => addressee(table, seat, to).is_some(),
        // All opponents are asked, whichever of them is named.
        About::Courtesy => {
            to.is_none_or(|to| to.0 < table.set().seats && table.side_of(to) != table.side_of(seat))
        }
    };
    if fits { Ok(()) } else { Err(one(Violation::new(Code::AskNoPartner, Field::To))) }
}

/// Returns the mate that answers first, or `None` if `to` cannot be asked. Where the mate is named, it is that
/// mate, or the only one if none is named (AMB-20). Elsewhere it is the mate who plays next, whichever of the
/// asked mates is named.
fn addressee(table: &Table, seat: Seat, to: Option<Seat>) -> Option<Seat> {
    if table.set().ask == Ask::Off {
        return None;
    }
    let whom = table.set().ask_whom;
    if whom == AskWhom::Named {
        let mut mates = table.mates(seat);
        return match to {
            Some(to) => mates.find(|&mate| mate == to),
            None => mates.next().filter(|_| mates.next().is_none()),
        };
    }
    let next = next_mate(table, seat, seat)?;
    let asked =
        |to: Seat| if whom == AskWhom::Next { to == next } else { table.mates(seat).any(|m| m == to) };
    to.is_none_or(asked).then_some(next)
}

/// Returns the mates whom the question of `seat` may name, one mate per different question.
pub(crate) fn addressees(table: &Table, seat: Seat) -> SmallVec<[Seat; 2]> {
    match table.set().ask_whom {
        AskWhom::Named => table.mates(seat).collect(),
        AskWhom::All | AskWhom::Next | AskWhom::Any => next_mate(table, seat, seat).into_iter().collect(),
    }
}

pub(super) fn check(mut ctx: CheckContext<'_>, to: Option<Seat>, with: Option<&NamedWay>) -> Verdict {
    let table = ctx.table;
    let to = addressee(table, ctx.seat, to).expect("the partner gate was passed");
    ctx.judge_kept();
    if used_up(table, ctx.seat) {
        let scope = match ctx.set.ask_limit {
            AskLimit::Turn => "TURN",
            AskLimit::RoundSeat => "ROUND_SEAT",
            AskLimit::RoundSide => "ROUND_SIDE",
        };
        ctx.push(Violation::new(Code::AskUsedUp, Field::Action).fact("scope", scope));
    }
    if too_late(table) {
        ctx.push(Violation::new(Code::AskTooLate, Field::Action).fact("melds_since_draw", "YES"));
    }
    if let Some(way) = with {
        ask_way::judge(&mut ctx, way);
    } else if ctx.set.ask_check == AskCheck::Strict {
        judge_bare(&mut ctx);
    }
    if no_choice(table, ctx.seat) {
        ctx.push(Violation::new(Code::AskNoChoice, Field::Action));
    }
    ctx.settle(Plan::Ask { about: About::GoOut, to })
}

/// Judges ASK_CANNOT_GO_OUT of a question that names no way out. If the search ends undecided, the question may be asked
/// with a way.
fn judge_bare(ctx: &mut CheckContext<'_>) {
    let answer = way_out::search(&way_out::Reach::of(ctx.table), ctx.nodes);
    if answer == WayOutAnswer::Exists {
        return;
    }
    let missing = size::missing(ctx.table, ctx.seat, ctx.side);
    let mut fault = Violation::new(Code::AskCannotGoOut, Field::Action).fact("reasons", missing);
    if answer == WayOutAnswer::Undecided {
        fault = fault.fact("search", "UNDECIDED");
    }
    ctx.push(fault);
}

/// Judges `ask` about courtesy: once per turn, before the discard (HF-073). `with`: whether it names a way out.
pub(super) fn check_courtesy(mut ctx: CheckContext<'_>, with: bool) -> Verdict {
    let table = ctx.table;
    ctx.judge_kept();
    if with {
        ctx.push(ask_way::fault("ABOUT", Vec::new()));
    }
    if table.turn.courtesy != table::Courtesy::None {
        ctx.push(Violation::new(Code::AskUsedUp, Field::Action).fact("scope", "TURN"));
    }
    let first = next_opponent(table, ctx.seat, ctx.seat).expect("somebody plays against a seat");
    ctx.settle(Plan::Ask { about: About::Courtesy, to: first })
}

/// Whether the seat in turn may ask to meld after its discard.
pub(crate) fn may_ask_courtesy(table: &Table) -> bool {
    table.set().courtesy != Courtesy::Off && table.turn.courtesy == table::Courtesy::None
}

/// Checks that the actor of `answer` is asked (instead of G1 and G2). Returns the seat of the actor.
pub(super) fn answer_gate(table: &Table, seat: Option<Seat>) -> Result<Seat, Vec<Violation>> {
    let Some((about, to)) = table.pending() else {
        return Err(one(Violation::new(Code::AskNothingPending, Field::Action)));
    };
    // All asked mates answer in any order, each once.
    let open = match table.set().ask_whom {
        // Opponents consent one after the other.
        _ if about == About::Courtesy => false,
        AskWhom::Any => true,
        AskWhom::All => table.turn.answered.is_none(),
        AskWhom::Named | AskWhom::Next => false,
    };
    let is_asked = |seat: Seat| seat == to || open && table.mates(table.turn.seat).any(|mate| mate == seat);
    seat.filter(|&seat| is_asked(seat)).ok_or_else(|| {
        let fault = Violation::new(Code::AskNotAddressed, Field::Actor);
        one(fault.fact("asked", to))
    })
}

/// Whether it is too late to ask, where a question must come directly after the draw or the take (CL-086).
fn too_late(table: &Table) -> bool {
    table.set().ask_window == AskWindow::BeforeMelds && table.turn.melded_since_draw
}

/// Whether a "no" could not be obeyed (AMB-17, AC-45): the only card cannot be kept, or no discard keeps a
/// card.
fn no_choice(table: &Table, seat: Seat) -> bool {
    let hand = table.hand(seat);
    let keeps = table.set().pass_discard && hand.len() == 1;
    answers_bind(table) && !keeps && !leaves_a_card(table, hand)
}

/// Whether the seat in turn may ask now, given that it can go out.
pub(crate) fn may_ask(table: &Table) -> bool {
    let seat = table.turn.seat;
    table.set().ask != Ask::Off && !used_up(table, seat) && !too_late(table) && !no_choice(table, seat)
}
