//! The files under a site, written so that a crash leaves the old one or the new one.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// What a site asks of its files; paths are relative, with `/`. A trait because tests put files under it that
/// fail, or forget, at every call.
pub trait Files {
    /// The first `most` + 1 bytes of a file: one more than `most` says that it is longer. `None` where there is none.
    ///
    /// # Errors
    /// Those of the disk.
    fn read(&self, path: &str, most: u64) -> io::Result<Option<Vec<u8>>>;
    /// Makes a file, or puts it in the place of another: whole, or not at all.
    ///
    /// # Errors
    /// Those of the disk.
    fn put(&mut self, path: &str, bytes: &[u8]) -> io::Result<()>;
    /// Returns when everything that was put has reached the disk.
    ///
    /// # Errors
    /// Those of the disk.
    fn settle(&mut self) -> io::Result<()>;
}

/// A directory.
#[derive(Debug)]
pub struct Directory {
    root: PathBuf,
    /// Directories with names that may not have reached the disk.
    unsettled: BTreeSet<PathBuf>,
    /// Held while somebody writes.
    lock: Option<File>,
}

impl Directory {
    /// A directory to read from.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), unsettled: BTreeSet::new(), lock: None }
    }

    /// A directory to write to, made if it does not exist, locked against others that write.
    ///
    /// # Errors
    /// If it cannot be made, or another process writes to it.
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

    /// Makes a directory; the names of all down to it must reach the disk.
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

impl Files for Directory {
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
        let mut name = path.clone().into_os_string();
        name.push(".part");
        let mut file = File::create(&name)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&name, &path)
    }

    fn settle(&mut self) -> io::Result<()> {
        for directory in &self.unsettled {
            File::open(directory)?.sync_all()?;
        }
        self.unsettled.clear();
        Ok(())
    }
}
