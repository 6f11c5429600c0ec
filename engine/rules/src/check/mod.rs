//! All decisions: whether an action is legal, and if not, every rule it breaks (model 4.3).
//!
//! Gates G0 to G3 stop at the first that fails, because later checks would be guesses. After them
//! every check of the action runs and all failures are listed, in the model's order.

use crate::action::{About, Action, ActionKind, As, CardList, MeldId, SpecialHand};
use crate::card::{Card, Cards};
use crate::nodes::Nodes;
use crate::rejection::{Circumstance, Field, Rejection, Violation};
use crate::rules::{CanastaAccepts, MeldCheck, Merge, OppCanastaRank, PileSteps, RuleSet, StockOut};
use crate::seat::{Seat, Side};
use crate::table::{Cut, Phase, Source, Table, Talon, TalonPlace};
use crate::violations::Code;
use alloc::boxed::Box;
use alloc::vec::Vec;
use batch::Batch;
pub(crate) use batch::Placement;
pub(crate) use draw::Draw;
use smallvec::SmallVec;

mod any_take;
mod ask;
mod batch;
mod deal;
mod dealer;
mod discard;
mod draw;
mod initial;
pub mod legal;
mod meld;
mod merge;
mod pass;
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
pub(crate) use batch::Column;
pub use deal::{Dealt, check_deal, wrong_pack};
pub use dealer::{LeftToTable, dealer_before_cards, other_dealer, unnamed_dealer};
pub(crate) use discard::{is_exception, penalties_due, restricted};
pub use draw::check_draw_cards;
pub(crate) use pass::{may_be_stranded, may_pass};
pub use ruling::game_over;
pub(crate) use ruling::{Course, Decision};
pub(crate) use sequence::receives;
pub(crate) use size::{Outlook, least_kept, requirements};
pub(crate) use special::declarable;
pub(crate) use stock::{must_take, yields_top_only};
pub(crate) use take::is_barred;
pub(crate) use tentative::{Locked, has_ids, may_end_turn, stands};
pub(crate) use threes::{held as held_threes, layable as layable_threes, least_to_end, must_lay};

/// Proof that an action is legal at one table: only this module makes one.
#[derive(Clone, PartialEq, Debug)]
pub struct Legal {
    /// The step of the table it was made for.
    pub(crate) step: u64,
    pub(crate) plan: Plan,
}

/// What `apply` will do, all decisions taken.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Plan {
    /// The whole pack in dealing order, and which cuts were exact.
    Deal(Vec<Card>, Cut),
    /// A deal of which a seat kept back what it registered.
    Void,
    DrawCards(Draw),
    Draw,
    /// The first placement receives the top card.
    Take(Placements),
    /// The duty of HN-048: nothing follows the top.
    TakeOnlyTop(Placements),
    Meld(Placements),
    /// By a seat that may still meld after its discard (HF-073).
    MeldLate(Seat, Placements),
    /// That seat has laid what it wanted.
    EndCourtesy(Seat),
    /// Indices into the melds: the second joins the first.
    Merge {
        a: u8,
        b: u8,
    },
    /// As `Meld`, but loose. `top` is the placement with the tentatively taken top; `release` the melds that
    /// are locked as the rest of the pile follows it.
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
    /// Whose hand is shown.
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
    /// No discard: nothing else ends the turn.
    EndRound,
    Rule(Box<Decision>),
    Dispute {
        open: bool,
    },
    Sign {
        side: Side,
    },
}

/// Cards by the melds they go to.
pub(crate) type Placements = SmallVec<[Placement; 4]>;

/// Judges `action`, proposed on behalf of `actor`.
///
/// # Errors
/// Every rule broken that can be judged, in the order of checks, each with a repair where a true one is known. Nothing
/// in it depends on a card that the actor cannot see.
///
/// A deal is judged as one that was written down by hand ([`check_deal`] is given a wall).
pub fn check(state: &Table, actor: As, action: &Action) -> Result<Legal, Rejection> {
    check_resuming(state, None, actor, action)
}

/// As [`check`], with the table that a ruling goes on from: an earlier one of the same deal, `to_seq` its last action,
/// or the position that the ruling lets stand. The caller knows where this table comes from: an audit executes to it
/// again.
///
/// # Errors
/// As [`check`].
pub fn check_resuming(
    state: &Table,
    resumed: Option<&Table>,
    actor: As,
    action: &Action,
) -> Result<Legal, Rejection> {
    conclude(state, actor, action, judge(state, resumed, actor, action, &Nodes::default()))
}

fn conclude(state: &Table, actor: As, action: &Action, verdict: Verdict) -> Result<Legal, Rejection> {
    match verdict {
        Ok(plan) => Ok(Legal::of(state, plan)),
        Err(violations) => Err(reject(state, actor, action, violations)),
    }
}

/// Returns the rejection of an action for these violations, each with a repair where a true one is known.
pub fn reject(state: &Table, actor: As, action: &Action, mut violations: Vec<Violation>) -> Rejection {
    debug_assert!(violations.iter().all(Violation::is_complete), "each states its facts: {violations:?}");
    repair::add(state, actor, action, &mut violations);
    Rejection { action: action.kind(), violations }
}

/// As [`check`], without the reasons of a refusal: for a search, which costs less so.
pub fn permits(state: &Table, actor: As, action: &Action) -> Option<Legal> {
    permits_counted(state, actor, action, &Nodes::default())
}

/// As [`permits`], and counts the nodes of its searches. The verdict does not depend on the count.
pub(crate) fn permits_counted(state: &Table, actor: As, action: &Action, nodes: &Nodes) -> Option<Legal> {
    judge(state, None, actor, action, nodes).ok().map(|plan| Legal::of(state, plan))
}

impl Legal {
    fn of(state: &Table, plan: Plan) -> Self {
        Self { step: state.step, plan }
    }
}

type Verdict = Result<Plan, Vec<Violation>>;

fn judge(state: &Table, resumed: Option<&Table>, actor: As, action: &Action, nodes: &Nodes) -> Verdict {
    if let Some(verdict) = ruling::judge(state, actor, action, resumed) {
        return verdict;
    }
    let kind = action.kind();
    match action {
        Action::DrawCards(picks) => return draw::judge(state, actor, picks, None),
        Action::Deal(deal) => return deal::judge(state, actor, deal),
        _ => table_gate(state, kind)?,
    }
    let seat = seat_gate(state, actor, action)?;
    phase_gate(state, seat, action)?;
    let desk = Desk::new(state, seat, kind, nodes);
    match action {
        Action::DrawStock => stock::check_draw(desk),
        Action::EndRound => stock::check_end_round(desk),
        Action::TakePile(take) => take::check(desk, take),
        Action::Meld(groups) => meld::check(desk, groups),
        Action::SpecialHand(hand) => special::check(desk, *hand),
        Action::TakeTalon => check_talon(desk),
        Action::CallReveal { of } => check_reveal(desk, *of),
        Action::MergeMelds { a, b } => merge::check(desk, *a, *b),
        Action::LayThrees(cards) => threes::check(desk, cards),
        Action::Discard(card) => discard::check(desk, *card),
        Action::Ask { about: About::Courtesy, .. } => ask::check_courtesy(desk),
        Action::Ask { about: About::GoOut, to } => ask::check(desk, *to),
        Action::Answer { yes } => Ok(Plan::Answer { by: seat, yes: *yes }),
        Action::UndoMeld { meld, cards } => tentative::check_undo(desk, *meld, cards),
        Action::Pass if desk.is_late() => Ok(Plan::EndCourtesy(seat)),
        Action::Pass => pass::check(desk),
        Action::TakeTop => tentative::check_take_top(desk),
        Action::RestorePile => tentative::check_restore(desk),
        _ => unreachable!("the phase gate refuses what the rule set does not have"),
    }
}

/// What every check of a seat's action works with.
pub(crate) struct Desk<'a> {
    pub state: &'a Table,
    pub set: &'a RuleSet,
    pub seat: Seat,
    pub side: Side,
    kind: ActionKind,
    /// What a deferred test would say of the melds is said at once, but for the minimum.
    strict: bool,
    /// Counts what searches cost.
    nodes: &'a Nodes,
    faults: Vec<Violation>,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(state: &'a Table, seat: Seat, kind: ActionKind, nodes: &'a Nodes) -> Self {
        Self {
            state,
            set: state.set(),
            seat,
            side: state.side_of(seat),
            kind,
            strict: false,
            nodes,
            faults: Vec::new(),
        }
    }

    /// Whether the seat melds after its own discard, while another is in turn (HF-073).
    fn is_late(&self) -> bool {
        self.seat != self.state.turn.seat
    }

    /// Whether this is a meld that is tested only at the turn's end (HN-015).
    fn defers(&self) -> bool {
        self.set.meld_check == MeldCheck::AtDiscard && self.kind == ActionKind::Meld && !self.is_late()
    }

    /// Whether what is laid may return until the turn's end: a meld of the seat in turn, by itself.
    pub(crate) fn lays_loose(&self) -> bool {
        self.set.undo_meld && self.kind != ActionKind::TakePile && !self.is_late()
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

    /// Buried first, then not in hand (the order of G3); one violation a card.
    fn not_held(&self, missing: &[Missing]) -> Vec<Violation> {
        let under_top = self.state.pile.split_last().map_or(&[][..], |(_, under)| under);
        let buried = |card| self.kind == ActionKind::TakePile && under_top.contains(&card);
        let hand = self.state.hand(self.seat);
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
                    .fact("held", held)
                    .fact("named", u16::from(held) + short)
                    .with(Circumstance::Unopened, !self.state.opened(self.side))
                    .with(Circumstance::Talon, self.state.talons.iter().any(is_before))
            })
            .collect();
        faults.sort_by_key(|v| v.code != Code::PileBuriedCard);
        faults
    }
}

/// A card that an action names more often than the hand holds it.
struct Missing {
    card: Card,
    /// How many of them are not there.
    short: u16,
    /// Where the first of these is named.
    field: Field,
}

fn one(violation: Violation) -> Vec<Violation> {
    alloc::vec![violation]
}

/// G0: the game and the round are on, and table input comes at its time.
pub fn table_gate(state: &Table, kind: ActionKind) -> Result<(), Vec<Violation>> {
    let fault = |code| Violation::new(code, Field::Action);
    let dealing = matches!(kind, ActionKind::Deal | ActionKind::DrawCards);
    match state.phase {
        Phase::GameOver => Err(one(game_over(state.is_signed()))),
        Phase::RoundOver | Phase::Setup | Phase::Deal if !dealing => {
            let Some(over) = state.round.over else { return Ok(()) };
            Err(one(fault(Code::GameRoundOver).fact("reason", over.reason.fact())))
        }
        _ if state.rulings.is_some() && state.is_suspended() => {
            Err(ruling::suspended(state).into_iter().collect())
        }
        Phase::Deal if (kind == ActionKind::DrawCards) == (state.round.number == 0) => Ok(()),
        phase if dealing => Err(one(fault(Code::SetupWrongTime).fact("phase", phase.name()))),
        _ => Ok(()),
    }
}

/// G1: the actor is the seat that must act.
fn seat_gate(state: &Table, actor: As, action: &Action) -> Result<Seat, Vec<Violation>> {
    let seat = match actor {
        As::Seat(seat) if seat.0 < state.set().seats => Some(seat),
        _ => None,
    };
    if let Action::Answer { .. } = action {
        return ask::answer_gate(state, seat);
    }
    if let Some((_, to)) = state.pending() {
        let fault = Violation::new(Code::AskPending, Field::Action).fact("asked", to);
        return Err(one(fault));
    }
    let (turn, kind) = (state.turn.seat, action.kind());
    match seat {
        Some(seat) if seat == turn => Ok(seat),
        Some(seat) if is_late(state, seat, kind) => Ok(seat),
        // Who may be out of turn is judged with the action: an opponent, the owner of the talon.
        Some(seat) if kind == ActionKind::TakeTalon || is_call_on_opponent(state, seat, action) => Ok(seat),
        Some(seat) if has_discarded(state, seat, kind) => {
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

/// Whether `seat` calls upon an opponent to show its hand, which any opponent may.
fn is_call_on_opponent(state: &Table, seat: Seat, action: &Action) -> bool {
    let Action::CallReveal { of } = action else { return false };
    of.0 < state.set().seats && state.side_of(*of) != state.side_of(seat)
}

/// AMB-HF-14: whether `seat` melds, or ends its melding, after its own discard.
fn is_late(state: &Table, seat: Seat, kind: ActionKind) -> bool {
    seat != state.turn.seat && state.is_courteous(seat) && matches!(kind, ActionKind::Meld | ActionKind::Pass)
}

/// Whether a meld after the own discard could take from a turn under way what it relies on: then it waits until the
/// turn is over. A mate's melds only help, where nothing that a side lays bars it or others, nothing that a turn has
/// laid decides about points, and no rule closes what a hand could still do.
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

/// HF-072: whether `seat` would meld right after its own discard. Only the text of the rule set with feet
/// speaks of it; elsewhere such a seat is out of turn like any other.
fn has_discarded(state: &Table, seat: Seat, kind: ActionKind) -> bool {
    state.set().foot_size > 0
        && kind == ActionKind::Meld
        && state.phase == Phase::Start
        && seat.left(state.set().seats) == state.turn.seat
        && state.pile.len() > usize::from(state.round.start_len)
}

/// G2: the rule set has the action, and this is its phase.
fn phase_gate(state: &Table, seat: Seat, action: &Action) -> Result<(), Vec<Violation>> {
    let kind = action.kind();
    // A turn without a discard ends so under any rule.
    let ends = kind == ActionKind::EndRound && state.turn.no_discard && state.phase == Phase::Play;
    if let Some(knob) = missing_from_rules(state.set(), kind).filter(|_| !ends) {
        let fault = Violation::new(Code::TurnActionNotInRules, Field::Action);
        return Err(one(fault.fact("action", kind.name()).fact("knob", knob)));
    }
    if let Action::SpecialHand(hand) = action
        && !special::is_agreed(state.set(), *hand)
    {
        let fault = Violation::new(Code::SpecialNotAgreed, Field::Action);
        return Err(one(fault.fact("kind", hand.name())));
    }
    if let Action::Ask { about, to } = action {
        ask::partner_gate(state, seat, *about, *to)?;
    }
    if is_late(state, seat, kind) {
        // What a mate or an opponent lays could spoil what the seat in turn relies on.
        let relied = must_go_out(state) || state.phase != Phase::Start && late_melds_may_spoil(state.set());
        let waits = kind == ActionKind::Meld && relied;
        let fault = || Violation::new(Code::TurnWrongPhase, Field::Action).fact("phase", state.phase.name());
        return if waits { Err(one(fault())) } else { Ok(()) };
    }
    if state.turn.no_discard && state.phase == Phase::Play {
        match kind {
            ActionKind::EndRound => return Ok(()),
            ActionKind::Discard | ActionKind::Pass => {
                let fault = Violation::new(Code::TurnWrongPhase, Field::Action).fact("phase", "LAST_THREE");
                return Err(one(fault));
            }
            _ => {}
        }
    }
    let code = match (kind, state.phase) {
        (
            ActionKind::DrawStock | ActionKind::TakePile | ActionKind::TakeTop | ActionKind::EndRound,
            Phase::Start,
        )
        | (ActionKind::Answer, Phase::Asked)
        | (ActionKind::LayThrees | ActionKind::SpecialHand, Phase::Start | Phase::Play)
        | (ActionKind::TakeTalon | ActionKind::CallReveal, _)
        | (ActionKind::RestorePile, Phase::Start | Phase::Play | Phase::Taking) => return Ok(()),
        // While a take pends nothing but its melds is decided.
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
            fault.fact("source", state.turn.source.name()).with(Circumstance::Taking, takes)
        }
        _ => fault.fact("phase", state.phase.name()),
    }))
}

/// TALON_NOT_AVAILABLE: it is the seat's own, and no other seat has acted since its discard (IR-060).
fn check_talon(mut desk: Desk<'_>) -> Verdict {
    if desk.state.round.offered != Some(desk.seat) {
        desk.push(Violation::new(Code::TalonNotAvailable, Field::Action));
    }
    desk.settle(Plan::TakeTalon)
}

/// REVEAL_NOT_AVAILABLE: an opponent asks for it, directly after a discard that only an exception allows (AC-49).
fn check_reveal(mut desk: Desk<'_>, of: Seat) -> Verdict {
    let available = desk.state.round.reveal == Some(of);
    if !available || desk.state.side_of(of) == desk.side {
        desk.push(Violation::new(Code::RevealNotAvailable, Field::Action));
    }
    desk.settle(Plan::Reveal(of))
}

/// What a seat does between the draw and the end of its turn. `pass` and `undo_meld` are among it where the
/// rule set has neither, so that they are answered by the rule they break (CL-015, CL-022).
fn is_play(kind: ActionKind) -> bool {
    use ActionKind::{Ask, Discard, Meld, MergeMelds, Pass, UndoMeld};
    matches!(kind, Ask | Discard | Meld | MergeMelds | Pass | UndoMeld)
}

/// The knob that would have to change for this action to exist.
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

impl Source {
    /// The source's name in facts.
    pub fn name(self) -> &'static str {
        ["NONE", "STOCK", "PILE", "TOP_ONLY"][self as usize]
    }
}
