//! The file of the journal: its tables, and the settings that make it durable.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

/// The version of the tables, which the file names.
const VERSION: i64 = 1;
/// The first version of SQLite that does not damage its write-ahead log when a checkpoint is reset.
const SQLITE_MIN: i32 = 3_051_003;
/// Maximum time that a connection waits for another one.
const BUSY: Duration = Duration::from_secs(5);

const TABLES: &str = "
    CREATE TABLE games (
        id BLOB PRIMARY KEY,
        pos INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE entries (
        pos INTEGER PRIMARY KEY AUTOINCREMENT,
        game BLOB NOT NULL,
        n INTEGER NOT NULL,
        entry BLOB NOT NULL,
        UNIQUE (game, n)
    );
";

/// A file that cannot be used as a journal.
#[derive(Debug, thiserror::Error)]
pub enum SqliteError {
    /// SQLite failed.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// A thread of the journal cannot be started.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// SQLite is too old.
    #[error("SQLite {0} can damage the journal: expected 3.51.3 or later")]
    TooOld(&'static str),
    /// A setting that makes the file durable is not in force.
    #[error("the journal needs {setting} = {expected}, but SQLite says {found}")]
    NotDurable {
        /// The setting.
        setting: &'static str,
        /// The value that is needed.
        expected: &'static str,
        /// The value in force.
        found: String,
    },
    /// The tables have another version.
    #[error("the journal has version {0} of the tables, expected {VERSION}")]
    Version(i64),
}

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

/// Passes over the missing answer of a setting: most answer nothing when they are set.
fn no_row(error: rusqlite::Error) -> Result<(), rusqlite::Error> {
    match error {
        rusqlite::Error::QueryReturnedNoRows => Ok(()),
        other => Err(other),
    }
}

/// Creates the tables if the file is new.
pub fn create(connection: &mut Connection) -> Result<(), SqliteError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match version {
        0 => {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        VERSION => {}
        other => return Err(SqliteError::Version(other)),
    }
    Ok(transaction.commit()?)
}
