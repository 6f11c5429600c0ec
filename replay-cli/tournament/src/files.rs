//! The files of a site, written so that a crash leaves either the old or the new content of each file.

use crate::durable;
use anyhow::{Context, ensure};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The files of a site. Paths are relative to the site and use `/`.
///
/// This is a trait because tests implement files that fail, or lose writes, at every call.
///
/// # Errors
/// Every function fails if the disk does.
pub trait SiteFiles {
    /// Reads at most `most` + 1 bytes of a file, or returns `None` if it does not exist. `most` + 1 bytes mean that the
    /// file is longer than `most`.
    fn read(&self, path: &str, most: u64) -> io::Result<Option<Vec<u8>>>;
    /// Creates or replaces a file atomically.
    fn put(&mut self, path: &str, bytes: &[u8]) -> io::Result<()>;
    /// Waits until everything that was put has reached the disk.
    fn settle(&mut self) -> io::Result<()>;
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// If the file cannot be read or is longer, with its name.
pub fn read_bounded(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let (mut bytes, name) = (Vec::new(), || path.display().to_string());
    File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).with_context(name)?;
    ensure!(bytes.len() as u64 <= most, "{}: expected at most {most} bytes", name());
    Ok(bytes)
}

/// Reads a text of at most `most` bytes.
///
/// # Errors
/// As [`read_bounded`], and if the file is not text.
pub fn read_text(path: &Path, most: u64) -> anyhow::Result<String> {
    let text = String::from_utf8(read_bounded(path, most)?).ok();
    text.with_context(|| format!("{}: stream did not contain valid UTF-8", path.display()))
}

/// Reads a text as [`read_text`] does; `None` if there is no such file.
///
/// # Errors
/// As [`read_text`].
pub fn read_text_if_there(path: &Path, most: u64) -> anyhow::Result<Option<String>> {
    path.exists().then(|| read_text(path, most)).transpose()
}

/// [`SiteFiles::read`], for readers of a site that may be another than the one on disk.
pub type ReadFile<'a> = dyn Fn(&str, u64) -> io::Result<Option<Vec<u8>>> + 'a;

#[derive(Debug)]
pub struct Directory {
    root: PathBuf,
    /// Directories whose entries may not have reached the disk.
    unsettled: BTreeSet<PathBuf>,
    /// The lock that a writer holds.
    lock: Option<File>,
}

impl Directory {
    /// Returns a directory for reading.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), unsettled: BTreeSet::new(), lock: None }
    }

    /// Returns a directory for writing: creates it if it does not exist, and locks it against other writers.
    ///
    /// # Errors
    /// If the directory cannot be created, or another process holds the lock.
    pub fn locked(root: &Path) -> anyhow::Result<Self> {
        let mut directory = Self::new(root);
        directory.make(root)?;
        let file = File::open(root)?;
        match file.try_lock() {
            Ok(()) => directory.lock = Some(file),
            Err(TryLockError::WouldBlock) => anyhow::bail!("another process is publishing here"),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        Ok(directory)
    }

    /// Creates a directory, and remembers that the entries of all its ancestors must reach the disk.
    fn make(&mut self, directory: &Path) -> io::Result<()> {
        for above in directory.ancestors() {
            let named = if above.as_os_str().is_empty() { Path::new(".") } else { above };
            self.unsettled.insert(named.to_owned());
            if Some(above) == self.root.parent() {
                break;
            }
        }
        fs::create_dir_all(directory)
    }
}

impl SiteFiles for Directory {
    fn read(&self, path: &str, most: u64) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        match File::open(self.root.join(path)) {
            Ok(file) => file.take(most + 1).read_to_end(&mut bytes).map(|_| Some(bytes)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn put(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.root.join(path);
        let directory = path.parent().unwrap_or(&self.root).to_owned();
        self.make(&directory)?;
        durable::put(&path, bytes)
    }

    fn settle(&mut self) -> io::Result<()> {
        self.unsettled.iter().try_for_each(|directory| durable::sync_folder(directory))?;
        self.unsettled.clear();
        Ok(())
    }
}
