//! The stored bytes of fields (docs/LOG_FORMAT.md, "Values"): writing and reading are one code.
//!
//! Each value is checked in both directions. A length that was read reserves no memory: it is compared with its cap, and
//! a list grows only by elements that are there.

use super::codec::{put, take};
use super::codes::{self, MELD_KINDS, TOP};
use super::error::{DecodeError, FieldError, FieldErrorKind};
use super::fields::{self, Fields, Name, Number, Words};
use super::frame::PAYLOAD_MAX;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_rules::action::*;
use canasta_rules::card::{CARDS_MAX, Card, KINDS};
use canasta_rules::notation::POSITION_BYTES_MAX;
use canasta_rules::seat::SEATS_MAX;
use canasta_rules::table::POINTS_MAX;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Maximum number of bytes of a masked position: a tag of 16, and the position with its padding.
const MASKED_POSITION_MAX: usize = 16 + POSITION_BYTES_MAX + 64;
/// Times that a log can hold, in milliseconds since 1970: the years 0000 to 9999.
const TIMES: core::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;
/// Byte of a card that nobody knows (transcribed mode).
pub(super) const UNKNOWN_CARD: u8 = 53;

/// The outcome of a field.
pub(super) type Stored = Result<(), DecodeError>;

/// The bytes of a record or of an action.
pub(super) enum RecordBytes<'p> {
    /// The bytes that are written so far.
    Writer(Vec<u8>),
    /// The bytes that are not read yet.
    Reader(&'p [u8]),
}

impl<'p> RecordBytes<'p> {
    /// Returns the bytes of a value.
    ///
    /// # Errors
    /// The first field whose value a log cannot hold.
    pub(super) fn write<T: Clone>(
        value: &T,
        fields: fn(&mut Self, &mut T) -> Stored,
    ) -> Result<Vec<u8>, FieldError> {
        // Most payloads are actions of 12 to 30 bytes.
        let mut bytes = Self::Writer(Vec::with_capacity(64));
        match (fields(&mut bytes, &mut value.clone()), bytes) {
            (Ok(()), Self::Writer(out)) => Ok(out),
            (Err(DecodeError::Field(fault)), _) => Err(fault),
            (fault, _) => unreachable!("only bytes that are read have such faults: {fault:?}"),
        }
    }

    /// Returns the value whose bytes these are.
    ///
    /// # Errors
    /// If they are too few, too many or malformed, or a field has a value that a log cannot hold.
    pub(super) fn read<T>(
        payload: &'p [u8],
        mut value: T,
        fields: fn(&mut Self, &mut T) -> Stored,
    ) -> Result<T, DecodeError> {
        let mut bytes = Self::Reader(payload);
        fields(&mut bytes, &mut value)?;
        match bytes {
            // Inputs are payloads or their parts, at most 60,000 bytes.
            Self::Reader(rest) if !rest.is_empty() => Err(DecodeError::Trailing { left: rest.len() as u32 }),
            _ => Ok(value),
        }
    }

    pub(super) fn is_reader(&self) -> bool {
        matches!(self, Self::Reader(_))
    }

    fn code<T: Serialize + DeserializeOwned>(&mut self, value: &mut T) -> Stored {
        match self {
            Self::Writer(out) => put(value, out),
            Self::Reader(rest) => *value = take(rest)?,
        }
        Ok(())
    }

    /// Writes or reads a number that is at most `last`: a byte, or the number of a choice.
    pub(super) fn up_to<T>(&mut self, last: T, name: Name, number: &mut T) -> Stored
    where
        T: Serialize + DeserializeOwned + Copy + Into<u64>,
    {
        self.code(number)?;
        Ok(FieldError::range(name, (*number).into(), last.into())?)
    }

    /// Writes or reads one of the values of a table, whose numbers begin with `first`.
    pub(super) fn choice_from<T: Copy + PartialEq>(
        &mut self,
        first: u8,
        name: Name,
        table: &Words<T>,
        value: &mut T,
    ) -> Stored {
        let mut number = first + codes::number(table, *value);
        self.up_to(first + table.len() as u8 - 1, name, &mut number)?;
        let place = number.checked_sub(first).ok_or(FieldError::misplaced(name, "numbers count from 1"))?;
        *value = codes::from_number(table, place).expect("in range");
        Ok(())
    }

    /// Writes or reads the number of bytes, cards or elements that follow.
    fn length(&mut self, name: Name, max: usize, length: usize) -> Result<usize, DecodeError> {
        let mut length = length as u64;
        self.code(&mut length)?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        FieldError::length(name, length, max)?;
        Ok(length)
    }

    /// Writes or reads a length and so many bytes, which a writer takes from `value`. Returns those that a reader finds.
    fn octets(
        &mut self,
        name: Name,
        max: usize,
        value: impl ExactSizeIterator<Item = u8>,
    ) -> Result<Option<&'p [u8]>, DecodeError> {
        let length = self.length(name, max, value.len())?;
        match self {
            Self::Writer(out) => {
                out.extend(value);
                Ok(None)
            }
            Self::Reader(rest) => {
                let (found, left) = rest.split_at_checked(length).ok_or(DecodeError::Ended)?;
                *rest = left;
                Ok(Some(found))
            }
        }
    }

    /// Writes or reads cards, each by its kind.
    fn kinds<T, L: AsRef<[T]> + FromIterator<T>>(
        &mut self,
        name: Name,
        cards: &mut L,
        kind: impl Fn(&T) -> u8,
        card: impl Fn(u8) -> Result<T, FieldError>,
    ) -> Stored {
        if let Some(found) = self.octets(name, CARDS_MAX, cards.as_ref().iter().map(kind))? {
            *cards = found.iter().map(|&kind| card(kind)).collect::<Result<_, _>>()?;
        }
        Ok(())
    }
}

/// Returns the card of a kind.
fn card(name: Name, kind: u8) -> Result<Card, FieldError> {
    FieldError::range(name, u64::from(kind), KINDS as u64 - 1)?;
    Ok(Card::from_kind(kind).expect("in range"))
}

impl Fields for RecordBytes<'_> {
    type Fault = DecodeError;

    fn number<T: Number>(&mut self, _: Name, value: &mut T) -> Stored {
        self.code(value)
    }

    fn flag(&mut self, _: Name, value: &mut bool) -> Stored {
        self.code(value)
    }

    fn place(&mut self, name: Name, value: &mut u8) -> Stored {
        self.up_to(SEATS_MAX as u8 - 1, name, value)
    }

    fn choice<T: Copy + PartialEq>(&mut self, name: Name, table: &Words<T>, value: &mut T) -> Stored {
        self.choice_from(0, name, table, value)
    }

    fn kind(&mut self, value: &mut ActionKind) -> Stored {
        let mut number = *value as u32;
        self.up_to(ActionKind::ALL.len() as u32 - 1, "type", &mut number)?;
        *value = ActionKind::ALL[number as usize];
        Ok(())
    }

    fn text(&mut self, name: Name, max: usize, value: &mut String) -> Stored {
        match self {
            Self::Writer(out) => put(value.as_str(), out),
            Self::Reader(rest) => {
                let found: &str = take(rest)?;
                FieldError::length(name, found.len(), max)?;
                *value = found.into();
            }
        }
        Ok(FieldError::length(name, value.len(), max)?)
    }

    fn data(&mut self, name: Name, max: usize, value: &mut Vec<u8>) -> Stored {
        if let Some(found) = self.octets(name, max, value.iter().copied())? {
            *value = found.into();
        }
        Ok(())
    }

    fn array<const N: usize>(&mut self, _: Name, value: &mut [u8; N]) -> Stored {
        match self {
            Self::Writer(out) => out.extend_from_slice(value),
            Self::Reader(rest) => {
                let (found, left) = rest.split_first_chunk().ok_or(DecodeError::Ended)?;
                (*value, *rest) = (*found, left);
            }
        }
        Ok(())
    }

    fn arrays<const N: usize>(&mut self, name: Name, value: &mut Vec<Option<[u8; N]>>) -> Stored {
        self.list(name, SEATS_MAX, value, |f, array| f.maybe_array(name, array))
    }

    fn card(&mut self, name: Name, value: &mut Card) -> Stored {
        let mut kind = value.kind();
        self.code(&mut kind)?;
        *value = card(name, kind)?;
        Ok(())
    }

    fn cards<L: AsRef<[Card]> + FromIterator<Card>>(&mut self, name: Name, value: &mut L) -> Stored {
        self.kinds(name, value, |card| card.kind(), |kind| card(name, kind))
    }

    fn some_cards(&mut self, name: Name, value: &mut Vec<Option<Card>>) -> Stored {
        let some = |kind| if kind == UNKNOWN_CARD { Ok(None) } else { card(name, kind).map(Some) };
        self.kinds(name, value, |card| card.map_or(UNKNOWN_CARD, Card::kind), some)
    }

    fn onto(&mut self, _: Name, value: &mut Onto) -> Stored {
        let mut number = codes::onto_number(*value)?;
        self.code(&mut number)?;
        *value = codes::onto_from_number(number)?;
        Ok(())
    }

    fn group(&mut self, group: &mut Group) -> Stored {
        let mut shape = codes::number(&MELD_KINDS, group.kind) + if group.top { TOP } else { 0 };
        self.up_to(2 * TOP - 1, "groups", &mut shape)?;
        group.kind = codes::from_number(&MELD_KINDS, shape % TOP).expect("four kinds");
        group.top = shape >= TOP;
        self.onto("onto", &mut group.onto)?;
        self.cards("groups[].cards", &mut group.cards)
    }

    fn position(&mut self, effect: &mut Effect) -> Stored {
        let mut is_given = effect.position.is_some();
        self.code(&mut is_given)?;
        if !is_given && !effect.masked {
            return Ok(());
        }
        if !is_given {
            Err(FieldError::misplaced("effect.position", "masked, but there is no position"))?;
        }
        self.code(&mut effect.masked)?;
        let bytes = effect.position.get_or_insert_default();
        if effect.masked {
            self.data("effect.masked", MASKED_POSITION_MAX, bytes)?;
            Ok(check_masked("effect.masked", bytes)?)
        } else {
            self.data("effect.position", POSITION_BYTES_MAX, bytes)?;
            Ok(check_text("effect.position", bytes)?)
        }
    }

    fn inner(&mut self, name: Name, action: &mut Action) -> Stored {
        let mut bytes = Vec::new();
        if !self.is_reader() {
            bytes = Self::write(action, checked)?;
        }
        self.data(name, PAYLOAD_MAX, &mut bytes)?;
        // So no decoder calls itself.
        if bytes.first() == Some(&(ActionKind::Ruling as u8)) {
            Err(FieldError::misplaced(name, "a ruling cannot stand in a ruling"))?;
        }
        if self.is_reader() {
            *action = RecordBytes::read(&bytes, Action::default(), checked).map_err(|fault| match fault {
                DecodeError::Field(_) => fault,
                _ => FieldError::misplaced(name, "not the bytes of an action").into(),
            })?;
        }
        Ok(())
    }

    fn maybe_from<T>(
        &mut self,
        name: Name,
        value: &mut Option<T>,
        blank: T,
        field: impl FnOnce(&mut Self, Name, &mut T) -> Stored,
    ) -> Stored {
        let mut is_given = value.is_some();
        self.code(&mut is_given)?;
        if is_given { field(self, name, value.get_or_insert(blank)) } else { Ok(()) }
    }

    fn list<T: Default, L: AsMut<[T]> + Extend<T>>(
        &mut self,
        name: Name,
        max: usize,
        list: &mut L,
        element: impl Fn(&mut Self, &mut T) -> Stored,
    ) -> Stored {
        for at in 0..self.length(name, max, list.as_mut().len())? {
            if self.is_reader() {
                list.extend([T::default()]);
            }
            element(self, &mut list.as_mut()[at])?;
        }
        Ok(())
    }

    fn time(&mut self, name: Name, value: &mut i64) -> Stored {
        self.code(value)?;
        check_time(name, *value)?;
        Ok(())
    }
}

/// Writes or reads an action, and checks that its fields go together.
pub(super) fn checked(f: &mut RecordBytes<'_>, action: &mut Action) -> Stored {
    fields::action(f, action)?;
    match action {
        Action::Ask { about: About::Courtesy, with: Some(_), .. } => {
            Err(FieldError::misplaced("with", "only a question about going out names a way out"))?
        }
        Action::Ruling(ruling) => Ok(side_points(&ruling.effect)?),
        _ => Ok(()),
    }
}

/// Checks points by side: only `adjust` has them, and each is at most [`POINTS_MAX`] up or down.
fn side_points(effect: &Effect) -> Result<(), FieldError> {
    if effect.kind != EffectKind::Adjust && !effect.points.is_empty() {
        return Err(FieldError::misplaced("effect.points", "only adjust changes points by side"));
    }
    let max = u64::from(POINTS_MAX.unsigned_abs());
    effect
        .points
        .iter()
        .try_for_each(|points| FieldError::range("effect.points", points.unsigned_abs().into(), max))
}

/// Checks that a log can hold a time, in ms since 1970, and returns the time.
pub fn check_time(name: Name, found: i64) -> Result<i64, FieldError> {
    match TIMES.contains(&found) {
        true => Ok(found),
        false => Err(FieldError::new(name, FieldErrorKind::Time { found })),
    }
}

/// Checks that bytes are text.
pub(super) fn check_text(name: Name, bytes: &[u8]) -> Result<(), FieldError> {
    core::str::from_utf8(bytes).map(drop).map_err(|_| FieldError::new(name, FieldErrorKind::NotText))
}

/// Checks the size of masked bytes: 16, then a multiple of 64, at least 64.
pub(super) fn check_masked(name: Name, bytes: &[u8]) -> Result<(), FieldError> {
    if bytes.len() < 80 || !(bytes.len() - 16).is_multiple_of(64) {
        return Err(FieldError::misplaced(name, "masked bytes are 16 and a multiple of 64, at least 64"));
    }
    Ok(())
}
