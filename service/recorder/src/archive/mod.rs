//! The archive: the packed logs of judged games, and beside each a file with its verdict. An object is written once and
//! never changed.

pub mod packed;

use std::path::Path as FilePath;
use std::sync::Arc;

use canasta_engine::archive::LOG_MAX;
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{GetOptions, ObjectStore, PutMode, PutOptions};

/// Maximum length of an object, in bytes: the longest log that is packed, and its index.
const OBJECT_BYTES_MAX: u64 = LOG_MAX as u64 + 4096;

/// A failure of the archive.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchiveFault {
    /// The archive cannot be read or written. It may be later.
    #[error("the archive does not answer: {0}")]
    Unavailable(String),
    /// The archive has no such object.
    #[error("the archive has no {0}")]
    Missing(String),
    /// The object is another one than was written.
    #[error("{path} in the archive is damaged: {problem}")]
    Damaged {
        /// Path of the object.
        path: String,
        /// The damage.
        problem: String,
    },
}

/// The paths of a log and its verdict in the archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectPaths {
    /// Path of the packed log.
    pub log: String,
    /// Path of the verdict.
    pub verdict: String,
}

impl ObjectPaths {
    /// Returns the paths for the log of a game that ends with this head.
    pub fn of(game: GameId, head: &[u8; 32]) -> Self {
        let (id, head) = (hex(&game.0), hex(&head[..8]));
        let path = |ending| format!("games/{}/{id}/{head}.{ending}", &id[..2]);
        Self { log: path("carc"), verdict: path("verdict.json") }
    }
}

/// An archive.
#[derive(Clone)]
pub struct GameArchive(Arc<dyn ObjectStore>);

impl GameArchive {
    /// Returns the archive in this folder, which must exist.
    ///
    /// # Errors
    /// If the folder cannot be used.
    pub fn in_folder(folder: &FilePath) -> Result<Self, ArchiveFault> {
        let store = LocalFileSystem::new_with_prefix(folder);
        let store = store.map_err(|error| ArchiveFault::Unavailable(error.to_string()))?;
        Ok(Self(Arc::new(store.with_fsync(true))))
    }

    /// Puts an object into the archive, unless there is one at its path. Returns the object that is there, as it is read
    /// back.
    ///
    /// # Errors
    /// If the archive does not answer.
    pub async fn put(&self, path: &str, bytes: &[u8]) -> Result<Vec<u8>, ArchiveFault> {
        let options = PutOptions::from(PutMode::Create);
        match self.0.put_opts(&Path::from(path), bytes.to_vec().into(), options).await {
            Ok(_) | Err(object_store::Error::AlreadyExists { .. }) => self.get(path).await,
            Err(error) => Err(ArchiveFault::Unavailable(error.to_string())),
        }
    }

    /// Returns an object.
    ///
    /// # Errors
    /// If the archive does not answer or has no such object, or the object is too long.
    pub async fn get(&self, path: &str) -> Result<Vec<u8>, ArchiveFault> {
        let fault = |error| match error {
            object_store::Error::NotFound { .. } => ArchiveFault::Missing(path.to_owned()),
            error => ArchiveFault::Unavailable(error.to_string()),
        };
        let found = self.0.get_opts(&Path::from(path), GetOptions::default()).await.map_err(fault)?;
        if found.meta.size > OBJECT_BYTES_MAX {
            return Err(damaged(
                path,
                format!("{} bytes, expected at most {OBJECT_BYTES_MAX}", found.meta.size),
            ));
        }
        Ok(found.bytes().await.map_err(fault)?.to_vec())
    }
}

/// Returns the fault of a damaged object.
pub fn damaged(path: &str, problem: impl ToString) -> ArchiveFault {
    ArchiveFault::Damaged { path: path.to_owned(), problem: problem.to_string() }
}
