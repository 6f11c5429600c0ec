//! A multiset of cards: the number of each kind.

use super::{Card, Class, KINDS, Rank};
use core::fmt;

/// Maximum number of copies of one kind in a multiset. A deck has at most 12; a list from outside may name more. The
/// bound keeps sums over a rank and over all wild cards within a byte.
const COPIES_MAX: u8 = 48;

/// A multiset of cards: a count per kind. Copies of a kind beyond 48 are left out, so lists that name a card absurdly
/// often can be counted like all others: no deck has so many copies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cards {
    counts: [u8; KINDS],
    len: u16,
}

impl Cards {
    /// No cards.
    pub const EMPTY: Self = Self { counts: [0; KINDS], len: 0 };

    /// Returns the number of cards.
    pub fn len(&self) -> u16 {
        self.len
    }

    /// Whether there are no cards.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of copies of `card`.
    pub fn count(&self, card: Card) -> u8 {
        self.counts[card.index()]
    }

    /// Returns the number of cards of `rank`, over all suits.
    pub fn rank_count(&self, rank: Rank) -> u8 {
        if rank == Rank::Joker {
            return self.counts[52];
        }
        let c = &self.counts;
        let r = rank.index();
        c[r] + c[13 + r] + c[26 + r] + c[39 + r]
    }

    /// Returns the number of cards of each rank, indexed by the rank's number.
    pub fn rank_counts(&self) -> [u8; 14] {
        // A suit is 13 bytes of a 16-byte word. No deck has more than 24 cards of a rank, so no byte carries over.
        const SUIT: u128 = (1 << 104) - 1;
        let word = |at: usize| {
            let bytes = self.counts[at..].first_chunk().expect("a word lies within the counts");
            u128::from_le_bytes(*bytes)
        };
        // The last word ends with the spades and the joker.
        let sum = (word(0) & SUIT) + (word(13) & SUIT) + (word(26) & SUIT) + (word(37) >> 16);
        *sum.to_le_bytes().first_chunk().expect("14 of 16 bytes")
    }

    /// Returns a bit mask of the kinds that are held.
    fn mask(&self) -> u64 {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let mut mask = 0;
        for (i, bytes) in self.counts.chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let word = u64::from_le_bytes(word);
            // The top bit of each byte that is not 0; the multiplication below packs these bits into one byte.
            let held = (((word & LOW) + LOW) | word) & !LOW;
            mask |= ((held >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        }
        mask
    }

    /// Returns the card of `rank` with the lowest kind, if any is held.
    pub(crate) fn lowest(&self, rank: Rank) -> Option<Card> {
        if rank == Rank::Joker {
            return (self.counts[52] > 0).then_some(Card::JOKER);
        }
        (0..4).map(|suit| Card::suited(suit, rank)).find(|&card| self.count(card) > 0)
    }

    /// Returns the card of `class` with the lowest kind, if any is held.
    pub(crate) fn lowest_of(&self, class: Class) -> Option<Card> {
        let kinds = self.mask() & class.kinds();
        (kinds != 0).then(|| Card(kinds.trailing_zeros() as u8))
    }

    /// Returns the number of wild cards: twos and jokers.
    pub fn wilds(&self) -> u8 {
        self.rank_count(Rank::Two) + self.rank_count(Rank::Joker)
    }

    /// Returns the number of red threes.
    pub fn red_threes(&self) -> u8 {
        self.counts[15] + self.counts[28]
    }

    /// Returns the number of black threes.
    pub fn black_threes(&self) -> u8 {
        self.counts[2] + self.counts[41]
    }

    /// Adds one card, unless 48 copies of it are there.
    pub fn insert(&mut self, card: Card) {
        let count = &mut self.counts[card.index()];
        let added = u8::from(*count < COPIES_MAX);
        *count += added;
        self.len += u16::from(added);
    }

    /// Adds `copies` copies of `card`. The caller must know that the deck has this many: overflow is not checked.
    pub(crate) fn insert_copies(&mut self, card: Card, copies: u8) {
        let count = &mut self.counts[card.index()];
        *count = count.wrapping_add(copies);
        self.len = self.len.wrapping_add(copies.into());
    }

    /// Returns the counts, indexed by kind.
    pub(crate) fn counts(&self) -> &[u8; KINDS] {
        &self.counts
    }

    /// Removes one copy of `card`. Returns `false`, and changes nothing, if there is none.
    pub fn remove(&mut self, card: Card) -> bool {
        let count = &mut self.counts[card.index()];
        if *count == 0 {
            return false;
        }
        *count -= 1;
        self.len -= 1;
        true
    }

    /// Adds all cards of `other`, up to 48 copies of each kind.
    pub fn add(&mut self, other: &Self) {
        for (a, b) in self.counts.iter_mut().zip(&other.counts) {
            let sum = (*a + b).min(COPIES_MAX);
            self.len += u16::from(sum - *a);
            *a = sum;
        }
    }

    /// Removes all cards of `other`.
    ///
    /// # Panics
    /// If `other` is not contained: callers check [`Cards::contains`] first.
    pub fn subtract(&mut self, other: &Self) {
        for (a, b) in self.counts.iter_mut().zip(&other.counts) {
            *a = a.checked_sub(*b).expect("taken cards are held");
        }
        self.len -= other.len;
    }

    /// Whether these cards contain all cards of `other`, copies counted.
    pub fn contains(&self, other: &Self) -> bool {
        self.counts.iter().zip(&other.counts).all(|(a, b)| a >= b)
    }

    /// Returns every card, copies repeated, in ascending order of kind.
    pub fn iter(&self) -> impl Iterator<Item = Card> + '_ {
        self.kinds().flat_map(|(card, count)| core::iter::repeat_n(card, usize::from(count)))
    }

    /// Returns each kind held, once, with its count, in ascending order of kind.
    pub fn kinds(&self) -> impl Iterator<Item = (Card, u8)> + '_ {
        let mut mask = self.mask();
        core::iter::from_fn(move || {
            let card = Card(mask.trailing_zeros() as u8);
            (mask != 0).then(|| {
                mask &= mask - 1;
                (card, self.count(card))
            })
        })
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut set = Self::EMPTY;
        for card in cards {
            set.insert(card);
        }
        set
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
