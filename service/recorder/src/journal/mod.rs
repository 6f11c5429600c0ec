//! Journals: where the entries of all games are kept.
//!
//! A journal decides between rivals: of several entries after one place exactly one is stored. Nothing else in the
//! recorder needs a lock on a game.
//!
//! A journal also keeps a summary of each game, and the queue of the games that have ended and wait for their verdict.

mod doubt;
pub mod nats;
pub mod row;
pub mod sqlite;

use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_proto::v1::GameSummary;
use tonic::async_trait;

use crate::entry::{EncodedEntry, EntryError, JournalEntry};

pub use doubt::{StoreError, store};

/// Maximum time that an append may be in doubt: shorter than the deadline of a request, so that the caller learns the
/// reason.
pub const STORE_LIMIT: Duration = Duration::from_secs(8);
/// Maximum number of entries or games that one read returns.
pub const READ_MAX: usize = 256;
/// Number of entries that whoever reads a whole game takes at a time: thousands of requests may hold so many at once.
pub const PAGE: usize = 16;
/// Number of failures after which a game is stuck.
pub const TRIES_MAX: u32 = 5;

/// The position of an entry in the journal. Only the journal itself compares positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct At(pub u64);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedEntry {
    pub at: At,
    pub entry: JournalEntry,
}

impl PlacedEntry {
    /// Decodes the entry at a position.
    ///
    /// # Errors
    /// If the bytes are no entry.
    pub fn decode(at: At, bytes: &[u8]) -> JournalResult<Self> {
        let entry = JournalEntry::decode(bytes).map_err(|error| ReadError::Damaged { at, error })?;
        Ok(Self { at, entry })
    }
}

/// The end of a game's log after an entry, and the position of the entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedEnd {
    pub at: At,
    /// Number of the last record after the entry.
    pub n: u64,
    /// Head of the log after the entry.
    pub head: [u8; 32],
    pub game_over: bool,
}

/// An entry as whoever follows a journal sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FollowedEntry {
    pub game: GameId,
    pub end: PlacedEnd,
    /// The recorder's time, in ms since 1970.
    pub time_ms: i64,
}

impl FollowedEntry {
    /// Reads an entry.
    ///
    /// # Errors
    /// If the bytes are no entry.
    pub fn read(game: GameId, at: At, bytes: &[u8]) -> JournalResult<Self> {
        let JournalEntry { n, head, game_over, time_ms, .. } = PlacedEntry::decode(at, bytes)?.entry;
        Ok(Self { game, end: PlacedEnd { at, n, head, game_over }, time_ms })
    }

    /// Reads an entry, or tells the operator that it is damaged: one game must not hold up the others of its shard.
    pub fn if_whole(game: GameId, at: At, bytes: &[u8]) -> Option<Self> {
        Self::read(game, at, bytes).inspect_err(|error| tracing::error!(game = hex(&game.0), "{error}")).ok()
    }
}

/// A page of a shard's entries, in the order in which they were stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FollowedPage {
    /// The entries. Those of dropped games are missing.
    pub entries: Vec<FollowedEntry>,
    /// The position up to which the shard has been read.
    pub upto: At,
}

/// The position of a journal in the order in which its games change: one number for each sequence that the journal keeps.
/// Only the journal itself reads them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangePosition(pub Vec<u64>);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedGames {
    /// The games. A game that has changed several times may stand here several times.
    pub games: Vec<GameId>,
    /// The position up to which all changes have been read.
    pub upto: ChangePosition,
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

/// A lease of an ended game to one auditor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameLease {
    pub game: GameId,
    /// The time at which the lease runs out, in ms since 1970. A later lease of the game ends later.
    pub until_ms: i64,
    /// Number of failures since the game ended.
    pub tries: u32,
}

/// A verdict on the log of a game, as a journal keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptVerdict {
    /// Head of the judged log.
    pub head: [u8; 32],
    /// The verdict, in the form that auditors give it.
    pub bytes: Vec<u8>,
}

/// The figures of a journal that operators watch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JournalFigures {
    /// Number of games without a result.
    pub live: u64,
    /// Number of games whose audit has failed too often.
    pub stuck: u64,
    /// When the oldest ended game without a verdict ended, in ms since 1970; `None` if no game waits.
    pub waiting_since_ms: Option<i64>,
    /// Used share of the store, in thousandths.
    pub used_permille: u16,
    /// Whether the store may acknowledge before it writes, as far as is known.
    pub is_unproven: bool,
}

/// A journal that could not be read or changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// The journal does not answer. It may later.
    #[error("the journal does not answer: {0}")]
    Unavailable(String),
    #[error("the entry at position {} of the journal is damaged: {error}", at.0)]
    Damaged {
        /// Position of the bytes.
        at: At,
        error: EntryError,
    },
}

/// The answer of a journal.
pub type JournalResult<T> = Result<T, ReadError>;

/// A journal: its entries, and what it keeps of games besides.
#[async_trait]
pub trait Journal: GameList + AuditQueue {
    /// Returns the last entry of a game; `None` if the journal has no such game. The answer has every entry that was
    /// acknowledged before the question.
    async fn last(&self, game: GameId) -> JournalResult<Option<PlacedEntry>>;

    /// Appends an entry after the game's entry at `after`, or the first entry of a new game.
    async fn append(&self, game: GameId, after: Option<At>, entry: &EncodedEntry) -> Appended;

    /// Returns the entries of a game in order, from the one that has record `from_n` on, at most `max` and at most
    /// [`READ_MAX`]. The answer has every entry that was acknowledged before the question. It ends before an entry that is
    /// damaged, unless that is the first one.
    ///
    /// # Errors
    /// If the journal does not answer, or the first of these entries is damaged.
    async fn read(&self, game: GameId, from_n: u64, max: usize) -> JournalResult<Vec<PlacedEntry>>;

    /// Returns the entries of a game in the opposite order, from the one that has record `to_n` on backwards, or from the
    /// last if no entry has it; as many, and as up to date, as [`Journal::read`] does.
    async fn read_back(&self, game: GameId, to_n: u64, max: usize) -> JournalResult<Vec<PlacedEntry>>;

    /// Tells the other recorders of the journal who watches a game here.
    async fn tell_presence(&self, _: GameId, _: Vec<u8>) {}

    /// Whether no other recorder can use the journal. Then the recorder audits its games itself.
    fn has_one_recorder(&self) -> bool {
        true
    }

    /// Returns the number of shards. Positions are compared within a shard only.
    fn shards(&self) -> u16 {
        1
    }

    /// Returns the shard of a game, from 0.
    fn shard_of(&self, game: GameId) -> u16 {
        u16::from(game.0[0]) % self.shards()
    }

    /// Returns the last position that a shard has ever given to an entry.
    async fn end(&self, shard: u16) -> JournalResult<At>;

    /// Returns the entries of a shard behind `after` in the order in which they were stored, at most `max`, and each once.
    /// The answer may lack what was stored lately, and lacks damaged entries. An ended game among the entries waits for its
    /// verdict, or has it.
    async fn follow(&self, shard: u16, after: At, max: usize) -> JournalResult<FollowedPage>;

    /// Returns the position behind every change that was acknowledged before the question.
    async fn changes_end(&self) -> JournalResult<ChangePosition>;

    /// Returns the games that have changed behind `after`, at most about `max`: those with new entries, new verdicts or a new
    /// status, and those that were dropped. The page has the position `after` only if nothing has changed since. `None` if
    /// the journal does not know all changes since then, or the position is not its own.
    async fn changed(&self, after: &ChangePosition, max: usize) -> JournalResult<Option<ChangedGames>>;
}

/// The games of a journal: their summaries, and how they are dropped.
#[async_trait]
pub trait GameList: Send + Sync + 'static {
    /// Returns the summary of a game; `None` if the journal has no such game. A game has its summary longer than its
    /// entries.
    async fn game(&self, game: GameId) -> JournalResult<Option<GameSummary>>;

    /// Returns the summaries of games in ascending order of their ids, at most `max`, from the first id after `after` on.
    /// Fewer than `max` and [`READ_MAX`] are the last ones.
    async fn games(&self, after: Option<GameId>, max: usize) -> JournalResult<Vec<GameSummary>>;

    /// Returns the figures that operators watch.
    async fn figures(&self) -> JournalResult<JournalFigures>;

    /// Drops all entries of a game up to `upto`, unless the game has a later entry. Returns whether the game has no entry
    /// after that. The summary of a game without a verdict is dropped too, and only its id remains.
    async fn drop(&self, game: GameId, upto: At) -> JournalResult<bool>;

    /// Drops what remains of a game without entries, except its id.
    async fn forget(&self, game: GameId) -> JournalResult<()>;

    /// Returns true if only the id remains of a game: it was dropped, and not lost.
    async fn was_dropped(&self, game: GameId) -> JournalResult<bool>;

    /// Adds a game that is in the archive only, with its verdict. A journal that asks the archive for such games adds nothing.
    async fn put_archived(&self, _: &GameSummary, _: &KeptVerdict) -> JournalResult<()> {
        Ok(())
    }
}

/// The queue of ended games, which wait for their verdicts, and the verdicts.
#[async_trait]
pub trait AuditQueue: Send + Sync + 'static {
    /// Leases an ended game that waits for its verdict; `None` if no game waits that is not leased at `now_ms`. An entry
    /// that ends a game puts the game into this queue, so each later ruling does so again.
    async fn lease(&self, now_ms: i64, until_ms: i64) -> JournalResult<Option<GameLease>>;

    /// Changes the end of a lease; `None` if the lease is no longer the last one of its game.
    async fn extend(&self, lease: GameLease, until_ms: i64) -> JournalResult<Option<GameLease>>;

    /// Keeps the verdict on a game, judged at `now_ms`, unless there is one on the same head. Returns whether the verdict is
    /// kept. A game whose last head has a verdict leaves the queue.
    async fn done(&self, game: GameId, verdict: &KeptVerdict, now_ms: i64) -> JournalResult<bool>;

    /// Counts a failure of the lease's game, which waits again from `retry_ms` on, and is stuck after [`TRIES_MAX`].
    async fn fail(&self, lease: GameLease, retry_ms: i64) -> JournalResult<()>;

    /// Returns the verdict on the log with this head, or else on the last log that was judged.
    async fn verdict(&self, game: GameId, head: Option<[u8; 32]>) -> JournalResult<Option<KeptVerdict>>;

    /// Returns judged games whose last verdict was kept up to `until_ms`, at most `max`, the first judged first.
    async fn judged(&self, until_ms: i64, max: usize) -> JournalResult<Vec<GameId>>;

    /// Puts a judged game into the queue again.
    async fn requeue(&self, game: GameId) -> JournalResult<()>;

    /// Puts every judged game into the queue again whose last head has no verdict. Returns the number of these games.
    async fn sweep(&self) -> JournalResult<u64>;

    /// Puts every stuck game into the queue again. Returns the number of these games.
    async fn retry(&self) -> JournalResult<u64>;
}
