//! The check that a template and its facts fit, which is made while the crate is compiled.

use super::scan::{Piece, equal, next_arm, next_piece};
use super::{ABSENT, DEPTH_MAX};
use crate::violations::fact::{FactKind, FactRow};

/// Whether a template can be rendered from these facts:
///
/// - each name is that of a fact;
/// - a `plural` is of a number, and its keys are `=N`, `one` and `other`;
/// - a `select` by words is of a word; of other facts it can only say whether they are absent;
/// - a fact that may be absent is written only in the arms of a `select` in which it is there;
/// - the last arm is `other`;
/// - no character has a meaning in the ICU message format that it does not have here.
///
/// # Panics
/// If a brace has no partner, or if a key has no template.
pub const fn fits(template: &str, facts: &[FactRow]) -> bool {
    piecewise(template, facts, 0, DEPTH_MAX)
}

/// Checks one level of a template. `given` is a set of bits: the facts, by place, that are known to be there.
const fn piecewise(template: &str, facts: &[FactRow], given: u32, depth: u32) -> bool {
    let mut rest = template;
    while let Some((piece, after)) = next_piece(rest) {
        let holds = match piece {
            Piece::Text(text) => is_plain(text),
            Piece::Fact(name) => match find(name, facts) {
                Some(at) => is_given(at, facts, given),
                None => false,
            },
            Piece::Plural(name, arms) => match find(name, facts) {
                Some(at) => is_given(at, facts, given) && plural_fits(arms, facts, (at, given), depth),
                None => false,
            },
            Piece::Select(name, arms) => match find(name, facts) {
                Some(at) => select_fits(arms, facts, (at, given), depth),
                None => false,
            },
        };
        if !holds {
            return false;
        }
        rest = after;
    }
    true
}

const fn plural_fits(arms: &str, facts: &[FactRow], (at, given): (usize, u32), depth: u32) -> bool {
    let mut rest = arms;
    while let Some((key, template, after)) = next_arm(rest) {
        let key = key.as_bytes();
        let is_other = equal(key, b"other");
        let is_key = is_other || equal(key, b"one") || (key.len() > 1 && key[0] == b'=');
        let is_number = matches!(facts[at].kind, FactKind::Int);
        if depth == 0 || !is_key || !is_number || !piecewise(template, facts, given, depth - 1) {
            return false;
        }
        if is_other {
            return after.is_empty();
        }
        rest = after;
    }
    false
}

const fn select_fits(arms: &str, facts: &[FactRow], (at, given): (usize, u32), depth: u32) -> bool {
    let mut asks_for_absence = false;
    let mut rest = arms;
    while let Some((key, template, after)) = next_arm(rest) {
        let key = key.as_bytes();
        let (is_absent, is_other) = (equal(key, ABSENT.as_bytes()), equal(key, b"other"));
        asks_for_absence |= is_absent;
        let is_key = is_other || is_absent || matches!(facts[at].kind, FactKind::Word);
        // `other` holds for an absent fact too, unless an arm before it asks for that.
        let is_there = !is_absent && (!is_other || asks_for_absence);
        let given = if is_there { given | 1 << at } else { given };
        if depth == 0 || !is_key || !piecewise(template, facts, given, depth - 1) {
            return false;
        }
        if is_other {
            return after.is_empty();
        }
        rest = after;
    }
    false
}

const fn is_given(at: usize, facts: &[FactRow], given: u32) -> bool {
    facts[at].absent.is_none() || given & (1 << at) != 0
}

/// Returns the place of the fact called `name`.
const fn find(name: &str, facts: &[FactRow]) -> Option<usize> {
    let mut at = 0;
    while at < facts.len() {
        if equal(facts[at].name.as_bytes(), name.as_bytes()) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Whether a text means itself in the ICU message format: it has no closing brace, no number sign, no tag, and no
/// apostrophe at its end or before another one.
const fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let quotes = bytes[at] == b'\'' && (at + 1 == bytes.len() || bytes[at + 1] == b'\'');
        if quotes || matches!(bytes[at], b'}' | b'#' | b'<') {
            return false;
        }
        at += 1;
    }
    true
}
