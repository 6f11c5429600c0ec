//! All decisions: whether an action is legal, and if not, every rule it breaks (model 4.3).
//!
//! Gates G0 to G3 stop at the first that fails, because later checks would be guesses. After them
//! every check of the action runs and all failures are listed, in the model's order.

use crate::action::{About, Action, ActionKind, As, CardList};
use crate::card::{Card, Cards};
use crate::rejection::{Field, Rejection, Repair, Violation};
use crate::rules::RuleSet;
use crate::seat::{Seat, Side};
use crate::state::{Permission, Phase, Source, State};
use crate::violations::Code;
use alloc::vec::Vec;
use batch::Batch;
pub(crate) use batch::Placement;
use smallvec::SmallVec;

mod ask;
mod batch;
mod deal;
mod meld;
mod shape;
mod size;
mod stock;
mod take;

pub(crate) use ask::may_ask;
pub(crate) use batch::Column;
pub(crate) use meld::exempts_going_out;
pub(crate) use shape::{is_set, may_grow};
pub(crate) use size::{Outlook, may_go_out, suffices};
pub(crate) use stock::must_take;
pub(crate) use take::{entitles, is_barred, picked_up};

/// Proof that an action is legal in one state: only [`check`] makes one.
#[derive(Clone, PartialEq, Debug)]
pub struct Legal {
    pub(crate) seq: u64,
    pub(crate) head: [u8; 32],
    pub(crate) plan: Plan,
}

/// What `apply` will do, all decisions taken.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Plan {
    /// The whole pack in dealing order.
    Deal(Vec<Card>),
    Draw,
    /// The first placement receives the top card.
    Take(Placements),
    Meld(Placements),
    Discard(Card),
    Ask {
        about: About,
        to: Seat,
    },
    Answer {
        yes: bool,
    },
    EndRound,
}

pub(crate) type Placements = SmallVec<[Placement; 4]>;

/// Judges `action`, proposed on behalf of `actor`.
///
/// # Errors
/// Every rule broken that can be judged, in the order of checks. Nothing in it depends on a card that
/// the actor cannot see.
pub fn check(state: &State, actor: As, action: &Action) -> Result<Legal, Rejection> {
    let plan =
        judge(state, actor, action).map_err(|violations| Rejection { action: action.kind(), violations })?;
    Ok(Legal { seq: state.link.seq, head: state.link.head, plan })
}

type Verdict = Result<Plan, Vec<Violation>>;

fn judge(state: &State, actor: As, action: &Action) -> Verdict {
    let kind = action.kind();
    table_gate(state, kind)?;
    if kind == ActionKind::Deal {
        return deal::check(state, actor);
    }
    let seat = seat_gate(state, actor, action)?;
    phase_gate(state, seat, action)?;
    let desk = Desk::new(state, seat, kind);
    match action {
        Action::DrawStock => stock::check_draw(desk),
        Action::EndRound => stock::check_end_round(desk),
        Action::TakePile(take) => take::check(desk, take),
        Action::Meld(groups) => meld::check(desk, groups),
        Action::Discard(card) => meld::check_discard(desk, *card),
        Action::Ask { to, .. } => ask::check(desk, *to),
        Action::Answer { yes } => Ok(Plan::Answer { yes: *yes }),
        Action::UndoMeld { meld, cards } => Err(meld::fixed(*meld, cards)),
        Action::Pass => Err(meld::discard_required(&desk)),
        _ => unreachable!("the phase gate refuses what the rule set does not have"),
    }
}

/// What every check of a seat's action works with.
pub(crate) struct Desk<'a> {
    pub state: &'a State,
    pub set: &'a RuleSet,
    pub seat: Seat,
    pub side: Side,
    kind: ActionKind,
    faults: Vec<Violation>,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(state: &'a State, seat: Seat, kind: ActionKind) -> Self {
        Self { state, set: state.set(), seat, side: state.side_of(seat), kind, faults: Vec::new() }
    }

    fn push(&mut self, violation: Violation) {
        self.faults.push(violation);
    }

    fn settle(self, plan: Plan) -> Verdict {
        if self.faults.is_empty() { Ok(plan) } else { Err(self.faults) }
    }

    /// G3: every named card is held. Returns what stays in the hand.
    fn cards_gate<'c>(
        &self,
        named: impl Iterator<Item = (Field, &'c CardList)>,
    ) -> Result<Cards, Vec<Violation>> {
        let mut rest = *self.state.hand(self.seat);
        let mut missing: SmallVec<[(Card, Field); 4]> = SmallVec::new();
        for (field, cards) in named {
            for &card in cards {
                let known = missing.iter().any(|&(m, _)| m == card);
                if !rest.remove(card) && !known {
                    missing.push((card, field));
                }
            }
        }
        if missing.is_empty() { Ok(rest) } else { Err(self.not_held(&missing)) }
    }

    /// Buried first, then not in hand (the order of G3); one violation a card.
    fn not_held(&self, missing: &[(Card, Field)]) -> Vec<Violation> {
        let under_top = self.state.pile.split_last().map_or(&[][..], |(_, under)| under);
        let buried = |card| self.kind == ActionKind::TakePile && under_top.contains(&card);
        let hand = self.state.hand(self.seat);
        let mut faults: Vec<Violation> = missing
            .iter()
            .map(|&(card, field)| {
                let repair = Repair::LeaveOut(card);
                if buried(card) {
                    return Violation::new(Code::PileBuriedCard, field).fact("card", card).repair(repair);
                }
                Violation::new(Code::TurnCardNotInHand, field)
                    .fact("card", card)
                    .fact("held", hand.count(card))
                    .repair(repair)
            })
            .collect();
        faults.sort_by_key(|v| v.code != Code::PileBuriedCard);
        faults
    }
}

fn one(violation: Violation) -> Vec<Violation> {
    alloc::vec![violation]
}

/// G0: the game and the round are on, and table input comes at its time.
fn table_gate(state: &State, kind: ActionKind) -> Result<(), Vec<Violation>> {
    let fault = |code| Violation::new(code, Field::Action);
    let dealing = matches!(kind, ActionKind::Deal | ActionKind::DrawCards);
    match state.phase {
        Phase::GameOver => Err(one(fault(Code::GameOver).fact("signed", "NO"))),
        Phase::RoundOver | Phase::Setup | Phase::Deal if !dealing => {
            let Some(over) = state.round.over else { return Ok(()) };
            Err(one(fault(Code::GameRoundOver).fact("reason", over.reason.fact())))
        }
        Phase::Deal if kind == ActionKind::Deal => Ok(()),
        phase if dealing => Err(one(fault(Code::SetupWrongTime).fact("phase", phase.name()))),
        _ => Ok(()),
    }
}

/// G1: the actor is the seat that must act.
fn seat_gate(state: &State, actor: As, action: &Action) -> Result<Seat, Vec<Violation>> {
    let seat = match actor {
        As::Seat(seat) if seat.0 < state.set().seats => Some(seat),
        _ => None,
    };
    let pending = match state.turn.permission {
        Permission::Pending { to, .. } => Some(to),
        _ => None,
    };
    if let Action::Answer { .. } = action {
        let Some(to) = pending else {
            return Err(one(Violation::new(Code::AskNothingPending, Field::Action)));
        };
        return match seat {
            Some(seat) if seat == to => Ok(seat),
            _ => {
                let fault = Violation::new(Code::AskNotAddressed, Field::Actor);
                Err(one(fault.fact("seat", to).repair(Repair::WaitForAnswer(to))))
            }
        };
    }
    if let Some(to) = pending {
        let fault = Violation::new(Code::AskPending, Field::Action).fact("asked", to);
        return Err(one(fault.repair(Repair::WaitForAnswer(to))));
    }
    let (turn, kind) = (state.turn.seat, action.kind());
    match seat {
        Some(seat) if seat == turn => Ok(seat),
        // Any opponent may call for proof of a discard, where the rule set knows that.
        Some(seat) if kind == ActionKind::CallReveal && state.side_of(seat) != state.side_of(turn) => {
            Ok(seat)
        }
        Some(seat) => {
            let fault = Violation::new(Code::TurnNotYours, Field::Actor).fact("seat", seat);
            Err(one(fault.fact("turn", turn).repair(Repair::WaitFor(turn))))
        }
        None => {
            let fault = Violation::new(Code::TurnNotYours, Field::Actor).fact("turn", turn);
            Err(one(fault.repair(Repair::WaitFor(turn))))
        }
    }
}

/// G2: the rule set has the action, and this is its phase.
fn phase_gate(state: &State, seat: Seat, action: &Action) -> Result<(), Vec<Violation>> {
    let kind = action.kind();
    if let Some(knob) = missing_from_rules(kind) {
        let fault = Violation::new(Code::TurnActionNotInRules, Field::Action);
        return Err(one(fault.fact("action", kind.name()).fact("knob", knob)));
    }
    if let Action::SpecialHand(hand) = action {
        let fault = Violation::new(Code::SpecialNotAgreed, Field::Action);
        return Err(one(fault.fact("kind", hand.name())));
    }
    if let Action::Ask { about, to } = action {
        ask::partner_gate(state, seat, *about, *to)?;
    }
    let code = match (kind, state.phase) {
        (ActionKind::DrawStock | ActionKind::TakePile | ActionKind::EndRound, Phase::Start)
        | (ActionKind::Answer, Phase::Asked) => return Ok(()),
        (kind, Phase::Play) if is_play(kind) => return Ok(()),
        (kind, Phase::Start) if is_play(kind) => {
            return Err(one(Violation::new(Code::TurnDrawFirst, Field::Action).repair(Repair::DrawOrTake)));
        }
        (ActionKind::DrawStock | ActionKind::TakePile, Phase::Play) => Code::TurnAlreadyDrew,
        _ => Code::TurnWrongPhase,
    };
    let fault = Violation::new(code, Field::Action).repair(Repair::MeldOrDiscard);
    Err(one(match code {
        Code::TurnAlreadyDrew => fault.fact("source", state.turn.source.name()),
        _ => fault.fact("phase", state.phase.name()),
    }))
}

/// What a seat does between the draw and the end of its turn. `pass` and `undo_meld` are among it where the
/// rule set has neither, so that they are answered by the rule they break (CL-015, CL-022).
fn is_play(kind: ActionKind) -> bool {
    use ActionKind::{Ask, Discard, Meld, Pass, UndoMeld};
    matches!(kind, Ask | Discard | Meld | Pass | UndoMeld)
}

/// The knob that would have to change for this action to exist.
fn missing_from_rules(kind: ActionKind) -> Option<&'static str> {
    Some(match kind {
        ActionKind::TakeTop => "pile_steps",
        ActionKind::RestorePile => "pile_restore",
        ActionKind::LayThrees => "threes_drawn",
        ActionKind::TakeTalon => "talon_award",
        ActionKind::MergeMelds => "merge",
        ActionKind::CallReveal => "reveal",
        ActionKind::DrawCards => "side_choice",
        ActionKind::Ruling | ActionKind::Dispute | ActionKind::Sign => "rulings",
        _ => return None,
    })
}

impl Source {
    /// The source's name in facts.
    pub fn name(self) -> &'static str {
        ["NONE", "STOCK", "PILE"][self as usize]
    }
}
