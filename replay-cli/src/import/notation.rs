//! `import` of a log in notation.

use super::{Log, Reason};
use crate::caret::pointed_in_game;
use std::io::{BufRead, Read, Result};

/// Parses the text and returns the log. `as_recorded` takes scores and winner from the text without comparing
/// them.
pub(super) fn import(text: impl BufRead, as_recorded: bool) -> Result<std::result::Result<Log, Reason>> {
    let mut whole = Vec::new();
    // One byte above the maximum is enough to refuse the text.
    text.take(canasta_engine::text::TEXT_MAX as u64 + 1).read_to_end(&mut whole)?;
    Ok(read(&whole, as_recorded))
}

fn read(bytes: &[u8], as_recorded: bool) -> std::result::Result<Log, Reason> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line}: not UTF-8 text")
    })?;
    let mut log = Log::new();
    let from_text = if as_recorded {
        canasta_engine::text::from_text_as_recorded
    } else {
        canasta_engine::text::from_text
    };
    let unreadable = canasta_engine::text::unreadable(text);
    if !unreadable.is_empty() {
        let faults: Vec<String> = unreadable.iter().map(|fault| pointed_in_game(text, fault)).collect();
        return Err(faults.join("\n"));
    }
    for record in from_text(text).map_err(|fault| pointed_in_game(text, &fault))? {
        let payload = record.encode().map_err(|error| error.to_string())?;
        log.chain.append(&payload, &mut log.bytes);
    }
    Ok(log)
}
