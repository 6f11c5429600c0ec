//! Special hands (ALG-19).

use crate::card::Rank;

/// The two kinds of wild cards, each of which may be a pair of its own.
pub(crate) const WILD_RANKS: [Rank; 2] = [Rank::Two, Rank::Joker];
