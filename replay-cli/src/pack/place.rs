//! The files that packing reads and writes.

use anyhow::ensure;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// What packing asks of its files. A trait because tests put a disk under it that fails at every call.
pub trait ArchiveFiles: Sync {
    /// The first `most` bytes of a log.
    ///
    /// # Errors
    /// Those of the disk.
    fn read(&self, log: &Path, most: u64) -> io::Result<Vec<u8>>;
    /// Writes behind what has been written of the archive.
    ///
    /// # Errors
    /// Those of the disk.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Gives the archive its name once its bytes are stored, and returns when the name is.
    ///
    /// # Errors
    /// Those of the disk, or that the name is taken.
    fn finish(&mut self) -> io::Result<()>;
}

/// An archive being written, under another name until it is whole.
#[derive(Debug)]
pub struct NewFile {
    file: BufWriter<File>,
    partial: PathBuf,
    path: PathBuf,
    force: bool,
}

impl NewFile {
    /// An archive that will have this name; `force` puts it in the place of another.
    ///
    /// # Errors
    /// If the name is taken or is no file's, or nothing can be written beside it.
    pub fn create(path: &Path, force: bool) -> anyhow::Result<Self> {
        ensure!(force || !path.exists(), "exists already (--force writes over it)");
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
            let reason = format!("{}: exists already (--force writes over it)", self.path.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
        fs::rename(&self.partial, &self.path)?;
        sync_directory(&self.path)
    }
}

impl Drop for NewFile {
    /// What did not become an archive goes away; after [`ArchiveFiles::finish`] there is nothing of that name.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.partial);
    }
}

/// A new name lasts once its directory is stored.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}
