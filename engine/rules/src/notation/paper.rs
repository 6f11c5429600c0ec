//! Suits for texts as people write them on paper: what each text names with its suit keeps it.

use super::span::Span;
use super::suits::Suits;
use super::words::outside;
use super::{Names, NotationError, Proposal};
use crate::card::{Card, Cards};
use crate::rules::RuleSet;
use crate::table::Table;
use alloc::string::String;
use alloc::vec::Vec;

impl Suits {
    /// Returns the suits of `text`, a position. `beside` is an action whose named cards come first.
    pub fn of(set: &RuleSet, text: &str, beside: &str) -> Self {
        let own = named(text);
        let mut known = own.clone();
        let is_new = |card: &Card| match known.iter().position(|known| known == card) {
            Some(at) => {
                known.swap_remove(at);
                false
            }
            None => true,
        };
        let wanted = named(beside).into_iter().filter(is_new).collect();
        Self::among(set, wanted, set.deck(), &own)
    }

    /// Returns the suits of `text`, an action of the seat that acts at `table`.
    pub fn at(table: &Table, text: &str) -> Self {
        Self::of_hand(table.set(), table.hand(table.turn_seat()), text)
    }

    /// Returns the suits of `text`, an action of the seat that holds `hand`.
    pub fn of_hand(set: &RuleSet, hand: &Cards, text: &str) -> Self {
        let (mut hand, own) = (*hand, named(text));
        own.iter().for_each(|&card| {
            hand.remove(card);
        });
        Self::among(set, hand.iter().collect(), set.deck(), &own)
    }
}

impl Proposal {
    /// Parses one line as it is typed at `table`: cards may be named by their rank alone, and melds without their kind.
    ///
    /// # Errors
    /// As [`Proposal::parse`].
    pub fn parse_at(text: &str, table: &Table) -> Result<Self, NotationError> {
        let suits = Suits::at(table, text);
        Ok(Names::of(table.set()).with_suits(&suits).proposal(text)?.on(table))
    }
}

/// Returns the cards that a text names with their suits, outside quotes.
pub fn named(text: &str) -> Vec<Card> {
    let is_joint = |c: char| c.is_whitespace() || "/,;:=>?".contains(c);
    let open: String = outside(text).map(|(_, c)| c).collect();
    let words = open.split(is_joint).filter(|word| !word.is_empty());
    words.filter_map(|word| Span::of(word).whole_cards()).flatten().collect()
}
