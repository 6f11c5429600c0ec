//! Parts of records, as values of a line.

use super::export::side_of;
use super::json::{Fields, Read, ValueFault, hex, integer, list, string, word};
use super::values::seat;
use crate::time;
use alloc::format;
use canasta_log::codes::SCORE_ITEMS;
use canasta_log::record::*;
use canasta_rules::rules::Rules;
use serde_json::Value;

/// Returns the knobs of a preset.
pub(super) fn preset_knobs(id: &str) -> Option<Value> {
    Rules::preset(id).and_then(|rules| serde_json::from_slice(rules.canonical()).ok())
}

/// Parses the time at which a game starts.
pub(super) fn started_at(value: &Value) -> Read<i64> {
    let found = string(value)?;
    time::from_text(&found)
        .ok_or_else(|| ValueFault::new(format!("{found:?} is not a time like 2026-01-31T12:00:00.000Z")))
}

/// Parses the author of a note.
pub(super) fn by(value: &Value) -> Read<Author> {
    match value.as_str() {
        None => seat(value).map(Author::Seat),
        Some("table") => Ok(Author::Table),
        Some("director") => Ok(Author::Director),
        Some(other) => Err(ValueFault::new(format!("{other:?} cannot write notes"))),
    }
}

pub(super) fn expect(value: &Value, expected: impl Into<Value>) -> Read<()> {
    let expected = expected.into();
    if *value == expected {
        Ok(())
    } else {
        Err(ValueFault::new(format!("expected {expected}, found {value}")))
    }
}

/// Parses the index and the player of a seat; its side must be the side of that index.
pub(super) fn player(sides: usize) -> impl Fn(&Value) -> Read<(usize, Player)> {
    move |value| {
        let mut fields = Fields::of(value)?;
        let seat: usize = fields.get("seat", |value| integer::<u8>(value).map(usize::from))?;
        let name = fields.get("name", string)?;
        let side = fields.maybe("side", |value| integer::<u8>(value).map(usize::from))?;
        let key = fields.maybe("key", hex)?;
        fields.done()?;
        if side != side_of(seat, sides) {
            return Err(ValueFault::new(format!(
                "seat {seat} of a game of {sides} sides is on another side"
            )));
        }
        Ok((seat, Player { name, key }))
    }
}

pub(super) fn fork(value: &Value) -> Read<Fork> {
    let mut fields = Fields::of(value)?;
    let fork = Fork {
        game_id: fields.get("game_id", hex)?,
        n: fields.get("n", integer)?,
        head: fields.get("head", hex)?,
    };
    fields.done()?;
    Ok(fork)
}

/// Parses the score of a side, and its total and cumulative score if given.
pub(super) fn score(value: &Value, unit: &str) -> Read<(Score, Option<i64>, Option<i32>)> {
    let line = |value: &Value| {
        let mut fields = Fields::of(value)?;
        let line = ScoreLine {
            item: fields.get("item", word(&SCORE_ITEMS))?,
            count: fields.maybe("count", integer)?,
            points: fields.get("points", integer)?,
        };
        fields.done()?;
        Ok(line)
    };
    let mut fields = Fields::of(value)?;
    let score = Score { unit: fields.get(unit, integer)?, lines: fields.get("lines", list(line))? };
    let total = fields.maybe("total", integer)?;
    let cumulative = fields.maybe("cumulative", integer)?;
    fields.done()?;
    Ok((score, total, cumulative))
}
