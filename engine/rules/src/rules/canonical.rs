//! The canonical form of a rule set: one JSON object without spaces, with the knobs in order and defaults left out.
//! The reader accepts only what the writer writes, so a rule set has exactly one spelling and one digest.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use sha2::{Digest as _, Sha256};

use super::RuleSet;
use super::table::{KNOBS, Knob};

/// The maximum length of a canonical form that is read, in bytes.
pub const CANONICAL_BYTES_MAX: usize = 8192;

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

    /// Sets `knob` to the value that `canonical` spells. Returns `false`, and changes nothing, if the text spells no
    /// value of the knob.
    pub(crate) fn set_knob(&mut self, knob: &Knob, canonical: &str) -> bool {
        self.change(knob.name, canonical).is_ok()
    }

    /// Sets the knob called `name` to the value that `value` spells in the canonical form. [`RuleSet::validate`] says
    /// whether the knobs fit together.
    ///
    /// # Errors
    /// If there is no such knob, or `value` does not spell a value of the knob. Nothing is changed then.
    pub fn change(&mut self, name: &str, value: &str) -> Result<(), ChangeError> {
        let knob = Knob::named(name).ok_or(ChangeError::NoSuchKnob)?;
        let mut changed = self.clone();
        knob.assign(&mut changed, value.as_bytes()).map_err(ChangeError::Value)?;
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChangeError {
    /// No knob has this name.
    NoSuchKnob,
    /// The text does not spell a value of the knob.
    Value(KnobErrorKind),
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchKnob => f.write_str("there is no such knob"),
            Self::Value(kind) => write!(f, "{kind}"),
        }
    }
}

impl core::error::Error for ChangeError {}

/// The kind of a [`KnobError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum KnobErrorKind {
    /// The form is longer than [`CANONICAL_BYTES_MAX`].
    TooLong,
    /// This text was expected.
    Expected(&'static str),
    /// A knob that does not exist, is given twice or stands in the wrong place.
    UnknownKnob,
    /// A knob that must always be written is missing.
    Missing,
    /// A knob is written although it has its default.
    DefaultWritten,
    /// An integer is missing, or is not in its shortest spelling.
    NotInteger,
    /// An integer that the knob cannot hold.
    IntegerTooLarge,
    /// A word that the knob does not list.
    UnknownWord,
    /// A member or key that is given twice or out of order.
    OutOfOrder,
    /// Bytes follow the end.
    TrailingBytes,
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

impl fmt::Display for KnobErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "longer than {CANONICAL_BYTES_MAX} bytes"),
            Self::Expected(text) => write!(f, "expected {text}"),
            Self::UnknownKnob => f.write_str("expected a later knob of the list"),
            Self::Missing => f.write_str("expected this knob, which is always written"),
            Self::DefaultWritten => f.write_str("expected no mention of a knob at its default"),
            Self::NotInteger => f.write_str("expected an integer in its shortest form"),
            Self::IntegerTooLarge => f.write_str("expected a smaller integer"),
            Self::UnknownWord => f.write_str("expected a word that the knob lists"),
            Self::OutOfOrder => f.write_str("expected members once each, in listed order"),
            Self::TrailingBytes => f.write_str("expected the end"),
        }
    }
}

impl core::error::Error for KnobError {}

type Read<T> = Result<T, KnobErrorKind>;

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

/// A position in the bytes that are read.
pub(super) struct CanonicalReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> CanonicalReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Checks that all bytes have been read.
    pub(super) fn finish(&self) -> Read<()> {
        if self.at < self.bytes.len() { Err(KnobErrorKind::TrailingBytes) } else { Ok(()) }
    }

    /// Skips `text` if it comes next. Returns whether it did.
    pub(super) fn skip(&mut self, text: &'static str) -> bool {
        let found = self.comes(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Whether `text` comes next.
    pub(super) fn comes(&self, text: &'static str) -> bool {
        self.bytes[self.at..].starts_with(text.as_bytes())
    }

    pub(super) fn expect(&mut self, text: &'static str) -> Read<()> {
        if self.skip(text) { Ok(()) } else { Err(KnobErrorKind::Expected(text)) }
    }

    /// Reads a string of letters, digits and underscores; no other strings occur.
    pub(super) fn string(&mut self) -> Read<&'a str> {
        self.expect("\"")?;
        let rest = &self.bytes[self.at..];
        let is_end = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
        let len = rest.iter().position(is_end).unwrap_or(rest.len());
        self.at += len;
        self.expect("\"")?;
        core::str::from_utf8(&rest[..len]).map_err(|_| KnobErrorKind::UnknownWord)
    }

    /// Reads a key of an object and the colon after it.
    pub(super) fn key(&mut self) -> Read<&'a str> {
        let key = self.string()?;
        self.expect(":")?;
        Ok(key)
    }

    /// Reads an integer in its shortest spelling.
    pub(super) fn integer(&mut self) -> Read<i32> {
        let start = self.at;
        self.skip("-");
        let digits = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let leading_zero = self.bytes.get(self.at) == Some(&b'0');
        let minus = self.at > start;
        if digits == 0 || leading_zero && (digits > 1 || minus) {
            self.at = start;
            return Err(KnobErrorKind::NotInteger);
        }
        let end = self.at + digits;
        let text = core::str::from_utf8(&self.bytes[start..end]).map_err(|_| KnobErrorKind::NotInteger)?;
        self.at = start;
        let number = text.parse().map_err(|_| KnobErrorKind::IntegerTooLarge)?;
        self.at = end;
        Ok(number)
    }

    /// Reads a list: `[`, items with commas between, `]`. `item` reads each item.
    pub(super) fn list(&mut self, mut item: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        self.expect("[")?;
        self.items("]", &mut item)
    }

    /// Reads an object: `{`, entries with commas between, `}`. `entry` reads each entry.
    pub(super) fn object(&mut self, mut entry: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        self.expect("{")?;
        self.items("}", &mut entry)
    }

    fn items(&mut self, end: &'static str, item: &mut dyn FnMut(&mut Self) -> Read<()>) -> Read<()> {
        let mut first = true;
        while !self.skip(end) {
            if !first {
                self.expect(",")?;
            }
            first = false;
            item(self)?;
        }
        Ok(())
    }

    /// Returns the position of `word` in `words`, which must come after `last`. Sets `last` to this position.
    pub(super) fn in_order<'w>(
        &mut self,
        word: &str,
        words: impl IntoIterator<Item = &'w str>,
        last: &mut Option<usize>,
    ) -> Read<usize> {
        let place = words.into_iter().position(|known| known == word).ok_or(KnobErrorKind::UnknownWord)?;
        if last.is_some_and(|last| place <= last) {
            return Err(KnobErrorKind::OutOfOrder);
        }
        *last = Some(place);
        Ok(place)
    }
}

/// A type of knob values.
pub(super) trait Value: Sized + PartialEq {
    /// Whether the numbers of the type are points.
    const POINTS: bool = false;

    /// Appends the canonical spelling of the value.
    fn write(&self, out: &mut String);

    /// Reads a value in its canonical spelling.
    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self>;

    /// Calls `each` with every number that the value holds.
    fn numbers(&self, _each: &mut dyn FnMut(i32)) {}

    /// Returns all values in their canonical spelling, if the type has a closed list of values; otherwise an empty
    /// list.
    fn all() -> Vec<String> {
        Vec::new()
    }
}

pub(super) fn write_key(key: &str, out: &mut String) {
    write_string(key, out);
    out.push(':');
}

pub(super) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    out.push_str(text);
    out.push('"');
}

pub(super) fn write_integer(number: i32, out: &mut String) {
    write!(out, "{number}").expect("a string takes all text");
}

/// Writes items with commas between them, enclosed by `open` and `close`.
pub(super) fn write_items<T>(
    (open, close): (char, char),
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String),
) {
    out.push(open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(close);
}

#[cfg(test)]
mod tests;
