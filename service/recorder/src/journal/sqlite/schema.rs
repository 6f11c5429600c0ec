//! The file of the journal: its tables, and the settings that make it durable.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use canasta_engine::deal::GameId;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

use super::games;
use crate::entry::JournalEntry;
use crate::journal::row::RowChange;

/// The version of the tables, which the file names.
const VERSION: i64 = 2;
/// The first version of SQLite that does not damage its write-ahead log when a checkpoint is reset.
const SQLITE_MIN: i32 = 3_051_003;
/// The place in the file's header that says whether a write-ahead log belongs to it: twice 2 if so.
const VERSIONS: std::ops::Range<usize> = 18..20;
/// Maximum time that a connection waits for another one.
const BUSY: Duration = Duration::from_secs(5);

/// The table of entries, which both versions have.
const ENTRIES: &str = "
    CREATE TABLE entries (
        pos INTEGER PRIMARY KEY AUTOINCREMENT,
        game BLOB NOT NULL,
        n INTEGER NOT NULL,
        entry BLOB NOT NULL,
        UNIQUE (game, n)
    );
";

/// The other tables. `status` has the numbers of the interface. `lease_ms` is the time up to which a finished game is
/// leased, and of a judged game the time of its verdict. Live games, status 1, are not in the index.
const GAMES: &str = "
    CREATE TABLE games (
        id BLOB PRIMARY KEY,
        pos INTEGER NOT NULL,
        n INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        head BLOB NOT NULL,
        status INTEGER NOT NULL,
        changed_ms INTEGER NOT NULL,
        label TEXT NOT NULL,
        about BLOB NOT NULL,
        seal_keys BLOB NOT NULL,
        lease_ms INTEGER NOT NULL,
        tries INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX ended ON games (status, lease_ms) WHERE status > 1;
    CREATE TABLE verdicts (
        game BLOB NOT NULL,
        head BLOB NOT NULL,
        verdict BLOB NOT NULL,
        judged_ms INTEGER NOT NULL,
        PRIMARY KEY (game, head)
    ) WITHOUT ROWID;
";

/// A file that cannot be used as a journal.
#[derive(Debug, thiserror::Error)]
pub enum SqliteError {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// A thread of the journal cannot be started.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("SQLite {0} can damage the journal: expected 3.51.3 or later")]
    TooOld(&'static str),
    #[error("the journal needs {setting} = {expected}, but SQLite says {found}")]
    NotDurable { setting: &'static str, expected: &'static str, found: String },
    #[error("the journal has version {0} of the tables, expected {VERSION}")]
    Version(i64),
}

impl SqliteError {
    /// Whether the disk has no room.
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull))
    }

    /// Whether the disk is at fault, and not the file.
    pub fn is_of_disk(&self) -> bool {
        let codes = [ErrorCode::DiskFull, ErrorCode::ReadOnly, ErrorCode::SystemIoFailure];
        matches!(self, Self::Sqlite(error) if error.sqlite_error_code().is_some_and(|code| codes.contains(&code)))
    }
}

/// The ids of dropped games of which nothing else remains. Recorders of before do not know of it.
const DROPPED: &str = "CREATE TABLE IF NOT EXISTS dropped (id BLOB PRIMARY KEY) WITHOUT ROWID;";

/// The games that have changed without an entry, in the order of their last such changes: they got another status, or were
/// dropped. Triggers write the table, so recorders of before, which do not know of it, keep it too.
const CHANGED: &str = "
    CREATE TABLE IF NOT EXISTS changed (pos INTEGER PRIMARY KEY AUTOINCREMENT, game BLOB NOT NULL UNIQUE);
    CREATE TRIGGER IF NOT EXISTS status_changed AFTER UPDATE OF status ON games
    WHEN NEW.status <> OLD.status AND (NEW.pos = OLD.pos OR NEW.pos = 0)
    BEGIN
        DELETE FROM changed WHERE game = NEW.id;
        INSERT INTO changed (game) VALUES (NEW.id);
    END;
    CREATE TRIGGER IF NOT EXISTS game_added AFTER INSERT ON games WHEN NEW.pos = 0
    BEGIN
        DELETE FROM changed WHERE game = NEW.id;
        INSERT INTO changed (game) VALUES (NEW.id);
    END;
    CREATE TRIGGER IF NOT EXISTS game_dropped AFTER DELETE ON games
    BEGIN
        DELETE FROM changed WHERE game = OLD.id;
        INSERT INTO changed (game) VALUES (OLD.id);
    END;
";

/// Opens a connection, and reads back that each commit will be durable.
pub fn open(file: &Path) -> Result<Connection, SqliteError> {
    if rusqlite::version_number() < SQLITE_MIN {
        return Err(SqliteError::TooOld(rusqlite::version()));
    }
    let connection = Connection::open(file)?;
    connection.busy_timeout(BUSY)?;
    let durable = [("journal_mode", "wal"), ("synchronous", "2"), ("fullfsync", "1")];
    for (setting, expected) in durable {
        connection.pragma_update_and_check(None, setting, expected, |_| Ok(())).or_else(no_row)?;
        let found = connection.pragma_query_value(None, setting, |row| {
            row.get::<_, i64>(0).map(|number| number.to_string()).or_else(|_| row.get(0))
        })?;
        if found != expected {
            return Err(SqliteError::NotDurable { setting, expected, found });
        }
    }
    Ok(connection)
}

/// Whether the file is one that a program was using, without the write-ahead log that has what was stored last: a copy of
/// the file alone. A journal that is closed has no such log and says so, and one whose program was killed still has it.
pub fn lacks_its_log(file: &Path) -> bool {
    let mut header = [0; 20];
    let is_read = File::open(file).and_then(|mut file| file.read_exact(&mut header)).is_ok();
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    is_read && header[VERSIONS] == [2; 2] && !Path::new(&log).exists()
}

/// Notes in the file that it needs no write-ahead log any more, unless another program uses the file.
pub fn close(file: &Path) {
    let closed = Connection::open(file).and_then(|file| file.pragma_update(None, "journal_mode", "delete"));
    if let Err(error) = closed {
        tracing::debug!("the journal stays open for other programs: {error}");
    }
}

/// Passes over the missing answer of a setting: most answer nothing when they are set.
fn no_row(error: rusqlite::Error) -> Result<(), rusqlite::Error> {
    match error {
        rusqlite::Error::QueryReturnedNoRows => Ok(()),
        other => Err(other),
    }
}

/// Creates the tables if the file is new, and brings older ones to this version.
pub fn create(connection: &mut Connection) -> Result<(), SqliteError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match version {
        0 => transaction.execute_batch(&[ENTRIES, GAMES].concat())?,
        1 => migrate(&transaction)?,
        VERSION => {}
        other => return Err(SqliteError::Version(other)),
    }
    transaction.execute_batch(DROPPED)?;
    transaction.execute_batch(CHANGED)?;
    if version != VERSION {
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    Ok(transaction.commit()?)
}

/// Brings version 1, whose games have only `id` and `pos`, to version 2.
fn migrate(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch("ALTER TABLE games RENAME TO games_1")?;
    transaction.execute_batch(GAMES)?;
    let mut entries = transaction.prepare("SELECT pos, game, entry FROM entries ORDER BY game, n")?;
    let mut rows = entries.query([])?;
    while let Some(row) = rows.next()? {
        let (pos, game, bytes): (i64, [u8; 16], Vec<u8>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        // The game goes on without a damaged entry in its summary; a read will tell of the damage.
        match JournalEntry::decode(&bytes) {
            Ok(entry) => games::change(transaction, GameId(game), pos, &RowChange::of(&entry))?,
            Err(error) => tracing::error!("the entry at position {pos} of the journal is damaged: {error}"),
        }
    }
    transaction.execute_batch(
        "UPDATE games SET pos = (SELECT pos FROM games_1 WHERE games_1.id = games.id);
         DROP TABLE games_1;",
    )
}

/// Checks that a file has the tables of this version.
pub fn check_version(connection: &Connection) -> Result<(), SqliteError> {
    match connection.pragma_query_value(None, "user_version", |row| row.get(0))? {
        VERSION => Ok(()),
        other => Err(SqliteError::Version(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_without_its_log_is_told_from_a_journal_that_was_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, copy, vacuumed] =
            ["journal.sqlite", "copy.sqlite", "vacuumed.sqlite"].map(|name| folder.path().join(name));
        assert!(!lacks_its_log(&file), "there is none yet");
        let mut connection = open(&file).expect("a file");
        create(&mut connection).expect("tables");
        assert!(!lacks_its_log(&file), "as a killed program leaves it");
        std::fs::copy(&file, &copy).expect("a copy");
        assert!(lacks_its_log(&copy));
        let vacuum = format!("VACUUM INTO '{}'", vacuumed.display());
        connection.execute_batch(&vacuum).expect("a copy");
        assert!(!lacks_its_log(&vacuumed), "copied with SQLite's own means");
        close(&file);
        assert!(open(&file).is_ok() && !lacks_its_log(&file), "another connection uses it");
        drop(connection);
        close(&file);
        assert!(!lacks_its_log(&file), "it was closed");
        std::fs::copy(&file, &copy).expect("a copy");
        assert!(!lacks_its_log(&copy), "a copy of what was closed is whole");
    }
}
