//! The search over the distribution of the wild cards. Most hands that can go out need no table: the search hardly turns
//! back. If it does not end within [`PLAIN_STATES`], the [wild table](super::prospects) says which states lead to the
//! end, and the search begins again. Then it turns back only where points are due.

use super::prospects::{Openness, Prospects, Reached};
use super::{MeldSlot, Reach, WayOut};
use crate::action::{CardList, MeldKind};
use crate::card::{Card, Cards, Rank};
use crate::facts::{self, InitialPart};
use crate::nodes::Nodes;
use crate::rules::{CanastaAccepts, InitialContent, MeldsPerRank, RuleSet, Rules};
use crate::scoring;
use crate::table::{Canastas, grade};
use alloc::vec::Vec;
use smallvec::SmallVec;

mod cover;
mod sequences;

use sequences::Sequences;

/// The number of words of the wild table that cost as much as one node.
pub(super) const WORDS_PER_NODE: u32 = 8;

/// The number of states that are searched without the wild table at first. Most searches visit fewer, and a table costs
/// more than these states.
const PLAIN_STATES: u32 = 48;

/// The cards that one meld receives, by number.
#[derive(Clone, Copy)]
pub(super) struct Filling {
    pub spot: MeldSlot,
    pub naturals: u8,
    pub wilds: u8,
}

impl Filling {
    /// Returns the meld with these cards.
    pub(super) fn grown(&self) -> MeldSlot {
        let MeldSlot { naturals, wilds, .. } = self.spot;
        MeldSlot { naturals: naturals + self.naturals, wilds: wilds + self.wilds, ..self.spot }
    }

    /// Returns the cards that are added, as they count for an initial batch; `None` if there are none.
    fn part(&self) -> Option<InitialPart> {
        let part = InitialPart { kind: self.spot.kind, naturals: self.naturals, wilds: self.wilds };
        (self.naturals + self.wilds > 0).then_some(part)
    }

    /// Whether the added cards are content that an initial batch may have to have.
    pub(super) fn is_content(&self, set: &RuleSet) -> bool {
        self.part().is_some_and(|part| part.is_content(set))
    }
}

/// The cards that go to one meld.
struct Placed {
    at: Option<u8>,
    kind: MeldKind,
    rank: Option<Rank>,
    cards: CardList,
}

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
    pub(super) lock: Lock,
    pub(super) wilds: u8,
    sequences: Sequences,
    /// Canastas that no card can change. Their melds are in no pool.
    settled: Canastas,
    /// Whether the cards are an initial batch, which must hold what the rule set asks for.
    pub(super) initial: bool,
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
        let (mut pools, mut settled) = (SmallVec::new(), Canastas::default());
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
            set: reach.set,
            closed: reach.closed,
            pools,
            chosen: SmallVec::new(),
            prospects: Prospects::default(),
            plain_left: None,
            lock: Lock::Nothing,
            wilds: 0,
            sequences: Sequences::of(reach),
            settled,
            initial: reach.initial,
            points_due: 0,
            hand: Cards::EMPTY,
            jokers_first: false,
        }
    }

    /// Searches for a way to lay all of `hand`, a part of the table's. Returns whether there is one.
    pub(super) fn begin(&mut self, hand: &Cards) -> bool {
        self.wilds = hand.wilds();
        (self.hand, self.jokers_first) = (*hand, false);
        let counts = hand.rank_counts();
        for pool in &mut self.pools {
            pool.held = pool.rank.map_or(0, |rank| counts[rank.index()]);
        }
        if self.set.sequences {
            return self.cover();
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
            self.plain_left = Some(PLAIN_STATES);
            if self.enter(0, self.wilds) {
                return true;
            }
            if self.plain_left.take() > Some(0) {
                return false;
            }
            self.chosen.clear();
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
        if spot >= pool.spots.len() && is_done && self.enter(i + 1, left.1) {
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
            None => self.prospects.allow(at, left.0, openness, &self.reached(), left.1),
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

    /// Whether the meld may take this filling.
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
        let content = self.sequences.groups().next().is_some()
            || self.chosen.iter().any(|filling| filling.is_content(self.set));
        Reached { canastas: self.canastas(), content }
    }

    /// Whether the batch reaches the minimum, or needs none. Twos and jokers differ in what they are worth in a wild
    /// meld, so both cases are tried: the sets get the twos first, or the jokers.
    fn is_worth_enough(&mut self) -> bool {
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
        let laid: i32 = self.laid(&mut left, &mut jokers).iter().map(points).sum();
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

    /// Returns the cards of each meld, except black threes, and takes them out of `left`. Counts the jokers in wild
    /// melds.
    fn laid(&self, left: &mut Cards, jokers: &mut u8) -> Vec<Placed> {
        let mut groups = Vec::with_capacity(self.chosen.len());
        for (at, cards) in self.sequences.groups() {
            cards.iter().for_each(|&card| _ = left.remove(card));
            groups.push(Placed { at, kind: MeldKind::Sequence, rank: None, cards });
        }
        let wilds = match self.jokers_first {
            true => [Rank::Joker, Rank::Two],
            false => [Rank::Two, Rank::Joker],
        };
        for f in self.chosen.iter().filter(|f| f.naturals + f.wilds > 0) {
            let mut cards = CardList::new();
            if let Some(rank) = f.spot.rank {
                move_lowest(left, rank, f.naturals, &mut cards);
            }
            let others = f.wilds - move_lowest(left, wilds[0], f.wilds, &mut cards);
            move_lowest(left, wilds[1], others, &mut cards);
            if f.spot.kind == MeldKind::Wild {
                *jokers += cards.iter().filter(|&&card| card == Card::JOKER).count() as u8;
            }
            let MeldSlot { at, kind, rank, .. } = f.spot;
            groups.push(Placed { at, kind, rank, cards });
        }
        groups
    }

    pub(super) fn way(&self, mut left: Cards, discard: Option<Card>, black: Option<u8>) -> WayOut {
        let laid = self.laid(&mut left, &mut 0);
        let mut groups: Vec<_> = laid.into_iter().map(|laid| (laid.at, laid.kind, laid.cards)).collect();
        let mut threes = CardList::new();
        let held = left.black_threes();
        move_lowest(&mut left, Rank::Three, held, &mut threes);
        if !threes.is_empty() {
            groups.push((black, MeldKind::BlackThrees, threes));
        }
        WayOut { discard, groups }
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
