//! One of two copies of a log, read record by record.

use crate::shared::paths;
use crate::shared::text::PlayerNames;
use anyhow::Context;
use canasta_engine::log::record::{ActionRecord, Genesis};
use canasta_engine::log::{Head, LogError, Reader, Record, checkpoint, is_signed};
use canasta_tournament::log_file::LogNote;
use canasta_tournament::note::{NoteVerifier, Opened};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A copy of a log, read record by record.
pub struct LogCopy<'k> {
    pub path: PathBuf,
    keys: &'k [NoteVerifier],
    /// Number of the last record of this copy that each key signed, by index of the key.
    pub signed: Vec<Option<u64>>,
    beside: Option<LogNote>,
    source: BufReader<Box<dyn Read + 'k>>,
    reader: Reader,
    pub fault: Option<LogError>,
    pub genesis: Option<Genesis>,
}

#[derive(PartialEq, Eq)]
pub struct CopyRecord {
    pub n: u64,
    pub offset: u64,
    before: Head,
    pub head: Head,
    pub payload: Vec<u8>,
}

impl<'k> LogCopy<'k> {
    pub fn open(path: &Path, keys: &'k [NoteVerifier]) -> anyhow::Result<Self> {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        Self::of(path, Box::new(file), keys)
    }

    pub fn of(path: &Path, source: Box<dyn Read + 'k>, keys: &'k [NoteVerifier]) -> anyhow::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            keys,
            signed: vec![None; keys.len()],
            beside: if keys.is_empty() || paths::is_stdin(path) { None } else { LogNote::read(path)? },
            source: BufReader::with_capacity(paths::CHUNK, source),
            reader: Reader::new(),
            fault: None,
            genesis: None,
        })
    }

    /// Reads the next record; returns `None` at the end and at a fault, which is then stored in `fault`.
    pub fn next(&mut self) -> anyhow::Result<Option<CopyRecord>> {
        loop {
            let mut piece = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                piece => piece.with_context(|| self.path.display().to_string())?,
            };
            let length = piece.len();
            let found = match self.reader.next(&mut piece) {
                Ok(frame) => frame.map(|frame| CopyRecord {
                    n: frame.n,
                    offset: frame.offset,
                    before: frame.before,
                    head: frame.head,
                    payload: frame.payload.to_vec(),
                }),
                Err(fault) => {
                    self.fault = Some(fault);
                    return Ok(None);
                }
            };
            let read = length - piece.len();
            self.source.consume(read);
            if let Some(entry) = found {
                self.look_at(&entry);
                return Ok(Some(entry));
            }
            if length == 0 {
                self.fault = std::mem::take(&mut self.reader).finish().err();
                return Ok(None);
            }
        }
    }

    /// Reads to the end and returns the number of records read.
    pub fn count_rest(&mut self) -> anyhow::Result<u64> {
        let mut records = 0;
        while self.next()?.is_some() {
            records += 1;
        }
        Ok(records)
    }

    /// Returns the names of the players, once the genesis record has been read.
    pub fn names(&self) -> Option<PlayerNames> {
        self.genesis.as_ref().map(PlayerNames::of)
    }

    /// Stores the genesis record, and which keys signed the record.
    fn look_at(&mut self, entry: &CopyRecord) {
        if self.keys.is_empty() && entry.n > 0 {
            return;
        }
        match Record::decode(&entry.payload) {
            Ok(Record::Genesis(genesis)) if entry.n == 0 => self.genesis = Some(*genesis),
            Ok(record) if entry.n > 0 => {
                if let Some(note) = record.checkpoint() {
                    self.note(note, entry.n - 1, &entry.before);
                }
            }
            _ => {}
        }
        if self.beside.as_ref().and_then(|beside| beside.over) == Some((entry.n, entry.head))
            && let Some(beside) = self.beside.take()
        {
            self.note(&beside.text, entry.n, &entry.head);
        }
    }

    /// Verifies a note that should sign this record.
    fn note(&mut self, note: &str, n: u64, head: &Head) {
        let Some(genesis) = &self.genesis else { return };
        if !note.starts_with(&checkpoint::body(&genesis.game_id, n, head)) {
            return;
        }
        for (signed, key) in self.signed.iter_mut().zip(self.keys) {
            if key.open(note) == Opened::Signed {
                *signed = Some(n).max(*signed);
            }
        }
    }

    /// Returns the index in the genesis record of the player whose key signed this action.
    pub fn signer(&self, entry: &CopyRecord) -> Option<usize> {
        let Ok(Record::Action(record)) = Record::decode(&entry.payload) else { return None };
        let ActionRecord { actor: Some(seat), signature: Some(signature), action, .. } = &*record else {
            return None;
        };
        let players = &self.genesis.as_ref()?.players;
        players.iter().position(|player| {
            player.key.is_some_and(|key| is_signed(&key, &entry.before, *seat, action, signature))
        })
    }
}
