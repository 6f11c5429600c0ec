//! Cards and multisets of cards.
//!
//! A card is its *kind*, 0 to 52: `suit * 13 + rank`, joker 52. Copies of one card are
//! indistinguishable everywhere (state, token, log, API), so a hand is a count per kind.

use core::fmt;

/// Number of kinds of card: 4 suits of 13 ranks, and the joker.
pub const KINDS: usize = 53;
/// The most cards any pack can have: 6 packs of 54.
pub const MAX_CARDS: usize = 324;
/// The most copies of one suited card: one a pack.
pub const MAX_PACKS: u8 = 6;

/// One card, by kind (0 to 52).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// A rank; [`Rank::Joker`] stands for the joker, which has no suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    Ace = 0,
    Two = 1,
    Three = 2,
    Four = 3,
    Five = 4,
    Six = 5,
    Seven = 6,
    Eight = 7,
    Nine = 8,
    Ten = 9,
    Jack = 10,
    Queen = 11,
    King = 12,
    Joker = 13,
}

/// What a card can do (CL-003 to CL-005).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Class {
    /// 4 to king, and ace.
    Natural,
    /// Twos and jokers.
    Wild,
    RedThree,
    BlackThree,
}

impl Class {
    /// The kinds of the class, a bit each.
    pub(crate) fn kinds(self) -> u64 {
        const KINDS_OF: [u64; 4] = {
            let mut kinds_of = [0; 4];
            let mut kind = 0;
            while kind < KINDS {
                kinds_of[Card(kind as u8).class() as usize] |= 1 << kind;
                kind += 1;
            }
            kinds_of
        };
        KINDS_OF[self as usize]
    }
}

const RANK_LETTERS: &str = "A23456789TJQKX";
const RANK_CHARS: &[u8] = RANK_LETTERS.as_bytes();
const SUIT_CHARS: &[u8; 4] = b"cdhs";

impl Rank {
    /// All ranks in the order of their numbers, the joker last.
    pub const ALL: [Self; 14] = [
        Self::Ace,
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
        Self::Joker,
    ];

    /// The eleven natural ranks (CL-003), ace first, then four to king.
    pub const NATURAL: [Self; 11] = [
        Self::Ace,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
    ];

    /// The rank with number `index` (0 ace, 1 two ... 12 king, 13 joker).
    pub fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }

    /// The rank's number, as in [`Rank::from_index`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whether this is one of the eleven natural ranks.
    pub fn is_natural(self) -> bool {
        !matches!(self, Self::Two | Self::Three | Self::Joker)
    }

    /// The rank's letter: `A 2 3 ... 9 T J Q K`, and `X` for the joker.
    pub fn letter(self) -> char {
        char::from(RANK_CHARS[self.index()])
    }

    /// The rank's letter as text.
    pub(crate) fn name(self) -> &'static str {
        &RANK_LETTERS[self.index()..=self.index()]
    }

    /// The rank that `letter` stands for.
    pub fn from_letter(letter: u8) -> Option<Self> {
        let at = RANK_CHARS.iter().position(|&c| c == letter)?;
        Some(Self::ALL[at])
    }
}

impl Card {
    /// The joker.
    pub const JOKER: Self = Self(52);

    /// All kinds in ascending order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KINDS as u8).map(Self)
    }

    /// The card of this kind, `None` above 52.
    pub fn from_kind(kind: u8) -> Option<Self> {
        (usize::from(kind) < KINDS).then_some(Self(kind))
    }

    /// The card of `suit` (0 clubs, 1 diamonds, 2 hearts, 3 spades) and rank number `rank`.
    pub fn suited(suit: u8, rank: Rank) -> Self {
        debug_assert!(suit < 4 && rank != Rank::Joker);
        Self(suit * 13 + rank as u8)
    }

    /// The kind, 0 to 52.
    pub fn kind(self) -> u8 {
        self.0
    }

    /// The kind as an array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The rank.
    pub fn rank(self) -> Rank {
        RANK_OF[self.index()]
    }

    /// The suit (0 clubs, 1 diamonds, 2 hearts, 3 spades), `None` for the joker.
    pub fn suit(self) -> Option<u8> {
        (self != Self::JOKER).then_some(self.0 / 13)
    }

    /// What the card can do.
    pub const fn class(self) -> Class {
        match RANK_OF[self.0 as usize] {
            Rank::Two | Rank::Joker => Class::Wild,
            Rank::Three if matches!(self.0 / 13, 1 | 2) => Class::RedThree,
            Rank::Three => Class::BlackThree,
            _ => Class::Natural,
        }
    }

    /// Whether the card is a two or a joker.
    pub fn is_wild(self) -> bool {
        matches!(self.rank(), Rank::Two | Rank::Joker)
    }

    /// Reads the two-letter form (`Ks`, `Th`, `2c`); a joker is `X`.
    pub fn parse(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [b'X'] => Some(Self::JOKER),
            [rank, suit] => {
                let rank = Rank::from_letter(rank).filter(|&r| r != Rank::Joker)?;
                let suit = SUIT_CHARS.iter().position(|&c| c == suit)?;
                Some(Self::suited(suit as u8, rank))
            }
            _ => None,
        }
    }
}

const RANK_OF: [Rank; KINDS] = {
    let mut table = [Rank::Joker; KINDS];
    let mut kind = 0;
    while kind < 52 {
        table[kind] = Rank::ALL[kind % 13];
        kind += 1;
    }
    table
};

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::JOKER {
            return f.write_str("X");
        }
        let suit = char::from(SUIT_CHARS[usize::from(self.0 / 13)]);
        write!(f, "{}{suit}", self.rank().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A multiset of cards: a count per kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cards {
    counts: [u8; KINDS],
    len: u16,
}

impl Cards {
    /// No cards.
    pub const EMPTY: Self = Self { counts: [0; KINDS], len: 0 };

    /// How many cards there are.
    pub fn len(&self) -> u16 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many copies of `card` there are.
    pub fn count(&self, card: Card) -> u8 {
        self.counts[card.index()]
    }

    /// How many cards of `rank` there are, over all suits.
    pub fn rank_count(&self, rank: Rank) -> u8 {
        if rank == Rank::Joker {
            return self.counts[52];
        }
        let c = &self.counts;
        let r = rank.index();
        c[r] + c[13 + r] + c[26 + r] + c[39 + r]
    }

    /// How many cards of each rank there are, by the rank's number.
    pub fn rank_counts(&self) -> [u8; 14] {
        // A suit is 13 bytes of a 16-byte word. No pack has more than 24 of a rank, so nothing carries.
        const SUIT: u128 = (1 << 104) - 1;
        let word = |at: usize| {
            let bytes = self.counts[at..].first_chunk().expect("a word lies within the counts");
            u128::from_le_bytes(*bytes)
        };
        // The last word ends with the spades and the joker.
        let sum = (word(0) & SUIT) + (word(13) & SUIT) + (word(26) & SUIT) + (word(37) >> 16);
        *sum.to_le_bytes().first_chunk().expect("14 of 16 bytes")
    }

    /// A bit for every kind that is held.
    fn mask(&self) -> u64 {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let mut mask = 0;
        for (i, bytes) in self.counts.chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let word = u64::from_le_bytes(word);
            // The top bit of every byte that is not 0, then these eight bits side by side.
            let held = (((word & LOW) + LOW) | word) & !LOW;
            mask |= ((held >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        }
        mask
    }

    /// The lowest card of `rank`.
    pub(crate) fn lowest(&self, rank: Rank) -> Option<Card> {
        if rank == Rank::Joker {
            return (self.counts[52] > 0).then_some(Card::JOKER);
        }
        (0..4).map(|suit| Card::suited(suit, rank)).find(|&card| self.count(card) > 0)
    }

    /// The lowest card of `class`.
    pub(crate) fn lowest_of(&self, class: Class) -> Option<Card> {
        let kinds = self.mask() & class.kinds();
        (kinds != 0).then(|| Card(kinds.trailing_zeros() as u8))
    }

    /// How many twos and jokers there are.
    pub fn wilds(&self) -> u8 {
        self.rank_count(Rank::Two) + self.rank_count(Rank::Joker)
    }

    /// How many red threes there are.
    pub fn red_threes(&self) -> u8 {
        self.counts[15] + self.counts[28]
    }

    /// How many black threes there are.
    pub fn black_threes(&self) -> u8 {
        self.counts[2] + self.counts[41]
    }

    /// Adds one card.
    ///
    /// # Panics
    /// If a count would pass 255: no pack has so many, so a card was counted twice.
    pub fn insert(&mut self, card: Card) {
        self.counts[card.index()] += 1;
        self.len += 1;
    }

    /// Adds `copies` copies of `card`; the caller knows that the pack has so many.
    pub(crate) fn insert_copies(&mut self, card: Card, copies: u8) {
        let count = &mut self.counts[card.index()];
        *count = count.wrapping_add(copies);
        self.len = self.len.wrapping_add(copies.into());
    }

    /// The count of every kind.
    pub(crate) fn counts(&self) -> &[u8; KINDS] {
        &self.counts
    }

    /// Takes one card out; `false` if there is none.
    pub fn remove(&mut self, card: Card) -> bool {
        let count = &mut self.counts[card.index()];
        if *count == 0 {
            return false;
        }
        *count -= 1;
        self.len -= 1;
        true
    }

    /// Adds all of `other`.
    pub fn add(&mut self, other: &Self) {
        for (a, b) in self.counts.iter_mut().zip(&other.counts) {
            *a += b;
        }
        self.len += other.len;
    }

    /// Takes all of `other` out.
    ///
    /// # Panics
    /// If `other` is not contained: callers test [`Cards::contains`] first.
    pub fn subtract(&mut self, other: &Self) {
        for (a, b) in self.counts.iter_mut().zip(&other.counts) {
            *a = a.checked_sub(*b).expect("taken cards are held");
        }
        self.len -= other.len;
    }

    /// Whether every card of `other` is here, counted.
    pub fn contains(&self, other: &Self) -> bool {
        self.counts.iter().zip(&other.counts).all(|(a, b)| a >= b)
    }

    /// Every card, copies repeated, in ascending order of kind.
    pub fn iter(&self) -> impl Iterator<Item = Card> + '_ {
        self.kinds().flat_map(|(card, count)| core::iter::repeat_n(card, usize::from(count)))
    }

    /// Every kind held, once, in ascending order, with its count.
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn every_kind_prints_and_reads_back() {
        for card in Card::all() {
            assert_eq!(Card::parse(&card.to_string()), Some(card));
        }
        for bad in ["", "1z", "Xs", "ks", "K", "Ksx", "3x"] {
            assert_eq!(Card::parse(bad), None, "{bad:?}");
        }
    }

    /// CL-003 to CL-005: 11 natural ranks, 5 wild kinds, 2 red and 2 black threes.
    #[test]
    fn classes_partition_the_kinds() {
        let of = |class| Card::all().filter(|c| c.class() == class).count();
        assert_eq!(of(Class::Natural), 44);
        assert_eq!(of(Class::Wild), 5);
        assert_eq!(of(Class::RedThree), 2);
        assert_eq!(of(Class::BlackThree), 2);
        let threes: Cards = ["3h", "3d", "3s", "3s"].iter().filter_map(|t| Card::parse(t)).collect();
        assert_eq!((threes.red_threes(), threes.black_threes()), (2, 2));
    }

    #[test]
    fn every_kind_is_counted_once() {
        for card in Card::all() {
            let two: Cards = [card, card].into_iter().collect();
            assert_eq!(two.kinds().collect::<alloc::vec::Vec<_>>(), [(card, 2)]);
            let counts: [u8; 14] = core::array::from_fn(|rank| 2 * u8::from(rank == card.rank().index()));
            assert_eq!(two.rank_counts(), counts);
        }
        let all: Cards = Card::all().collect();
        assert!(all.iter().eq(Card::all()));
    }

    #[test]
    fn multisets_add_and_subtract() {
        let parse = |texts: &[&str]| -> Cards { texts.iter().filter_map(|t| Card::parse(t)).collect() };
        let hand = parse(&["Ks", "Ks", "2c", "X"]);
        assert_eq!((hand.len(), hand.rank_count(Rank::King), hand.wilds()), (4, 2, 2));
        assert!(hand.contains(&parse(&["Ks", "Ks"])));
        assert!(!hand.contains(&parse(&["Ks", "Ks", "Ks"])));
        assert_eq!(hand.rank_counts()[..4], [0, 1, 0, 0]);
        assert_eq!(hand.rank_counts()[12..], [2, 1]);
        let mut rest = hand;
        rest.subtract(&parse(&["Ks", "X"]));
        assert_eq!(rest, parse(&["2c", "Ks"]));
    }
}
