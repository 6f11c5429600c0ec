//! Words as a search compares them: without endings, synonyms as one word.

use alloc::string::String;
use alloc::vec::Vec;

const SYNONYMS: &str = include_str!("synonyms.txt");

/// Words that say nothing about what happened.
const STOP: &str = "a an and are as at be been being but by did do does for from had has have he her him his i if in is it \
    its me my of on one or our person player players she so some somebody someone than that the their them then there \
    they this to us was we were when which while who will with would you your north east south west";

/// Maximum number of words of a text that a search looks at.
pub const WORDS_MAX: usize = 64;

/// The table of synonyms, sorted by stem.
pub struct Synonyms(Vec<(String, String)>);

impl Synonyms {
    /// Reads the table.
    pub fn new() -> Self {
        let mut pairs = Vec::new();
        for line in SYNONYMS.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split_whitespace().map(stem);
            let Some(first) = words.next() else { continue };
            pairs.extend(words.map(|word| (word, first.clone())));
        }
        pairs.sort();
        Self(pairs)
    }

    /// Returns the words of a text that count, in their order.
    pub fn words<'a>(&'a self, text: &'a str) -> impl Iterator<Item = String> + 'a {
        text.split(|c: char| !c.is_alphanumeric() && c != '\'')
            .map(|word| word.trim_matches('\'').to_lowercase())
            .filter(|word| !word.is_empty() && !STOP.split_whitespace().any(|stop| stop == word))
            .map(|word| self.canonical(stem(&word)))
    }

    fn canonical(&self, word: String) -> String {
        match self.0.binary_search_by(|(other, _)| other.as_str().cmp(&word)) {
            Ok(place) => self.0[place].1.clone(),
            Err(_) => word,
        }
    }
}

/// Returns a lower-case word without its ending, so that `discarded`, `discards` and `discarding` are one word.
fn stem(word: &str) -> String {
    let mut word = word.strip_suffix("'s").unwrap_or(word);
    let long = |rest: &&str| rest.chars().count() >= 3;
    if let Some(rest) = word.strip_suffix("ies").filter(long) {
        return alloc::format!("{rest}y");
    }
    for ending in ["ing", "ed", "ly", "es", "s"] {
        let keeps = ending == "s" && ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
        if let Some(rest) = word.strip_suffix(ending).filter(long).filter(|_| !keeps) {
            word = rest;
            break;
        }
    }
    let last = word.chars().next_back();
    let doubled = last
        .filter(|last| !"aeiouls".contains(*last))
        .is_some_and(|last| word.strip_suffix(last).is_some_and(|rest| long(&rest) && rest.ends_with(last)));
    let end = if doubled || last == Some('e') && word.chars().count() > 3 { 1 } else { 0 };
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
