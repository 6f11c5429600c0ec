//! The cards that a way to go out lays on each meld, and their points.

use super::sequences::GrownSequence;
use super::{Filling, Pool, Search};
use crate::action::{CardList, MeldKind};
use crate::card::{Card, Cards, Rank};
use crate::scoring;
use crate::way_out::find::Finish;
use crate::way_out::{MeldSlot, WayOut};
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The cards that go to one meld.
struct Placed {
    at: Option<u8>,
    kind: MeldKind,
    rank: Option<Rank>,
    cards: CardList,
}

/// A way to lay all cards except the final discard. Its cards are named when somebody asks for them.
#[derive(Clone, Debug)]
pub(crate) struct FoundWay {
    finish: Finish,
    laying: Laying,
}

/// The numbers of cards that go to one meld.
#[derive(Clone, Copy, Debug)]
struct LaidCount {
    at: Option<u8>,
    kind: MeldKind,
    rank: Option<Rank>,
    naturals: u8,
    wilds: u8,
}

/// The melds that a way to go out lays, except black threes, before their cards are named.
#[derive(Clone, Debug)]
struct Laying {
    counts: SmallVec<[LaidCount; 8]>,
    sequences: SmallVec<[GrownSequence; 2]>,
    jokers_first: bool,
}

impl Search<'_> {
    /// Whether the rules ask for a canasta of the rank of this pool, by itself.
    pub(in crate::way_out) fn asks_for(&self, pool: &Pool) -> bool {
        pool.rank.is_some_and(|rank| self.set.go_out_ranks.contains(rank))
    }

    /// Whether what is chosen for a pool has a canasta, if the rules ask for one of its rank.
    pub(super) fn has_canasta_asked(&self, i: usize) -> bool {
        let pool = &self.pools[i];
        let is_it = |filling: &Filling| filling.spot.rank == pool.rank && filling.grown().is_full(self.set);
        !self.asks_for(pool) || self.chosen.iter().any(is_it)
    }

    /// Whether the batch reaches the minimum, or needs none. Twos and jokers differ in what they are worth in a wild
    /// meld, so both cases are tried: the sets get the twos first, or the jokers.
    pub(super) fn is_worth_enough(&mut self) -> bool {
        if self.points_due <= 0 || self.has_splash() {
            return true;
        }
        [false, true].into_iter().any(|jokers_first| {
            self.jokers_first = jokers_first;
            self.points_due < i32::MAX && self.worth() >= self.points_due
        })
    }

    fn has_splash(&self) -> bool {
        self.chosen.iter().filter_map(Filling::part).any(|part| part.is_splash(self.set))
    }

    /// Returns the points of the laid cards, and the bonuses of the canastas that a batch makes, where they count.
    fn worth(&self) -> i32 {
        let points = |laid: &Placed| match laid.rank {
            Some(rank) => self.rules.points_in_set(rank, &laid.cards),
            None => laid.cards.iter().map(|&card| self.rules.card_points(card)).sum(),
        };
        let (mut left, mut jokers) = (self.hand, 0);
        let laid: i32 = self.laying().laid(&mut left, &mut jokers).iter().map(points).sum();
        let threes = i32::from(left.black_threes()) * self.rules.rank_points(Rank::Three);
        laid + threes + self.bonuses(jokers)
    }

    /// Returns the bonuses of the canastas that the batch makes, or 0 where they do not count (HN-066). `jokers` of the
    /// hand go to the wild melds.
    fn bonuses(&self, jokers: u8) -> i32 {
        if !self.set.initial_bonus {
            return 0;
        }
        let of_spot = |f: &Filling| {
            let grade = f.grown().grade(self.set).filter(|_| f.spot.is_new())?;
            Some(scoring::bonus_of(self.set, f.spot.rank, grade, f.spot.jokers + jokers))
        };
        let full = self.sequences.lengths().filter(|&len| len >= self.set.sequence_max).count() as i32;
        self.chosen.iter().filter_map(of_spot).sum::<i32>() + full * self.set.bonus_sequence
    }

    /// Returns the way that the search has found.
    pub(in crate::way_out) fn found(&self, finish: Finish) -> FoundWay {
        FoundWay { finish, laying: self.laying() }
    }

    fn laying(&self) -> Laying {
        let counts = self.chosen.iter().filter(|f| f.naturals + f.wilds > 0).map(|f| {
            let (MeldSlot { at, kind, rank, .. }, Filling { naturals, wilds, .. }) = (f.spot, *f);
            LaidCount { at, kind, rank, naturals, wilds }
        });
        Laying {
            counts: counts.collect(),
            sequences: self.sequences.grown().collect(),
            jokers_first: self.jokers_first,
        }
    }
}

impl Laying {
    /// Returns the cards of each meld and takes them out of `left`. Counts the jokers in wild melds.
    fn laid(&self, left: &mut Cards, jokers: &mut u8) -> Vec<Placed> {
        let mut groups = Vec::with_capacity(self.sequences.len() + self.counts.len() + 1);
        for grown in &self.sequences {
            let cards = grown.cards();
            cards.iter().for_each(|&card| _ = left.remove(card));
            groups.push(Placed { at: grown.at, kind: MeldKind::Sequence, rank: None, cards });
        }
        let wilds = match self.jokers_first {
            true => [Rank::Joker, Rank::Two],
            false => [Rank::Two, Rank::Joker],
        };
        for &LaidCount { at, kind, rank, naturals, wilds: count } in &self.counts {
            let mut cards = CardList::new();
            if let Some(rank) = rank {
                move_lowest(left, rank, naturals, &mut cards);
            }
            let others = count - move_lowest(left, wilds[0], count, &mut cards);
            move_lowest(left, wilds[1], others, &mut cards);
            if kind == MeldKind::Wild {
                *jokers += cards.iter().filter(|&&card| card == Card::JOKER).count() as u8;
            }
            groups.push(Placed { at, kind, rank, cards });
        }
        groups
    }
}

impl FoundWay {
    pub(crate) fn group_count(&self) -> usize {
        let Laying { counts, sequences, .. } = &self.laying;
        counts.len() + sequences.len() + usize::from(self.finish.lays_threes)
    }

    /// Returns the way with the cards of each group. `hand` is the one that was searched.
    pub(crate) fn named(&self, hand: &Cards) -> WayOut {
        let (mut left, Finish { discard, black, .. }) = (*hand, self.finish);
        discard.iter().for_each(|&card| _ = left.remove(card));
        let laid = self.laying.laid(&mut left, &mut 0);
        let mut groups: Vec<_> = laid.into_iter().map(|laid| (laid.at, laid.kind, laid.cards)).collect();
        let mut threes = CardList::new();
        let held = left.black_threes();
        move_lowest(&mut left, Rank::Three, held, &mut threes);
        if !threes.is_empty() {
            groups.push((black, MeldKind::BlackThrees, threes));
        }
        WayOut { groups }
    }
}

/// Moves up to `count` cards of `rank`, the lowest first. Returns how many it moved.
fn move_lowest(hand: &mut Cards, rank: Rank, count: u8, cards: &mut CardList) -> u8 {
    for moved in 0..count {
        let Some(card) = hand.lowest(rank) else { return moved };
        hand.remove(card);
        cards.push(card);
    }
    count
}
