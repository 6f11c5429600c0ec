//! Whole texts: all their lines, or the faults of all lines at once.

use super::super::form::{GameError, LINE_MAX, TEXT_MAX};
use super::super::given::{GivenRecord, Text};
use super::TextReader;
use alloc::format;
use alloc::vec::Vec;
use sha2::{Digest, Sha256};

/// Maximum number of faults that are reported at once.
pub(in super::super) const FAULTS_MAX: usize = 100;

/// Reads a whole text.
pub(in super::super) fn text(text: &str) -> Result<Text, GameError> {
    let mut reader = TextReader::default();
    let last = reader.lines(text)?;
    reader.begin(last)?;
    let head = reader.head.ok_or_else(|| GameError::of_line(last, "no game"))?;
    Ok(Text { head, entries: reader.entries, cut: reader.cut, digest: digest_of(text) })
}

/// Reads every line that can be read. Returns the text, if its head can be read, and the faults of the other lines, at most
/// [`FAULTS_MAX`].
pub(in super::super) fn every_line(text: &str) -> (Option<Text>, Vec<GameError>) {
    let (mut reader, mut found) = (TextReader::default(), Vec::new());
    if let Err(fault) = collect(&mut reader, text, &mut found) {
        found.push(fault);
        return (None, found);
    }
    let digest = digest_of(text);
    let TextReader { head, entries, cut, .. } = reader;
    (head.map(|head| Text { head, entries, cut, digest }), found)
}

/// Returns the digest from which a game gets its id, if its text names none. Blank lines, blanks around lines and the kind
/// of the ends of lines do not count.
fn digest_of(text: &str) -> [u8; 32] {
    let mut digest = Sha256::new().chain_update("canasta-transcript/1/id\0");
    for line in lines_of(text).map(str::trim).filter(|line| !line.is_empty()) {
        digest.update(line);
        digest.update("\n");
    }
    digest.finalize().into()
}

/// Returns the number of records before a place of a text.
pub(in super::super) fn records_before(text: &str, place: &GameError) -> usize {
    let mut reader = TextReader::default();
    let _ = reader.lines(text);
    let before = |entry: &&GivenRecord| (entry.line, entry.column) < (place.line, place.column);
    1 + reader.entries.iter().filter(before).count()
}

/// Reads each line by itself, and adds the faults of lines that cannot be read.
///
/// # Errors
/// If the head cannot be read: then no further line can be.
fn collect<'a>(
    reader: &mut TextReader<'a>,
    text: &'a str,
    found: &mut Vec<GameError>,
) -> Result<(), GameError> {
    bounded(text)?;
    let mut last = 1;
    for (number, line) in (1..).zip(lines_of(text)) {
        last = number;
        if let Err(fault) = reader.line(number, line) {
            if reader.head.is_none() {
                return Err(fault);
            }
            found.push(fault);
            if found.len() == FAULTS_MAX {
                return Ok(());
            }
        }
    }
    reader.begin(last)
}

/// Checks the lengths of a text and of its lines.
pub(super) fn bounded(text: &str) -> Result<(), GameError> {
    if text.len() > TEXT_MAX {
        let reason = format!("expected at most {TEXT_MAX} bytes, found {}", text.len());
        return Err(GameError::of_line(1, reason));
    }
    match (1..).zip(lines_of(text)).find(|(_, line)| line.len() > LINE_MAX) {
        Some((number, line)) => {
            let reason = format!("expected a line of at most {LINE_MAX} bytes, found {}", line.len());
            Err(GameError::of_line(number, reason))
        }
        None => Ok(()),
    }
}

pub(super) fn lines_of(text: &str) -> core::str::Lines<'_> {
    text.strip_prefix('\u{feff}').unwrap_or(text).lines()
}
