//! What an audit sees while it executes a log again.
//!
//! Whoever needs positions, events or opened refusals of a log (export, show, explain) watches the audit:
//! there is one place that executes records. Steps come in the order of the log, but only for rounds whose
//! cards are known: those of a round come when its round end has been read. After an illegal action there
//! are none up to the end of the round, whose booking is by the scores as declared.

use canasta_log::dealing::Dealing;
use canasta_rules::action::Action;
use canasta_rules::card::Card;
use canasta_rules::event::Event;
use canasta_rules::known::Known;
use canasta_rules::rejection::Rejection;
use canasta_rules::scoring::{GameResult, RoundScore};
use canasta_rules::table::{RoundOver, Table};

/// One thing that was executed.
pub struct Step<'a> {
    /// Number of the record.
    pub n: u64,
    /// The position: after an action, before one that was refused.
    pub table: &'a Table,
    /// Where the cards of the game come from, as far as the log discloses it.
    pub dealing: &'a Dealing,
    /// Which of its cards only stand for unknown ones, where the game was transcribed.
    pub known: Option<&'a Known>,
    /// What happened.
    pub what: What<'a>,
}

/// What happened at a [`Step`].
pub enum What<'a> {
    /// An action was carried out.
    Acted(&'a [Event]),
    /// A ruling lets this position stand (told before [`What::Acted`] of the same record).
    Stood {
        /// The position, in clear.
        position: &'a [u8],
    },
    /// An action breaks the rules; until a ruling says where play stands nothing more of the round is executed.
    Illegal(&'a Rejection),
    /// A recorded refusal, opened.
    Refused {
        /// What was tried.
        action: &'a Action,
        /// Why it is refused; `None` if it was legal.
        rejection: Option<&'a Rejection>,
    },
    /// The round has ended and is not booked yet.
    RoundEnd {
        /// How, if every action could be executed.
        over: Option<RoundOver>,
        /// The wall it was played with, first card dealt first; `None` where no cards were dealt or none are known.
        wall: Option<&'a [Card]>,
    },
    /// The round has been booked.
    Booked {
        /// Its score; `None` where it was booked by the scores as declared.
        score: Option<&'a RoundScore>,
        /// The game's result, where the round ended it.
        result: Option<GameResult>,
    },
    /// The game has ended.
    GameEnd(GameResult),
    /// A signed note over the record before this one; its signatures are not looked at.
    Checkpoint {
        /// The whole note.
        note: &'a str,
        /// Byte of the file at which the record begins.
        offset: u64,
    },
}

/// Is told every step.
pub type Watch<'w> = dyn FnMut(&Step<'_>) + 'w;
