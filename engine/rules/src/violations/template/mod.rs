//! Templates: sentences over facts, as data. The engine renders its own messages from them, and front ends render the
//! same templates in other languages.
//!
//! A template is a text in a subset of the ICU message format:
//!
//! - `{name}` stands for the fact called `name`;
//! - `{name, plural, one {..} other {..}}` chooses by a number: the arm `=N` if the number is N, else `one` if it is 1
//!   or -1, else `other`;
//! - `{name, select, WORD {..} none {..} other {..}}` chooses by a word. An absent fact has the word `none`.
//!
//! There is nothing else, not even a quoted brace. The separators are exactly those above, `other` is the last arm, and
//! arms hold templates, at most [`DEPTH_MAX`] levels deep. [`fits()`] is a constant function: a template that names an
//! unknown fact fails the build.

mod fits;
mod language;
mod scan;
#[cfg(test)]
mod tests;

pub use fits::fits;
pub use language::{Language, Translated};

use super::fact::{Fact, FactRow};
use core::fmt::{self, Display, Write};
use scan::{Piece, next_arm, next_piece};

/// Maximum depth of templates in templates, the outermost not counted.
pub const DEPTH_MAX: u32 = 4;

/// The word by which `select` knows an absent fact.
pub const ABSENT: &str = "none";

/// A template with the facts that fill it. `Display` renders it.
#[derive(Clone, Copy, Debug)]
pub struct Filled<'a> {
    /// The language of the template.
    pub language: Language,
    /// A template that [`fits()`] its facts.
    pub template: &'static str,
    /// The facts by name.
    pub facts: &'a [(&'static str, Fact)],
}

/// A message with its sentence in each language.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    /// The name of the message, unique among messages of its kind: lower case with underscores.
    pub name: &'static str,
    /// The facts of the message.
    pub facts: &'static [FactRow],
    text: Translated,
}

impl Wording {
    /// Returns a message. In a constant, a template that does not fit the facts fails the build.
    ///
    /// # Panics
    /// If a template does not fit the facts.
    pub const fn new(
        name: &'static str,
        facts: &'static [FactRow],
        english: &'static str,
        german: &'static str,
    ) -> Self {
        assert!(fits(english, facts), "{}", english);
        assert!(fits(german, facts), "{}", german);
        Self { name, facts, text: Translated::new([english, german]) }
    }

    /// Returns the template of the message.
    pub const fn template(&self, language: Language) -> &'static str {
        self.text.of(language)
    }
}

impl Display for Filled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.template;
        while let Some((piece, after)) = next_piece(rest) {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Fact(name) => self.write_fact(f, self.get(name))?,
                Piece::Plural(name, arms) => self.write_arm(f, arms, |key| counts(self.get(name), key))?,
                Piece::Select(name, arms) => self.write_arm(f, arms, |key| says(self.get(name), key))?,
            }
            rest = after;
        }
        Ok(())
    }
}

impl Filled<'_> {
    fn get(&self, name: &str) -> Option<&Fact> {
        self.facts.iter().find(|(other, _)| *other == name).map(|(_, fact)| fact)
    }

    /// Writes a fact. Seats, sides and melds are numbers, so the language has a template for each.
    fn write_fact(&self, f: &mut fmt::Formatter<'_>, fact: Option<&Fact>) -> fmt::Result {
        let values = self.language.values();
        match fact {
            None => f.write_str(ABSENT),
            Some(Fact::Seat(seat)) => self.write_number(f, seat.0, values.seat),
            Some(Fact::Side(side)) => self.write_number(f, side.0, values.side),
            Some(Fact::Meld(meld)) => self.write_number(f, meld.0, values.meld),
            Some(Fact::Seats(seats)) => seats.iter().enumerate().try_for_each(|(place, seat)| {
                f.write_str(if place > 0 { ", " } else { "" })?;
                self.write_number(f, seat.0, values.seat)
            }),
            Some(fact) => fact.fmt(f),
        }
    }

    fn write_number(&self, f: &mut fmt::Formatter<'_>, number: u8, template: &'static str) -> fmt::Result {
        Filled { template, facts: &[("number", Fact::Int(number.into()))], ..*self }.fmt(f)
    }

    /// Renders the first arm whose key `holds`, or else the last.
    fn write_arm(
        &self,
        f: &mut fmt::Formatter<'_>,
        arms: &'static str,
        holds: impl Fn(&str) -> bool,
    ) -> fmt::Result {
        let mut rest = arms;
        while let Some((key, template, after)) = next_arm(rest) {
            if holds(key) || after.is_empty() {
                return Self { template, ..*self }.fmt(f);
            }
            rest = after;
        }
        Ok(())
    }
}

/// Whether a number is in the plural's category `key`.
fn counts(fact: Option<&Fact>, key: &str) -> bool {
    let Some(&Fact::Int(number)) = fact else { return false };
    match key.strip_prefix('=') {
        Some(exact) => exact.parse() == Ok(number),
        None => key == "one" && number.unsigned_abs() == 1,
    }
}

/// Whether a fact is the word `key`.
fn says(fact: Option<&Fact>, key: &str) -> bool {
    let Some(fact) = fact else { return key == ABSENT };
    // A player may be called `none`.
    if key == ABSENT && matches!(fact, Fact::Text(_)) {
        return false;
    }
    let mut rest = Remainder(key);
    write!(rest, "{fact}").is_ok() && rest.0.is_empty()
}

/// The part of a text that has not been written yet. Writing anything but its beginning fails.
struct Remainder<'a>(&'a str);

impl Write for Remainder<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}
