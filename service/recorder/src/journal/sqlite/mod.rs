//! The journal in one SQLite file, for one recorder on one machine.
//!
//! One thread writes: it commits all appends that wait, at most [`GROUP_MAX`], in one transaction, so that many games
//! share the wait for the disk. Other threads read, from the same file in its write-ahead log.

mod schema;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use canasta_engine::deal::GameId;
use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::{mpsc, oneshot};

use super::{Appended, At, Freshness, Journal, PlacedEntry, READ_MAX, ReadError};
use crate::entry::{EncodedEntry, JournalEntry};
pub use schema::SqliteError;
use writer::PendingAppend;

/// Maximum number of appends in one transaction.
pub const GROUP_MAX: usize = 256;
/// Maximum number of appends, and of reads, that wait for a thread; more wait in their requests.
const QUEUE_MAX: usize = 1024;
/// Number of threads that read.
const READERS: usize = 2;

/// A journal in an SQLite file.
pub struct SqliteJournal {
    appends: mpsc::Sender<PendingAppend>,
    reads: mpsc::Sender<Read>,
}

/// A read, which sends its own answer.
type Read = Box<dyn FnOnce(&Connection) + Send>;

impl SqliteJournal {
    /// Opens the journal in this file, and creates it if there is none. The caller must hold the lock of the folder.
    ///
    /// # Errors
    /// If the file is not a journal of this version, or SQLite does not keep to the settings that make it durable.
    pub fn open(file: &Path) -> Result<Self, SqliteError> {
        let mut connection = schema::open(file)?;
        schema::create(&mut connection)?;
        let (appends, queue) = mpsc::channel(QUEUE_MAX);
        thread::Builder::new().name("journal-writer".into()).spawn(|| writer::run(connection, queue))?;
        let (reads, queue) = mpsc::channel(QUEUE_MAX);
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..READERS {
            let (connection, queue) = (schema::open(file)?, Arc::clone(&queue));
            thread::Builder::new().name("journal-reader".into()).spawn(move || run(&connection, &queue))?;
        }
        Ok(Self { appends, reads })
    }

    /// Runs a read on a thread for reads.
    async fn on_reader<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, ReadError> + Send + 'static,
    ) -> Result<T, ReadError> {
        let gone = |_| ReadError::Unavailable("its threads have ended".into());
        let (answer, answered) = oneshot::channel();
        let job: Read = Box::new(move |connection| _ = answer.send(read(connection)));
        self.reads.send(job).await.map_err(|error| gone(error.to_string()))?;
        answered.await.map_err(|error| gone(error.to_string()))?
    }
}

/// Runs reads until the journal is dropped.
fn run(connection: &Connection, queue: &Mutex<mpsc::Receiver<Read>>) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
        let Some(read) = next else { return };
        read(connection);
    }
}

impl Journal for SqliteJournal {
    async fn last(&self, game: GameId, _: Freshness) -> Result<Option<PlacedEntry>, ReadError> {
        self.on_reader(move |connection| {
            const LAST: &str =
                "SELECT e.pos, e.entry FROM games g JOIN entries e ON e.pos = g.pos WHERE g.id = ?1";
            let mut statement = connection.prepare_cached(LAST)?;
            let row = statement.query_row([game.0], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            row.map(decode).transpose()
        })
        .await
    }

    async fn append(&self, game: GameId, after: Option<At>, entry: &EncodedEntry) -> Appended {
        let (answer, answered) = oneshot::channel();
        let append = PendingAppend { game, after, n: entry.n, bytes: Arc::clone(&entry.bytes), answer };
        match self.appends.send(append).await {
            Ok(()) => answered.await.unwrap_or(Appended::Doubt),
            Err(_) => Appended::Doubt,
        }
    }

    async fn read(&self, game: GameId, from_n: u64, max: usize) -> Result<Vec<PlacedEntry>, ReadError> {
        const READ: &str = "SELECT pos, entry FROM entries WHERE game = ?1 AND n >= ?2 ORDER BY n LIMIT ?3";
        self.on_reader(move |connection| entries(connection, READ, game, from_n, max)).await
    }

    async fn read_back(&self, game: GameId, to_n: u64, max: usize) -> Result<Vec<PlacedEntry>, ReadError> {
        // The entry that has record `to_n` is the first one that does not end before it.
        const READ_BACK: &str = "
            SELECT pos, entry FROM entries WHERE game = ?1 AND n <= COALESCE(
                (SELECT n FROM entries WHERE game = ?1 AND n >= ?2 ORDER BY n LIMIT 1), ?2
            ) ORDER BY n DESC LIMIT ?3";
        self.on_reader(move |connection| entries(connection, READ_BACK, game, to_n, max)).await
    }

    async fn games(&self, after: Option<GameId>, max: usize) -> Result<Vec<GameId>, ReadError> {
        self.on_reader(move |connection| {
            const GAMES: &str = "SELECT id FROM games WHERE ?1 IS NULL OR id > ?1 ORDER BY id LIMIT ?2";
            let mut statement = connection.prepare_cached(GAMES)?;
            let max = max.min(READ_MAX) as i64;
            let rows = statement.query_map(params![after.map(|game| game.0), max], |row| row.get(0))?;
            rows.map(|row| Ok(GameId(row?))).collect()
        })
        .await
    }
}

/// Returns the entries that a query finds for a game, the number of a record, and the maximum number of entries.
fn entries(
    connection: &Connection,
    query: &str,
    game: GameId,
    n: u64,
    max: usize,
) -> Result<Vec<PlacedEntry>, ReadError> {
    let mut statement = connection.prepare_cached(query)?;
    let max = max.min(READ_MAX) as i64;
    let rows = statement.query_map(params![game.0, integer(n), max], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.map(|row| decode(row?)).collect()
}

/// Decodes a row of the entries.
fn decode((pos, bytes): (i64, Vec<u8>)) -> Result<PlacedEntry, ReadError> {
    let at = At(pos.unsigned_abs());
    let entry = JournalEntry::decode(&bytes).map_err(|error| ReadError::Damaged { at, error })?;
    Ok(PlacedEntry { at, entry })
}

/// Returns a number as SQLite stores it. No log has more records than an integer of SQLite counts.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Unavailable(error.to_string())
    }
}
