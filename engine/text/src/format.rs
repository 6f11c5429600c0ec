//! The formatter of typed texts: the same game, evenly written, with the comments that no log keeps.

use super::form::GameError;
use super::given::{Given, GivenRecord};
use super::read;
use super::shown::Shown;
use super::write::TextWriter;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_rules::hex::hex;
use canasta_rules::notation::words::outside;
use core::iter::Peekable;

/// Returns the text with actions, cards and seats in their strict spelling, one blank between words, one empty line
/// before each round, and comments behind two blanks. The id of a game that follows from its text is written behind the
/// rules, so that it stays when the text grows.
///
/// # Errors
/// The lines that cannot be read.
pub fn formatted(text: &str) -> Result<String, Vec<GameError>> {
    let faults = read::every_line(text).1;
    if !faults.is_empty() {
        return Err(faults);
    }
    let parsed = read::text(text).map_err(|fault| Vec::from([fault]))?;
    // A score sheet without actions is no game that goes on.
    let has_play = parsed.entries.iter().any(|entry| matches!(entry.given, Given::Action(_)));
    let id = (has_play && parsed.head.game_id.is_none()).then(|| hex(&parsed.head.id(&parsed.digest)));
    let mut entries = parsed.entries.iter().peekable();
    let mut writer = TextWriter::new(&parsed.head.rules);
    let mut out = String::new();
    let mut blank = true;
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let (content, comment) = parts(line);
        let written = line_of(number, content, &mut entries, &mut writer);
        let begins_round = first_word_is(content, "round");
        if (content.is_empty() && comment.is_empty() || begins_round) && !blank {
            out.push('\n');
        }
        blank = content.is_empty() && comment.is_empty();
        if blank {
            continue;
        }
        out.push_str(&written);
        out.push_str(if written.is_empty() || comment.is_empty() { "" } else { "  " });
        out.push_str(comment);
        out.push('\n');
        if let Some(id) = id.as_ref().filter(|_| first_word_is(content, "rules")) {
            out.push_str("game ");
            out.push_str(id);
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    Ok(out)
}

/// Splits a line into what is read and its comment, without blanks at the ends. A note may hold any sign.
fn parts(line: &str) -> (&str, &str) {
    let is_note = |content: &str| content.split(':').any(|part| first_word_is(part, "note"));
    let comment = outside(line).find(|(_, sign)| *sign == '#').map(|(at, _)| at);
    match comment {
        Some(at) if !is_note(&line[..at]) => (line[..at].trim(), line[at..].trim()),
        _ => (line.trim(), ""),
    }
}

fn first_word_is(content: &str, word: &str) -> bool {
    content.split_whitespace().next().is_some_and(|first| first.eq_ignore_ascii_case(word))
}

/// Returns the content of a line in its strict form, if all of it is actions; else with one blank between words.
fn line_of<'e>(
    number: u32,
    content: &str,
    entries: &mut Peekable<impl Iterator<Item = &'e GivenRecord>>,
    writer: &mut TextWriter<'_>,
) -> String {
    let mut actions = Vec::new();
    let mut strict = true;
    while let Some(entry) = entries.next_if(|entry| entry.line <= number) {
        strict &= match &entry.given {
            Given::Action(action) => action.typed.is_none(),
            Given::Refusal(refusal) => refusal.codes.is_some(),
            _ => false,
        };
        actions.push(&entry.given);
    }
    // The writer adds up the times of all lines, those that stay as they are too.
    let written = writer.line(&actions);
    match written.filter(|_| strict && !actions.is_empty()) {
        Some(written) => written,
        None => even(content),
    }
}

/// Returns the text with one blank for each run of blanks outside quotes.
fn even(content: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    let mut blank = false;
    for (at, sign) in outside(content) {
        out.push_str(&content[from..at]);
        from = at + sign.len_utf8();
        match sign.is_whitespace() {
            true if blank => {}
            true => out.push(' '),
            false => out.push(sign),
        }
        blank = sign.is_whitespace();
    }
    out.push_str(&content[from..]);
    out
}

impl TextWriter<'_> {
    /// Returns the records of one line; `None` if one of them has no text.
    fn line(&mut self, given: &[&Given]) -> Option<String> {
        self.out.clear();
        let written = given.iter().try_for_each(|given| self.record(given, &Shown::default()));
        self.close();
        written.ok().map(|()| String::from(self.out.trim()))
    }
}
