//! The sequences of a way to go out, and the cards that they leave.

use super::MeldSlot;
use crate::action::{CardList, MeldKind};
use crate::card::Cards;
use crate::rules::RuleSet;
use crate::sequence::{PLACES, Sequence, place};
use crate::table::grade;
use crate::way_out::Reach;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The number of copies of each natural, by suit and place.
type Copies = [[u8; PLACES as usize]; 4];

type Key = SmallVec<[u8; 64]>;

/// An own sequence before and after the cards added so far.
#[derive(Clone, Copy)]
pub(super) struct Own {
    at: Option<u8>,
    old: Sequence,
    pub now: Sequence,
}

/// The sequences of a way to go out; empty if the rule set has none.
#[derive(Default)]
pub(super) struct Sequences {
    /// The cards that no sequence has taken yet.
    left: Copies,
    /// For each suit, a bit for each place of which a card is left.
    held: [u16; 4],
    /// The number of cards left at each place.
    pub ranks: [u8; PLACES as usize],
    pub own: SmallVec<[Own; 4]>,
    new: SmallVec<[Sequence; 4]>,
    /// A bit for each place whose remaining cards must all leave.
    pub emptied: u16,
    /// A bit for each place whose remaining cards stay.
    pub settled: u16,
    /// The number of wilds to be laid.
    wilds: u8,
    /// For each place and number of naturals, the minimum number of wilds with which they can lie in sets.
    pub needed: Vec<Vec<Option<u8>>>,
    /// States known to fail.
    pub failed: BTreeSet<Key>,
}

/// A way for cards to leave their ranks: a sequence as it then lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Leaving {
    /// The index of the own sequence that grows; `usize::MAX` for a new one.
    pub own: usize,
    pub now: Sequence,
}

pub(super) type Ways = SmallVec<[Leaving; 16]>;

impl Sequences {
    pub(super) fn of(reach: &Reach<'_>) -> Self {
        let own = |spot: &MeldSlot| spot.sequence.map(|old| Own { at: spot.at, old, now: old });
        Self { own: reach.melds.iter().filter_map(own).collect(), ..Self::default() }
    }

    /// Begins a search for `hand`. `forget`: clears the states known to fail, since they may succeed now.
    pub(super) fn begin(&mut self, hand: &Cards, forget: bool) {
        (self.left, self.held, self.ranks) = Default::default();
        self.wilds = hand.wilds();
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
    pub(super) fn wilds_needed(&self, place: u8) -> Option<u8> {
        let left = self.ranks[usize::from(place)];
        if left > 0 && self.emptied & (1 << place) != 0 {
            return None;
        }
        self.needed[usize::from(place)][usize::from(left)].filter(|&wilds| wilds <= self.wilds)
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
    pub(super) fn ways<'s>(
        &'s self,
        set: &'s RuleSet,
        suit: u8,
        place: u8,
    ) -> impl Iterator<Item = Leaving> + 's {
        let own = (0..self.own.len()).filter_map(move |own| self.reaches(set, own, suit, place));
        let lows = move |len: u8| ((place + 1).saturating_sub(len)..=place).map(move |low| (low, len));
        let new = (set.meld_min..=longest(set)).flat_map(lows);
        let new = new.map(move |(low, len)| Leaving { own: usize::MAX, now: Sequence { suit, low, len } });
        own.chain(new.filter(|&way| self.has(way)))
    }

    /// Returns the number of [`Self::ways_from`] each place.
    pub(super) fn way_counts(&self, set: &RuleSet) -> [u8; 16] {
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
    pub(super) fn ways_from(&self, set: &RuleSet, place: u8) -> Ways {
        let held = (0..4).filter(|&suit: &u8| self.free(suit) & (1 << place) != 0);
        held.flat_map(|suit| self.ways(set, suit, place)).collect()
    }

    /// Returns the ways in which a sequence gets complete: own ones, then new ones by suit and lowest place.
    pub(super) fn completions(&self, set: &RuleSet) -> Ways {
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
    pub(super) fn lay(&mut self, way: Leaving) -> Option<Sequence> {
        self.change(way.now.suit, self.added(way), |left| left - 1);
        let Some(own) = self.own.get_mut(way.own) else {
            self.new.push(way.now);
            return None;
        };
        Some(core::mem::replace(&mut own.now, way.now))
    }

    /// Takes back the cards of a way. `before` is the own sequence as it lay before.
    pub(super) fn take_back(&mut self, way: Leaving, before: Option<Sequence>) {
        match before {
            Some(before) => self.own[way.own].now = before,
            None => _ = self.new.pop(),
        }
        self.change(way.now.suit, self.added(way), |left| left + 1);
    }

    /// Returns all that decides whether the cards that are left can be laid, as the key of a memoized state.
    pub(super) fn key(&self, set: &RuleSet, wilds: u8) -> Key {
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
