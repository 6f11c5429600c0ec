//! A witness (C2SP tlog-witness): it cosigns a checkpoint that goes on from the last one that it saw of the same tree.

use crate::checkpoint::Checkpoint;
use crate::cosign::cosign;
use crate::durable;
use crate::files::read_text;
use crate::merkle::{Hash, is_consistent};
use crate::note::{NoteSigner, NoteVerifier, Opened, split};
use crate::proof;
use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Maximum size of a request to a witness, in bytes.
pub const REQUEST_MAX: usize = 1 << 17;
/// Maximum number of hashes in a consistency proof.
const HASHES_MAX: usize = 63;
/// Maximum size of the state of a witness, in bytes.
const STATE_MAX: u64 = 1 << 22;

/// A tree that a witness watches: its origin, and the key that signs its checkpoints.
#[derive(Clone, Debug)]
pub struct WatchedTree {
    /// The name of the tree.
    pub origin: String,
    pub key: NoteVerifier,
}

pub struct Witness {
    signer: NoteSigner,
    trees: Vec<WatchedTree>,
    state: WitnessState,
}

/// The last checkpoint that a witness cosigned of each tree, in a file that is replaced in one step.
struct WitnessState {
    path: PathBuf,
    seen: BTreeMap<String, SeenTree>,
    /// Held while the witness runs: two witnesses with one state could sign a fork.
    _lock: File,
}

/// A size and a root.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenTree {
    size: u64,
    #[serde(with = "crate::entry::hexed")]
    root: Hash,
}

/// The answer of a witness to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WitnessReply {
    Cosigned(String),
    /// The request is malformed, or its old size is larger than the checkpoint.
    Bad(&'static str),
    /// No watched tree has this origin.
    Unknown,
    /// The key of the tree did not sign the checkpoint.
    Unsigned,
    /// The last size that was cosigned is this one, or the root of that size is another.
    Conflict(u64),
    /// The proof does not lead from the last checkpoint to this one.
    Inconsistent,
    /// The state could not be stored, so nothing is signed.
    Failed(String),
}

/// A request: the size that the sender believes was seen last, the proof, and the checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessRequest {
    pub old: u64,
    pub proof: Vec<Hash>,
    /// The signed checkpoint.
    pub note: String,
}

impl WitnessRequest {
    /// Returns the body of the request.
    pub fn to_text(&self) -> String {
        format!("old {}\n{}\n{}", self.old, proof::lines(&self.proof), self.note)
    }

    /// Parses the body of a request.
    pub fn parse(body: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(body).ok().filter(|text| text.len() <= REQUEST_MAX)?;
        let (head, note) = text.split_once("\n\n")?;
        let mut lines = head.split('\n');
        let old = lines.next()?.strip_prefix("old ")?.parse().ok()?;
        let request = Self { old, proof: proof::hashes(lines)?, note: note.to_owned() };
        (request.proof.len() <= HASHES_MAX && request.to_text() == text).then_some(request)
    }
}

impl Witness {
    /// Opens a witness with its state; a state that does not exist begins empty.
    ///
    /// # Errors
    /// If the state cannot be read, or another witness uses it.
    pub fn open(signer: NoteSigner, trees: Vec<WatchedTree>, state: &Path) -> anyhow::Result<Self> {
        Ok(Self { signer, trees, state: WitnessState::open(state)? })
    }

    /// Returns the size of the last checkpoint of a tree that this witness cosigned; 0 if it never did.
    pub fn seen(&self, origin: &str) -> u64 {
        self.state.seen.get(origin).map_or(0, |seen| seen.size)
    }

    /// Judges a request, and cosigns its checkpoint at this time (in seconds since 1970) after storing that it did.
    pub fn add_checkpoint(&mut self, body: &[u8], time: u64) -> WitnessReply {
        let Some(request) = WitnessRequest::parse(body) else {
            return WitnessReply::Bad("expected `old SIZE`, hashes, an empty line and a checkpoint");
        };
        let Ok(checkpoint) = Checkpoint::parse(&request.note) else {
            return WitnessReply::Bad("expected a checkpoint of three lines");
        };
        let mut keys = self.trees.iter().filter(|tree| tree.origin == checkpoint.origin).peekable();
        if keys.peek().is_none() {
            return WitnessReply::Unknown;
        }
        if !keys.any(|tree| tree.key.open(&request.note) == Opened::Signed) {
            return WitnessReply::Unsigned;
        }
        if request.old > checkpoint.size {
            return WitnessReply::Bad("the old size is larger than the checkpoint");
        }
        let seen = self.state.seen.get(&checkpoint.origin);
        let (size, root) = seen.map_or((0, None), |seen| (seen.size, Some(seen.root)));
        if request.old != size {
            return WitnessReply::Conflict(size);
        }
        match root {
            Some(root) if size == checkpoint.size && root != checkpoint.root => {
                return WitnessReply::Conflict(size);
            }
            None if !request.proof.is_empty() => return WitnessReply::Inconsistent,
            Some(root)
                if !is_consistent((size, root), (checkpoint.size, checkpoint.root), &request.proof) =>
            {
                return WitnessReply::Inconsistent;
            }
            _ => {}
        }
        let Some((text, _)) = split(&request.note) else {
            return WitnessReply::Bad("expected a signed note");
        };
        let seen = SeenTree { size: checkpoint.size, root: checkpoint.root };
        match self.state.store(checkpoint.origin, seen) {
            Ok(()) => WitnessReply::Cosigned(cosign(&self.signer, text, time)),
            Err(error) => WitnessReply::Failed(format!("{error:#}")),
        }
    }
}

impl WitnessState {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let name = || path.display().to_string();
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        let lock = File::create(&lock).with_context(|| Path::new(&lock).display().to_string())?;
        ensure!(lock.try_lock().is_ok(), "{}: another witness uses this state", name());
        let is_there = fs::exists(path).with_context(name)?;
        let text = if is_there { read_text(path, STATE_MAX)? } else { "{}".into() };
        // A state that cannot be read must not be taken for none: the witness could sign a fork.
        let seen = serde_json::from_str(&text).with_context(name)?;
        Ok(Self { path: path.to_owned(), seen, _lock: lock })
    }

    /// Stores what was seen last of a tree, and waits until it has reached the disk.
    fn store(&mut self, origin: String, seen: SeenTree) -> anyhow::Result<()> {
        let mut after = self.seen.clone();
        after.insert(origin, seen);
        let name = || self.path.display().to_string();
        durable::write(&self.path, serde_json::to_string_pretty(&after)?.as_bytes(), true)
            .with_context(name)?;
        self.seen = after;
        Ok(())
    }
}
