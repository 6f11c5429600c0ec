//! Parses lines into records.

use super::coder::Json;
use super::json::{Read, ValueFault, parse};
use super::values::are_cards;
use super::{Counters, Derived};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::fields::{Fields, Name};
use canasta_log::record::Record;
use canasta_rules::card::Card;
use canasta_rules::seat::Seat;
use serde_json::Value;
use thiserror::Error;

/// A parser of one log, line by line, in order.
///
/// Keys may stand in any order, with any blanks between them; missing, unknown, repeated and null keys are
/// errors. Nothing is judged: a record may still be one that no log can hold ([`Record::encode`] refuses it),
/// and derived values are returned as found.
#[derive(Debug, Default)]
pub struct Importer {
    count: Counters,
    lines: u64,
}

/// The reason why a line is not a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {field}{}{reason}", if field.is_empty() { "" } else { ": " })]
pub struct ImportError {
    /// Number of the line, from 1.
    pub line: u64,
    /// The value concerned (`sides[1].lines[0].item`); empty for the whole line.
    pub field: String,
    /// The text of what was expected and found.
    pub reason: String,
}

type Line = (Record, Derived);

/// A line of a foreign record.
#[derive(Debug)]
pub enum ForeignLine {
    /// An action.
    Action(Box<ForeignAction>),
    /// Any other line. Values that follow from the rest of the record, such as digests, are zero if the line
    /// lacks them.
    Record(Box<Record>, Box<Derived>),
}

/// An action of a foreign record. Action and events may follow other conventions than this form.
#[derive(Debug, Default)]
pub struct ForeignAction {
    /// The number of the action.
    pub seq: Option<u64>,
    /// The number of the round.
    pub round: Option<u32>,
    /// The actor; the table if no seat is named.
    pub actor: Option<Seat>,
    /// The claimed time since the last record that has one, in ms.
    pub elapsed_ms: Option<u64>,
    /// The action.
    pub action: Value,
    /// The cards that the actor received.
    pub cards: Option<Vec<Card>>,
    /// The events.
    pub events: Option<Vec<Value>>,
}

impl Importer {
    /// Returns an importer before the first line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an importer for a record that another program wrote: see [`Importer::foreign_line`].
    pub fn foreign() -> Self {
        Self { count: Counters { foreign: true, ..Counters::default() }, lines: 0 }
    }

    /// Parses the next line into its record and the derived values.
    ///
    /// # Errors
    /// If the line is not an object of the form. After an error the importer must not be used again.
    pub fn line(&mut self, line: &str) -> Result<Line, ImportError> {
        self.read(line, Self::record)
    }

    /// Parses the next line of a foreign record.
    ///
    /// # Errors
    /// As [`Importer::line`].
    pub fn foreign_line(&mut self, line: &str) -> Result<ForeignLine, ImportError> {
        self.read(line, |importer, kind, fields| match kind {
            "action" => importer.foreign_action(fields).map(|action| ForeignLine::Action(Box::new(action))),
            _ => {
                let (record, derived) = importer.record(kind, fields)?;
                Ok(ForeignLine::Record(Box::new(record), Box::new(derived)))
            }
        })
    }

    fn read<T>(
        &mut self,
        line: &str,
        of: impl FnOnce(&mut Self, &str, &mut Json<'_>) -> Read<T>,
    ) -> Result<T, ImportError> {
        self.lines += 1;
        let number = self.lines;
        let read = parse(line).and_then(|value| {
            Json::read(value, |f| {
                let mut kind = String::new();
                f.text("kind", usize::MAX, &mut kind)?;
                if (kind == "game") != (number == 1) {
                    return Err(ValueFault::new(
                        "the line of the game must be the first line, and only the first",
                    ));
                }
                of(self, &kind, f)
            })
        });
        read.map_err(|ValueFault { path, reason }| ImportError { line: number, field: path, reason })
    }

    fn record(&mut self, kind: &str, f: &mut Json<'_>) -> Read<Line> {
        // The line of genesis says `game`.
        let name = if kind == "game" { "genesis" } else { kind };
        let blank = Record::blank(name).filter(|_| kind != "genesis");
        let blank = blank.ok_or_else(|| ValueFault::new(format!("unknown kind {kind:?}")));
        let (mut record, mut derived) = (blank?, Derived::default());
        self.count.line(f, &mut record, &mut derived)?;
        Ok((record, derived))
    }

    fn foreign_action(&mut self, f: &mut Json<'_>) -> Read<ForeignAction> {
        let mut found = ForeignAction::default();
        f.maybe("seq", &mut found.seq, Json::number)?;
        f.maybe("round", &mut found.round, Json::number)?;
        f.maybe("seat", &mut found.actor, Json::seat)?;
        self.count.at_ms(f, &mut found.elapsed_ms)?;
        checked(f, "action", &mut found.action)?;
        f.maybe("cards", &mut found.cards, Json::cards)?;
        f.maybe("events", &mut found.events, |f, name, events| {
            f.list(name, usize::MAX, events, |f, event| checked(f, "[]", event))
        })?;
        // Both belong to the log from which the record may come.
        f.maybe_array::<8>("state", &mut None)?;
        f.maybe_array::<64>("sig", &mut None)?;
        Ok(found)
    }
}

/// Reads a value of another program as it is, and checks its cards.
fn checked(f: &mut Json<'_>, name: Name, value: &mut Value) -> Read<()> {
    f.value(name, value, Value::clone, |value| are_cards(value).map(|()| value.clone()))
}
