//! `import` of a log in notation.

use super::{FORMS, Imported, Log, Reason};
use crate::rulesets::house;
use crate::shared::caret::pointed_in_game;
use canasta_engine::log::Record;
use canasta_engine::text::GameError;

/// Parses the text, and returns the log up to its first fault with all faults that can be found at once.
pub(super) fn draft(text: &str) -> Result<Imported, Reason> {
    let draft = canasta_engine::text::draft(text);
    let faults: Vec<Reason> =
        draft.faults.iter().map(|fault| pointed_in_game(text, &hinted(fault))).collect();
    // Without a head there is no log.
    if draft.records.is_empty() {
        return Err(faults.join("\n"));
    }
    let mut log = Log::new();
    draft.records.iter().try_for_each(|record| add(&mut log, record))?;
    Ok(Imported { log, faults })
}

fn add(log: &mut Log, record: &Record) -> Result<(), Reason> {
    let payload = record.encode().map_err(|error| error.to_string())?;
    log.chain.append(&payload, &mut log.bytes);
    Ok(())
}

/// Parses the text and returns the log. `as_recorded` takes scores and winner from the text without comparing them.
pub(super) fn read(text: &str, as_recorded: bool) -> Result<Log, Reason> {
    let mut log = Log::new();
    let from_text = if as_recorded {
        canasta_engine::text::from_text_as_recorded
    } else {
        canasta_engine::text::from_text
    };
    let unreadable = canasta_engine::text::unreadable(text);
    if !unreadable.is_empty() {
        let faults: Vec<String> =
            unreadable.iter().map(|fault| pointed_in_game(text, &hinted(fault))).collect();
        return Err(faults.join("\n"));
    }
    for record in from_text(text).map_err(|fault| pointed_in_game(text, &fault))? {
        add(&mut log, &record)?;
    }
    Ok(log)
}

/// Returns the fault with names like that of an unknown rule set, or with the forms that are read if the text is of none.
fn hinted(fault: &GameError) -> GameError {
    let unknown = fault.reason.strip_prefix("expected a preset such as classic-4p, found ");
    let hint = match unknown.map(house::near_presets) {
        Some(near) => near,
        None if fault.reason.starts_with("expected the rules before the game") => format!("; {FORMS}"),
        None => String::new(),
    };
    GameError { reason: format!("{}{hint}", fault.reason), ..fault.clone() }
}
