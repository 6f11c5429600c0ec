//! The words of a game about itself: its rules in sentences for its players, from its knobs, each with the rules that say so. The
//! sentences are rows of `table.txt`, in the order of a game: goal, deal, turn, and so on.

use crate::card::Rank;
use crate::citation::Books;
use crate::rules::*;
use crate::violations::Fact;
use crate::violations::template::{Filled, Language, Translated};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The sentences about one part of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidSection {
    /// The name of the part in all languages: `goal`, `deal`, `turn`, `melds`, `initial`, `pile`, `threes`, `out`, `special`,
    /// `scoring`.
    pub name: &'static str,
    /// The heading.
    pub title: &'static str,
    /// The sentences; at least one.
    pub sentences: Vec<SaidSentence>,
}

/// A sentence about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidSentence {
    /// The sentence, with its full stop.
    pub text: String,
    /// The ids of the rules that say so; at least one.
    pub rule_ids: Vec<&'static str>,
}

/// A section of the table.
struct SectionRow {
    name: &'static str,
    title: Translated,
    rows: &'static [SentenceRow],
}

/// A sentence of the table.
struct SentenceRow {
    holds: fn(&RuleSet) -> bool,
    /// The knobs that the text names.
    facts: &'static [&'static str],
    /// Ids of rules; `|` stands between parts, of which the first with an id in the books is cited.
    rules: &'static str,
    text: Translated,
}

include!(concat!(env!("OUT_DIR"), "/explanation.rs"));

impl RuleSet {
    /// Returns the rules in sentences for players, with the ids of rules in `books`.
    pub fn explanation(&self, books: &Books, language: Language) -> Vec<SaidSection> {
        let sections = SECTIONS.iter().map(|section| {
            let rows = section.rows.iter().filter(|row| (row.holds)(self));
            let sentences = rows.map(|row| row.said(self, books, language)).collect();
            SaidSection { name: section.name, title: section.title.of(language), sentences }
        });
        sections.filter(|section| !section.sentences.is_empty()).collect()
    }
}

impl SentenceRow {
    fn said(&self, set: &RuleSet, books: &Books, language: Language) -> SaidSentence {
        let facts: Vec<_> = self.facts.iter().map(|&name| (name, fact(name, set, language))).collect();
        let filled = Filled { language, template: self.text.of(language), facts: &facts };
        SaidSentence { text: filled.to_string(), rule_ids: books.cite_parts(self.rules) }
    }
}

/// Returns the value of a knob as people read it, or the N-th number of its list for `KNOB_N`.
fn fact(name: &str, set: &RuleSet, language: Language) -> Fact {
    let (name, place) = match Knob::named(name) {
        Some(_) => (name, None),
        None => {
            name.rsplit_once('_').map_or((name, None), |(name, place)| (name, place.parse::<usize>().ok()))
        }
    };
    let knob = Knob::named(name).expect("the build has found the knob");
    let value = knob.value(set);
    let entries = || value.trim_matches(['[', ']', '{', '}']).split(',').filter(|entry| !entry.is_empty());
    let in_words = |(word, meaning): (String, Option<Translated>)| match meaning {
        Some(meaning) => within(meaning, language),
        None => name_of(word.trim_matches('"'), language),
    };
    let or = format!(" {} ", OR.of(language));
    let (items, sign): (Vec<String>, &str) = match knob.form {
        KnobForm::Switch | KnobForm::Word => return value.trim_matches('"').to_owned().into(),
        KnobForm::Number => return number(&value, language),
        KnobForm::Numbers if place.is_some() => {
            return number(entries().nth(place.unwrap_or(1) - 1).unwrap_or("0"), language);
        }
        KnobForm::Numbers => (entries().map(|entry| grouped(entry, language)).collect(), ", "),
        KnobForm::Words => {
            let chosen = knob.choices().into_iter().filter(|(word, _)| value.contains(word.as_str()));
            let is_rank = value.contains(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
            (chosen.map(in_words).collect(), if is_rank { ", " } else { &or })
        }
        KnobForm::ByRank => {
            let choices = knob.choices();
            let entry = |entry: &str| {
                let (rank, value) = entry.split_once(':').unwrap_or_default();
                let rank = name_of(rank.trim_matches('"'), language);
                match choices.iter().find(|(word, _)| word == value) {
                    Some(choice) => format!("{rank}: {}", in_words(choice.clone())),
                    None => format!("{rank} {}", grouped(value, language)),
                }
            };
            (entries().map(entry).collect(), "; ")
        }
        KnobForm::Bands => (bands(&set.initial_bands, language), ", "),
        KnobForm::CardPoints => (card_points(&set.card_points, language), "; "),
    };
    items.join(sign).into()
}

/// Returns a number. Numbers of four digits and more are texts, since languages write their digits in groups of their own.
fn number(text: &str, language: Language) -> Fact {
    let grouped = grouped(text, language);
    if grouped == text { text.parse::<i64>().unwrap_or(0).into() } else { grouped.into() }
}

/// Returns a number with its digits in groups of three, as a language writes them.
pub fn grouped(number: &str, language: Language) -> String {
    let sign = match language {
        Language::English => ',',
        Language::German => '.',
    };
    let digits = number.trim_start_matches('-').len();
    let mut out = String::new();
    for (place, c) in number.chars().rev().enumerate() {
        if place > 0 && place % 3 == 0 && place < digits {
            out.insert(0, sign);
        }
        out.insert(0, c);
    }
    out
}

/// Returns a meaning of a word inside a sentence: without full stop, and without the capital of its beginning.
fn within(meaning: Translated, language: Language) -> String {
    let text = meaning.of(language).trim_end_matches('.');
    let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    first.to_lowercase() + rest
}

/// Returns the name of all cards of a rank, or of wild cards.
fn name_of(letter: &str, language: Language) -> String {
    let place = Rank::WORDS.iter().position(|(_, word)| *word == letter);
    let named = place.and_then(|place| RANKS.of(language).split(' ').nth(place));
    named.unwrap_or_else(|| WILD_CARDS.of(language)).to_owned()
}

fn bands(bands: &Bands, language: Language) -> Vec<String> {
    let points = |number: i32| grouped(&number.to_string(), language);
    let Bands::ByScore(bands) = bands else { return bands.minimums().into_iter().map(points).collect() };
    let band = |band: &Band| match band.below {
        Some(below) => format!("{} {} {}", points(band.minimum), BELOW.of(language), points(below)),
        None if bands.len() == 1 => points(band.minimum),
        None => format!("{} {}", OTHERWISE.of(language), points(band.minimum)),
    };
    bands.iter().map(band).collect()
}

/// Returns the cards by their points, the highest first.
fn card_points(points: &CardPoints, language: Language) -> Vec<String> {
    let mut groups: Vec<(i32, Vec<String>)> = Vec::new();
    let ranks = Rank::WORDS.iter().filter(|(rank, _)| *rank != Rank::Three);
    let cards = ranks.map(|&(rank, word)| (points.of_rank(rank), name_of(word, language)));
    for (points, name) in cards.chain([(points.of_rank(Rank::Three), BLACK_THREES.of(language).to_owned())]) {
        match groups.iter_mut().find(|(other, _)| *other == points) {
            Some((_, names)) => names.push(name),
            None => groups.push((points, [name].into())),
        }
    }
    groups.sort_by_key(|(points, _)| core::cmp::Reverse(*points));
    let said = |(points, names): (i32, Vec<String>)| format!("{}: {points}", names.join(", "));
    groups.into_iter().map(said).collect()
}

#[cfg(test)]
mod tests;
