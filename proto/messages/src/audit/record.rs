//! Conversion of a log's records to messages.

use canasta_engine::action::As;
use canasta_engine::log::Record;
use canasta_engine::rejection::Rejection;
use canasta_proto::v1::{LogRecord, RecordKind};

use super::open_audit::RecordFacts;
use crate::convert::{action_out, identity};

/// Whether `who` sees every hand.
pub fn sees_all(who: As) -> bool {
    matches!(who, As::Judge | As::Director)
}

pub fn actor(record: &Record) -> Option<As> {
    match record {
        Record::Action(record) => Some(record.action.actor(record.actor)),
        Record::Refusal(refusal) => Some(refusal.actor.map_or(As::Table, As::Seat)),
        Record::Remark(remark) => remark.by.map(As::from),
        _ => None,
    }
}

/// Returns the `seq` at which a ruling lets play resume; `None` if the record takes nothing back.
pub fn taken_back_to(record: &Record) -> Option<u64> {
    match record {
        Record::Action(record) => record.action.restored_seq(),
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
        Record::Remark(remark) => written.text.clone_from(&remark.text),
        _ => {}
    }
    written
}

fn kind(record: &Record) -> RecordKind {
    let name = format!("RECORD_KIND_{}", record.name().to_ascii_uppercase());
    RecordKind::from_str_name(&name).expect("the interface names every kind")
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::log::DecodeError;

    /// Checks that the interface names the kinds of records of the log, and no others.
    #[test]
    fn kinds_of_records_have_one_name() {
        let kinds: Vec<_> = (1..).map_while(|number| RecordKind::try_from(number).ok()).collect();
        for kind in &kinds {
            let name = kind.as_str_name().trim_start_matches("RECORD_KIND_").to_ascii_lowercase();
            assert_eq!(super::kind(&Record::blank(&name).expect("a kind of the log")), *kind);
        }
        // Accepted actions have four of the numbers in the log.
        let is_known = |&number: &u8| {
            let error = Record::decode(&[number]).expect_err("every record is longer");
            !matches!(error, DecodeError::UnknownRecord { .. })
        };
        assert_eq!((0..=u8::MAX).filter(is_known).count() - 3, kinds.len());
    }
}
