//! A game that keeps its log: the shortest way to play without a service.

use crate::{
    ActError, Acted, CreateError, Created, Game, NewDeal, NewGame, RegisterEntry, RegisterError, Stamp,
};
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::deal::{GameId, GameSecret};
use canasta_log::error::FieldError;
use canasta_rules::action::{Action, As};
use canasta_rules::check::legal::{self, Steps};
use canasta_rules::rules::Rules;
use canasta_rules::table::{Phase, Table};

/// A game together with the log that it has written so far.
#[derive(Clone, PartialEq, Debug)]
pub struct LoggedGame {
    game: Game,
    log: Vec<u8>,
}

impl LoggedGame {
    /// Creates a game of a preset. Every deal follows from `secret`; seat 0 deals first where the rule set leaves that
    /// to the table.
    ///
    /// Draw `game_id` and `secret` at random, and use each once: whoever knows the secret knows all cards. The engine
    /// has no source of randomness of its own.
    ///
    /// # Errors
    /// [`CreateError::Field`] if no preset has this name.
    pub fn new(preset: &str, game_id: GameId, secret: GameSecret) -> Result<Self, CreateError> {
        let unknown = FieldError::misplaced("preset", "is not the name of a preset");
        let rules = Arc::new(Rules::preset(preset).ok_or(CreateError::Field(unknown))?);
        Self::create(NewGame::new(rules, game_id, NewDeal::Seeded(secret)))
    }

    /// Creates a game, as [`Game::create`] does.
    ///
    /// # Errors
    /// As [`Game::create`].
    pub fn create(new: NewGame) -> Result<Self, CreateError> {
        let Created { game, frames } = Game::create(new)?;
        Ok(Self { game, log: frames })
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the table of the game.
    pub fn table(&self) -> &Table {
        &self.game.table
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.table().phase() == Phase::GameOver
    }

    /// Returns on whose behalf the next action must be taken.
    pub fn actor(&self) -> As {
        legal::actor(self.table())
    }

    /// Returns the legal steps of [`LoggedGame::actor`]; none once the game is over.
    pub fn legal(&self) -> Steps {
        legal::steps(self.table())
    }

    /// Judges, carries out and records an action, as [`Game::act`] does.
    ///
    /// # Errors
    /// As [`Game::act`]; game and log are then unchanged.
    pub fn play(&mut self, actor: As, action: &Action) -> Result<Acted, ActError> {
        self.play_stamped(actor, action, Stamp::default())
    }

    /// Acts as [`LoggedGame::play`] does, and records a time or a signature with the action.
    ///
    /// # Errors
    /// As [`LoggedGame::play`].
    pub fn play_stamped(&mut self, actor: As, action: &Action, stamp: Stamp) -> Result<Acted, ActError> {
        let acted = self.game.act(actor, action, stamp)?;
        self.log.extend_from_slice(&acted.frames);
        Ok(acted)
    }

    /// Records the register that the table sends before a deal, as [`Game::register`] does.
    ///
    /// # Errors
    /// As [`Game::register`]; game and log are then unchanged.
    pub fn register(&mut self, actor: As, entry: RegisterEntry) -> Result<(), RegisterError> {
        let frames = self.game.register(actor, entry)?;
        self.log.extend_from_slice(&frames);
        Ok(())
    }

    /// Returns the bytes of the log so far, which can be audited at any record.
    pub fn log(&self) -> &[u8] {
        &self.log
    }

    /// Returns the game and the bytes of its log.
    pub fn into_parts(self) -> (Game, Vec<u8>) {
        (self.game, self.log)
    }
}
