//! The sorts of cards whose distribution is watched.

use canasta_engine::card::{Card, Rank};

/// The name of a sort, and the cards that belong to it.
pub type SortOf = (&'static str, fn(Card) -> bool);

/// The sorts of cards whose distribution is watched.
pub const SORTS: [SortOf; 5] = [
    ("wild_cards", Card::is_wild),
    ("jokers", |card| card == Card::JOKER),
    ("red_threes", |card| card.rank() == Rank::Three && matches!(card.suit(), Some(1 | 2))),
    ("black_threes", |card| card.rank() == Rank::Three && matches!(card.suit(), Some(0 | 3))),
    ("aces", |card| card.rank() == Rank::Ace),
];
