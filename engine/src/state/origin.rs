//! What a game keeps from its creation to its end, and its place in its log.

use crate::card::Card;
use crate::deal::{GameId, GameSecret, RoundSecret, WallSalt};
use alloc::vec::Vec;

/// The place of a state in its log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// Number of the last record.
    pub n: u64,
    /// Number of the last accepted action, 0 before the first.
    pub seq: u64,
    /// Head of the hash chain after record `n`.
    pub head: [u8; 32],
}

/// Whether registers are written by the engine or sent by the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Registration {
    #[default]
    Auto,
    ByTable,
}

/// What the deals of a game follow from (spec "Dealing", Modes).
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

/// What a game keeps from its creation to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The game's id.
    pub game_id: GameId,
    /// Who writes registers.
    pub registration: Registration,
    /// Where the cards come from.
    pub source: DealSource,
    /// When tokens of this game expire, ms since 1970; `None` is never.
    pub expires_at: Option<i64>,
}
