//! A text with faults: all of them at once, and the log up to the first.

use super::fill::Filler;
use super::form::GameError;
use super::given::{Given, GivenEnd, GivenRecord, Text, TextContext};
use super::read::{self, FAULTS_MAX};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::record::{EndReason, Record};

/// The records that can be made of a text, and its faults.
pub struct GameDraft {
    /// The records before the first fault; none if the head has a fault.
    pub records: Vec<Record>,
    /// The faults in the order of their lines, at most 100.
    pub faults: Vec<GameError>,
}

/// Reads a text. In each round the first fault counts, besides all lines that cannot be read; the next round is judged
/// from the scores that the text states.
pub fn draft(text: &str) -> GameDraft {
    let (text, faults) = read::every_line(text);
    match text {
        Some(text) => of(&text, faults),
        None => GameDraft { records: Vec::new(), faults },
    }
}

fn of(text: &Text, found: Vec<GameError>) -> GameDraft {
    let mut filler = match Filler::open(text, false) {
        Ok(filler) => filler,
        Err(fault) => return GameDraft { records: Vec::new(), faults: alloc::vec![fault] },
    };
    let mut faults = Vec::new();
    let mut unread = found.into_iter().peekable();
    let mut kept = None;
    for (at, GivenRecord { line, column, given, .. }) in text.entries.iter().enumerate() {
        while let Some(fault) = unread.next_if(|fault| fault.line <= *line) {
            kept.get_or_insert(filler.records.len());
            filler.follower.give_up();
            faults.push(fault);
        }
        let fault = if filler.follower.is_lost() && kept.is_some() {
            let passed = go_on(&mut filler, given);
            text.entries[at].has_items().and(passed.map_err(|reason| GameError {
                line: *line,
                column: *column,
                reason,
            }))
        } else {
            filler.take(at)
        };
        let Err(fault) = fault else { continue };
        kept.get_or_insert(filler.records.len());
        faults.push(fault);
        // Without an end and a beginning, the next round cannot be judged.
        if matches!(given, Given::Register(_) | Given::RoundEnd(_) | Given::GameEnd { .. }) {
            break;
        }
        filler.follower.give_up();
    }
    faults.extend(unread);
    if kept.is_none() && faults.is_empty() {
        faults.extend(filler.end().err());
    } else {
        filler.records.truncate(kept.unwrap_or(filler.records.len()));
    }
    faults.truncate(FAULTS_MAX);
    GameDraft { records: filler.records, faults }
}

/// Passes over what cannot be judged behind a fault, up to the end of the round, whose scores are taken as they stand.
fn go_on(filler: &mut Filler<'_>, given: &Given) -> Result<(), String> {
    match given {
        Given::RoundEnd(end) if end.scores.is_some() => {
            let GivenEnd { digest, reason, .. } = **end;
            // Nothing behind a fault is recorded, so a digest that nobody knows does no harm.
            let (digest, reason) = (digest.or(Some([0; 32])), reason.or(Some(EndReason::WentOut)));
            let end = Given::RoundEnd(Box::new(GivenEnd { digest, reason, ..(**end).clone() }));
            filler.complete(&end, &TextContext::ALONE)
        }
        Given::RoundEnd(_) | Given::Register(_) => Err(String::from(
            "the round before has a fault and no score lines under its end: what follows is not checked",
        )),
        _ => Ok(()),
    }
}
