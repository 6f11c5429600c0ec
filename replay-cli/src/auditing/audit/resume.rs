//! `audit --resume`: a file of results, so that an audit that was interrupted goes on where it stopped.

use super::kept::AuditOptions;
use super::lines::{ChainedLines, LineChain, LineFault};
use super::summary::AuditedLog;
use crate::shared::paths::{self, Failure};
use anyhow::{Context, bail, ensure};
use canasta_engine::hex::hex;
use canasta_tournament::log_file::note_path;
use canasta_tournament::proof;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The name and version of the format.
const FORMAT: &str = "canasta-audit-state/1";
/// The same without its version.
const FAMILY: &str = "canasta-audit-state/";

/// The results of earlier runs, and a place for those of this run.
pub struct AuditState {
    path: PathBuf,
    /// Digest of the options of this run.
    options: [u8; 32],
    /// Whether notes and proofs beside the logs count.
    has_keys: bool,
    /// The beginning of each key with the place of its line, sorted.
    known: Vec<(u64, u64)>,
    /// The file, for reading.
    lines: Mutex<File>,
    written: Mutex<StateFile>,
}

/// The file of a state, for writing.
struct StateFile {
    file: File,
    chain: LineChain,
    end: u64,
    /// Number of logs whose results were found.
    found: u64,
    /// The first error of writing. Nothing is written behind it.
    failure: Option<io::Error>,
}

/// One line of the file. The key is the SHA-256 of everything on which the result depends.
#[derive(Serialize, Deserialize)]
struct StateLine {
    key: String,
    #[serde(flatten)]
    log: AuditedLog,
}

impl AuditState {
    /// Opens a state, or begins one. A last line that is cut off is removed: the run that wrote it was interrupted.
    ///
    /// # Errors
    /// If the file is something else, was changed, is of a newer format, or is used by another run.
    pub fn open(path: &Path, options: &AuditOptions) -> anyhow::Result<Self> {
        let name = || path.display().to_string();
        let mut open = OpenOptions::new();
        let file = open.read(true).write(true).create(true).truncate(false).open(path).with_context(name)?;
        ensure!(file.try_lock().is_ok(), "{}: another audit uses this state", name());
        let mut known = Vec::new();
        let (chain, end) = read(&file, &mut known).with_context(name)?;
        known.sort_unstable();
        file.set_len(end).with_context(name)?;
        let mut written = StateFile { file, chain, end, found: 0, failure: None };
        if end == 0 {
            written.append(&serde_json::json!({ "format": FORMAT }).to_string());
        }
        let state = Self {
            path: path.to_owned(),
            options: Sha256::digest(serde_json::to_vec(options)?).into(),
            has_keys: options.has_keys(),
            known,
            lines: Mutex::new(File::open(path).with_context(name)?),
            written: Mutex::new(written),
        };
        match state.failure() {
            Some(failure) => bail!("{}: {}", failure.path, failure.error),
            None => Ok(state),
        }
    }

    /// Returns the result of a log, if an earlier run has audited the same bytes under the same name with the same
    /// options. `tap` gets every chunk of the log.
    pub fn find(&self, path: &Path, tap: &mut dyn FnMut(&[u8])) -> Option<AuditedLog> {
        let content = digest(File::open(path).ok()?, tap).ok()?;
        let key = self.key(path, content).ok()?;
        let first = beginning(&key);
        let from = self.known.partition_point(|&(known, _)| known < first);
        let same = self.known[from..].iter().take_while(|&&(known, _)| known == first);
        let line = same.filter_map(|&(_, place)| self.line(place)).find(|line| line.key == key)?;
        locked(&self.written).found += 1;
        Some(line.log)
    }

    /// Whether there is any earlier result.
    pub fn knows_any(&self) -> bool {
        !self.known.is_empty()
    }

    /// Stores the result of a log whose bytes have this digest.
    pub fn keep(&self, path: &Path, digest: Sha256, log: &AuditedLog) {
        // A file beside the log that cannot be read now could be read by the audit: this result is not stored.
        let Ok(key) = self.key(path, digest) else { return };
        let line = StateLine { key, log: log.clone() };
        let text = serde_json::to_string(&line).expect("memory takes everything");
        locked(&self.written).append(&text);
    }

    /// Returns the error because of which results are no longer stored.
    pub fn failure(&self) -> Option<Failure> {
        locked(&self.written).failure.as_ref().map(|error| paths::failure(&self.path, error))
    }

    /// Returns the number of results that were found, and of all that were stored before.
    pub fn found(&self) -> (u64, u64) {
        (locked(&self.written).found, self.known.len() as u64)
    }

    /// Returns the key of a log: options, name, content, and the content of the note and the proof beside it.
    fn key(&self, path: &Path, content: Sha256) -> io::Result<String> {
        let name = path.display().to_string();
        let mut key = Sha256::new_with_prefix(FORMAT);
        key.update(self.options);
        key.update((name.len() as u64).to_be_bytes());
        key.update(name);
        key.update(content.finalize());
        if self.has_keys {
            for beside in [note_path(path), path.with_extension(proof::EXTENSION)] {
                match File::open(beside) {
                    Ok(file) => {
                        key.update([1]);
                        key.update(digest(file.take(proof::BYTES_MAX + 1), &mut |_| {})?.finalize());
                    }
                    Err(error) if error.kind() == ErrorKind::NotFound => key.update([0]),
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(hex(&key.finalize()))
    }

    /// Reads the line at this place again. The whole file was checked when it was opened, and is locked.
    fn line(&self, place: u64) -> Option<StateLine> {
        let mut file = locked(&self.lines);
        file.seek(SeekFrom::Start(place)).ok()?;
        let mut line = String::new();
        BufReader::new(&*file).take(super::lines::LINE_MAX as u64).read_line(&mut line).ok()?;
        serde_json::from_str(line.split_once(' ')?.1).ok()
    }
}

impl Drop for StateFile {
    /// Gives the file free at once: a program that was started meanwhile may still hold a copy of the handle.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl StateFile {
    /// Appends a line in one write. A line that is too long is left out; after an error nothing is written.
    fn append(&mut self, text: &str) {
        if self.failure.is_some() {
            return;
        }
        let mut chain = self.chain;
        let Some(line) = chain.line(text) else { return };
        let written =
            self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(line.as_bytes()));
        match written {
            Ok(()) => {
                self.chain = chain;
                self.end += line.len() as u64;
            }
            Err(error) => {
                // What was written of the line is cut off when the state is opened again, if not now.
                let _ = self.file.set_len(self.end);
                self.failure = Some(error);
            }
        }
    }
}

/// Checks every line of a state and collects the places of the results. Returns the chain and the end of its last whole line.
fn read(file: &File, known: &mut Vec<(u64, u64)>) -> anyhow::Result<(LineChain, u64)> {
    let mut lines = ChainedLines::new(BufReader::with_capacity(paths::CHUNK, file), FORMAT);
    let mut is_first = true;
    loop {
        let place = lines.end().1;
        let text = match lines.next() {
            Ok(Some(text)) => text,
            Ok(None) => return Ok(lines.end()),
            Err(LineFault::Torn) if is_first && !is_begun(file)? => bail!(foreign()),
            Err(LineFault::Torn) => return Ok(lines.end()),
            Err(LineFault::Changed(1)) => bail!(other_format(file)?),
            Err(fault @ LineFault::Changed(_)) => {
                bail!("{fault}: nothing in this state can be believed. Remove the file, and audit again")
            }
            Err(LineFault::Disk(error)) => return Err(error.into()),
        };
        if std::mem::take(&mut is_first) {
            let head: Value = serde_json::from_str(&text).unwrap_or_default();
            ensure!(head["format"] == FORMAT, foreign());
            continue;
        }
        let line: StateLine = serde_json::from_str(&text).context("a line of it is no result of an audit")?;
        known.push((beginning(&line.key), place));
    }
}

/// Returns whether a file of one cut line may be the beginning of a state.
fn is_begun(mut file: &File) -> io::Result<bool> {
    let mut chain = LineChain::new(FORMAT);
    let line = chain.line(&serde_json::json!({ "format": FORMAT }).to_string()).unwrap_or_default();
    let mut found = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(line.len() as u64 + 1).read_to_end(&mut found)?;
    Ok(line.as_bytes().starts_with(&found))
}

/// Returns what is wrong with a file whose first line is not that of a state.
fn other_format(mut file: &File) -> io::Result<String> {
    let mut start = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(256).read_to_end(&mut start)?;
    let start = String::from_utf8_lossy(&start);
    let newer = start.lines().next().and_then(|line| line.split_once(FAMILY)).map(|(_, rest)| rest);
    let version = newer.and_then(|rest| rest.split('"').next()).filter(|version| *version != "1");
    Ok(match version.filter(|version| version.parse::<u32>().is_ok()) {
        Some(version) => {
            format!(
                "the state is of format {version}, written by a newer version: this one reads 1. Name another file"
            )
        }
        None => foreign(),
    })
}

fn foreign() -> String {
    "expected a state that audit --resume has written, found another file. Name another file".into()
}

/// Returns the digest of all that can be read. `tap` gets every chunk.
fn digest(from: impl Read, tap: &mut dyn FnMut(&[u8])) -> io::Result<Sha256> {
    let mut digest = Sha256::new();
    paths::feed(from, |piece| {
        tap(piece);
        digest.update(piece);
        true
    })?;
    Ok(digest)
}

fn beginning(key: &str) -> u64 {
    key.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
