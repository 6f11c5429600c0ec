//! The text of the values of knobs in the canonical form: how it is read and written.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use thiserror::Error;

/// The maximum length of a canonical form that is read, in bytes.
pub const CANONICAL_BYTES_MAX: usize = 8192;

/// The kind of a [`KnobError`](super::KnobError).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum KnobErrorKind {
    /// The form is longer than [`CANONICAL_BYTES_MAX`].
    #[error("longer than {CANONICAL_BYTES_MAX} bytes")]
    TooLong,
    /// This text was expected.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A knob that does not exist, is given twice or stands in the wrong place.
    #[error("expected a later knob of the list")]
    UnknownKnob,
    /// A knob that must always be written is missing.
    #[error("expected this knob, which is always written")]
    Missing,
    /// A knob is written although it has its default.
    #[error("expected no mention of a knob at its default")]
    DefaultWritten,
    /// An integer is missing, or is not in its shortest spelling.
    #[error("expected an integer in its shortest form")]
    NotInteger,
    /// An integer that the knob cannot hold.
    #[error("expected a smaller integer")]
    IntegerTooLarge,
    /// A word that the knob does not list.
    #[error("expected a word that the knob lists")]
    UnknownWord,
    /// A member or key that is given twice or out of order.
    #[error("expected members once each, in listed order")]
    OutOfOrder,
    /// Bytes follow the end.
    #[error("expected the end")]
    TrailingBytes,
}

/// The form of the values of a knob, in the canonical form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnobForm {
    /// `true` or `false`.
    Switch,
    /// One of the knob's words: `"allow"`.
    Word,
    /// A list of the knob's words, each at most once and in their order: `["wild","red_three"]`.
    Words,
    /// A number: `3`.
    Number,
    /// A list of numbers: `[100,200]`.
    Numbers,
    /// A table with a number or one of the knob's words for some ranks, in the order A K Q ... 2 X, and W for wild
    /// melds: `{"A":2500,"W":2000}`.
    ByRank,
    /// The minimums of the initial meld: `[{"below":0,"minimum":15},{"minimum":50}]` by score, `[50,90]` by round.
    Bands,
    /// A table with the points of every card: `{"A":20,...,"3b":5}`.
    CardPoints,
}

pub(super) type Read<T> = Result<T, KnobErrorKind>;

/// A position in the bytes that are read.
pub(super) struct CanonicalReader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> CanonicalReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

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
    /// The form of the values.
    const FORM: KnobForm;
    /// Whether the numbers of the type are points.
    const POINTS: bool = false;

    /// Appends the canonical spelling of the value.
    fn write(&self, out: &mut String);

    /// Reads a value in its canonical spelling.
    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self>;

    /// Calls `each` with every number that the value holds.
    fn numbers(&self, _each: &mut dyn FnMut(i32)) {}

    /// Returns the words of the type in their canonical spelling: its values, or the members or entries of its values.
    /// Empty if it has none.
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
