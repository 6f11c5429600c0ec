//! The reasons why bytes are not a token.

use crate::rules::KnobErrorKind;
use core::fmt;

/// The reason why bytes are not the token of a state, and its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenError {
    /// The first bit of the field or list that is wrong, counted from 0.
    pub bit: usize,
    /// The fault at this bit.
    pub kind: TokenErrorKind,
}

/// The kind of a [`TokenError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TokenErrorKind {
    /// The token is not an open token.
    Magic,
    /// The token has a version that this engine does not read.
    Version {
        /// The version.
        found: u8,
    },
    /// The token ends inside a field.
    Truncated,
    /// There are bytes after the end.
    TrailingBytes,
    /// The unused bits of the last byte are not all zero.
    Padding,
    /// A field holds a number that has no meaning.
    Field {
        /// The name of the field in docs/formats/TOKEN.md.
        field: &'static str,
        /// The number.
        found: u64,
    },
    /// The preset does not exist, or this engine does not play it yet.
    Preset {
        /// The number of the preset.
        number: u8,
    },
    /// The value of a changed knob is not spelled as in the canonical form.
    Knob {
        /// The number of the knob, from 0.
        number: u8,
        /// The fault of the spelling.
        kind: KnobErrorKind,
    },
    /// A changed knob has the preset's value, or a number out of range.
    KnobValue {
        /// The number of the knob, from 0.
        number: u8,
    },
    /// The changed knobs cannot be played together, or the house rule's name is invalid.
    HouseRule,
    /// There are more cards of a kind than the pack has.
    Pack,
    /// Values that have only one valid order are out of order, or a value is written although it follows from
    /// the rest.
    NotCanonical {
        /// The name of the field in docs/formats/TOKEN.md.
        field: &'static str,
    },
    /// The state breaks this invariant.
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
