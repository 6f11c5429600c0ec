//! Acting in a game: judging an action, carrying it out and recording it.

use super::game::Game;
use super::writer::Writer;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use canasta_log::error::FieldError;
use canasta_log::record::{ActionRecord, Author, Note, Record, Refusal};
use canasta_log::{self, derive, digest};
use canasta_rules::action::{Action, As};
use canasta_rules::check::Legal;
use canasta_rules::event::Events;
use canasta_rules::rejection::Rejection;
use canasta_rules::scoring::{self, GameResult, RoundScore};
use canasta_rules::table::{EndReason, Phase};
use core::fmt;

/// Why an action was not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ActError {
    /// It breaks rules.
    Rejected(Rejection),
    /// The round has become too long: only rulings are still taken.
    RoundTooLong,
}

impl fmt::Display for ActError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::RoundTooLong => f.write_str("the round has become too long: only a ruling can end it"),
        }
    }
}

impl From<Rejection> for ActError {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

/// Why a refusal was not recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefuseError {
    /// No log can hold the action.
    Field(FieldError),
    /// The round has become too long.
    RoundTooLong,
}

impl From<FieldError> for RefuseError {
    fn from(error: FieldError) -> Self {
        Self::Field(error)
    }
}

/// What a caller claims about an action besides the action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stamp {
    /// Milliseconds since the last record that has a time.
    pub elapsed_ms: Option<u64>,
    /// The seat's signature.
    pub signature: Option<[u8; 64]>,
}

/// What an accepted action led to.
#[derive(Clone, PartialEq, Debug)]
pub struct Acted {
    /// What happened, in order.
    pub events: Events,
    /// The frames to append, as one write.
    pub frames: Vec<u8>,
    /// The round's score, where the action ended the round.
    pub round: Option<RoundScore>,
    /// The game's result, where the action ended the game.
    pub result: Option<GameResult>,
}

impl Game {
    /// Judges `action`, proposed on behalf of `actor`.
    ///
    /// # Errors
    /// Every rule broken that can be judged, in the order of checks.
    pub fn check(&self, actor: As, action: &Action) -> Result<Legal, Rejection> {
        self.check_resuming(None, actor, action)
    }

    /// As [`Game::check`], with the game as it was after an earlier action, to which a ruling goes back.
    ///
    /// # Errors
    /// As [`Game::check`].
    pub fn check_resuming(
        &self,
        earlier: Option<&Self>,
        actor: As,
        action: &Action,
    ) -> Result<Legal, Rejection> {
        let earlier = earlier.filter(|earlier| earlier.dealing.game_id == self.dealing.game_id);
        derive::check(&self.table, &self.dealing, earlier.map(|earlier| &earlier.table), actor, action)
    }

    /// Judges, carries out and records an action. A round that ends is scored and closed in the same reply, and the
    /// next one registered.
    ///
    /// # Errors
    /// The rejection, or that the round takes no more actions; the game is then unchanged.
    pub fn act(&mut self, actor: As, action: &Action, stamp: Stamp) -> Result<Acted, ActError> {
        self.act_resuming(None, actor, action, stamp)
    }

    /// As [`Game::act`], with the game as it was after an earlier action, to which a ruling goes back.
    ///
    /// # Errors
    /// As [`Game::act`].
    pub fn act_resuming(
        &mut self,
        earlier: Option<&Self>,
        actor: As,
        action: &Action,
        stamp: Stamp,
    ) -> Result<Acted, ActError> {
        let legal = self.check_resuming(earlier, actor, action)?;
        if !canasta_log::has_room(self.length, action.kind()) {
            return Err(ActError::RoundTooLong);
        }
        let events = self.apply(legal);
        let mut writer = Writer::open(self);
        let record = ActionRecord {
            actor: actor.seat(),
            action: derive::as_recorded(&self.table, &self.dealing, self.link.n + 1, action),
            elapsed_ms: stamp.elapsed_ms,
            cards: None,
            signature: stamp.signature,
            digest: digest::public(&self.table),
        };
        writer.must_write(&Record::Action(Box::new(record)));
        writer.count(self);
        let (mut round, mut result) = (None, None);
        if self.table.phase() == Phase::GameOver && matches!(action, Action::Ruling(_)) {
            // It may have moved the totals.
            result = Some(scoring::standing(&self.table));
        }
        if self.table.phase() == Phase::RoundOver {
            if self.table.round_over().is_some_and(|over| over.reason == EndReason::Voided) {
                writer.void(self);
                writer.prepare(self);
            } else {
                let (score, end) = writer.round_end(self);
                round = Some(score);
                result = end;
                match &result {
                    Some(result) => writer.game_end(self, result),
                    None => writer.prepare(self),
                }
            }
        }
        let frames = writer.close(self);
        Ok(Acted { events, frames, round, result })
    }

    /// Records a refused action, as [`Game::check`] refused it: a record, no `seq`, nothing else changes.
    ///
    /// # Errors
    /// If a log cannot hold the action, or the round takes no more.
    pub fn refuse(
        &mut self,
        actor: As,
        action: &Action,
        rejection: &Rejection,
        stamp: Stamp,
    ) -> Result<Vec<u8>, RefuseError> {
        if !canasta_log::has_room(self.length, action.kind()) {
            return Err(RefuseError::RoundTooLong);
        }
        let seat = actor.seat();
        let attempt = derive::attempt(&self.table, &self.dealing, self.link.n + 1, seat, action)?;
        let codes = rejection.violations.iter().map(|v| v.code.name().to_string()).collect();
        let record = Refusal { actor: seat, elapsed_ms: stamp.elapsed_ms, codes, attempt };
        let mut writer = Writer::open(self);
        writer.write(&Record::Refusal(Box::new(record)))?;
        writer.count(self);
        Ok(writer.close(self))
    }

    /// Records a remark: a record, no `seq`.
    ///
    /// # Errors
    /// If the text is too long.
    pub fn note(&mut self, by: Author, text: String, stamp: Stamp) -> Result<Vec<u8>, FieldError> {
        self.append(&Record::Note(Note { by, elapsed_ms: stamp.elapsed_ms, text }))
    }

    /// Records a signed note over the last record.
    ///
    /// # Errors
    /// If the note is too long.
    pub fn checkpoint(&mut self, signed: String) -> Result<Vec<u8>, FieldError> {
        self.append(&Record::Checkpoint(signed))
    }

    fn append(&mut self, record: &Record) -> Result<Vec<u8>, FieldError> {
        let mut writer = Writer::open(self);
        writer.write(record)?;
        Ok(writer.close(self))
    }
}
