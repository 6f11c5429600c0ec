//! Where the cards of a game's deals come from (docs/DEALING.md, Modes).

use crate::deal::{GameSecret, RoundSecret, WallSalt};
use alloc::vec::Vec;
use canasta_rules::card::Card;

/// Whether registers are written by the engine or sent by the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Registration {
    #[default]
    Auto,
    ByTable,
}

/// The source of a game's deals (spec "Dealing", Modes).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DealSource {
    /// Seeded and committed: the game's secret.
    Seeded(GameSecret),
    /// An audit that knows the secret of one round only.
    Round(RoundSecret),
    /// Explicit: the wall of this round, first card dealt first, and its salt.
    Wall {
        /// The whole pack in dealing order.
        wall: Vec<Card>,
        /// The commitment's salt.
        salt: WallSalt,
    },
    /// Nothing can be dealt: an explicit game whose next wall has not been registered.
    Unknown,
}

/// The source of a game's cards (the dealing scheme's modes).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DealMode {
    /// Every deal follows from the secret of the game.
    Seeded,
    /// Seats and beacons contribute to each deal.
    Committed,
    /// The wall of each deal is given.
    Explicit,
    /// The game was played with cards of its own.
    Transcribed,
}
