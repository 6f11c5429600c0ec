//! ALG-15 with sequences: the choice of naturals that leave their ranks for a sequence.
//!
//! A rank is *needy* if its naturals cannot lie in sets. Then one of its cards leaves for a sequence, in every way to
//! go out. The search takes the needy rank with the fewest ways and tries each of them. Once no rank is needy, the
//! [wild table](super::Prospects) judges the sets. If they fail, a pair may leave too, which spares its wild.
//!
//! The order of branching decides which hands are decided within the nodes of a question, so it is fixed:
//!
//! 1. no whole sequence, then whole sequences as long as canastas are missing: own ones first, then new ones by suit
//!    and lowest place;
//! 2. the needy rank with the fewest ways, the lowest place first; its cards by suit; for each card own sequences that
//!    it lengthens, then new ones by length and lowest place;
//! 3. pairs in the same order, and last the pair that stays.
//!
//! The search ends: each step takes cards out of the hand, or settles a place, which then gives no card. A state that has
//! failed is not searched again, whatever order of sequences leads to it: all that decides is in its key.
//!
//! A sequence is no longer than necessary. If it is longer than the minimum, neither of its end cards could lie in a
//! set: all cards of these two ranks must leave.

use super::sequences::{Leaving, Needed, Own, Ways};
use super::{Filling, MeldSlot, Pool, Prospects, Search, WORDS_PER_NODE};
use crate::action::MeldKind;
use crate::card::Card;
use crate::facts;
use crate::rules::MeldsPerRank;
use crate::sequence::PLACES;
use crate::table::Canastas;
use crate::way_out::bounds::may_suffice;
use smallvec::smallvec;

/// The number of nodes that a state of this search costs.
const NODES_PER_STATE: u32 = 3;

impl Search<'_> {
    /// Searches for sequences that leave only what the sets can take, if this card is kept. Returns whether all fits.
    pub(super) fn cover(&mut self, discard: Option<Card>) -> bool {
        self.sequences.begin(discard, self.points_due != 0);
        self.chosen.clear();
        if !self.sequences.knows_needed(self.wilds) {
            self.compute_needed();
        }
        self.complete(None)
    }

    /// Computes the numbers of wilds that the naturals of each rank need in sets, for any final discard of a natural.
    fn compute_needed(&mut self) {
        let mut prospects = Prospects::of_lone_pools(self);
        let sets = || self.pools.iter().filter(|pool| pool.kind == MeldKind::Set);
        let whole = |pool: &Pool, held| Pool { held, spots: pool.spots.clone(), ..*pool };
        // All ranks without an own meld need the same, so the one with most cards stands for all of them.
        let is_common =
            |pool: &&Pool| pool.spots.is_empty() && self.set.treats_ranks_alike() && self.closed == 0;
        let common = sets().filter(is_common).max_by_key(|pool| pool.most);
        let common = common.map(|pool| prospects.wilds_needed(self, &whole(pool, pool.most)));
        let mut of_pool = |pool: &Pool| match common.as_ref().filter(|_| is_common(&pool)) {
            Some(common) => Needed::from_slice(&common[..=usize::from(pool.most)]),
            None if self.needs_no_wilds(pool) => smallvec![Some(0); usize::from(pool.most) + 1],
            None => prospects.wilds_needed(self, &whole(pool, pool.most)),
        };
        let needed = sets().map(&mut of_pool).collect();
        self.sequences.set_needed(needed, self.wilds);
        self.nodes.add(prospects.words / WORDS_PER_NODE);
    }

    /// Whether any number of the pool's naturals can lie in its melds as they are, without wilds.
    fn needs_no_wilds(&self, pool: &Pool) -> bool {
        let fits =
            |&spot: &MeldSlot, naturals| !spot.is_loose() && self.fits(&Filling { spot, naturals, wilds: 0 });
        // The first meld may take all naturals; the others need none.
        self.set.melds_per_rank != MeldsPerRank::OneOpen
            && pool.spots.iter().all(|spot| fits(spot, 0))
            && (1..=pool.most).all(|naturals| pool.spots.first().is_some_and(|spot| fits(spot, naturals)))
    }

    /// Lays the cards that are left; or first completes sequences, as long as canastas are missing. `last` is the way
    /// that was chosen before. Returns whether all fits.
    fn complete(&mut self, last: Option<Leaving>) -> bool {
        if self.leave(false) {
            return true;
        }
        if self.points_due <= 0 && facts::suffices(self.set, self.canastas()) {
            return false;
        }
        let ways = self.sequences.completions(self.set);
        ways.into_iter().filter(|&way| last <= Some(way)).any(|way| {
            let before = self.sequences.lay(way);
            let done = !self.nodes.are_used_up() && self.complete(Some(way));
            if !done {
                self.sequences.take_back(way, before);
            }
            done
        })
    }

    /// Lays the cards that are left. `sets_fail`: they cannot lie in sets as they are. Returns whether all fits.
    fn leave(&mut self, sets_fail: bool) -> bool {
        if !self.nodes.visit() || !self.may_suffice() {
            return false;
        }
        self.nodes.add(NODES_PER_STATE - 1);
        let neediest = self.neediest();
        if neediest.is_some_and(|(_, ways)| ways == 0) {
            // This is found again sooner than it is remembered.
            return false;
        }
        let key = self.sequences.key(self.set, self.wilds);
        if self.sequences.failed.contains(&key) {
            return false;
        }
        let done = self.branch(neediest.map(|(place, _)| place), sets_fail);
        if !done && !self.nodes.are_used_up() {
            self.sequences.failed.insert(key);
        }
        done
    }

    /// Returns the needy place with the fewest ways, the lowest of several, and the number of its ways; `None` if no place
    /// is needy.
    fn neediest(&self) -> Option<(u8, u8)> {
        let needy = self.sequences.needy();
        if needy == 0 {
            return None;
        }
        let counts = self.sequences.way_counts(self.set);
        let needy = (0..PLACES).filter(|place| needy >> place & 1 != 0);
        needy.map(|place| (place, counts[usize::from(place)])).min_by_key(|&(_, ways)| ways)
    }

    /// Lets a card leave from the needy place, or else tries the sets. Returns whether all fits.
    fn branch(&mut self, needy: Option<u8>, sets_fail: bool) -> bool {
        if let Some(place) = needy {
            return self.leave_from(place);
        }
        let short = self.sequences.own.iter().find(|own| own.now.len < self.set.meld_min);
        if let Some(&Own { now, .. }) = short {
            // A loose sequence that is too short yet.
            let next = [now.low.checked_sub(1), Some(now.end()).filter(|&end| end < PLACES)];
            let mut ways = Ways::new();
            next.into_iter()
                .flatten()
                .for_each(|place| self.sequences.add_ways(self.set, now.suit, place, &mut ways));
            ways.retain(|way| self.sequences.own_of(*way).is_some_and(|own| own.now == now));
            return ways.into_iter().any(|way| self.leave_by(way));
        }
        if !sets_fail && self.may_lay_sets() {
            return true;
        }
        let counts = self.sequences.way_counts(self.set);
        let may_help = |place: u8| {
            let spares = self.sequences.wilds_needed(place) > Some(0) || !self.only_pairs_help();
            spares && counts[usize::from(place)] > 0
        };
        let optional = (0..PLACES).filter(|&place| may_help(place));
        let Some(place) = optional.min_by_key(|&place| counts[usize::from(place)]) else { return false };
        if self.leave_from(place) {
            return true;
        }
        self.sequences.settled |= 1 << place;
        let done = self.leave(true);
        self.sequences.settled &= !(1 << place);
        done
    }

    /// Lets a card at `place` leave, then lays the cards that are left. Returns whether all fits.
    fn leave_from(&mut self, place: u8) -> bool {
        let ways = self.sequences.ways_from(self.set, place);
        ways.into_iter().any(|way| self.leave_by(way))
    }

    fn leave_by(&mut self, way: Leaving) -> bool {
        let emptied = self.sequences.emptied;
        let before = self.sequences.lay(way);
        // If one of the end cards could lie in a set, the sequence need not be so long.
        if before.is_none() && way.now.len > self.set.meld_min && self.sets_grow_freely() {
            self.sequences.emptied |= 1 << way.now.low | 1 << (way.now.end() - 1);
        }
        let done = self.leave(false);
        self.sequences.emptied = emptied;
        if !done {
            self.sequences.take_back(way, before);
        }
        done
    }

    /// Whether a set can always take one more natural.
    fn sets_grow_freely(&self) -> bool {
        let set = self.set;
        (set.meld_max == 0 || set.overfill_out) && set.melds_per_rank != MeldsPerRank::OneOpen
    }

    /// Whether sets that fail can only be helped by the wilds that pairs spare: fewer cards of a rank are no easier to
    /// lay.
    fn only_pairs_help(&self) -> bool {
        self.sets_grow_freely() && self.set.melds_per_rank == MeldsPerRank::Many
    }

    /// Whether the cards that are left lie in sets. Leaves the choice in `chosen`.
    fn may_lay_sets(&mut self) -> bool {
        let needed: Option<u8> = (0..PLACES).map(|place| self.sequences.wilds_needed(place)).sum();
        if needed.is_none_or(|needed| needed > self.wilds) {
            return false;
        }
        for (place, pool) in (0..PLACES).zip(&mut self.pools) {
            pool.held = self.sequences.ranks()[usize::from(place)];
        }
        self.lay_sets()
    }

    /// Whether the canastas that are asked for are not out of reach of the cards that are left.
    fn may_suffice(&self) -> bool {
        if self.has_canastas {
            return true;
        }
        let mut held = [0; 14];
        for (pool, left) in self.pools.iter().zip(*self.sequences.ranks()) {
            pool.rank.into_iter().for_each(|rank| held[rank.index()] = left);
        }
        let melds = self.pools.iter().flat_map(|pool| &pool.spots);
        // Own sequences may grow until they are complete.
        let sequences = self.sequences.lengths().count() as u8;
        let reach = Canastas {
            total: self.settled.total.saturating_add(sequences),
            clean: self.settled.clean + sequences,
            sequence: self.set.go_out_sequence,
            ..self.settled
        };
        may_suffice(self.set, reach, melds, &held, self.wilds, 0)
    }
}
