//! Rulings, disputes and signatures: the rights of officials, and of seats towards them (ALG-29).

use super::{Plan, Verdict, one};
use crate::action::choices::{self, AUTHORITIES, EFFECTS};
use crate::action::{Action, As, Authority, Effect, EffectKind, Ruling};
use crate::card::Cards;
use crate::rejection::{Field, Violation};
use crate::rulebook::penalties::{Penalty, penalty};
use crate::seat::{SEATS_MAX, Seat, Side};
use crate::table::{EndReason, Kept, POINTS_MAX, Phase, RULINGS_MAX, Rulings, Standing, Table, TalonPlace};
use crate::violations::Code;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct DecidedRuling {
    /// The part of the ruling that the table remembers.
    pub kept: Kept,
    /// The id of the ruling that this one reverses.
    pub reverses: Option<u32>,
    pub course: Course,
}

/// The way in which play goes on after a ruling.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Course {
    /// Play goes on as before.
    On,
    /// The deal is void.
    Redeal,
    /// An offered talon is withdrawn.
    Withdraw,
    /// Play goes on from this position.
    Resume(Box<Table>),
    /// The game ends.
    Forfeit { side: Side, award: i32 },
}

/// Judges `action` if it is a ruling, a dispute or a signature; returns `None` otherwise.
pub(super) fn judge(table: &Table, actor: As, action: &Action, resumed: Option<&Table>) -> Option<Verdict> {
    match action {
        Action::Ruling(ruling) => Some(RulingContext::new(table, ruling).judge(actor, resumed)),
        Action::Dispute { open, .. } => Some(dispute(table, actor, *open)),
        Action::Sign { side } => Some(sign(table, actor, *side)),
        _ => None,
    }
}

/// Returns GAME_DISPUTE_OPEN (IR-107), or `None` if play is not suspended.
pub(super) fn suspended(table: &Table) -> Option<Violation> {
    let opened = table.rulings().dispute?;
    Some(Violation::new(Code::GameDisputeOpen, Field::Action).fact("dispute", opened as i64))
}

/// Returns GAME_OVER: the game has ended. `signed`: whether every side has signed the sheet.
pub fn game_over(signed: bool) -> Violation {
    Violation::new(Code::GameOver, Field::Action).fact("signed", if signed { "YES" } else { "NO" })
}

fn wrong_phase(table: &Table) -> Violation {
    Violation::new(Code::TurnWrongPhase, Field::Action).fact("phase", table.phase.name())
}

fn not_authorised(by: &'static str) -> Violation {
    Violation::new(Code::RulingNotAuthorised, Field::Actor).fact("by", by)
}

/// Returns the name of the actor, or `None` for an official who may rule.
fn unofficial(actor: As) -> Option<&'static str> {
    match actor {
        As::Director => None,
        As::Seat(_) => Some("SEAT"),
        As::Table => Some("TABLE"),
        As::Judge => Some("JUDGE"),
        As::Spectator => Some("SPECTATOR"),
    }
}

/// Judges `dispute`: a seat or the director opens a dispute, and the director closes it.
fn dispute(table: &Table, actor: As, open: bool) -> Verdict {
    if table.phase == Phase::GameOver && table.is_signed() {
        return Err(one(game_over(true)));
    }
    if let Some(fault) = suspended(table).filter(|_| open) {
        return Err(one(fault));
    }
    let player = matches!(actor, As::Seat(seat) if seat.0 < table.set().seats);
    match unofficial(actor) {
        Some(by) if !(open && player) => Err(one(not_authorised(by))),
        _ if !open && !table.is_suspended() => Err(one(wrong_phase(table))),
        _ => Ok(Plan::Dispute { open }),
    }
}

/// Judges `sign`: a seat signs for its own side, the director for any side.
fn sign(table: &Table, actor: As, side: Side) -> Verdict {
    if table.phase != Phase::GameOver {
        return Err(one(wrong_phase(table)));
    }
    if table.rulings().signed & 1u8.checked_shl(side.0.into()).unwrap_or(0) != 0 {
        return Err(one(game_over(true)));
    }
    if let Some(fault) = suspended(table) {
        return Err(one(fault));
    }
    let invalid = || Violation::new(Code::RulingSideInvalid, Field::Action).fact("side", side);
    if side.0 >= table.set().side_count {
        return Err(one(invalid()));
    }
    match (actor, unofficial(actor)) {
        (As::Seat(seat), _) if seat.0 >= table.set().seats || table.side_of(seat) != side => {
            Err(one(invalid().fact("seat", seat)))
        }
        (As::Seat(_), _) | (_, None) => Ok(Plan::Sign { side }),
        (_, Some(by)) => Err(one(not_authorised(by))),
    }
}

struct RulingContext<'a> {
    table: &'a Table,
    rulings: &'a Rulings,
    ruling: &'a Ruling,
    faults: Vec<Violation>,
}

impl<'a> RulingContext<'a> {
    fn new(table: &'a Table, ruling: &'a Ruling) -> Self {
        Self { table, rulings: table.rulings(), ruling, faults: Vec::new() }
    }

    fn judge(mut self, actor: As, resumed: Option<&Table>) -> Verdict {
        // An actor who may not rule learns nothing more: other faults could show the cards of a hand.
        if let Some(by) = unofficial(actor) {
            return Err(one(not_authorised(by)));
        }
        let (ruling, penalty) = (self.ruling, penalty(&self.ruling.rule));
        let reversed = ruling.reverses.and_then(|id| self.rulings.get(id));
        if penalty.is_some_and(|penalty| !penalty.is_issued_by(ruling.by)) || ruling.by == Authority::Auto {
            let by = choices::word(&AUTHORITIES, ruling.by).to_uppercase();
            self.push(Code::RulingNotAuthorised, "by", |fault| fault.fact("by", by));
        }
        if self.table.phase == Phase::GameOver && self.table.is_signed() && ruling.reverses.is_none() {
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
        Ok(Plan::Rule(Box::new(DecidedRuling { kept, reverses: ruling.reverses, course })))
    }

    fn push(&mut self, code: Code, field: &'static str, with: impl FnOnce(Violation) -> Violation) {
        self.faults.push(with(Violation::new(code, Field::Ruling(field))));
    }

    /// Judges the side (IR-101). A reversal must concern the side of the ruling that it reverses.
    fn judge_side(&mut self, reversed: Option<&Kept>) {
        let Ruling { side, offender, .. } = *self.ruling;
        let exists = side.0 < self.table.set().side_count;
        let stranger = offender
            .filter(|seat| seat.0 >= self.table.set().seats || !exists || self.table.side_of(*seat) != side);
        if !exists || stranger.is_some() || reversed.is_some_and(|kept| kept.side != side) {
            self.push(Code::RulingSideInvalid, "side", |fault| {
                fault.fact("side", side).maybe_fact("seat", stranger)
            });
        }
    }

    /// Judges the points (IR-103): within the rule's range, in steps of 5. A reversal gives back exactly the
    /// points that were taken (IR-106).
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

    /// Judges whether the ordered effect is possible now (IR-105). Returns the consequence of the effect if it
    /// is.
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

    /// Returns the consequence of the effect.
    ///
    /// # Errors
    /// The field that is wrong, and the name of what this field orders.
    fn effect(
        &self,
        penalty: Option<Penalty>,
        resumed: Option<&Table>,
    ) -> Result<(Standing, Course), (&'static str, String)> {
        let Ruling { id, reverses, ref effect, .. } = *self.ruling;
        let next = self.rulings.last + 1;
        if next > RULINGS_MAX || (id != 0 && id != next) {
            return Err(("id", String::from("NUMBER")));
        }
        let plain = matches!(effect.kind, EffectKind::None | EffectKind::Adjust);
        if reverses.is_some_and(|id| self.rulings.get(id).is_none() || !plain) {
            return Err(("reverses", String::from("REVERSAL")));
        }
        let listed = reverses.is_some() || penalty.is_none_or(|penalty| penalty.allows(effect.kind));
        let possible = possible(self.table, self.ruling, resumed).filter(|_| listed);
        possible.ok_or_else(|| ("effect", choices::word(&EFFECTS, effect.kind).to_uppercase()))
    }
}

/// Returns the consequence of the effect of `ruling`: what stays in force, and how play goes on. Returns `None`
/// if the effect is impossible.
fn possible(table: &Table, ruling: &Ruling, resumed: Option<&Table>) -> Option<(Standing, Course)> {
    let effect = &ruling.effect;
    let standing = |standing| Some((standing, Course::On));
    let course = |course| Some((Standing::None, course));
    match effect.kind {
        EffectKind::Adjust if !effect.points.is_empty() => standing(adjusted(table, ruling)?),
        EffectKind::None | EffectKind::Warning | EffectKind::Adjust | EffectKind::StopClock => {
            standing(Standing::None)
        }
        EffectKind::Stand if ruling.takes_up() => {
            course(Course::Resume(Box::new(taken_up(table, effect, resumed?)?)))
        }
        _ if !table.is_dealt() => None,
        EffectKind::Forfeit => forfeit(table, effect),
        EffectKind::RaiseMinimum => {
            let by = effect.by.filter(|by| (5..=POINTS_MAX).contains(by) && by % 5 == 0)?;
            let open = ruling.side.0 < table.set().side_count && !table.opened(ruling.side);
            open.then(|| standing(Standing::Surcharge(by)))?
        }
        EffectKind::PenaltyCards => {
            let seat = existing(table, effect.seat)?;
            let cards: Cards = effect.cards.iter().copied().collect();
            let mut free = *table.hand(seat);
            free.subtract(&table.rulings().penalty_cards(seat));
            (!cards.is_empty() && free.contains(&cards)).then(|| standing(Standing::Penalty(seat, cards)))?
        }
        EffectKind::ForfeitPile => {
            let turns = effect.until.unwrap_or(0).saturating_add(1);
            standing(Standing::Forfeit(existing(table, effect.seat)?, turns))
        }
        EffectKind::Stand => course(Course::Resume(Box::new(position(table, effect, resumed?)?))),
        EffectKind::Redeal => course(Course::Redeal),
        EffectKind::Restore => course(Course::Resume(Box::new(restored(table, resumed?, effect.to_seq?)?))),
        EffectKind::RevokeTalon => revoke_talon(table, effect.side?),
    }
}

/// Returns the points that the effect adds by side; `None` if a side or a number of points is wrong, if nothing
/// changes, or if the ruling reverses another one, which gives back exactly what was taken.
fn adjusted(table: &Table, ruling: &Ruling) -> Option<Standing> {
    let mut points = [0; SEATS_MAX];
    points.get_mut(..ruling.effect.points.len())?.copy_from_slice(&ruling.effect.points);
    let sides = usize::from(table.set().side_count);
    let sound = |change: &i32| (-POINTS_MAX..=POINTS_MAX).contains(change) && change % 5 == 0;
    let fits = points.iter().all(sound) && points[sides..].iter().all(|&change| change == 0);
    (fits && ruling.reverses.is_none() && points != [0; SEATS_MAX]).then_some(Standing::Adjusted(points))
}

fn existing(table: &Table, seat: Option<Seat>) -> Option<Seat> {
    seat.filter(|seat| seat.0 < table.set().seats)
}

/// Returns the consequence of revoking the talon that lies before a seat of `side`, or is offered to a seat of
/// `side` (IR-060 to IR-062); `None` if there is no such talon: a talon in a hand is part of the hand.
fn revoke_talon(table: &Table, side: Side) -> Option<(Standing, Course)> {
    let talon = table.talons.iter().enumerate().find_map(|(number, talon)| match talon.place {
        TalonPlace::Before(seat) if table.side_of(seat) == side => Some((number, seat)),
        _ => None,
    });
    match (talon, table.round.offered) {
        (Some((number, seat)), _) => Some((Standing::Talon(seat, number as u8), Course::On)),
        (None, Some(seat)) if table.side_of(seat) == side => Some((Standing::None, Course::Withdraw)),
        _ => None,
    }
}

fn forfeit(table: &Table, effect: &Effect) -> Option<(Standing, Course)> {
    let side = effect.side.filter(|side| side.0 < table.set().side_count)?;
    let award = effect.award.unwrap_or(0);
    let sound = (0..=POINTS_MAX).contains(&award) && award % 5 == 0;
    sound.then_some((Standing::Lost(award), Course::Forfeit { side, award }))
}

/// Returns the position that a ruling lets stand, at the step of this table; `None` if it is no position of
/// this round with the rulings made so far.
fn position(table: &Table, effect: &Effect, position: &Table) -> Option<Table> {
    effect.action.as_ref()?;
    effect.position.as_ref().filter(|_| !effect.masked)?;
    let rulings = table.rulings_on(&position.hands);
    let same = position.rules.canonical() == table.rules.canonical()
        && (position.round.number, position.round.attempt, position.round.dealer)
            == (table.round.number, table.round.attempt, table.round.dealer)
        && position.scores == table.scores;
    let ended = |reason| !matches!(reason, EndReason::Drawn | EndReason::Ruled | EndReason::Voided);
    let goes_on = match position.phase {
        Phase::Setup | Phase::Deal | Phase::GameOver => false,
        Phase::RoundOver => position.round.over.is_some_and(|over| ended(over.reason)),
        _ => true,
    };
    if !same || !goes_on || position.rulings != rulings {
        return None;
    }
    Some(Table { rules: table.rules.clone(), step: table.step, ..position.clone() })
}

/// Returns the position from which a game is taken up: nothing was done before, and the register names its round and its
/// dealer (IR-113). `None` if it cannot be.
fn taken_up(table: &Table, effect: &Effect, position: &Table) -> Option<Table> {
    effect.position.as_ref().filter(|_| !effect.masked && effect.action.is_none())?;
    let registered = |table: &Table| (table.round.number, table.round.attempt, table.round.dealer);
    let same = position.rules.canonical() == table.rules.canonical()
        && registered(position) == registered(table)
        && position.rulings == table.rulings;
    let goes_on = !matches!(position.phase, Phase::Setup | Phase::RoundOver | Phase::GameOver);
    let begins = table.phase == Phase::Deal && table.step == 0 && table.round.number > 0;
    (same && goes_on && begins).then(|| Table { rules: table.rules.clone(), step: 0, ..position.clone() })
}

/// Returns the table after action `to_seq` of this deal, with the rulings made since. Their points stay. The
/// effects are those that stood at that time, except reversed ones: the effects of later rulings concern play
/// that is taken back.
fn restored(table: &Table, earlier: &Table, to_seq: u64) -> Option<Table> {
    let same = earlier.rules.canonical() == table.rules.canonical()
        && (earlier.round.number, earlier.round.attempt) == (table.round.number, table.round.attempt)
        && earlier.scores == table.scores;
    let before = earlier.step == to_seq && earlier.step < table.step && earlier.is_dealt();
    if !same || !before {
        return None;
    }
    let mut restored = Table { step: table.step, rulings: table.rulings.clone(), ..earlier.clone() };
    if let Some(rulings) = &mut restored.rulings {
        for kept in rulings.kept.iter_mut().filter(|kept| !kept.reversed) {
            let then = earlier.rulings().get(kept.id);
            kept.standing = then.map_or(Standing::None, |then| then.standing.clone());
        }
    }
    Some(restored)
}
