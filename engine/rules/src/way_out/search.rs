//! The search over the distribution of the wild cards.

use super::{MeldSlot, Reach, WayOut};
use crate::action::{CardList, MeldKind};
use crate::card::{Card, Cards, Rank};
use crate::facts::{self, InitialPart};
use crate::nodes::Nodes;
use crate::rules::{CanastaAccepts, InitialContent, MeldsPerRank, RuleSet, Rules, WildValue};
use crate::scoring;
use crate::table::{Canastas, grade};
use alloc::vec::Vec;
use smallvec::SmallVec;

mod sequences;

use sequences::Sequences;

/// The number of wilds from which it pays to memoize failed states.
const MEMO_WILDS: u8 = 3;

/// The cards that one meld receives, by number.
#[derive(Clone, Copy)]
struct Filling {
    spot: MeldSlot,
    naturals: u8,
    wilds: u8,
}

impl Filling {
    fn grown(&self) -> MeldSlot {
        let MeldSlot { naturals, wilds, .. } = self.spot;
        MeldSlot { naturals: naturals + self.naturals, wilds: wilds + self.wilds, ..self.spot }
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
struct Pool {
    kind: MeldKind,
    rank: Option<Rank>,
    held: u8,
    spots: SmallVec<[MeldSlot; 2]>,
}

pub(super) struct Search<'t> {
    nodes: &'t Nodes,
    rules: &'t Rules,
    set: &'t RuleSet,
    closed: u16,
    /// The pools of all ranks that are held or melded; the wilds' pool comes last.
    pools: SmallVec<[Pool; 13]>,
    /// The fillings chosen so far.
    chosen: SmallVec<[Filling; 16]>,
    /// States known to fail: a bit per number of canastas reached, for each pool and number of wilds left. Empty if
    /// there are few wilds.
    failed: Vec<u128>,
    wilds: u8,
    sequences: Sequences,
    /// Canastas that no card can change. Their melds are in no pool.
    settled: Canastas,
    /// Whether the cards are an initial batch, which must hold what the rule set asks for.
    initial: bool,
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
                pools.push(Pool { kind: MeldKind::Set, rank: Some(rank), held, spots });
            }
        }
        let wild = reach.melds.iter().filter(|s| s.kind == MeldKind::Wild);
        let spots = wild.filter(|spot| !is_settled(spot, &[])).copied().collect();
        pools.push(Pool { kind: MeldKind::Wild, rank: None, held: 0, spots });
        Self {
            nodes,
            rules: reach.rules,
            set: reach.set,
            closed: reach.closed,
            pools,
            chosen: SmallVec::new(),
            failed: Vec::new(),
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
        let counts = hand.rank_counts();
        for pool in &mut self.pools {
            let Some(rank) = pool.rank else { continue };
            pool.held = counts[rank.index()];
            let is_few = pool.held > 0 && pool.spots.is_empty() && pool.held < self.set.min_naturals;
            if is_few && !self.set.sequences {
                return false;
            }
        }
        self.wilds = hand.wilds();
        (self.hand, self.jokers_first) = (*hand, false);
        self.chosen.clear();
        self.failed.clear();
        if self.set.sequences {
            self.sequences.begin(hand, self.points_due != 0);
        // The worth of the melds is not part of a memoized state.
        } else if self.wilds >= MEMO_WILDS && self.points_due == 0 {
            self.failed.resize(self.pools.len() * (usize::from(self.wilds) + 1), 0);
        }
        self.solve(0, self.wilds)
    }

    /// Fills the pools from `i` on with `left` wilds; leaves the choice in `chosen`. Returns whether all fits.
    fn solve(&mut self, i: usize, left: u8) -> bool {
        let Some(pool) = self.pools.get(i) else { return left == 0 && self.suffices() };
        let (held, from) = (pool.held, self.chosen.len());
        if self.set.sequences && pool.kind == MeldKind::Set {
            return self.solve_place(i, left);
        }
        if self.failed.is_empty() {
            return self.fill(i, 0, from, held, left);
        }
        let memo = i * (usize::from(self.wilds) + 1) + usize::from(left);
        let bit = 1u128 << self.progress();
        if self.failed[memo] & bit != 0 {
            return false;
        }
        let done = self.fill(i, 0, from, held, left);
        if !done {
            self.failed[memo] |= bit;
        }
        done
    }

    /// Fills the melds of pool `i` from the one at `spot` on, then new melds. `from` is the index in `chosen` at which
    /// the fillings of the pool begin.
    fn fill(&mut self, i: usize, spot: usize, from: usize, naturals: u8, left: u8) -> bool {
        let pool = &self.pools[i];
        let (kind, rank) = (pool.kind, pool.rank);
        let several = self.set.melds_per_rank != MeldsPerRank::One;
        if let Some(&old) = pool.spots.get(spot) {
            // A single meld takes all cards of its rank.
            let least = if several || kind == MeldKind::Wild { 0 } else { naturals };
            return self.each(i, spot, from, old, least, naturals, left);
        }
        let begun = self.chosen.len() - from;
        // A rank whose only card is kept for the discard has nothing to place.
        if naturals == 0
            && (kind == MeldKind::Set || left == 0)
            && self.is_settled(from)
            && self.solve(i + 1, left)
        {
            return true;
        }
        let wanted = if kind == MeldKind::Wild { left } else { naturals };
        let closed = rank.is_some_and(|rank| self.closed & (1 << rank.index()) != 0);
        if wanted == 0
            || closed
            || (kind == MeldKind::Wild && !self.set.wild_melds)
            || (!several && (begun > 0 || (kind == MeldKind::Wild && self.settled.wild > 0)))
        {
            return false;
        }
        let least = if several { self.set.min_naturals.max(1) } else { naturals };
        let least = if kind == MeldKind::Wild { 0 } else { least };
        self.each(i, spot, from, MeldSlot::new(kind, rank), least, naturals, left)
    }

    /// Tries every filling of one meld, with `least` naturals or more.
    #[allow(clippy::too_many_arguments, reason = "the variables of one level of the recursion")]
    fn each(
        &mut self,
        i: usize,
        spot: usize,
        from: usize,
        old: MeldSlot,
        least: u8,
        naturals: u8,
        left: u8,
    ) -> bool {
        for added in (least..=naturals).rev() {
            for wilds in 0..=left {
                if !self.nodes.visit() {
                    return false;
                }
                let filling = Filling { spot: old, naturals: added, wilds };
                if !self.fits(&filling) {
                    continue;
                }
                self.chosen.push(filling);
                if self.fill(i, spot + 1, from, naturals - added, left - wilds) {
                    return true;
                }
                self.chosen.pop();
            }
        }
        false
    }

    /// Whether the meld may take this filling.
    fn fits(&self, filling: &Filling) -> bool {
        let (set, spot) = (self.set, &filling.spot);
        let grown = filling.grown();
        if !grown.is_full(set) && set.bars_going_out(grown.rank, grown.wilds) {
            return false;
        }
        let base = spot.base;
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

    /// Whether the melds of a pool may coexist: if one is new, all old melds are full, and at most one new meld is not.
    fn is_settled(&self, from: usize) -> bool {
        if self.set.melds_per_rank != MeldsPerRank::OneOpen {
            return true;
        }
        let (mut open, mut begun, mut open_old) = (0, false, false);
        for filling in &self.chosen[from..] {
            let is_open = !filling.grown().is_full(self.set);
            let new = filling.spot.is_new();
            begun |= new;
            open += u8::from(is_open && new);
            open_old |= is_open && !new;
        }
        !begun || (open <= 1 && !open_old)
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

    /// Returns the canastas reached, capped at 7 each, and whether the initial content is there, as bits. Two states
    /// with the same progress and the same wilds left are equal.
    fn progress(&self) -> u32 {
        let canastas = self.canastas();
        let content = self.has_content();
        u32::from(content) << 6 | u32::from(canastas.total.min(7)) << 3 | u32::from(canastas.clean.min(7))
    }

    /// Whether the initial batch holds the meld that it must hold.
    fn has_content(&self) -> bool {
        !self.initial
            || self.set.initial_content == InitialContent::None
            || self.parts().any(|part| part.is_content(self.set))
            || self.sequences.groups().next().is_some()
    }

    /// Returns the cards that are added, as they count for an initial batch.
    fn parts(&self) -> impl Iterator<Item = InitialPart> {
        let added = self.chosen.iter().filter(|f| f.naturals + f.wilds > 0);
        added.map(|f| InitialPart { kind: f.spot.kind, naturals: f.naturals, wilds: f.wilds })
    }

    /// Whether the result suffices once every card is laid: the canastas, and the lock on wilds (ALG-10).
    fn suffices(&mut self) -> bool {
        let set = self.set;
        let open = |f: &Filling| {
            let before = f.spot.base.1;
            f.spot.kind == MeldKind::Wild && before > 0 && before < set.canasta_size
        };
        let outside = |f: &Filling| f.spot.kind != MeldKind::Wild && f.grown().wilds > f.spot.base.1;
        let stays_open = |f: &Filling| open(f) && !f.grown().is_full(set);
        if set.wild_lock && self.chosen.iter().any(outside) && self.chosen.iter().any(stays_open) {
            return false;
        }
        // A loose sequence may be too short yet.
        let long = self.sequences.lengths().all(|len| len >= set.meld_min);
        long && self.has_content() && facts::suffices(set, self.canastas()) && self.is_worth_enough()
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
        self.parts().any(|part| part.is_splash(self.set))
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

    /// Returns the points that the melds chosen so far are certainly worth; 0 if points do not matter. Together with
    /// [`Self::progress`] and the cards left, this decides whether the melds can still be worth enough.
    pub(super) fn standing(&self) -> i32 {
        if self.points_due <= 0 {
            return 0;
        }
        if self.has_splash() {
            return i32::MAX;
        }
        let substituted = self.set.wild_value == WildValue::Substituted;
        let points = |f: &Filling| {
            let counted = f.naturals + if substituted { f.wilds } else { 0 };
            f.spot.rank.map_or(0, |rank| i32::from(counted) * self.rules.rank_points(rank))
        };
        self.chosen.iter().map(points).sum::<i32>() + self.bonuses(0)
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
