//! `import` of a log in notation.

use super::{FORMS, Imported, Log, Reason};
use crate::files::saved;
use crate::rulesets::house;
use crate::shared::caret::pointed_in_game;
use crate::shared::text::{action_line, join};
use canasta_engine::action::{Action, As, Ruling};
use canasta_engine::notation::{Names, words::quote};
use canasta_engine::text::GameError;

/// The reason why a position that can be read cannot stand.
const STANDS: &str = "a game is taken up in a round that is dealt or about to be dealt, without rulings, and with the \
                      pile and all laid threes named";

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
    draft.records.iter().try_for_each(|record| log.add(record).map(drop))?;
    Ok(Imported { log, faults })
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
        return Err(join(unreadable.iter().map(|fault| pointed_in_game(text, &hinted(fault))), "\n"));
    }
    for record in from_text(text).map_err(|fault| pointed_in_game(text, &fault))? {
        log.add(&record)?;
    }
    Ok(log)
}

/// Returns the log of a game that is taken up from the position of this text.
pub(super) fn take_up(text: &str, ruleset: Option<&str>) -> Result<Log, Reason> {
    let position = saved::position(text, ruleset)?.counted();
    position.setup().into_table().map_err(|faults| join(faults, "\n"))?;
    let set = position.rules().set();
    let (written, dealer) = (position.to_string(), Names::of(set).seat_name(position.named().dealer));
    let rules = written.split(';').next().unwrap_or_default();
    let mut game = format!("rules {rules}\n");
    for (at, player) in position.players().iter().enumerate() {
        game.push_str(if at == 0 { "seats " } else { ", " });
        quote(player, &mut game);
    }
    let action = Action::Ruling(Box::new(Ruling::taking_up(written)));
    let ruling = action_line(Some(As::Director), &action, set);
    let ruling = ruling.ok_or("expected a position that a ruling can name")?;
    game += &format!("\nround {} dealer {dealer}\n{ruling}\n...\n", position.named().round);
    read(&game, false).map_err(|fault| format!("{STANDS}\n{fault}"))
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
