//! The reasons why bytes are not a token.

use crate::rules::KnobErrorKind;
use thiserror::Error;

/// The reason why bytes are not the token of a state, and its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("token, bit {bit}: {kind}")]
pub struct TokenError {
    /// The first bit of the field or list that is wrong, counted from 0.
    pub bit: usize,
    /// The fault at this bit.
    pub kind: TokenErrorKind,
}

/// The kind of a [`TokenError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TokenErrorKind {
    /// The token is not an open token.
    #[error("expected an open state token")]
    Magic,
    /// The token has a version that this engine does not read.
    #[error("expected version {}, found {found}", super::VERSION)]
    Version {
        /// The version.
        found: u8,
    },
    /// The token ends inside a field.
    #[error("expected more bits")]
    Truncated,
    /// There are bytes after the end.
    #[error("expected the end")]
    TrailingBytes,
    /// The unused bits of the last byte are not all zero.
    #[error("expected zeros up to the end of the byte")]
    Padding,
    /// A field holds a number that has no meaning.
    #[error("{field}: {found} means nothing")]
    Field {
        /// The name of the field in docs/formats/TOKEN.md.
        field: &'static str,
        /// The number.
        found: u64,
    },
    /// The preset does not exist, or this engine does not play it yet.
    #[error("expected a preset that is played, found number {number}")]
    Preset {
        /// The number of the preset.
        number: u8,
    },
    /// The value of a changed knob is not spelled as in the canonical form.
    #[error("knob {number}: {kind}")]
    Knob {
        /// The number of the knob, from 0.
        number: u8,
        /// The fault of the spelling.
        kind: KnobErrorKind,
    },
    /// A changed knob has the preset's value, or a number out of range.
    #[error("knob {number}: expected a value in range that differs from the preset's")]
    KnobValue {
        /// The number of the knob, from 0.
        number: u8,
    },
    /// The changed knobs cannot be played together, or the house rule's name is invalid.
    #[error("expected a house rule that can be played")]
    HouseRule,
    /// There are more cards of a kind than the pack has.
    #[error("expected no more cards than the pack has")]
    Pack,
    /// Values that have only one valid order are out of order, or a value is written although it follows from
    /// the rest.
    #[error("{field}: expected the only spelling")]
    NotCanonical {
        /// The name of the field in docs/formats/TOKEN.md.
        field: &'static str,
    },
    /// The state breaks this invariant.
    #[error("expected: {0}")]
    Invariant(&'static str),
}

impl TokenErrorKind {
    /// Returns the error of this kind at a bit.
    pub fn at(self, bit: usize) -> TokenError {
        TokenError { bit, kind: self }
    }
}
