//! The stored form of records (docs/LOG_FORMAT.md, field by field). Every value is checked in both directions.

use super::bytes::{RecordBytes, Stored, check_masked, check_text, checked};
use super::codes::{DEAL_MODES, END_REASONS, REGISTRATIONS};
use super::error::{DecodeError, FieldError, FieldErrorKind};
use super::fields::{self, Fields, Name};
use super::frame::{PAYLOAD_MAX, VERSION};
use super::record::*;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_rules::action::ActionKind;
use canasta_rules::rules::CANONICAL_BYTES_MAX;
use canasta_rules::seat::{SEATS_MAX, Seat};

/// Actor byte of an action that no seat made.
pub(super) const NO_SEAT: u8 = 255;
/// Author byte of a remark by the director.
const DIRECTOR: u8 = 254;
/// The highest number of a seat.
const SEAT_LAST: u64 = SEATS_MAX as u64 - 1;

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

    /// Returns the name of the record's kind (`round_end`).
    pub fn name(&self) -> &'static str {
        type_of(self).1
    }

    /// Returns a record of the kind with this name, for a reader of its fields.
    pub fn blank(name: &str) -> Option<Self> {
        (0..).map_while(|number| blank(number).ok()).find(|record| record.name() == name)
    }
}

/// Encodes any record ([`ActionRecord::encode_frequent`] is faster for some).
pub(super) fn encode_general(of: &Record) -> Result<Vec<u8>, FieldError> {
    RecordBytes::write(of, record)
}

/// Decodes any payload ([`ActionRecord::decode_frequent`] is faster for some).
pub(super) fn decode_general(payload: &[u8]) -> Result<Record, DecodeError> {
    RecordBytes::read(payload, Record::GameEnd(GameEnd::default()), record)
}

/// Returns the number of a record's type and the name of its kind. Actions have four types: with a signature or without,
/// with received cards or without.
fn type_of(record: &Record) -> (u8, &'static str) {
    match record {
        Record::Genesis(_) => (0, "genesis"),
        Record::Register(_) => (1, "register"),
        Record::Action(act) => {
            (2 + u8::from(act.signature.is_some()) + 2 * u8::from(act.cards.is_some()), "action")
        }
        Record::RoundEnd(_) => (6, "round_end"),
        Record::GameEnd(_) => (7, "game_end"),
        Record::Refusal(_) => (8, "refusal"),
        Record::Remark(remark) => (remark.kind.form().number, remark.kind.form().name),
    }
}

/// Returns a record of the type with this number, for a reader of its fields.
fn blank(tag: u8) -> Result<Record, DecodeError> {
    Ok(match tag {
        0 => Record::Genesis(Box::default()),
        1 => Record::Register(Box::default()),
        2..6 => Record::Action(Box::new(ActionRecord {
            signature: (tag % 2 == 1).then_some([0; 64]),
            cards: (tag >= 4).then(Vec::new),
            ..ActionRecord::default()
        })),
        6 => Record::RoundEnd(Box::default()),
        7 => Record::GameEnd(GameEnd::default()),
        8 => Record::Refusal(Box::default()),
        _ => {
            let kind = RemarkKind::ALL.into_iter().find(|kind| kind.form().number == tag);
            Record::Remark(kind.ok_or(DecodeError::UnknownRecord { tag })?.blank())
        }
    })
}

fn record(f: &mut RecordBytes<'_>, record: &mut Record) -> Stored {
    let (mut tag, _) = type_of(record);
    f.number("type", &mut tag)?;
    if f.is_reader() {
        *record = blank(tag)?;
    }
    match record {
        Record::Genesis(found) => genesis(f, found),
        Record::Register(found) => {
            fields::register(f, found)?;
            Ok(check_signatures(found)?)
        }
        Record::Action(found) => act(f, found),
        Record::RoundEnd(found) => round_end(f, found),
        Record::GameEnd(GameEnd { winner, secret }) => {
            f.maybe("winner", winner, RecordBytes::place)?;
            f.maybe_array("secret", secret)
        }
        Record::Refusal(found) => refusal(f, found),
        Record::Remark(found) => remark(f, found),
    }
}

fn remark(f: &mut RecordBytes<'_>, remark: &mut Remark) -> Stored {
    let RemarkForm { has_author, field, max, .. } = remark.kind.form();
    match (&mut remark.by, &mut remark.elapsed_ms) {
        (Some(by), elapsed_ms) if has_author => {
            author(f, "by", by)?;
            elapsed(f, elapsed_ms)?;
        }
        (None, None) if !has_author => {}
        _ => Err(FieldError::misplaced("by", "expected author and time as the kind of the remark has them"))?,
    }
    f.text(field, max, &mut remark.text)
}

fn genesis(f: &mut RecordBytes<'_>, genesis: &mut Genesis) -> Stored {
    let mut version = VERSION;
    f.number("log", &mut version)?;
    if version != VERSION {
        Err(FieldError::misplaced("log", "records of another version than the header's"))?;
    }
    f.array("game_id", &mut genesis.game_id)?;
    name(f, "ruleset.id", NAME_MAX, &mut genesis.rule_set_id)?;
    name(f, "ruleset.base", NAME_MAX, &mut genesis.base)?;
    f.data("ruleset.knobs", CANONICAL_BYTES_MAX, &mut genesis.rule_set)?;
    check_text("ruleset.knobs", &genesis.rule_set)?;
    f.list("seats", SEATS_MAX, &mut genesis.players, |f, player| {
        name(f, "seats[].name", NAME_MAX, &mut player.name)?;
        f.maybe_array("seats[].key", &mut player.key)
    })?;
    at_least_one("seats", genesis.players.len())?;
    f.choice_from(1, "deal.mode", &DEAL_MODES, &mut genesis.mode)?;
    f.choice("deal.registration", &REGISTRATIONS, &mut genesis.registration)?;
    f.maybe_array("deal.commitment", &mut genesis.commitment)?;
    name(f, "engine", ENGINE_MAX, &mut genesis.engine)?;
    f.maybe("started_at", &mut genesis.started_at_ms, RecordBytes::time)?;
    f.maybe("fork_of", &mut genesis.fork_of, fields::fork)?;
    f.maybe_array("director", &mut genesis.director)?;
    f.maybe("penalties", &mut genesis.penalties, RecordBytes::number)?;
    match genesis.penalties {
        Some(0) => Err(FieldError::misplaced("penalties", "versions count from 1"))?,
        _ => Ok(()),
    }
}

/// Checks that only seats that registered something signed, and that no list of signatures is without one.
fn check_signatures(register: &Register) -> Result<(), FieldError> {
    let signatures = &register.signatures;
    let registered = |seat: usize| register.seats.get(seat).is_some_and(Option::is_some);
    if (0..signatures.len()).any(|seat| signatures[seat].is_some() && !registered(seat)) {
        return Err(FieldError::misplaced("signatures", "a seat that registers nothing signs nothing"));
    }
    if !signatures.is_empty() && signatures.iter().all(Option::is_none) {
        return Err(FieldError::misplaced("signatures", "a list without a signature must be empty"));
    }
    Ok(())
}

fn act(f: &mut RecordBytes<'_>, record: &mut ActionRecord) -> Stored {
    actor(f, &mut record.actor)?;
    checked(f, &mut record.action)?;
    elapsed(f, &mut record.elapsed_ms)?;
    f.array("state", &mut record.digest)?;
    if let Some(cards) = &mut record.cards {
        f.some_cards("cards", cards)?;
    }
    record.signature.as_mut().map_or(Ok(()), |signature| f.array("sig", signature))
}

fn round_end(f: &mut RecordBytes<'_>, end: &mut RoundEnd) -> Stored {
    f.number("round", &mut end.round)?;
    f.number("attempt", &mut end.attempt)?;
    f.choice("reason", &END_REASONS, &mut end.reason)?;
    let mut form = match end.reveal {
        Reveal::None => 0u32,
        Reveal::Secret(_) => 1,
        Reveal::Wall { .. } => 2,
    };
    f.up_to(2, "reveal", &mut form)?;
    if f.is_reader() {
        end.reveal = match form {
            0 => Reveal::None,
            1 => Reveal::Secret([0; 64]),
            _ => Reveal::Wall { cards: Vec::new(), salt: [0; 32] },
        };
    }
    match &mut end.reveal {
        Reveal::None => {}
        Reveal::Secret(secret) => f.array("secret", secret)?,
        Reveal::Wall { cards, salt } => {
            f.cards("wall", cards)?;
            f.array("salt", salt)?;
        }
    }
    f.list("sides", SCORES_MAX, &mut end.scores, |f, score| {
        f.place("sides[]", &mut score.unit)?;
        f.list("sides[].lines", LINES_MAX, &mut score.lines, fields::score_line)
    })?;
    f.array("state", &mut end.digest)
}

fn refusal(f: &mut RecordBytes<'_>, refusal: &mut Refusal) -> Stored {
    actor(f, &mut refusal.actor)?;
    elapsed(f, &mut refusal.elapsed_ms)?;
    f.list("codes", CODES_MAX.0, &mut refusal.codes, |f, code| {
        f.text("codes[]", CODES_MAX.1, code)?;
        at_least_one("codes[]", code.len())?;
        Ok(refuse_character("codes[]", code, |c| !matches!(c, 'A'..='Z' | '0'..='9' | '_'))?)
    })?;
    at_least_one("codes", refusal.codes.len())?;
    let mut form = u32::from(matches!(refusal.attempt, Attempt::Masked { .. }));
    f.up_to(1u32, "masked", &mut form)?;
    if f.is_reader() && form == 1 {
        refusal.attempt = Attempt::Masked { kind: ActionKind::Pass, bytes: Vec::new() };
    }
    match &mut refusal.attempt {
        Attempt::Clear(tried) => checked(f, tried),
        Attempt::Masked { kind, bytes } => {
            f.kind(kind)?;
            f.data("masked", PAYLOAD_MAX, bytes)?;
            Ok(check_masked("masked", bytes)?)
        }
    }
}

/// Writes or reads an actor: the number of the seat, or 255 if no seat acted.
fn actor(f: &mut RecordBytes<'_>, actor: &mut Option<Seat>) -> Stored {
    let mut by = actor.map_or(Author::Table, Author::Seat);
    author(f, "seat", &mut by)?;
    *actor = match by {
        Author::Seat(seat) => Some(seat),
        Author::Table => None,
        Author::Director => return Ok(FieldError::range("seat", DIRECTOR.into(), SEAT_LAST)?),
    };
    Ok(())
}

fn author(f: &mut RecordBytes<'_>, name: Name, by: &mut Author) -> Stored {
    let mut number = match by {
        // A seat must not become the table or the director.
        Author::Seat(Seat(seat)) => (*seat).min(DIRECTOR - 1),
        Author::Director => DIRECTOR,
        Author::Table => NO_SEAT,
    };
    f.number(name, &mut number)?;
    *by = match number {
        DIRECTOR => Author::Director,
        NO_SEAT => Author::Table,
        seat => {
            FieldError::range(name, seat.into(), SEAT_LAST)?;
            Author::Seat(Seat(seat))
        }
    };
    Ok(())
}

/// Writes or reads a time in ms: 0 for `None`, otherwise one more than the time.
fn elapsed(f: &mut RecordBytes<'_>, elapsed_ms: &mut Option<u64>) -> Stored {
    let mut stored = 0;
    if let Some(elapsed) = *elapsed_ms {
        FieldError::range("at_ms", elapsed, u64::MAX - 1)?;
        stored = elapsed + 1;
    }
    f.number("at_ms", &mut stored)?;
    *elapsed_ms = stored.checked_sub(1);
    Ok(())
}

fn at_least_one(name: Name, found: usize) -> Result<(), FieldError> {
    if found > 0 { Ok(()) } else { Err(FieldError::new(name, FieldErrorKind::TooShort { min: 1, found: 0 })) }
}

impl Player {
    /// Checks that a log can hold this player.
    ///
    /// # Errors
    /// The fault of the name.
    pub fn validate(&self) -> Result<(), FieldError> {
        FieldError::length("seats[].name", self.name.len(), NAME_MAX)?;
        check_name("seats[].name", &self.name)
    }
}

/// Writes or reads a name: 1 to `max` bytes without control and bidirectional characters.
fn name(f: &mut RecordBytes<'_>, name: Name, max: usize, value: &mut String) -> Stored {
    f.text(name, max, value)?;
    Ok(check_name(name, value)?)
}

fn check_name(name: Name, value: &str) -> Result<(), FieldError> {
    at_least_one(name, value.len())?;
    refuse_character(name, value, |c| c.is_control() || is_bidirectional(c))
}

fn refuse_character(name: Name, text: &str, bad: impl Fn(char) -> bool) -> Result<(), FieldError> {
    match text.chars().find(|&c| bad(c)) {
        None => Ok(()),
        Some(c) => Err(FieldError::new(name, FieldErrorKind::Character { found: c as u32 })),
    }
}

/// Whether Unicode's property Bidi_Control holds: such a character can make a name read as another name.
fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
