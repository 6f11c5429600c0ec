//! The gates G0 to G2: the game is on, the actor must act, and the action belongs to this phase.

use super::{ask, game_over, one, out_of_turn, restricted, ruling, special};
use crate::action::{Action, ActionKind, As};
use crate::facts::must_go_out;
use crate::rejection::{Circumstance, Field, Violation};
use crate::rules::{CanastaAccepts, LaidThrees, Merge, OppCanastaRank, PileSteps, RuleSet, StockOut};
use crate::seat::Seat;
use crate::table::{Phase, Table};
use crate::violations::Code;
use alloc::vec::Vec;

/// Checks that the game and the round are on, and that table input comes at its time (G0).
pub(super) fn table_gate(table: &Table, kind: ActionKind) -> Result<(), Vec<Violation>> {
    let fault = |code| Violation::new(code, Field::Action);
    let dealing = matches!(kind, ActionKind::Deal | ActionKind::DrawCards);
    match table.phase {
        Phase::GameOver => Err(one(game_over(table.is_signed()))),
        Phase::RoundOver | Phase::Setup | Phase::Deal if !dealing => {
            let Some(over) = table.round.over else { return Ok(()) };
            Err(one(fault(Code::GameRoundOver).fact("reason", over.reason.fact())))
        }
        _ if table.rulings.is_some() && table.is_suspended() => {
            Err(ruling::suspended(table).into_iter().collect())
        }
        Phase::Deal if (kind == ActionKind::DrawCards) == (table.round.number == 0) => Ok(()),
        phase if dealing => Err(one(fault(Code::SetupWrongTime).fact("phase", phase.name()))),
        _ => Ok(()),
    }
}

/// Checks that the actor is the seat that must act (G1).
pub(super) fn seat_gate(table: &Table, actor: As, action: &Action) -> Result<Seat, Vec<Violation>> {
    let seat = match actor {
        As::Seat(seat) if seat.0 < table.set().seats => Some(seat),
        _ => None,
    };
    if let Action::Answer { .. } = action {
        return ask::answer_gate(table, seat);
    }
    if let Some((_, to)) = table.pending() {
        let fault = Violation::new(Code::AskPending, Field::Action).fact("asked", to);
        return Err(one(fault));
    }
    let (turn, kind) = (table.turn.seat, action.kind());
    let may_act = |seat| {
        seat == turn
            || is_late(table, seat, kind)
            // Whether these may act out of turn is judged with the action: the owner of the talon, an opponent.
            || kind == ActionKind::TakeTalon
            || out_of_turn::is_call_on_opponent(table, seat, action)
    };
    let fault = |code| Violation::new(code, Field::Actor);
    Err(one(match seat {
        Some(seat) if may_act(seat) => return Ok(seat),
        Some(seat) if has_discarded(table, seat, kind) => fault(Code::TurnOver).fact("courtesy", "NONE"),
        Some(seat) => fault(Code::TurnNotYours).fact("seat", seat).fact("turn", turn),
        None => fault(Code::TurnNotYours).fact("turn", turn),
    }))
}

/// Whether `seat` melds, or ends its melding, after its own discard (AMB-HF-14).
fn is_late(table: &Table, seat: Seat, kind: ActionKind) -> bool {
    seat != table.turn.seat && table.is_courteous(seat) && matches!(kind, ActionKind::Meld | ActionKind::Pass)
}

/// Whether a meld after the own discard could spoil what a turn under way relies on; if so, it waits until the turn
/// is over. A mate's melds only help, unless a laid meld can bar its side or others, the turn's own melds decide
/// about points, or a rule closes what a hand could still do.
fn late_melds_may_spoil(set: &RuleSet) -> bool {
    let closes = set.opp_canasta_rank != OppCanastaRank::Allow
        || !set.go_out_bars.is_empty()
        || (set.go_out_clean > 0 && set.canasta_accepts != CanastaAccepts::Naturals)
        || set.wild_lock
        || !set.rank_wilds.is_empty()
        || set.overfill_out
        || restricted(set);
    closes || set.undo_meld || set.bonus_concealed > 0 || !set.initial_exempt.is_empty()
}

/// Whether `seat` would meld right after its own discard (HF-072). Only the rule set with feet has a text on this
/// case; in other rule sets such a seat is simply out of turn.
fn has_discarded(table: &Table, seat: Seat, kind: ActionKind) -> bool {
    table.set().foot_size > 0
        && kind == ActionKind::Meld
        && table.phase == Phase::Start
        && seat.left(table.set().seats) == table.turn.seat
        && table.pile.len() > usize::from(table.round.start_len)
}

/// Checks that the rule set has the action, and that this is its phase (G2).
pub(super) fn phase_gate(table: &Table, seat: Seat, action: &Action) -> Result<(), Vec<Violation>> {
    let kind = action.kind();
    // A turn without a discard ends by `end_round` under any rule set.
    let ends = kind == ActionKind::EndRound && table.turn.no_discard && table.phase == Phase::Play;
    if let Some(knob) = missing_from_rules(table.set(), kind).filter(|_| !ends) {
        let fault = Violation::new(Code::TurnActionNotInRules, Field::Action);
        return Err(one(fault.fact("action", kind.name()).fact("knob", knob)));
    }
    if let Action::SpecialHand(hand) = action
        && !special::is_agreed(table.set(), *hand)
    {
        let fault = Violation::new(Code::SpecialNotAgreed, Field::Action);
        return Err(one(fault.fact("kind", hand.name())));
    }
    if let Action::Ask { about, to, .. } = action {
        ask::partner_gate(table, seat, *about, *to)?;
    }
    let wrong_phase = |phase: &'static str| {
        Err(one(Violation::new(Code::TurnWrongPhase, Field::Action).fact("phase", phase)))
    };
    if is_late(table, seat, kind) {
        // What a mate or an opponent lays could spoil what the seat in turn relies on.
        let relied = must_go_out(table) || table.phase != Phase::Start && late_melds_may_spoil(table.set());
        let waits = kind == ActionKind::Meld && relied;
        return if waits { wrong_phase(table.phase.name()) } else { Ok(()) };
    }
    if table.turn.no_discard && table.phase == Phase::Play {
        match kind {
            ActionKind::EndRound => return Ok(()),
            ActionKind::Discard | ActionKind::Pass => return wrong_phase("LAST_THREE"),
            _ => {}
        }
    }
    match (kind, table.phase) {
        (
            ActionKind::DrawStock | ActionKind::TakePile | ActionKind::TakeTop | ActionKind::EndRound,
            Phase::Start,
        )
        | (ActionKind::Answer, Phase::Asked)
        | (ActionKind::LayThrees | ActionKind::SpecialHand, Phase::Start | Phase::Play)
        | (ActionKind::TakeTalon | ActionKind::CallReveal, _)
        | (ActionKind::RestorePile, Phase::Start | Phase::Play | Phase::Taking) => Ok(()),
        // While a take is pending, only its melds are decided.
        (ActionKind::Ask | ActionKind::MergeMelds, Phase::Taking) => wrong_phase(table.phase.name()),
        (kind, Phase::Play | Phase::Taking) if is_play(kind) => Ok(()),
        (kind, Phase::Start) if is_play(kind) => {
            let melds = matches!(kind, ActionKind::Meld | ActionKind::MergeMelds | ActionKind::UndoMeld);
            let fault = Violation::new(Code::TurnDrawFirst, Field::Action);
            Err(one(fault.with(Circumstance::Melding, melds)))
        }
        (ActionKind::DrawStock | ActionKind::TakePile | ActionKind::TakeTop, Phase::Play | Phase::Taking) => {
            let fault = Violation::new(Code::TurnAlreadyDrew, Field::Action);
            let fault = fault.fact("source", table.turn.source.name());
            Err(one(fault.with(Circumstance::Taking, kind != ActionKind::DrawStock)))
        }
        _ => wrong_phase(table.phase.name()),
    }
}

/// Whether an action belongs between the draw and the end of the turn. `pass` and `undo_meld` do even if the rule set
/// has neither, so that they are refused for the rule that they break (CL-015, CL-022).
fn is_play(kind: ActionKind) -> bool {
    use ActionKind::{Ask, Discard, Meld, MergeMelds, Pass, UndoMeld};
    matches!(kind, Ask | Discard | Meld | MergeMelds | Pass | UndoMeld)
}

/// Returns the knob that would have to change for this action to exist; `None` if the rule set has the action.
fn missing_from_rules(set: &RuleSet, kind: ActionKind) -> Option<&'static str> {
    Some(match kind {
        ActionKind::TakeTalon if set.offers_talons() => return None,
        ActionKind::CallReveal if set.reveal => return None,
        ActionKind::TakeTop if set.pile_steps == PileSteps::One => "pile_steps",
        ActionKind::RestorePile if !set.pile_restore => "pile_restore",
        ActionKind::EndRound if set.stock_out == StockOut::FinishTurn => "stock_out",
        ActionKind::LayThrees if set.laid_threes == LaidThrees::None => "laid_threes",
        ActionKind::LayThrees if !set.lays_threes_by_choice() => "threes_drawn",
        ActionKind::TakeTalon => "talon_award",
        ActionKind::MergeMelds if set.merge == Merge::None => "merge",
        ActionKind::CallReveal => "reveal",
        ActionKind::Ruling | ActionKind::Dispute | ActionKind::Sign => "rulings",
        _ => return None,
    })
}
