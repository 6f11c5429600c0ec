//! The spare file: room on the disk for the next start. SQLite cannot open a journal where no byte is free, and then nobody
//! could ask for a game either. A start on a full disk removes the file, and nothing is recorded before it is there again.

use std::fs;
use std::path::{Path, PathBuf};

use crate::folder::write_synced;

/// Length of the file, in bytes: more than SQLite's index of a write-ahead log and the first pages that a start writes.
const BYTES: usize = 1 << 20;

pub struct SpareFile(PathBuf);

impl SpareFile {
    pub fn beside(journal: &Path) -> Self {
        Self(journal.with_file_name("spare"))
    }

    /// Makes the file, unless it is there. Returns false if the disk has no room for it.
    pub fn keep(&self) -> bool {
        // Written, since a file that is only made longer takes no room.
        let made = || write_synced(&self.0, &vec![0; BYTES]).inspect_err(|_| _ = fs::remove_file(&self.0));
        self.0.exists() || made().is_ok()
    }

    pub fn free(&self) {
        if let Err(error) = fs::remove_file(&self.0) {
            tracing::warn!("{}: {error}", self.0.display());
        }
    }
}
