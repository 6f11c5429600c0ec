//! All lines of a text that cannot be read, at once.

use super::super::form::{GameError, LINE_MAX, TEXT_MAX};
use super::TextReader;
use alloc::format;
use alloc::vec::Vec;

/// Maximum number of faults that are reported at once.
const FAULTS_MAX: usize = 100;

/// Returns the faults of all lines, each line read by itself; a head that cannot be read ends the list.
pub(in super::super) fn faults(text: &str) -> Vec<GameError> {
    let mut reader = TextReader::default();
    let mut faults = Vec::new();
    let whole = |fault: GameError| alloc::vec![fault];
    if let Err(fault) = bounded(text) {
        return whole(fault);
    }
    let mut last = 1;
    for (number, line) in (1..).zip(lines_of(text)) {
        last = number;
        let Err(fault) = reader.line(number, line) else { continue };
        faults.push(fault);
        if reader.head.is_none() || faults.len() == FAULTS_MAX {
            return faults;
        }
    }
    faults.extend(reader.begin(last).err());
    faults
}

/// Checks the lengths of a text and of its lines.
pub(super) fn bounded(text: &str) -> Result<(), GameError> {
    let fault = |line, reason| Err(GameError { line, column: 1, reason });
    if text.len() > TEXT_MAX {
        return fault(1, format!("expected at most {TEXT_MAX} bytes, found {}", text.len()));
    }
    match (1..).zip(lines_of(text)).find(|(_, line)| line.len() > LINE_MAX) {
        Some((number, line)) => {
            fault(number, format!("expected a line of at most {LINE_MAX} bytes, found {}", line.len()))
        }
        None => Ok(()),
    }
}

pub(super) fn lines_of(text: &str) -> core::str::Lines<'_> {
    text.strip_prefix('\u{feff}').unwrap_or(text).lines()
}
