//! Words as a search compares them: without endings, synonyms as one word.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

const SYNONYMS: &str = include_str!("synonyms.txt");

/// Words that say nothing about what happened.
const STOP: &str = "a an and are as at be been being but by did do does for from had has have he her him his i if in is it \
    its me my of on one or our person player players she so some somebody someone than that the their them then there \
    they this to us was we were when which while who will with would you your north east south west";

/// Maximum number of words of a text that a search looks at.
pub const WORDS_MAX: usize = 64;

/// Maximum number of words of a text that are read at all: those that say nothing are more than half.
const SPOKEN_MAX: usize = 4096;

/// Numbers by their value. From 4 on they are ranks too: `a five` is a card, `five points` are not.
const NUMBERS: [&str; 11] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const RANKS_FROM: usize = 4;

/// Words before a single thing.
const DETERMINERS: &str = "a an the his her my your their one another";

/// Maximum number of words of a phrase.
const PHRASE_MAX: usize = 4;

/// The table of synonyms: words by stem, phrases by their words with _ between, each with the stem of the word that
/// stands for it; sorted.
pub struct Synonyms(Vec<(String, String)>);

impl Synonyms {
    /// Reads the table.
    pub fn new() -> Self {
        let mut pairs = Vec::new();
        for line in SYNONYMS.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            let Some(first) = words.next().map(stem) else { continue };
            let entry = |word: &str| if word.contains('_') { String::from(word) } else { stem(word) };
            pairs.extend(words.map(|word| (entry(word), first.clone())));
        }
        pairs.sort();
        Self(pairs)
    }

    /// Returns the words of a text that count, in their order; a phrase is one word.
    pub fn words<'a>(&'a self, text: &'a str) -> impl Iterator<Item = String> + 'a {
        let spoken: Vec<String> = text
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .map(|word| spelled(word.trim_matches('\'').to_lowercase()))
            .filter(|word| !word.is_empty())
            .take(SPOKEN_MAX)
            .collect();
        let mut at = 0;
        core::iter::from_fn(move || {
            while at < spoken.len() {
                let (word, length) = match self.phrase(&spoken[at..]) {
                    Some((word, length)) => (Some(word), length),
                    None => (self.word(&spoken, at), 1),
                };
                at += length;
                if word.is_some() {
                    return word;
                }
            }
            None
        })
    }

    /// Returns what the longest phrase at the beginning of the words stands for, and its number of words.
    fn phrase(&self, spoken: &[String]) -> Option<(String, usize)> {
        let longest = PHRASE_MAX.min(spoken.len());
        (2..=longest)
            .rev()
            .find_map(|length| Some((self.entry(&spoken[..length].join("_"))?.clone(), length)))
    }

    /// Returns the word at a place of the text as it counts; `None` for words that say nothing.
    fn word(&self, spoken: &[String], at: usize) -> Option<String> {
        let whole = spoken[at].as_str();
        if whole.ends_with("n't") {
            return Some(self.canonical(String::from("no")));
        }
        // What is left of "she's" and "I'd" says nothing.
        let word = whole.split('\'').next().filter(|word| !word.is_empty())?;
        if STOP.split_whitespace().any(|stop| stop == word) {
            return None;
        }
        let ranks = &NUMBERS[RANKS_FROM..];
        let is_rank = ranks.contains(&word) && is_one_thing(spoken, at)
            || ranks.iter().any(|rank| word.strip_prefix(rank).is_some_and(|end| end == "s" || end == "es"));
        Some(self.canonical(if is_rank { String::from("card") } else { stem(word) }))
    }

    /// Returns a word as the table knows it: itself if the table or `known` has it, else the one that a slip of the
    /// fingers makes of it.
    pub fn mended(&self, word: String, known: &BTreeMap<String, impl Sized>) -> String {
        if known.contains_key(&word) || self.0.iter().any(|(_, first)| *first == word) {
            return word;
        }
        let words = self.0.iter().map(|(word, _)| word).filter(|word| !word.contains('_'));
        let near = known.keys().chain(words).find(|other| is_slip(&word, other)).cloned();
        near.map_or(word, |near| self.canonical(near))
    }

    fn entry(&self, word: &str) -> Option<&String> {
        let place = self.0.binary_search_by(|(other, _)| other.as_str().cmp(word)).ok()?;
        Some(&self.0[place].1)
    }

    fn canonical(&self, word: String) -> String {
        self.entry(&word).cloned().unwrap_or(word)
    }
}

/// Whether a numeral is a single thing: after an article or the like, and not before cards or points.
fn is_one_thing(spoken: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| spoken[before].as_str());
    let after = spoken.get(at + 1).map(String::as_str);
    before.is_some_and(|before| DETERMINERS.split_whitespace().any(|word| word == before))
        && !after.is_some_and(|after| ["card", "cards", "points"].contains(&after))
}

/// Returns a word with figures and cards in letters: `2` is two, `4s` and `Kd` are a card.
fn spelled(word: String) -> String {
    let number = |figures: &str| NUMBERS.iter().enumerate().find(|(n, _)| alloc::format!("{n}") == figures);
    if let Some((_, number)) = number(&word) {
        return String::from(*number);
    }
    let Some((rank, 'c' | 'd' | 'h' | 's')) =
        word.char_indices().last().map(|(end, last)| (&word[..end], last))
    else {
        return word;
    };
    match (rank, number(rank)) {
        ("2", _) => String::from("deuce"),
        ("3", _) => String::from("three"),
        ("j" | "q" | "k", _) => String::from("card"),
        (_, Some((RANKS_FROM.., _))) => String::from("card"),
        _ => word,
    }
}

/// Whether two words that are long enough differ by one letter: one more, one less, another, or two changed about.
fn is_slip(word: &str, other: &str) -> bool {
    let (word, other) = (word.as_bytes(), other.as_bytes());
    let (short, long) = if word.len() < other.len() { (word, other) } else { (other, word) };
    if short.len() < 5 || long.len() - short.len() > 1 || short[0] != long[0] {
        return false;
    }
    let start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let rest = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
    let is_one = start + rest + 1 >= long.len();
    let is_swap = short.len() == long.len()
        && start + rest + 2 == long.len()
        && (short[start], short[start + 1]) == (long[start + 1], long[start]);
    is_one || is_swap
}

/// Returns a lower-case word without its ending, so that `discarded`, `discards` and `discarding` are one word.
fn stem(word: &str) -> String {
    let mut word = word.strip_suffix("'s").unwrap_or(word);
    let long = |rest: &&str| rest.chars().count() >= 3;
    if let Some(rest) = word.strip_suffix("ies").filter(long) {
        return alloc::format!("{rest}y");
    }
    let hisses = |rest: &&str| ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| rest.ends_with(end));
    let bare = |rest: &&str| !["s", "u", "i"].iter().any(|end| rest.ends_with(end));
    let verb = ["ing", "ed", "ly"].iter().find_map(|ending| word.strip_suffix(ending).filter(long));
    let plural = || word.strip_suffix("es").filter(long).filter(hisses);
    let single = || word.strip_suffix('s').filter(long).filter(bare);
    word = verb.or_else(plural).or_else(single).unwrap_or(word);
    let last = word.chars().next_back();
    let doubled = last
        .filter(|last| !"aeiouls".contains(*last))
        .is_some_and(|last| word.strip_suffix(last).is_some_and(|rest| long(&rest) && rest.ends_with(last)));
    let is_silent = last == Some('e') && word.chars().count() > 3 && !word.ends_with("ee");
    let end = if doubled || is_silent { 1 } else { 0 };
    String::from(&word[..word.len() - end])
}
#[cfg(test)]
mod tests {
    use super::*;

    /// Checks forms of one word against each other, counted by hand.
    #[test]
    fn forms_of_a_word_are_one_word() {
        for forms in [
            "discard discards discarded discarding",
            "card cards",
            "take takes taking",
            "drop dropped dropping drops",
            "penalty penalties",
            "canasta canastas",
            "meld melds melded melding",
        ] {
            let mut stems: Vec<String> = forms.split(' ').map(stem).collect();
            stems.dedup();
            assert_eq!(stems.len(), 1, "{forms}: {stems:?}");
        }
    }

    #[test]
    fn synonyms_are_one_word_and_small_words_none() {
        let synonyms = Synonyms::new();
        let words = |text| synonyms.words(text).collect::<Vec<_>>();
        assert_eq!(words("She threw a card"), words("he discarded the cards"));
        assert_eq!(words("the of and"), Vec::<String>::new());
        for (word, first) in &synonyms.0 {
            assert!(
                synonyms.0.iter().all(|(other, _)| other != first),
                "{first} stands for {word} and is replaced"
            );
            assert_eq!(synonyms.0.iter().filter(|(other, _)| other == word).count(), 1, "{word} twice");
        }
    }
}
