//! Playing from the position before a record: other actions than the log has.

use super::why::{position, proposal};
use crate::judging::history::History;
use crate::judging::what_if::{PLAYS_ON, play};
use anyhow::{bail, ensure};
use canasta_engine::action::{Action, As};
use canasta_engine::apply::act;
use canasta_engine::bot;
use canasta_engine::legal;
use canasta_engine::table::{Phase, Table};
use canasta_engine::view::view;
use std::path::PathBuf;

/// A game that was played differently from before a record on. It is not part of the log.
pub struct ForkedGame {
    /// Number of the record before which the fork begins.
    pub at: u64,
    base: Table,
    pub now: Table,
    pub played: Vec<(As, Action)>,
    pub steps: Vec<Action>,
    pub chosen: usize,
    /// The file in which the fork was saved as it is now.
    pub saved: Option<PathBuf>,
}

impl ForkedGame {
    /// Returns a fork from before record `at`.
    ///
    /// # Errors
    /// The reason why nothing can be played there.
    pub fn new(history: &History, at: u64) -> anyhow::Result<Self> {
        let base = position(history, at)?;
        let mut fork = Self {
            at,
            now: base.clone(),
            base,
            played: Vec::new(),
            steps: Vec::new(),
            chosen: 0,
            saved: None,
        };
        fork.look();
        ensure!(!fork.steps.is_empty(), "no seat can act before record {at}: go to a record within a round");
        Ok(fork)
    }

    /// Returns who must act; `None` after the end of the round.
    pub fn actor(&self) -> Option<As> {
        match self.now.phase() {
            Phase::Setup | Phase::RoundOver | Phase::GameOver => None,
            _ if self.now.is_suspended() => Some(As::Director),
            _ => self.now.to_act().map(As::Seat),
        }
    }

    fn look(&mut self) {
        self.steps = self.actor().map_or_else(Vec::new, |_| legal::steps(&self.now).actions);
        (self.chosen, self.saved) = (0, None);
    }

    /// Moves the choice.
    pub fn choose(&mut self, by: i64) {
        let last = self.steps.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by as isize).min(last);
    }

    pub fn play_chosen(&mut self) -> anyhow::Result<()> {
        match (self.actor(), self.steps.get(self.chosen).cloned()) {
            (Some(actor), Some(action)) => self.play(actor, action),
            _ => bail!("the round is over: s saves the fork, with the rest of the game played by bots"),
        }
    }

    /// Plays an action in notation.
    ///
    /// # Errors
    /// If the text cannot be parsed, or the action is not legal: the first broken rule.
    pub fn play_typed(&mut self, typed: &str) -> anyhow::Result<()> {
        let (actor, action) = proposal(typed, &self.now)?;
        self.play(actor, action)
    }

    /// Lets a bot play one step. The bot sees what its seat sees.
    pub fn play_bot(&mut self) -> anyhow::Result<()> {
        let Some(actor) = self.actor() else { return self.play_chosen() };
        let action = bot::suggest(&view(&self.now, actor), &self.steps, 0);
        self.play(actor, action)
    }

    /// Lets bots play to the end of the round.
    pub fn play_out(&mut self) {
        self.played.extend(play(&mut self.now, PLAYS_ON));
        self.look();
    }

    fn play(&mut self, actor: As, action: Action) -> anyhow::Result<()> {
        if let Err(rejection) = act(&mut self.now, actor, &action) {
            bail!("not legal: {rejection}");
        }
        self.played.push((actor, action));
        self.look();
        Ok(())
    }

    /// Takes the last step back.
    pub fn undo(&mut self) {
        self.played.pop();
        self.now = self.base.clone();
        for (actor, action) in &self.played {
            act(&mut self.now, *actor, action).expect("it was played from here before");
        }
        self.look();
    }
}
