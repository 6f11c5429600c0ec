//! The search over the distribution of the wild cards. Most hands that can go out need no table: the search hardly turns
//! back. If it does not end within [`PLAIN_STATES`], the [wild table](super::prospects) says which states lead to the
//! end, and the search begins again. Then it turns back only where points are due.

use super::classes::Reached;
use super::prospects::{Openness, Prospects};
use super::{MeldSlot, Reach};
use crate::action::MeldKind;
use crate::card::{Card, Cards, Rank};
use crate::facts::{self, InitialPart};
use crate::nodes::Nodes;
use crate::rules::{CanastaAccepts, InitialContent, MeldsPerRank, RuleSet, Rules};
use crate::table::{Canastas, grade};
use alloc::vec::Vec;
use smallvec::SmallVec;

mod cover;
mod filling;
mod laid;
mod sequences;
mod shares;

pub(super) use filling::Filling;
pub(crate) use laid::FoundWay;
pub(super) use sequences::Needed;
use sequences::Sequences;
use shares::{SimpleShares, WildShares};

/// The number of words of the wild table that cost as much as one node.
pub(super) const WORDS_PER_NODE: u32 = 8;

/// The number of states that are searched without the wild table at first. Most searches visit fewer, and a table costs
/// more than these states.
const PLAIN_STATES: u32 = 48;

/// All cards of one rank, or all wilds that go to wild melds, and the melds that they can go to.
pub(super) struct Pool {
    pub kind: MeldKind,
    pub rank: Option<Rank>,
    pub held: u8,
    /// The number of cards that it holds where none of them is kept for the final discard.
    pub most: u8,
    pub spots: SmallVec<[MeldSlot; 2]>,
}

/// The fillings that a lock on wilds (ALG-10) forbids.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lock {
    Nothing,
    /// No wild lies outside wild melds.
    WildsOutside,
    /// No wild meld that lay there stays open.
    OpenWildMelds,
}

pub(super) struct Search<'t> {
    pub(super) nodes: &'t Nodes,
    rules: &'t Rules,
    pub(super) set: &'t RuleSet,
    closed: u16,
    /// The pools of all ranks that are held or melded; the wilds' pool comes last.
    pub(super) pools: SmallVec<[Pool; 13]>,
    /// The fillings chosen so far.
    chosen: SmallVec<[Filling; 16]>,
    /// The states that lead to the end.
    prospects: Prospects,
    /// The number of states that may still be visited without the table; `None` while the search reads it.
    plain_left: Option<u32>,
    /// Whether the search has needed the table for a final discard: then it begins with the table for the others.
    needs_table: bool,
    /// The shares of the wilds under each lock, where they alone decide.
    shares: Vec<WildShares>,
    simple_shares: Option<SimpleShares>,
    pub(super) lock: Lock,
    /// The number of wilds to be laid, and the number in the whole hand.
    pub(super) wilds: u8,
    all_wilds: u8,
    sequences: Sequences,
    /// Canastas that no card can change. Their melds are in no pool.
    settled: Canastas,
    /// Whether there are sequences, and the canastas that lie there suffice to go out, whatever else is laid.
    has_canastas: bool,
    /// Whether the cards are an initial batch, which must hold what the rule set asks for.
    pub(super) initial: bool,
    /// Whether cards that are judged together with these lie on a sequence.
    has_loose_sequence: bool,
    /// The points that the melds must be worth, if these depend on where the cards go (GR-014, HN-066); else 0.
    /// `i32::MAX` if only a canasta that lifts the minimum helps (MA-103).
    pub(super) points_due: i32,
    /// The cards to be laid.
    hand: Cards,
    /// Whether the sets get the jokers first, and the twos after them.
    jokers_first: bool,
}

impl<'t> Search<'t> {
    pub(super) fn new(reach: &'t Reach<'_>, nodes: &'t Nodes) -> Self {
        let (set, mut pools, mut settled) = (reach.set, SmallVec::new(), Canastas::default());
        let counts = reach.hand.rank_counts();
        let closed = reach.set.canasta_accepts == CanastaAccepts::Naturals;
        // Several completed sets of a rank that take naturals only are as good as one, and a completed wild meld takes
        // nothing.
        let mut is_settled = |spot: &&MeldSlot, known: &[MeldSlot]| {
            let alike = closed && spot.is_full(reach.set) && !spot.is_loose() && !spot.is_new();
            let settles =
                alike && (spot.kind == MeldKind::Wild || known.iter().any(|other| other.is_full(reach.set)));
            if settles {
                settled.count(reach.set, spot.rank, spot.wilds, spot.grade(reach.set));
            }
            settles
        };
        // Sequences go through all ranks in their order, aces last.
        let all = reach.set.sequences;
        let ranks = Rank::NATURAL.into_iter().cycle().skip(usize::from(all));
        for rank in ranks.take(Rank::NATURAL.len()) {
            let held = counts[rank.index()];
            let mut spots: SmallVec<[MeldSlot; 2]> = SmallVec::new();
            for spot in reach.melds.iter().filter(|s| s.rank == Some(rank)) {
                if !is_settled(&spot, &spots) {
                    spots.push(*spot);
                }
            }
            if held > 0 || !spots.is_empty() || all {
                pools.push(Pool { kind: MeldKind::Set, rank: Some(rank), held, most: held, spots });
            }
        }
        let wild = reach.melds.iter().filter(|s| s.kind == MeldKind::Wild);
        let spots = wild.filter(|spot| !is_settled(spot, &[])).copied().collect();
        pools.push(Pool { kind: MeldKind::Wild, rank: None, held: 0, most: 0, spots });
        Self {
            nodes,
            rules: reach.rules,
            set,
            closed: reach.closed,
            pools,
            chosen: SmallVec::new(),
            prospects: Prospects::default(),
            plain_left: None,
            needs_table: false,
            shares: Vec::new(),
            simple_shares: None,
            lock: Lock::Nothing,
            wilds: 0,
            all_wilds: reach.hand.wilds(),
            sequences: Sequences::of(reach),
            settled,
            has_canastas: set.sequences && reach.has_canastas(),
            initial: reach.initial,
            has_loose_sequence: reach
                .melds
                .iter()
                .any(|slot| slot.sequence.is_some() && slot.base.0 < slot.naturals),
            points_due: 0,
            hand: Cards::EMPTY,
            jokers_first: false,
        }
    }

    /// Searches for a way to lay all of `hand`: the hand of the reach without the final discard. Returns whether there is
    /// one.
    pub(super) fn begin(&mut self, hand: &Cards, discard: Option<Card>) -> bool {
        self.wilds = hand.wilds();
        (self.hand, self.jokers_first) = (*hand, false);
        let counts = hand.rank_counts();
        for pool in &mut self.pools {
            pool.held = pool.rank.map_or(0, |rank| counts[rank.index()]);
        }
        if self.set.sequences {
            return self.cover(discard);
        }
        let is_few = |pool: &Pool| pool.spots.is_empty() && (1..self.set.min_naturals).contains(&pool.held);
        !self.pools.iter().any(is_few) && self.lay_sets()
    }

    /// Fills the melds of all pools; leaves the choice in `chosen`. Returns whether all fits.
    fn lay_sets(&mut self) -> bool {
        if self.sequences.complete(self.set) < self.set.go_out_sequence {
            return false;
        }
        let is_open = |spot: &MeldSlot| (1..self.set.canasta_size).contains(&spot.base.1);
        let wilds_pool = self.pools.last().expect("the wilds have a pool");
        let locks: &[Lock] = match self.set.wild_lock && wilds_pool.spots.iter().any(is_open) {
            true => &[Lock::WildsOutside, Lock::OpenWildMelds],
            false => &[Lock::Nothing],
        };
        locks.iter().any(|&lock| {
            self.lock = lock;
            self.chosen.clear();
            if self.only_shares() {
                return self.share_out();
            }
            if !self.needs_table {
                self.plain_left = Some(PLAIN_STATES);
                if self.enter(0, self.wilds) {
                    return true;
                }
                if self.plain_left.take() > Some(0) {
                    return false;
                }
                self.needs_table = true;
                self.chosen.clear();
            }
            let before = core::mem::take(&mut self.prospects);
            self.prospects = Prospects::of(self, before);
            self.nodes.add(1 + self.prospects.words / WORDS_PER_NODE);
            // A table that is cut is not read.
            !self.nodes.are_used_up() && self.enter(0, self.wilds)
        })
    }

    /// Fills the pools from `i` on with `left` wilds. Returns whether all fits.
    fn enter(&mut self, i: usize, left: u8) -> bool {
        let Some(pool) = self.pools.get(i) else { return self.may_go_out() && self.is_worth_enough() };
        let left = (pool.held, left);
        self.fill((i, 0), left, Openness::Full)
    }

    /// Fills the melds of a pool from `at` on, own ones before new ones, with naturals and wilds that are `left`.
    /// Returns whether all fits.
    fn fill(&mut self, at: (usize, usize), left: (u8, u8), openness: Openness) -> bool {
        let (i, spot) = at;
        if !self.may_visit(at, left, openness) || !self.nodes.visit() {
            return false;
        }
        let pool = &self.pools[i];
        let next = self.next_meld(pool, spot, left.0);
        // A rank whose only card is kept for the discard has nothing to place.
        let is_done = left.0 == 0 && (pool.kind == MeldKind::Set || left.1 == 0);
        if spot >= pool.spots.len() && is_done && self.has_canasta_asked(i) && self.enter(i + 1, left.1) {
            return true;
        }
        let Some((old, least)) = next else { return false };
        for naturals in (least..=left.0).rev() {
            for wilds in 0..=left.1 {
                let filling = Filling { spot: old, naturals, wilds };
                let Some(openness) = self.openness(openness, &filling).filter(|_| self.fits(&filling)) else {
                    continue;
                };
                self.chosen.push(filling);
                if self.fill((i, spot + 1), (left.0 - naturals, left.1 - wilds), openness) {
                    return true;
                }
                self.chosen.pop();
            }
        }
        false
    }

    /// Whether a state can lead to the end: as the wild table says, or as long as the search does without it.
    fn may_visit(&mut self, at: (usize, usize), left: (u8, u8), openness: Openness) -> bool {
        match &mut self.plain_left {
            Some(plain_left) => {
                *plain_left = plain_left.saturating_sub(1);
                *plain_left > 0
            }
            None => {
                let state = (openness, self.has_canasta_asked(at.0));
                self.prospects.allow(at, left.0, state, &self.reached(), left.1)
            }
        }
    }

    /// Whether what is chosen has the canastas and the content that going out requires.
    fn may_go_out(&self) -> bool {
        let Reached { canastas, content } = self.reached();
        let needs_content = self.initial && self.set.initial_content != InitialContent::None;
        facts::suffices(self.set, canastas) && (content || !needs_content)
    }

    /// Returns the meld of a pool that is filled next and the minimum number of naturals that it takes; `None` if no
    /// meld can be filled while `naturals` are left. The melds after the last own one are new.
    pub(super) fn next_meld(&self, pool: &Pool, spot: usize, naturals: u8) -> Option<(MeldSlot, u8)> {
        let several = self.set.melds_per_rank != MeldsPerRank::One;
        let is_wild = pool.kind == MeldKind::Wild;
        // A single meld takes all cards of its rank.
        let all = if several || is_wild { 0 } else { naturals };
        if let Some(&old) = pool.spots.get(spot) {
            return Some((old, all));
        }
        let is_closed = pool.rank.is_some_and(|rank| self.closed & (1 << rank.index()) != 0);
        let has_one = spot > 0 || (is_wild && self.settled.wild > 0);
        let may_begin = if is_wild { self.set.wild_melds } else { naturals > 0 && !is_closed };
        let least = if is_wild { 0 } else { all.max(self.set.min_naturals).max(1) };
        (may_begin && (several || !has_one)).then(|| (MeldSlot::new(pool.kind, pool.rank), least))
    }

    /// Returns the numbers of wilds, up to `most`, with which a meld that takes these naturals is filled well, as bits.
    pub(super) fn fitting(&self, spot: MeldSlot, naturals: u8, most: u8) -> u64 {
        let set = self.set;
        let fits = |wilds: u8| self.fits(&Filling { spot, naturals, wilds });
        // The cards of a take, and those of a batch, lie there without being part of what lay there before.
        let is_plain = spot.rank.is_some()
            && spot.taken.is_none()
            && spot.base == (spot.naturals, spot.wilds)
            && self.lock == Lock::Nothing
            && !set.overfill_out
            && set.go_out_bars.is_empty();
        if !is_plain {
            return (0..=most).filter(|&wilds| fits(wilds)).fold(0, |all, wilds| all | 1 << wilds);
        }
        let base = spot.base;
        let takes_wilds = most > 0
            && facts::rank_takes_wilds(set, spot.rank, base.1, self.initial && spot.is_new())
            && (self.initial || base.0 + naturals >= set.wild_add_base);
        let most = if takes_wilds { most } else { 0 };
        let mut fitting = facts::fitting(set, base, naturals, most);
        if naturals == 0 {
            // A meld that nothing is added to stays as it is.
            fitting = fitting & !1 | u64::from(spot.size() > 0);
        }
        debug_assert!((0..=most).all(|wilds| fitting >> wilds & 1 == u64::from(fits(wilds))), "{spot:?}");
        fitting
    }

    pub(super) fn fits(&self, filling: &Filling) -> bool {
        let (set, spot) = (self.set, &filling.spot);
        let grown = filling.grown();
        if !grown.is_full(set) && set.bars_going_out(grown.rank, grown.wilds) {
            return false;
        }
        let base = spot.base;
        let is_locked = match self.lock {
            Lock::Nothing => false,
            Lock::WildsOutside => spot.kind != MeldKind::Wild && grown.wilds > base.1,
            Lock::OpenWildMelds => {
                let is_open = (1..set.canasta_size).contains(&base.1) && !grown.is_full(set);
                spot.kind == MeldKind::Wild && is_open
            }
        };
        if is_locked {
            return false;
        }
        let (naturals, wilds) = (grown.naturals - base.0, grown.wilds - base.1);
        if naturals + wilds == 0 {
            return grown.size() > 0;
        }
        if spot.taken.is_some_and(|(size, first)| facts::surplus(set, size, wilds.saturating_sub(first)) > 0)
        {
            return false;
        }
        let begins = self.initial && spot.is_new();
        if wilds > 0 && !facts::rank_takes_wilds(set, spot.rank, base.1, begins) {
            return false;
        }
        if wilds > 0 && !self.initial && spot.rank.is_some() && grown.naturals < set.wild_add_base {
            return false;
        }
        match spot.kind {
            MeldKind::Wild => {
                let closed = facts::surplus(set, base.1, wilds) > 0;
                let fits = set.wild_meld_max == 0 || grown.wilds <= set.wild_meld_max || set.overfill_out;
                !closed && grown.wilds >= set.meld_min && fits
            }
            _ if set.overfill_out => facts::may_overfill(set, base, (naturals, wilds)),
            _ => facts::may_grow(set, base, (naturals, wilds)),
        }
    }

    fn canastas(&self) -> Canastas {
        let mut canastas = self.settled;
        for filling in &self.chosen {
            let grown = filling.grown();
            canastas.count(self.set, grown.rank, grown.wilds, grown.grade(self.set));
        }
        for len in self.sequences.lengths() {
            canastas.count(self.set, None, 0, grade(self.set, MeldKind::Sequence, len, 0));
        }
        canastas
    }

    fn reached(&self) -> Reached {
        let mut content = self.chosen.iter().any(|filling| filling.is_content(self.set));
        if !content && self.set.sequences {
            let part = InitialPart { kind: MeldKind::Sequence, naturals: self.set.meld_min, wilds: 0 };
            content = part.is_content(self.set)
                && (self.has_loose_sequence || self.sequences.grown().next().is_some());
        }
        Reached { canastas: self.canastas(), content }
    }
}
