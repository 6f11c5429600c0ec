//! The search for laws by words, over irregularities, rules and codes.
//!
//! Scores are whole numbers: a word counts more the fewer texts have it, and less the longer the text is (the formula
//! known as BM25, in integers). Equal words give equal answers on every machine.

use super::words::{Synonyms, WORDS_MAX};
use super::{Irregularity, Question, all};
use crate::rulebook::{self, Rule};
use crate::violations::{ALL, CatalogueEntry};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The text that a search has found.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// An irregularity with its laws.
    Irregularity(Irregularity),
    /// A rule of a book.
    Rule(Rule<'static>),
    /// A violation code with its page.
    Code(&'static CatalogueEntry),
}

/// One answer of a search.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// The text found.
    pub subject: Subject,
    /// The score: higher is better, and only comparable within one search.
    pub score: u64,
}

/// The texts that a search looks through, with their words.
pub struct Index {
    synonyms: Synonyms,
    /// Each text, and its number of words.
    texts: Vec<(Subject, u64)>,
    /// By word: the texts that have it, and how often.
    places: BTreeMap<String, BTreeMap<usize, u64>>,
}

impl Index {
    /// Returns an index of the irregularities alone, by the words in which people speak of them: laws speak otherwise.
    pub fn of_irregularities() -> Self {
        let mut index = Self { synonyms: Synonyms::new(), texts: Vec::new(), places: BTreeMap::new() };
        for row in all() {
            index.add(Subject::Irregularity(row), &[]);
            let n = index.texts.len() - 1;
            index.count(n, row.name, 3);
            row.said().for_each(|said| index.count(n, said, 3));
            for (_, hints) in row.questions().flat_map(|question| question.answers) {
                index.count(n, hints, 1);
            }
        }
        index
    }

    /// Returns an index of the irregularities, of every rule and of every code.
    pub fn of_everything() -> Self {
        let mut index = Self::of_irregularities();
        for rule in rulebook::all() {
            let why = rule.decision.map_or("", |decision| decision.why);
            index
                .add(Subject::Rule(rule), &[rule.section, rule.text, rule.question.unwrap_or_default(), why]);
        }
        for entry in ALL {
            let name = entry.name.replace('_', " ");
            index.add(Subject::Code(entry), &[&name, entry.summary, entry.page]);
        }
        index
    }

    fn add(&mut self, subject: Subject, texts: &[&str]) {
        self.texts.push((subject, 0));
        let n = self.texts.len() - 1;
        texts.iter().for_each(|text| self.count(n, text, 1));
    }

    /// Counts the words of a part of text `n`, each `times` times.
    fn count(&mut self, n: usize, text: &str, times: u64) {
        for word in with_pairs(self.synonyms.words(text)) {
            *self.places.entry(word).or_default().entry(n).or_default() += times;
        }
        self.texts[n].1 += times * self.synonyms.words(text).count() as u64;
    }

    /// Returns the texts that fit the words best, at most `most`, the best first; equal ones in the order of the
    /// index. Of a long question the first words count.
    pub fn find(&self, words: &str, most: usize) -> Vec<Hit> {
        let said = self.synonyms.words(words).take(WORDS_MAX);
        let said = said.map(|word| self.synonyms.mended(word, &self.places));
        let mut asked: Vec<String> = with_pairs(said).collect();
        asked.sort();
        asked.dedup();
        let mut scores: BTreeMap<usize, u64> = BTreeMap::new();
        let count = self.texts.len() as u64;
        let total: u64 = self.texts.iter().map(|(_, length)| length).sum();
        let average = (total / count.max(1)).max(1);
        for (word, found) in asked.iter().filter_map(|word| Some((word, self.places.get(word)?))) {
            let rarity = log2(256 * (count + 1) / (found.len() as u64 + 1).min(count + 1));
            // The words of a pair count by themselves as well.
            let rarity = if word.contains(' ') { rarity / 2 } else { rarity };
            for (&n, &times) in found {
                // The constants of the formula are 1.2 and 0.5.
                let part =
                    rarity * times * 44 * average / (20 * times * average + 12 * (average + self.texts[n].1));
                *scores.entry(n).or_default() += part;
            }
        }
        let mut hits: Vec<(usize, u64)> = scores.into_iter().collect();
        hits.sort_by_key(|&(n, score)| (core::cmp::Reverse(score), n));
        hits.into_iter().take(most).map(|(n, score)| Hit { subject: self.texts[n].0, score }).collect()
    }
}

/// Returns the words, and each two that follow each other: `too many` says more than its words.
fn with_pairs(words: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let mut before: Option<String> = None;
    words.flat_map(move |word| {
        let pair = before.replace(word.clone()).map(|before| alloc::format!("{before} {word}"));
        pair.into_iter().chain([word])
    })
}

/// Returns 256 times the logarithm to the base 2 of `n / 256`, for `n` of at least 256; linear between powers of 2.
fn log2(n: u64) -> u64 {
    let n = n.max(256);
    let whole = u64::from(n.ilog2());
    (whole - 8) * 256 + ((n * 256) >> whole) - 256
}

/// Returns the answer to the question that the words give: the one of whose words they have the most; `None` if they
/// have none, or equally many of two answers.
pub(super) fn answer_in(question: &Question, said: &str) -> Option<&'static str> {
    let synonyms = Synonyms::new();
    let said: Vec<String> = synonyms.words(said).take(WORDS_MAX).collect();
    let has = |hints: &str| synonyms.words(hints).filter(|hint| said.contains(hint)).count();
    let mut counts: Vec<(usize, &'static str)> =
        question.answers.iter().map(|(answer, hints)| (has(hints), *answer)).collect();
    counts.sort_by_key(|(count, _)| core::cmp::Reverse(*count));
    match counts[..] {
        [(best, answer), (second, _), ..] if best > second => Some(answer),
        _ => None,
    }
}
