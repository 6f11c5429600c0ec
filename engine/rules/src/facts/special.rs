//! Special hands (ALG-19).

use crate::card::{Cards, Rank};

/// The two kinds of wild cards, each of which may be a pair of its own.
pub(crate) const WILD_RANKS: [Rank; 2] = [Rank::Two, Rank::Joker];

/// Whether a hand of pairs contains a wild pair. Such a hand pays another amount.
pub(crate) fn has_wild_pair(cards: &Cards) -> bool {
    cards.wilds() > 0
}
