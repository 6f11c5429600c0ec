//! Encodes records as lines.

use super::json::Object;
use super::values::{card_texts, some_card_texts};
use super::{Counters, Derived, FORMAT, action, event};
use crate::time;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use base16ct::lower::encode_string as to_hex;
use canasta_log::codes::{self, DEAL_MODES, END_REASONS, REGISTRATIONS, SCORE_ITEMS};
use canasta_log::dealing::Registration;
use canasta_log::record::Record;
use canasta_log::record::*;
use serde_json::Value;
use thiserror::Error;

/// An encoder of one log, line by line, in order.
#[derive(Debug, Default)]
pub struct Exporter(Counters);

/// The reason why a record has no line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExportError {
    /// The rule set is not JSON, or not in the one form that gives the same bytes again.
    #[error("the rule set is not canonical JSON")]
    RuleSet,
    /// The sum of the claimed times exceeds 64 bits.
    #[error("the times add up to more than 2^64 ms")]
    Time,
}

impl Exporter {
    /// Returns an exporter before the first record.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the line of the next record, without its line feed. What `derived` holds is written if the
    /// form has a place for it; `seq`, `round`, times and totals are counted here.
    ///
    /// # Errors
    /// See [`ExportError`]; both errors are possible for records that were read from a log.
    pub fn line(&mut self, record: &Record, derived: &Derived) -> Result<String, ExportError> {
        let value = match record {
            Record::Genesis(genesis) => self.genesis(genesis)?,
            Record::Register(register) => self.register(register),
            Record::Action(record) => self.action(record, derived)?,
            Record::RoundEnd(end) => self.round_end(end, derived),
            Record::GameEnd(end) => self.game_end(end, derived),
            Record::Refusal(refusal) => self.refusal(refusal, derived)?,
            Record::Note(note) => self.note(note)?,
            Record::Checkpoint(note) => {
                let mut line = Object::new("kind", "checkpoint");
                line.put("note", note.as_str());
                line.done()
            }
        };
        Ok(value.to_string())
    }

    fn genesis(&mut self, genesis: &Genesis) -> Result<Value, ExportError> {
        let knobs = knobs(&genesis.rule_set)?;
        self.0.by_seat = by_seat(&knobs);
        let sides = side_count(&knobs);
        let mut line = Object::new("kind", "game");
        line.put("format", FORMAT);
        line.put("log", canasta_log::VERSION);
        line.put("game_id", to_hex(&genesis.game_id));
        let mut rule_set = Object::new("id", &genesis.rule_set_id);
        rule_set.put("digest", to_hex(&genesis.rule_set_digest()));
        rule_set.put("knobs", knobs);
        rule_set.maybe("base", Some(genesis.base.as_str()).filter(|base| *base != genesis.rule_set_id));
        line.put("ruleset", rule_set.done());
        let seat = |(seat, player): (usize, &Player)| {
            let mut object = Object::empty();
            object.put("seat", seat);
            object.put("name", player.name.as_str());
            object.maybe("side", side_of(seat, sides));
            object.maybe("key", player.key.map(|bytes| to_hex(&bytes)));
            object.done()
        };
        line.put("seats", genesis.players.iter().enumerate().map(seat).collect::<Value>());
        let mut deal = Object::new("mode", codes::word(&DEAL_MODES, genesis.mode));
        deal.maybe("commitment", genesis.commitment.map(|bytes| to_hex(&bytes)));
        let registration = Some(genesis.registration).filter(|r| *r != Registration::Auto);
        deal.maybe("registration", registration.map(|r| codes::word(&REGISTRATIONS, r)));
        line.put("deal", deal.done());
        line.put("engine", genesis.engine.as_str());
        line.maybe("started_at", genesis.started_at_ms.map(time::to_text));
        line.maybe(
            "fork_of",
            genesis.fork_of.map(|fork| {
                let mut object = Object::new("game_id", &to_hex(&fork.game_id));
                object.put("n", fork.n);
                object.put("head", to_hex(&fork.head));
                object.done()
            }),
        );
        line.maybe("director", genesis.director.map(|key| to_hex(&key)));
        line.maybe("penalties", genesis.penalties);
        Ok(line.done())
    }

    fn register(&mut self, register: &Register) -> Value {
        self.0.round = Some(register.round);
        let mut line = Object::new("kind", "register");
        line.put("round", register.round);
        line.put("attempt", register.attempt);
        line.maybe("dealer", register.dealer.map(|dealer| dealer.0));
        line.maybe("commitment", register.commitment.map(|bytes| to_hex(&bytes)));
        let hash = |hash: &Option<[u8; 32]>| hash.map_or_else(String::new, |hash| to_hex(&hash));
        let seats: Vec<String> = register.seats.iter().map(hash).collect();
        line.maybe("seats", Some(seats).filter(|seats| !seats.is_empty()));
        line.maybe(
            "beacon",
            register.beacon.map(|beacon| {
                let mut object = Object::new("chain", &to_hex(&beacon.chain));
                object.put("round", beacon.round);
                object.put("close_ms", beacon.close_ms);
                object.done()
            }),
        );
        let hash = |bytes: &Option<[u8; 64]>| bytes.map_or_else(String::new, |bytes| to_hex(&bytes));
        let signatures: Vec<String> = register.signatures.iter().map(hash).collect();
        line.maybe("signatures", Some(signatures).filter(|signatures| !signatures.is_empty()));
        line.done()
    }

    fn action(&mut self, record: &ActionRecord, derived: &Derived) -> Result<Value, ExportError> {
        self.0.seq += 1;
        let mut line = Object::new("kind", "action");
        line.put("seq", self.0.seq);
        line.maybe("round", self.0.round);
        line.maybe("seat", record.actor.map(|seat| seat.0));
        line.maybe("at_ms", self.at_ms(record.elapsed_ms)?);
        line.put("action", action::to_value(&record.action, derived.position.as_deref()));
        line.maybe("cards", record.cards.as_deref().map(some_card_texts));
        let events = derived.events.as_ref();
        line.maybe("events", events.map(|events| events.iter().map(event::to_value).collect::<Value>()));
        line.put("state", to_hex(&record.digest));
        line.maybe("sig", record.signature.map(|bytes| to_hex(&bytes)));
        Ok(line.done())
    }

    fn round_end(&self, end: &RoundEnd, derived: &Derived) -> Value {
        let mut line = Object::new("kind", "round_end");
        line.put("round", end.round);
        line.put("attempt", end.attempt);
        line.put("reason", codes::word(&END_REASONS, end.reason));
        line.maybe("seat", derived.seat.map(|seat| seat.0));
        line.maybe("concealed", derived.concealed);
        line.maybe("dealer", derived.dealer.map(|seat| seat.0));
        let wall = |wall: &Vec<_>| card_texts(wall);
        match &end.reveal {
            Reveal::None => line.maybe("wall", derived.wall.as_ref().map(wall)),
            Reveal::Secret(secret) => {
                line.maybe("wall", derived.wall.as_ref().map(wall));
                line.put("secret", to_hex(secret));
            }
            Reveal::Wall { cards, salt } => {
                line.put("wall", wall(cards));
                line.put("salt", to_hex(salt));
            }
        }
        line.maybe("start_scores", derived.start_scores.clone());
        if !end.scores.is_empty() {
            let side = |score: &Score| self.score(score, derived);
            line.put("sides", end.scores.iter().map(side).collect::<Value>());
        }
        line.put("state", to_hex(&end.digest));
        line.done()
    }

    fn score(&self, score: &Score, derived: &Derived) -> Value {
        let line = |line: &ScoreLine| {
            let mut object = Object::new("item", codes::word(&SCORE_ITEMS, line.item));
            object.maybe("count", line.count);
            object.put("points", line.points);
            object.done()
        };
        let mut object = Object::empty();
        object.put(self.0.unit(), score.unit);
        object.put("lines", score.lines.iter().map(line).collect::<Value>());
        // At most 32 lines: no overflow.
        object.put("total", score.total());
        let after = derived.cumulative.iter().flatten().find(|(unit, _)| *unit == score.unit);
        object.maybe("cumulative", after.map(|&(_, points)| points));
        object.done()
    }

    fn game_end(&self, end: &GameEnd, derived: &Derived) -> Value {
        let mut line = Object::new("kind", "game_end");
        line.maybe("winner", end.winner);
        line.maybe("margin", derived.margin);
        let side = |&(unit, points): &(u8, i32)| {
            let mut object = Object::empty();
            object.put(self.0.unit(), unit);
            object.put("cumulative", points);
            object.done()
        };
        let sides = derived.cumulative.as_ref();
        line.maybe("sides", sides.map(|sides| sides.iter().map(side).collect::<Value>()));
        line.maybe("secret", end.secret.map(|bytes| to_hex(&bytes)));
        line.done()
    }

    fn refusal(&mut self, refusal: &Refusal, derived: &Derived) -> Result<Value, ExportError> {
        let mut line = Object::new("kind", "refusal");
        line.maybe("round", self.0.round);
        line.maybe("seat", refusal.actor.map(|seat| seat.0));
        line.maybe("at_ms", self.at_ms(refusal.elapsed_ms)?);
        let (kind, masked, tried) = match &refusal.attempt {
            Attempt::Clear(tried) => (tried.kind(), None, Some(tried)),
            Attempt::Masked { kind, bytes } => (*kind, Some(bytes), derived.attempt.as_ref()),
        };
        line.put("type", kind.name());
        line.put("codes", refusal.codes.clone());
        line.maybe("masked", masked.map(|bytes| to_hex(bytes)));
        line.maybe("action", tried.map(|tried| action::to_value(tried, None)));
        Ok(line.done())
    }

    fn note(&mut self, note: &Note) -> Result<Value, ExportError> {
        let mut line = Object::new("kind", "note");
        line.maybe("at_ms", self.at_ms(note.elapsed_ms)?);
        line.put(
            "by",
            match note.by {
                Author::Seat(seat) => Value::from(seat.0),
                Author::Table => "table".into(),
                Author::Director => "director".into(),
            },
        );
        line.put("text", note.text.as_str());
        Ok(line.done())
    }

    /// Returns the time of a record that claims one: the sum of all claimed times so far.
    fn at_ms(&mut self, elapsed_ms: Option<u64>) -> Result<Option<u64>, ExportError> {
        let Some(elapsed) = elapsed_ms else { return Ok(None) };
        self.0.at_ms = self.0.at_ms.checked_add(elapsed).ok_or(ExportError::Time)?;
        Ok(Some(self.0.at_ms))
    }
}

/// Returns the rule set as JSON, if printing it gives the same bytes again.
fn knobs(rule_set: &[u8]) -> Result<Value, ExportError> {
    let value: Value = serde_json::from_slice(rule_set).map_err(|_| ExportError::RuleSet)?;
    let same = value.is_object() && value.to_string().as_bytes() == rule_set;
    if same { Ok(value) } else { Err(ExportError::RuleSet) }
}

/// Returns whether scores are kept by seat.
pub(super) fn by_seat(knobs: &Value) -> bool {
    knobs["score_unit"] == "seat"
}

/// Returns the number of sides; 0 if the rule set does not say it, or drawn cards decide the sides.
pub(super) fn side_count(knobs: &Value) -> usize {
    if knobs["side_choice"] == "drawn_cards" {
        return 0;
    }
    knobs["side_count"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}

/// Returns the side of a seat, if there are sides.
pub(super) fn side_of(seat: usize, sides: usize) -> Option<usize> {
    seat.checked_rem(sides)
}
