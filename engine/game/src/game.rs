//! The game as a value, and play without a log.

use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::Length;
use canasta_log::dealing::{Dealing, Registration};
use canasta_rules::action::{Action, As};
use canasta_rules::apply::Sink;
use canasta_rules::check::Legal;
use canasta_rules::check::legal::{StepCodes, actor};
use canasta_rules::event::Events;
use canasta_rules::rejection::Rejection;
use canasta_rules::rules::Rules;
use canasta_rules::seat::Seat;
use canasta_rules::table::Table;

/// One game at one moment: the content of its token.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// The pure play: the table, without secrets or log.
    pub table: Table,
    /// The source of the cards.
    pub dealing: Dealing,
    /// The writer of registers.
    pub registration: Registration,
    /// Time at which tokens of this game expire, in ms since 1970; `None`: never.
    pub expires_at: Option<i64>,
    /// The place in the log.
    pub link: Link,
    /// Ed25519 keys for the signatures of players, by player; empty if no player has a key.
    pub keys: Vec<Option<[u8; 32]>>,
    /// The director's Ed25519 key, for signatures under rulings.
    pub director: Option<[u8; 32]>,
    /// The version of the table of penalties that genesis names.
    pub penalties: Option<u16>,
    /// Records and bytes of the round so far, which have a maximum per round.
    pub length: Length,
}

/// The place of a game in its log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// Number of the last record.
    pub n: u64,
    /// Head of the hash chain after record `n`.
    pub head: [u8; 32],
}

impl Game {
    /// Returns a game before its first register, without a log. The first register is that of round 1, or of
    /// round 0 if cards are drawn first.
    pub fn new(rules: Arc<Rules>, dealing: Dealing, dealer: Seat) -> Self {
        Self::of(Table::new(rules, dealer), dealing)
    }

    /// Returns a game at this table, without a log.
    pub fn of(table: Table, dealing: Dealing) -> Self {
        Self {
            table,
            dealing,
            registration: Registration::Auto,
            expires_at: None,
            link: Link::default(),
            keys: Vec::new(),
            director: None,
            penalties: None,
            length: Length::default(),
        }
    }

    /// Registers the round that is due, without recording the register.
    ///
    /// # Panics
    /// If no register is due.
    pub fn register_due(&mut self) {
        let dealer = self.dealing.due_dealer(&self.table);
        self.table.register(dealer);
        self.length = Length::default();
    }

    /// Executes a legal action, without recording it. If the action ends the round, the caller must book the
    /// round ([`scoring::book`](canasta_rules::scoring::book)).
    ///
    /// # Panics
    /// As [`apply`](canasta_rules::apply::apply).
    pub fn apply(&mut self, legal: Legal) -> Events {
        self.dealing.apply(&mut self.table, legal)
    }

    /// Executes a legal action as [`Game::apply`] does, and puts the events into a sink.
    ///
    /// # Panics
    /// As [`apply`](canasta_rules::apply::apply).
    pub fn apply_into(&mut self, legal: Legal, events: &mut impl Sink) {
        self.dealing.apply_into(&mut self.table, legal, events);
    }

    /// Returns the proof that a step of the list is legal, without a second look at what the list has proven.
    ///
    /// # Errors
    /// The rejection of an action of the table that needs data which nobody has given yet.
    ///
    /// # Panics
    /// As [`StepCodes::action`].
    pub fn legal_step(&self, steps: &StepCodes, index: usize) -> Result<Legal, Rejection> {
        let legal = steps.legal(index, &self.table);
        legal.map_or_else(|| self.check(actor(&self.table), &steps.action(index, &self.table)), Ok)
    }

    /// Judges an action and executes it if it is legal, without recording it.
    ///
    /// # Errors
    /// The rejection; the game is then unchanged.
    pub fn play(&mut self, actor: As, action: &Action) -> Result<Events, Rejection> {
        let legal = self.check(actor, action)?;
        Ok(self.apply(legal))
    }

    /// Returns the Ed25519 key for the signatures of the player on `seat`; `None` if that player has no key.
    pub fn key(&self, seat: Seat) -> Option<&[u8; 32]> {
        self.keys.get(usize::from(self.table.player_on(seat)))?.as_ref()
    }
}
