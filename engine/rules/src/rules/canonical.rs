//! The canonical form of a rule set: one JSON object without spaces, with the knobs in order and defaults left out.
//! The reader accepts only what the writer writes, so a rule set has exactly one spelling and one digest.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use sha2::{Digest as _, Sha256};

use super::RuleSet;
use super::knob_text::{CANONICAL_BYTES_MAX, CanonicalReader, KnobErrorKind, Read, write_key};
use super::table::{KNOBS, Knob};
use thiserror::Error;

/// The bytes that are hashed before the canonical bytes.
const DIGEST_PREFIX: &[u8] = b"canasta-ruleset/1\0";

impl RuleSet {
    /// Returns the canonical form: UTF-8 JSON.
    pub fn to_canonical(&self) -> Vec<u8> {
        let mut out = String::from("{");
        for knob in KNOBS.iter().filter(|knob| knob.always_written || !knob.is_default(self)) {
            if out.len() > 1 {
                out.push(',');
            }
            write_key(knob.name, &mut out);
            (knob.write)(self, &mut out);
        }
        out.push('}');
        out.into_bytes()
    }

    /// Reads a canonical form. Only the form is validated: for the rules see [`RuleSet::validate`].
    ///
    /// # Errors
    /// The first byte at which `bytes` differs from all that [`RuleSet::to_canonical`] can write.
    pub fn from_canonical(bytes: &[u8]) -> Result<Self, KnobError> {
        let mut reader = CanonicalReader::new(bytes);
        let mut next_knob = 0;
        let mut set = Self::defaults();
        read_knobs(&mut reader, &mut next_knob, &mut set).map_err(|kind| KnobError {
            offset: reader.at,
            knob: KNOBS.get(next_knob).map(|knob| knob.name),
            kind,
        })?;
        Ok(set)
    }

    /// Sets the knob called `name` to the value that `value` spells in the canonical form. [`RuleSet::validate`] says
    /// whether the knobs fit together.
    ///
    /// # Errors
    /// If there is no such knob, or `value` does not spell a value of the knob. Nothing is changed then.
    pub fn change(&mut self, name: &str, value: &str) -> Result<(), ChangeError> {
        let knob = Knob::named(name).ok_or(ChangeError::NoSuchKnob)?;
        let mut changed = self.clone();
        knob.assign(&mut changed, value.as_bytes())
            .map_err(|kind| ChangeError::Value { knob: knob.name, kind })?;
        *self = changed;
        Ok(())
    }

    /// Returns the SHA-256 digest of a fixed prefix and the canonical form.
    pub fn digest(&self) -> [u8; 32] {
        digest_of(&self.to_canonical())
    }
}

pub(super) fn digest_of(canonical: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(DIGEST_PREFIX).chain_update(canonical).finalize().into()
}

/// The reason why bytes are not the canonical form of a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnobError {
    /// The position at which reading stopped, in bytes from the start.
    pub offset: usize,
    /// The knob that was being read; `None` before the first and after the last.
    pub knob: Option<&'static str>,
    /// The fault at this position.
    pub kind: KnobErrorKind,
}

/// The reason why a knob cannot be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// No knob has this name.
    #[error("there is no such knob")]
    NoSuchKnob,
    /// The text does not spell a value of the knob.
    #[error("{}", expectation(.knob, *.kind))]
    Value {
        /// The knob.
        knob: &'static str,
        /// The fault of the text.
        kind: KnobErrorKind,
    },
}

/// Returns what a knob can hold, behind a fault that is not simply another value.
fn expectation(knob: &str, kind: KnobErrorKind) -> String {
    let expected = Knob::named(knob).map(Knob::expected).unwrap_or_default();
    match kind {
        KnobErrorKind::OutOfOrder | KnobErrorKind::IntegerTooLarge => format!("{kind}: {expected}"),
        _ => format!("expected {expected}"),
    }
}

impl fmt::Display for KnobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule set, byte {}", self.offset)?;
        if let Some(knob) = self.knob {
            write!(f, ", knob {knob}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl core::error::Error for KnobError {}

/// Reads the whole object. `next` is the index of the knob that is expected next; an error names this knob.
fn read_knobs(reader: &mut CanonicalReader<'_>, next: &mut usize, set: &mut RuleSet) -> Read<()> {
    *next = KNOBS.len();
    if reader.bytes.len() > CANONICAL_BYTES_MAX {
        return Err(KnobErrorKind::TooLong);
    }
    reader.expect("{")?;
    *next = 0;
    let mut first = true;
    while !reader.skip("}") {
        if !first {
            reader.expect(",")?;
        }
        first = false;
        let start = reader.at;
        let name = reader.key()?;
        let found = KNOBS[*next..].iter().position(|knob| knob.name == name);
        let Some(skipped) = found else {
            reader.at = start;
            *next = KNOBS.len();
            return Err(KnobErrorKind::UnknownKnob);
        };
        require_none(next, skipped, reader, start)?;
        let value_start = reader.at;
        let knob = &KNOBS[*next];
        (knob.read)(set, reader)?;
        if !knob.always_written && knob.is_default(set) {
            reader.at = value_start;
            return Err(KnobErrorKind::DefaultWritten);
        }
        *next += 1;
    }
    let end = reader.at - 1;
    require_none(next, KNOBS.len() - *next, reader, end)?;
    reader.finish()
}

/// Skips `skipped` knobs. Fails if one of them must always be written.
fn require_none(
    next: &mut usize,
    skipped: usize,
    reader: &mut CanonicalReader<'_>,
    start: usize,
) -> Read<()> {
    for _ in 0..skipped {
        if KNOBS[*next].always_written {
            reader.at = start;
            return Err(KnobErrorKind::Missing);
        }
        *next += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
