//! The cards that an action names, and cards to try in their place.

use super::Known;
use crate::action::{Action, CardList};
use crate::card::{Card, Cards, Rank};
use crate::table::Table;
use alloc::vec::Vec;

impl Known {
    /// Returns the cards of the pack that nobody has shown, wherever they are.
    pub fn unseen_pack(&self, table: &Table) -> Cards {
        self.unseen_cards(table, anywhere).collect()
    }

    /// Returns that in these hands all cards besides those `named` are placeholders.
    pub fn besides(named: &[Cards], hands: &[Cards]) -> Self {
        let mut known = Self::default();
        for ((open, hand), named) in known.open.iter_mut().zip(hands).zip(named) {
            *open = *hand;
            open.subtract(named);
        }
        known
    }
}

/// Returns the cards that an action names from the hand.
pub fn from_hand(action: &Action) -> CardList {
    match action {
        Action::TakePile(take) => {
            let also = take.also.iter().flat_map(|group| group.cards.iter());
            take.with.iter().chain(also).copied().collect()
        }
        Action::Meld(groups) => groups.iter().flat_map(|group| group.cards.iter()).copied().collect(),
        Action::LayThrees(cards) => cards.clone(),
        Action::Discard(card) => core::iter::once(*card).collect(),
        _ => CardList::new(),
    }
}

/// Returns the cards to try in attempt `n`: all cards of one rank, or 30 cards from some place of the stock.
pub(super) fn wish(table: &Table, n: usize) -> Vec<Card> {
    match Rank::ALL.get(n) {
        Some(&rank) => table.rules.census().iter().filter(|card| card.rank() == rank).collect(),
        None => table.stock.iter().skip((n - Rank::ALL.len()) * 7).take(30).copied().collect(),
    }
}

/// Returns true: every place of the stock may be used.
pub(super) fn anywhere(_: usize) -> bool {
    true
}
