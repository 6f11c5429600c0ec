//! The encoding of values as bytes, and the only file that names bincode.
//!
//! Integers are little-endian and of variable length (docs/LOG_FORMAT.md lists them). Decoding accepts
//! exactly the bytes that encoding writes: the whole input must be used, and the decoded value must encode to
//! the same bytes. A length that was read reserves no memory: byte strings are borrowed from the input, and
//! [`super::wire::List`] refuses a length above its cap and grows only by elements that are there.

use super::error::DecodeError;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use bincode::config::standard;
use bincode::enc::write::Writer;
use bincode::error::{DecodeError as Foreign, EncodeError};
use bincode::serde::{borrow_decode_from_slice, encode_into_writer};
use serde::{Deserialize, Serialize};

/// Encodes `value`.
pub(super) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // Most payloads are actions of 12 to 30 bytes.
    let mut out = Vec::with_capacity(64);
    encode_into_writer(value, Append(&mut out), standard()).expect("a vector takes everything");
    out
}

/// Decodes the value whose encoding is `bytes`.
///
/// # Errors
/// If the bytes are too few, too many or malformed, or encode the value in another way than [`encode`].
pub(super) fn decode<'a, T: Deserialize<'a> + Serialize>(bytes: &'a [u8]) -> Result<T, DecodeError> {
    let (value, used): (T, _) = borrow_decode_from_slice(bytes, standard()).map_err(translate)?;
    if used < bytes.len() {
        // Inputs are payloads or their parts, at most 60,000 bytes.
        return Err(DecodeError::Trailing { left: (bytes.len() - used) as u32 });
    }
    let mut rest = Compare(bytes);
    let same = encode_into_writer(&value, &mut rest, standard()).is_ok() && rest.0.is_empty();
    if same { Ok(value) } else { Err(DecodeError::NotCanonical) }
}

fn translate(error: Foreign) -> DecodeError {
    fn malformed(reason: impl Into<String>) -> DecodeError {
        DecodeError::Malformed { reason: reason.into() }
    }
    match error {
        Foreign::UnexpectedEnd { .. } => DecodeError::Ended,
        Foreign::OtherString(reason) => DecodeError::Malformed { reason },
        Foreign::Utf8 { .. } => malformed("text that is not UTF-8"),
        Foreign::InvalidBooleanValue(found) => malformed(format!("flag {found:02x}, expected 00 or 01")),
        Foreign::UnexpectedVariant { found, .. } => {
            malformed(format!("number {found} of a choice, expected a lower one"))
        }
        Foreign::InvalidIntegerType { .. } | Foreign::OutsideUsizeRange(_) => {
            malformed("an integer that is longer than its type")
        }
        // The other errors concern types that no record has.
        _ => malformed("a value that its type does not have"),
    }
}

struct Append<'a>(&'a mut Vec<u8>);

impl Writer for Append<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// A writer that accepts only the bytes that it was given, in order.
struct Compare<'a>(&'a [u8]);

impl Writer for Compare<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.0 = self.0.strip_prefix(bytes).ok_or(EncodeError::Other("differs"))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks bincode's own form of u16 to u64: one byte below 251, else 251, 252 or 253 and then 2, 4 or 8
    /// bytes.
    #[test]
    fn integers_have_one_spelling() {
        assert_eq!(encode(&250u64), [250]);
        assert_eq!(encode(&251u64), [251, 251, 0]);
        assert_eq!(encode(&65_536u64), [252, 0, 0, 1, 0]);
        assert_eq!(encode(&(1u64 << 32)), [253, 0, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(encode(&-1i32), [1]);
        assert_eq!(encode(&1i32), [2]);
        for over_long in [&[251, 3, 0][..], &[252, 3, 0, 0, 0], &[253, 3, 0, 0, 0, 0, 0, 0, 0]] {
            assert_eq!(decode::<u64>(over_long), Err(DecodeError::NotCanonical), "{over_long:?}");
        }
        assert_eq!(decode::<u64>(&[3]), Ok(3));
    }

    #[test]
    fn the_whole_input_is_one_value() {
        assert_eq!(decode::<u8>(&[3, 0]), Err(DecodeError::Trailing { left: 1 }));
        assert_eq!(decode::<u8>(&[]), Err(DecodeError::Ended));
        assert!(matches!(decode::<bool>(&[2]), Err(DecodeError::Malformed { .. })));
        assert!(matches!(decode::<&str>(&[1, 0xff]), Err(DecodeError::Malformed { .. })));
    }
}
