//! The steps that an audit reports while it executes a log again.
//!
//! Code that needs records, positions, events or opened refusals of a log (export, show, explain) watches the
//! audit, so that records are read and executed in one place only. A record is passed on when it is read. Steps
//! come in the order of the log, but only for rounds whose cards are known: the steps of a round come when its
//! round end has been read. After an illegal action there are no steps up to the end of the round, and the round
//! is booked by the scores as declared. [`Collector`] joins records and steps.
//!
//! [`Collector`]: super::outcome::Collector

use alloc::sync::Arc;
use canasta_log::dealing::Dealing;
use canasta_log::frame::Head;
use canasta_log::record::Record;
use canasta_rules::action::Action;
use canasta_rules::card::Card;
use canasta_rules::event::Event;
use canasta_rules::known::Known;
use canasta_rules::rejection::Rejection;
use canasta_rules::scoring::{GameResult, RoundScore};
use canasta_rules::table::{RoundOver, Table};

/// The place of a record in its log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Number of the record.
    pub n: u64,
    /// Offset in bytes at which the record's frame begins in the file.
    pub offset: u64,
    /// Head of the chain after the record.
    pub head: Head,
}

/// One step of the execution.
pub struct Step<'a> {
    /// The place of the record.
    pub place: Place,
    /// The record.
    pub record: &'a Arc<Record>,
    /// The table after an action, or before a refused action.
    pub table: &'a Table,
    /// The dealing of the game, as far as the log discloses it.
    pub dealing: &'a Dealing,
    /// The knowledge of the cards in a transcribed game: which cards only stand for unknown cards.
    pub known: Option<&'a Known>,
    /// The event of this step.
    pub what: What<'a>,
}

/// The event of a [`Step`].
pub enum What<'a> {
    /// An action was executed.
    Acted(&'a [Event]),
    /// A ruling lets this position stand. This step comes before [`What::Acted`] of the same record.
    Stood {
        /// The position, in clear.
        position: &'a [u8],
    },
    /// An action breaks the rules. No more of the round is executed until a ruling decides where play stands.
    Illegal(&'a Rejection),
    /// A recorded refusal, in clear or opened.
    Refused {
        /// The action that was refused.
        action: &'a Action,
        /// The rejection of the action; `None` if the action was legal.
        rejection: Option<&'a Rejection>,
    },
    /// The round has ended and is not booked yet.
    RoundEnd {
        /// The end of the round, if every action could be executed.
        over: Option<RoundOver>,
        /// The wall of the round, first card dealt first; `None` if no cards were dealt or the wall is
        /// unknown.
        wall: Option<&'a [Card]>,
    },
    /// The round has been booked.
    Booked {
        /// Score of the round; `None` if the round was booked by the scores as declared.
        score: Option<&'a RoundScore>,
        /// The result of the game, if the round ended the game.
        result: Option<GameResult>,
    },
    /// The game has ended.
    GameEnd(GameResult),
    /// The note of a checkpoint is over the record before it; its signatures are not verified here. This step
    /// comes when the checkpoint is read, before the steps of the round in which it stands.
    Checkpoint(&'a str),
}

/// A receiver of the records and the steps of an audit. A closure receives the steps.
pub trait Watch {
    /// Receives a record when it has been read, before its steps. Records come up to the first fault of the
    /// file, also behind a record that stops the audit.
    fn read(&mut self, _place: Place, _record: &Arc<Record>) {}

    /// Receives a step.
    fn step(&mut self, step: &Step<'_>);
}

impl<F: FnMut(&Step<'_>)> Watch for F {
    fn step(&mut self, step: &Step<'_>) {
        self(step);
    }
}
