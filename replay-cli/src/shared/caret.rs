//! Errors in typed texts: the line with a mark under what is wrong, and near words.

use canasta_engine::notation::words::VERBS;
use canasta_engine::notation::{NotationError, section_names};
use canasta_engine::rules::{KNOBS, PRESETS};
use canasta_engine::text::GameError;
use ratatui::text::Span;

/// Maximum number of characters of a line that are shown on each side of the error.
const AROUND: usize = 60;

/// The first words of lines of a game that are no actions.
const GAME_WORDS: [&str; 8] = ["round", "end", "score", "winner", "note", "refused", "checkpoint", "gets"];

/// Returns the error with the part of the text that it is about, and a mark under it. `what` stands before the error.
pub fn pointed(what: &str, text: &str, error: &NotationError) -> String {
    let marked = marked(text, error.offset, error.found.len());
    format!("{what}{error}{}\n{marked}", hint(error.expected, &error.found))
}

/// Returns the fault of a text of a game with the line that it is about, and a mark under what is wrong.
pub fn pointed_in_game(text: &str, fault: &GameError) -> String {
    let line = text.lines().nth(fault.line.saturating_sub(1) as usize).unwrap_or_default();
    let at =
        line.char_indices().nth(fault.column.saturating_sub(1) as usize).map_or(line.len(), |(at, _)| at);
    let (expected, found) = fault
        .reason
        .strip_prefix("expected ")
        .and_then(|reason| reason.rsplit_once(", found "))
        .unwrap_or_default();
    format!("{fault}{}\n{}", hint(expected, found), marked(line, at, found.len()))
}

/// Returns the words that may have been meant, among those that were expected.
fn hint(expected: &str, found: &str) -> String {
    let word = found.split_whitespace().next().unwrap_or_default().to_lowercase();
    let knobs = || KNOBS.iter().map(|knob| knob.name);
    let near = match expected {
        _ if expected.starts_with("an action") => near(&word, VERBS.into_iter().chain(GAME_WORDS)),
        _ if expected.starts_with("a section") => near(&word, section_names()),
        _ if expected.starts_with("a preset") => near(&word, PRESETS.iter().copied()),
        _ if expected.starts_with("the name of a knob") => near(&word, knobs()),
        _ => Vec::new(),
    };
    if near.is_empty() {
        String::new()
    } else {
        format!(" (did you mean {}?)", near[..near.len().min(2)].join(" or "))
    }
}

/// Returns up to five names with a similar spelling, the most similar first.
pub fn near<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut scored: Vec<(f64, &str)> = names
        .map(|name| {
            let part = word.len() >= 3 && (name.contains(word) || word.contains(name));
            (strsim::jaro_winkler(name, word) + f64::from(u8::from(part)), name)
        })
        .filter(|(score, _)| *score > 0.85)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(5).map(|(_, name)| name).collect()
}

/// Returns the line of a text around the byte `offset`, and a line with marks under `length` bytes from there.
pub fn marked(text: &str, offset: usize, length: usize) -> String {
    let offset = text.floor_char_boundary(offset);
    let from = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let to = text[offset..].find('\n').map_or(text.len(), |end| offset + end);
    let before: Vec<char> = text[from..offset].chars().collect();
    let cut = before.len().saturating_sub(AROUND);
    let left: String = before[cut..].iter().map(shown).collect();
    let after: Vec<char> = text[offset..to].chars().collect();
    let right: String = after.iter().take(AROUND).map(shown).collect();
    let (first, last) = (if cut > 0 { "... " } else { "" }, if after.len() > AROUND { " ..." } else { "" });
    let wrong = &text[offset..text.floor_char_boundary(offset + length).min(to).max(offset)];
    let end = wrong.trim_end().find(char::is_whitespace).unwrap_or(wrong.trim_end().len());
    let marks = Span::raw(&wrong[..end]).width().clamp(1, AROUND);
    let blanks = first.len() + Span::raw(&left).width();
    format!("  {first}{left}{right}{last}\n  {}{}", " ".repeat(blanks), "^".repeat(marks))
}

/// Returns a character as one that takes a place and moves nothing.
fn shown(character: &char) -> char {
    if character.is_control() { ' ' } else { *character }
}
