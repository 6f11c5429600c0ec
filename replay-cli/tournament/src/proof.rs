//! The proof that a leaf is in the tree, in one file (C2SP tlog-proof): its index, its audit path, a signed checkpoint.

use crate::checkpoint::Checkpoint;
use crate::merkle::{Hash, leaf_hash, root_by_path};
use anyhow::{Context, anyhow, ensure};
use base64ct::{Base64, Encoding};
use canasta_engine::log::checkpoint::base64;

/// The first line of a proof.
const FORMAT: &str = "c2sp.org/tlog-proof@v1";
/// The extension of a proof's file name.
pub const EXTENSION: &str = "tlog-proof";
/// Maximum size of a proof, in bytes.
pub const BYTES_MAX: u64 = 1 << 18;

/// The proof that a leaf is in a tree. It contains the leaf as extra data, so that nothing else is needed to check it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InclusionProof {
    /// The content of the leaf.
    pub leaf: Vec<u8>,
    /// The index of the leaf, from 0.
    pub index: u64,
    /// The audit path of the leaf, from its sibling up.
    pub path: Vec<Hash>,
    /// The signed checkpoint.
    pub note: String,
}

impl InclusionProof {
    pub fn to_text(&self) -> String {
        let (leaf, hashes) = (base64(&self.leaf), lines(&self.path));
        format!("{FORMAT}\nextra {leaf}\nindex {}\n{hashes}\n{}", self.index, self.note)
    }

    /// Parses a proof, follows its path, and returns it with its checkpoint. Signatures are not verified.
    ///
    /// # Errors
    /// The reason why the text proves nothing.
    pub fn parse(text: &str) -> anyhow::Result<(Self, Checkpoint)> {
        // Each proof has one spelling.
        let proof = Self::read(text).filter(|proof| proof.to_text() == text);
        let proof = proof.with_context(|| {
            format!("expected {FORMAT}, extra, index, hashes, an empty line and a checkpoint")
        })?;
        let checkpoint = Checkpoint::parse(&proof.note);
        let checkpoint = checkpoint.map_err(|bad| anyhow!("the checkpoint in it: {bad}"))?;
        let root = root_by_path(proof.index, checkpoint.size, leaf_hash(&proof.leaf), &proof.path);
        ensure!(
            root == Some(checkpoint.root),
            "its hashes do not lead from the game to the root of its checkpoint"
        );
        Ok((proof, checkpoint))
    }

    fn read(text: &str) -> Option<Self> {
        let (head, note) = text.split_once("\n\n")?;
        let mut lines = head.split('\n').skip(1);
        let leaf = Base64::decode_vec(lines.next()?.strip_prefix("extra ")?).ok()?;
        let index = lines.next()?.strip_prefix("index ")?.parse().ok()?;
        Some(Self { leaf, index, path: hashes(lines)?, note: note.to_owned() })
    }
}

/// Returns a line in base64 for each hash.
pub(crate) fn lines(hashes: &[Hash]) -> String {
    hashes.iter().map(|hash| base64(hash) + "\n").collect()
}

/// Parses lines with a hash each.
pub(crate) fn hashes<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Vec<Hash>> {
    lines.map(|line| Base64::decode_vec(line).ok()?.try_into().ok()).collect()
}
