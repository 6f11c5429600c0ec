//! Why bytes are no token.

use crate::rules::KnobErrorKind;
use core::fmt;

/// Why bytes are not the token of a state, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenError {
    /// The first bit of the field or list that is wrong, counted from 0.
    pub bit: usize,
    /// What is wrong there.
    pub kind: TokenErrorKind,
}

/// The kind of a [`TokenError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TokenErrorKind {
    /// Not an open token.
    Magic,
    /// A version that this engine does not read.
    Version {
        /// The version.
        found: u8,
    },
    /// The token ends inside a field.
    Truncated,
    /// Bytes after the end.
    TrailingBytes,
    /// The last byte is not filled up with zeros.
    Padding,
    /// A field holds a number that means nothing.
    Field {
        /// The field, as docs/TOKEN.md calls it.
        field: &'static str,
        /// The number.
        found: u64,
    },
    /// A preset that does not exist, or that this engine does not play yet.
    Preset {
        /// Its number.
        number: u8,
    },
    /// The value of a changed knob is not spelled as the canonical form spells it.
    Knob {
        /// Number of the knob, from 0.
        number: u8,
        /// What is wrong with the spelling.
        kind: KnobErrorKind,
    },
    /// A changed knob that has the preset's value, or a number out of range.
    KnobValue {
        /// Number of the knob, from 0.
        number: u8,
    },
    /// The changed knobs cannot be played together, or the house rule's name is none.
    HouseRule,
    /// More cards of a kind than the pack has.
    Pack,
    /// What has only one place in order stands out of order, or is written out where it follows from
    /// the rest.
    NotCanonical {
        /// The field, as docs/TOKEN.md calls it.
        field: &'static str,
    },
    /// No state has this: the invariant that is broken.
    Invariant(&'static str),
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "token, bit {}: {}", self.bit, self.kind)
    }
}

impl fmt::Display for TokenErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("expected an open state token"),
            Self::Version { found } => write!(f, "expected version {}, found {found}", super::VERSION),
            Self::Truncated => f.write_str("expected more bits"),
            Self::TrailingBytes => f.write_str("expected the end"),
            Self::Padding => f.write_str("expected zeros up to the end of the byte"),
            Self::Field { field, found } => write!(f, "{field}: {found} means nothing"),
            Self::Preset { number } => write!(f, "expected a preset that is played, found number {number}"),
            Self::Knob { number, kind } => write!(f, "knob {number}: {kind}"),
            Self::KnobValue { number } => {
                write!(f, "knob {number}: expected a value in range that differs from the preset's")
            }
            Self::HouseRule => f.write_str("expected a house rule that can be played"),
            Self::Pack => f.write_str("expected no more cards than the pack has"),
            Self::NotCanonical { field } => write!(f, "{field}: expected the only spelling"),
            Self::Invariant(name) => write!(f, "expected: {name}"),
        }
    }
}

impl core::error::Error for TokenError {}
