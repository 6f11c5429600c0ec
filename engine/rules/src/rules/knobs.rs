//! The types of enumerated knobs and of members of set knobs, which the build makes from `knob_words.txt`. Each value has a
//! word in the canonical form.

use crate::card::{Class, Rank};

/// A type with a closed list of values, each with a word in lower snake case.
pub trait Word: Copy + PartialEq + 'static {
    /// All values with their words, in the rulebook's order.
    const WORDS: &'static [(Self, &'static str)];

    /// Returns the value's place in the enum, below 16, which is its bit in a [`Set`](super::Set).
    fn index(self) -> u8;

    /// Returns the value's word; empty for a value that no knob lists (the class of natural cards).
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(value, _)| *value == self).map_or("", |(_, word)| word)
    }

    /// Returns the value that `word` stands for, or `None` if no value has this word.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(value, _)| *value)
    }
}

include!(concat!(env!("OUT_DIR"), "/knob_words.rs"));

/// The class of natural cards is left out: no knob lists it.
impl Word for Class {
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Wild, "wild"), (Self::RedThree, "red_three"), (Self::BlackThree, "black_three")];

    fn index(self) -> u8 {
        self as u8
    }
}

/// The order of rank maps and sets of ranks: A K Q ... 2 X.
impl Word for Rank {
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Ace, "A"),
        (Self::King, "K"),
        (Self::Queen, "Q"),
        (Self::Jack, "J"),
        (Self::Ten, "T"),
        (Self::Nine, "9"),
        (Self::Eight, "8"),
        (Self::Seven, "7"),
        (Self::Six, "6"),
        (Self::Five, "5"),
        (Self::Four, "4"),
        (Self::Three, "3"),
        (Self::Two, "2"),
        (Self::Joker, "X"),
    ];

    fn index(self) -> u8 {
        self as u8
    }
}
