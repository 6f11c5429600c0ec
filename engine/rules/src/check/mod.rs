//! All decisions: whether an action is legal, and if not, every rule it breaks (model 4.3).
//!
//! The first failing gate of G0 to G3 ends the judgement, because later checks would be guesses. After the gates
//! every check of the action runs, and all failures are listed in the model's order.

use crate::action::{About, Action, ActionKind, As, CardList, MeldId, SpecialHand};
use crate::card::{Card, Cards};
use crate::nodes::Nodes;
use crate::rejection::{Circumstance, Field, Rejection, Violation};
use crate::rules::{CanastaAccepts, MeldCheck, Merge, OppCanastaRank, PileSteps, RuleSet, StockOut};
use crate::seat::{Seat, Side};
use crate::table::{Cut, Phase, Table, Talon, TalonPlace};
use crate::violations::Code;
use alloc::boxed::Box;
use alloc::vec::Vec;
use batch::Batch;
use core::cell::Cell;
pub(crate) use draw::Draw;
use frequent::judge;
use smallvec::SmallVec;

mod any_take;
mod ask;
mod ask_way;
mod batch;
mod counted;
mod deal;
mod dealer;
mod discard;
mod draw;
mod frequent;
mod initial;
pub mod legal;
mod meld;
mod merge;
pub mod options;
mod out_of_turn;
mod pass;
mod placement;
mod repair;
mod ruling;
mod sequence;
mod shape;
mod size;
mod special;
mod stock;
mod take;
mod tentative;
mod threes;
pub(crate) mod transcribed;

pub use crate::facts::Requirement;
pub(crate) use crate::facts::*;
pub(crate) use ask::{addressees, may_ask, may_ask_courtesy};
pub(crate) use batch::BatchColumn;
pub use counted::check_counted;
pub(crate) use counted::{faults, permits_counted};
pub use deal::{Dealt, check_deal, wrong_pack};
pub use dealer::{LeftToTable, dealer_before_cards, other_dealer, unnamed_dealer};
pub(crate) use discard::{discardable, is_exception, penalties_due, restricted};
pub use draw::check_draw_cards;
pub use initial::InitialPoints;
pub(crate) use pass::{may_be_stranded, may_pass};
pub(crate) use placement::{Placement, Placements, content};
pub use ruling::game_over;
pub(crate) use ruling::{Course, DecidedRuling};
pub(crate) use sequence::receives;
pub(crate) use size::{Outlook, least_kept, requirements};
pub(crate) use special::declarable;
pub(crate) use stock::{must_take, yields_top_only};
pub(crate) use take::is_barred;
pub(crate) use tentative::{Locked, faults_of_turn, has_ids, stands};
pub(crate) use threes::{held as held_threes, layable as layable_threes, least_to_end, must_lay};

/// Proof that an action is legal at one table. Only this module creates it.
#[derive(Clone, PartialEq, Debug)]
pub struct Legal {
    /// The step of the table that the proof was made for.
    pub(crate) step: u64,
    pub(crate) plan: Plan,
}

/// The work that `apply` will do. All decisions are taken.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Plan {
    /// The whole pack in dealing order, and which cuts were exact.
    Deal(Vec<Card>, Cut),
    /// A deal that is void: a seat withheld what it registered.
    Void,
    DrawCards(Draw),
    Draw,
    /// The first placement receives the top card.
    Take(Placements),
    /// A take by the duty of HN-048: no other card of the pile follows the top.
    TakeOnlyTop(Placements),
    Meld(Placements),
    /// A meld by a seat that may still meld after its discard (HF-073).
    MeldLate(Seat, Placements),
    /// The end of this seat's melding after its discard.
    EndCourtesy(Seat),
    /// Indices into the melds: the second joins the first.
    Merge {
        a: u8,
        b: u8,
    },
    /// A `Meld` whose cards stay loose. `top`: index of the placement with the tentatively taken top; `release`: the
    /// melds that are locked when the rest of the pile follows the top.
    Place {
        placements: Placements,
        top: Option<u8>,
        release: Option<Locked>,
    },
    Undo {
        meld: MeldId,
        cards: CardList,
        release: Option<Locked>,
    },
    TakeTop,
    Restore,
    Pass,
    LayThrees(CardList),
    TakeTalon,
    /// The seat whose hand is shown.
    Reveal(Seat),
    SpecialHand(SpecialHand),
    Discard(Card),
    Ask {
        about: About,
        to: Seat,
    },
    Answer {
        by: Seat,
        yes: bool,
    },
    /// The end of the round in place of a draw, or of a discard that the turn does not have.
    EndRound,
    Rule(Box<DecidedRuling>),
    Dispute {
        open: bool,
    },
    Sign {
        side: Side,
    },
}

const _: () = assert!(size_of::<Legal>() <= 96, "a proof is moved several times per action");

/// Judges `action`, proposed on behalf of `actor`.
///
/// # Errors
/// Lists every broken rule that can be judged, in the order of checks, each with a repair if a valid one is known.
/// The list depends on no card that the actor cannot see.
///
/// A deal is judged as written down by hand, with the cards that it names ([`check_deal`] is given a wall).
pub fn check(table: &Table, actor: As, action: &Action) -> Result<Legal, Rejection> {
    check_resuming(table, None, actor, action)
}

/// Judges `action` as [`check`] does, with the table that a ruling goes on from: an earlier table of the same deal,
/// after action `to_seq`, or the position that the ruling lets stand. The caller must know the origin of this table:
/// an audit executes the log up to it again.
///
/// # Errors
/// The same as for [`check`].
pub fn check_resuming(
    table: &Table,
    resumed: Option<&Table>,
    actor: As,
    action: &Action,
) -> Result<Legal, Rejection> {
    check_counted(table, resumed, actor, action, &Nodes::default())
}

fn conclude(table: &Table, actor: As, action: &Action, verdict: Verdict) -> Result<Legal, Rejection> {
    match verdict {
        Ok(plan) => Ok(Legal::of(table, plan)),
        Err(violations) => Err(reject(table, actor, action, violations)),
    }
}

/// Returns the rejection of an action for these violations, each with a repair if a valid one is known.
pub fn reject(table: &Table, actor: As, action: &Action, violations: Vec<Violation>) -> Rejection {
    let nodes = Nodes::default();
    nodes.limit_work(counted::hand_len(table, actor));
    repair::reject(table, actor, action, violations, &nodes)
}

/// Judges an action as [`check`] does, without the reasons of a refusal, which saves time in a search.
pub fn permits(table: &Table, actor: As, action: &Action) -> Option<Legal> {
    permits_counted(table, actor, action, &Nodes::default())
}

impl Legal {
    fn of(table: &Table, plan: Plan) -> Self {
        Self { step: table.step, plan }
    }
}

type Verdict = Result<Plan, Vec<Violation>>;

/// Judges an action of a seat. Writes the points of the initial meld into `initial`, if they are counted.
fn judge_play(
    table: &Table,
    actor: As,
    action: &Action,
    nodes: &Nodes,
    initial: Option<&Cell<Option<InitialPoints>>>,
) -> Verdict {
    let kind = action.kind();
    table_gate(table, kind)?;
    let seat = seat_gate(table, actor, action)?;
    phase_gate(table, seat, action)?;
    let ctx = CheckContext { initial, ..CheckContext::new(table, seat, kind, nodes) };
    match action {
        Action::DrawStock => stock::check_draw(ctx),
        Action::EndRound => stock::check_end_round(ctx),
        Action::TakePile(take) => take::check(ctx, take),
        Action::Meld(groups) => meld::check(ctx, groups),
        Action::SpecialHand(hand) => special::check(ctx, *hand),
        Action::TakeTalon => out_of_turn::check_talon(ctx),
        Action::CallReveal { of } => out_of_turn::check_reveal(ctx, *of),
        Action::MergeMelds { a, b } => merge::check(ctx, *a, *b),
        Action::LayThrees(cards) => threes::check(ctx, cards),
        Action::Discard(card) => discard::check(ctx, *card),
        Action::Ask { about: About::Courtesy, with, .. } => ask::check_courtesy(ctx, with.is_some()),
        Action::Ask { about: About::GoOut, to, with } => ask::check(ctx, *to, with.as_deref()),
        Action::Answer { yes } => Ok(Plan::Answer { by: seat, yes: *yes }),
        Action::UndoMeld { meld, cards } => tentative::check_undo(ctx, *meld, cards),
        Action::Pass if ctx.is_late() => Ok(Plan::EndCourtesy(seat)),
        Action::Pass => pass::check(ctx),
        Action::TakeTop => tentative::check_take_top(ctx),
        Action::RestorePile => tentative::check_restore(ctx),
        _ => unreachable!("the phase gate refuses what the rule set does not have"),
    }
}

/// The context of every check of a seat's action.
pub(crate) struct CheckContext<'a> {
    pub table: &'a Table,
    pub set: &'a RuleSet,
    pub seat: Seat,
    pub side: Side,
    kind: ActionKind,
    /// Whether deferred tests of the melds are made at once, except the test of the minimum.
    strict: bool,
    /// Whether the turn ends with the melds: they are tested as at its end, though a card is left to discard.
    ends_turn: bool,
    /// The counter of the nodes that searches visit.
    nodes: &'a Nodes,
    /// The place for the points of the initial meld, if somebody asks for them.
    initial: Option<&'a Cell<Option<InitialPoints>>>,
    faults: Vec<Violation>,
}

impl<'a> CheckContext<'a> {
    pub(crate) fn new(table: &'a Table, seat: Seat, kind: ActionKind, nodes: &'a Nodes) -> Self {
        Self {
            table,
            set: table.set(),
            seat,
            side: table.side_of(seat),
            kind,
            strict: false,
            ends_turn: false,
            nodes,
            initial: None,
            faults: Vec::new(),
        }
    }

    /// Whether the seat melds after its own discard, while another is in turn (HF-073).
    fn is_late(&self) -> bool {
        self.seat != self.table.turn.seat
    }

    /// Whether this is a meld that is tested only at the end of the turn (HN-015).
    fn defers(&self) -> bool {
        self.set.meld_check == MeldCheck::AtDiscard && self.kind == ActionKind::Meld && !self.is_late()
    }

    /// Whether the laid cards may return to the hand until the turn ends: true of a `meld` of the seat in turn.
    pub(crate) fn lays_loose(&self) -> bool {
        self.set.undo_meld && self.kind != ActionKind::TakePile && !self.is_late()
    }

    fn push(&mut self, violation: Violation) {
        self.faults.push(violation);
    }

    fn settle(self, plan: Plan) -> Verdict {
        if self.faults.is_empty() { Ok(plan) } else { Err(self.faults) }
    }

    /// Checks that every named card is held (G3). Returns the cards that stay in the hand.
    fn cards_gate<'c>(
        &self,
        named: impl Iterator<Item = (Field, &'c CardList)>,
    ) -> Result<Cards, Vec<Violation>> {
        let mut rest = *self.table.hand(self.seat);
        let mut missing: SmallVec<[Missing; 4]> = SmallVec::new();
        for (field, cards) in named {
            for &card in cards {
                if rest.remove(card) {
                    continue;
                }
                match missing.iter_mut().find(|m| m.card == card) {
                    Some(known) => known.short += 1,
                    None => missing.push(Missing { card, short: 1, field }),
                }
            }
        }
        if missing.is_empty() { Ok(rest) } else { Err(self.not_held(&missing)) }
    }

    /// Returns one violation per missing card: cards buried in the pile, then cards not in hand (the order of G3).
    fn not_held(&self, missing: &[Missing]) -> Vec<Violation> {
        let under_top = self.table.pile.split_last().map_or(&[][..], |(_, under)| under);
        let buried = |card| self.kind == ActionKind::TakePile && under_top.contains(&card);
        let hand = self.table.hand(self.seat);
        let is_before = |talon: &Talon| talon.place == TalonPlace::Before(self.seat);
        let mut faults: Vec<Violation> = missing
            .iter()
            .map(|&Missing { card, short, field }| {
                if buried(card) {
                    return Violation::new(Code::PileBuriedCard, field).fact("card", card);
                }
                let held = hand.count(card);
                Violation::new(Code::TurnCardNotInHand, field)
                    .fact("card", card)
                    .fact("found", held)
                    .fact("required", u16::from(held) + short)
                    .with(Circumstance::Unopened, !self.table.opened(self.side))
                    .with(Circumstance::Talon, self.table.talons.iter().any(is_before))
            })
            .collect();
        faults.sort_by_key(|v| v.code != Code::PileBuriedCard);
        faults
    }
}

/// A card that an action names more often than the hand holds it.
struct Missing {
    card: Card,
    /// The number of copies that are missing.
    short: u16,
    /// The field that names the first missing copy.
    field: Field,
}

fn one(violation: Violation) -> Vec<Violation> {
    alloc::vec![violation]
}

/// Checks that the game and the round are on, and that table input comes at its time (G0).
pub fn table_gate(table: &Table, kind: ActionKind) -> Result<(), Vec<Violation>> {
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
fn seat_gate(table: &Table, actor: As, action: &Action) -> Result<Seat, Vec<Violation>> {
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
    match seat {
        Some(seat) if seat == turn => Ok(seat),
        Some(seat) if is_late(table, seat, kind) => Ok(seat),
        // Whether these may act out of turn is judged with the action: an opponent, the owner of the talon.
        Some(seat)
            if kind == ActionKind::TakeTalon || out_of_turn::is_call_on_opponent(table, seat, action) =>
        {
            Ok(seat)
        }
        Some(seat) if has_discarded(table, seat, kind) => {
            let fault = Violation::new(Code::TurnOver, Field::Actor).fact("courtesy", "NONE");
            Err(one(fault))
        }
        Some(seat) => {
            let fault = Violation::new(Code::TurnNotYours, Field::Actor).fact("seat", seat);
            Err(one(fault.fact("turn", turn)))
        }
        None => {
            let fault = Violation::new(Code::TurnNotYours, Field::Actor).fact("turn", turn);
            Err(one(fault))
        }
    }
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
fn phase_gate(table: &Table, seat: Seat, action: &Action) -> Result<(), Vec<Violation>> {
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
    if is_late(table, seat, kind) {
        // What a mate or an opponent lays could spoil what the seat in turn relies on.
        let relied = must_go_out(table) || table.phase != Phase::Start && late_melds_may_spoil(table.set());
        let waits = kind == ActionKind::Meld && relied;
        let fault = || Violation::new(Code::TurnWrongPhase, Field::Action).fact("phase", table.phase.name());
        return if waits { Err(one(fault())) } else { Ok(()) };
    }
    if table.turn.no_discard && table.phase == Phase::Play {
        match kind {
            ActionKind::EndRound => return Ok(()),
            ActionKind::Discard | ActionKind::Pass => {
                let fault = Violation::new(Code::TurnWrongPhase, Field::Action).fact("phase", "LAST_THREE");
                return Err(one(fault));
            }
            _ => {}
        }
    }
    let code = match (kind, table.phase) {
        (
            ActionKind::DrawStock | ActionKind::TakePile | ActionKind::TakeTop | ActionKind::EndRound,
            Phase::Start,
        )
        | (ActionKind::Answer, Phase::Asked)
        | (ActionKind::LayThrees | ActionKind::SpecialHand, Phase::Start | Phase::Play)
        | (ActionKind::TakeTalon | ActionKind::CallReveal, _)
        | (ActionKind::RestorePile, Phase::Start | Phase::Play | Phase::Taking) => return Ok(()),
        // While a take is pending, only its melds are decided.
        (ActionKind::Ask | ActionKind::MergeMelds, Phase::Taking) => Code::TurnWrongPhase,
        (kind, Phase::Play | Phase::Taking) if is_play(kind) => return Ok(()),
        (kind, Phase::Start) if is_play(kind) => {
            let fault = Violation::new(Code::TurnDrawFirst, Field::Action);
            let melds = matches!(kind, ActionKind::Meld | ActionKind::MergeMelds | ActionKind::UndoMeld);
            return Err(one(fault.with(Circumstance::Melding, melds)));
        }
        (ActionKind::DrawStock | ActionKind::TakePile | ActionKind::TakeTop, Phase::Play | Phase::Taking) => {
            Code::TurnAlreadyDrew
        }
        _ => Code::TurnWrongPhase,
    };
    let fault = Violation::new(code, Field::Action);
    Err(one(match code {
        Code::TurnAlreadyDrew => {
            let takes = matches!(kind, ActionKind::TakePile | ActionKind::TakeTop);
            fault.fact("source", table.turn.source.name()).with(Circumstance::Taking, takes)
        }
        _ => fault.fact("phase", table.phase.name()),
    }))
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
        ActionKind::LayThrees if !set.lays_threes_by_choice() => "threes_drawn",
        ActionKind::TakeTalon => "talon_award",
        ActionKind::MergeMelds if set.merge == Merge::None => "merge",
        ActionKind::CallReveal => "reveal",
        ActionKind::Ruling | ActionKind::Dispute | ActionKind::Sign => "rulings",
        _ => return None,
    })
}
