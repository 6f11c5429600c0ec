//! ALG-15: the exact search for a way to go out now.
//!
//! Every card but the final discard must be laid: naturals and black threes can only go to their own
//! rank, so the search is over the final discard and over how the wild cards are shared out.

use crate::action::{CardList, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class, Rank};
use crate::check::{self, Column, Desk, picked_up};
use crate::event::Grade;
use crate::rules::{BlackThreeMeld, CanastaAccepts, FinalDiscard, MeldsPerRank, RuleSet, Rules};
use crate::state::{Canastas, Meld, Permission, State};
use alloc::vec::Vec;
use smallvec::SmallVec;

/// A hand to be emptied, and the own melds it can go to.
pub(crate) struct Table<'a> {
    rules: &'a Rules,
    set: &'a RuleSet,
    hand: Cards,
    melds: SmallVec<[Spot; 12]>,
    refused: bool,
    /// Nothing may be left for a discard.
    lay_all: bool,
    /// Points that must be laid: the minimum where no exemption lifts it, else 0.
    required: i32,
}

/// An own meld, or one that the batch begins.
#[derive(Clone, Copy, Debug)]
struct Spot {
    kind: MeldKind,
    rank: Option<Rank>,
    naturals: u8,
    wilds: u8,
    /// Index into the state's melds.
    at: Option<u8>,
}

/// One way to lay everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WayOut {
    /// The card kept for the final discard.
    pub discard: Option<Card>,
    /// Index of the target (none: a new meld), kind, cards.
    pub groups: Vec<(Option<u8>, MeldKind, CardList)>,
}

impl Spot {
    fn of(at: usize, meld: &Meld) -> Self {
        let wilds = meld.wilds();
        let naturals = meld.len() as u8 - wilds;
        Self { kind: meld.kind, rank: meld.rank, naturals, wilds, at: Some(at as u8) }
    }

    fn new(kind: MeldKind, rank: Option<Rank>) -> Self {
        Self { kind, rank, naturals: 0, wilds: 0, at: None }
    }

    fn size(&self) -> u8 {
        self.naturals + self.wilds
    }

    fn is_full(&self, set: &RuleSet) -> bool {
        self.size() >= set.canasta_size
    }

    fn grade(&self, set: &RuleSet) -> Option<Grade> {
        if self.kind == MeldKind::BlackThrees || self.size() < set.canasta_size {
            return None;
        }
        Some(match (self.kind, self.wilds) {
            (MeldKind::Wild, _) => Grade::Wild,
            (_, 0) => Grade::Natural,
            _ => Grade::Mixed,
        })
    }
}

impl<'a> Table<'a> {
    /// The seat in turn as it stands.
    pub(crate) fn of(state: &'a State) -> Self {
        let mut table = Self::with(state, *state.hand(state.turn.seat));
        let side = state.side_of(state.turn.seat);
        if !state.opened(side) && !check::exempts_going_out(state) {
            table.required = state.minimum(side);
        }
        table
    }

    fn with(state: &'a State, hand: Cards) -> Self {
        let side = state.side_of(state.turn.seat);
        let own = state.melds.iter().enumerate().filter(|(_, m)| m.side == side);
        let melds = own.map(|(at, m)| Spot::of(at, m)).collect();
        let refused = matches!(state.turn.permission, Permission::No { .. });
        Self { rules: &state.rules, set: state.set(), hand, melds, refused, lay_all: false, required: 0 }
    }

    /// After a batch that leaves `rest` in the hand.
    pub(crate) fn after(desk: &Desk<'a>, columns: &[Column], rest: &Cards) -> Self {
        let mut table = Self::with(desk.state, *rest);
        for column in columns {
            let (kind, rank) = (column.placement.kind, column.placement.rank);
            let (naturals, wilds) = (column.naturals(), column.wilds());
            match table.melds.iter_mut().find(|s| s.at.is_some() && s.at == column.placement.target) {
                Some(spot) => (spot.naturals, spot.wilds) = (naturals, wilds),
                None => table.melds.push(Spot { kind, rank, naturals, wilds, at: None }),
            }
        }
        table
    }

    /// A take of the top alone onto the meld at `at`, the rest of the hand laid in the same action.
    pub(crate) fn after_top(state: &'a State, at: u8) -> Self {
        let mut table = Self::of(state);
        if let Some(spot) = table.melds.iter_mut().find(|s| s.at == Some(at)) {
            spot.naturals += 1;
        }
        table.lay_all = true;
        table
    }

    /// A take, `onto` an id or NEW, whose other groups empty the hand as far as the pile's cards allow; `None` if two or more
    /// cards come to the hand, which no group of the take can name.
    fn after_take(state: &'a State, take: &TakePile, top: Card) -> Option<Self> {
        let picked = picked_up(state).len();
        if picked >= 2 {
            return None;
        }
        let mut table = Self::of(state);
        let (side, rank) = (state.side_of(state.turn.seat), Some(top.rank()));
        for &card in &take.with {
            table.hand.remove(card);
        }
        let at = match take.onto {
            Onto::Meld { id, .. } => state.melds.iter().position(|m| m.side == side && m.id == id),
            _ => None,
        };
        let spot = at.and_then(|at| table.melds.iter_mut().find(|s| s.at == Some(at as u8)));
        let wilds = take.with.iter().filter(|c| c.is_wild()).count() as u8;
        let naturals = take.with.len() as u8 - wilds + 1;
        match spot {
            Some(spot) => {
                spot.naturals += naturals;
                spot.wilds += wilds;
            }
            None => table.melds.push(Spot { kind: MeldKind::Set, rank, naturals, wilds, at: None }),
        }
        table.lay_all = picked == 1;
        Some(table)
    }

    /// The cards that may be kept for the final discard: one a rank, and none.
    fn discards(&self) -> SmallVec<[Option<Card>; 16]> {
        let mut discards = SmallVec::new();
        if self.lay_all || self.set.final_discard == FinalDiscard::Optional {
            discards.push(None);
        }
        if !self.lay_all {
            for rank in Rank::ALL {
                let held = self.hand.lowest(rank);
                if held.is_some_and(|card| card.class() != Class::RedThree) {
                    discards.push(held);
                }
            }
        }
        discards
    }

    /// Quick bounds that most hands fail: too many cards that can neither be laid nor discarded, too few
    /// wilds for the pairs, or canastas out of reach.
    fn hopeless(&self) -> bool {
        if self.refused {
            return true;
        }
        let set = self.set;
        let counts = self.hand.rank_counts();
        let wilds = counts[Rank::Two.index()] + counts[Rank::Joker.index()];
        let (mut melded, mut reachable, mut black) = (0u16, 0, false);
        for spot in &self.melds {
            let held = spot.rank.map_or(0, |rank| counts[rank.index()]);
            melded |= spot.rank.map_or(0, |rank| 1 << rank.index());
            black |= spot.kind == MeldKind::BlackThrees;
            reachable += u8::from(
                spot.kind != MeldKind::BlackThrees && spot.size() + held + wilds >= set.canasta_size,
            );
        }
        let threes = self.hand.black_threes();
        let (mut stranded, mut wanted) = (if black || threes >= set.meld_min { 0 } else { threes }, 0);
        for rank in Rank::NATURAL {
            let held = counts[rank.index()];
            let is_new = melded & (1 << rank.index()) == 0;
            if held > 0 && (is_new || set.melds_per_rank != MeldsPerRank::One) {
                reachable += (held + wilds) / set.canasta_size;
            }
            if is_new && held > 0 && held < set.min_naturals {
                stranded += held;
            } else if is_new && held > 0 {
                wanted += set.meld_min.saturating_sub(held);
            }
        }
        if set.wild_melds {
            reachable += wilds / set.canasta_size;
        }
        stranded > u8::from(!self.lay_all) || wanted > wilds || reachable < set.go_out_total
    }
}

/// Whether there is a way to go out now.
pub(crate) fn exists(table: &Table<'_>) -> bool {
    first(table).is_some()
}

/// One way to go out for every final discard that allows one.
pub(crate) fn ways(table: &Table<'_>) -> Vec<WayOut> {
    if table.hopeless() {
        return Vec::new();
    }
    let mut search = Search::new(table);
    table.discards().into_iter().filter_map(|discard| find(table, &mut search, discard)).collect()
}

/// The groups that let a take go out, or leave the last card.
pub(crate) fn with_take(state: &State, take: &TakePile, top: Card) -> Option<WayOut> {
    let table = Table::after_take(state, take, top)?;
    first(&table).filter(|way| !way.groups.is_empty())
}

fn first(table: &Table<'_>) -> Option<WayOut> {
    if table.hopeless() {
        return None;
    }
    let mut search = Search::new(table);
    table.discards().into_iter().find_map(|discard| find(table, &mut search, discard))
}

fn find(table: &Table<'_>, search: &mut Search<'_>, discard: Option<Card>) -> Option<WayOut> {
    let mut hand = table.hand;
    if let Some(card) = discard {
        hand.remove(card);
    }
    let laid = || hand.iter().map(|card| table.rules.card_points(card)).sum::<i32>();
    if table.required > 0 && laid() < table.required {
        return None;
    }
    let black = black_threes(table, &hand)?;
    search.begin(&hand).then(|| search.way(hand, discard, black))
}

/// The target for the black threes left in the hand: `None` if they cannot be laid.
fn black_threes(table: &Table<'_>, hand: &Cards) -> Option<Option<u8>> {
    let held = hand.black_threes();
    let spot = table.melds.iter().find(|s| s.kind == MeldKind::BlackThrees);
    let size = held + spot.map_or(0, Spot::size);
    let fits = (table.set.meld_min..=2 * table.set.packs).contains(&size);
    let allowed = table.set.black_three_meld == BlackThreeMeld::GoingOut && fits;
    (held == 0 || allowed).then(|| spot.and_then(|s| s.at))
}

/// From so many wilds on it pays to remember what failed.
const MEMO_WILDS: u8 = 3;

/// What one meld receives.
#[derive(Clone, Copy)]
struct Filling {
    spot: Spot,
    naturals: u8,
    wilds: u8,
}

impl Filling {
    fn grown(&self) -> Spot {
        let Spot { naturals, wilds, .. } = self.spot;
        Spot { naturals: naturals + self.naturals, wilds: wilds + self.wilds, ..self.spot }
    }
}

/// All cards of one rank, or all wilds that go to wild melds: where they can lie.
struct Pool {
    kind: MeldKind,
    rank: Option<Rank>,
    held: u8,
    spots: SmallVec<[Spot; 2]>,
}

struct Search<'t> {
    set: &'t RuleSet,
    /// Every rank that is held or melded; the wilds' pool comes last.
    pools: SmallVec<[Pool; 13]>,
    /// What is chosen so far.
    chosen: SmallVec<[Filling; 16]>,
    /// States known to fail, a bit by canastas reached, for each pool and number of wilds left; empty with
    /// few wilds.
    failed: Vec<u64>,
    wilds: u8,
}

impl<'t> Search<'t> {
    fn new(table: &'t Table<'_>) -> Self {
        let mut pools = SmallVec::new();
        let counts = table.hand.rank_counts();
        for rank in Rank::NATURAL {
            let held = counts[rank.index()];
            let spots: SmallVec<[Spot; 2]> =
                table.melds.iter().filter(|s| s.rank == Some(rank)).copied().collect();
            if held > 0 || !spots.is_empty() {
                pools.push(Pool { kind: MeldKind::Set, rank: Some(rank), held, spots });
            }
        }
        let spots = table.melds.iter().filter(|s| s.kind == MeldKind::Wild).copied().collect();
        pools.push(Pool { kind: MeldKind::Wild, rank: None, held: 0, spots });
        Self { set: table.set, pools, chosen: SmallVec::new(), failed: Vec::new(), wilds: 0 }
    }

    /// Searches for a way to lay all of `hand`, a part of the table's.
    fn begin(&mut self, hand: &Cards) -> bool {
        let counts = hand.rank_counts();
        for pool in &mut self.pools {
            let Some(rank) = pool.rank else { continue };
            pool.held = counts[rank.index()];
            if pool.held > 0 && pool.spots.is_empty() && pool.held < self.set.min_naturals {
                return false;
            }
        }
        self.wilds = hand.wilds();
        self.chosen.clear();
        self.failed.clear();
        if self.wilds >= MEMO_WILDS {
            self.failed.resize(self.pools.len() * (usize::from(self.wilds) + 1), 0);
        }
        self.solve(0, self.wilds)
    }

    /// Fills the pools from `i` on with `left` wilds to share out; leaves the choice in `chosen`.
    fn solve(&mut self, i: usize, left: u8) -> bool {
        let Some(pool) = self.pools.get(i) else { return left == 0 && self.suffices() };
        let (held, from) = (pool.held, self.chosen.len());
        if self.failed.is_empty() {
            return self.fill(i, 0, from, held, left);
        }
        let memo = i * (usize::from(self.wilds) + 1) + usize::from(left);
        let bit = 1 << self.progress();
        if self.failed[memo] & bit != 0 {
            return false;
        }
        let done = self.fill(i, 0, from, held, left);
        if !done {
            self.failed[memo] |= bit;
        }
        done
    }

    /// Fills the melds of pool `i` from the one at `spot` on, then new ones; `from` is where the pool's
    /// fillings begin in `chosen`.
    fn fill(&mut self, i: usize, spot: usize, from: usize, naturals: u8, left: u8) -> bool {
        let pool = &self.pools[i];
        let (kind, rank) = (pool.kind, pool.rank);
        let several = self.set.melds_per_rank != MeldsPerRank::One;
        if let Some(&old) = pool.spots.get(spot) {
            // A single meld takes all that there is.
            let least = if several || kind == MeldKind::Wild { 0 } else { naturals };
            return self.each(i, spot, from, old, least, naturals, left);
        }
        let begun = self.chosen.len() - from;
        // A rank of which the only card is kept for the discard has nothing to place.
        if naturals == 0
            && (kind == MeldKind::Set || left == 0)
            && self.is_settled(from)
            && self.solve(i + 1, left)
        {
            return true;
        }
        let wanted = if kind == MeldKind::Wild { left } else { naturals };
        if wanted == 0 || (kind == MeldKind::Wild && !self.set.wild_melds) || (begun > 0 && !several) {
            return false;
        }
        let least = if several { self.set.min_naturals.max(1) } else { naturals };
        let least = if kind == MeldKind::Wild { 0 } else { least };
        self.each(i, spot, from, Spot::new(kind, rank), least, naturals, left)
    }

    /// Tries every filling of one meld, with `least` naturals or more.
    #[allow(clippy::too_many_arguments)]
    fn each(
        &mut self,
        i: usize,
        spot: usize,
        from: usize,
        old: Spot,
        least: u8,
        naturals: u8,
        left: u8,
    ) -> bool {
        for added in (least..=naturals).rev() {
            for wilds in 0..=left {
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

    /// Whether a meld may take this.
    fn fits(&self, filling: &Filling) -> bool {
        let (set, spot) = (self.set, &filling.spot);
        if filling.naturals + filling.wilds == 0 {
            return spot.size() > 0;
        }
        match spot.kind {
            MeldKind::Wild => {
                let size = spot.size() + filling.wilds;
                let closed = spot.is_full(set) && set.canasta_accepts == CanastaAccepts::Naturals;
                !closed && size >= set.meld_min && (set.wild_meld_max == 0 || size <= set.wild_meld_max)
            }
            _ => check::may_grow(set, (spot.naturals, spot.wilds), (filling.naturals, filling.wilds)),
        }
    }

    /// Whether the melds of one pool may stand beside each other: with a new one, all others are full, or
    /// it is.
    fn is_settled(&self, from: usize) -> bool {
        if self.set.melds_per_rank != MeldsPerRank::OneOpen {
            return true;
        }
        let (mut open, mut begun, mut open_old) = (0, false, false);
        for filling in &self.chosen[from..] {
            let is_open = !filling.grown().is_full(self.set);
            let new = filling.spot.size() == 0;
            begun |= new;
            open += u8::from(is_open && new);
            open_old |= is_open && !new;
        }
        !begun || (open <= 1 && !open_old)
    }

    fn canastas(&self) -> Canastas {
        let mut canastas = Canastas::default();
        for filling in &self.chosen {
            canastas.count(filling.grown().grade(self.set));
        }
        canastas
    }

    /// Canastas reached, capped at 7 each: two states with the same progress and wilds left are equal.
    fn progress(&self) -> u32 {
        let canastas = self.canastas();
        u32::from(canastas.total.min(7)) * 8 + u32::from(canastas.clean.min(7))
    }

    /// Every card is laid: the canastas must suffice, and the lock on wilds must hold (ALG-10).
    fn suffices(&self) -> bool {
        let set = self.set;
        let outside = self.chosen.iter().any(|f| f.spot.kind == MeldKind::Set && f.wilds > 0);
        let open = |f: &Filling| {
            let old = f.spot.kind == MeldKind::Wild && f.spot.size() > 0;
            old && !f.spot.is_full(set) && !f.grown().is_full(set)
        };
        if set.wild_lock && outside && self.chosen.iter().any(open) {
            return false;
        }
        check::suffices(set, self.canastas())
    }

    fn way(&self, mut left: Cards, discard: Option<Card>, black: Option<u8>) -> WayOut {
        let mut groups = Vec::with_capacity(self.chosen.len());
        for f in self.chosen.iter().filter(|f| f.naturals + f.wilds > 0) {
            let mut cards = CardList::new();
            if let Some(rank) = f.spot.rank {
                move_lowest(&mut left, rank, f.naturals, &mut cards);
            }
            let jokers = f.wilds - move_lowest(&mut left, Rank::Two, f.wilds, &mut cards);
            move_lowest(&mut left, Rank::Joker, jokers, &mut cards);
            groups.push((f.spot.at, f.spot.kind, cards));
        }
        let mut threes = CardList::new();
        let held = left.black_threes();
        move_lowest(&mut left, Rank::Three, held, &mut threes);
        if !threes.is_empty() {
            groups.push((black, MeldKind::BlackThrees, threes));
        }
        WayOut { discard, groups }
    }
}

/// Moves up to `count` cards of `rank`, the lowest first; how many it found.
fn move_lowest(hand: &mut Cards, rank: Rank, count: u8, cards: &mut CardList) -> u8 {
    for moved in 0..count {
        let Some(card) = hand.lowest(rank) else { return moved };
        hand.remove(card);
        cards.push(card);
    }
    count
}
