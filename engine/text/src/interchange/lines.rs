//! The fields of lines. Writing changes values that are written from: it gets copies.

use super::coder::Json;
use super::json::{Read, ValueFault, integer, string};
use super::{Counters, Derived, FORMAT, event};
use crate::time;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use canasta_log::codes::{DEAL_MODES, END_REASONS, REGISTRATIONS};
use canasta_log::fields::{self, Fields, Name};
use canasta_log::record::*;
use canasta_rules::rules::{PresetId, Rules};
use canasta_rules::seat::{SEATS_MAX, Seat};
use core::mem::take;
use serde_json::{Value, json};

impl Counters {
    /// Writes or reads the fields of a record after its kind.
    pub(super) fn line(&mut self, f: &mut Json<'_>, record: &mut Record, derived: &mut Derived) -> Read<()> {
        match record {
            Record::Genesis(genesis) => self.genesis(f, genesis),
            Record::Register(register) => {
                self.assume(f, "attempt", 1);
                fields::register(f, register)?;
                self.round = Some(register.round);
                Ok(())
            }
            Record::Action(record) => self.action(f, record, derived),
            Record::RoundEnd(end) => self.round_end(f, end, derived),
            Record::GameEnd(end) => self.game_end(f, end, derived),
            Record::Refusal(refusal) => self.refusal(f, refusal, derived),
            Record::Remark(remark) => {
                if let Some(author) = &mut remark.by {
                    self.at_ms(f, &mut remark.elapsed_ms)?;
                    f.value("by", author, by_value, by)?;
                }
                let form = remark.kind.form();
                f.text(form.field, form.max, &mut remark.text)
            }
        }
    }

    /// Adds a key that a foreign record lacks: logs of this project have it, but it follows from the rest or says
    /// nothing about the game.
    fn assume(&self, f: &mut Json<'_>, name: Name, value: impl Into<Value>) {
        if self.foreign && !f.has(name) {
            f.put(name, value);
        }
    }

    fn genesis(&mut self, f: &mut Json<'_>, genesis: &mut Genesis) -> Read<()> {
        f.value("format", &mut (), |()| FORMAT.into(), |value| expect(value, FORMAT))?;
        self.assume(f, "log", canasta_log::VERSION);
        // The lines of a log of version 1 say the same.
        let version = |value: &Value| expect(value, canasta_log::VERSION).or_else(|_| expect(value, 1));
        f.value("log", &mut (), |()| canasta_log::VERSION.into(), version)?;
        self.assume(f, "game_id", "0".repeat(32));
        f.array("game_id", &mut genesis.game_id)?;
        let mut digest = Some(genesis.rule_set_digest());
        let mut knobs = serde_json::from_slice(&genesis.rule_set).unwrap_or_default();
        f.part("ruleset", |f| self.rule_set(f, genesis, &mut digest, &mut knobs))?;
        self.by_seat = by_seat(&knobs);
        let sides = side_count(&knobs);
        let mut players: Vec<(u8, Player)> = (0..).zip(take(&mut genesis.players)).collect();
        f.list("seats", SEATS_MAX, &mut players, |f, (seat, player)| {
            f.part("seats[]", |f| player_on(f, seat, player, sides))
        })?;
        if let Some((place, (seat, _))) = (0..).zip(&players).find(|(place, (seat, _))| place != seat) {
            return Err(ValueFault::new(format!("seat {seat} stands in place {place} of seats")));
        }
        genesis.players = players.into_iter().map(|(_, player)| player).collect();
        self.assume(f, "deal", json!({ "mode": "explicit" }));
        f.part("deal", |f| {
            f.choice("mode", &DEAL_MODES, &mut genesis.mode)?;
            f.maybe_array("commitment", &mut genesis.commitment)?;
            f.omitted("registration", &mut genesis.registration, |f, name, by| {
                f.choice(name, &REGISTRATIONS, by)
            })
        })?;
        self.assume(f, "engine", "");
        f.text("engine", ENGINE_MAX, &mut genesis.engine)?;
        f.maybe("started_at", &mut genesis.started_at_ms, |f, name, ms| {
            f.value(name, ms, |ms| time::to_text(*ms).into(), started_at)
        })?;
        f.maybe("fork_of", &mut genesis.fork_of, fields::fork)?;
        f.maybe_array("director", &mut genesis.director)?;
        f.maybe("penalties", &mut genesis.penalties, Json::number)?;
        genesis.rule_set = knobs.to_string().into_bytes();
        if digest.is_some_and(|digest| genesis.rule_set_digest() != digest) {
            return Err(ValueFault::new("the digest of the rule set does not match its knobs"));
        }
        Ok(())
    }

    fn rule_set(
        &self,
        f: &mut Json<'_>,
        genesis: &mut Genesis,
        digest: &mut Option<[u8; 32]>,
        knobs: &mut Value,
    ) -> Read<()> {
        f.text("id", NAME_MAX, &mut genesis.rule_set_id)?;
        let id = &genesis.rule_set_id;
        f.maybe_array("digest", digest)?;
        if digest.is_none() && !self.foreign {
            return Err(ValueFault::new("missing").within("digest"));
        }
        if self.foreign
            && let Some(preset) = Rules::preset(id)
        {
            self.assume(f, "knobs", serde_json::from_slice::<Value>(preset.canonical()).unwrap_or_default());
        }
        if f.is_reader() && !f.has("knobs") && !id.contains('+') && PresetId::from_name(id).is_none() {
            return Err(ValueFault::new(format!("unknown rule set {id:?}")).within("id"));
        }
        f.value("knobs", knobs, Value::clone, |value| Ok(value.clone()))?;
        let mut base = (genesis.base != *id).then(|| take(&mut genesis.base));
        f.maybe("base", &mut base, |f, name, base| f.text(name, NAME_MAX, base))?;
        genesis.base = base.unwrap_or_else(|| id.clone());
        Ok(())
    }

    fn action(&mut self, f: &mut Json<'_>, record: &mut ActionRecord, derived: &mut Derived) -> Read<()> {
        self.seq += 1;
        let mut seq = self.seq;
        f.number("seq", &mut seq)?;
        derived.seq = Some(seq);
        self.acted(f, &mut record.actor, &mut record.elapsed_ms, derived)?;
        f.inner("action", &mut record.action)?;
        f.maybe("cards", &mut record.cards, Json::some_cards)?;
        f.maybe("events", &mut derived.events, |f, name, events| {
            f.list(name, usize::MAX, events, |f, event| f.part("[]", |f| event::event(f, event)))
        })?;
        f.array("state", &mut record.digest)?;
        f.maybe_array("sig", &mut record.signature)
    }

    /// Writes or reads the round, who acted in it, and when.
    fn acted(
        &mut self,
        f: &mut Json<'_>,
        actor: &mut Option<Seat>,
        elapsed_ms: &mut Option<u64>,
        derived: &mut Derived,
    ) -> Read<()> {
        derived.round = self.round;
        f.maybe("round", &mut derived.round, Json::number)?;
        f.maybe("seat", actor, Json::seat)?;
        self.at_ms(f, elapsed_ms)
    }

    /// Writes or reads the time of a record that claims one: the sum of all claimed times so far, in ms.
    pub(super) fn at_ms(&mut self, f: &mut Json<'_>, elapsed_ms: &mut Option<u64>) -> Read<()> {
        let last = self.at_ms;
        // The exporter has refused sums beyond 64 bits.
        let mut at_ms = elapsed_ms.map(|elapsed| last.saturating_add(elapsed));
        f.maybe("at_ms", &mut at_ms, Json::number)?;
        let Some(at_ms) = at_ms else { return Ok(()) };
        let elapsed = at_ms.checked_sub(last);
        let late = || ValueFault::new(format!("at_ms {at_ms} comes after {last}"));
        *elapsed_ms = Some(elapsed.ok_or_else(late)?);
        self.at_ms = at_ms;
        Ok(())
    }

    fn round_end(&mut self, f: &mut Json<'_>, end: &mut RoundEnd, derived: &mut Derived) -> Read<()> {
        f.number("round", &mut end.round)?;
        self.assume(f, "attempt", 1);
        f.number("attempt", &mut end.attempt)?;
        f.choice("reason", &END_REASONS, &mut end.reason)?;
        f.maybe("seat", &mut derived.seat, Json::seat)?;
        f.maybe("concealed", &mut derived.concealed, Json::flag)?;
        f.maybe("dealer", &mut derived.dealer, Json::seat)?;
        self.reveal(f, &mut end.reveal, derived)?;
        f.maybe("start_scores", &mut derived.start_scores, Json::numbers)?;
        self.scores(f, &mut end.scores, derived)?;
        self.assume(f, "state", "0".repeat(64));
        f.array("state", &mut end.digest)
    }

    fn reveal(&self, f: &mut Json<'_>, reveal: &mut Reveal, derived: &mut Derived) -> Read<()> {
        let (mut secret, mut salt) = (None, None);
        match take(reveal) {
            Reveal::None => {}
            Reveal::Secret(revealed) => secret = Some(revealed),
            Reveal::Wall { cards, salt: of } => (derived.wall, salt) = (Some(cards), Some(of)),
        }
        f.maybe("wall", &mut derived.wall, Json::cards)?;
        f.maybe_array("secret", &mut secret)?;
        f.maybe_array("salt", &mut salt)?;
        *reveal = match (secret, salt) {
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
        Ok(())
    }

    fn scores(&self, f: &mut Json<'_>, scores: &mut Vec<Score>, derived: &mut Derived) -> Read<()> {
        let after =
            |unit| derived.cumulative.iter().flatten().find(|(of, _)| *of == unit).map(|(_, points)| *points);
        let side = |score: Score| (Some(score.total()), after(score.unit), score);
        let mut sides: Vec<(Option<i64>, Option<i32>, Score)> = take(scores).into_iter().map(side).collect();
        f.omitted("sides", &mut sides, |f, name, sides| {
            f.list(name, SCORES_MAX, sides, |f, (total, after, score)| {
                f.part("sides[]", |f| {
                    f.number(self.unit(), &mut score.unit)?;
                    f.list("lines", LINES_MAX, &mut score.lines, fields::score_line)?;
                    f.maybe("total", total, Json::number)?;
                    f.maybe("cumulative", after, Json::number)
                })
            })
        })?;
        if !sides.is_empty() {
            derived.totals = sides.iter().map(|(total, ..)| *total).collect();
            let after = sides.iter().map(|(_, after, score)| after.map(|after| (score.unit, after)));
            derived.cumulative = after.collect();
        }
        *scores = sides.into_iter().map(|(.., score)| score).collect();
        Ok(())
    }

    fn game_end(&self, f: &mut Json<'_>, end: &mut GameEnd, derived: &mut Derived) -> Read<()> {
        f.maybe("winner", &mut end.winner, Json::number)?;
        f.maybe("margin", &mut derived.margin, Json::number)?;
        f.maybe("sides", &mut derived.cumulative, |f, name, sides| {
            f.list(name, SCORES_MAX, sides, |f, (unit, points)| {
                f.part("sides[]", |f| {
                    f.number(self.unit(), unit)?;
                    f.number("cumulative", points)
                })
            })
        })?;
        f.maybe_array("secret", &mut end.secret)
    }

    fn refusal(&mut self, f: &mut Json<'_>, refusal: &mut Refusal, derived: &mut Derived) -> Read<()> {
        self.acted(f, &mut refusal.actor, &mut refusal.elapsed_ms, derived)?;
        let (mut kind, mut masked, mut tried) = match take(&mut refusal.attempt) {
            Attempt::Clear(tried) => (tried.kind(), None, Some(tried)),
            Attempt::Masked { kind, bytes } => (kind, Some(bytes), derived.attempt.take()),
        };
        f.kind(&mut kind)?;
        f.list("codes", CODES_MAX.0, &mut refusal.codes, |f, code| f.text("codes[]", CODES_MAX.1, code))?;
        f.maybe("masked", &mut masked, |f, name, bytes| f.data(name, usize::MAX, bytes))?;
        if f.is_reader() && masked.is_some() {
            // An action that was opened is only for readers.
            tried = f.take("action").and_then(Json::action).ok();
        } else {
            f.maybe("action", &mut tried, |f, name, action| f.inner(name, action))?;
        }
        match (masked, tried) {
            (Some(bytes), tried) => {
                refusal.attempt = Attempt::Masked { kind, bytes };
                derived.attempt = tried;
            }
            (None, None) => return Err(ValueFault::new("missing").within("action")),
            (None, Some(tried)) if tried.kind() != kind => {
                return Err(ValueFault::new("the action is not of this type"));
            }
            (None, Some(tried)) => refusal.attempt = Attempt::Clear(tried),
        }
        Ok(())
    }
}

/// Writes or reads the index and the player of a seat; its side must be the side of that index.
fn player_on(f: &mut Json<'_>, seat: &mut u8, player: &mut Player, sides: u8) -> Read<()> {
    f.number("seat", seat)?;
    f.text("name", NAME_MAX, &mut player.name)?;
    // A game may have no sides yet.
    let due = seat.checked_rem(sides);
    let mut side = due;
    f.maybe("side", &mut side, Json::number)?;
    f.maybe_array("key", &mut player.key)?;
    if side != due {
        let reason = format!("seat {seat} of a game of {sides} sides is on another side");
        return Err(ValueFault::new(reason));
    }
    Ok(())
}

/// Returns whether scores are kept by seat.
fn by_seat(knobs: &Value) -> bool {
    knobs["score_unit"] == "seat"
}

/// Returns the number of sides; 0 if the rule set does not say it, or drawn cards decide the sides.
fn side_count(knobs: &Value) -> u8 {
    if knobs["side_choice"] == "drawn_cards" {
        return 0;
    }
    knobs["side_count"].as_u64().and_then(|count| u8::try_from(count).ok()).unwrap_or(0)
}

/// Parses the time at which a game starts.
fn started_at(value: &Value) -> Read<i64> {
    let found = string(value)?;
    time::from_text(&found)
        .ok_or_else(|| ValueFault::new(format!("{found:?} is not a time like 2026-01-31T12:00:00.000Z")))
}

fn by_value(by: &Author) -> Value {
    match by {
        Author::Seat(seat) => seat.0.into(),
        Author::Table => "table".into(),
        Author::Director => "director".into(),
    }
}

/// Parses the author of a note.
fn by(value: &Value) -> Read<Author> {
    match value.as_str() {
        None => integer(value).map(Seat).map(Author::Seat),
        Some("table") => Ok(Author::Table),
        Some("director") => Ok(Author::Director),
        Some(other) => Err(ValueFault::new(format!("{other:?} cannot write notes"))),
    }
}

fn expect(value: &Value, expected: impl Into<Value>) -> Read<()> {
    let expected = expected.into();
    if *value == expected {
        Ok(())
    } else {
        Err(ValueFault::new(format!("expected {expected}, found {value}")))
    }
}
