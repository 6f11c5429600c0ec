//! Suits of cards that a text names by their rank alone (`KKK`, `K?`), as people write them on paper.
//!
//! A card without a suit is one of the hand that acts, then one that a text beside this one names, then the first of clubs,
//! diamonds, hearts and spades of which the pack has a copy that the text does not name. So cards that are named keep their
//! suits, and equal texts give equal cards.

use crate::card::{Card, Cards, Rank};
use crate::rules::RuleSet;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

/// The suits in the order in which they are given.
const ORDER: [char; 4] = ['c', 'd', 'h', 's'];

/// The suits of one text.
pub struct Suits {
    /// Whether suits matter to all cards, because suits make sequences.
    sequences: bool,
    is_provisional: bool,
    choice: RefCell<Choice>,
}

struct Choice {
    /// Cards that come first.
    wanted: Vec<Card>,
    /// Copies of the pack that the text does not name.
    unnamed: Cards,
    /// Copies of the pack that were not given out.
    left: Cards,
    /// The cards that were given, by the offset of the text for which they stand: a text may be read twice.
    given: BTreeMap<usize, Card>,
}

impl Suits {
    /// Returns the suits of a text of which nothing is known yet: every card is a club. [`Suits::was_asked`] says whether a card was
    /// named by its rank alone, so that the text has to be read again.
    pub fn provisional() -> Self {
        let choice =
            Choice { wanted: Vec::new(), unnamed: Cards::EMPTY, left: Cards::EMPTY, given: BTreeMap::new() };
        Self { sequences: false, choice: RefCell::new(choice), is_provisional: true }
    }

    /// Whether a card was named by its rank alone.
    pub fn was_asked(&self) -> bool {
        !self.choice.borrow().given.is_empty()
    }

    /// Returns the suits of an action: cards of `wanted` come first, then those of `unseen` that nobody names later.
    pub fn among(set: &RuleSet, wanted: Vec<Card>, unseen: Cards, later: &[Card]) -> Self {
        let mut unnamed = unseen;
        later.iter().for_each(|&card| {
            unnamed.remove(card);
        });
        let choice = Choice { wanted, unnamed, left: unseen, given: BTreeMap::new() };
        Self { sequences: set.sequences, choice: RefCell::new(choice), is_provisional: false }
    }

    /// Returns the card of this rank that stands at an offset of the text. The error says what has to be written.
    pub(super) fn give(&self, rank: Rank, at: usize) -> Result<Card, &'static str> {
        let mut choice = self.choice.borrow_mut();
        if let Some(&card) = choice.given.get(&at) {
            return Ok(card);
        }
        if self.is_provisional {
            let card = of_suit(rank, 'c').ok_or("a card")?;
            choice.given.insert(at, card);
            return Ok(card);
        }
        if rank == Rank::Three {
            return Err("a three with its suit, because red and black ones differ");
        }
        let place = choice.wanted.iter().position(|card| card.rank() == rank);
        let card = match place {
            Some(place) => choice.wanted.remove(place),
            None if self.sequences && rank != Rank::Two => {
                return Err("a card with its suit, because suits make sequences");
            }
            None => {
                let kinds = || ORDER.iter().filter_map(|suit| of_suit(rank, *suit));
                let first = kinds().find(|&card| choice.unnamed.count(card) > 0);
                first
                    .or_else(|| kinds().find(|&card| choice.left.count(card) > 0))
                    .ok_or("a card that the pack still has")?
            }
        };
        choice.unnamed.remove(card);
        choice.left.remove(card);
        choice.given.insert(at, card);
        Ok(card)
    }
}

fn of_suit(rank: Rank, suit: char) -> Option<Card> {
    let mut spelling = String::from(rank.letter());
    spelling.push(suit);
    Card::parse(&spelling)
}
