//! The sources of the cards of a game's deals (docs/DEALING.md, Modes).

use crate::deal::{GameSecret, RoundSecret, WallSalt};
use alloc::vec::Vec;
use canasta_rules::card::Card;

/// The writer of registers: the engine, or the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Registration {
    /// The engine writes the register of each round as soon as the round before has ended.
    #[default]
    Auto,
    /// The table sends the register of each round.
    ByTable,
}

/// The source of a game's deals (spec "Dealing", Modes).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DealSource {
    /// The secret of the game: seeded and committed modes.
    Seeded(GameSecret),
    /// The secret of one round, in an audit that knows no other.
    Round(RoundSecret),
    /// The wall of this round and its salt: explicit mode.
    Wall {
        /// The whole pack, first card dealt first.
        wall: Vec<Card>,
        /// The salt of the wall's commitment.
        salt: WallSalt,
    },
    /// No source: a transcribed game, an explicit game whose next wall has not been registered, or an audit
    /// of a round that is not revealed.
    Unknown,
}

/// The source of a game's cards, as a mode of the dealing scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DealMode {
    /// Every deal follows from the secret of the game.
    #[default]
    Seeded,
    /// Seats and beacons contribute to each deal.
    Committed,
    /// The wall of each deal is given.
    Explicit,
    /// The game was played with physical cards and written down.
    Transcribed,
}
