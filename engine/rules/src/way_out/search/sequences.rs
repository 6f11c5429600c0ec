//! The sequences of a way to go out, and the cards that they leave.

use super::MeldSlot;
use crate::action::{CardList, MeldKind};
use crate::card::{Card, Cards};
use crate::rules::RuleSet;
use crate::sequence::{PLACES, Sequence, card_at, place};
use crate::table::grade;
use crate::way_out::Reach;
use alloc::collections::BTreeSet;
use smallvec::SmallVec;

/// The number of copies of each natural, by suit: 4 bits for each place.
type Copies = [u64; 4];

/// The naturals of a hand by suit and place.
#[derive(Clone, Copy, Default)]
struct NaturalsLeft {
    copies: Copies,
    /// For each suit, a bit for each place of which a card is left.
    held: [u16; 4],
    /// The number of cards left at each place.
    ranks: [u8; PLACES as usize],
}

/// A state of the search in few words: one for each suit, and one for each four own sequences, two of them at least.
pub(super) type Key = SmallVec<[u64; 6]>;

/// The minimum numbers of wilds that naturals of a rank need in sets, by the number of naturals; `None` if they cannot lie
/// in sets.
pub(in crate::way_out) type Needed = SmallVec<[Option<u8>; 8]>;

/// An own sequence before and after the cards added so far.
#[derive(Clone, Copy)]
pub(super) struct Own {
    at: Option<u8>,
    old: Sequence,
    pub now: Sequence,
}

/// A sequence that a way to go out begins or lengthens.
#[derive(Clone, Copy, Debug)]
pub(super) struct GrownSequence {
    /// Index into the state's melds; `None`: a new sequence.
    pub at: Option<u8>,
    /// The sequence that lies there, of length 0 for a new one, and the sequence as it then lies.
    old: Sequence,
    now: Sequence,
}

impl GrownSequence {
    /// Returns the cards that are added, in ascending order.
    pub(super) fn cards(&self) -> CardList {
        let old = self.old.low..self.old.end();
        let added = (self.now.low..self.now.end()).filter(|place| !old.contains(place));
        let cards: Cards = added.map(|place| card_at(self.now.suit, place)).collect();
        cards.iter().collect()
    }
}

/// The sequences of a way to go out; empty if the rule set has none.
#[derive(Default)]
pub(super) struct Sequences {
    /// The cards that no sequence has taken yet, and those of the whole hand.
    left: NaturalsLeft,
    whole: NaturalsLeft,
    pub own: SmallVec<[Own; 4]>,
    new: SmallVec<[Sequence; 4]>,
    /// A bit for each place whose remaining cards must all leave.
    pub emptied: u16,
    /// A bit for each place whose remaining cards stay.
    pub settled: u16,
    /// The needs of the naturals at each place, and a bit for each number of them that can lie in sets.
    needed: SmallVec<[Needed; PLACES as usize]>,
    lies: [u32; PLACES as usize],
    /// The number of wilds for which these numbers were computed.
    needed_for: Option<u8>,
    /// States known to fail.
    pub failed: BTreeSet<Key>,
}

/// A way for cards to leave their ranks: a sequence as it then lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Leaving {
    /// The index of the own sequence that grows; [`NEW`] for a new one.
    own: u8,
    pub now: Sequence,
}

/// A bit for each place.
const ALL_PLACES: u16 = (1 << PLACES) - 1;

/// The index of a new sequence.
const NEW: u8 = u8::MAX;

pub(super) type Ways = SmallVec<[Leaving; 32]>;

impl Sequences {
    pub(super) fn of(reach: &Reach<'_>) -> Self {
        let own = |spot: &MeldSlot| spot.sequence.map(|old| Own { at: spot.at, old, now: old });
        let own = reach.melds.iter().filter_map(own).collect();
        let mut whole = NaturalsLeft::default();
        for (card, count) in reach.hand.kinds().filter(|_| reach.set.sequences) {
            if let (Some(suit), Some(place)) = (card.suit(), place(card)) {
                whole.change(suit, 1 << place, |left| left + count);
            }
        }
        Self { own, whole, ..Self::default() }
    }

    /// Begins a search for the hand without this final discard. `forget`: clears the states known to fail, since they may
    /// succeed now.
    pub(super) fn begin(&mut self, discard: Option<Card>, forget: bool) {
        self.left = self.whole;
        if let Some((suit, place)) = discard.and_then(|card| card.suit().zip(place(card))) {
            self.left.change(suit, 1 << place, |left| left - 1);
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

    pub(super) fn complete(&self, set: &RuleSet) -> u8 {
        self.lengths().filter(|&len| grade(set, MeldKind::Sequence, len, 0).is_some()).count() as u8
    }

    /// Returns the sequences that are begun or lengthened.
    pub(super) fn grown(&self) -> impl Iterator<Item = GrownSequence> {
        let longer = self.own.iter().filter(|own| own.now != own.old);
        let longer = longer.map(|&Own { at, old, now }| GrownSequence { at, old, now });
        let begun = |&now: &Sequence| GrownSequence { at: None, old: Sequence { len: 0, ..now }, now };
        longer.chain(self.new.iter().map(begun))
    }

    /// Sets the needs of the naturals at each place, which hold for this number of wilds.
    pub(super) fn set_needed(&mut self, needed: SmallVec<[Needed; PLACES as usize]>, wilds: u8) {
        for (lies, needed) in self.lies.iter_mut().zip(&needed) {
            let lie = |(naturals, wilds): (usize, &Option<u8>)| u32::from(wilds.is_some()) << naturals;
            *lies = needed.iter().enumerate().map(lie).sum();
        }
        (self.needed, self.needed_for) = (needed, Some(wilds));
    }

    /// Whether the needs of the naturals are known for this number of wilds.
    pub(super) fn knows_needed(&self, wilds: u8) -> bool {
        self.needed_for == Some(wilds)
    }

    /// Returns the number of cards left at each place.
    pub(super) fn ranks(&self) -> &[u8; PLACES as usize] {
        &self.left.ranks
    }

    /// Returns the minimum number of wilds with which the cards at `place` can lie in sets; `None` if they cannot.
    pub(super) fn wilds_needed(&self, place: u8) -> Option<u8> {
        let left = self.left.ranks[usize::from(place)];
        if left > 0 && self.emptied & (1 << place) != 0 {
            return None;
        }
        self.needed[usize::from(place)][usize::from(left)]
    }

    /// Returns a bit for each place whose cards cannot lie in sets.
    pub(super) fn needy(&self) -> u16 {
        let NaturalsLeft { held, ranks, .. } = &self.left;
        let held = held.iter().fold(0, |all, held| all | held);
        let lies = (0..).zip(self.lies.iter().zip(ranks));
        let lie = lies.fold(0, |all, (place, (lies, &left))| all | ((lies >> left & 1) as u16) << place);
        (ALL_PLACES & !lie) | (self.emptied & held)
    }

    /// Returns a bit for each place of the cards that a way adds to what lies there.
    fn added(&self, way: Leaving) -> u16 {
        places_of(way.now) & !self.own_of(way).map_or(0, |own| places_of(own.now))
    }

    /// Returns the own sequence that grows in a way, as it lies now.
    pub(super) fn own_of(&self, way: Leaving) -> Option<&Own> {
        self.own.get(usize::from(way.own))
    }

    /// Returns a bit for each place of a suit from which a card may leave.
    fn free(&self, suit: u8) -> u16 {
        self.left.held[usize::from(suit)] & !self.settled
    }

    /// Whether the cards that a way adds may leave.
    fn has(&self, way: Leaving) -> bool {
        self.added(way) & !self.free(way.now.suit) == 0
    }

    /// Adds the ways in which a card of `suit` at `place` leaves: own sequences that grow just as far as this place, then
    /// new ones by length and lowest place.
    pub(super) fn add_ways(&self, set: &RuleSet, suit: u8, place: u8, ways: &mut Ways) {
        for own in 0..self.own.len() {
            if let Some(way) = self.reaches(set, own, suit, place) {
                ways.push(way);
            }
        }
        let free = self.free(suit);
        // `lows` has a bit for each place from which `len` cards upwards are free. A longer
        // sequence could lie as two, and whole ones are laid by `completions`: so lengths up to `longest` are enough.
        let mut lows = (1..set.meld_min).fold(free, |lows, i| lows & free >> i);
        for len in set.meld_min..=longest(set) {
            for low in (place + 1).saturating_sub(len)..=place {
                if lows & (1 << low) != 0 {
                    ways.push(Leaving { own: NEW, now: Sequence { suit, low, len } });
                }
            }
            lows &= free >> len;
        }
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
                if lows == 0 {
                    break;
                }
                let mut rest = lows;
                while rest != 0 {
                    counts += bytes << (8 * rest.trailing_zeros());
                    rest &= rest - 1;
                }
                lows &= free >> len;
                bytes |= 1 << (8 * len);
            }
        }
        for Own { now, .. } in &self.own {
            // Own sequences grow card by card, upwards or downwards, to the places that `reaches` accepts.
            let (free, room) = (self.free(now.suit), set.sequence_max.saturating_sub(now.len).into());
            let is_free = |place: &u8| free >> place & 1 != 0;
            let up = (now.end()..PLACES).take_while(is_free).take(room);
            let down = (0..now.low).rev().take_while(is_free).take(room);
            up.chain(down).for_each(|place| counts += 1 << (8 * place));
        }
        counts.to_le_bytes()
    }

    /// Returns the way in which an own sequence grows just as far as the card of `suit` at `place`.
    fn reaches(&self, set: &RuleSet, own: usize, suit: u8, place: u8) -> Option<Leaving> {
        let now = self.own[own].now;
        let low = now.low.min(place);
        let len = now.end().max(place + 1) - low;
        let way = Leaving { own: own as u8, now: Sequence { suit, low, len } };
        (now.suit == suit && len > now.len && len <= set.sequence_max && self.has(way)).then_some(way)
    }

    /// Returns the ways in which any card at `place` leaves.
    pub(super) fn ways_from(&self, set: &RuleSet, place: u8) -> Ways {
        let mut ways = Ways::new();
        for suit in (0..4).filter(|&suit: &u8| self.free(suit) & (1 << place) != 0) {
            self.add_ways(set, suit, place, &mut ways);
        }
        ways
    }

    /// Returns the ways in which a sequence gets complete: own ones, then new ones by suit and lowest place.
    pub(super) fn completions(&self, set: &RuleSet) -> Ways {
        let len = set.sequence_max;
        let of_suit = |suit: u8| (0..PLACES).map(move |low| Sequence { suit, low, len });
        let own = self.own.iter().enumerate().flat_map(|(own, Own { now: lies, .. })| {
            let holds = |now: &Sequence| now.low <= lies.low && now.end() >= lies.end() && lies.len < len;
            of_suit(lies.suit).filter(holds).map(move |now| Leaving { own: own as u8, now })
        });
        let new = (0..4).flat_map(of_suit).map(|now| Leaving { own: NEW, now });
        own.chain(new).filter(|&way| self.has(way)).collect()
    }

    /// Lays the cards of a way. Returns the own sequence as it lay before.
    pub(super) fn lay(&mut self, way: Leaving) -> Option<Sequence> {
        let added = self.added(way);
        self.left.change(way.now.suit, added, |left| left - 1);
        let Some(own) = self.own.get_mut(usize::from(way.own)) else {
            self.new.push(way.now);
            return None;
        };
        Some(core::mem::replace(&mut own.now, way.now))
    }

    /// Takes back the cards of a way. `before` is the own sequence as it lay before.
    pub(super) fn take_back(&mut self, way: Leaving, before: Option<Sequence>) {
        match before {
            Some(before) => self.own[usize::from(way.own)].now = before,
            None => _ = self.new.pop(),
        }
        let added = self.added(way);
        self.left.change(way.now.suit, added, |left| left + 1);
    }

    /// Returns all that decides whether the cards that are left can be laid, as the key of a memoized state.
    pub(super) fn key(&self, set: &RuleSet, wilds: u8) -> Key {
        // Behind the 44 bits of the copies of a suit, 20 bits are free.
        let rest = [self.emptied, self.settled, wilds.into(), self.complete(set).into()];
        let of_suit = |suit: usize| self.left.copies[suit] | u64::from(rest[suit]) << 48;
        let mut own = self.own.chunks(4).map(|own| {
            let ends = own.iter().map(|own| u64::from(own.now.low) << 8 | u64::from(own.now.len));
            ends.fold(0, |all, ends| all << 16 | ends)
        });
        let mut next = || own.next().unwrap_or(0);
        let mut key = Key::from_buf([of_suit(0), of_suit(1), of_suit(2), of_suit(3), next(), next()]);
        key.extend(own);
        key
    }
}

impl NaturalsLeft {
    /// Changes the numbers of cards of `suit` that are left at these places.
    fn change(&mut self, suit: u8, mut places: u16, then: impl Fn(u8) -> u8) {
        let suit = usize::from(suit);
        while places != 0 {
            let place = places.trailing_zeros() as usize;
            let before = (self.copies[suit] >> (4 * place)) as u8 & 15;
            let left = then(before);
            self.copies[suit] ^= u64::from(before ^ left) << (4 * place);
            self.ranks[place] = self.ranks[place] + left - before;
            self.held[suit] = self.held[suit] & !(1 << place) | u16::from(left > 0) << place;
            places &= places - 1;
        }
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
