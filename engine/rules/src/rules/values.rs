//! The types of knobs that hold more than one value: sets, rank maps, bands, point tables.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::knobs::*;
use crate::card::{Card, Class, Rank};

/// A set of values that a knob lists.
pub struct Set<E> {
    bits: u16,
    member: PhantomData<E>,
}

/// The type of `start_cover`, `start_freezes` and `discard_freezes`: classes of cards, never naturals.
pub type Classes = Set<Class>;
/// The type of `cut_ways`.
pub type CutWays = Set<CutWay>;
/// The type of `initial_exempt`.
pub type Exempts = Set<Exempt>;
/// The type of `empty_pile_barred` and `go_out_ranks`.
pub type Ranks = Set<Rank>;
/// The type of `go_out_bars`.
pub type GoOutBars = Set<GoOutBar>;
/// The type of `special_hands`.
pub type SpecialHands = Set<SpecialHand>;

impl<E: Word> Set<E> {
    /// The empty set.
    pub const NONE: Self = Self { bits: 0, member: PhantomData };

    /// Returns the set of `members`. Values that no knob lists (natural cards) are left out.
    pub fn of(members: &[E]) -> Self {
        members.iter().fold(Self::NONE, |set, &member| set.with(member))
    }

    /// Returns the set with `member` added, unless no knob lists `member` (a natural card).
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

    /// Returns the members, in the order of [`Word::WORDS`].
    pub fn iter(self) -> impl Iterator<Item = E> {
        E::WORDS.iter().map(|&(member, _)| member).filter(move |&member| self.contains(member))
    }
}

// Derived impls would require the same traits of the member type.
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

/// A map with values for some ranks, and for the key W (wild melds).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankMap<T> {
    ranks: [Option<T>; 14],
    wild: Option<T>,
}

impl<T: Copy> RankMap<T> {
    /// The map without entries.
    pub const NONE: Self = Self { ranks: [None; 14], wild: None };

    /// Returns the value of `rank`, if the map has one.
    pub fn get(&self, rank: Rank) -> Option<T> {
        self.ranks[rank.index()]
    }

    /// Returns the value of the key W, if the map has one.
    pub fn wild(&self) -> Option<T> {
        self.wild
    }

    /// Returns the map with the value of `rank` set.
    pub fn with(mut self, rank: Rank, value: T) -> Self {
        self.ranks[rank.index()] = Some(value);
        self
    }

    /// Returns the map with the value of the key W set.
    pub fn with_wild(mut self, value: T) -> Self {
        self.wild = Some(value);
        self
    }

    /// Whether the map has no entry.
    pub fn is_empty(&self) -> bool {
        self.wild.is_none() && self.ranks.iter().all(Option::is_none)
    }

    /// Returns the entries of ranks (without W), in the order A K Q ... 2 X.
    pub fn iter(&self) -> impl Iterator<Item = (Rank, T)> + '_ {
        Rank::WORDS.iter().filter_map(|&(rank, _)| Some((rank, self.get(rank)?)))
    }

    /// Returns all values: those of ranks first, then that of W.
    pub fn values(&self) -> impl Iterator<Item = T> + '_ {
        self.iter().map(|(_, value)| value).chain(self.wild)
    }
}

impl<T: Copy> Default for RankMap<T> {
    fn default() -> Self {
        Self::NONE
    }
}

/// A band of [`Bands::ByScore`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Band {
    /// The bound: the band holds for totals below this number of points. `None` for the last band, which has no
    /// bound.
    pub below: Option<i32>,
    /// The points that the initial meld must reach.
    pub minimum: i32,
}

/// The minimum of the initial meld.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bands {
    /// By the total of the side or melder, with bounds ascending. The last band has no bound.
    ByScore(Vec<Band>),
    /// By the round: the minimums of rounds 1, 2, 3 ...
    ByRound(Vec<i32>),
}

impl Bands {
    /// Whether all bands except the last have bounds, and bounds and minimums ascend.
    pub(super) fn ascend(&self) -> bool {
        let minimums_ascend = self.minimums().is_sorted();
        let Self::ByScore(bands) = self else { return minimums_ascend };
        let Some((last, bounded)) = bands.split_last() else { return true };
        let bounds_ascend = bounded.iter().map(|band| band.below).is_sorted_by(|a, b| a < b);
        minimums_ascend
            && bounds_ascend
            && last.below.is_none()
            && bounded.iter().all(|band| band.below.is_some())
    }

    /// Returns the minimum at this total; 0 if the minimums go by round.
    pub fn minimum_for_score(&self, score: i32) -> i32 {
        let Self::ByScore(bands) = self else { return 0 };
        let holds = |band: &&Band| band.below.is_none_or(|below| score < below);
        bands.iter().find(holds).map_or(0, |band| band.minimum)
    }

    /// Returns the minimum in round `number` (from 1). The last entry holds for all later rounds. Returns 0 if the
    /// minimums go by score.
    pub fn minimum_for_round(&self, number: u16) -> i32 {
        let Self::ByRound(minimums) = self else { return 0 };
        let index = usize::from(number).saturating_sub(1);
        minimums.get(index).or(minimums.last()).copied().unwrap_or(0)
    }

    /// Returns all minimums, in order.
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

/// The points of each card. A black three has points when melded. A red three never has points here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CardPoints {
    /// The points, indexed by rank number. The entry of the three is that of the black three.
    by_rank: [i32; 14],
}

impl CardPoints {
    /// Returns the points of `card`; 0 for a red three.
    pub fn of(&self, card: Card) -> i32 {
        if card.class() == Class::RedThree { 0 } else { self.of_rank(card.rank()) }
    }

    /// Returns the points of a card of `rank`. For a three, these are the points of a black three.
    pub fn of_rank(&self, rank: Rank) -> i32 {
        self.by_rank[rank.index()]
    }

    /// Returns the table with the points of `rank` set. For a three, these are the points of a black three.
    pub fn with(mut self, rank: Rank, points: i32) -> Self {
        self.by_rank[rank.index()] = points;
        self
    }
}

/// The points of the special hands (`special_scores`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpecialScores {
    /// The points of a straight.
    pub straight: i32,
    /// The points of pairs without wild cards.
    pub pairs: i32,
    /// The points of pairs with the wild pair.
    pub pairs_with_wilds: i32,
    /// The points of garbage.
    pub garbage: i32,
}

impl SpecialScores {
    /// Returns the points of straight, pairs, pairs with wild cards, garbage, in this order.
    pub fn in_order(&self) -> [i32; 4] {
        [self.straight, self.pairs, self.pairs_with_wilds, self.garbage]
    }
}
