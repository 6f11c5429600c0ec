//! Whole games as text (docs/NOTATION.md).
//!
//! What follows from the rest of a log is not written: digests, commitments, masks. Writing and reading both follow
//! the game as far as its cards are known ([`follow`]), so both leave out and fill in the same. What does not follow,
//! be it that a round is not revealed or that somebody broke a rule, stands in the text.
//!
//! Strict: [`to_text`] reads what it has written again, and gives a text only if that is the log, record by record.
//! Lenient: [`from_text`] also takes what somebody has typed.
#![no_std]

extern crate alloc;

mod fill;
mod follow;
mod form;
mod given;
mod head;
mod read;
mod shown;
mod write;

pub mod time;

pub use form::{FORMAT, GameError, LINE_MAX, NoText, RECORDS_MAX, TEXT_MAX};

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::record::Record;

#[cfg(test)]
mod tests;

/// The strict text of a log.
///
/// # Errors
/// The first record that would not come back as it is: a log whose rule set is not played here, or whose records do
/// not go together.
pub fn to_text(records: &[Record]) -> Result<String, NoText> {
    let text = write::game(records)?;
    let fault = |record: usize, reason: String| NoText { record: record as u64, reason };
    match from_text_as_recorded(&text) {
        Ok(back) => match records.iter().zip(&back).position(|(record, back)| record != back) {
            None if back.len() == records.len() => Ok(text),
            None => Err(fault(back.len().min(records.len()), String::from("records are missing before it"))),
            Some(at) => Err(fault(at, String::from("its fields do not go together"))),
        },
        Err(error) => {
            let records = read::records_before(&text, &error);
            Err(fault(records, format!("its text would be refused: {}", error.reason)))
        }
    }
}

/// The records of the log that a text stands for.
///
/// # Errors
/// The first place at which the text is none, at which something that is left out does not follow, or at which a
/// score, the reason of an end or a winner is not what follows.
pub fn from_text(text: &str) -> Result<Vec<Record>, GameError> {
    fill::fill(&read::text(text)?, false)
}

/// As [`from_text`], with scores, reasons of ends and winners as the text has them: those of a log may be wrong.
///
/// # Errors
/// As [`from_text`], except for these.
pub fn from_text_as_recorded(text: &str) -> Result<Vec<Record>, GameError> {
    fill::fill(&read::text(text)?, true)
}
