//! Masks, which hide a refused action or a ruling's position until its round's reveal: both may show hand
//! cards.

use super::kdf::hmac512;
use super::{RoundSecret, Stream, WallSalt};
use alloc::vec::Vec;

/// Maximum number of bytes that can be masked: the longest payload of a record.
pub const PLAIN_MAX: usize = 60_000;

const TAG: usize = 16;
const BLOCK: usize = 64;

/// The kind of data that is masked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MaskLabel {
    /// A refused action: the seat's number in one byte (255: no seat), then the action bytes.
    Refusal,
    /// The position that a ruling sets.
    Ruling,
}

/// The key of a round's masks, which opens them once the round is revealed.
#[derive(Clone, Copy, Debug)]
pub enum MaskKey<'a> {
    /// The round's secret.
    Secret(&'a RoundSecret),
    /// The salt of an explicit wall.
    Salt(&'a WallSalt),
}

/// The reasons why a mask cannot be made or opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MaskError {
    /// There are more than 60,000 bytes to mask.
    #[error("{length} bytes to mask, expected at most 60000")]
    TooLong {
        /// Number of bytes given.
        length: usize,
    },
    /// The bytes are not a tag and whole blocks, or are more than a mask can have.
    #[error("a mask of {length} bytes, expected 16 and up to 938 blocks of 64")]
    Length {
        /// Number of bytes given.
        length: usize,
    },
    /// The opened bytes lack the padding that masking adds: wrong key, wrong label, or not made by [`mask`].
    #[error("the mask opens to bytes without padding")]
    Padding,
    /// The tag does not match the opened bytes and the number of this record.
    #[error("the mask's tag does not match what it opens to")]
    Tag,
}

impl MaskLabel {
    fn text(self) -> &'static str {
        match self {
            Self::Refusal => "canasta-refusal/1",
            Self::Ruling => "canasta-ruling/1",
        }
    }
}

impl MaskKey<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Secret(secret) => &secret.0,
            Self::Salt(salt) => &salt.0,
        }
    }
}

/// Masks `plain` for record number `n`. The result is a tag of 16 bytes, then whole blocks of 64, so that its
/// length tells little about `plain`.
///
/// # Errors
/// [`MaskError::TooLong`] above [`PLAIN_MAX`] bytes.
pub fn mask(label: MaskLabel, key: MaskKey<'_>, n: u64, plain: &[u8]) -> Result<Vec<u8>, MaskError> {
    if plain.len() > PLAIN_MAX {
        return Err(MaskError::TooLong { length: plain.len() });
    }
    let tag = tag_of(label, key, n, plain);
    let padded = (plain.len() + 1).next_multiple_of(BLOCK);
    let mut masked = Vec::with_capacity(TAG + padded);
    masked.extend_from_slice(&tag);
    masked.extend_from_slice(plain);
    masked.push(0x80);
    masked.resize(TAG + padded, 0);
    apply_pad(label, key, &tag, &mut masked[TAG..]);
    Ok(masked)
}

/// Opens a mask that [`mask`] made with the same label, key and record number.
///
/// # Errors
/// Every [`MaskError`] except [`MaskError::TooLong`]: bytes that [`mask`] cannot have made are refused.
pub fn unmask(label: MaskLabel, key: MaskKey<'_>, n: u64, masked: &[u8]) -> Result<Vec<u8>, MaskError> {
    let length_error = MaskError::Length { length: masked.len() };
    let (tag, body) = masked.split_first_chunk::<TAG>().ok_or(length_error)?;
    let most = (PLAIN_MAX + 1).next_multiple_of(BLOCK);
    if body.is_empty() || !body.len().is_multiple_of(BLOCK) || body.len() > most {
        return Err(length_error);
    }
    let mut plain = body.to_vec();
    apply_pad(label, key, tag, &mut plain);
    let end = plain.iter().rposition(|&byte| byte != 0).ok_or(MaskError::Padding)?;
    // More zeros than one block would be a second encoding of the same bytes.
    if plain[end] != 0x80 || plain.len() - end > BLOCK {
        return Err(MaskError::Padding);
    }
    plain.truncate(end);
    if plain.len() > PLAIN_MAX {
        return Err(length_error);
    }
    if tag_of(label, key, n, &plain) != *tag {
        return Err(MaskError::Tag);
    }
    Ok(plain)
}

fn tag_of(label: MaskLabel, key: MaskKey<'_>, n: u64, plain: &[u8]) -> [u8; TAG] {
    let hash = hmac512(key.bytes(), &[label.text().as_bytes(), &n.to_be_bytes(), plain]);
    *hash.first_chunk().expect("a hash is longer than a tag")
}

fn apply_pad(label: MaskLabel, key: MaskKey<'_>, tag: &[u8; TAG], body: &mut [u8]) {
    let pad = Stream::new(key.bytes(), label.text(), tag, body.len() as u32);
    for (bytes, block) in body.chunks_exact_mut(BLOCK).zip(pad) {
        bytes.iter_mut().zip(block).for_each(|(byte, pad)| *byte ^= pad);
    }
}
