//! The names of the players of a position: read, and never written.

use super::span::{Read, Span};
use alloc::string::String;
use alloc::vec::Vec;

const PLAYERS: &str = "players";

/// Whether a part of a position names the players.
pub fn is_list(part: &Span<'_>) -> bool {
    part.after(PLAYERS).is_some()
}

/// Returns the names in the order of the seats: `players Ann / Bob / Cleo / Dee`; none if no part has them.
pub fn read(parts: &[Span<'_>], seats: usize) -> Read<Vec<String>> {
    if let Some(again) = parts.get(1) {
        return Err(again.error("a section that is not there yet"));
    }
    let Some(body) = parts.first().and_then(|part| part.after(PLAYERS)) else { return Ok(Vec::new()) };
    let names: Vec<Span<'_>> = body.split(&['/']).collect();
    if let Some(empty) = names.iter().find(|name| name.is_empty()) {
        return Err(empty.error("the name of a player"));
    }
    let is_again = |(n, name): &(usize, &Span<'_>)| {
        names[..*n].iter().any(|other| other.text.to_lowercase() == name.text.to_lowercase())
    };
    if let Some((_, again)) = names.iter().enumerate().find(is_again) {
        return Err(again.error("a name that no other player has"));
    }
    if names.len() != seats {
        return Err(body.error("a name for each seat, with / between them"));
    }
    Ok(names.into_iter().map(|name| String::from(name.text)).collect())
}
