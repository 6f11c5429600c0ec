//! The meaning of somebody's words: an irregularity or a topic of the rules, one of a few, or nothing of that kind.
//!
//! The folder `heard` has sentences of people, a file for each hand that wrote them: an irregularity, a topic or `nothing`, the
//! law or `-` (for tests), the language, the sentence. A new sentence is compared with them by its words, its pairs of words and its groups of
//! four letters, which read compounds and slips of the fingers: with all sentences of a kind together (the formula known as naive
//! Bayes), and with the nearest ones. Numbers are whole, so equal words
//! give equal answers on every machine. What decides between the answers are the limits below; they were set by the sentences
//! of each hand in turn against all others, before anybody had seen the sentences of `tests/data/irregularities/unseen.txt`.

use super::{Irregularity, Topic, topics};
use crate::rules::RuleSet;
use crate::violations::template::{Language, Translated};
use alloc::string::String;
use alloc::vec::Vec;

/// The hands that wrote sentences. None of them knew the laws, the rules or this module, but the last, which is our own.
pub(super) const HANDS: [&str; 17] = [
    include_str!("heard/a.txt"),
    include_str!("heard/b.txt"),
    include_str!("heard/c.txt"),
    include_str!("heard/f.txt"),
    include_str!("heard/g.txt"),
    include_str!("heard/h.txt"),
    include_str!("heard/i.txt"),
    include_str!("heard/j.txt"),
    include_str!("heard/k.txt"),
    include_str!("heard/m.txt"),
    include_str!("heard/n.txt"),
    include_str!("heard/p.txt"),
    include_str!("heard/q.txt"),
    include_str!("heard/r.txt"),
    include_str!("heard/s.txt"),
    include_str!("heard/t.txt"),
    include_str!("heard/o.txt"),
];

/// Maximum number of words of a text that are read.
const WORDS_MAX: usize = 128;
/// Maximum distance of the words of a pair.
const NEAR: usize = 4;
/// Number of letters of a group.
const LETTERS: usize = 4;
/// Least number of sentences with a feature for it to count: what one person said once says nothing.
const COMMON: usize = 2;
/// Weight of how common a feature is in all sentences, beside how common it is in those of a matter, as a number of features.
const BACKGROUND: u64 = 2_000;
/// Weight of how much is known of a matter, in 16ths: what is told more often is likelier.
const PRIOR: i64 = 12;
/// Weights of the nearest sentences, the nearest first, in tenths.
const NEAREST: [i64; 5] = [10, 7, 5, 3, 2];
/// Weight of nearness beside bits.
const NEARNESS: i64 = 3;
/// Below this evidence words are about nothing, in 256ths of a bit for each root of a feature.
const SOMETHING: i64 = 300;
/// From this evidence on the likeliest matter is the answer, if it is ahead of all others by `AHEAD`, and an irregularity by
/// `AHEAD_OF_TOPIC` of what may be lawful.
const SURE: i64 = 1100;
const AHEAD: i64 = 240;
const AHEAD_OF_TOPIC: i64 = 800;
/// Maximum number of candidates.
const FEW: usize = 3;

/// The matter of some words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matter {
    /// Somebody has offended.
    Irregularity(Irregularity),
    /// Nobody has, and the rules say how it is.
    Topic(Topic),
}

impl Matter {
    /// Returns the id of the irregularity or the topic.
    pub fn id(&self) -> &'static str {
        match self {
            Self::Irregularity(row) => row.id,
            Self::Topic(topic) => topic.id,
        }
    }

    /// Returns what it is in a few words.
    pub fn name(&self) -> Translated {
        match self {
            Self::Irregularity(row) => row.name,
            Self::Topic(topic) => topic.name,
        }
    }

    /// Whether it comes up in a rule set.
    pub fn comes_up_in(&self, set: &RuleSet) -> bool {
        match self {
            Self::Irregularity(row) => row.comes_up_in(set),
            Self::Topic(topic) => topic.comes_up_in(set),
        }
    }
}

/// The meaning of words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// This matter.
    One(Matter),
    /// One of these matters, at most three, the likeliest first.
    Few(Vec<Matter>),
    /// None of them, as far as it is understood.
    Nothing,
}

impl Meaning {
    /// Returns the matters, the likeliest first.
    pub fn matters(self) -> Vec<Matter> {
        match self {
            Self::One(matter) => alloc::vec![matter],
            Self::Few(matters) => matters,
            Self::Nothing => Vec::new(),
        }
    }

    /// Returns the irregularities among them.
    pub fn irregularities(self) -> Vec<Irregularity> {
        let irregularity = |matter| match matter {
            Matter::Irregularity(row) => Some(row),
            Matter::Topic(_) => None,
        };
        self.matters().into_iter().filter_map(irregularity).collect()
    }
}

/// A sentence of a hand.
pub(super) struct HeardSentence {
    /// The id of the irregularity or the topic; `nothing` for none.
    pub matter: &'static str,
    pub language: &'static str,
    pub words: &'static str,
}

/// Reads the sentences of a file.
///
/// # Panics
/// If a line has no four fields, which would be our own fault.
pub(super) fn sentences(file: &'static str) -> impl Iterator<Item = HeardSentence> {
    file.lines().map(|line| {
        let (head, words) = line.split_once(" | ").expect("a line has a sentence");
        let (matter, law_and_language) = head.split_once(' ').expect("a line has a matter");
        let (_, language) = law_and_language.split_once(' ').expect("a line has a language");
        HeardSentence { matter, language, words }
    })
}

/// A listener that knows the sentences, and tells the meaning of a new one.
pub struct Listener {
    /// The matters by number, from 1: 0 is nothing.
    matters: Vec<Matter>,
    /// The sentences by language.
    models: [Model; Language::ALL.len()],
}

/// The sentences of a language.
#[derive(Default)]
struct Model {
    /// By sentence: the number of its row, and the length of its vector of features, in 256ths.
    sentences: Vec<(u8, u64)>,
    /// Each feature that two sentences have, with one of its sentences; sorted.
    places: Vec<(u32, u16)>,
    /// By row: in how many sentences how many features are.
    totals: Vec<u64>,
}

/// The fit of a sentence with those that were heard.
struct Fit {
    /// By row, in 256ths of a bit.
    scores: Vec<i64>,
    /// The evidence for some matter against nothing, in 256ths of a bit.
    something: i64,
    /// The nearness of the nearest sentences of matters, less that of those of nothing: 1,000 is the same sentence.
    nearer: i64,
}

impl Listener {
    /// Returns a listener that knows all sentences, which takes some ten milliseconds.
    pub fn of_all_hands() -> Self {
        Self::of(HANDS.into_iter().flat_map(sentences))
    }

    /// Returns a listener that knows these sentences.
    pub(super) fn of(heard: impl Iterator<Item = HeardSentence>) -> Self {
        let topics = topics().map(Matter::Topic);
        let matters: Vec<Matter> = super::all().map(Matter::Irregularity).chain(topics).collect();
        let mut models = Language::ALL.map(|_| Model::default());
        for sentence in heard {
            let known = matters.iter().position(|matter| matter.id() == sentence.matter);
            let language = Language::from_tag(sentence.language).unwrap_or(Language::English);
            models[language as usize]
                .hear(known.map_or(0, |known| known as u8 + 1), &features(sentence.words));
        }
        models.iter_mut().for_each(|model| model.finish(matters.len() + 1));
        Self { matters, models }
    }

    /// Returns what words are about, among the matters that may be.
    pub fn hear(&self, words: &str, may_be: impl Fn(Matter) -> bool) -> Meaning {
        let Weighed { ranked: all, nothing, something } = self.weigh(words);
        let evidence = |score: i64| (score - nothing) / 2 + something;
        let mut ranked: Vec<_> = all.iter().filter(|(matter, _)| may_be(*matter)).collect();
        let is_topic = |matter: &Matter| matches!(matter, Matter::Topic(_));
        // What cannot come up here is no other matter of its kind.
        let Some(likeliest) = all.first() else { return Meaning::Nothing };
        let is_of_kind = |(matter, _): &&(Matter, i64)| is_topic(matter) == is_topic(&likeliest.0);
        let next = ranked.iter().copied().find(is_of_kind).map_or(i64::MIN, |(_, score)| *score);
        if evidence(likeliest.1) >= SURE && likeliest.1.saturating_sub(next) >= AHEAD {
            ranked.retain(|heard| !is_of_kind(heard));
        }
        let [best, others @ ..] = &ranked[..] else { return Meaning::Nothing };
        let evidence = evidence(best.1);
        if evidence < SOMETHING {
            return Meaning::Nothing;
        }
        let margin =
            |other: &Matter| if is_topic(other) && !is_topic(&best.0) { AHEAD_OF_TOPIC } else { AHEAD };
        if evidence >= SURE && others.iter().all(|(other, score)| best.1 - score >= margin(other)) {
            return Meaning::One(best.0);
        }
        Meaning::Few(ranked.iter().take(FEW).map(|(matter, _)| *matter).collect())
    }

    /// Returns the language whose sentences have the most of these words; of equal ones, the first.
    pub fn language_of(&self, words: &str) -> Language {
        self.spoken(&features(words))
    }

    fn spoken(&self, features: &[u32]) -> Language {
        let known = |language: &Language| self.models[*language as usize].known(features);
        Language::ALL.into_iter().rev().max_by_key(known).unwrap_or(Language::English)
    }

    fn weigh(&self, words: &str) -> Weighed {
        let features = features(words);
        let model = &self.models[self.spoken(&features) as usize];
        let fit = model.fit(&features);
        // Evidence grows with the root of the number of features that speak for it, since they hang together.
        let root = (features.len().max(1) << 16).isqrt() as i64;
        let per_root = |score: i64| score * 256 / root;
        let prior = |total: u64| PRIOR * log2(total.max(1)) / 16;
        let scores = fit.scores.iter().zip(&model.totals);
        let scores: Vec<i64> = scores.map(|(score, total)| per_root(*score) + prior(*total)).collect();
        let mut ranked: Vec<(Matter, i64)> =
            self.matters.iter().copied().zip(scores[1..].iter().copied()).collect();
        ranked.sort_by_key(|(_, score)| core::cmp::Reverse(*score));
        let something = per_root(fit.something) + NEARNESS * fit.nearer;
        Weighed { ranked, nothing: scores[0], something }
    }
}

/// The weight of words.
struct Weighed {
    /// The matters with their scores, the likeliest first.
    ranked: Vec<(Matter, i64)>,
    /// The score of nothing.
    nothing: i64,
    /// The evidence of any matter.
    something: i64,
}

impl Model {
    fn hear(&mut self, row: u8, features: &[u32]) {
        let n = self.sentences.len() as u16;
        self.places.extend(features.iter().map(|feature| (*feature, n)));
        self.sentences.push((row, 0));
    }

    /// Leaves out features of one sentence alone, and counts the others.
    fn finish(&mut self, rows: usize) {
        self.places.sort_unstable();
        let mut common = Vec::with_capacity(self.places.len());
        self.totals = alloc::vec![0; rows];
        for places in self.places.chunk_by(|a, b| a.0 == b.0).filter(|places| places.len() >= COMMON) {
            common.extend_from_slice(places);
            let rarity = self.rarity(places.len());
            for (_, n) in places {
                let (row, square) = &mut self.sentences[usize::from(*n)];
                *square += rarity * rarity;
                self.totals[usize::from(*row)] += 1;
            }
        }
        self.places = common;
        self.sentences.iter_mut().for_each(|(_, square)| *square = square.isqrt().max(1));
    }

    /// Returns how much a feature of so many sentences tells, in 256ths of a bit.
    fn rarity(&self, count: usize) -> u64 {
        (log2(self.sentences.len() as u64) - log2(count as u64)).max(0) as u64
    }

    /// Returns the number of features that the sentences have.
    fn known(&self, features: &[u32]) -> usize {
        let has = |feature: &&u32| self.places.binary_search_by_key(*feature, |(other, _)| *other).is_ok();
        features.iter().filter(has).count()
    }

    fn fit(&self, features: &[u32]) -> Fit {
        let mut fit = Fit { scores: alloc::vec![0; self.totals.len()], something: 0, nearer: 0 };
        let (mut counts, mut products, mut square) =
            (alloc::vec![0u64; self.totals.len()], alloc::vec![0u64; self.sentences.len()], 0);
        let mut known = 0;
        let total: u64 = self.totals.iter().sum();
        for feature in features {
            let first = self.places.partition_point(|(other, _)| other < feature);
            let length = self.places[first..].partition_point(|(other, _)| other == feature);
            if length == 0 {
                continue;
            }
            known += 1;
            let rarity = self.rarity(length);
            square += rarity * rarity;
            for (_, n) in &self.places[first..first + length] {
                counts[usize::from(self.sentences[usize::from(*n)].0)] += 1;
                products[usize::from(*n)] += rarity * rarity;
            }
            let length = length as u64;
            let weight = |count: u64| log2(count * total + BACKGROUND * length);
            fit.something += weight(length - counts[0]) - weight(counts[0]);
            for (score, count) in fit.scores.iter_mut().zip(&mut counts) {
                *score += weight(core::mem::take(count));
            }
        }
        let of_all = |total: u64| known * log2(total + BACKGROUND);
        for (score, total) in fit.scores.iter_mut().zip(&self.totals) {
            *score -= of_all(*total);
        }
        fit.something += of_all(self.totals[0]) - of_all(total - self.totals[0]);
        fit.nearer = self.nearer(&products, square.isqrt().max(1));
        fit
    }

    /// Returns how much nearer the nearest sentences of matters are than those of nothing.
    fn nearer(&self, products: &[u64], length: u64) -> i64 {
        let mut near = [[0; NEAREST.len()]; 2];
        for ((row, own), product) in self.sentences.iter().zip(products) {
            let mut cosine = 1_000 * product / (own * length);
            // The new one takes its place, and each one behind it moves on.
            for place in &mut near[usize::from(*row != 0)] {
                if cosine > *place {
                    core::mem::swap(&mut cosine, place);
                }
            }
        }
        let [nothing, something] = near.map(|near| -> i64 {
            near.iter().zip(NEAREST).map(|(cosine, weight)| *cosine as i64 * weight).sum()
        });
        (something - nothing) / 10
    }
}

/// Returns the features of a text, each once, as hashes: words, pairs of words that stand next to or near each other, and groups
/// of letters of a word.
fn features(text: &str) -> Vec<u32> {
    // Umlauts are often typed as two letters.
    let umlauts = [("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")];
    let lower =
        umlauts.into_iter().fold(text.to_lowercase(), |text, (umlaut, two)| text.replace(umlaut, two));
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').map(|word| word.trim_matches('\''));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(WORDS_MAX).collect();
    let mut found = Vec::new();
    for (n, word) in words.iter().enumerate() {
        found.push(hash(&[word]));
        for (between, before) in words[..n].iter().rev().take(NEAR).enumerate() {
            found.push(hash(&[before, if between == 0 { " " } else { "_" }, word]));
        }
        let padded: String = alloc::format!(" {word} ");
        let places: Vec<usize> = padded.char_indices().map(|(at, _)| at).chain([padded.len()]).collect();
        found.extend(places.windows(LETTERS + 1).map(|ends| hash(&["#", &padded[ends[0]..ends[LETTERS]]])));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the hash of a text in parts, by the function known as FNV-1a.
fn hash(parts: &[&str]) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.bytes());
    bytes.fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns 256 times the logarithm of a number to the base 2, rounded down.
///
/// # Panics
/// If the number is 0.
pub(super) fn log2(n: u64) -> i64 {
    let whole = n.ilog2();
    // A number from 1 to 2, as a multiple of 2^-31: each squaring tells the next digit of its logarithm.
    let mut part = (u128::from(n) << 31 >> whole) as u64;
    let mut log = i64::from(whole);
    for _ in 0..8 {
        part = (part * part) >> 31;
        log = 2 * log + i64::from(part >= 1 << 32);
        part >>= u32::from(part >= 1 << 32);
    }
    log
}
