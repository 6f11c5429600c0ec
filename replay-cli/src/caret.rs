//! Errors in typed texts: the line with a mark under what is wrong, and near words.

use canasta_engine::notation::NotationError;
use ratatui::text::Span;

/// Maximum number of characters of a line that are shown on each side of the error.
const AROUND: usize = 60;

/// Returns the error with the part of the text that it is about, and a mark under it. `what` stands before the error.
pub fn pointed(what: &str, text: &str, error: &NotationError) -> String {
    format!("{what}{error}\n{}", marked(text, error.offset, error.found.len()))
}

/// Returns the line of a text around the byte `offset`, and a line with marks under `length` bytes from there.
pub fn marked(text: &str, offset: usize, length: usize) -> String {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let offset = floor(offset);
    let from = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let to = text[offset..].find('\n').map_or(text.len(), |end| offset + end);
    let before: Vec<char> = text[from..offset].chars().collect();
    let cut = before.len().saturating_sub(AROUND);
    let left: String = before[cut..].iter().map(shown).collect();
    let after: Vec<char> = text[offset..to].chars().collect();
    let right: String = after.iter().take(AROUND).map(shown).collect();
    let (first, last) =
        (if cut > 0 { "... " } else { "" }, if after.len() > AROUND { " ..." } else { "" });
    let wrong = &text[offset..floor(offset + length).min(to).max(offset)];
    let end = wrong.trim_end().find(char::is_whitespace).unwrap_or(wrong.trim_end().len());
    let marks = Span::raw(&wrong[..end]).width().clamp(1, AROUND);
    let blanks = first.len() + Span::raw(&left).width();
    format!("  {first}{left}{right}{last}\n  {}{}", " ".repeat(blanks), "^".repeat(marks))
}

/// Returns a character as one that takes a place and moves nothing.
fn shown(character: &char) -> char {
    if character.is_control() { ' ' } else { *character }
}
