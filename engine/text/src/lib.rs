//! Whole games as text (docs/formats/NOTATION.md).
//!
//! The text omits fields that follow from the rest of a log: digests, commitments, masks. Writing and reading
//! both follow the game as far as its cards are known (`follow`), so both omit and fill in the same fields.
//! Fields that do not follow, because a round is not revealed or somebody broke a rule, are written in the
//! text.
//!
//! Strict: [`to_text`] reads its own text again, and returns the text only if it gives the same log, record
//! by record. Lenient: [`from_text`] also accepts texts that people type.
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

mod draft;
mod fill;
mod follow;
mod form;
mod format;
mod given;
mod head;
mod read;
mod scores;
mod shown;
mod write;

#[cfg(feature = "interchange")]
pub mod interchange;
pub mod time;
pub mod words;

pub use draft::{GameDraft, draft};
pub use form::{FORMAT, GameError, LINE_MAX, NoText, RECORDS_MAX, TEXT_MAX};
pub use format::formatted;
pub use scores::{ScoreText, ScoreTextRound, WrittenScore, score_text};

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::record::Record;

/// Returns the faults of all lines that cannot be read, at most 100. Whether what they say follows is not asked.
pub fn unreadable(text: &str) -> Vec<GameError> {
    read::every_line(text).1
}

#[cfg(test)]
mod tests;

/// Returns the strict text of a log.
///
/// # Errors
/// The first record that would not come back unchanged: the rule set of the log is not played here, or its
/// records do not belong together.
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

/// Returns the records of the log that a text describes.
///
/// # Errors
/// The first place at which the text is malformed, at which an omitted field does not follow, or at which a
/// score, the reason of an end or a winner differs from the one that follows.
pub fn from_text(text: &str) -> Result<Vec<Record>, GameError> {
    fill::fill(&read::text(text)?, false)
}

/// Reads as [`from_text`] does, but takes scores, reasons of ends and winners from the text: those of a log
/// may be wrong.
///
/// # Errors
/// As [`from_text`], except for these fields.
pub fn from_text_as_recorded(text: &str) -> Result<Vec<Record>, GameError> {
    fill::fill(&read::text(text)?, true)
}
