//! The completion of a text's records with all fields that follow.

use super::follow::{Follower, Stale, TextContext};
use super::form::{GameError, RECORDS_MAX};
use super::given::{Given, GivenRecord, Text, names_of, reveal_in};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::record::Record;

/// Returns all records, complete. `as_recorded`: scores, reasons of ends and winners are taken from the text;
/// otherwise they are compared with those that follow.
pub(super) fn fill(text: &Text, as_recorded: bool) -> Result<Vec<Record>, GameError> {
    let entries = &text.entries;
    let secret = text.head.secret.or_else(|| {
        entries.iter().find_map(|entry| match entry.given {
            Given::GameEnd { secret, .. } => secret,
            _ => None,
        })
    });
    let genesis = text.head.genesis(secret.as_ref(), &text.digest);
    let restored = entries.iter().filter_map(|entry| entry.given.restores()).collect();
    let (mut follower, reason) = match Follower::open(&genesis, secret, restored) {
        Ok(follower) => (Some(follower), String::new()),
        Err(reason) => (None, reason),
    };
    let Some(follower) = &mut follower else {
        return Err(GameError { line: text.head.line, column: 1, reason });
    };
    let genesis = Record::Genesis(Box::new(genesis));
    if let Err(error) = genesis.encode() {
        return Err(GameError { line: text.head.line, column: 1, reason: alloc::format!("{error}") });
    }
    let mut records = alloc::vec![genesis];
    for (at, GivenRecord { line, column, given, score_lines }) in entries.iter().enumerate() {
        let rest = || entries[at..].iter().map(|entry| &entry.given);
        let error = |reason: String| GameError { line: *line, column: *column, reason };
        while let Some(due) = follower.due().filter(|due| comes_before(due, given, follower)) {
            let context = TextContext { reveal: &|| reveal_in(rest()), later: &|_| Vec::new() };
            records.push(follower.complete(records.len() as u64, &due, &context).map_err(error)?.record);
        }
        let context = TextContext {
            reveal: &|| reveal_in(rest().skip(1)),
            later: &|seat| names_of(seat, rest().skip(1)),
        };
        let compared = match follower.compared(given) {
            _ if as_recorded => given.clone(),
            Ok(compared) => compared,
            Err(Stale { score, reason }) => {
                let score = score.and_then(|score| score_lines.get(score));
                return Err(match score {
                    Some(&line) => GameError { line, column: 1, reason },
                    None => error(reason),
                });
            }
        };
        records.push(follower.complete(records.len() as u64, &compared, &context).map_err(error)?.record);
        if records.len() > RECORDS_MAX {
            return Err(error(alloc::format!("expected at most {RECORDS_MAX} records")));
        }
    }
    while let Some(due) = follower.due_at_end().filter(|_| !text.cut) {
        let error = |reason: String| {
            let (line, column) = entries.last().map_or((text.head.line, 1), |last| (last.line, last.column));
            GameError { line, column, reason: alloc::format!("after this: {reason}") }
        };
        let context = TextContext { reveal: &|| None, later: &|_| Vec::new() };
        records.push(follower.complete(records.len() as u64, &due, &context).map_err(error)?.record);
    }
    Ok(records)
}

/// Whether the record that is due was omitted before this record.
fn comes_before(due: &Given, given: &Given, follower: &Follower) -> bool {
    let official = matches!(given, Given::Action(given) if given.action.is_official());
    match (due, given) {
        (Given::RoundEnd(_), Given::RoundEnd(_))
        | (Given::GameEnd { .. }, Given::GameEnd { .. })
        | (Given::Register(_), Given::Register(_)) => false,
        // If the table writes registers, other records may come before the register.
        (Given::Register(_), Given::Action(_)) if !official => true,
        (Given::Register(_), _) => follower.registers_itself(),
        _ => true,
    }
}
