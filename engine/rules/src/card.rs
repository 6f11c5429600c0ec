//! Cards and multisets of cards.
//!
//! A card is represented by its *kind*, 0 to 52: `suit * 13 + rank`, joker 52. Copies of a card are indistinguishable
//! everywhere (state, token, log, API), so a hand is a count per kind.

mod cards;

pub use cards::Cards;

use core::fmt;

/// The number of kinds of card: 4 suits of 13 ranks, and the joker.
pub const KINDS: usize = 53;
/// The maximum number of cards in a deck: 6 packs of 54.
pub const CARDS_MAX: usize = 324;
/// The maximum number of copies of one suited card: one per pack.
pub const PACKS_MAX: u8 = 6;

/// A card, identified by its kind (0 to 52).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Card(u8);

/// A rank. [`Rank::Joker`] stands for the joker, which has no suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say all")]
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

/// The class of a card, which decides its role in play (CL-003 to CL-005).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// 4 to king, and ace.
    Natural,
    /// Twos and jokers.
    Wild,
    /// Threes of hearts and diamonds.
    RedThree,
    /// Threes of clubs and spades.
    BlackThree,
}

impl Class {
    /// Returns the kinds of the class as a bit mask: bit `k` stands for kind `k`.
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

/// The ranks of a suit, as bits by number.
const SUIT_RANKS: u16 = 0x1fff;

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

    /// The natural ranks as a bit mask: bit `n` stands for the rank with number `n`.
    pub(crate) const NATURALS: u16 = 0b1_1111_1111_1001;

    /// Returns the rank with number `index` (0 ace, 1 two ... 12 king, 13 joker), or `None` above 13.
    pub fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }

    /// Returns the rank's number, as in [`Rank::from_index`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whether the rank is one of the eleven natural ranks.
    pub fn is_natural(self) -> bool {
        !matches!(self, Self::Two | Self::Three | Self::Joker)
    }

    /// Returns the kinds of the rank as a bit mask: bit `k` stands for kind `k`.
    fn kinds(self) -> u64 {
        Self::kinds_of(1 << self.index())
    }

    /// Returns the kinds of these ranks, which are bits by number, as a bit mask.
    pub(crate) fn kinds_of(ranks: u16) -> u64 {
        let of_suit = u64::from(ranks & SUIT_RANKS);
        let jokers = u64::from(ranks >> Self::Joker.index() & 1) << Card::JOKER.kind();
        of_suit | of_suit << 13 | of_suit << 26 | of_suit << 39 | jokers
    }

    /// Returns the ranks of these kinds without the joker, as bits by number.
    pub(crate) fn of_kinds(kinds: u64) -> u16 {
        (kinds | kinds >> 13 | kinds >> 26 | kinds >> 39) as u16 & SUIT_RANKS
    }

    /// Returns the ranks that have a bit in a mask, in ascending order.
    pub(crate) fn of_bits(mut ranks: u16) -> impl Iterator<Item = Self> {
        core::iter::from_fn(move || {
            let rank = Self::from_index(ranks.trailing_zeros() as u8)?;
            ranks &= ranks - 1;
            Some(rank)
        })
    }

    /// Returns the rank's letter: `A 2 3 ... 9 T J Q K`, and `X` for the joker.
    pub fn letter(self) -> char {
        char::from(RANK_CHARS[self.index()])
    }

    /// Returns the rank's letter as text.
    pub(crate) fn name(self) -> &'static str {
        &RANK_LETTERS[self.index()..=self.index()]
    }

    /// Returns the rank that `letter` stands for, or `None` if no rank has this letter.
    pub fn from_letter(letter: u8) -> Option<Self> {
        let at = RANK_CHARS.iter().position(|&c| c == letter)?;
        Some(Self::ALL[at])
    }
}

impl Card {
    /// The joker.
    pub const JOKER: Self = Self(52);

    /// Returns one card of every kind, in ascending order of kind.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KINDS as u8).map(Self)
    }

    /// Returns the cards of the kinds that have a bit in a mask below 2^53, in ascending order.
    pub(crate) fn of_kinds(mut kinds: u64) -> impl Iterator<Item = Self> {
        core::iter::from_fn(move || {
            let card = Self(kinds.trailing_zeros() as u8);
            (kinds != 0).then(|| {
                kinds &= kinds - 1;
                card
            })
        })
    }

    /// Returns the card of this kind, or `None` above 52.
    pub fn from_kind(kind: u8) -> Option<Self> {
        (usize::from(kind) < KINDS).then_some(Self(kind))
    }

    /// Returns the cards of these kinds, or `None` if any kind is above 52.
    #[inline(always)]
    pub(crate) fn from_kinds<const N: usize>(kinds: [u8; N]) -> Option<[Self; N]> {
        // All kinds are compared without a branch between them.
        let all_exist = kinds.iter().fold(true, |exist, &kind| exist & (usize::from(kind) < KINDS));
        all_exist.then(|| kinds.map(Self))
    }

    /// Returns the card of `suit` (0 clubs, 1 diamonds, 2 hearts, 3 spades) and `rank`, which must not be the joker.
    pub fn suited(suit: u8, rank: Rank) -> Self {
        debug_assert!(suit < 4 && rank != Rank::Joker);
        Self(suit * 13 + rank as u8)
    }

    /// Returns the kind, 0 to 52.
    pub fn kind(self) -> u8 {
        self.0
    }

    /// Returns the kind as an array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the rank.
    pub fn rank(self) -> Rank {
        RANK_OF[self.index()]
    }

    /// Returns the suit (0 clubs, 1 diamonds, 2 hearts, 3 spades), or `None` for the joker.
    pub fn suit(self) -> Option<u8> {
        (self != Self::JOKER).then_some(self.0 / 13)
    }

    /// Returns the card's class.
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

    /// Returns the two-letter form (`Ks`, `Th`, `2c`); of a joker `X`.
    pub fn text(self) -> &'static str {
        let at = 2 * self.index();
        TEXTS.get(at..at + 2).unwrap_or("X")
    }

    /// Parses the text of a card ([`Card::text`]).
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

/// The texts of all kinds in order, except the joker's.
const TEXTS: &str = "Ac2c3c4c5c6c7c8c9cTcJcQcKcAd2d3d4d5d6d7d8d9dTdJdQdKd\
    Ah2h3h4h5h6h7h8h9hThJhQhKhAs2s3s4s5s6s7s8s9sTsJsQsKs";

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
