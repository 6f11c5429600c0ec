//! Knob types that hold more than one value: sets, rank maps, bands, point tables.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::knobs::*;
use crate::card::{Card, Class, Rank};

/// A set of the values that a knob lists.
pub struct Set<E> {
    bits: u16,
    member: PhantomData<E>,
}

/// `start_cover`, `start_freezes`, `discard_freezes`: classes of cards, never naturals.
pub type Classes = Set<Class>;
/// `cut_ways`.
pub type CutWays = Set<CutWay>;
/// `initial_exempt`.
pub type Exempts = Set<Exempt>;
/// `empty_pile_barred`.
pub type Ranks = Set<Rank>;
/// `go_out_bars`.
pub type GoOutBars = Set<GoOutBar>;
/// `special_hands`.
pub type SpecialHands = Set<SpecialHand>;

impl<E: Word> Set<E> {
    /// The empty set.
    pub const NONE: Self = Self { bits: 0, member: PhantomData };

    /// The set of `members`; values that no knob lists (natural cards) are left out.
    pub fn of(members: &[E]) -> Self {
        members.iter().fold(Self::NONE, |set, &member| set.with(member))
    }

    /// The set with `member` added, unless no knob lists it (a natural card).
    pub fn with(self, member: E) -> Self {
        if member.word().is_empty() {
            return self;
        }
        Self { bits: self.bits | 1 << member.index(), member: PhantomData }
    }

    /// Whether `member` is in the set.
    pub fn contains(self, member: E) -> bool {
        self.bits & 1 << member.index() != 0
    }

    /// Whether the set has no member.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Whether every member is also in `other`.
    pub fn is_within(self, other: Self) -> bool {
        self.bits & !other.bits == 0
    }

    /// The members in listed order.
    pub fn iter(self) -> impl Iterator<Item = E> {
        E::WORDS.iter().map(|&(member, _)| member).filter(move |&member| self.contains(member))
    }
}

// Derived impls would ask the same of the member type.
impl<E> Clone for Set<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Set<E> {}

impl<E> PartialEq for Set<E> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<E> Eq for Set<E> {}

impl<E: Word> Default for Set<E> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<E: Word> fmt::Debug for Set<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Word::word)).finish()
    }
}

/// A value for some ranks, and for the key W (wild melds).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankMap<T> {
    ranks: [Option<T>; 14],
    wild: Option<T>,
}

impl<T: Copy> RankMap<T> {
    /// No entry.
    pub const NONE: Self = Self { ranks: [None; 14], wild: None };

    /// The value of `rank`.
    pub fn get(&self, rank: Rank) -> Option<T> {
        self.ranks[rank.index()]
    }

    /// The value of the key W.
    pub fn wild(&self) -> Option<T> {
        self.wild
    }

    /// The map with `rank` set.
    pub fn with(mut self, rank: Rank, value: T) -> Self {
        self.ranks[rank.index()] = Some(value);
        self
    }

    /// The map with the key W set.
    pub fn with_wild(mut self, value: T) -> Self {
        self.wild = Some(value);
        self
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.wild.is_none() && self.ranks.iter().all(Option::is_none)
    }

    /// The entries of ranks (without W), in the order A K Q ... 2 X.
    pub fn iter(&self) -> impl Iterator<Item = (Rank, T)> + '_ {
        Rank::WORDS.iter().filter_map(|&(rank, _)| Some((rank, self.get(rank)?)))
    }

    /// Every value, ranks first, then W.
    pub fn values(&self) -> impl Iterator<Item = T> + '_ {
        self.iter().map(|(_, value)| value).chain(self.wild)
    }
}

impl<T: Copy> Default for RankMap<T> {
    fn default() -> Self {
        Self::NONE
    }
}

/// One step of [`Bands::ByScore`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Band {
    /// The band holds for totals below this; `None` for the last band, which has no end.
    pub below: Option<i32>,
    /// Points that the initial meld must reach.
    pub minimum: i32,
}

/// Minimum of the initial meld.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bands {
    /// By the total of the side or melder, bounds ascending, the last band without one.
    ByScore(Vec<Band>),
    /// By the round: the minimum of round 1, 2, 3 ...
    ByRound(Vec<i32>),
}

impl Bands {
    /// Bands by score: (below, minimum) ascending, then the minimum above all bounds.
    pub fn by_score(bands: &[(i32, i32)], last: i32) -> Self {
        let bounded = bands.iter().map(|&(below, minimum)| Band { below: Some(below), minimum });
        Self::ByScore(bounded.chain([Band { below: None, minimum: last }]).collect())
    }

    /// The minimum at this total; 0 where minimums go by round.
    pub fn minimum_for_score(&self, score: i32) -> i32 {
        let Self::ByScore(bands) = self else { return 0 };
        let holds = |band: &&Band| band.below.is_none_or(|below| score < below);
        bands.iter().find(holds).map_or(0, |band| band.minimum)
    }

    /// The minimum in round `number` (from 1); the last entry holds for all later rounds. 0 where
    /// minimums go by score.
    pub fn minimum_for_round(&self, number: u16) -> i32 {
        let Self::ByRound(minimums) = self else { return 0 };
        let index = usize::from(number).saturating_sub(1);
        minimums.get(index).or(minimums.last()).copied().unwrap_or(0)
    }

    /// Every minimum, in order.
    pub fn minimums(&self) -> Vec<i32> {
        match self {
            Self::ByScore(bands) => bands.iter().map(|band| band.minimum).collect(),
            Self::ByRound(minimums) => minimums.clone(),
        }
    }
}

impl Default for Bands {
    fn default() -> Self {
        Self::ByScore(Vec::new())
    }
}

/// Points of each card. A black three has points when melded; a red three never has any here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CardPoints {
    /// By rank number; the entry of the three is the black three's.
    by_rank: [i32; 14],
}

impl CardPoints {
    /// CL-002: joker 50, ace and two 20, king to eight 10, seven to four and black three 5.
    pub const STANDARD: Self = Self { by_rank: [20, 20, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 50] };

    /// The points of `card`; 0 for a red three.
    pub fn of(&self, card: Card) -> i32 {
        if card.class() == Class::RedThree { 0 } else { self.of_rank(card.rank()) }
    }

    /// The points of a card of `rank`; of a three: the black one.
    pub fn of_rank(&self, rank: Rank) -> i32 {
        self.by_rank[rank.index()]
    }

    /// The table with `rank` (a three: the black one) set.
    pub fn with(mut self, rank: Rank, points: i32) -> Self {
        self.by_rank[rank.index()] = points;
        self
    }
}

/// Points of the special hands (`special_scores`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpecialScores {
    /// A straight.
    pub straight: i32,
    /// Pairs without wilds.
    pub pairs: i32,
    /// Pairs with the wild pair.
    pub pairs_with_wilds: i32,
    /// Garbage.
    pub garbage: i32,
}

impl SpecialScores {
    /// Straight, pairs, pairs with wilds, garbage.
    pub fn in_order(&self) -> [i32; 4] {
        [self.straight, self.pairs, self.pairs_with_wilds, self.garbage]
    }
}
