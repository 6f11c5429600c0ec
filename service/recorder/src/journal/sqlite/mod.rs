//! The journal in one SQLite file, for one recorder on one machine.
//!
//! One thread writes: it commits all appends that wait, at most [`GROUP_MAX`], in one transaction, so that many games
//! share the wait for the disk. Other threads read, from the same file in its write-ahead log.

mod changed;
mod games;
mod queue;
mod schema;
mod spare;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use canasta_engine::deal::GameId;
use canasta_serve::outside::lock;
use canasta_service::seal::KeyId;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, params};
use tokio::sync::{mpsc, oneshot};
use tonic::async_trait;

use super::row::RowChange;
use super::{
    Appended, At, ChangePosition, ChangedGames, FollowedEntry, FollowedPage, Journal, JournalResult,
    PlacedEntry, READ_MAX, ReadError,
};
use crate::entry::{EncodedEntry, JournalEntry};
pub use games::SealedGames;
pub use schema::SqliteError;
use spare::SpareFile;
use writer::{PendingAppend, PendingWrite};

/// Maximum number of appends in one transaction.
pub const GROUP_MAX: usize = 256;
/// Maximum number of appends, and of reads, that wait for a thread; more wait in their requests.
const QUEUE_MAX: usize = 1024;
/// Number of threads that read.
const READERS: usize = 2;

pub struct SqliteJournal {
    writes: mpsc::Sender<PendingWrite>,
    reads: mpsc::Sender<Read>,
    /// Dropped last, once the queues are closed.
    threads: JournalThreads,
}

/// The threads of a journal. Whoever drops them waits for their end: then no connection to the file is open.
struct JournalThreads {
    running: Vec<JoinHandle<()>>,
    /// The file, whose file system is the store.
    file: PathBuf,
}

impl Drop for JournalThreads {
    fn drop(&mut self) {
        for thread in self.running.drain(..) {
            // A thread that panicked has ended too.
            let _ = thread.join();
        }
        schema::close(&self.file);
    }
}

impl JournalThreads {
    fn start(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        self.running.push(thread::Builder::new().name(name.into()).spawn(work)?);
        Ok(())
    }
}

/// A read, which sends its own answer.
type Read = Box<dyn FnOnce(&Connection) + Send>;

impl SqliteJournal {
    /// Opens the journal in this file, and creates it if there is none. The caller must hold the lock of the folder.
    ///
    /// # Errors
    /// If the file is not a journal of this version, or SQLite does not keep to the settings that make it durable.
    pub fn open(file: &Path) -> Result<Self, SqliteError> {
        if schema::lacks_its_log(file) {
            tracing::error!(
                "{} has lost its write-ahead log (-wal), and with it what was stored last: was the file copied alone while \
                 a recorder used it? Copy it with VACUUM INTO",
                file.display()
            );
        }
        let prepare = || {
            let mut connection = schema::open(file)?;
            schema::create(&mut connection)?;
            let retried = queue::restart(&connection)?;
            Ok::<_, SqliteError>((connection, retried))
        };
        let prepared = match prepare() {
            Err(error) if error.is_full() => {
                tracing::error!(
                    "the disk is full: nothing is recorded until there is room, questions are answered"
                );
                SpareFile::beside(file).free();
                prepare()
            }
            prepared => prepared,
        };
        let (connection, retried) = prepared?;
        if retried > 0 {
            tracing::warn!("{retried} stuck games are audited again");
        }
        Self::on(connection, file)
    }

    /// Opens a journal that a recorder has made, and may be using, for a program beside it.
    ///
    /// # Errors
    /// As [`SqliteJournal::open`]; and if there is no such file.
    pub fn beside(file: &Path) -> Result<Self, SqliteError> {
        // SQLite would create the file.
        drop(std::fs::File::open(file)?);
        let connection = schema::open(file)?;
        schema::check_version(&connection)?;
        Self::on(connection, file)
    }

    fn on(connection: Connection, file: &Path) -> Result<Self, SqliteError> {
        // Declared first: if a thread cannot be started, the queues are closed before the others are waited for.
        let mut threads = JournalThreads { running: Vec::new(), file: file.to_owned() };
        let (writes, queue) = mpsc::channel(QUEUE_MAX);
        let spare = SpareFile::beside(file);
        threads.start("journal-writer", move || writer::run(connection, queue, &spare))?;
        let (reads, queue) = mpsc::channel(QUEUE_MAX);
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..READERS {
            let (connection, queue) = (schema::open(file)?, Arc::clone(&queue));
            threads.start("journal-reader", move || run(&connection, &queue))?;
        }
        Ok(Self { writes, reads, threads })
    }

    /// Runs a change of the queue in a transaction of its own, between those of appends.
    async fn on_writer<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> JournalResult<T> {
        let (answer, answered) = oneshot::channel();
        let write = PendingWrite::Change(Box::new(move |connection| {
            _ = answer.send(writer::changed(connection, change));
        }));
        self.writes.send(write).await.map_err(gone)?;
        Ok(answered.await.map_err(gone)??)
    }

    /// Runs a read on a thread for reads.
    async fn on_reader<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> JournalResult<T> + Send + 'static,
    ) -> JournalResult<T> {
        let (answer, answered) = oneshot::channel();
        let job: Read = Box::new(move |connection| _ = answer.send(read(connection)));
        self.reads.send(job).await.map_err(gone)?;
        answered.await.map_err(gone)?
    }
}

/// Returns the error of a journal whose threads take nothing any more.
fn gone<E>(_: E) -> ReadError {
    ReadError::Unavailable("its threads have ended".into())
}

/// Runs reads until the journal is dropped.
fn run(connection: &Connection, queue: &Mutex<mpsc::Receiver<Read>>) {
    loop {
        let next = lock(queue).blocking_recv();
        let Some(read) = next else { return };
        read(connection);
    }
}

#[async_trait]
impl Journal for SqliteJournal {
    async fn last(&self, game: GameId) -> JournalResult<Option<PlacedEntry>> {
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
        // The bytes were made of an entry: others are no append, and nothing is stored.
        let Ok(decoded) = JournalEntry::decode(&entry.bytes) else { return Appended::Doubt };
        let row = RowChange::of(&decoded);
        let append = PendingAppend { game, after, n: entry.n, bytes: Arc::clone(&entry.bytes), row, answer };
        match self.writes.send(PendingWrite::Append(Box::new(append))).await {
            Ok(()) => answered.await.unwrap_or(Appended::Doubt),
            Err(_) => Appended::Doubt,
        }
    }

    async fn read(&self, game: GameId, from_n: u64, max: usize) -> JournalResult<Vec<PlacedEntry>> {
        const READ: &str = "SELECT pos, entry FROM entries WHERE game = ?1 AND n >= ?2 ORDER BY n LIMIT ?3";
        self.on_reader(move |connection| entries(connection, READ, game, from_n, max)).await
    }

    async fn read_back(&self, game: GameId, to_n: u64, max: usize) -> JournalResult<Vec<PlacedEntry>> {
        // The entry that has record `to_n` is the first one that does not end before it.
        const READ_BACK: &str = "
            SELECT pos, entry FROM entries WHERE game = ?1 AND n <= COALESCE(
                (SELECT n FROM entries WHERE game = ?1 AND n >= ?2 ORDER BY n LIMIT 1), ?2
            ) ORDER BY n DESC LIMIT ?3";
        self.on_reader(move |connection| entries(connection, READ_BACK, game, to_n, max)).await
    }

    async fn end(&self, _: u16) -> JournalResult<At> {
        self.on_reader(|connection| Ok(At(changed::ends(connection)?[0]))).await
    }

    async fn follow(&self, _: u16, after: At, max: usize) -> JournalResult<FollowedPage> {
        const FOLLOW: &str = "SELECT pos, game, entry FROM entries WHERE pos > ?1 ORDER BY pos LIMIT ?2";
        self.on_reader(move |connection| {
            let mut statement = connection.prepare_cached(FOLLOW)?;
            let mut rows = statement.query(params![integer(after.0), max.min(READ_MAX) as i64])?;
            let mut page = FollowedPage { entries: Vec::new(), upto: after };
            while let Some(row) = rows.next()? {
                page.upto = At(row.get::<_, i64>(0)?.unsigned_abs());
                let bytes = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
                page.entries.extend(FollowedEntry::if_whole(GameId(row.get(1)?), page.upto, bytes));
            }
            Ok(page)
        })
        .await
    }

    async fn changes_end(&self) -> JournalResult<ChangePosition> {
        self.on_reader(changed::end).await
    }

    async fn changed(&self, after: &ChangePosition, max: usize) -> JournalResult<Option<ChangedGames>> {
        let after = after.clone();
        self.on_reader(move |connection| changed::since(connection, &after, max.min(READ_MAX))).await
    }
}

/// Returns for each set of seal keys the numbers of the games whose states these keys seal. A recorder may use the journal
/// at the same time.
///
/// # Errors
/// If the file is not a journal of this version.
pub fn sealed_games(file: &Path) -> Result<Vec<(Vec<KeyId>, SealedGames)>, SqliteError> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    schema::check_version(&connection)?;
    let sets = games::sealed(&connection)?;
    let keys = |set: Vec<u8>| set.chunks_exact(size_of::<KeyId>()).flat_map(KeyId::try_from).collect();
    Ok(sets.into_iter().map(|(set, games)| (keys(set), games)).collect())
}

/// Returns the entries that a query finds for a game, the number of a record, and the maximum number of entries; those before
/// the first damaged one.
fn entries(
    connection: &Connection,
    query: &str,
    game: GameId,
    n: u64,
    max: usize,
) -> JournalResult<Vec<PlacedEntry>> {
    let mut statement = connection.prepare_cached(query)?;
    let max = max.min(READ_MAX) as i64;
    let rows = statement.query_map(params![game.0, integer(n), max], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut whole = Vec::new();
    for row in rows {
        match decode(row?) {
            Ok(placed) => whole.push(placed),
            Err(_) if !whole.is_empty() => break,
            Err(damaged) => return Err(damaged),
        }
    }
    Ok(whole)
}

/// Decodes a row of the entries.
fn decode((pos, bytes): (i64, Vec<u8>)) -> JournalResult<PlacedEntry> {
    PlacedEntry::decode(At(pos.unsigned_abs()), &bytes)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks the connection that writes, of a recorder and of a program beside it.
    #[tokio::test]
    async fn what_writes_waits_for_the_disk_at_each_commit() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("journal.sqlite");
        let own = SqliteJournal::open(&file).expect("a new journal");
        for journal in [own, SqliteJournal::beside(&file).expect("the same journal")] {
            let asked = journal.on_writer(|transaction| {
                let number = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
                let mode =
                    transaction.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0))?;
                Ok((mode, number("synchronous")?, number("fullfsync")?))
            });
            // SQLite's number of FULL is 2.
            assert_eq!(asked.await.ok(), Some(("wal".to_owned(), 2, 1)));
        }
    }
}
