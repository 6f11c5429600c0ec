//! ALG-15: the exact search for a way to go out now.
//!
//! Every card but the final discard must be laid: naturals and black threes can only go to their own
//! rank, so the search is over the final discard and over how the wild cards are shared out.

use crate::action::{CardList, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class, Rank};
use crate::check::{Column, Desk, picked_up};
use crate::event::Grade;
use crate::rules::{BlackThreeMeld, CanastaAccepts, FinalDiscard, MeldsPerRank, RuleSet};
use crate::state::{Canastas, Meld, Permission, State};
use alloc::vec::Vec;
use smallvec::SmallVec;

/// A hand to be emptied, and the own melds it can go to.
pub(crate) struct Table<'a> {
    set: &'a RuleSet,
    hand: Cards,
    melds: SmallVec<[Spot; 12]>,
    refused: bool,
    /// Nothing may be left for a discard.
    lay_all: bool,
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

    fn size(&self) -> u8 {
        self.naturals + self.wilds
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
        Self::with(state, *state.hand(state.turn.seat))
    }

    fn with(state: &'a State, hand: Cards) -> Self {
        let side = state.side_of(state.turn.seat);
        let own = state.melds.iter().enumerate().filter(|(_, m)| m.side == side);
        let melds = own.map(|(at, m)| Spot::of(at, m)).collect();
        let refused = matches!(state.turn.permission, Permission::No { .. });
        Self { set: state.set(), hand, melds, refused, lay_all: false }
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

    /// A take of the top alone onto the own meld, the rest of the hand laid in the same action.
    pub(crate) fn after_top(state: &'a State, top: Card) -> Self {
        let mut table = Self::of(state);
        let set = table.set;
        let fits = |s: &&mut Spot| s.kind == MeldKind::Set && s.rank == Some(top.rank());
        let open = table.melds.iter().position(|s| s.rank == Some(top.rank()) && s.size() < set.canasta_size);
        let spot = match open {
            Some(at) => Some(&mut table.melds[at]),
            None => table.melds.iter_mut().find(fits),
        };
        if let Some(spot) = spot {
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
                let held = self.hand.kinds().map(|(card, _)| card).find(|card| card.rank() == rank);
                if held.is_some_and(|card| card.class() != Class::RedThree) {
                    discards.push(held);
                }
            }
        }
        discards
    }

    /// A quick bound: two ranks that can neither be laid nor discarded both.
    fn hopeless(&self) -> bool {
        if self.refused {
            return true;
        }
        let stranded = |rank: &Rank| {
            let count = self.hand.rank_count(*rank);
            count > 0 && count < self.set.min_naturals && !self.melds.iter().any(|s| s.rank == Some(*rank))
        };
        Rank::NATURAL.iter().filter(|rank| stranded(rank)).count() > 1
    }
}

/// Whether there is a way to go out now.
pub(crate) fn exists(table: &Table<'_>) -> bool {
    !table.hopeless() && table.discards().into_iter().any(|discard| find(table, discard).is_some())
}

/// One way to go out for every final discard that allows one.
pub(crate) fn ways(table: &Table<'_>) -> Vec<WayOut> {
    if table.hopeless() {
        return Vec::new();
    }
    table.discards().into_iter().filter_map(|discard| find(table, discard)).collect()
}

/// The groups that let a take go out, or leave the last card.
pub(crate) fn with_take(state: &State, take: &TakePile, top: Card) -> Option<WayOut> {
    let table = Table::after_take(state, take, top)?;
    table
        .discards()
        .into_iter()
        .find_map(|discard| find(&table, discard))
        .filter(|way| !way.groups.is_empty())
}

fn find(table: &Table<'_>, discard: Option<Card>) -> Option<WayOut> {
    let mut hand = table.hand;
    if let Some(card) = discard {
        hand.remove(card);
    }
    let black = black_threes(table, &hand)?;
    let mut search = Search::new(table, &hand)?;
    let wilds = hand.wilds();
    search.solve(0, wilds).then(|| search.way(&hand, discard, black))
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

/// How one spot is filled: naturals of the hand first, then wilds by the search.
#[derive(Clone, Copy)]
struct Filling {
    spot: Spot,
    added: u8,
    wilds: u8,
}

struct Search<'t> {
    set: &'t RuleSet,
    /// For every rank that matters, the ways its naturals can be placed; one in most rule sets.
    ranks: SmallVec<[SmallVec<[SmallVec<[Filling; 2]>; 1]>; 12]>,
    wild_spot: Option<Spot>,
    /// What is chosen so far.
    chosen: SmallVec<[Filling; 14]>,
    /// States known to fail, a bit by canastas still wanted, for each rank and number of wilds left.
    failed: Vec<u64>,
    wilds: usize,
}

impl<'t> Search<'t> {
    fn new(table: &'t Table<'_>, hand: &Cards) -> Option<Self> {
        let mut ranks = SmallVec::new();
        for rank in Rank::NATURAL {
            let held = hand.rank_count(rank);
            let spots: SmallVec<[Spot; 2]> =
                table.melds.iter().filter(|s| s.rank == Some(rank)).copied().collect();
            if held == 0 && spots.is_empty() {
                continue;
            }
            let ways = placings(table.set, rank, held, &spots);
            if ways.is_empty() {
                return None;
            }
            ranks.push(ways);
        }
        let wilds = usize::from(hand.wilds()) + 1;
        let failed = alloc::vec![0; (ranks.len() + 1) * wilds];
        let wild_spot = table.melds.iter().find(|s| s.kind == MeldKind::Wild).copied();
        Some(Self { set: table.set, ranks, wild_spot, chosen: SmallVec::new(), failed, wilds })
    }

    /// Places the ranks from `i` on with `left` wilds to share out; leaves the choice in `chosen`.
    fn solve(&mut self, i: usize, left: u8) -> bool {
        if i == self.ranks.len() {
            return self.finish(left);
        }
        let memo = i * self.wilds + usize::from(left);
        let bit = 1 << self.progress();
        if self.failed[memo] & bit != 0 {
            return false;
        }
        for way in 0..self.ranks[i].len() {
            let fillings = self.ranks[i][way].clone();
            if self.fill(i, &fillings, left) {
                return true;
            }
        }
        self.failed[memo] |= bit;
        false
    }

    fn fill(&mut self, i: usize, fillings: &[Filling], left: u8) -> bool {
        let Some((first, rest)) = fillings.split_first() else { return self.solve(i + 1, left) };
        for wilds in 0..=left {
            if !fits(self.set, first, wilds) {
                continue;
            }
            self.chosen.push(Filling { wilds, ..*first });
            if self.fill(i, rest, left - wilds) {
                return true;
            }
            self.chosen.pop();
        }
        false
    }

    fn canastas(&self) -> Canastas {
        let mut canastas = Canastas::default();
        for f in &self.chosen {
            let spot = Spot { naturals: f.spot.naturals + f.added, wilds: f.spot.wilds + f.wilds, ..f.spot };
            canastas.count(spot.grade(self.set));
        }
        canastas
    }

    /// Canastas reached, capped at 7 each: two states with the same progress and wilds left are equal.
    fn progress(&self) -> u32 {
        let canastas = self.canastas();
        u32::from(canastas.total.min(7)) * 8 + u32::from(canastas.clean.min(7))
    }

    /// The wilds that are left go to the wild meld, and the canastas must suffice.
    fn finish(&self, left: u8) -> bool {
        let mut canastas = self.canastas();
        let outside = self.chosen.iter().any(|f| f.wilds > 0);
        let before = self.wild_spot.map_or(0, |s| s.size());
        let size = before + left;
        let full = size >= self.set.canasta_size;
        if left > 0 {
            let max = self.set.wild_meld_max;
            let closed =
                before >= self.set.canasta_size && self.set.canasta_accepts == CanastaAccepts::Naturals;
            if !self.set.wild_melds || size < self.set.meld_min || (max > 0 && size > max) || closed {
                return false;
            }
        }
        if outside && self.set.wild_lock && before > 0 && !full {
            return false;
        }
        canastas.count((full && size > 0).then_some(Grade::Wild));
        canastas.total >= self.set.go_out_total
            && canastas.clean >= self.set.go_out_clean
            && canastas.wild >= self.set.go_out_wild
    }

    fn way(&self, hand: &Cards, discard: Option<Card>, black: Option<u8>) -> WayOut {
        let mut left = *hand;
        let mut groups = Vec::new();
        let mut take = |count: u8, wanted: &dyn Fn(Card) -> bool| -> CardList {
            let cards: CardList = left.iter().filter(|&card| wanted(card)).take(usize::from(count)).collect();
            for &card in &cards {
                left.remove(card);
            }
            cards
        };
        for f in self.chosen.iter().filter(|f| f.added + f.wilds > 0) {
            let mut cards = take(f.added, &|card| Some(card.rank()) == f.spot.rank);
            cards.extend(take(f.wilds, &Card::is_wild));
            groups.push((f.spot.at, MeldKind::Set, cards));
        }
        let wild = take(u8::MAX, &Card::is_wild);
        if !wild.is_empty() {
            groups.push((self.wild_spot.and_then(|s| s.at), MeldKind::Wild, wild));
        }
        let threes = take(u8::MAX, &|card| card.class() == Class::BlackThree);
        if !threes.is_empty() {
            groups.push((black, MeldKind::BlackThrees, threes));
        }
        WayOut { discard, groups }
    }
}

/// Whether a spot may take its naturals and so many wilds.
fn fits(set: &RuleSet, filling: &Filling, wilds: u8) -> bool {
    if filling.added + wilds == 0 {
        return filling.spot.at.is_some() || filling.spot.size() > 0;
    }
    let old = (filling.spot.naturals, filling.spot.wilds);
    crate::check::may_grow(set, old, (filling.added, wilds))
}

/// The ways the naturals of one rank can be placed on its melds and a new one.
fn placings(set: &RuleSet, rank: Rank, held: u8, spots: &[Spot]) -> SmallVec<[SmallVec<[Filling; 2]>; 1]> {
    let fresh = Spot { kind: MeldKind::Set, rank: Some(rank), naturals: 0, wilds: 0, at: None };
    let put = |spot: Spot, added| Filling { spot, added, wilds: 0 };
    let mut ways = SmallVec::new();
    let full = |s: &Spot| s.size() >= set.canasta_size;
    let new_allowed = match set.melds_per_rank {
        MeldsPerRank::One => spots.is_empty(),
        MeldsPerRank::OneOpen => spots.iter().all(full),
        MeldsPerRank::Many => true,
    };
    for (i, _) in spots.iter().enumerate() {
        let others = |added| -> SmallVec<[Filling; 2]> {
            spots.iter().enumerate().map(|(j, &s)| put(s, if i == j { added } else { 0 })).collect()
        };
        ways.push(others(held));
        if new_allowed {
            for fresh_cards in set.min_naturals..=held {
                let mut split = others(held - fresh_cards);
                split.push(put(fresh, fresh_cards));
                ways.push(split);
            }
        }
    }
    if spots.is_empty() && held >= set.min_naturals {
        ways.push(core::iter::once(put(fresh, held)).collect());
    }
    ways
}
