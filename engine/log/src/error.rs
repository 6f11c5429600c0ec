//! What can be wrong with a log, from the file down to one field.

use super::foreign::Foreign;
use alloc::string::String;
use canasta_rules::hex::hex;
use thiserror::Error;

/// A fault with its place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("record {record}, byte {offset}: {kind}")]
pub struct LogError {
    /// Number of the record concerned, from 0. The header counts as part of record 0.
    pub record: u64,
    /// Byte of the file at which that record's frame begins (0 for the header).
    pub offset: u64,
    /// What is wrong there.
    pub kind: LogErrorKind,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LogErrorKind {
    /// The file does not begin with the eight bytes of a log, or ends inside the header.
    #[error("this is not a log: {found}")]
    NotALog {
        /// What it seems to be.
        found: Foreign,
    },
    /// A log of a version that this reader does not know.
    #[error(
        "a log of version {found}, which another version of this program wrote: this one reads version 1"
    )]
    Version {
        /// The version byte.
        found: u8,
    },
    /// The check byte does not fit the two length bytes.
    #[error("check byte {found:02x} after length {length}, expected {expected:02x}")]
    LengthCheck {
        /// The length as it stands.
        length: u16,
        /// CRC-8/SMBUS of the two length bytes as they stand.
        expected: u8,
        /// The check byte as it stands.
        found: u8,
    },
    /// A length of zero or above 60,000 (with a fitting check byte).
    #[error("payload length {found}, expected 1 to 60000")]
    Length {
        /// The length.
        found: u16,
    },
    /// The first 8 bytes of the head do not fit the payload and all before it.
    #[error("the chain breaks: stored head begins {}, computed {}", hex(found), hex(expected))]
    Chain {
        /// What the head of this record begins with.
        expected: [u8; 8],
        /// What stands after the payload.
        found: [u8; 8],
    },
    /// The file ends inside a frame whose length check holds, or inside its three length bytes.
    /// The only kind that can be repaired: by cutting the file at `offset`.
    #[error("torn: {present} bytes of a frame of {expected}")]
    Torn {
        /// How many bytes of the frame there are.
        present: u32,
        /// How many it has; 3 as long as its length is not known.
        expected: u32,
    },
    /// The payload is intact but is no record.
    #[error(transparent)]
    Record(#[from] DecodeError),
}

impl LogErrorKind {
    /// Whether the end is merely missing; everything else is corrupt.
    pub fn is_torn(&self) -> bool {
        matches!(self, Self::Torn { .. })
    }
}

/// Why bytes are not the encoding of a record or of an action.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DecodeError {
    /// The first byte is the number of no record type.
    #[error("record type {tag}, expected 0 to 10")]
    UnknownRecord {
        /// The first byte of the payload.
        tag: u8,
    },
    /// The bytes end inside a field.
    #[error("ends inside a field")]
    Ended,
    /// A value that its type does not have: text that is not UTF-8, an unknown number of a
    /// choice, a list longer than its cap.
    #[error("malformed: {reason}")]
    Malformed {
        /// In words; not stable.
        reason: String,
    },
    /// Bytes follow the last field.
    #[error("{left} bytes follow the last field")]
    Trailing {
        /// How many.
        left: u32,
    },
    /// The bytes spell the value in another way than the one allowed (an over-long integer).
    #[error("not the canonical encoding")]
    NotCanonical,
    /// Genesis stands elsewhere than first, or something else stands there.
    #[error("genesis is record 0 and no other record is")]
    Place,
    /// A field's value is not allowed.
    #[error(transparent)]
    Field(#[from] FieldError),
}

/// A field whose value cannot be written to a log, or should not have been.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{field}: {kind}")]
pub struct FieldError {
    /// The field, as the interchange form calls it; `[]` stands for any element of a list.
    pub field: &'static str,
    /// What is wrong with it.
    pub kind: FieldErrorKind,
}

/// What is wrong with a field.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FieldErrorKind {
    /// Too many bytes, cards or elements.
    #[error("length {found}, expected at most {max}")]
    TooLong {
        /// The cap.
        max: u32,
        /// What was found.
        found: u32,
    },
    /// Too few bytes or elements.
    #[error("length {found}, expected at least {min}")]
    TooShort {
        /// The least.
        min: u32,
        /// What was found.
        found: u32,
    },
    /// A number above its range.
    #[error("{found}, expected at most {max}")]
    OutOfRange {
        /// The largest allowed.
        max: u64,
        /// What was found.
        found: u64,
    },
    /// A time outside the years 0000 to 9999.
    #[error("{found} ms since 1970, expected a time in the years 0000 to 9999")]
    Time {
        /// Milliseconds since 1970 began.
        found: i64,
    },
    /// A control or bidirectional character in a name, or another character than the field has.
    #[error("character U+{found:04x} is not allowed")]
    Character {
        /// Its code point.
        found: u32,
    },
    /// Bytes that should be text are not UTF-8.
    #[error("not UTF-8 text")]
    NotText,
    /// The value contradicts another field of the record.
    #[error("{reason}")]
    Misplaced {
        /// In words; not stable.
        reason: &'static str,
    },
}

impl FieldError {
    pub(super) fn new(field: &'static str, kind: FieldErrorKind) -> Self {
        Self { field, kind }
    }

    /// Returns the error that a field stands where it has no place, and why.
    pub fn misplaced(field: &'static str, reason: &'static str) -> Self {
        Self::new(field, FieldErrorKind::Misplaced { reason })
    }

    /// Refuses a length above `max`.
    pub fn length(field: &'static str, found: usize, max: usize) -> Result<(), Self> {
        if found <= max {
            return Ok(());
        }
        // Saturates only beyond any length that a record can have.
        let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Err(Self::new(field, FieldErrorKind::TooLong { max: short(max), found: short(found) }))
    }

    /// Refuses a number above `max`.
    pub(super) fn range(field: &'static str, found: u64, max: u64) -> Result<(), Self> {
        if found <= max {
            return Ok(());
        }
        Err(Self::new(field, FieldErrorKind::OutOfRange { max, found }))
    }
}
