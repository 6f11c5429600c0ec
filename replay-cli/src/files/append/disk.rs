//! The file of a log.

use anyhow::{Context, bail};
use canasta_tournament::durable::sync_folder;
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The file that `append` writes to. This is a trait because tests implement files that fail at every call.
pub trait Disk {
    /// Reads from byte `at` and returns the number of bytes read; 0 at the end of the file.
    fn read(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize>;
    /// Writes at byte `at`, which is the end of the file, and returns the number of bytes written.
    fn write(&mut self, at: u64, bytes: &[u8]) -> io::Result<usize>;
    /// Cuts the file to `length` bytes.
    fn cut(&mut self, length: u64) -> io::Result<()>;
    /// Waits until everything written has reached the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Stores a torn tail in a file of its own, durably.
    fn keep(&mut self, tail: &[u8]) -> io::Result<()>;
}

/// The file of a log, locked against other writers.
#[derive(Debug)]
pub struct LogFile {
    file: File,
    path: PathBuf,
}

impl LogFile {
    /// Opens the file; creates it if `create` is set and it does not exist.
    ///
    /// # Errors
    /// If the file cannot be opened, or another process appends to it.
    pub fn open(path: &Path, create: bool) -> anyhow::Result<Self> {
        let is_new = create && !path.exists();
        let file = OpenOptions::new().read(true).write(true).create(create).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another process is appending to this log"),
            Err(TryLockError::Error(error)) => return Err(error).context("cannot lock the log"),
        }
        if is_new {
            sync_folder(path.parent().unwrap_or(Path::new("")))?;
        }
        Ok(Self { file, path: path.to_owned() })
    }
}

impl Disk for LogFile {
    fn read(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read(buffer)
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> io::Result<usize> {
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write(bytes)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn keep(&mut self, tail: &[u8]) -> io::Result<()> {
        let mut name = OsString::from(self.path.as_os_str());
        name.push(".torn");
        // A second tail is appended to the first: no tail is overwritten.
        let mut kept = OpenOptions::new().create(true).append(true).open(&name)?;
        kept.write_all(tail)?;
        kept.sync_all()?;
        sync_folder(self.path.parent().unwrap_or(Path::new("")))
    }
}
