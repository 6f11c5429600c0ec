//! The conversion of records to their stored form and back. Every value is checked in both directions.

mod register;

use super::action;
use super::action::{
    actor, actor_to_wire, cards, cards_to_wire, choice, masked, seat, seat_to_wire, some_cards,
    some_cards_to_wire, text,
};
use super::codec;
use super::codes::{self, DEAL_MODES, END_REASONS, REGISTRATIONS, SCORE_ITEMS};
use super::error::DecodeError;
use super::error::{FieldError, FieldErrorKind};
use super::frame::PAYLOAD_MAX;
use super::frame::VERSION;
use super::record::*;
use super::wire::{self, DIRECTOR, List, NO_SEAT, Octets};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use canasta_rules::action::ActionKind;
use canasta_rules::rules::CANONICAL_BYTES_MAX;
use canasta_rules::seat::SEATS_MAX;
use register::{register_from_wire, register_to_wire};

/// Times that a log can hold, in milliseconds since 1970: the years 0000 to 9999.
const TIMES: core::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;

impl Record {
    /// Encodes the record as its payload: 1 to 60,000 bytes, of which the first is the record's type.
    ///
    /// # Errors
    /// The first field whose value a log cannot hold; the field `payload` if the payload is too long.
    pub fn encode(&self) -> Result<Vec<u8>, FieldError> {
        let frequent = match self {
            Self::Action(record) => record.encode_frequent(),
            _ => None,
        };
        let payload = frequent.map_or_else(|| encode_general(self), Ok)?;
        FieldError::length("payload", payload.len(), PAYLOAD_MAX)?;
        Ok(payload)
    }

    /// Decodes a payload. Each record has exactly one payload.
    ///
    /// # Errors
    /// If the bytes are not a record, or a field has a value that a log cannot hold.
    pub fn decode(payload: &[u8]) -> Result<Self, DecodeError> {
        match ActionRecord::decode_frequent(payload) {
            Some(record) => Ok(Self::Action(Box::new(record))),
            None => decode_general(payload),
        }
    }
}

/// Encodes any record ([`ActionRecord::encode_frequent`] is faster for some).
pub(super) fn encode_general(record: &Record) -> Result<Vec<u8>, FieldError> {
    Ok(codec::encode(&to_wire(record)?))
}

/// Decodes any payload ([`ActionRecord::decode_frequent`] is faster for some).
pub(super) fn decode_general(payload: &[u8]) -> Result<Record, DecodeError> {
    match payload.first() {
        Some(&tag) if tag >= wire::RECORD_TYPES => Err(DecodeError::UnknownRecord { tag }),
        _ => Ok(from_wire(codec::decode(payload)?)?),
    }
}

pub(super) fn to_wire(record: &Record) -> Result<wire::Record<'_>, FieldError> {
    use wire::Record as W;
    Ok(match record {
        Record::Genesis(genesis) => W::Genesis(Box::new(genesis_to_wire(genesis)?)),
        Record::Register(register) => W::Register(Box::new(register_to_wire(register)?)),
        Record::Action(record) => action_to_wire(record)?,
        Record::RoundEnd(end) => W::RoundEnd(Box::new(round_end_to_wire(end)?)),
        Record::GameEnd(GameEnd { winner, secret }) => W::GameEnd(Box::new(wire::GameEnd {
            winner: winner.map(|unit| unit_number("winner", unit)).transpose()?,
            secret: secret.map(Into::into),
        })),
        Record::Refusal(refusal) => W::Refusal(Box::new(refusal_to_wire(refusal)?)),
        Record::Note(note) => W::Note(wire::Note {
            by: match note.by {
                Author::Seat(by) => seat_to_wire("by", by)?,
                Author::Director => DIRECTOR,
                Author::Table => NO_SEAT,
            },
            elapsed: elapsed_to_wire(note.elapsed_ms)?,
            text: text("text", &note.text, NOTE_MAX)?,
        }),
        Record::Checkpoint(note) => W::Checkpoint(text("note", note, CHECKPOINT_MAX)?),
    })
}

pub(super) fn from_wire(record: wire::Record<'_>) -> Result<Record, FieldError> {
    use wire::Record as W;
    Ok(match record {
        W::Genesis(genesis) => Record::Genesis(Box::new(genesis_from_wire(&genesis)?)),
        W::Register(register) => Record::Register(Box::new(register_from_wire(&register)?)),
        W::Action(act) => action_from_wire(act, None, None)?,
        W::SignedAction(act, signature) => action_from_wire(act, None, Some(signature))?,
        W::Received(act, cards) => action_from_wire(act, Some(&cards), None)?,
        W::SignedReceived(act, cards, signature) => action_from_wire(act, Some(&cards), Some(signature))?,
        W::RoundEnd(end) => Record::RoundEnd(Box::new(round_end_from_wire(&end)?)),
        W::GameEnd(end) => Record::GameEnd(GameEnd {
            winner: end.winner.map(|unit| unit_number("winner", unit)).transpose()?,
            secret: end.secret.map(Into::into),
        }),
        W::Refusal(refusal) => Record::Refusal(Box::new(refusal_from_wire(*refusal)?)),
        W::Note(note) => Record::Note(Note {
            by: match note.by {
                DIRECTOR => Author::Director,
                NO_SEAT => Author::Table,
                by => Author::Seat(seat("by", by)?),
            },
            elapsed_ms: elapsed_from_wire(note.elapsed),
            text: text("text", note.text, NOTE_MAX)?.to_string(),
        }),
        W::Checkpoint(note) => Record::Checkpoint(text("note", note, CHECKPOINT_MAX)?.to_string()),
    })
}

fn genesis_to_wire(genesis: &Genesis) -> Result<wire::Genesis<'_>, FieldError> {
    FieldError::length("seats", genesis.players.len(), SEATS_MAX)?;
    at_least("seats", genesis.players.len(), 1)?;
    let player = |player| {
        let Player { name, key }: &Player = player;
        Ok(wire::Player { name: check_name("seats[].name", name, NAME_MAX)?, key: *key })
    };
    Ok(wire::Genesis {
        version: VERSION,
        game_id: genesis.game_id,
        rule_set_id: check_name("ruleset.id", &genesis.rule_set_id, NAME_MAX)?,
        base: check_name("ruleset.base", &genesis.base, NAME_MAX)?,
        rule_set: Octets::Bytes(rule_set(&genesis.rule_set)?),
        players: List(genesis.players.iter().map(player).collect::<Result<_, _>>()?),
        mode: 1 + codes::number(&DEAL_MODES, genesis.mode),
        registration: codes::number(&REGISTRATIONS, genesis.registration),
        commitment: genesis.commitment,
        engine: check_name("engine", &genesis.engine, ENGINE_MAX)?,
        started_at_ms: genesis.started_at_ms.map(|t| time("started_at", t)).transpose()?,
        fork_of: genesis.fork_of.map(|Fork { game_id, n, head }| wire::Fork { game_id, n, head }),
        director: genesis.director,
        penalties: genesis.penalties.map(penalties).transpose()?,
    })
}

fn genesis_from_wire(genesis: &wire::Genesis<'_>) -> Result<Genesis, FieldError> {
    if genesis.version != VERSION {
        return Err(FieldError::misplaced("log", "records of another version than the header's"));
    }
    at_least("seats", genesis.players.0.len(), 1)?;
    let mode = genesis.mode.checked_sub(1).ok_or(FieldError::misplaced("deal.mode", "modes count from 1"))?;
    let player = |player: &wire::Player<'_>| {
        Ok(Player { name: check_name("seats[].name", player.name, NAME_MAX)?.to_string(), key: player.key })
    };
    let fork = |fork: &wire::Fork| Fork { game_id: fork.game_id, n: fork.n, head: fork.head };
    Ok(Genesis {
        game_id: genesis.game_id,
        rule_set_id: check_name("ruleset.id", genesis.rule_set_id, NAME_MAX)?.to_string(),
        base: check_name("ruleset.base", genesis.base, NAME_MAX)?.to_string(),
        rule_set: rule_set(genesis.rule_set.bytes())?.to_vec(),
        players: genesis.players.0.iter().map(player).collect::<Result<_, _>>()?,
        mode: choice("deal.mode", &DEAL_MODES, mode)?,
        registration: choice("deal.registration", &REGISTRATIONS, genesis.registration)?,
        commitment: genesis.commitment,
        engine: check_name("engine", genesis.engine, ENGINE_MAX)?.to_string(),
        started_at_ms: genesis.started_at_ms.map(|t| time("started_at", t)).transpose()?,
        fork_of: genesis.fork_of.as_ref().map(fork),
        director: genesis.director,
        penalties: genesis.penalties.map(penalties).transpose()?,
    })
}

/// Checks that the version of a table of penalties counts from 1.
fn penalties(version: u16) -> Result<u16, FieldError> {
    match version {
        0 => Err(FieldError::misplaced("penalties", "versions count from 1")),
        _ => Ok(version),
    }
}

fn rule_set(bytes: &[u8]) -> Result<&[u8], FieldError> {
    FieldError::length("ruleset.knobs", bytes.len(), CANONICAL_BYTES_MAX)?;
    match core::str::from_utf8(bytes) {
        Ok(_) => Ok(bytes),
        Err(_) => Err(FieldError::new("ruleset.knobs", FieldErrorKind::NotText)),
    }
}

fn action_to_wire(record: &ActionRecord) -> Result<wire::Record<'_>, FieldError> {
    use wire::Record as W;
    let act = wire::Act {
        actor: actor_to_wire(record.actor)?,
        action: action::to_wire(&record.action)?,
        elapsed: elapsed_to_wire(record.elapsed_ms)?,
        digest: record.digest,
    };
    let cards = record.cards.as_deref().map(|cards| some_cards_to_wire("cards", cards)).transpose()?;
    Ok(match (cards, record.signature) {
        (None, None) => W::Action(act),
        (None, Some(signature)) => W::SignedAction(act, Box::new(signature.into())),
        (Some(cards), None) => W::Received(act, cards),
        (Some(cards), Some(signature)) => W::SignedReceived(act, cards, Box::new(signature.into())),
    })
}

fn action_from_wire(
    act: wire::Act<'_>,
    cards: Option<&Octets<'_>>,
    signature: Option<Box<wire::Wide>>,
) -> Result<Record, FieldError> {
    Ok(Record::Action(Box::new(ActionRecord {
        actor: actor(act.actor)?,
        action: action::from_wire(act.action)?,
        elapsed_ms: elapsed_from_wire(act.elapsed),
        cards: cards.map(|cards| some_cards("cards", cards)).transpose()?,
        signature: signature.map(|signature| (*signature).into()),
        digest: act.digest,
    })))
}

fn round_end_to_wire(end: &RoundEnd) -> Result<wire::RoundEnd<'_>, FieldError> {
    FieldError::length("sides", end.scores.len(), SCORES_MAX)?;
    Ok(wire::RoundEnd {
        round: end.round,
        attempt: end.attempt,
        reason: codes::number(&END_REASONS, end.reason),
        reveal: match &end.reveal {
            Reveal::None => wire::Reveal::None,
            Reveal::Secret(secret) => wire::Reveal::Secret((*secret).into()),
            Reveal::Wall { cards, salt } => wire::Reveal::Wall(cards_to_wire("wall", cards)?, *salt),
        },
        scores: List(end.scores.iter().map(score_to_wire).collect::<Result<_, _>>()?),
        digest: end.digest,
    })
}

fn round_end_from_wire(end: &wire::RoundEnd<'_>) -> Result<RoundEnd, FieldError> {
    Ok(RoundEnd {
        round: end.round,
        attempt: end.attempt,
        reason: choice("reason", &END_REASONS, end.reason)?,
        reveal: match &end.reveal {
            wire::Reveal::None => Reveal::None,
            wire::Reveal::Secret(secret) => Reveal::Secret((*secret).into()),
            wire::Reveal::Wall(wall, salt) => Reveal::Wall { cards: cards("wall", wall)?, salt: *salt },
        },
        scores: end.scores.0.iter().map(score_from_wire).collect::<Result<_, _>>()?,
        digest: end.digest,
    })
}

fn score_to_wire(score: &Score) -> Result<wire::Score, FieldError> {
    FieldError::length("sides[].lines", score.lines.len(), LINES_MAX)?;
    let line = |&ScoreLine { item, count, points }: &ScoreLine| wire::ScoreLine {
        item: codes::number(&SCORE_ITEMS, item),
        count,
        points,
    };
    Ok(wire::Score {
        unit: unit_number("sides[]", score.unit)?,
        lines: List(score.lines.iter().map(line).collect()),
    })
}

fn score_from_wire(score: &wire::Score) -> Result<Score, FieldError> {
    let line = |line: &wire::ScoreLine| {
        let item = choice("sides[].lines[].item", &SCORE_ITEMS, line.item)?;
        Ok(ScoreLine { item, count: line.count, points: line.points })
    };
    Ok(Score {
        unit: unit_number("sides[]", score.unit)?,
        lines: score.lines.0.iter().map(line).collect::<Result<_, _>>()?,
    })
}

fn refusal_to_wire(refusal: &Refusal) -> Result<wire::Refusal<'_>, FieldError> {
    FieldError::length("codes", refusal.codes.len(), CODES_MAX.0)?;
    at_least("codes", refusal.codes.len(), 1)?;
    Ok(wire::Refusal {
        actor: actor_to_wire(refusal.actor)?,
        elapsed: elapsed_to_wire(refusal.elapsed_ms)?,
        codes: List(refusal.codes.iter().map(|code| check_code(code)).collect::<Result<_, _>>()?),
        attempt: match &refusal.attempt {
            Attempt::Clear(tried) => wire::Attempt::Clear(action::to_wire(tried)?),
            Attempt::Masked { kind, bytes } => {
                wire::Attempt::Masked(*kind as u8, Octets::Bytes(masked("masked", bytes, PAYLOAD_MAX)?))
            }
        },
    })
}

fn refusal_from_wire(refusal: wire::Refusal<'_>) -> Result<Refusal, FieldError> {
    at_least("codes", refusal.codes.0.len(), 1)?;
    let code = |code: &&str| check_code(code).map(ToString::to_string);
    Ok(Refusal {
        actor: actor(refusal.actor)?,
        elapsed_ms: elapsed_from_wire(refusal.elapsed),
        codes: refusal.codes.0.iter().map(code).collect::<Result<Vec<String>, _>>()?,
        attempt: match refusal.attempt {
            wire::Attempt::Clear(tried) => Attempt::Clear(action::from_wire(tried)?),
            wire::Attempt::Masked(kind, bytes) => {
                FieldError::range("type", u64::from(kind), ActionKind::ALL.len() as u64 - 1)?;
                Attempt::Masked {
                    kind: ActionKind::ALL[usize::from(kind)],
                    bytes: masked("masked", bytes.bytes(), PAYLOAD_MAX)?.to_vec(),
                }
            }
        },
    })
}

/// Encodes a time in ms: 0 for `None`, otherwise one more than the time.
fn elapsed_to_wire(elapsed_ms: Option<u64>) -> Result<u64, FieldError> {
    let Some(elapsed) = elapsed_ms else { return Ok(0) };
    FieldError::range("at_ms", elapsed, u64::MAX - 1)?;
    Ok(elapsed + 1)
}

fn elapsed_from_wire(elapsed: u64) -> Option<u64> {
    elapsed.checked_sub(1)
}

/// Checks that a log can hold a time, in ms since 1970, and returns the time.
pub fn time(field: &'static str, found: i64) -> Result<i64, FieldError> {
    if TIMES.contains(&found) {
        Ok(found)
    } else {
        Err(FieldError::new(field, FieldErrorKind::Time { found }))
    }
}

fn unit_number(field: &'static str, unit: u8) -> Result<u8, FieldError> {
    FieldError::range(field, u64::from(unit), SEATS_MAX as u64 - 1)?;
    Ok(unit)
}

fn at_least(field: &'static str, found: usize, min: u32) -> Result<(), FieldError> {
    // Lengths here are capped far below 2^32.
    let found = found as u32;
    if found >= min { Ok(()) } else { Err(FieldError::new(field, FieldErrorKind::TooShort { min, found })) }
}

impl Player {
    /// Checks that a log can hold this player.
    ///
    /// # Errors
    /// The fault of the name.
    pub fn validate(&self) -> Result<(), FieldError> {
        check_name("seats[].name", &self.name, NAME_MAX).map(|_| ())
    }
}

/// Checks that a name has 1 to `max` bytes and no control or bidirectional characters. Returns the name.
fn check_name<'a>(field: &'static str, name: &'a str, max: usize) -> Result<&'a str, FieldError> {
    FieldError::length(field, name.len(), max)?;
    at_least(field, name.len(), 1)?;
    refuse_character(field, name, |c| c.is_control() || is_bidirectional(c))
}

fn check_code(code: &str) -> Result<&str, FieldError> {
    FieldError::length("codes[]", code.len(), CODES_MAX.1)?;
    at_least("codes[]", code.len(), 1)?;
    refuse_character("codes[]", code, |c| !matches!(c, 'A'..='Z' | '0'..='9' | '_'))
}

fn refuse_character<'a>(
    field: &'static str,
    text: &'a str,
    bad: impl Fn(char) -> bool,
) -> Result<&'a str, FieldError> {
    match text.chars().find(|&c| bad(c)) {
        None => Ok(text),
        Some(c) => Err(FieldError::new(field, FieldErrorKind::Character { found: c as u32 })),
    }
}

/// Whether Unicode's property Bidi_Control holds: such a character can make a name read as another name.
fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
