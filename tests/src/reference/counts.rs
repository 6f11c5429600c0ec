//! The groups of a batch by the number of cards of each kind.

use canasta_engine::action::{CardList, MeldKind};
use canasta_engine::card::{Card, Class, Rank};

/// The number of kinds of card that a group can hold: four suits of its rank, four twos, the joker.
pub const KINDS: usize = 9;
/// The place of the first wild in [`Counts`].
pub const WILDS: usize = 4;
/// The number of copies of each kind in a group: its rank by suit, the twos by suit, jokers.
pub type Counts = [u8; KINDS];

/// Returns the count of each kind in the cards of one group.
pub fn counts(cards: &[Card]) -> Counts {
    let mut counts = [0; KINDS];
    for &card in cards {
        counts[place(card)] += 1;
    }
    counts
}

/// Returns the place of a card in [`Counts`].
fn place(card: Card) -> usize {
    match (card.suit(), card.class()) {
        (None, _) => 8,
        (Some(suit), Class::Wild) => 4 + usize::from(suit),
        (Some(suit), _) => usize::from(suit),
    }
}

/// Returns the card at a place in [`Counts`] of a group of `rank`; a wild meld has no rank.
pub fn card_at(place: usize, rank: Option<Rank>) -> Option<Card> {
    match place {
        0..4 => Some(Card::suited(place as u8, rank?)),
        4..8 => Some(Card::suited(place as u8 - 4, Rank::Two)),
        _ => Some(Card::JOKER),
    }
}

/// Returns the cards of a group, naturals first.
pub fn cards(counts: &Counts, rank: Option<Rank>) -> CardList {
    let mut cards = CardList::new();
    for (place, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
        let card = card_at(place, rank).expect("only kinds that exist are counted");
        cards.extend(std::iter::repeat_n(card, usize::from(count)));
    }
    cards
}

/// Returns the rank of the non-wild cards of a group of this kind.
pub fn rank_of(kind: MeldKind, rank: Option<Rank>) -> Option<Rank> {
    if kind == MeldKind::BlackThrees { Some(Rank::Three) } else { rank }
}
