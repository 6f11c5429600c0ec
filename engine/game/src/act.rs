//! Actions in a game: they are judged, executed and recorded.

use super::game::Game;
use super::writer::LogWriter;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use canasta_log::error::FieldError;
use canasta_log::record::{ActionRecord, Record, Refusal, Remark};
use canasta_log::{self, derive, digest};
use canasta_rules::action::{Action, As};
use canasta_rules::check::Legal;
use canasta_rules::event::Events;
use canasta_rules::nodes::Nodes;
use canasta_rules::rejection::Rejection;
use canasta_rules::scoring::{self, GameResult, RoundScore};
use canasta_rules::table::{EndReason, Phase, Table};
use thiserror::Error;

/// The reasons why an action was not executed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ActError {
    /// The action breaks rules.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The round has become too long: only rulings, disputes and signs are still accepted.
    #[error("the round has become too long: only a ruling can end it")]
    RoundTooLong,
}

/// The reasons why a refusal was not recorded.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RefuseError {
    /// No log can hold the action.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The round has become too long.
    #[error("the round has become too long: no more refusals are recorded")]
    RoundTooLong,
}

/// The claims of a caller about an action, besides the action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stamp {
    /// Time since the last record that has a time, in milliseconds.
    pub elapsed_ms: Option<u64>,
    /// The seat's signature.
    pub signature: Option<[u8; 64]>,
}

/// The results of an accepted action.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Acted {
    /// The events, in order.
    pub events: Events,
    /// The frames to append, as one write.
    pub frames: Vec<u8>,
    /// The score of the round, if the action ended the round.
    pub round: Option<RoundScore>,
    /// The table at the end of the round, before its score is booked, if the action ended the round.
    pub last_table: Option<Box<Table>>,
    /// The result of the game, if the action ended the game or was a ruling after its end.
    pub result: Option<GameResult>,
}

impl Game {
    /// Judges `action`, which is proposed on behalf of `actor`.
    ///
    /// # Errors
    /// Every broken rule that can be judged, in the order of checks.
    pub fn check(&self, actor: As, action: &Action) -> Result<Legal, Rejection> {
        self.check_resuming(None, actor, action)
    }

    /// Judges as [`Game::check`] does. `earlier` is the game after an earlier action, for a ruling that
    /// restores it; a state of another game is ignored.
    ///
    /// # Errors
    /// As [`Game::check`].
    pub fn check_resuming(
        &self,
        earlier: Option<&Self>,
        actor: As,
        action: &Action,
    ) -> Result<Legal, Rejection> {
        let earlier = self.of_this_game(earlier);
        derive::check(&self.table, &self.dealing, None, earlier, actor, action, &Nodes::default())
    }

    fn of_this_game<'g>(&self, earlier: Option<&'g Self>) -> Option<&'g Table> {
        let earlier = earlier.filter(|earlier| earlier.dealing.game_id == self.dealing.game_id);
        earlier.map(|earlier| &earlier.table)
    }

    /// Judges, executes and records an action. If the action ends the round, the frames also have the end of
    /// the round with its score, and the next register or the end of the game.
    ///
    /// # Errors
    /// The rejection, or that the round takes no more actions; the game is then unchanged.
    pub fn act(&mut self, actor: As, action: &Action, stamp: Stamp) -> Result<Acted, ActError> {
        self.act_resuming(None, actor, action, stamp)
    }

    /// Acts as [`Game::act`] does. `earlier` is the game after an earlier action, for a ruling that restores
    /// it.
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
        self.act_counted(earlier, actor, action, stamp, &Nodes::default())
    }

    /// Acts as [`Game::act_resuming`] does, and counts the work. The count does not change the verdict; several actions
    /// may share it.
    ///
    /// # Errors
    /// As [`Game::act`].
    pub fn act_counted(
        &mut self,
        earlier: Option<&Self>,
        actor: As,
        action: &Action,
        stamp: Stamp,
        nodes: &Nodes,
    ) -> Result<Acted, ActError> {
        let earlier = self.of_this_game(earlier);
        let legal = derive::check(&self.table, &self.dealing, None, earlier, actor, action, nodes)?;
        if !canasta_log::has_room(self.length, action.kind()) {
            return Err(ActError::RoundTooLong);
        }
        let events = self.apply(legal);
        let mut writer = LogWriter::open(self);
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
        let (mut round, mut last_table, mut result) = (None, None, None);
        if self.table.phase() == Phase::GameOver && matches!(action, Action::Ruling(_)) {
            // The ruling may have changed the totals.
            result = Some(scoring::standing(&self.table));
        }
        if self.table.phase() == Phase::RoundOver {
            if self.table.round_over().is_some_and(|over| over.reason == EndReason::Voided) {
                writer.void(self);
                writer.prepare(self);
            } else {
                last_table = Some(Box::new(self.table.clone()));
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
        Ok(Acted { events, frames, round, last_table, result })
    }

    /// Records an action that [`Game::check`] refused. The record has no `seq`, and nothing else changes in
    /// the game.
    ///
    /// # Errors
    /// If a log cannot hold the action, or the round takes no more records.
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
        let mut writer = LogWriter::open(self);
        writer.write(&Record::Refusal(Box::new(record)))?;
        writer.count(self);
        Ok(writer.close(self))
    }

    /// Records a remark. The record has no `seq`. A checkpoint must be over the last record.
    ///
    /// # Errors
    /// If the text is too long.
    pub fn remark(&mut self, remark: Remark) -> Result<Vec<u8>, FieldError> {
        let mut writer = LogWriter::open(self);
        writer.write(&Record::Remark(remark))?;
        Ok(writer.close(self))
    }
}
