//! Sequences: consecutive natural cards of one suit, ace high (ALG-09).

use crate::action::MeldKind;
use crate::card::{Card, Cards, Class, Rank};
use crate::table::Meld;

/// The number of places in a suit. The four has place 0, the king 9, the ace 10.
pub const PLACES: u8 = 11;

/// Consecutive cards of one suit, one of each rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sequence {
    /// The suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades.
    pub suit: u8,
    /// The place of the lowest card.
    pub low: u8,
    /// The number of cards.
    pub len: u8,
}

impl Sequence {
    /// Returns the sequence that all these cards form together, of any length, or `None` if they form no sequence.
    pub(crate) fn of(cards: &Cards) -> Option<Self> {
        let mut found: Option<(u8, u16)> = None;
        for (card, count) in cards.kinds() {
            let (suit, place) = (card.suit()?, place(card)?);
            let (known, places) = found.unwrap_or((suit, 0));
            if known != suit || count > 1 {
                return None;
            }
            found = Some((suit, places | 1 << place));
        }
        let (suit, places) = found?;
        let (low, len) = (places.trailing_zeros(), places.count_ones());
        (places >> low == (1 << len) - 1).then_some(Self { suit, low: low as u8, len: len as u8 })
    }

    /// Returns the sequence that a meld on the table forms, or `None` if the meld is not a sequence.
    pub fn of_meld(meld: &Meld) -> Option<Self> {
        (meld.kind == MeldKind::Sequence).then(|| Self::of(&meld.cards)).flatten()
    }

    /// Returns the place above the highest card.
    pub(crate) fn end(self) -> u8 {
        self.low + self.len
    }

    /// Returns the cards, lowest first.
    pub(crate) fn cards(self) -> impl Iterator<Item = Card> {
        (self.low..self.end()).map(move |place| card_at(self.suit, place))
    }

    /// Returns the sequence extended by `card`, or `None` if `card` does not fit directly at either end.
    pub fn with(self, card: Card) -> Option<Self> {
        let place = place(card).filter(|_| card.suit() == Some(self.suit))?;
        if place + 1 == self.low {
            return Some(Self { low: place, len: self.len + 1, ..self });
        }
        (place == self.end()).then_some(Self { len: self.len + 1, ..self })
    }
}

/// Returns the place of a natural card in its suit, or `None` if the card is not natural.
pub fn place(card: Card) -> Option<u8> {
    (card.class() == Class::Natural).then(|| place_of(card.rank()))
}

pub(crate) fn place_of(rank: Rank) -> u8 {
    debug_assert!(rank.is_natural(), "only naturals have a place");
    if rank == Rank::Ace { PLACES - 1 } else { rank as u8 - Rank::Four as u8 }
}

/// Returns a bit for each place of `suit` in a set of kinds.
pub(crate) fn places_in(kinds: u64, suit: u8) -> u16 {
    let ranks = (kinds >> (13 * suit)) as u16 & 0x1fff;
    ranks >> Rank::Four as u8 | (ranks & 1) << (PLACES - 1)
}

/// The number of bits of a suit in a set of places.
pub(crate) const SUIT_BITS: u8 = 16;

/// Returns a bit for each place of each suit in a set of kinds.
pub(crate) fn places_of_kinds(kinds: u64) -> u64 {
    (0..4).fold(0, |all, suit| all | u64::from(places_in(kinds, suit)) << (SUIT_BITS * suit))
}

/// Returns the kinds at these places of each suit, as bits.
pub(crate) fn kinds_at(places: u64) -> u64 {
    let of_suit = |suit: u8| u64::from(ranks_at((places >> (SUIT_BITS * suit)) as u16));
    (0..4).fold(0, |all, suit| all | of_suit(suit) << (13 * suit))
}

/// Returns the places that lie in a run of at least `least` places. A suit has fewer places than bits, so no run goes on in
/// the next suit.
pub(crate) fn runs_of(places: u64, least: u8) -> u64 {
    let mut starts = places;
    for i in 1..least {
        starts &= places >> i;
        if starts == 0 {
            return 0;
        }
    }
    (0..least).fold(0, |all, i| all | starts << i)
}

/// Returns the ranks at these places, as bits.
pub(crate) fn ranks_at(places: u16) -> u16 {
    places << Rank::Four as u8 & Rank::NATURALS | places >> (PLACES - 1)
}

pub(crate) fn rank_at(place: u8) -> Rank {
    // `Rank::NATURAL` begins with the ace, which has the last place.
    Rank::NATURAL[usize::from((place + 1) % PLACES)]
}

/// Returns the card of `suit` at a place.
pub fn card_at(suit: u8, place: u8) -> Card {
    Card::suited(suit, rank_at(place))
}

#[cfg(test)]
mod tests;
