//! A multiset of cards: the number of each kind.

use super::{Card, Class, KINDS, Rank};
use core::fmt;

/// Maximum number of copies of one kind in a multiset. A deck has at most 12; a list from outside may name more. The
/// bound keeps sums over a rank and over all wild cards within a byte.
const COPIES_MAX: u8 = 48;

/// A multiset of cards: a count per kind. Copies of a kind beyond 48 are left out, so lists that name a card absurdly
/// often can be counted like all others: no deck has so many copies.
///
/// The numbers of cards by rank and the set of kinds are kept besides, because the rules ask for them all the time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cards {
    /// A bit for every kind that is held.
    held: u64,
    /// The number of cards of each rank; the last two places stay 0.
    ranks: [u8; 16],
    counts: [u8; KINDS],
    len: u16,
}

/// The lowest seven bits of each byte.
const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Returns the top bits of the eight bytes of a word, as one byte.
fn top_bits(word: u64) -> u64 {
    (((word & !LOW) >> 7).wrapping_mul(0x0102_0408_1020_4080)) >> 56
}

impl Default for Cards {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Cards {
    /// No cards.
    pub const EMPTY: Self = Self { held: 0, ranks: [0; 16], counts: [0; KINDS], len: 0 };

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
        self.ranks[rank.index()]
    }

    /// Returns a bit for every kind that is held.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Returns the number of cards of each rank, indexed by the rank's number.
    pub fn rank_counts(&self) -> [u8; 14] {
        *self.ranks.first_chunk().expect("14 of 16 bytes")
    }

    /// Returns a bit for every rank of which at least `least` cards are held, from 1 to 127.
    pub(crate) fn ranks_with(&self, least: u8) -> u16 {
        debug_assert!((1..=127).contains(&least), "every rank has at least no cards");
        let ranks = u128::from_le_bytes(self.ranks);
        let bits = |word: u64| {
            let missing = u64::from(128 - least) * 0x0101_0101_0101_0101;
            top_bits(((word & LOW) + missing) | word)
        };
        (bits(ranks as u64) | bits((ranks >> 64) as u64) << 8) as u16
    }

    /// Returns the card of `rank` with the lowest kind, if any is held.
    pub(crate) fn lowest(&self, rank: Rank) -> Option<Card> {
        self.lowest_in(rank.kinds())
    }

    /// Returns the card of `class` with the lowest kind, if any is held.
    pub(crate) fn lowest_of(&self, class: Class) -> Option<Card> {
        self.lowest_in(class.kinds())
    }

    fn lowest_in(&self, kinds: u64) -> Option<Card> {
        let kinds = self.held & kinds;
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
        if self.count(card) < COPIES_MAX {
            self.insert_copy(card);
        }
    }

    /// Adds `copies` copies of `card`. The caller must know that the deck has this many: overflow is not checked.
    pub(crate) fn insert_copies(&mut self, card: Card, copies: u8) {
        let (count, of_rank) = (&mut self.counts[card.index()], &mut self.ranks[card.rank().index()]);
        *count = count.wrapping_add(copies);
        *of_rank = of_rank.wrapping_add(copies);
        self.held = self.held & !(1 << card.kind()) | u64::from(*count > 0) << card.kind();
        self.len = self.len.wrapping_add(copies.into());
    }

    /// Adds one copy of `card`, as [`Cards::insert_copies`] does.
    #[inline(always)]
    pub(crate) fn insert_copy(&mut self, card: Card) {
        let (count, of_rank) = (&mut self.counts[card.index()], &mut self.ranks[card.rank().index()]);
        *count = count.wrapping_add(1);
        *of_rank = of_rank.wrapping_add(1);
        self.held |= 1 << card.kind();
        self.len = self.len.wrapping_add(1);
    }

    /// Adds copies of `rank` by suit, in the order of suits, to cards without this rank. The caller must know that the
    /// deck has them: overflow is not checked.
    #[inline(always)]
    pub(crate) fn insert_suits(&mut self, rank: Rank, copies: [u8; 4]) {
        debug_assert!(rank != Rank::Joker && self.rank_count(rank) == 0);
        for (suit, copies) in (0..).zip(copies) {
            self.counts[Card::suited(suit, rank).index()] = copies;
        }
        let held = |suit: u32| u64::from(copies[suit as usize] > 0) << (13 * suit);
        self.held |= (held(0) | held(1) | held(2) | held(3)) << rank.index();
        let sum = copies.iter().fold(0u8, |sum, &copies| sum.wrapping_add(copies));
        self.ranks[rank.index()] = sum;
        self.len = self.len.wrapping_add(sum.into());
    }

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
        self.held &= !(u64::from(*count == 0) << card.kind());
        self.ranks[card.rank().index()] -= 1;
        self.len -= 1;
        true
    }

    /// Adds all cards of `other`, up to 48 copies of each kind.
    pub fn add(&mut self, other: &Self) {
        for (card, copies) in other.kinds() {
            self.insert_copies(card, copies.min(COPIES_MAX - self.count(card)));
        }
    }

    /// Removes all cards of `other`.
    ///
    /// # Panics
    /// If `other` is not contained: callers check [`Cards::contains`] first.
    pub fn subtract(&mut self, other: &Self) {
        for (card, copies) in other.kinds() {
            let count = &mut self.counts[card.index()];
            *count = count.checked_sub(copies).expect("taken cards are held");
            self.held &= !(u64::from(*count == 0) << card.kind());
            self.ranks[card.rank().index()] -= copies;
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
        Card::of_kinds(self.held).map(|card| (card, self.count(card)))
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
