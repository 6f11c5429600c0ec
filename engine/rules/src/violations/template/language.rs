//! The languages of templates.

use super::fits;
use crate::violations::fact::{FactKind, FactRow};

/// A language that has a template for every message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// English, the language of the engine's own messages.
    English,
    /// German.
    German,
}

/// A text in each language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Translated([&'static str; Language::ALL.len()]);

impl Translated {
    /// Returns the text whose wordings stand in the order of [`Language::ALL`].
    pub const fn new(texts: [&'static str; Language::ALL.len()]) -> Self {
        Self(texts)
    }

    /// Returns the text in a language.
    pub const fn of(self, language: Language) -> &'static str {
        self.0[language as usize]
    }

    /// Returns the text in all languages.
    pub fn all(self) -> [&'static str; Language::ALL.len()] {
        self.0
    }
}

/// The templates of values that are numbers, over the fact `number`.
#[derive(Clone, Copy, Debug)]
pub struct ValueTemplates {
    /// A seat.
    pub seat: &'static str,
    /// A side.
    pub side: &'static str,
    /// A meld.
    pub meld: &'static str,
}

const ENGLISH: ValueTemplates =
    ValueTemplates { seat: "seat {number}", side: "side {number}", meld: "meld {number}" };
const GERMAN: ValueTemplates =
    ValueTemplates { seat: "Platz {number}", side: "Partei {number}", meld: "Meldung {number}" };

const _: () = {
    let number = &[FactRow::new("number", FactKind::Int)];
    assert!(fits(ENGLISH.seat, number) && fits(ENGLISH.side, number) && fits(ENGLISH.meld, number));
    assert!(fits(GERMAN.seat, number) && fits(GERMAN.side, number) && fits(GERMAN.meld, number));
};

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// Returns the BCP 47 tag (`de`).
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// Returns the language with this tag.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag() == tag)
    }

    /// Returns the templates of values.
    pub fn values(self) -> &'static ValueTemplates {
        match self {
            Self::English => &ENGLISH,
            Self::German => &GERMAN,
        }
    }
}
