//! The wild table: in which states of the search all cards that are left can be laid, and with which numbers of wilds.
//!
//! A state is a pool and one of its melds, the naturals of the pool that are still in the hand, and what has been
//! reached so far. Its cell has a bit for each number of wilds left. The table is computed from the last pool to the
//! first. Its cost is a polynomial of the hand, and a search that reads it never turns back.

use super::MeldSlot;
use super::classes::{ClassSteps, Gains, ProgressClasses, Reached};
use super::search::{Filling, Lock, Needed, Pool, Search, WORDS_PER_NODE};
use crate::action::MeldKind;
use crate::rules::MeldsPerRank;
use alloc::vec;
use alloc::vec::Vec;

/// The melds of one rank so far, in a rule set where only one of them may be open ([`MeldsPerRank::OneOpen`]). In other
/// rule sets it stays [`Openness::Full`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Openness {
    /// No meld was begun, and every old one is full.
    Full,
    /// Melds were begun; all melds are full.
    Begun,
    /// Melds were begun; one of them is open.
    BegunOpen,
    /// No meld was begun, and an old one is open.
    OldOpen,
}

impl Openness {
    const ALL: [Self; 4] = [Self::Full, Self::Begun, Self::BegunOpen, Self::OldOpen];

    /// Returns the state after one more meld, or `None` if these melds may not lie beside each other.
    pub(super) fn after(self, is_new: bool, is_open: bool) -> Option<Self> {
        match (self, is_new, is_open) {
            (Self::Full, false, false) => Some(Self::Full),
            (Self::Full | Self::OldOpen, false, _) => Some(Self::OldOpen),
            (Self::Begun | Self::BegunOpen, _, false) => Some(self),
            (Self::Full, true, false) => Some(Self::Begun),
            (Self::Full | Self::Begun, true, true) => Some(Self::BegunOpen),
            (Self::OldOpen, true, _) | (Self::Begun, false, true) | (Self::BegunOpen, _, true) => None,
        }
    }
}

impl Search<'_> {
    /// Returns how the melds of a rank lie after one more filling; `None` if they may not lie beside each other.
    pub(super) fn openness(&self, before: Openness, filling: &Filling) -> Option<Openness> {
        if self.set.melds_per_rank != MeldsPerRank::OneOpen {
            return Some(before);
        }
        before.after(filling.spot.is_new(), !filling.grown().is_full(self.set))
    }
}

/// The number of words that cost as much as one filling that is judged.
pub(super) const WORDS_PER_FILLING: u32 = 2;

/// The cells of one pool: for each meld, for each number of naturals left before it.
struct PoolCells {
    held: usize,
    /// The index of the last meld: new melds, as many as the cards allow, or the end after a single new one.
    last: usize,
    cells: Vec<u64>,
}

/// The wild table of a hand.
#[derive(Default)]
pub(super) struct Prospects {
    classes: ProgressClasses,
    opennesses: usize,
    /// Whether a canasta of some ranks is asked for: then each state of a pool is doubled, by whether the pool has one.
    is_doubled: bool,
    steps: ClassSteps,
    /// The gains of a new meld of any rank by the number of naturals, if the rule set treats all ranks alike. They hold for
    /// one number of wilds in the hand, and one lock.
    alike: Vec<Gains>,
    alike_for: Option<(u8, Lock)>,
    pools: Vec<PoolCells>,
    /// The number of words that were combined.
    pub words: u32,
    /// The number of words after which the table stays unfinished: then the nodes of the question are used up.
    most_words: u32,
}

impl Prospects {
    /// Returns the table of the pools of a search as they hold their cards now. `before` is the table of another final
    /// discard.
    pub(super) fn of(search: &Search<'_>, before: Self) -> Self {
        let mut prospects = Self::empty(search, ProgressClasses::of(search.set, search.initial));
        prospects.is_doubled = !search.set.go_out_ranks.is_empty();
        if before.alike_for == prospects.alike_for {
            (prospects.steps, prospects.alike) = (before.steps, before.alike);
        }
        let count = prospects.classes.count();
        // At the end no wild is left, and the last class has reached everything.
        let mut ends = vec![0; count];
        ends[count - 1] = 1;
        for pool in search.pools.iter().rev() {
            if prospects.is_cut() {
                return prospects;
            }
            let cells = prospects.pool(search, pool, &ends);
            for (class, end) in ends.iter_mut().enumerate() {
                *end = cells.cells[prospects.at(&cells, 0, cells.held, 0, class)];
            }
            prospects.pools.push(cells);
        }
        prospects.pools.reverse();
        prospects
    }

    /// Returns a table of pools that are judged each by itself, with [`Self::wilds_needed`].
    pub(super) fn of_lone_pools(search: &Search<'_>) -> Self {
        Self::empty(search, ProgressClasses::ONE)
    }

    /// Returns the minimum number of wilds with which `pool` alone can lay each number of naturals, up to the number
    /// that it holds; `None` if it cannot.
    pub(super) fn wilds_needed(&mut self, search: &Search<'_>, pool: &Pool) -> Needed {
        let cells = self.pool(search, pool, &[1]);
        let wilds = |naturals| cells.cells[self.at(&cells, 0, naturals, 0, 0)];
        let least = |wilds: u64| (wilds != 0).then(|| wilds.trailing_zeros() as u8);
        (0..=cells.held).map(|naturals| least(wilds(naturals))).collect()
    }

    /// Whether all cards can be laid from meld `spot` of pool `i` on.
    pub(super) fn allow(
        &self,
        (i, spot): (usize, usize),
        naturals: u8,
        (openness, has_canasta): (Openness, bool),
        reached: &Reached,
        left: u8,
    ) -> bool {
        let pool = &self.pools[i];
        let lie = self.lie(openness as usize, has_canasta);
        let at = self.at(pool, spot, naturals.into(), lie, self.classes.class(reached));
        pool.cells[at] >> left & 1 != 0
    }

    fn empty(search: &Search<'_>, classes: ProgressClasses) -> Self {
        let opennesses = match search.set.melds_per_rank {
            MeldsPerRank::OneOpen => Openness::ALL.len(),
            MeldsPerRank::One | MeldsPerRank::Many => 1,
        };
        let alike_for = Some((search.wilds, search.lock));
        let most_words = search.nodes.left().saturating_mul(WORDS_PER_NODE);
        Self { classes, opennesses, steps: ClassSteps::of(classes), alike_for, most_words, ..Self::default() }
    }

    fn is_cut(&self) -> bool {
        self.words >= self.most_words
    }

    /// Returns the number of the states of a pool's melds.
    fn lies(&self) -> usize {
        self.opennesses << u8::from(self.is_doubled)
    }

    /// Returns the index of a state of a pool's melds.
    fn lie(&self, openness: usize, has_canasta: bool) -> usize {
        openness + if self.is_doubled && has_canasta { self.opennesses } else { 0 }
    }

    fn at(&self, pool: &PoolCells, spot: usize, naturals: usize, lie: usize, class: usize) -> usize {
        let row = spot.min(pool.last) * (pool.held + 1) + naturals;
        (row * self.lies() + lie) * self.classes.count() + class
    }

    /// Returns the cells of a pool. `ends` are the cells after the pool, by class.
    fn pool(&mut self, search: &Search<'_>, pool: &Pool, ends: &[u64]) -> PoolCells {
        let (held, spots) = (usize::from(pool.held), pool.spots.len());
        let last = if search.set.melds_per_rank == MeldsPerRank::One { spots + 1 } else { spots };
        let count = (last + 1) * (held + 1) * self.lies() * ends.len();
        let mut cells = PoolCells { held, last, cells: vec![0; count] };
        // Where no naturals are left, the pool may end after its own melds.
        let first = if self.is_doubled && search.asks_for(pool) { self.opennesses } else { 0 };
        for (spot, lie) in (spots..=last).flat_map(|spot| (first..self.lies()).map(move |lie| (spot, lie))) {
            let at = self.at(&cells, spot, 0, lie, 0);
            cells.cells[at..at + ends.len()].copy_from_slice(ends);
        }
        for spot in (0..=spots).rev() {
            let new = MeldSlot::new(pool.kind, pool.rank);
            let slot = pool.spots.get(spot).unwrap_or(&new);
            let is_alike = spot == spots && pool.kind == MeldKind::Set && search.set.treats_ranks_alike();
            let mut gains = if is_alike { core::mem::take(&mut self.alike) } else { Vec::new() };
            for added in gains.len() as u8..=pool.held {
                gains.push(self.gains(search, slot, added));
            }
            for naturals in 0..=pool.held {
                self.lay(search, pool, (spot, naturals), &gains, &mut cells);
            }
            if is_alike {
                self.alike = gains;
            }
        }
        cells
    }

    /// Computes the cells of one meld before which a number of naturals is left. `gains` are those by the number of
    /// naturals that are added.
    fn lay(
        &mut self,
        search: &Search<'_>,
        pool: &Pool,
        (spot, naturals): (usize, u8),
        gains: &[Gains],
        cells: &mut PoolCells,
    ) {
        let Some((_, least)) = search.next_meld(pool, spot, naturals) else { return };
        for added in least..=naturals {
            let to = (spot + 1, usize::from(naturals - added));
            // A new wild meld may be followed by another one, which reads the cells that are written here.
            while self.combine(&gains[usize::from(added)], (spot, naturals.into()), to, cells)
                && pool.kind == MeldKind::Wild
                && spot == cells.last
            {}
        }
    }

    /// Returns the numbers of wilds with which a meld can be filled by `naturals`, for each gain.
    fn gains(&mut self, search: &Search<'_>, spot: &MeldSlot, naturals: u8) -> Gains {
        let mut gains = Gains::new();
        self.words += WORDS_PER_FILLING * (u32::from(search.wilds) + 1);
        self.steps.add_gains(search, (spot, naturals), search.wilds, &mut gains);
        gains
    }

    /// Adds to the cells of `from` what leads from there to the cells of `to` by these gains; both are a meld and the
    /// naturals left before it. Returns whether a cell has changed.
    fn combine(
        &mut self,
        gains: &Gains,
        from: (usize, usize),
        to: (usize, usize),
        cells: &mut PoolCells,
    ) -> bool {
        let (mut changed, count) = (false, self.classes.count());
        for &(gain, wilds) in gains {
            let class_after = self.steps.classes_after(gain);
            for lie in 0..self.lies() {
                let (openness, has_canasta) = (lie % self.opennesses, lie >= self.opennesses);
                let after = match self.opennesses {
                    1 => Some(Openness::Full),
                    _ => Openness::ALL[openness].after(gain.is_new, gain.is_open),
                };
                let Some(after) = after else { continue };
                if self.is_cut() {
                    return false;
                }
                let then = self.lie(after as usize, has_canasta || !gain.is_open);
                let to = self.at(cells, to.0, to.1, then, 0);
                let from = self.at(cells, from.0, from.1, lie, 0);
                self.words += count as u32;
                for (class, &then) in class_after.iter().enumerate() {
                    let ends = cells.cells[to + usize::from(then)];
                    let cell = cells.cells[from + class];
                    let all = if ends == 0 { cell } else { cell | sums(ends, wilds) };
                    changed |= all != cell;
                    cells.cells[from + class] = all;
                }
            }
        }
        changed
    }
}

/// Returns every sum of a number of `a` and a number of `b`, as bits.
pub(super) fn sums(a: u64, b: u64) -> u64 {
    let (mut few, many) = if a.count_ones() < b.count_ones() { (a, b) } else { (b, a) };
    let mut sums = 0;
    while few != 0 {
        sums |= many << few.trailing_zeros();
        few &= few - 1;
    }
    sums
}
