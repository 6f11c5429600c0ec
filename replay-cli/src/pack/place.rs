//! The files that packing reads and writes.

use anyhow::ensure;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The files that packing reads and writes. This is a trait because tests implement files that fail at every
/// call.
pub trait ArchiveFiles: Sync {
    /// Reads at most `most` bytes of a log.
    ///
    /// # Errors
    /// If the disk fails.
    fn read(&self, log: &Path, most: u64) -> io::Result<Vec<u8>>;
    /// Appends bytes to the archive.
    ///
    /// # Errors
    /// If the disk fails.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Stores the bytes of the archive, then gives it its name, and waits until the name is stored.
    ///
    /// # Errors
    /// If the disk fails, or the name is taken.
    fn finish(&mut self) -> io::Result<()>;
}

/// An archive that is being written; it has another name until it is whole.
#[derive(Debug)]
pub struct NewFile {
    file: BufWriter<File>,
    partial: PathBuf,
    path: PathBuf,
    force: bool,
}

impl NewFile {
    /// Creates an archive that will have this name; `force` replaces an existing file.
    ///
    /// # Errors
    /// If the name is taken or names a directory, or the directory cannot be written.
    pub fn create(path: &Path, force: bool) -> anyhow::Result<Self> {
        ensure!(force || !path.exists(), "exists already (--force overwrites it)");
        ensure!(path.file_name().is_some() && !path.is_dir(), "expected the name of a file");
        let mut partial = path.as_os_str().to_owned();
        partial.push(format!(".partial-{}", std::process::id()));
        let partial = PathBuf::from(partial);
        let file = OpenOptions::new().write(true).create_new(true).open(&partial)?;
        Ok(Self { file: BufWriter::new(file), partial, path: path.to_owned(), force })
    }
}

impl ArchiveFiles for NewFile {
    fn read(&self, log: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(log)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.file.flush().and_then(|()| self.file.get_ref().sync_all())?;
        if !self.force && self.path.exists() {
            let reason = format!("{}: exists already (--force overwrites it)", self.path.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
        fs::rename(&self.partial, &self.path)?;
        sync_directory(&self.path)
    }
}

impl Drop for NewFile {
    /// Removes an unfinished archive; after [`ArchiveFiles::finish`] there is no file of that name.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.partial);
    }
}

/// Waits until a new name in a directory has reached the disk.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}
