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
//! A sequence is no longer than necessary. If it is longer than the minimum, neither of its end cards could lie in a
//! set: all cards of these two ranks must leave.

use super::sequences::{Leaving, Own, Ways};
use super::{Prospects, Search, WORDS_PER_NODE};
use crate::action::MeldKind;
use crate::facts;
use crate::rules::MeldsPerRank;
use crate::sequence::PLACES;
use crate::table::Canastas;

/// The number of nodes that a state of this search costs.
const NODES_PER_STATE: u32 = 3;

impl Search<'_> {
    /// Searches for sequences that leave only what the sets can take. Returns whether all fits.
    pub(super) fn cover(&mut self) -> bool {
        self.sequences.begin(&self.hand, self.points_due != 0);
        self.chosen.clear();
        self.complete(None)
    }

    /// Computes for each rank with how many wilds its cards can lie in sets. This serves every final discard: a part of
    /// the hand needs no more.
    pub(super) fn count_wilds_needed(&mut self) {
        let mut words = 0;
        let sets = self.pools.iter().filter(|pool| pool.kind == MeldKind::Set);
        self.sequences.needed = sets.map(|pool| Prospects::wilds_needed(self, pool, &mut words)).collect();
        self.nodes.add(words / WORDS_PER_NODE);
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
        let key = self.sequences.key(self.set, self.wilds);
        if self.sequences.failed.contains(&key) {
            return false;
        }
        let done = self.branch(sets_fail);
        if !done && !self.nodes.are_used_up() {
            self.sequences.failed.insert(key);
        }
        done
    }

    fn branch(&mut self, sets_fail: bool) -> bool {
        let counts = self.sequences.way_counts(self.set);
        let needy = (0..PLACES).filter(|&place| self.sequences.wilds_needed(place).is_none());
        if let Some(place) = needy.min_by_key(|&place| counts[usize::from(place)]) {
            return self.leave_from(place);
        }
        let short = self.sequences.own.iter().find(|own| own.now.len < self.set.meld_min);
        if let Some(&Own { now, .. }) = short {
            // A loose sequence that is too short yet.
            let next = [now.low.checked_sub(1), Some(now.end()).filter(|&end| end < PLACES)];
            let ways: Ways = next
                .into_iter()
                .flatten()
                .flat_map(|place| self.sequences.ways(self.set, now.suit, place))
                .filter(|way| self.sequences.own.get(way.own).is_some_and(|own| own.now == now))
                .collect();
            return ways.into_iter().any(|way| self.leave_by(way));
        }
        if !sets_fail && self.may_lay_sets() {
            return true;
        }
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
            pool.held = self.sequences.ranks[usize::from(place)];
        }
        self.lay_sets()
    }

    /// Whether the canastas that are asked for are not out of reach of the cards that are left.
    fn may_suffice(&self) -> bool {
        let set = self.set;
        let mut reachable = self.settled;
        for (place, pool) in (0..PLACES).zip(&self.pools) {
            let left = self.sequences.ranks[usize::from(place)];
            for spot in &pool.spots {
                reachable.total += u8::from(spot.size() + left + self.wilds >= set.canasta_size);
                reachable.clean += u8::from(spot.wilds == 0 && spot.size() + left >= set.canasta_size);
            }
            if left > 0 {
                reachable.total += (left + self.wilds) / set.canasta_size;
                reachable.clean += left / set.canasta_size;
            }
        }
        let wilds =
            self.pools.last().map_or(0, |pool| pool.spots.len()) as u8 + self.wilds / set.canasta_size;
        // Own sequences may grow until they are complete.
        let sequences = self.sequences.lengths().count() as u8;
        let Canastas { total, clean, wild, .. } = reachable;
        let total = total.saturating_add(wilds).saturating_add(sequences);
        let reachable = Canastas { total, clean: clean + sequences, wild: wild + wilds, ..reachable };
        facts::suffices(set, Canastas { sequence: set.go_out_sequence, ..reachable })
    }
}
