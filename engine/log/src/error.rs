//! Faults of a log, from the file down to one field.

use super::foreign::Foreign;
use alloc::string::String;
use canasta_rules::hex::hex;
use thiserror::Error;

/// A fault with its place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("record {record}, byte {offset}: {kind}")]
pub struct LogError {
    /// Number of the record with the fault, from 0. The header counts as part of record 0.
    pub record: u64,
    /// Offset in bytes at which that record's frame begins in the file (0 for the header).
    pub offset: u64,
    /// The fault.
    pub kind: LogErrorKind,
}

/// The faults that a log can have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LogErrorKind {
    /// The file does not begin with the eight bytes of a log, or ends inside the header.
    #[error("this is not a log: {found}")]
    NotALog {
        /// The kind that the file seems to be.
        found: Foreign,
    },
    /// A log of a version that this reader does not know.
    #[error(
        "a log of version {found}, which another version of this program wrote: this one reads version 2"
    )]
    Version {
        /// The version byte.
        found: u8,
    },
    /// The check byte does not match the two length bytes.
    #[error("check byte {found:02x} after length {length}, expected {expected:02x}")]
    LengthCheck {
        /// The length as stored.
        length: u16,
        /// CRC-8/SMBUS of the two length bytes as stored.
        expected: u8,
        /// The check byte as stored.
        found: u8,
    },
    /// The length is zero or above 60,000 (with a matching check byte).
    #[error("payload length {found}, expected 1 to 60000")]
    Length {
        /// The length as stored.
        found: u16,
    },
    /// The stored part of the head does not match the payload and everything before it.
    #[error("the chain breaks: stored head begins {}, computed {}", hex(found), hex(expected))]
    Chain {
        /// The first 8 bytes of this record's head, as computed.
        expected: [u8; 8],
        /// The 8 bytes after the payload, as stored.
        found: [u8; 8],
    },
    /// The file ends inside a frame whose length check holds, or inside its three length bytes. This is the
    /// only kind that can be repaired: by cutting the file at `offset`.
    #[error("torn: {present} bytes of a frame of {expected}")]
    Torn {
        /// Number of bytes of the frame that are there.
        present: u32,
        /// Number of bytes of the whole frame; 3 as long as its length is not known.
        expected: u32,
    },
    /// The payload is intact but is not a record.
    #[error(transparent)]
    Record(#[from] DecodeError),
}

impl LogError {
    /// Whether the log is of a version that this reader does not know.
    pub fn is_of_another_version(&self) -> bool {
        matches!(self.kind, LogErrorKind::Version { .. })
    }
}

impl LogErrorKind {
    /// Whether the end is merely missing. A log with any other fault cannot be repaired.
    pub fn is_torn(&self) -> bool {
        matches!(self, Self::Torn { .. })
    }
}

/// The reasons why bytes are not the encoding of a record or of an action.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The first byte is not the number of a record type.
    #[error("record type {tag}, expected 0 to 10")]
    UnknownRecord {
        /// The first byte of the payload.
        tag: u8,
    },
    /// The bytes end inside a field.
    #[error("ends inside a field")]
    Ended,
    /// The bytes of a value that its type does not have: text that is not UTF-8, an unknown number of a
    /// choice, a list longer than its cap.
    #[error("malformed: {reason}")]
    Malformed {
        /// The reason in words; not stable.
        reason: String,
    },
    /// Bytes follow the last field.
    #[error("{left} bytes follow the last field")]
    Trailing {
        /// Number of bytes after the last field.
        left: u32,
    },
    /// The value is encoded in another way than the canonical one (an over-long integer).
    #[error("not the canonical encoding")]
    NotCanonical,
    /// Genesis is not the first record, or the first record is not genesis.
    #[error("genesis is record 0 and no other record is")]
    Place,
    /// A field's value is not allowed.
    #[error(transparent)]
    Field(#[from] FieldError),
}

/// A field whose value a log cannot hold.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{field}: {kind}")]
pub struct FieldError {
    /// Name of the field in the interchange form; `[]` stands for any element of a list.
    pub field: &'static str,
    /// The fault of the field.
    pub kind: FieldErrorKind,
}

/// The faults that a field can have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FieldErrorKind {
    /// The field has too many bytes, cards or elements.
    #[error("length {found}, expected at most {max}")]
    TooLong {
        /// Maximum length.
        max: u32,
        /// Length that was found.
        found: u32,
    },
    /// The field has too few bytes or elements.
    #[error("length {found}, expected at least {min}")]
    TooShort {
        /// Minimum length.
        min: u32,
        /// Length that was found.
        found: u32,
    },
    /// The number is above its range.
    #[error("{found}, expected at most {max}")]
    OutOfRange {
        /// Largest number that is allowed.
        max: u64,
        /// Number that was found.
        found: u64,
    },
    /// The time is outside the years 0000 to 9999.
    #[error("{found} ms since 1970, expected a time in the years 0000 to 9999")]
    Time {
        /// Time that was found, in milliseconds since 1970 began.
        found: i64,
    },
    /// A name has a control or bidirectional character, or a field has a character that it does not allow.
    #[error("character U+{found:04x} is not allowed")]
    Character {
        /// Code point of the character.
        found: u32,
    },
    /// The bytes should be text but are not UTF-8.
    #[error("not UTF-8 text")]
    NotText,
    /// The value contradicts another field of the record.
    #[error("{reason}")]
    Misplaced {
        /// The reason in words; not stable.
        reason: &'static str,
    },
}

impl FieldError {
    pub(super) fn new(field: &'static str, kind: FieldErrorKind) -> Self {
        Self { field, kind }
    }

    /// Returns the error that a field's value contradicts another field, or does not belong there, and why.
    pub fn misplaced(field: &'static str, reason: &'static str) -> Self {
        Self::new(field, FieldErrorKind::Misplaced { reason })
    }

    /// Checks that a length is at most `max`.
    pub fn length(field: &'static str, found: usize, max: usize) -> Result<(), Self> {
        if found <= max {
            return Ok(());
        }
        // Only a length beyond that of any record is cut to `u32::MAX`.
        let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Err(Self::new(field, FieldErrorKind::TooLong { max: short(max), found: short(found) }))
    }

    /// Checks that a number is at most `max`.
    pub(super) fn range(field: &'static str, found: u64, max: u64) -> Result<(), Self> {
        if found <= max {
            return Ok(());
        }
        Err(Self::new(field, FieldErrorKind::OutOfRange { max, found }))
    }
}
