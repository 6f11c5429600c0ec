//! The fields of JSON objects: writing and reading are one code.
//!
//! Nothing is judged: a value may still be one that no log can hold. The form has neither null nor numbers that are not
//! integers.

use super::json::{Read, ValueFault, flag, hex, hex_bytes, integer, list, maybe_hex, string, text, word};
use super::values::{card, card_text, onto, onto_value};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use base16ct::lower::encode_string as to_hex;
use canasta_log::codes::{self, MELD_KINDS};
use canasta_log::fields::{self, Fields, Name, Number, Words};
use canasta_rules::action::*;
use canasta_rules::card::Card;
use core::mem::replace;
use serde_json::{Map, Value};

/// An object or a list that is written or read, field by field.
pub(super) struct Json<'o> {
    is_reader: bool,
    /// The keys or elements that are written so far, or not read yet.
    place: Value,
    /// The position behind the mask of a ruling, which is written for readers.
    opened: Option<&'o str>,
}

impl<'o> Json<'o> {
    /// Returns the object with these fields.
    pub(super) fn write(opened: Option<&'o str>, fields: impl FnOnce(&mut Self) -> Read<()>) -> Value {
        let mut json = Self { is_reader: false, place: Map::new().into(), opened };
        fields(&mut json).expect("every value can be written");
        json.place
    }

    /// Reads these fields of an object, which must have no other keys.
    pub(super) fn read<T>(object: Value, fields: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        Self { is_reader: true, place: object, opened: None }.object(fields)
    }

    /// Reads an action.
    pub(super) fn action(object: Value) -> Read<Action> {
        let mut action = Action::default();
        Json::read(object, |f| fields::action(f, &mut action)).map(|()| action)
    }

    pub(super) fn is_reader(&self) -> bool {
        self.is_reader
    }

    fn object<T>(&mut self, fields: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if !self.place.is_object() {
            return Err(ValueFault::new("expected an object"));
        }
        let found = fields(self)?;
        match self.place.as_object().and_then(|rest| rest.keys().next()) {
            Some(key) if self.is_reader => Err(ValueFault::new("unknown key").within(key)),
            _ => Ok(found),
        }
    }

    pub(super) fn has(&self, name: Name) -> bool {
        self.place.get(key(name)).is_some()
    }

    pub(super) fn put(&mut self, name: Name, value: impl Into<Value>) {
        match &mut self.place {
            Value::Object(map) => drop(map.insert(key(name).to_owned(), value.into())),
            Value::Array(list) => list.push(value.into()),
            _ => unreachable!("values stand in objects and lists"),
        }
    }

    /// Takes a value out of those that are not read yet.
    pub(super) fn take(&mut self, name: Name) -> Read<Value> {
        let found = match &mut self.place {
            Value::Object(map) => map.shift_remove(key(name)),
            Value::Array(list) => list.pop(),
            _ => None,
        };
        found.ok_or_else(|| ValueFault::new("missing"))
    }

    /// Adds the key to the place of a fault. Elements have no key: lists add their index.
    fn at<T>(&self, name: Name, read: Read<T>) -> Read<T> {
        if self.place.is_array() { read } else { read.map_err(|fault| fault.within(key(name))) }
    }

    /// Writes or reads a value by its own functions.
    pub(super) fn value<T>(
        &mut self,
        name: Name,
        value: &mut T,
        write: impl FnOnce(&T) -> Value,
        read: impl FnOnce(&Value) -> Read<T>,
    ) -> Read<()> {
        if self.is_reader {
            let found = self.take(name).and_then(|found| read(&found));
            *value = self.at(name, found)?;
        } else {
            self.put(name, write(value));
        }
        Ok(())
    }

    /// Writes or reads a list of values by their own functions.
    fn values<T, L: AsRef<[T]> + FromIterator<T>>(
        &mut self,
        name: Name,
        values: &mut L,
        write: impl Fn(&T) -> Value,
        read: impl Fn(&Value) -> Read<T>,
    ) -> Read<()> {
        let all = |found: &Value| list(read)(found).map(L::from_iter);
        self.value(name, values, |values| values.as_ref().iter().map(write).collect(), all)
    }

    /// Writes or reads a list of integers.
    pub(super) fn numbers<T: Number>(&mut self, name: Name, list: &mut Vec<T>) -> Read<()> {
        self.values(name, list, number_value, integer)
    }

    /// Writes or reads an object or a list within; writing begins with `blank`.
    fn within(&mut self, name: Name, blank: Value, inner: impl FnOnce(&mut Self) -> Read<()>) -> Read<()> {
        let start = if self.is_reader { self.take(name) } else { Ok(blank) };
        let start = self.at(name, start)?;
        let outer = replace(&mut self.place, start);
        let coded = inner(self);
        let inner = replace(&mut self.place, outer);
        if !self.is_reader {
            self.put(name, inner);
        }
        self.at(name, coded)
    }
}

fn number_value<T: Number>(number: &T) -> Value {
    serde_json::to_value(number).expect("an integer")
}

/// Returns the key of a field.
fn key(name: Name) -> &'static str {
    name.rsplit('.').next().unwrap_or(name)
}

impl Fields for Json<'_> {
    type Fault = ValueFault;

    fn number<T: Number>(&mut self, name: Name, value: &mut T) -> Read<()> {
        self.value(name, value, number_value, integer)
    }

    fn flag(&mut self, name: Name, value: &mut bool) -> Read<()> {
        self.value(name, value, |value| Value::Bool(*value), flag)
    }

    fn place(&mut self, name: Name, value: &mut u8) -> Read<()> {
        self.number(name, value)
    }

    fn choice<T: Copy + PartialEq>(&mut self, name: Name, table: &Words<T>, value: &mut T) -> Read<()> {
        self.value(name, value, |value| codes::word(table, *value).into(), word(table))
    }

    fn kind(&mut self, value: &mut ActionKind) -> Read<()> {
        self.value(
            "type",
            value,
            |kind| kind.name().into(),
            |value| {
                let name = text(value)?;
                ActionKind::from_name(name).ok_or_else(|| ValueFault::new(format!("unknown action {name:?}")))
            },
        )
    }

    fn text(&mut self, name: Name, _: usize, value: &mut String) -> Read<()> {
        self.value(name, value, |value| value.as_str().into(), string)
    }

    fn data(&mut self, name: Name, _: usize, value: &mut Vec<u8>) -> Read<()> {
        self.value(name, value, |value| to_hex(value).into(), hex_bytes)
    }

    fn array<const N: usize>(&mut self, name: Name, value: &mut [u8; N]) -> Read<()> {
        self.value(name, value, |value| to_hex(value).into(), hex)
    }

    fn arrays<const N: usize>(&mut self, name: Name, value: &mut Vec<Option<[u8; N]>>) -> Read<()> {
        let write = |array: &Option<[u8; N]>| array.map_or_else(String::new, |array| to_hex(&array)).into();
        self.values(name, value, write, maybe_hex)
    }

    fn card(&mut self, name: Name, value: &mut Card) -> Read<()> {
        self.value(name, value, card_text, card)
    }

    fn cards<L: AsRef<[Card]> + FromIterator<Card>>(&mut self, name: Name, value: &mut L) -> Read<()> {
        self.values(name, value, card_text, card)
    }

    fn some_cards(&mut self, name: Name, value: &mut Vec<Option<Card>>) -> Read<()> {
        let write = |card: &Option<Card>| card.as_ref().map_or_else(|| "??".into(), card_text);
        let read = |value: &Value| if value == "??" { Ok(None) } else { card(value).map(Some) };
        self.values(name, value, write, read)
    }

    fn onto(&mut self, name: Name, value: &mut Onto) -> Read<()> {
        self.value(name, value, |value| onto_value(*value), onto)
    }

    fn group(&mut self, group: &mut Group) -> Read<()> {
        self.part("groups[]", |f| {
            f.choice("kind", &MELD_KINDS, &mut group.kind)?;
            f.onto("onto", &mut group.onto)?;
            f.omitted("top", &mut group.top, Self::flag)?;
            f.cards("cards", &mut group.cards)
        })
    }

    fn position(&mut self, effect: &mut Effect) -> Read<()> {
        let mut masked = effect.position.take_if(|_| effect.masked);
        // An unmasked position is text: a record holds no other form of it.
        let clear = effect.position.take().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let opened = self.opened.filter(|_| masked.is_some()).map(str::to_owned);
        let mut clear = clear.or(opened);
        self.maybe("position", &mut clear, |f, name, text| f.text(name, usize::MAX, text))?;
        self.maybe("masked", &mut masked, |f, name, bytes| f.data(name, usize::MAX, bytes))?;
        effect.masked = masked.is_some();
        // Beside a masked position, the unmasked one is only for readers.
        effect.position = masked.or(clear.map(String::into_bytes));
        Ok(())
    }

    fn inner(&mut self, name: Name, action: &mut Action) -> Read<()> {
        self.part(name, |f| fields::action(f, action))
    }

    fn part(&mut self, name: Name, fields: impl FnOnce(&mut Self) -> Read<()>) -> Read<()> {
        self.within(name, Map::new().into(), |f| f.object(fields))
    }

    fn maybe_from<T>(
        &mut self,
        name: Name,
        value: &mut Option<T>,
        blank: T,
        field: impl FnOnce(&mut Self, Name, &mut T) -> Read<()>,
    ) -> Read<()> {
        if self.is_reader {
            *value = self.has(name).then_some(blank);
        }
        value.as_mut().map_or(Ok(()), |value| field(self, name, value))
    }

    fn omitted<T: Default + PartialEq>(
        &mut self,
        name: Name,
        value: &mut T,
        field: impl FnOnce(&mut Self, Name, &mut T) -> Read<()>,
    ) -> Read<()> {
        let is_there = if self.is_reader { self.has(name) } else { *value != T::default() };
        if is_there { field(self, name, value) } else { Ok(()) }
    }

    fn list<T: Default, L: AsMut<[T]> + Extend<T>>(
        &mut self,
        name: Name,
        _: usize,
        list: &mut L,
        element: impl Fn(&mut Self, &mut T) -> Read<()>,
    ) -> Read<()> {
        self.within(name, Value::Array(Vec::new()), |f| {
            if !f.is_reader {
                return list.as_mut().iter_mut().try_for_each(|value| element(f, value));
            }
            let Value::Array(found) = f.place.take() else { return Err(ValueFault::new("expected a list")) };
            for (at, found) in found.into_iter().enumerate() {
                f.place = vec![found].into();
                let mut value = T::default();
                element(f, &mut value).map_err(|fault| fault.within(format_args!("[{at}]")))?;
                list.extend([value]);
            }
            Ok(())
        })
    }
}
