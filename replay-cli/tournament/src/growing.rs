//! Logs that grow on disk. Of a log only what is new is read.

use crate::log_file::feed;
use crate::timeline::Timeline;
use anyhow::Context;
use canasta_engine::log::record::Genesis;
use canasta_engine::log::{Chain, Head, LogError, Reader, Record};
use std::fs::{File, Metadata};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The good prefix of a log that may still grow.
#[derive(Debug)]
pub struct GrowingLog {
    pub path: PathBuf,
    pub genesis: Genesis,
    /// The heads of all records, in order.
    heads: Vec<Head>,
    pub has_ended: bool,
    /// Length of the good prefix, in bytes.
    pub length: u64,
    /// The fault behind the good prefix. A record that is not whole yet is none.
    pub fault: Option<LogError>,
    /// Length and time of the file when it was read.
    file: (u64, Option<SystemTime>),
}

impl GrowingLog {
    /// Reads a log up to the last whole record that its chain reaches. Returns `None` if not even the first record is
    /// there: a log that is being created.
    ///
    /// # Errors
    /// If the file cannot be read, or is no log.
    pub fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        Self::read_on(path, None, Reader::new())
    }

    /// Reads what has come behind the good prefix since the last time. A file that was replaced is read as a whole.
    ///
    /// # Errors
    /// As [`GrowingLog::read`].
    pub fn again(self) -> anyhow::Result<Option<Self>> {
        let path = self.path.clone();
        let name = || path.display().to_string();
        let file = state(&path.metadata().with_context(name)?);
        if file == self.file {
            return Ok(Some(self));
        }
        if file.0 <= self.file.0 {
            return Self::read(&path);
        }
        let reader = self.reader();
        match Self::read_on(&path, Some(self), reader)? {
            // The bytes behind the prefix do not go on from it: the prefix may be another one now.
            Some(log) if log.fault.is_some() => Self::read(&path),
            log => Ok(log),
        }
    }

    fn read_on(path: &Path, mut log: Option<Self>, mut reader: Reader) -> anyhow::Result<Option<Self>> {
        let name = || path.display().to_string();
        let mut open = File::open(path).with_context(name)?;
        let file = open.metadata().map(|data| state(&data)).with_context(name)?;
        open.seek(SeekFrom::Start(reader.offset())).with_context(name)?;
        feed(open, |mut chunk| {
            while let Ok(Some(frame)) = reader.next(&mut chunk) {
                match (&mut log, frame.record()) {
                    (None, Ok(Record::Genesis(genesis))) => {
                        let (path, genesis, heads) = (path.to_owned(), *genesis, vec![frame.head]);
                        log = Some(Self {
                            path,
                            genesis,
                            heads,
                            has_ended: false,
                            length: 0,
                            fault: None,
                            file,
                        });
                    }
                    (None, _) => return false,
                    (Some(log), record) => {
                        log.heads.push(frame.head);
                        log.has_ended |= matches!(record, Ok(Record::GameEnd(_)));
                    }
                }
            }
            reader.fault().is_none()
        })
        .with_context(name)?;
        let fault = reader.fault().cloned();
        match (log, fault) {
            (None, Some(fault)) => Err(fault).with_context(name),
            (None, None) => Ok(None),
            (Some(log), fault) => Ok(Some(Self { length: reader.offset(), fault, file, ..log })),
        }
    }

    /// Returns a reader that goes on behind the good prefix.
    pub fn reader(&self) -> Reader {
        Reader::resume(Chain { next: self.records(), head: self.head() }, self.length)
    }

    pub fn records(&self) -> u64 {
        self.heads.len() as u64
    }

    /// Returns the head of the last record.
    pub fn head(&self) -> Head {
        *self.heads.last().expect("a log has its first record")
    }

    /// Returns the number of the first of these records that the log does not have with its head; `None` if it has all.
    pub fn lacks(&self, records: &[(u64, Head)]) -> Option<u64> {
        let has = |&(n, head): &(u64, Head)| self.heads.get(n as usize) == Some(&head);
        records.iter().find(|record| !has(record)).map(|&(n, _)| n)
    }

    /// Returns why no record of the log may be signed: it is a branch, or contradicts what was signed of its game.
    pub fn refusal(&self, timeline: &Timeline) -> io::Result<Option<String>> {
        if let Some(fork) = self.genesis.fork_of {
            return Ok(Some(fork.to_string()));
        }
        let game = timeline.games.get(&self.genesis.game_id).filter(|game| game.is_open());
        let Some(watched) = game.and_then(|game| game.watched.as_ref()) else { return Ok(None) };
        let found =
            watched.contradicted_by(Some(&self.genesis), self.records(), |heads| Ok(self.lacks(heads)))?;
        Ok(found.into_iter().next())
    }
}

/// Returns what changes when a file is written to.
fn state(file: &Metadata) -> (u64, Option<SystemTime>) {
    (file.len(), file.modified().ok())
}
