//! Private keys and other secrets on disk, readable by their owner only.

use crate::note::NoteSigner;
use anyhow::Context;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Writes a private key to a new file that only its owner can read.
///
/// # Errors
/// If the file exists already or cannot be written.
pub fn write_new(path: &Path, signer: &NoteSigner) -> io::Result<()> {
    write_secret(path, &signer.to_text())
}

/// Writes a secret of one line to a new file that only its owner can read.
///
/// # Errors
/// If the file exists already or cannot be written.
pub fn write_secret(path: &Path, secret: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => io::Error::other("exists already; a private key is never overwritten"),
        _ => error,
    })?;
    writeln!(file, "{secret}")?;
    file.sync_all()
}

/// Reads a private key from a file that nobody else may read.
///
/// # Errors
/// If the file cannot be read, others can read it, or it holds no key.
pub fn read(path: &Path) -> anyhow::Result<NoteSigner> {
    NoteSigner::parse(&read_secret(path)?).with_context(|| path.display().to_string())
}

/// Reads a secret from a file that nobody else may read.
///
/// # Errors
/// If the file cannot be read, or others can read it.
pub fn read_secret(path: &Path) -> anyhow::Result<String> {
    let name = || path.display().to_string();
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::MetadataExt::mode(&fs::metadata(path).with_context(name)?);
        anyhow::ensure!(mode & 0o077 == 0, "{}: others can use this key: chmod 600 it first", name());
    }
    fs::read_to_string(path).with_context(name)
}
