//! Parses lines into records.

use super::export::{by_seat, side_count};
use super::json::{
    Fields, Read, ValueFault, flag, hex, hex_bytes, integer, list, maybe_hex, parse, string, word,
};
use super::parts::{by, expect, fork, player, preset_knobs, score, started_at};
use super::values::{are_cards, cards, seat, some_cards};
use super::{Counters, Derived, FORMAT, action, event};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use canasta_log::codes::{DEAL_MODES, END_REASONS, REGISTRATIONS};
use canasta_log::dealing::Registration;
use canasta_log::record::Record;
use canasta_log::record::*;
use canasta_rules::card::Card;
use canasta_rules::rules::PresetId;
use canasta_rules::seat::Seat;
use core::error::Error;
use core::fmt;
use serde_json::Value;

/// A parser of one log, line by line, in order.
///
/// Keys may stand in any order, with any blanks between them; missing, unknown, repeated and null keys are
/// errors. Nothing is judged: a record may still be one that no log can hold ([`Record::encode`] refuses it),
/// and derived values are returned as found.
#[derive(Debug, Default)]
pub struct Importer {
    count: Counters,
    lines: u64,
    /// Whether keys that only logs of this project have may be missing.
    foreign: bool,
}

/// The reason why a line is not a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportError {
    /// Number of the line, from 1.
    pub line: u64,
    /// The value concerned (`sides[1].lines[0].item`); empty for the whole line.
    pub field: String,
    /// The text of what was expected and found.
    pub reason: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.reason)
    }
}

impl Error for ImportError {}

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
#[derive(Debug)]
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
        Self { foreign: true, ..Self::default() }
    }

    /// Parses the next line into its record and the derived values.
    ///
    /// # Errors
    /// If the line is not an object of the form. After an error the importer must not be used again.
    pub fn line(&mut self, line: &str) -> Result<Line, ImportError> {
        self.read(line, |importer, kind, fields| importer.record(kind, fields))
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
        of: impl FnOnce(&mut Self, &str, &mut Fields) -> Read<T>,
    ) -> Result<T, ImportError> {
        self.lines += 1;
        let number = self.lines;
        let read = parse(line).and_then(|value| {
            let mut fields = Fields::of(&value)?;
            let kind = fields.get("kind", string)?;
            if (kind == "game") != (number == 1) {
                return Err(ValueFault::new(
                    "the line of the game must be the first line, and only the first",
                ));
            }
            let read = of(self, &kind, &mut fields)?;
            fields.done()?;
            Ok(read)
        });
        read.map_err(|ValueFault { path, reason }| ImportError { line: number, field: path, reason })
    }

    fn record(&mut self, kind: &str, fields: &mut Fields) -> Read<Line> {
        Ok(match kind {
            "game" => (self.genesis(fields)?, Derived::default()),
            "register" => (self.register(fields)?, Derived::default()),
            "action" => self.action(fields)?,
            "round_end" => self.round_end(fields)?,
            "game_end" => self.game_end(fields)?,
            "refusal" => self.refusal(fields)?,
            "note" => (self.note(fields)?, Derived::default()),
            "checkpoint" => (Record::Checkpoint(fields.get("note", string)?), Derived::default()),
            _ => return Err(ValueFault::new(format!("unknown kind {kind:?}"))),
        })
    }

    /// Reads a key that a foreign record may lack: logs of this project have it, but it follows from the rest
    /// or says nothing about the game.
    fn stored<T: Default>(
        &self,
        fields: &mut Fields,
        key: &str,
        read: impl FnOnce(&Value) -> Read<T>,
    ) -> Read<T> {
        if self.foreign { Ok(fields.maybe(key, read)?.unwrap_or_default()) } else { fields.get(key, read) }
    }

    fn genesis(&mut self, fields: &mut Fields) -> Read<Record> {
        fields.get("format", |value| expect(value, FORMAT))?;
        // The lines of a log of version 1 say the same.
        self.stored(fields, "log", |value| {
            expect(value, canasta_log::VERSION).or_else(|_| expect(value, 1))
        })?;
        let game_id = self.stored(fields, "game_id", hex)?;
        let (rule_set_id, digest, knobs, base) = fields.get("ruleset", |value| {
            let mut fields = Fields::of(value)?;
            let id = fields.get("id", string)?;
            let digest: Option<[u8; 32]> =
                self.stored(&mut fields, "digest", |value| hex(value).map(Some))?;
            let preset = if self.foreign { preset_knobs(&id) } else { None };
            let knobs = match fields.maybe("knobs", |value| Ok(value.clone()))?.or(preset) {
                Some(knobs) => knobs,
                None if id.contains('+') || PresetId::from_name(&id).is_some() => {
                    return Err(ValueFault::new("missing").within("knobs"));
                }
                None => return Err(ValueFault::new(format!("unknown rule set {id:?}")).within("id")),
            };
            let base = fields.maybe("base", string)?;
            fields.done()?;
            Ok((id, digest, knobs, base))
        })?;
        self.count.by_seat = by_seat(&knobs);
        let sides = side_count(&knobs);
        let players = fields.get("seats", list(player(sides)))?;
        for (place, (seat, _)) in players.iter().enumerate() {
            if *seat != place {
                return Err(ValueFault::new(format!("seat {seat} stands in place {place} of seats")));
            }
        }
        let deal = |value: &Value| {
            let mut fields = Fields::of(value)?;
            let mode = fields.get("mode", word(&DEAL_MODES))?;
            let commitment = fields.maybe("commitment", hex)?;
            let registration = fields.maybe("registration", word(&REGISTRATIONS))?;
            fields.done()?;
            Ok(Some((mode, commitment, registration.unwrap_or_default())))
        };
        let (mode, commitment, registration) =
            self.stored(fields, "deal", deal)?.unwrap_or((DealMode::Explicit, None, Registration::default()));
        let genesis = Genesis {
            game_id,
            base: base.unwrap_or_else(|| rule_set_id.clone()),
            rule_set_id,
            rule_set: knobs.to_string().into_bytes(),
            players: players.into_iter().map(|(_, player)| player).collect(),
            mode,
            registration,
            commitment,
            engine: self.stored(fields, "engine", string)?,
            started_at_ms: fields.maybe("started_at", started_at)?,
            fork_of: fields.maybe("fork_of", fork)?,
            director: fields.maybe("director", hex)?,
            penalties: fields.maybe("penalties", integer)?,
        };
        if digest.is_some_and(|digest| genesis.rule_set_digest() != digest) {
            return Err(ValueFault::new("the digest of the rule set does not match its knobs"));
        }
        Ok(Record::Genesis(Box::new(genesis)))
    }

    fn register(&mut self, fields: &mut Fields) -> Read<Record> {
        let beacon = |value: &Value| {
            let mut fields = Fields::of(value)?;
            let beacon = Beacon {
                chain: fields.get("chain", hex)?,
                round: fields.get("round", integer)?,
                close_ms: fields.get("close_ms", integer)?,
            };
            fields.done()?;
            Ok(beacon)
        };
        let register = Register {
            round: fields.get("round", integer)?,
            attempt: self.attempt(fields)?,
            dealer: fields.maybe("dealer", seat)?,
            commitment: fields.maybe("commitment", hex)?,
            seats: fields.maybe("seats", list(maybe_hex))?.unwrap_or_default(),
            beacon: fields.maybe("beacon", beacon)?,
            signatures: fields.maybe("signatures", list(maybe_hex))?.unwrap_or_default(),
        };
        self.count.round = Some(register.round);
        Ok(Record::Register(Box::new(register)))
    }

    /// Reads the number of the deal of a round; 1 if a foreign record does not say it.
    fn attempt(&self, fields: &mut Fields) -> Read<u32> {
        let attempt = self.stored(fields, "attempt", |value| integer(value).map(Some))?;
        Ok(attempt.unwrap_or(1))
    }

    fn foreign_action(&mut self, fields: &mut Fields) -> Read<ForeignAction> {
        let action = ForeignAction {
            seq: fields.maybe("seq", integer)?,
            round: fields.maybe("round", integer)?,
            actor: fields.maybe("seat", seat)?,
            elapsed_ms: self.elapsed(fields)?,
            action: fields.get("action", |value| are_cards(value).map(|()| value.clone()))?,
            cards: fields.maybe("cards", cards)?,
            events: fields.maybe("events", list(|event| are_cards(event).map(|()| event.clone())))?,
        };
        // Both belong to the log from which the record may come.
        fields.maybe("state", hex::<8>)?;
        fields.maybe("sig", hex::<64>)?;
        Ok(action)
    }

    fn action(&mut self, fields: &mut Fields) -> Read<Line> {
        self.count.seq += 1;
        let derived = Derived {
            seq: Some(fields.get("seq", integer)?),
            round: fields.maybe("round", integer)?,
            events: fields.maybe("events", list(event::from_value))?,
            ..Derived::default()
        };
        let record = ActionRecord {
            actor: fields.maybe("seat", seat)?,
            action: fields.get("action", action::from_value)?,
            elapsed_ms: self.elapsed(fields)?,
            cards: fields.maybe("cards", some_cards)?,
            signature: fields.maybe("sig", hex)?,
            digest: fields.get("state", hex)?,
        };
        Ok((Record::Action(Box::new(record)), derived))
    }

    fn round_end(&mut self, fields: &mut Fields) -> Read<Line> {
        let mut derived = Derived {
            seat: fields.maybe("seat", seat)?,
            concealed: fields.maybe("concealed", flag)?,
            dealer: fields.maybe("dealer", seat)?,
            wall: fields.maybe("wall", cards)?,
            start_scores: fields.maybe("start_scores", list(integer))?,
            ..Derived::default()
        };
        let reveal = match (fields.maybe("secret", hex)?, fields.maybe("salt", hex)?) {
            (None, None) => Reveal::None,
            (Some(secret), None) => Reveal::Secret(secret),
            // Only the wall of a foreign record counts, not the commitment to it.
            _ if self.foreign => Reveal::None,
            (None, Some(salt)) => {
                let cards = derived.wall.take().ok_or_else(|| ValueFault::new("a salt without its wall"))?;
                Reveal::Wall { cards, salt }
            }
            (Some(_), Some(_)) => return Err(ValueFault::new("secret and salt exclude each other")),
        };
        let unit = self.count.unit();
        let sides = fields.maybe("sides", list(|value| score(value, unit)))?;
        if let Some(sides) = &sides {
            derived.totals = sides.iter().map(|(_, total, _)| *total).collect();
            let after = sides.iter().map(|(score, _, after)| after.map(|after| (score.unit, after)));
            derived.cumulative = after.collect();
        }
        let end = RoundEnd {
            round: fields.get("round", integer)?,
            attempt: self.attempt(fields)?,
            reason: fields.get("reason", word(&END_REASONS))?,
            reveal,
            scores: sides.into_iter().flatten().map(|(score, ..)| score).collect(),
            digest: self.stored(fields, "state", hex)?,
        };
        Ok((Record::RoundEnd(Box::new(end)), derived))
    }

    fn game_end(&self, fields: &mut Fields) -> Read<Line> {
        let unit = self.count.unit();
        let side = |value: &Value| {
            let mut fields = Fields::of(value)?;
            let side = (fields.get(unit, integer)?, fields.get("cumulative", integer)?);
            fields.done()?;
            Ok(side)
        };
        let derived = Derived {
            margin: fields.maybe("margin", integer)?,
            cumulative: fields.maybe("sides", list(side))?,
            ..Derived::default()
        };
        let end = GameEnd { winner: fields.maybe("winner", integer)?, secret: fields.maybe("secret", hex)? };
        Ok((Record::GameEnd(end), derived))
    }

    fn refusal(&mut self, fields: &mut Fields) -> Read<Line> {
        let round = fields.maybe("round", integer)?;
        let mut opened = None;
        let kind = fields.get("type", action::kind)?;
        let attempt = match fields.maybe("masked", hex_bytes)? {
            Some(bytes) => {
                opened = fields.maybe("action", |value| Ok(action::from_value(value).ok()))?.flatten();
                Attempt::Masked { kind, bytes }
            }
            None => {
                let tried = fields.get("action", action::from_value)?;
                if tried.kind() != kind {
                    return Err(ValueFault::new("the action is not of this type"));
                }
                Attempt::Clear(tried)
            }
        };
        let refusal = Refusal {
            actor: fields.maybe("seat", seat)?,
            elapsed_ms: self.elapsed(fields)?,
            codes: fields.get("codes", list(string))?,
            attempt,
        };
        let derived = Derived { round, attempt: opened, ..Derived::default() };
        Ok((Record::Refusal(Box::new(refusal)), derived))
    }

    fn note(&mut self, fields: &mut Fields) -> Read<Record> {
        Ok(Record::Note(Note {
            by: fields.get("by", by)?,
            elapsed_ms: self.elapsed(fields)?,
            text: fields.get("text", string)?,
        }))
    }

    /// Returns the claimed time since the last claim, from the sum of all claims, in ms.
    fn elapsed(&mut self, fields: &mut Fields) -> Read<Option<u64>> {
        let last = self.count.at_ms;
        let Some(at_ms) = fields.maybe("at_ms", integer::<u64>)? else { return Ok(None) };
        let elapsed = at_ms.checked_sub(last);
        let elapsed = elapsed.ok_or_else(|| ValueFault::new(format!("at_ms {at_ms} comes after {last}")))?;
        self.count.at_ms = at_ms;
        Ok(Some(elapsed))
    }
}
