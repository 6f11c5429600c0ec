//! The form of a text: its first line, its limits and its faults.

use alloc::format;
use alloc::string::String;
use canasta_rules::notation::NotationError;
use thiserror::Error;

/// The first line of a strict text.
pub const FORMAT: &str = "canasta-game/1";
/// Maximum length of the text of a game, in bytes.
pub const TEXT_MAX: usize = 1 << 26;
/// Maximum length of a line, in bytes.
pub const LINE_MAX: usize = 1 << 18;
/// Maximum number of records per text.
pub const RECORDS_MAX: usize = 1 << 18;

/// The reason why a text is not a game, with its place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct GameError {
    /// Number of the line, from 1.
    pub line: u32,
    /// Number of the character in the line, from 1.
    pub column: u32,
    /// The expected and the found text, or another reason.
    pub reason: String,
}

impl GameError {
    /// Returns the fault of a line as a whole.
    pub(super) fn of_line(line: u32, reason: impl Into<String>) -> Self {
        Self { line, column: 1, reason: reason.into() }
    }
}

/// The reason why a log has no text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("record {record} has no notation: {reason}")]
pub struct NoText {
    /// Number of the first record that has no text.
    pub record: u64,
    /// The reason.
    pub reason: String,
}

/// Returns the place of a fault that was found at byte `error.offset` of this line.
pub(super) fn place(number: u32, line: &str, error: &NotationError) -> GameError {
    let before = line.char_indices().take_while(|(at, _)| *at < error.offset).count();
    let reason = format!("expected {}, found {}", error.expected, error.found);
    GameError { line: number, column: before as u32 + 1, reason }
}
