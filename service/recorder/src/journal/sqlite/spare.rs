//! The spare file: room on the disk for the next start. SQLite cannot open a journal where no byte is free, and then nobody
//! could ask for a game either. A start on a full disk removes the file, and nothing is recorded before it is there again.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// Length of the file, in bytes: more than SQLite's index of a write-ahead log and the first pages that a start writes.
const BYTES: usize = 1 << 20;

pub struct SpareFile(PathBuf);

impl SpareFile {
    pub fn beside(journal: &Path) -> Self {
        Self(journal.with_file_name("spare"))
    }

    /// Makes the file, unless it is there. Returns false if the disk has no room for it.
    pub fn keep(&self) -> bool {
        self.0.exists() || self.make().inspect_err(|_| _ = fs::remove_file(&self.0)).is_ok()
    }

    pub fn free(&self) {
        if let Err(error) = fs::remove_file(&self.0) {
            tracing::warn!("{}: {error}", self.0.display());
        }
    }

    fn make(&self) -> std::io::Result<()> {
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&self.0)?;
        // Written, since a file that is only made longer takes no room.
        file.write_all(&vec![0; BYTES])?;
        file.sync_all()
    }
}
