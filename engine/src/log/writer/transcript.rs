//! Writing the log of a game that was played with cards of its own, from what was written down of it.

use super::super::digest;
use super::super::error::FieldError;
use super::super::known::{Known, Misfit, Stop};
use super::super::limits;
use super::super::record::{ActionRecord, Author, Record, RoundEnd, Score};
use super::{CreateError, Created, NewGame, Scribe, Stamp, as_recorded, create, end_of, note, scores};
use crate::action::{Action, As, EffectKind};
use crate::apply::apply;
use crate::card::Card;
use crate::check::{self, check_restoring};
use crate::rejection::{Rejection, Violation};
use crate::scoring::{self, GameResult};
use crate::seat::{Seat, Unit};
use crate::state::{EndReason, Length, Phase, State};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A game that is being written down: its state, and which of its cards are known.
///
/// The frames that its functions return are to be appended to those of [`Transcript::create`]. What fails changes
/// nothing.
#[derive(Clone)]
pub struct Transcript {
    state: State,
    known: Known,
    /// The states of the round, for a ruling that restores one of them.
    earlier: Vec<(State, Known)>,
}

/// Why something cannot be written down.
#[derive(Clone, PartialEq, Debug)]
pub enum TranscribeError {
    /// It breaks rules, whatever the unknown cards are.
    Rejected(Rejection),
    /// Whether it breaks rules hangs on unknown cards: with every hand that was tried it does.
    NotJudged(Rejection),
    /// What is said of the cards cannot be.
    Misfit(Misfit),
    /// The deal does not say with which card the pile begins.
    NoUpcard,
    /// A register comes at the wrong time, or names a dealer who is not due.
    Register(Vec<Violation>),
    /// A field that no log can hold.
    Field(FieldError),
    /// The round has become too long.
    RoundTooLong,
    /// The round is over: its end comes first.
    RoundIsOver,
    /// No round is over.
    RoundGoesOn,
    /// Cards of these sides (or seats) were never shown: the score has to be declared.
    ScoreUnknown(Vec<Unit>),
}

impl fmt::Display for TranscribeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::NotJudged(rejection) => {
                write!(
                    f,
                    "whether this is legal hangs on cards that nobody knows; with every hand tried: {rejection}"
                )
            }
            Self::Misfit(misfit) => misfit.fmt(f),
            Self::NoUpcard => f.write_str("the deal must say with which card the pile begins (upcards)"),
            Self::Register(violations) => match violations.first() {
                Some(violation) => violation.fmt(f),
                None => f.write_str("a register does not fit here"),
            },
            Self::Field(error) => error.fmt(f),
            Self::RoundTooLong => f.write_str("the round has become too long: only a ruling can end it"),
            Self::RoundIsOver => f.write_str("the round is over: its end comes first"),
            Self::RoundGoesOn => f.write_str("the round is not over"),
            Self::ScoreUnknown(units) => {
                let units: Vec<String> = units.iter().map(|unit| alloc::format!("{unit}")).collect();
                write!(f, "cards of {} were never shown: the score has to be declared", units.join(" and "))
            }
        }
    }
}

impl core::error::Error for TranscribeError {}

impl From<Stop> for TranscribeError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Rejected(rejection) => Self::Rejected(rejection),
            Stop::NotJudged(rejection) => Self::NotJudged(rejection),
            Stop::Misfit(misfit) => Self::Misfit(misfit),
            Stop::NoUpcard => Self::NoUpcard,
        }
    }
}

impl From<FieldError> for TranscribeError {
    fn from(error: FieldError) -> Self {
        Self::Field(error)
    }
}

impl Transcript {
    /// Begins the log of a game whose deals are [`super::NewDeal::Transcribed`]; with it the log's first frames.
    ///
    /// # Errors
    /// As [`create`].
    pub fn create(new: NewGame) -> Result<(Self, Vec<u8>), CreateError> {
        let Created { state, frames } = create(new)?;
        Ok((Self { state, known: Known::default(), earlier: Vec::new() }, frames))
    }

    /// The game as it stands. Some of its cards may only stand for unknown ones.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Which of its cards only stand for unknown ones.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// Records the register before a deal, where the table sends it.
    ///
    /// # Errors
    /// If it is not the time, or another dealer is due.
    pub fn register(&mut self, dealer: Option<Seat>) -> Result<Vec<u8>, TranscribeError> {
        self.state.round.dealer =
            check::register(&self.state, As::Table, None, dealer).map_err(TranscribeError::Register)?;
        let mut book = Scribe::open(&self.state);
        book.register(&mut self.state, Vec::new(), None);
        Ok(book.close(&mut self.state))
    }

    /// Records an action. `received` are the cards that it brought out of stock, foot or talon, in the order in which
    /// they came, `None` for an unknown one; `later` those that its seat names from the hand in later actions of the
    /// round, as far as that is known already.
    ///
    /// # Errors
    /// See [`TranscribeError`].
    pub fn act(
        &mut self,
        actor: As,
        action: &Action,
        received: Option<Vec<Option<Card>>>,
        later: &[Card],
        stamp: Stamp,
    ) -> Result<Vec<u8>, TranscribeError> {
        if self.is_over() {
            return Err(TranscribeError::RoundIsOver);
        }
        if !limits::has_room(self.state.round.length, action.kind()) {
            return Err(TranscribeError::RoundTooLong);
        }
        let before = (self.state.clone(), self.known.clone());
        let done = self.carry_out(actor, action, received.as_deref().unwrap_or(&[]), later);
        let done = done.and_then(|()| self.record(actor, action, received, stamp, before.0.round.length));
        match &done {
            Ok(_) => self.earlier.push((self.state.clone(), self.known.clone())),
            Err(_) => (self.state, self.known) = before,
        }
        done
    }

    fn record(
        &mut self,
        actor: As,
        action: &Action,
        received: Option<Vec<Option<Card>>>,
        stamp: Stamp,
        length: Length,
    ) -> Result<Vec<u8>, TranscribeError> {
        let state = &mut self.state;
        // A ruling that restores an earlier state takes nothing out of the log.
        state.round.length = length;
        let seat = match actor {
            As::Seat(seat) => Some(seat),
            _ => None,
        };
        let record = ActionRecord {
            actor: seat,
            action: as_recorded(state, action),
            elapsed_ms: stamp.elapsed_ms,
            cards: received,
            signature: stamp.signature,
            digest: digest::public(state),
        };
        let mut book = Scribe::open(state);
        book.write(&Record::Action(Box::new(record)))?;
        book.count(state);
        let voided = state.round_over().is_some_and(|over| over.reason == EndReason::Voided);
        if voided && state.phase() == Phase::RoundOver {
            book.void(state);
            book.prepare(state);
        }
        Ok(book.close(state))
    }

    fn carry_out(
        &mut self,
        actor: As,
        action: &Action,
        received: &[Option<Card>],
        later: &[Card],
    ) -> Result<(), TranscribeError> {
        if !matches!(action, Action::Ruling(_) | Action::Dispute { .. } | Action::Sign { .. }) {
            self.known.act(&mut self.state, actor, action, received, &|| later.to_vec())?;
            return Ok(());
        }
        let effect = match action {
            Action::Ruling(ruling) => Some(&ruling.effect),
            _ => None,
        };
        let seq = effect.filter(|effect| effect.kind == EffectKind::Restore).and_then(|effect| effect.to_seq);
        let earlier = seq.and_then(|seq| self.earlier.iter().find(|(state, _)| state.link().seq == seq));
        let restored = earlier.map(|(state, _)| state);
        let legal =
            check_restoring(&self.state, restored, actor, action).map_err(TranscribeError::Rejected)?;
        let known = match effect.map(|effect| effect.kind) {
            Some(EffectKind::Restore) => earlier.map(|(_, known)| known.clone()),
            // All that the position of a ruling names is known.
            Some(EffectKind::Stand) => Some(Known::default()),
            _ => None,
        };
        apply(&mut self.state, legal);
        self.known = known.unwrap_or_else(|| self.known.clone());
        Ok(())
    }

    /// Whether the round is over and its end has to be recorded.
    pub fn is_over(&self) -> bool {
        self.state.phase() == Phase::RoundOver
    }

    /// Records the end of a round, and of the game where the round ends it. `declared` is the score as it was written
    /// down; without it the score is that of the table, if every card of hands and feet has been shown. What is
    /// declared is recorded as it is: whether it is right is for the audit to say.
    ///
    /// # Errors
    /// If the round is not over, or its score is not known.
    pub fn end_round(
        &mut self,
        declared: Option<Vec<Score>>,
    ) -> Result<(Vec<u8>, Option<GameResult>), TranscribeError> {
        if !self.is_over() {
            return Err(TranscribeError::RoundGoesOn);
        }
        let unknown = self.known.unseen_units(&self.state);
        if declared.is_none() && !unknown.is_empty() {
            return Err(TranscribeError::ScoreUnknown(unknown));
        }
        let before = self.state.clone();
        let state = &mut self.state;
        let over = state.round_over().expect("a round that is over says why");
        let end = RoundEnd { digest: digest::full_as_known(state, &self.known), ..end_of(state) };
        let mut book = Scribe::open(state);
        let (recorded, result) = match declared {
            None => {
                let (score, result) = scoring::book(state);
                (scores(&score), result)
            }
            Some(declared) => {
                let sum = |score: &Score| score.lines.iter().map(|line| i64::from(line.points)).sum::<i64>();
                let sums = declared.iter().map(|score| i32::try_from(sum(score)).unwrap_or(0));
                let result = scoring::book_declared(state, &sums.collect::<Vec<_>>(), over);
                (declared, result)
            }
        };
        if let Err(error) = book.write(&Record::RoundEnd(Box::new(RoundEnd { scores: recorded, ..end }))) {
            self.state = before;
            return Err(error.into());
        }
        match &result {
            Some(result) => book.game_end(state, result),
            None => book.prepare(state),
        }
        let frames = book.close(state);
        self.known = Known::default();
        self.earlier.clear();
        Ok((frames, result))
    }

    /// Records a remark.
    ///
    /// # Errors
    /// If the text is too long.
    pub fn note(&mut self, by: Author, text: String, stamp: Stamp) -> Result<Vec<u8>, FieldError> {
        note(&mut self.state, by, text, stamp)
    }
}
