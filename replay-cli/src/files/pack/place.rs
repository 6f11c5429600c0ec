//! The files that packing reads and writes.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

pub use canasta_tournament::durable::NewFile;

/// The files that packing reads and writes. This is a trait because tests implement files that fail at every
/// call.
pub trait ArchiveFiles: Sync {
    fn read(&self, log: &Path, most: u64) -> io::Result<Vec<u8>>;
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Stores the bytes of the archive, then gives it its name, and waits until the name is stored.
    /// Fails if the name is taken.
    fn finish(&mut self) -> io::Result<()>;
}

impl ArchiveFiles for NewFile {
    fn read(&self, log: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(log)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn finish(&mut self) -> io::Result<()> {
        Self::finish(self)
    }
}
