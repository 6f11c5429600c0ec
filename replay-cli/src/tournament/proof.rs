//! That a leaf is in the tree, in one file (C2SP tlog-proof): its place, its audit path, a signed checkpoint.

use super::checkpoint::{BadCheckpoint, Checkpoint};
use super::merkle::{Hash, leaf_hash, root_by_path};
use base64ct::{Base64, Encoding};
use canasta_engine::log::checkpoint::base64;
use std::fmt;

/// The first line.
const FORMAT: &str = "c2sp.org/tlog-proof@v1";
/// The ending of a proof's file name.
pub const EXTENSION: &str = "tlog-proof";
/// The most bytes that a proof is read of.
pub const BYTES_MAX: u64 = 1 << 18;

/// A proof. The leaf itself goes along as its extra data, so that nothing else is needed to check it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The leaf's content.
    pub leaf: Vec<u8>,
    /// The leaf's place, from 0.
    pub index: u64,
    /// The hashes beside its way to the root.
    pub path: Vec<Hash>,
    /// The signed note.
    pub note: String,
}

/// Why a text proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadProof {
    /// It is no proof, or not as one is written.
    Form,
    /// What it goes to is no checkpoint.
    Checkpoint(BadCheckpoint),
    /// The path does not lead from the leaf to the root.
    Path,
}

impl fmt::Display for BadProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => {
                write!(f, "expected {FORMAT}, extra, index, hashes, an empty line and a checkpoint")
            }
            Self::Checkpoint(bad) => write!(f, "the checkpoint in it: {bad}"),
            Self::Path => write!(f, "its hashes do not lead from the game to the root of its checkpoint"),
        }
    }
}

impl std::error::Error for BadProof {}

impl Proof {
    /// The proof as text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{FORMAT}\nextra {}\nindex {}\n", base64(&self.leaf), self.index);
        for hash in &self.path {
            text += &base64(hash);
            text.push('\n');
        }
        text.push('\n');
        text + &self.note
    }

    /// Reads a proof and follows its path; what its checkpoint says. Its signatures are not looked at.
    ///
    /// # Errors
    /// Why it proves nothing.
    pub fn parse(text: &str) -> Result<(Self, Checkpoint), BadProof> {
        let proof = Self::read(text).filter(|proof| proof.to_text() == text).ok_or(BadProof::Form)?;
        let checkpoint = Checkpoint::parse(&proof.note).map_err(BadProof::Checkpoint)?;
        let root = root_by_path(proof.index, checkpoint.size, leaf_hash(&proof.leaf), &proof.path);
        if root != Some(checkpoint.root) {
            return Err(BadProof::Path);
        }
        Ok((proof, checkpoint))
    }

    fn read(text: &str) -> Option<Self> {
        let (head, note) = text.split_once("\n\n")?;
        let mut lines = head.split('\n').skip(1);
        let leaf = Base64::decode_vec(lines.next()?.strip_prefix("extra ")?).ok()?;
        let index = lines.next()?.strip_prefix("index ")?.parse().ok()?;
        let hash = |line| Base64::decode_vec(line).ok()?.try_into().ok();
        Some(Self { leaf, index, path: lines.map(hash).collect::<Option<_>>()?, note: note.to_owned() })
    }
}
