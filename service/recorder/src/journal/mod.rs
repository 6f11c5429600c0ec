//! Journals: where the entries of all games are kept.
//!
//! A journal decides between rivals: of several entries after one place exactly one is stored. Nothing else in the
//! recorder needs a lock on a game.

mod doubt;
pub mod sqlite;

use std::future::Future;
use std::time::Duration;

use canasta_engine::deal::GameId;

use crate::entry::{EncodedEntry, EntryError, JournalEntry};

pub use doubt::{StoreError, store};

/// Maximum time that an append may be in doubt: shorter than the deadline of a request, so that the caller learns the
/// reason.
pub const STORE_LIMIT: Duration = Duration::from_secs(8);
/// Maximum number of entries that one read returns.
pub const READ_MAX: usize = 256;

/// The position of an entry in the journal. Only the journal itself compares positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct At(pub u64);

/// An entry at its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedEntry {
    /// The position.
    pub at: At,
    /// The entry.
    pub entry: JournalEntry,
}

/// The journal's answer to an append.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Appended {
    /// The entry is stored at this position, and survives every fault that the journal survives.
    Stored(At),
    /// The game has an entry after the expected position; nothing was stored by this append.
    Conflict,
    /// It is not known whether the entry is stored.
    Doubt,
    /// The journal has no room; nothing was stored by this append.
    Full,
}

/// The age that an answer may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// The answer may be out of date: an append that relies on it then ends with a conflict.
    MayBeStale,
    /// The answer has every entry that was acknowledged before the question.
    Latest,
}

/// A journal that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// The journal does not answer. It may later.
    #[error("the journal does not answer: {0}")]
    Unavailable(String),
    /// The journal holds bytes that are no entry.
    #[error("the entry at position {} of the journal is damaged: {error}", at.0)]
    Damaged {
        /// Position of the bytes.
        at: At,
        /// The damage.
        error: EntryError,
    },
}

/// A journal.
pub trait Journal: Send + Sync + 'static {
    /// Returns the last entry of a game; `None` if the journal has no such game.
    fn last(
        &self,
        game: GameId,
        freshness: Freshness,
    ) -> impl Future<Output = Result<Option<PlacedEntry>, ReadError>> + Send;

    /// Appends an entry after the game's entry at `after`, or the first entry of a new game.
    fn append(
        &self,
        game: GameId,
        after: Option<At>,
        entry: &EncodedEntry,
    ) -> impl Future<Output = Appended> + Send;

    /// Returns the entries of a game in order, from the one that has record `from_n` on, at most `max` and at most
    /// [`READ_MAX`]. The answer has every entry that was acknowledged before the question.
    fn read(
        &self,
        game: GameId,
        from_n: u64,
        max: usize,
    ) -> impl Future<Output = Result<Vec<PlacedEntry>, ReadError>> + Send;

    /// Returns the entries of a game in the opposite order, from the one that has record `to_n` on backwards, or from the
    /// last if no entry has it; as many, and as up to date, as [`Journal::read`] does.
    fn read_back(
        &self,
        game: GameId,
        to_n: u64,
        max: usize,
    ) -> impl Future<Output = Result<Vec<PlacedEntry>, ReadError>> + Send;

    /// Returns the ids of the games in ascending order, at most `max`, from the first id after `after` on.
    fn games(
        &self,
        after: Option<GameId>,
        max: usize,
    ) -> impl Future<Output = Result<Vec<GameId>, ReadError>> + Send;
}
