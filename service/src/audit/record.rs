//! Conversion of a log's records to messages.

use canasta_engine::action::As;
use canasta_engine::log::Record;
use canasta_engine::log::record::Author;
use canasta_engine::rejection::Rejection;
use canasta_proto::v1::{LogRecord, RecordKind};

use super::open_audit::RecordFacts;
use crate::convert::{action_out, identity};

/// Whether `who` sees every hand.
pub fn sees_all(who: As) -> bool {
    matches!(who, As::Judge | As::Director)
}

/// Returns the actor of a record; `None` if the record has no actor.
pub fn actor(record: &Record) -> Option<As> {
    match record {
        Record::Action(record) => Some(record.action.actor(record.actor)),
        Record::Refusal(refusal) => Some(refusal.actor.map_or(As::Table, As::Seat)),
        Record::Note(note) => Some(match note.by {
            Author::Seat(seat) => As::Seat(seat),
            Author::Table => As::Table,
            Author::Director => As::Director,
        }),
        _ => None,
    }
}

/// Writes a record with what `who` may see of it.
pub fn write(found: &RecordFacts, who: As) -> LogRecord {
    let actor = actor(&found.record);
    let mut written = LogRecord {
        n: found.n(),
        offset: found.place.offset,
        head: found.place.head.into(),
        kind: kind(&found.record).into(),
        actor: actor.map(identity::write),
        round: found.part.round,
        seq: found.part.seq,
        elapsed_ms: found.record.elapsed_ms(),
        ..Default::default()
    };
    match &*found.record {
        Record::Action(record) => {
            written.action = Some(action_out::write(&record.action));
            let codes = found.illegal.iter().flat_map(Rejection::codes);
            written.codes = codes.map(|code| code.name().into()).collect();
            written.signed = record.signature.is_some();
        }
        Record::Refusal(refusal) => {
            // The action that a seat tried shows cards of its hand.
            let may_see = sees_all(who) || actor == Some(who);
            let tried = found.refused.as_ref().filter(|_| may_see);
            written.action = tried.map(|(action, _)| action_out::write(action));
            written.codes = refusal.codes.clone();
        }
        Record::Note(note) => written.text = note.text.clone(),
        Record::Checkpoint(text) => written.text = text.clone(),
        Record::Genesis(_) | Record::Register(_) | Record::RoundEnd(_) | Record::GameEnd(_) => {}
    }
    written
}

fn kind(record: &Record) -> RecordKind {
    match record {
        Record::Genesis(_) => RecordKind::Genesis,
        Record::Register(_) => RecordKind::Register,
        Record::Action(_) => RecordKind::Action,
        Record::RoundEnd(_) => RecordKind::RoundEnd,
        Record::GameEnd(_) => RecordKind::GameEnd,
        Record::Refusal(_) => RecordKind::Refusal,
        Record::Note(_) => RecordKind::Note,
        Record::Checkpoint(_) => RecordKind::Checkpoint,
    }
}
