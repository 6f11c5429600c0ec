//! Rulings, disputes and signatures: what officials may do, and seats towards them (ALG-29).

use super::{Plan, Verdict, one};
use crate::action::choices::{self, AUTHORITIES, EFFECTS};
use crate::action::{Action, As, Authority, Effect, EffectKind, Ruling};
use crate::card::Cards;
use crate::rejection::{Field, Violation};
use crate::rulebook::penalties::{Penalty, penalty};
use crate::seat::{Seat, Side};
use crate::table::{EndReason, Kept, MAX_POINTS, MAX_RULINGS, Phase, Rulings, Standing, Table, TalonPlace};
use crate::violations::Code;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A ruling, all decided.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Decision {
    /// What is remembered of it.
    pub kept: Kept,
    /// The ruling it reverses.
    pub reverses: Option<u32>,
    pub course: Course,
}

/// How play goes on after a ruling.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Course {
    /// As before.
    On,
    /// The deal is void.
    Redeal,
    /// A talon that is offered is offered no more.
    Withdraw,
    /// From this position.
    Resume(Box<Table>),
    /// The game ends.
    Forfeit { side: Side, award: i32 },
}

/// Judges `action` if it is an official one.
pub(super) fn judge(state: &Table, actor: As, action: &Action, resumed: Option<&Table>) -> Option<Verdict> {
    match action {
        Action::Ruling(ruling) => Some(Docket::new(state, ruling).judge(actor, resumed)),
        Action::Dispute { open, .. } => Some(dispute(state, actor, *open)),
        Action::Sign { side } => Some(sign(state, actor, *side)),
        _ => None,
    }
}

/// GAME_DISPUTE_OPEN (IR-107), of a state whose play is suspended.
pub(super) fn suspended(state: &Table) -> Option<Violation> {
    let opened = state.rulings().dispute?;
    Some(Violation::new(Code::GameDisputeOpen, Field::Action).fact("dispute", opened as i64))
}

/// Returns GAME_OVER: the game has ended, and every side has `signed` the sheet or not.
pub fn game_over(signed: bool) -> Violation {
    Violation::new(Code::GameOver, Field::Action).fact("signed", if signed { "YES" } else { "NO" })
}

fn wrong_phase(state: &Table) -> Violation {
    Violation::new(Code::TurnWrongPhase, Field::Action).fact("phase", state.phase.name())
}

fn not_authorised(by: &'static str) -> Violation {
    Violation::new(Code::RulingNotAuthorised, Field::Actor).fact("by", by)
}

/// The name of whoever acts, if it is no official who may rule.
fn unofficial(actor: As) -> Option<&'static str> {
    match actor {
        As::Director => None,
        As::Seat(_) => Some("SEAT"),
        As::Table => Some("TABLE"),
        As::Judge => Some("JUDGE"),
    }
}

/// A seat or the director opens, the director closes.
fn dispute(state: &Table, actor: As, open: bool) -> Verdict {
    if state.phase == Phase::GameOver && state.is_signed() {
        return Err(one(game_over(true)));
    }
    if let Some(fault) = suspended(state).filter(|_| open) {
        return Err(one(fault));
    }
    let player = matches!(actor, As::Seat(seat) if seat.0 < state.set().seats);
    match unofficial(actor) {
        Some(by) if !(open && player) => Err(one(not_authorised(by))),
        _ if !open && !state.is_suspended() => Err(one(wrong_phase(state))),
        _ => Ok(Plan::Dispute { open }),
    }
}

/// A seat signs for its side, the director for any.
fn sign(state: &Table, actor: As, side: Side) -> Verdict {
    if state.phase != Phase::GameOver {
        return Err(one(wrong_phase(state)));
    }
    if state.rulings().signed & 1u8.checked_shl(side.0.into()).unwrap_or(0) != 0 {
        return Err(one(game_over(true)));
    }
    if let Some(fault) = suspended(state) {
        return Err(one(fault));
    }
    let invalid = || Violation::new(Code::RulingSideInvalid, Field::Action).fact("side", side);
    if side.0 >= state.set().side_count {
        return Err(one(invalid()));
    }
    match actor {
        As::Director => Ok(Plan::Sign { side }),
        As::Seat(seat) if seat.0 < state.set().seats && state.side_of(seat) == side => {
            Ok(Plan::Sign { side })
        }
        As::Seat(seat) => Err(one(invalid().fact("seat", seat))),
        As::Table => Err(one(not_authorised("TABLE"))),
        As::Judge => Err(one(not_authorised("JUDGE"))),
    }
}

/// A ruling on its way through the checks.
struct Docket<'a> {
    state: &'a Table,
    rulings: &'a Rulings,
    ruling: &'a Ruling,
    faults: Vec<Violation>,
}

impl<'a> Docket<'a> {
    fn new(state: &'a Table, ruling: &'a Ruling) -> Self {
        Self { state, rulings: state.rulings(), ruling, faults: Vec::new() }
    }

    fn judge(mut self, actor: As, resumed: Option<&Table>) -> Verdict {
        // Who may not rule is told nothing more: the rest could show what lies in hands.
        if let Some(by) = unofficial(actor) {
            return Err(one(not_authorised(by)));
        }
        let (ruling, penalty) = (self.ruling, penalty(&self.ruling.rule));
        let reversed = ruling.reverses.and_then(|id| self.rulings.get(id));
        if penalty.is_some_and(|penalty| !penalty.is_issued_by(ruling.by)) || ruling.by == Authority::Auto {
            let by = choices::word(&AUTHORITIES, ruling.by).to_uppercase();
            self.push(Code::RulingNotAuthorised, "by", |fault| fault.fact("by", by));
        }
        if self.state.phase == Phase::GameOver && self.state.is_signed() && ruling.reverses.is_none() {
            self.push(Code::RulingTooLate, "rule", |fault| fault);
        }
        self.judge_side(reversed);
        if penalty.is_none() {
            let rule = ruling.rule.clone();
            self.push(Code::RulingUnknownRule, "rule", |fault| fault.fact("rule", rule));
        }
        self.judge_points(penalty, reversed);
        let effect = self.judge_effect(penalty, resumed);
        if let Some(kept) = reversed.filter(|kept| kept.reversed) {
            let id = i64::from(kept.id);
            self.push(Code::RulingAlreadyReversed, "reverses", |fault| fault.fact("ruling", id));
        }
        let (Some((standing, course)), true) = (effect, self.faults.is_empty()) else {
            return Err(self.faults);
        };
        let kept = Kept {
            id: self.rulings.last + 1,
            side: ruling.side,
            offender: ruling.offender,
            points: ruling.points,
            reversed: false,
            standing,
        };
        Ok(Plan::Rule(Box::new(Decision { kept, reverses: ruling.reverses, course })))
    }

    fn push(&mut self, code: Code, field: &'static str, with: impl FnOnce(Violation) -> Violation) {
        self.faults.push(with(Violation::new(code, Field::Ruling(field))));
    }

    /// IR-101; a reversal concerns the side of what it reverses.
    fn judge_side(&mut self, reversed: Option<&Kept>) {
        let Ruling { side, offender, .. } = *self.ruling;
        let exists = side.0 < self.state.set().side_count;
        let stranger = offender
            .filter(|seat| seat.0 >= self.state.set().seats || !exists || self.state.side_of(*seat) != side);
        if !exists || stranger.is_some() || reversed.is_some_and(|kept| kept.side != side) {
            self.push(Code::RulingSideInvalid, "side", |fault| {
                let fault = fault.fact("side", side);
                match stranger {
                    Some(seat) => fault.fact("seat", seat),
                    None => fault,
                }
            });
        }
    }

    /// IR-103: within the rule's range, in steps of 5. A reversal gives back exactly what was taken (IR-106).
    fn judge_points(&mut self, penalty: Option<Penalty>, reversed: Option<&Kept>) {
        let points = self.ruling.points;
        let (low, high) = match (reversed, penalty) {
            (Some(kept), _) if kept.reversed => return,
            (Some(kept), _) => (-kept.points, -kept.points),
            (None, Some(penalty)) => penalty.points,
            (None, None) => return,
        };
        if !(low..=high).contains(&points) || points % 5 != 0 {
            let range = alloc::format!("{low}..{high}");
            self.push(Code::RulingPointsOutOfRange, "points", |fault| {
                fault.fact("points", points).fact("range", range)
            });
        }
    }

    /// IR-105: what the ruling orders is possible now.
    fn judge_effect(
        &mut self,
        penalty: Option<Penalty>,
        resumed: Option<&Table>,
    ) -> Option<(Standing, Course)> {
        let (field, what) = match self.effect(penalty, resumed) {
            Ok(effect) => return Some(effect),
            Err(refused) => refused,
        };
        self.push(Code::RulingEffectNotApplicable, field, |fault| fault.fact("effect", what));
        None
    }

    /// What the effect leads to, or the field that is wrong and what it orders.
    fn effect(
        &self,
        penalty: Option<Penalty>,
        resumed: Option<&Table>,
    ) -> Result<(Standing, Course), (&'static str, String)> {
        let Ruling { id, reverses, ref effect, .. } = *self.ruling;
        let next = self.rulings.last + 1;
        if next > MAX_RULINGS || (id != 0 && id != next) {
            return Err(("id", String::from("NUMBER")));
        }
        let plain = matches!(effect.kind, EffectKind::None | EffectKind::Adjust);
        if reverses.is_some_and(|id| self.rulings.get(id).is_none() || !plain) {
            return Err(("reverses", String::from("REVERSAL")));
        }
        let listed = reverses.is_some() || penalty.is_none_or(|penalty| penalty.allows(effect.kind));
        let possible = possible(self.state, self.ruling, resumed).filter(|_| listed);
        possible.ok_or_else(|| ("effect", choices::word(&EFFECTS, effect.kind).to_uppercase()))
    }
}

/// What the effect of `ruling` leads to, if it is possible.
fn possible(state: &Table, ruling: &Ruling, resumed: Option<&Table>) -> Option<(Standing, Course)> {
    let effect = &ruling.effect;
    let standing = |standing| Some((standing, Course::On));
    let course = |course| Some((Standing::None, course));
    match effect.kind {
        EffectKind::None | EffectKind::Warning | EffectKind::Adjust | EffectKind::StopClock => {
            standing(Standing::None)
        }
        _ if !state.is_dealt() => None,
        EffectKind::Forfeit => forfeit(state, effect),
        EffectKind::RaiseMinimum => {
            let by = effect.by.filter(|by| (5..=MAX_POINTS).contains(by) && by % 5 == 0)?;
            let open = ruling.side.0 < state.set().side_count && !state.opened(ruling.side);
            open.then(|| standing(Standing::Surcharge(by)))?
        }
        EffectKind::PenaltyCards => {
            let seat = existing(state, effect.seat)?;
            let cards: Cards = effect.cards.iter().copied().collect();
            let mut free = *state.hand(seat);
            free.subtract(&state.rulings().penalty_cards(seat));
            (!cards.is_empty() && free.contains(&cards)).then(|| standing(Standing::Penalty(seat, cards)))?
        }
        EffectKind::ForfeitPile => {
            let turns = effect.until.unwrap_or(0).saturating_add(1);
            standing(Standing::Forfeit(existing(state, effect.seat)?, turns))
        }
        EffectKind::Stand => course(Course::Resume(Box::new(position(state, effect, resumed?)?))),
        EffectKind::Redeal => course(Course::Redeal),
        EffectKind::Restore => course(Course::Resume(Box::new(restored(state, resumed?, effect.to_seq?)?))),
        EffectKind::RevokeTalon => revoke_talon(state, effect.side?),
    }
}

fn existing(state: &Table, seat: Option<Seat>) -> Option<Seat> {
    seat.filter(|seat| seat.0 < state.set().seats)
}

/// The talon that lies before a seat of `side`, or is offered to one (IR-060 to IR-062); one in a hand is cards.
fn revoke_talon(state: &Table, side: Side) -> Option<(Standing, Course)> {
    let talon = state.talons.iter().enumerate().find_map(|(number, talon)| match talon.place {
        TalonPlace::Before(seat) if state.side_of(seat) == side => Some((number, seat)),
        _ => None,
    });
    match (talon, state.round.offered) {
        (Some((number, seat)), _) => Some((Standing::Talon(seat, number as u8), Course::On)),
        (None, Some(seat)) if state.side_of(seat) == side => Some((Standing::None, Course::Withdraw)),
        _ => None,
    }
}

fn forfeit(state: &Table, effect: &Effect) -> Option<(Standing, Course)> {
    let side = effect.side.filter(|side| side.0 < state.set().side_count)?;
    let award = effect.award.unwrap_or(0);
    let sound = (0..=MAX_POINTS).contains(&award) && award % 5 == 0;
    sound.then_some((Standing::Lost(award), Course::Forfeit { side, award }))
}

/// The position that a ruling lets stand, if it is one of this round: with what has been ruled.
fn position(state: &Table, effect: &Effect, position: &Table) -> Option<Table> {
    effect.action.as_ref()?;
    effect.position.as_ref().filter(|_| !effect.masked)?;
    let rulings = state.rulings_on(&position.hands);
    let same = position.rules.canonical() == state.rules.canonical()
        && (position.round.number, position.round.attempt, position.round.dealer)
            == (state.round.number, state.round.attempt, state.round.dealer)
        && position.scores == state.scores;
    let ended = |reason| !matches!(reason, EndReason::Drawn | EndReason::Ruled | EndReason::Voided);
    let goes_on = match position.phase {
        Phase::Setup | Phase::Deal | Phase::GameOver => false,
        Phase::RoundOver => position.round.over.is_some_and(|over| ended(over.reason)),
        _ => true,
    };
    if !same || !goes_on || position.rulings != rulings {
        return None;
    }
    Some(Table { rules: state.rules.clone(), step: state.step, ..position.clone() })
}

/// The table after action `to_seq` of this deal, with what has been ruled since. Points stay; the effects are
/// those that stood then, less what was reversed: those of later rulings concern what is taken back.
fn restored(state: &Table, earlier: &Table, to_seq: u64) -> Option<Table> {
    let same = earlier.rules.canonical() == state.rules.canonical()
        && (earlier.round.number, earlier.round.attempt) == (state.round.number, state.round.attempt)
        && earlier.scores == state.scores;
    let before = earlier.step == to_seq && earlier.step < state.step && earlier.is_dealt();
    if !same || !before {
        return None;
    }
    let mut restored = Table { step: state.step, rulings: state.rulings.clone(), ..earlier.clone() };
    if let Some(rulings) = &mut restored.rulings {
        for kept in rulings.kept.iter_mut().filter(|kept| !kept.reversed) {
            let then = earlier.rulings().get(kept.id);
            kept.standing = then.map_or(Standing::None, |then| then.standing.clone());
        }
    }
    Some(restored)
}
