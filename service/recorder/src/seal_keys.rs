//! The command `seal-keys`: how many games still need each key that seals states.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use canasta_engine::hex::hex;
use canasta_service::config::Config;
use canasta_service::seal::{KeyId, Keyring, KeyringError};

use crate::journal::sqlite::{SealedGames, SqliteError, sealed_games};

/// A folder whose keys cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum SealKeysError {
    /// The journal cannot be read.
    #[error("{}: {error}", path.display())]
    Journal {
        /// The file.
        path: PathBuf,
        /// The problem.
        error: SqliteError,
    },
    /// The keys cannot be read.
    #[error("{}: {error}", path.display())]
    Keys {
        /// The file.
        path: PathBuf,
        /// The problem.
        error: KeyringError,
    },
}

/// Prints a table with a line per key: its id, its use, and the numbers of live and of ended games in the journal that have
/// states sealed by it. A recorder may use the folder at the same time.
///
/// # Errors
/// If the journal or the keys cannot be read.
pub fn print(data: &Path, config: &Config) -> Result<(), SealKeysError> {
    let path = config.seal_key_file.clone().unwrap_or_else(|| data.join("seal.keys"));
    let ring = Keyring::read(&path, &config.audience);
    let ring = ring.map_err(|error| SealKeysError::Keys { path, error })?;
    let path = data.join("journal.sqlite");
    let sets = sealed_games(&path).map_err(|error| SealKeysError::Journal { path, error })?;
    let mut keys: BTreeMap<KeyId, SealedGames> = BTreeMap::new();
    for (set, games) in sets {
        for key in set {
            let sum = keys.entry(key).or_default();
            (sum.live, sum.ended) = (sum.live + games.live, sum.ended + games.ended);
        }
    }
    let mut text = String::from("key       use              live       ended\n");
    let mut line = |key: KeyId, name: &str, games: SealedGames| {
        let _ = writeln!(text, "{}  {name:<9}  {:>10}  {:>10}", hex(&key), games.live, games.ended);
    };
    for (key, name) in ring.uses() {
        line(key, name, keys.remove(&key).unwrap_or_default());
    }
    for (key, games) in keys {
        line(key, "missing", games);
    }
    // A closed pipe is no failure.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(())
}
