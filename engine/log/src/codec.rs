//! The encoding of numbers, flags and texts as bytes, and the only file that names bincode.
//!
//! Integers are little-endian and of variable length (docs/LOG_FORMAT.md lists them). Decoding accepts exactly the bytes
//! that encoding writes. Texts and byte strings are borrowed from the input: a length that was read reserves no memory.

use super::error::DecodeError;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use bincode::config::standard;
use bincode::enc::write::Writer;
use bincode::error::{DecodeError as Foreign, EncodeError};
use bincode::serde::{borrow_decode_from_slice, encode_into_writer};
use serde::{Deserialize, Serialize};

/// Appends the encoding of `value`.
pub(super) fn put<T: Serialize>(value: T, out: &mut Vec<u8>) {
    encode_into_writer(value, Append(out), standard()).expect("a vector takes everything");
}

/// Decodes the value with which `rest` begins, and cuts off its bytes.
///
/// # Errors
/// If the bytes are too few or malformed, or encode the value in another way than [`put`].
pub(super) fn take<'p, T: Deserialize<'p> + Serialize>(rest: &mut &'p [u8]) -> Result<T, DecodeError> {
    let (value, used): (T, _) = borrow_decode_from_slice(rest, standard()).map_err(translate)?;
    let (bytes, left) = rest.split_at(used);
    // A single byte has no other spelling.
    if used > 1 {
        let mut bytes = Compare(bytes);
        encode_into_writer(&value, &mut bytes, standard()).map_err(|_| DecodeError::NotCanonical)?;
    }
    *rest = left;
    Ok(value)
}

fn translate(error: Foreign) -> DecodeError {
    fn malformed(reason: impl Into<String>) -> DecodeError {
        DecodeError::Malformed { reason: reason.into() }
    }
    match error {
        Foreign::UnexpectedEnd { .. } => DecodeError::Ended,
        Foreign::Utf8 { .. } => malformed("text that is not UTF-8"),
        Foreign::InvalidBooleanValue(found) => malformed(format!("flag {found:02x}, expected 00 or 01")),
        Foreign::InvalidIntegerType { .. } | Foreign::OutsideUsizeRange(_) => {
            malformed("an integer that is longer than its type")
        }
        // The other errors concern types that are not decoded.
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

    fn encode<T: Serialize>(value: T) -> Vec<u8> {
        let mut out = Vec::new();
        put(value, &mut out);
        out
    }

    fn decode<'p, T: Deserialize<'p> + Serialize>(mut bytes: &'p [u8]) -> Result<T, DecodeError> {
        take(&mut bytes)
    }

    /// Checks bincode's own form of u16 to u64: one byte below 251, else 251, 252 or 253 and then 2, 4 or 8
    /// bytes.
    #[test]
    fn integers_have_one_spelling() {
        assert_eq!(encode(250u64), [250]);
        assert_eq!(encode(251u64), [251, 251, 0]);
        assert_eq!(encode(65_536u64), [252, 0, 0, 1, 0]);
        assert_eq!(encode(1u64 << 32), [253, 0, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(encode(-1i32), [1]);
        assert_eq!(encode(1i32), [2]);
        for over_long in [&[251, 3, 0][..], &[252, 3, 0, 0, 0], &[253, 3, 0, 0, 0, 0, 0, 0, 0]] {
            assert_eq!(decode::<u64>(over_long), Err(DecodeError::NotCanonical), "{over_long:?}");
        }
        assert_eq!(decode::<u64>(&[3]), Ok(3));
    }

    #[test]
    fn malformed_values_are_refused() {
        assert_eq!(decode::<u8>(&[]), Err(DecodeError::Ended));
        assert!(matches!(decode::<bool>(&[2]), Err(DecodeError::Malformed { .. })));
        assert!(matches!(decode::<&str>(&[1, 0xff]), Err(DecodeError::Malformed { .. })));
    }
}
