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

use super::{MeldSlot, Prospects, Search, WORDS_PER_NODE};
use crate::action::{CardList, MeldKind};
use crate::card::Cards;
use crate::facts;
use crate::rules::{MeldsPerRank, RuleSet};
use crate::sequence::{PLACES, Sequence, place};
use crate::table::{Canastas, grade};
use crate::way_out::Reach;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The number of nodes that a state of this search costs.
const NODES_PER_STATE: u32 = 3;

/// The number of copies of each natural, by suit and place.
type Copies = [[u8; PLACES as usize]; 4];

type Key = SmallVec<[u8; 64]>;

/// An own sequence before and after the cards added so far.
#[derive(Clone, Copy)]
struct Own {
    at: Option<u8>,
    old: Sequence,
    now: Sequence,
}

/// The sequences of a way to go out; empty if the rule set has none.
#[derive(Default)]
pub(super) struct Sequences {
    /// The cards that no sequence has taken yet.
    left: Copies,
    /// For each suit, a bit for each place of which a card is left.
    held: [u16; 4],
    /// The number of cards left at each place.
    ranks: [u8; PLACES as usize],
    own: SmallVec<[Own; 4]>,
    new: SmallVec<[Sequence; 4]>,
    /// A bit for each place whose remaining cards must all leave.
    emptied: u16,
    /// A bit for each place whose remaining cards stay.
    settled: u16,
    /// For each place and number of naturals, the minimum number of wilds with which they can lie in sets.
    needed: Vec<Vec<Option<u8>>>,
    /// States known to fail.
    failed: BTreeSet<Key>,
}

/// A way for cards to leave their ranks: a sequence as it then lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Leaving {
    /// The index of the own sequence that grows; `usize::MAX` for a new one.
    own: usize,
    now: Sequence,
}

type Ways = SmallVec<[Leaving; 16]>;

impl Sequences {
    pub(super) fn of(reach: &Reach<'_>) -> Self {
        let own = |spot: &MeldSlot| spot.sequence.map(|old| Own { at: spot.at, old, now: old });
        Self { own: reach.melds.iter().filter_map(own).collect(), ..Self::default() }
    }

    /// Begins a search for `hand`. `forget`: clears the states known to fail, since they may succeed now.
    fn begin(&mut self, hand: &Cards, forget: bool) {
        (self.left, self.held, self.ranks) = Default::default();
        for (card, count) in hand.kinds() {
            if let (Some(suit), Some(place)) = (card.suit(), place(card)) {
                self.change(suit, 1 << place, |left| left + count);
            }
        }
        self.own.iter_mut().for_each(|own| own.now = own.old);
        self.new.clear();
        (self.emptied, self.settled) = (0, 0);
        if forget {
            self.failed.clear();
        }
    }

    /// Returns the lengths of the sequences once all cards are laid.
    pub(super) fn lengths(&self) -> impl Iterator<Item = u8> {
        self.own.iter().map(|own| own.now.len).chain(self.new.iter().map(|new| new.len))
    }

    /// Returns the number of complete sequences.
    pub(super) fn complete(&self, set: &RuleSet) -> u8 {
        self.lengths().filter(|&len| grade(set, MeldKind::Sequence, len, 0).is_some()).count() as u8
    }

    /// Returns the groups to be laid: index of the target, cards in ascending order.
    pub(super) fn groups(&self) -> impl Iterator<Item = (Option<u8>, CardList)> {
        let ascending = |cards: Cards| cards.iter().collect();
        let new = self.new.iter().map(move |sequence| (None, ascending(sequence.cards().collect())));
        let longer = self.own.iter().filter(|own| own.now != own.old).map(move |own| {
            let mut added: Cards = own.now.cards().collect();
            added.subtract(&own.old.cards().collect());
            (own.at, ascending(added))
        });
        longer.chain(new)
    }

    /// Changes the numbers of cards of `suit` that are left at these places.
    fn change(&mut self, suit: u8, mut places: u16, then: impl Fn(u8) -> u8) {
        let suit = usize::from(suit);
        while places != 0 {
            let place = places.trailing_zeros() as usize;
            let before = self.left[suit][place];
            let left = then(before);
            self.left[suit][place] = left;
            self.ranks[place] = self.ranks[place] + left - before;
            self.held[suit] = self.held[suit] & !(1 << place) | u16::from(left > 0) << place;
            places &= places - 1;
        }
    }

    /// Returns the minimum number of wilds with which the cards at `place` can lie in sets; `None` if they cannot.
    fn wilds_needed(&self, place: u8) -> Option<u8> {
        let left = self.ranks[usize::from(place)];
        if left > 0 && self.emptied & (1 << place) != 0 {
            return None;
        }
        self.needed[usize::from(place)][usize::from(left)]
    }

    /// Returns a bit for each place of the cards that a way adds to what lies there.
    fn added(&self, way: Leaving) -> u16 {
        places_of(way.now) & !self.own.get(way.own).map_or(0, |own| places_of(own.now))
    }

    /// Returns a bit for each place of a suit from which a card may leave.
    fn free(&self, suit: u8) -> u16 {
        self.held[usize::from(suit)] & !self.settled
    }

    /// Whether the cards that a way adds may leave.
    fn has(&self, way: Leaving) -> bool {
        self.added(way) & !self.free(way.now.suit) == 0
    }

    /// Returns the ways in which a card of `suit` at `place` leaves: own sequences that grow just as far as this place,
    /// then new ones by length and lowest place.
    fn ways<'s>(&'s self, set: &'s RuleSet, suit: u8, place: u8) -> impl Iterator<Item = Leaving> + 's {
        let own = (0..self.own.len()).filter_map(move |own| self.reaches(set, own, suit, place));
        let lows = move |len: u8| ((place + 1).saturating_sub(len)..=place).map(move |low| (low, len));
        let new = (set.meld_min..=longest(set)).flat_map(lows);
        let new = new.map(move |(low, len)| Leaving { own: usize::MAX, now: Sequence { suit, low, len } });
        own.chain(new.filter(|&way| self.has(way)))
    }

    /// Returns the number of [`Self::ways_from`] each place.
    fn way_counts(&self, set: &RuleSet) -> [u8; 16] {
        // One byte for each place.
        let mut counts = 0u128;
        for suit in 0..4 {
            let free = self.free(suit);
            let mut lows = (1..set.meld_min).fold(free, |lows, i| lows & free >> i);
            let mut bytes = (1u128 << (8 * set.meld_min)) / 255;
            for len in set.meld_min..=longest(set) {
                let mut rest = lows;
                while rest != 0 {
                    counts += bytes << (8 * rest.trailing_zeros());
                    rest &= rest - 1;
                }
                lows &= free >> len;
                bytes |= 1 << (8 * len);
            }
        }
        for (own, Own { now, .. }) in self.own.iter().enumerate() {
            let mut free = self.free(now.suit);
            while free != 0 {
                let place = free.trailing_zeros() as u8;
                counts += u128::from(self.reaches(set, own, now.suit, place).is_some()) << (8 * place);
                free &= free - 1;
            }
        }
        counts.to_le_bytes()
    }

    /// Returns the way in which an own sequence grows just as far as the card of `suit` at `place`.
    fn reaches(&self, set: &RuleSet, own: usize, suit: u8, place: u8) -> Option<Leaving> {
        let now = self.own[own].now;
        let low = now.low.min(place);
        let len = now.end().max(place + 1) - low;
        let way = Leaving { own, now: Sequence { suit, low, len } };
        (now.suit == suit && len > now.len && len <= set.sequence_max && self.has(way)).then_some(way)
    }

    /// Returns the ways in which any card at `place` leaves.
    fn ways_from(&self, set: &RuleSet, place: u8) -> Ways {
        let held = (0..4).filter(|&suit: &u8| self.free(suit) & (1 << place) != 0);
        held.flat_map(|suit| self.ways(set, suit, place)).collect()
    }

    /// Returns the ways in which a sequence gets complete: own ones, then new ones by suit and lowest place.
    fn completions(&self, set: &RuleSet) -> Ways {
        let len = set.sequence_max;
        let of_suit = |suit: u8| (0..PLACES).map(move |low| Sequence { suit, low, len });
        let own = self.own.iter().enumerate().flat_map(|(own, Own { now: lies, .. })| {
            let holds = |now: &Sequence| now.low <= lies.low && now.end() >= lies.end() && lies.len < len;
            of_suit(lies.suit).filter(holds).map(move |now| Leaving { own, now })
        });
        let new = (0..4).flat_map(of_suit).map(|now| Leaving { own: usize::MAX, now });
        own.chain(new).filter(|&way| self.has(way)).collect()
    }

    /// Lays the cards of a way. Returns the own sequence as it lay before.
    fn lay(&mut self, way: Leaving) -> Option<Sequence> {
        self.change(way.now.suit, self.added(way), |left| left - 1);
        let Some(own) = self.own.get_mut(way.own) else {
            self.new.push(way.now);
            return None;
        };
        Some(core::mem::replace(&mut own.now, way.now))
    }

    /// Takes back the cards of a way. `before` is the own sequence as it lay before.
    fn take_back(&mut self, way: Leaving, before: Option<Sequence>) {
        match before {
            Some(before) => self.own[way.own].now = before,
            None => _ = self.new.pop(),
        }
        self.change(way.now.suit, self.added(way), |left| left + 1);
    }

    /// Returns all that decides whether the cards that are left can be laid, as the key of a memoized state.
    fn key(&self, set: &RuleSet, wilds: u8) -> Key {
        let mut key: Key = self.left.iter().flatten().copied().collect();
        key.extend(self.own.iter().flat_map(|own| [own.now.low, own.now.len]));
        key.extend_from_slice(&self.emptied.to_le_bytes());
        key.extend_from_slice(&self.settled.to_le_bytes());
        key.extend([wilds, self.complete(set)]);
        key
    }
}

/// Returns the maximum length of a new sequence that is not to be complete: a longer one would be two.
fn longest(set: &RuleSet) -> u8 {
    set.sequence_max.min(2 * set.meld_min - 1).min(PLACES)
}

/// Returns a bit for each place of a sequence.
fn places_of(sequence: Sequence) -> u16 {
    (((1u32 << sequence.len) - 1) << sequence.low) as u16
}

impl Search<'_> {
    /// Searches for sequences that leave only what the sets can take. Returns whether all fits.
    pub(super) fn cover(&mut self) -> bool {
        self.sequences.begin(&self.hand, self.points_due != 0);
        self.chosen.clear();
        let mut words = 0;
        let sets = self.pools.iter().filter(|pool| pool.kind == MeldKind::Set);
        self.sequences.needed = sets.map(|pool| Prospects::wilds_needed(self, pool, &mut words)).collect();
        self.nodes.add(words / WORDS_PER_NODE);
        self.complete(None)
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
        let sequences = (self.sequences.own.len() + self.sequences.new.len()) as u8;
        let Canastas { total, clean, wild, .. } = reachable;
        let total = total.saturating_add(wilds).saturating_add(sequences);
        let reachable = Canastas { total, clean: clean + sequences, wild: wild + wilds, ..reachable };
        facts::suffices(set, Canastas { sequence: set.go_out_sequence, ..reachable })
    }
}
