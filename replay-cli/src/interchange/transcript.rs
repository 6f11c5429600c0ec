//! What was written down of a game that was played with cards of its own: `canasta-jsonl/1` in which all that follows
//! from the rest may be left out.

use super::export::by_seat;
use super::import::{ImportError, by, score};
use super::json::{Fault, Fields, Read, hex, integer, list, parse, string};
use super::values::{seat, some_cards};
use super::{FORMAT, action, time};
use canasta_engine::action::Action;
use canasta_engine::card::Card;
use canasta_engine::log::record::{Author, Player, Registration, Score};
use canasta_engine::seat::Seat;
use serde_json::Value;

/// The first line.
#[derive(Debug)]
pub struct Head {
    /// A preset's name, or `<base>+<name>` of house rules.
    pub rule_set: String,
    /// The preset that house rules are made from, and their canonical rule set.
    pub house: Option<(String, Vec<u8>)>,
    /// The players by seat.
    pub players: Vec<Player>,
    /// The game's id, if the writer chose one.
    pub game_id: Option<[u8; 16]>,
    /// The claimed start, ms since 1970.
    pub started_at_ms: Option<i64>,
}

/// Any other line.
#[derive(Debug)]
pub enum Line {
    /// Who deals next.
    Register(Option<Seat>),
    /// What was done, and what came to the hand by it.
    Action {
        /// Who did it; `None` for the table and for officials.
        actor: Option<Seat>,
        /// What.
        action: Action,
        /// Cards out of stock, foot or talon, in the order in which they came.
        received: Option<Vec<Option<Card>>>,
        /// Claimed milliseconds since the last line that has a time.
        elapsed_ms: Option<u64>,
        /// The public digest, if the writer knows it.
        digest: Option<[u8; 8]>,
    },
    /// The end of a round, with the score as it was written down.
    RoundEnd(Option<Vec<Score>>),
    /// The end of the game, which follows from the rounds.
    GameEnd,
    /// A remark.
    Note {
        /// Who made it.
        by: Author,
        /// What it says.
        text: String,
        /// As for an action.
        elapsed_ms: Option<u64>,
    },
}

/// Reads a transcript line by line.
#[derive(Debug, Default)]
pub struct TranscriptReader {
    lines: u64,
    at_ms: u64,
    /// Whether scores are kept by seat.
    by_seat: bool,
}

impl TranscriptReader {
    /// Reads the first line.
    ///
    /// # Errors
    /// If it is not that of a transcribed game.
    pub fn head(&mut self, line: &str) -> Result<Head, ImportError> {
        self.read(line, |_, fields| {
            if fields.get("kind", string)? != "game" {
                return Err(Fault::new("the first line is the game's"));
            }
            let format = fields.maybe("format", string)?;
            if format.is_some_and(|format| format != FORMAT) {
                return Err(Fault::new(format!("expected {FORMAT:?}")).within("format"));
            }
            let (rule_set, house) = fields.get("ruleset", |value| {
                let mut fields = Fields::of(value)?;
                let id = fields.get("id", string)?;
                let base = fields.maybe("base", string)?;
                let knobs = fields.maybe("knobs", |value| Ok(value.to_string().into_bytes()))?;
                fields.maybe("digest", |_| Ok(()))?;
                fields.done()?;
                // The knobs of a preset are known.
                Ok((id, base.zip(knobs)))
            })?;
            let players = fields.get("seats", list(player))?;
            fields.get("deal", |value| {
                let mut fields = Fields::of(value)?;
                let mode = fields.get("mode", string)?;
                fields.done()?;
                if mode == "transcribed" { Ok(()) } else { Err(Fault::new("expected the mode transcribed")) }
            })?;
            Ok(Head {
                rule_set,
                house,
                players,
                game_id: fields.maybe("game_id", hex)?,
                started_at_ms: fields.maybe("started_at", time::from_text)?,
            })
        })
    }

    /// Says how scores are kept, before the second line is read.
    pub fn keep_scores_by_seat(&mut self, by_seat: bool) {
        self.by_seat = by_seat;
    }

    /// Reads any other line.
    ///
    /// # Errors
    /// If it is none of a transcript.
    pub fn line(&mut self, line: &str) -> Result<Line, ImportError> {
        self.read(line, Self::any)
    }

    /// The line's number, with why it cannot be taken.
    pub fn error(&self, reason: String) -> ImportError {
        ImportError { line: self.lines, field: String::new(), reason }
    }

    fn read<T>(
        &mut self,
        line: &str,
        read: impl FnOnce(&mut Self, &mut Fields) -> Read<T>,
    ) -> Result<T, ImportError> {
        self.lines += 1;
        let number = self.lines;
        let value = parse(line).and_then(|value| {
            let mut fields = Fields::of(&value)?;
            let found = read(self, &mut fields)?;
            fields.done()?;
            Ok(found)
        });
        value.map_err(|Fault { path, reason }| ImportError { line: number, field: path, reason })
    }

    fn any(&mut self, fields: &mut Fields) -> Read<Line> {
        let kind = fields.get("kind", string)?;
        let line = match kind.as_str() {
            "register" => Line::Register(fields.maybe("dealer", seat)?),
            "action" => Line::Action {
                actor: fields.maybe("seat", seat)?,
                action: fields.get("action", action::from_value)?,
                received: fields.maybe("cards", some_cards)?,
                elapsed_ms: self.elapsed(fields)?,
                digest: fields.maybe("state", hex)?,
            },
            "round_end" => {
                let unit = if self.by_seat { "seat" } else { "side" };
                let sides = fields.maybe("sides", list(|value| score(value, unit)))?;
                // What the score is written beside follows from it.
                let scores = sides.map(|sides| sides.into_iter().map(|(score, ..)| score).collect());
                Line::RoundEnd(scores)
            }
            "game_end" => Line::GameEnd,
            "note" => Line::Note {
                by: fields.get("by", by)?,
                text: fields.get("text", string)?,
                elapsed_ms: self.elapsed(fields)?,
            },
            _ => return Err(Fault::new(format!("{kind:?} is no line of a transcript"))),
        };
        for key in DERIVED.iter().filter(|(of, _)| *of == kind).flat_map(|(_, keys)| keys.iter()) {
            fields.maybe(key, |_| Ok(()))?;
        }
        Ok(line)
    }

    fn elapsed(&mut self, fields: &mut Fields) -> Read<Option<u64>> {
        let Some(at_ms) = fields.maybe("at_ms", integer::<u64>)? else { return Ok(None) };
        let elapsed = at_ms.checked_sub(self.at_ms);
        let elapsed =
            elapsed.ok_or_else(|| Fault::new(format!("at_ms {at_ms} comes after {}", self.at_ms)))?;
        self.at_ms = at_ms;
        Ok(Some(elapsed))
    }
}

/// What may stand in a line and is counted or computed again.
const DERIVED: [(&str, &[&str]); 4] = [
    ("register", &["round", "attempt"]),
    ("action", &["seq", "round"]),
    ("round_end", &["round", "attempt", "reason", "seat", "concealed", "dealer", "start_scores", "state"]),
    ("game_end", &["winner", "margin", "sides"]),
];

fn player(value: &Value) -> Read<Player> {
    let mut fields = Fields::of(value)?;
    let name = fields.get("name", string)?;
    let key = fields.maybe("key", hex)?;
    for derived in ["seat", "side"] {
        fields.maybe(derived, |_| Ok(()))?;
    }
    fields.done()?;
    Ok(Player { name, key })
}

/// Whether a rule set keeps scores by seat.
pub fn keeps_scores_by_seat(canonical: &[u8]) -> bool {
    serde_json::from_slice(canonical).is_ok_and(|knobs: Value| by_seat(&knobs))
}

/// The registration that a transcript's register lines stand for.
pub const REGISTRATION: Registration = Registration::ByTable;
