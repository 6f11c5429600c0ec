//! Parses lines, and values of them.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use base16ct::lower;
use core::cell::RefCell;
use core::fmt;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use thiserror::Error;

/// The reason why a value cannot be parsed: its place (`sides[1].lines`), and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{path}{}{reason}", if path.is_empty() { "" } else { ": " })]
pub(super) struct ValueFault {
    pub path: String,
    pub reason: String,
}

impl ValueFault {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self { path: String::new(), reason: reason.into() }
    }

    /// Puts the place of the fault inside `outer`.
    pub(super) fn within(mut self, outer: impl fmt::Display) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{outer}{dot}{}", self.path);
        self
    }
}

pub(super) type Read<T> = Result<T, ValueFault>;

/// Parses a line. A key that stands twice is an error: parsers differ on which value counts.
pub(super) fn parse(line: &str) -> Read<Value> {
    let path = RefCell::default();
    let mut reader = serde_json::Deserializer::from_str(line);
    let value = Unique(&path).deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let reason = error.to_string();
        let reason = format!("{}, column {}", reason.strip_suffix(&place).unwrap_or(&reason), error.column());
        path.take().iter().fold(ValueFault::new(reason), |fault, outer| fault.within(outer))
    })
}

/// A parser of values that refuses repeated keys. After an error it holds the keys and indices that lead to
/// the error, innermost first.
#[derive(Clone, Copy)]
struct Unique<'p>(&'p RefCell<Vec<String>>);

impl Unique<'_> {
    /// Adds a key or index to the place of an error.
    fn at<T, E>(self, read: Result<T, E>, outer: impl FnOnce() -> String) -> Result<T, E> {
        read.inspect_err(|_| self.0.borrow_mut().push(outer()))
    }
}

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let element = elements.next_element_seed(self);
            match self.at(element, || format!("[{}]", list.len()))? {
                Some(element) => list.push(element),
                None => return Ok(Value::Array(list)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return self.at(Err(de::Error::custom("the key stands twice")), || key);
            }
            let value = self.at(entries.next_value_seed(self), || key.clone())?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// Parses a list, element by element.
pub(super) fn list<T>(read: impl Fn(&Value) -> Read<T>) -> impl Fn(&Value) -> Read<Vec<T>> {
    move |value| {
        let elements = value.as_array().ok_or_else(|| ValueFault::new("expected a list"))?;
        let element = |(at, value)| read(value).map_err(|fault| fault.within(format_args!("[{at}]")));
        elements.iter().enumerate().map(element).collect()
    }
}

/// Parses a text without copying it.
pub(super) fn text(value: &Value) -> Read<&str> {
    value.as_str().ok_or_else(|| ValueFault::new("expected text"))
}

/// Parses a text.
pub(super) fn string(value: &Value) -> Read<String> {
    text(value).map(str::to_owned)
}

/// Parses `true` or `false`.
pub(super) fn flag(value: &Value) -> Read<bool> {
    value.as_bool().ok_or_else(|| ValueFault::new("expected true or false"))
}

/// Parses an integer in the range of `T`.
pub(super) fn integer<T: TryFrom<i128>>(value: &Value) -> Read<T> {
    let wide = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    let wide = wide.ok_or_else(|| ValueFault::new("expected an integer"))?;
    T::try_from(wide).map_err(|_| ValueFault::new(format!("{wide} is out of range")))
}

/// Parses one of the words of a table.
pub(super) fn word<T: Copy>(table: &[(T, &'static str)]) -> impl Fn(&Value) -> Read<T> {
    move |value| {
        let found = text(value)?;
        let known = table.iter().find(|(_, word)| *word == found);
        known.map(|&(value, _)| value).ok_or_else(|| ValueFault::new(format!("unknown word {found:?}")))
    }
}

/// Parses lower-case hex of any length.
pub(super) fn hex_bytes(value: &Value) -> Read<Vec<u8>> {
    lower::decode_vec(text(value)?).map_err(|_| ValueFault::new("expected lower-case hex"))
}

/// Parses lower-case hex of `N` bytes.
pub(super) fn hex<const N: usize>(value: &Value) -> Read<[u8; N]> {
    let bytes = hex_bytes(value)?;
    let found = bytes.len();
    bytes.try_into().map_err(|_| ValueFault::new(format!("expected hex of {N} bytes, found {found}")))
}

/// Parses hex of exactly `N` bytes, or an empty text for `None`.
pub(super) fn maybe_hex<const N: usize>(value: &Value) -> Read<Option<[u8; N]>> {
    if text(value)?.is_empty() { Ok(None) } else { hex(value).map(Some) }
}
