//! The signed head of a tree (C2SP tlog-checkpoint).

use crate::merkle::Hash;
use crate::note;
use base64ct::{Base64, Encoding};
use canasta_engine::log::checkpoint::base64;
use thiserror::Error;

/// Maximum size of a checkpoint with its signatures, in bytes.
pub const BYTES_MAX: u64 = 1 << 16;

/// The text of a checkpoint, parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The name of the tree.
    pub origin: String,
    /// The number of leaves.
    pub size: u64,
    /// The root hash over the leaves.
    pub root: Hash,
}

/// The reason why a text is not a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BadCheckpoint {
    #[error("expected a signed note: text, an empty line, signature lines")]
    Note,
    #[error("expected a text of three lines: origin, size, root")]
    Lines,
    #[error("expected an origin of 1 to 255 bytes without blanks and plus signs")]
    Origin,
    #[error("expected the size in decimal")]
    Size,
    #[error("expected the root in base64")]
    Root,
}

impl Checkpoint {
    /// Returns the text to be signed.
    pub fn body(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, base64(&self.root))
    }

    /// Parses a signed note, without verifying its signatures.
    ///
    /// # Errors
    /// The reason why the text is not a checkpoint.
    pub fn parse(note: &str) -> Result<Self, BadCheckpoint> {
        let (text, signatures) = note::split(note).ok_or(BadCheckpoint::Note)?;
        let is_signature = |line: &str| line.starts_with("\u{2014} ") && line.ends_with('\n');
        if signatures.is_empty() || !signatures.split_inclusive('\n').all(is_signature) {
            return Err(BadCheckpoint::Note);
        }
        let lines: Vec<&str> = text.split_terminator('\n').collect();
        let [origin, size, root] = lines[..] else { return Err(BadCheckpoint::Lines) };
        check_origin(origin)?;
        let parsed: u64 = size.parse().map_err(|_| BadCheckpoint::Size)?;
        if parsed.to_string() != size {
            return Err(BadCheckpoint::Size);
        }
        let root = Base64::decode_vec(root).ok().and_then(|root| root.try_into().ok());
        Ok(Self { origin: origin.to_owned(), size: parsed, root: root.ok_or(BadCheckpoint::Root)? })
    }
}

/// Checks that an origin has 1 to 255 bytes and neither blanks nor plus signs. It should be a URL without its scheme.
///
/// # Errors
/// [`BadCheckpoint::Origin`].
pub fn check_origin(origin: &str) -> Result<(), BadCheckpoint> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || c == '+';
    let good = (1..=255).contains(&origin.len()) && !origin.contains(bad);
    good.then_some(()).ok_or(BadCheckpoint::Origin)
}

#[cfg(test)]
mod tests;
