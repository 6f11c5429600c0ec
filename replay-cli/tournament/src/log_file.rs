//! Logs on disk, and the signed notes that stand beside them.

use crate::entry::GameEntry;
use crate::files::read_text_if_there;
use crate::note;
use crate::proof::{self, InclusionProof};
use anyhow::Context;
use base64ct::{Base64, Encoding};
use canasta_engine::log::audit::{Auditor, Expect, Report};
use canasta_engine::log::record::{CHECKPOINT_MAX, Genesis};
use canasta_engine::log::{Head, Reader, checkpoint};
use canasta_engine::rules::Rules;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The extension of a log's file name.
pub const EXTENSION: &str = "clog";

/// The size of the chunks in which files are copied, in bytes.
pub const CHUNK: usize = 1 << 16;

/// The size of the buffer of [`feed`], in bytes. It is cleared for each log, and most logs are shorter.
const FEED: usize = 1 << 14;

/// Reads `reader` chunk by chunk until it ends or `take` returns `false`.
///
/// # Errors
/// If reading fails.
pub fn feed(mut reader: impl Read, mut take: impl FnMut(&[u8]) -> bool) -> io::Result<()> {
    let mut chunk = vec![0; FEED];
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(length) => {
                if !take(&chunk[..length]) {
                    return Ok(());
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns threads for work without an order; 0 means one per processor.
///
/// # Errors
/// If the threads cannot be started.
pub fn pool(threads: usize) -> anyhow::Result<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")
}

/// The expectations of a log whose game may still be in progress.
pub const LIVE: Expect = Expect { live: true, head: None, record: None, salvage: false };

/// Audits a log, reading it chunk by chunk.
///
/// # Errors
/// If the file cannot be read.
pub fn audit(log: &Path) -> io::Result<Report> {
    let mut auditor = Auditor::new(Expect::default());
    feed(File::open(log)?, |chunk| auditor.feed(chunk))?;
    Ok(auditor.finish())
}

/// Returns whether a log has a record with this number and head.
///
/// # Errors
/// If the file cannot be read.
pub fn has_record(log: &Path, n: u64, head: &Head) -> io::Result<bool> {
    Ok(lacks(log, &[(n, *head)])?.is_none())
}

/// Returns the number of the first of these records, in their order, that a log does not have with its head; `None` if
/// the log has all of them. The numbers must not fall.
///
/// # Errors
/// If the file cannot be read.
pub fn lacks(log: &Path, records: &[(u64, Head)]) -> io::Result<Option<u64>> {
    let (mut reader, mut left) = (Reader::new(), records);
    feed(File::open(log)?, |mut chunk| {
        while let Ok(Some(frame)) = reader.next(&mut chunk) {
            while let [(n, head), rest @ ..] = left
                && *n == frame.n
            {
                if *head != frame.head {
                    return false;
                }
                left = rest;
            }
        }
        !left.is_empty()
    })?;
    Ok(left.first().map(|&(n, _)| n))
}

/// Returns the rules that a genesis record names, if this version plays them.
pub fn rules_of(genesis: &Genesis) -> Option<Rules> {
    genesis.rules().ok()
}

/// Returns the path of the note beside a log, `LOG.note`.
pub fn note_path(log: &Path) -> PathBuf {
    let mut path = log.as_os_str().to_owned();
    path.push(".note");
    path.into()
}

/// The signed note beside a log, as `sign` writes it.
pub struct LogNote {
    pub text: String,
    /// Number and head of the record that the note signs, if the note is a checkpoint.
    pub over: Option<(u64, Head)>,
}

impl LogNote {
    /// Reads the note beside the log, if there is one.
    ///
    /// # Errors
    /// If the note exists and cannot be read, or is longer than a checkpoint can be.
    pub fn read(log: &Path) -> anyhow::Result<Option<Self>> {
        let text = read_text_if_there(&note_path(log), CHECKPOINT_MAX as u64)?;
        Ok(text.map(Self::parse))
    }

    pub fn parse(text: String) -> Self {
        let over = over(&text);
        Self { text, over }
    }

    /// Returns whether the note is a checkpoint of the game with this genesis.
    pub fn is_of(&self, genesis: Option<&Genesis>) -> bool {
        let body =
            genesis.zip(self.over).map(|(genesis, (n, head))| checkpoint::body(&genesis.game_id, n, &head));
        body.is_some_and(|body| self.text.starts_with(&body))
    }
}

/// The proof beside a log, `*.tlog-proof`, that the log is in a tournament's tree.
pub struct LogProof {
    /// The signed checkpoint of the tree.
    pub note: String,
    pub entry: GameEntry,
}

impl LogProof {
    /// Reads the proof beside the log, if there is one. A proof of anything but a game is none.
    ///
    /// # Errors
    /// If the proof exists and cannot be read.
    pub fn read(log: &Path) -> anyhow::Result<Option<Self>> {
        let path = log.with_extension(proof::EXTENSION);
        let Some(text) = read_text_if_there(&path, proof::BYTES_MAX)? else { return Ok(None) };
        let parsed = InclusionProof::parse(&text).with_context(|| path.display().to_string())?.0;
        let entry = GameEntry::from_bytes(&parsed.leaf);
        Ok(entry.map(|entry| Self { note: parsed.note, entry }))
    }
}

/// Parses number and head of the record that a checkpoint signs.
fn over(note: &str) -> Option<(u64, Head)> {
    let mut lines = note.lines().skip(1);
    let n = lines.next()?.parse().ok()?;
    let head = Base64::decode_vec(lines.next()?).ok()?;
    note::split(note)?;
    Some((n, head.try_into().ok()?))
}
