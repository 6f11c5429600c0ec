//! The search by words: what they are about, as `heard` understands it, and then rules and codes that have the words.
//!
//! Scores are whole numbers: a word counts more the fewer texts have it, and less the longer the text is (the formula
//! known as BM25, in integers). Equal words give equal answers on every machine.

use super::heard::{Listener, Matter, log2};
use super::words::{Synonyms, WORDS_MAX};
use super::{Irregularity, Question, QuestionAnswer};
use crate::citation::Books;
use crate::rulebook::{self, Rule};
use crate::rules::RuleSet;
use crate::violations::template::Language;
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

/// The search through everything that a judge may look for.
pub struct LawSearch {
    listener: Listener,
    index: Index,
}

impl LawSearch {
    /// Collects what is searched, which takes some ten milliseconds.
    pub fn of_everything() -> Self {
        Self { listener: Listener::of_all_hands(), index: Index::new() }
    }

    /// Returns the language of words, as [`Listener::language_of`] says.
    pub fn language_of(&self, words: &str) -> Language {
        self.listener.language_of(words)
    }

    /// Returns at most `most` answers: what the words are about, as [`Listener::hear`] says, a topic by its rules, and then the rules
    /// and codes that fit them best. Under a rule set, with its books, only what comes up there; else by the books of all.
    pub fn find(&self, words: &str, under: Option<(&RuleSet, Books)>, most: usize) -> Vec<Subject> {
        let books = under.map_or_else(Books::common, |(_, books)| books);
        let may_be = |matter: Matter| under.is_none_or(|(set, _)| matter.comes_up_in(set));
        let mut found = Vec::new();
        for matter in self.listener.hear(words, may_be).matters() {
            match matter {
                Matter::Irregularity(row) => found.push(Subject::Irregularity(row)),
                Matter::Topic(topic) => {
                    found.extend(
                        topic.rules(&books).into_iter().filter_map(rulebook::rule).map(Subject::Rule),
                    );
                }
            }
        }
        let rule_id = |subject: &Subject| match subject {
            Subject::Rule(rule) => Some(rule.id),
            _ => None,
        };
        let named: Vec<_> = found.iter().filter_map(rule_id).collect();
        let more = self.index.find(words, most).into_iter();
        let more = more.filter(|subject| rule_id(subject).is_none_or(|id| !named.contains(&id)));
        found.into_iter().chain(more).take(most).collect()
    }
}

/// The texts that a search looks through, with their words.
struct Index {
    synonyms: Synonyms,
    /// Each text, and its number of words.
    texts: Vec<(Subject, u64)>,
    /// By word: the texts that have it, and how often.
    places: BTreeMap<String, BTreeMap<usize, u64>>,
}

impl Index {
    /// Returns an index of every rule and of every code.
    fn new() -> Self {
        let mut index = Self { synonyms: Synonyms::new(), texts: Vec::new(), places: BTreeMap::new() };
        for rule in rulebook::all() {
            let why = rule.decision.map_or("", |decision| decision.why);
            index
                .add(Subject::Rule(rule), &[rule.section, rule.text, rule.question.unwrap_or_default(), why]);
        }
        for entry in ALL {
            let name = entry.name.replace('_', " ");
            index.add(Subject::Code(entry), &[&name, entry.summary, entry.page()]);
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
    fn find(&self, words: &str, most: usize) -> Vec<Subject> {
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
            let rarity =
                log2(256 * (count + 1) / (found.len() as u64 + 1).min(count + 1)).max(2048) as u64 - 2048;
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
        hits.into_iter().take(most).map(|(n, _)| self.texts[n].0).collect()
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

/// Returns the answer to the question that the words give: the one of whose words they have the most; `None` if they
/// have none, or equally many of two answers.
pub(super) fn answer_in(question: &Question, said: &str) -> Option<&'static str> {
    let synonyms = Synonyms::new();
    let said: Vec<String> = synonyms.words(said).take(WORDS_MAX).collect();
    let has = |hints: &str| synonyms.words(hints).filter(|hint| said.contains(hint)).count();
    let count =
        |answer: &QuestionAnswer| Language::ALL.map(|language| has(answer.hints.of(language))).iter().sum();
    let mut counts: Vec<(usize, &'static str)> =
        question.answers.iter().map(|answer| (count(answer), answer.key())).collect();
    counts.sort_by_key(|(count, _)| core::cmp::Reverse(*count));
    match counts[..] {
        [(best, answer), (second, _), ..] if best > second => Some(answer),
        _ => None,
    }
}
