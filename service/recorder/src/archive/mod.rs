//! The archive: the packed logs of judged games, and beside each its verdict and what else is to be known of the game, so
//! that the archive can be read without a journal. An object is written once and never changed.

mod game;
mod listing;
pub mod packed;
mod probe;
mod s3;
mod settings;

use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use canasta_engine::archive::LOG_MAX;
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{GetOptions, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

pub use game::{ArchivedGame, ObjectDigests};
pub use listing::PATHS_MAX;
pub use settings::ArchiveSettings;

const GAMES: &str = "games";
/// The folder of the lists of games by label.
const LABELS: &str = "labels";

/// Maximum length of an object, in bytes: the longest log that is packed, and its index.
const OBJECT_BYTES_MAX: u64 = LOG_MAX as u64 + 4096;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchiveFault {
    /// The archive cannot be used with these settings.
    #[error("{0}")]
    Unusable(String),
    /// The archive cannot be read or written. It may be later.
    #[error("the archive does not answer: {0}")]
    Unavailable(String),
    #[error("the archive has no {0}")]
    Missing(String),
    /// The object is another one than was written.
    #[error("{path} in the archive is damaged: {problem}")]
    Damaged { path: String, problem: String },
}

impl ArchiveSettings {
    /// Returns the archive of these settings, or else the one in this folder. No server is asked yet.
    ///
    /// # Errors
    /// If the settings are contradictory, or the folder or a file cannot be used.
    pub fn open(&self, folder: &FilePath) -> Result<GameArchive, ArchiveFault> {
        let url = self.archive.as_deref();
        if let Some(bucket) = url.and_then(|url| url.strip_prefix("s3://")) {
            return s3::open(bucket, self);
        }
        let of_s3 =
            [self.archive_endpoint.is_some(), self.archive_credentials.is_some(), self.archive_ca.is_some()];
        if of_s3.contains(&true) {
            let problem = "--archive-endpoint, --archive-credentials, --archive-ca: expected --archive s3://BUCKET/PREFIX";
            return Err(ArchiveFault::Unusable(problem.into()));
        }
        match url.map(|url| url.strip_prefix("file:").filter(|folder| !folder.is_empty())) {
            None => GameArchive::in_folder(folder),
            Some(Some(folder)) => GameArchive::in_folder(FilePath::new(folder)),
            // Not repeated: whoever puts credentials there must not find them in a log.
            Some(None) => {
                let problem = "the URL of the archive: expected file:FOLDER or s3://BUCKET/PREFIX";
                Err(ArchiveFault::Unusable(problem.into()))
            }
        }
    }
}

/// The paths of the objects of a judged log in the archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectPaths {
    pub log: String,
    pub verdict: String,
    /// Path of the [`ArchivedGame`]. It is put last, so where it stands the others stand too.
    pub game: String,
}

impl ObjectPaths {
    /// Returns the paths for the log of a game that ends with this head.
    pub fn of(game: GameId, head: &[u8; 32]) -> Self {
        let (folder, head) = (folder_of(game), hex(&head[..8]));
        let path = |ending| format!("{folder}/{head}.{ending}");
        Self { log: path("carc"), verdict: path("verdict.json"), game: path("game") }
    }
}

/// Returns the path of the folder with a game's objects.
fn folder_of(game: GameId) -> String {
    let id = hex(&game.0);
    format!("{GAMES}/{}/{id}", &id[..2])
}

/// Returns the path of the folder that lists the games with a label: labels have characters that paths have not.
fn label_folder(label: &str) -> String {
    format!("{LABELS}/{}", hex(&digest(label.as_bytes())[..16]))
}

/// Returns the path that puts a game into the list of its label.
fn label_path(label: &str, game: GameId) -> String {
    format!("{}/{}", label_folder(label), hex(&game.0))
}

#[derive(Clone)]
pub struct GameArchive {
    store: Arc<dyn ObjectStore>,
    /// Whether the store lists objects in ascending order of their paths.
    is_sorted: bool,
    /// The folder of an archive of files, without which all objects would seem to be gone.
    folder: Option<PathBuf>,
    /// Filled once the store has proven that it does not replace objects.
    proven: Arc<OnceCell<()>>,
}

impl GameArchive {
    /// Returns an archive in a store. `is_sorted` says that the store lists objects in ascending order of their paths.
    pub fn new(store: Arc<dyn ObjectStore>, is_sorted: bool) -> Self {
        Self { store, is_sorted, folder: None, proven: Arc::default() }
    }

    /// Returns the archive in this folder, which is created for this user alone unless it exists.
    ///
    /// # Errors
    /// If the folder cannot be used, or other users may use it.
    pub fn in_folder(folder: &FilePath) -> Result<Self, ArchiveFault> {
        let fault = |error: std::io::Error| {
            ArchiveFault::Unusable(format!("the archive {}: {error}", folder.display()))
        };
        if !folder.exists() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(fault)?;
        }
        let mode = fs::metadata(folder).map_err(fault)?.mode() & 0o777;
        if mode & 0o077 != 0 {
            let exposed = format!("other users may use it (mode {mode:o}): expected at most 700");
            return Err(ArchiveFault::Unusable(format!("the archive {}: {exposed}", folder.display())));
        }
        let store = LocalFileSystem::new_with_prefix(folder);
        let store = store.map_err(|error| ArchiveFault::Unusable(error.to_string()))?.with_fsync(true);
        Ok(Self { folder: Some(folder.to_owned()), ..Self::new(Arc::new(store), false) })
    }

    /// Puts an object into the archive, unless there is one at its path. Returns the object that is there, as it is read
    /// back.
    ///
    /// # Errors
    /// If the archive does not answer, or replaces objects.
    pub async fn put(&self, path: &str, bytes: &[u8]) -> Result<Vec<u8>, ArchiveFault> {
        self.prove().await?;
        self.create(path, bytes).await?;
        match self.get(path).await {
            // S3 also tells of a rival whose put is still under way.
            Err(ArchiveFault::Missing(path)) => {
                Err(ArchiveFault::Unavailable(format!("{path} is put, and is not there yet")))
            }
            found => found,
        }
    }

    /// Puts an object, unless there is one at its path. Returns whether it is put.
    async fn create(&self, path: &str, bytes: &[u8]) -> Result<bool, ArchiveFault> {
        self.check_mounted().await?;
        let options = PutOptions::from(PutMode::Create);
        match self.store.put_opts(&Path::from(path), bytes.to_vec().into(), options).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
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
        let found = match self.store.get_opts(&Path::from(path), GetOptions::default()).await.map_err(fault) {
            Err(missing @ ArchiveFault::Missing(_)) => {
                return Err(self.check_mounted().await.err().unwrap_or(missing));
            }
            found => found?,
        };
        if found.meta.size > OBJECT_BYTES_MAX {
            return Err(damaged(
                path,
                format!("{} bytes, expected at most {OBJECT_BYTES_MAX}", found.meta.size),
            ));
        }
        Ok(found.bytes().await.map_err(fault)?.to_vec())
    }

    /// Deletes an object, unless it is gone already.
    ///
    /// # Errors
    /// If the archive does not answer.
    pub async fn delete(&self, path: &str) -> Result<(), ArchiveFault> {
        match self.store.delete(&Path::from(path)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(ArchiveFault::Unavailable(error.to_string())),
        }
    }

    /// Deletes everything that the archive has of a game with this label.
    ///
    /// # Errors
    /// If the archive does not answer.
    pub async fn forget(&self, game: GameId, label: &str) -> Result<(), ArchiveFault> {
        self.delete(&label_path(label, game)).await?;
        loop {
            let page = self.list(&folder_of(game), None, PATHS_MAX).await?;
            for path in &page {
                self.delete(path).await?;
            }
            if page.len() < PATHS_MAX {
                return Ok(());
            }
        }
    }

    /// Puts a game into the list of its label, if it has one. What [`GameArchive::archived`] tells decides; a list only saves
    /// to look at all games.
    ///
    /// # Errors
    /// If the archive does not answer.
    pub async fn put_label(&self, game: &ArchivedGame) -> Result<(), ArchiveFault> {
        let label = &game.summary.label;
        if !label.is_empty() {
            self.put(&label_path(label, game.game), label.as_bytes()).await?;
        }
        Ok(())
    }

    /// Returns what stands in the archive about a game, of several logs the longest; `None` if no log of the game was ever
    /// judged.
    ///
    /// # Errors
    /// If the archive does not answer, or an object is damaged.
    pub async fn archived(&self, game: GameId) -> Result<Option<ArchivedGame>, ArchiveFault> {
        let mut longest: Option<ArchivedGame> = None;
        for path in self.heads(game).await? {
            let found = ArchivedGame::decode(&self.get(&path).await?);
            let found = found.filter(|found| ObjectPaths::of(found.game, &found.head).game == path);
            let found = found.ok_or_else(|| damaged(&path, "it tells of no game at this path"))?;
            if longest.as_ref().is_none_or(|longest| found.n() > longest.n()) {
                longest = Some(found);
            }
        }
        Ok(longest)
    }

    /// Returns true if a log of the game was judged and put into the archive.
    ///
    /// # Errors
    /// If the archive does not answer.
    pub async fn has(&self, game: GameId) -> Result<bool, ArchiveFault> {
        Ok(!self.heads(game).await?.is_empty())
    }
}

/// Returns the fault of a damaged object.
pub fn damaged(path: &str, problem: impl ToString) -> ArchiveFault {
    ArchiveFault::Damaged { path: path.to_owned(), problem: problem.to_string() }
}

/// Returns the SHA-256 of bytes.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}
