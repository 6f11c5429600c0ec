//! The shares of the wilds where each rank has one meld at most: this meld takes all naturals of the rank, so nothing but
//! the number of wilds of each meld is left to choose.
//!
//! Mostly the side has its canastas already. Then a pool is one word, the numbers of wilds that it can take, and another
//! word has the sums of these numbers for the pool and those after it.
//!
//! Otherwise, for each pool and each class of progress, a word has the numbers of wilds with which this pool and the pools after it
//! reach the end. The words are computed once for the whole hand. A final discard changes one pool, and so the words of
//! this pool and of those before it. The way is the one that the [search](super) finds first: each pool takes as few
//! wilds as the pools after it allow.

use super::{Filling, Lock, Pool, Search, WORDS_PER_NODE};
use crate::card::Rank;
use crate::rules::{InitialContent, MeldsPerRank};
use crate::way_out::classes::{ClassSteps, Gain, Gains, ProgressClasses};
use crate::way_out::prospects::{WORDS_PER_FILLING, sums};
use smallvec::SmallVec;

type Words = SmallVec<[u64; 32]>;

/// The shares for one hand and one lock on wilds.
pub(super) struct WildShares {
    lock: Lock,
    classes: ProgressClasses,
    steps: ClassSteps,
    /// The fillings of each pool with all its naturals.
    gains: SmallVec<[Gains; 13]>,
    /// For each pool and at last for the end, by class: the numbers of wilds that lead to the end.
    ends: Words,
}

/// The number of pools at most: those of all ranks and that of the wilds.
const POOLS_MAX: usize = Rank::NATURAL.len() + 1;

/// The shares for one hand where the side has what going out requires.
pub(super) struct SimpleShares {
    /// The numbers of wilds that each pool can take with all its naturals.
    takes: [u64; POOLS_MAX],
    /// The sums of these numbers for each pool and those after it.
    ends: [u64; POOLS_MAX + 1],
}

impl Search<'_> {
    /// Whether only numbers of wilds are to be chosen, and all that must be reached is a number of canastas or content.
    pub(super) fn only_shares(&self) -> bool {
        self.set.melds_per_rank == MeldsPerRank::One
            && !self.set.sequences
            && self.points_due <= 0
            && self.pools.iter().all(|pool| pool.spots.len() <= 1)
    }

    /// Whether the canastas that lie there suffice to go out, whatever is laid, and nothing else is required.
    fn has_what_is_required(&self) -> bool {
        let set = self.set;
        let full = |pool: &Pool| pool.spots.iter().filter(|spot| spot.is_full(set)).count();
        let needs_content = self.initial && set.initial_content != InitialContent::None;
        let kinds = [set.go_out_clean, set.go_out_wild, set.go_out_sequence, set.go_out_mixed];
        let is_only_total = kinds == [0; 4] && set.go_out_ranks.is_empty();
        let total = usize::from(self.settled.total) + self.pools.iter().map(full).sum::<usize>();
        is_only_total && !needs_content && total >= set.go_out_total.into()
    }

    /// WildShares out the wilds under the lock that holds now; leaves the choice in `chosen`. Returns whether all fits.
    pub(super) fn share_out(&mut self) -> bool {
        if !self.nodes.visit() {
            return false;
        }
        if self.lock == Lock::Nothing && self.has_what_is_required() {
            return self.share_simply();
        }
        let mut shares = core::mem::take(&mut self.shares);
        let known = shares.iter().position(|shares| shares.lock == self.lock);
        let at = known.unwrap_or_else(|| {
            shares.push(WildShares::of(self));
            shares.len() - 1
        });
        let fits = shares[at].fill(self);
        self.shares = shares;
        fits
    }

    /// WildShares out the wilds where any share will do that lays all cards.
    fn share_simply(&mut self) -> bool {
        let simple = self.simple_shares.take().unwrap_or_else(|| self.simple_shares());
        let (mut takes, mut ends) = (simple.takes, simple.ends);
        if let Some(at) = self.pools.iter().position(|pool| pool.held != pool.most) {
            takes[at] = self.takes(&self.pools[at], self.pools[at].held);
            (0..=at).rev().for_each(|at| ends[at] = sums(takes[at], ends[at + 1]));
        }
        self.simple_shares = Some(simple);
        let mut left = self.wilds;
        if ends[0] >> left & 1 == 0 {
            return false;
        }
        for at in 0..self.pools.len() {
            let leads = |wilds: &u8| takes[at] >> wilds & 1 != 0 && ends[at + 1] >> (left - wilds) & 1 != 0;
            let wilds = (0..=left).find(leads).expect("the words lead to the end");
            self.choose(at, wilds);
            left -= wilds;
        }
        true
    }

    fn simple_shares(&self) -> SimpleShares {
        let (mut takes, mut ends) = ([0; POOLS_MAX], [0; POOLS_MAX + 1]);
        ends[self.pools.len()] = 1;
        for (at, pool) in self.pools.iter().enumerate().rev() {
            takes[at] = self.takes(pool, pool.most);
            ends[at] = sums(takes[at], ends[at + 1]);
        }
        self.nodes.add(WORDS_PER_FILLING * self.pools.len() as u32 / WORDS_PER_NODE);
        SimpleShares { takes, ends }
    }

    /// Returns the numbers of wilds with which a pool can lay this many naturals, as bits.
    fn takes(&self, pool: &Pool, naturals: u8) -> u64 {
        let nothing = u64::from(pool.spots.is_empty() && naturals == 0);
        let slot = self.next_meld(pool, 0, naturals).filter(|&(_, least)| least <= naturals);
        nothing | slot.map_or(0, |(slot, _)| self.fitting(slot, naturals, self.all_wilds))
    }

    /// Chooses the cards of a pool: all its naturals, and so many wilds, go to its meld.
    fn choose(&mut self, at: usize, wilds: u8) {
        let pool = &self.pools[at];
        if pool.held == 0 && wilds == 0 {
            return;
        }
        let (spot, _) = self.next_meld(pool, 0, pool.held).expect("what is shared out has a meld");
        self.chosen.push(Filling { spot, naturals: pool.held, wilds });
    }
}

impl WildShares {
    /// Returns the shares of all wilds among the pools with all their naturals.
    fn of(search: &Search<'_>) -> Self {
        let classes = ProgressClasses::of(search.set, search.initial);
        let (count, pools) = (classes.count(), search.pools.len());
        let (steps, ends) = (ClassSteps::of(classes), Words::from_elem(0, (pools + 1) * count));
        let mut shares = Self { lock: search.lock, classes, steps, gains: SmallVec::new(), ends };
        // At the end no wild is left, and the last class has reached everything.
        shares.ends[(pools + 1) * count - 1] = 1;
        for pool in &search.pools {
            let gains = shares.gains_of(search, pool, pool.most);
            shares.gains.push(gains);
        }
        for at in (0..pools).rev() {
            combine(&shares.steps, &shares.gains[at], at, &mut shares.ends, count);
        }
        let fillings = pools as u32 * (u32::from(search.all_wilds) + 1);
        search.nodes.add((WORDS_PER_FILLING * fillings + (pools * count) as u32) / WORDS_PER_NODE);
        shares
    }

    /// Returns the numbers of wilds with which a pool can lay this many naturals.
    fn gains_of(&mut self, search: &Search<'_>, pool: &Pool, naturals: u8) -> Gains {
        let mut gains = Gains::new();
        if pool.spots.is_empty() && naturals == 0 && !search.asks_for(pool) {
            gains.push((self.steps.nothing(), 1));
        }
        let slot = search.next_meld(pool, 0, naturals).filter(|&(_, least)| least <= naturals);
        if let Some((slot, _)) = slot {
            self.steps.add_gains(search, (&slot, naturals), search.all_wilds, &mut gains);
        }
        if search.asks_for(pool) {
            gains.retain(|(gain, _)| !gain.is_open);
        }
        gains
    }

    /// Fills the melds of all pools as they hold their cards now. Returns whether all fits.
    fn fill(&mut self, search: &mut Search<'_>) -> bool {
        let count = self.classes.count();
        let changed = search.pools.iter().position(|pool| pool.held != pool.most);
        let kept = changed.map(|at| {
            let gains = self.gains_of(search, &search.pools[at], search.pools[at].held);
            core::mem::replace(&mut self.gains[at], gains)
        });
        // The discard changes the words of its pool and of those before it.
        let last = changed.map_or(0, |at| at + 1);
        let before = Words::from_slice(&self.ends[..last * count]);
        for at in (0..last).rev() {
            combine(&self.steps, &self.gains[at], at, &mut self.ends, count);
        }
        search.nodes.add((last * count) as u32 / WORDS_PER_NODE);
        let fits = self.follow(search);
        self.ends[..last * count].copy_from_slice(&before);
        if let (Some(at), Some(kept)) = (changed, kept) {
            self.gains[at] = kept;
        }
        fits
    }

    /// Follows the words from the first pool to the end. Returns whether they lead there.
    fn follow(&self, search: &mut Search<'_>) -> bool {
        let count = self.classes.count();
        let (mut class, mut left) = (self.classes.class(&search.reached()), search.wilds);
        if self.ends[class] >> left & 1 == 0 {
            return false;
        }
        for (at, gains) in self.gains.iter().enumerate() {
            let ends = &self.ends[(at + 1) * count..][..count];
            let least = |&(gain, numbers): &(Gain, u64)| {
                let then = usize::from(self.steps.classes_after(gain)[class]);
                let leads = |wilds: &u8| numbers >> wilds & 1 != 0 && ends[then] >> (left - wilds) & 1 != 0;
                (0..=left).find(leads).map(|wilds| (wilds, then))
            };
            let least = gains.iter().filter_map(least).min().expect("the words lead to the end");
            search.choose(at, least.0);
            (class, left) = (least.1, left - least.0);
        }
        true
    }
}

/// Computes the words of a pool from the words of the next one.
fn combine(steps: &ClassSteps, gains: &Gains, at: usize, ends: &mut [u64], count: usize) {
    let (words, after) = ends[at * count..].split_at_mut(count);
    words.fill(0);
    for &(gain, numbers) in gains {
        for (word, &then) in words.iter_mut().zip(steps.classes_after(gain)) {
            let end = after[usize::from(then)];
            *word |= if end == 0 { 0 } else { sums(end, numbers) };
        }
    }
}
