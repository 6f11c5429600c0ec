//! ALG-15 with sequences: the choice of naturals that leave their ranks for a sequence.
//!
//! The search goes through the ranks from four to ace. At each rank it begins sequences of minimum length, and
//! lengthens those that end there, card by card. The cards of the rank that no sequence has taken must then lie
//! in sets. The length of a sequence does not matter, for a long one is cut into legal ones at the end; only a
//! sequence that is to be a canasta is laid whole.

use super::Search;
use crate::action::CardList;
use crate::card::Cards;
use crate::facts;
use crate::sequence::{PLACES, Sequence, card_at};
use crate::way_out::{MeldSlot, Reach};
use alloc::collections::{BTreeMap, BTreeSet};
use smallvec::SmallVec;

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

/// A new sequence.
#[derive(Clone, Copy)]
struct Begun {
    sequence: Sequence,
    /// Whether it is a canasta and stays one. Others may grow beyond the legal length: they are cut at the end.
    whole: bool,
}

/// The state of the search for sequences; empty if the rule set has none.
#[derive(Default)]
pub(super) struct Sequences {
    /// The cards that no sequence has taken yet.
    left: Copies,
    own: SmallVec<[Own; 4]>,
    begun: SmallVec<[Begun; 4]>,
    /// The minimum and maximum length of a sequence.
    min: u8,
    max: u8,
    /// States known to fail, whatever is kept for the final discard.
    failed: BTreeSet<Key>,
    /// Memoized bounds: whether the naturals of the places from some place on can be laid if nothing else
    /// matters.
    laid: BTreeMap<Key, bool>,
    /// Whether only the bound on the naturals is computed, so that nothing else matters.
    naturals_only: bool,
}

impl Sequences {
    pub(super) fn of(reach: &Reach<'_>) -> Self {
        let own = |spot: &MeldSlot| spot.sequence.map(|old| Own { at: spot.at, old, now: old });
        let (min, max) = (reach.set.meld_min, reach.set.sequence_max);
        Self { own: reach.melds.iter().filter_map(own).collect(), min, max, ..Self::default() }
    }

    /// Begins a search for `hand`. `forget`: clears the states known to fail, since they may succeed now.
    pub(super) fn begin(&mut self, hand: &Cards, forget: bool) {
        self.left = copies(hand);
        self.begun.clear();
        if forget {
            self.failed.clear();
        }
        self.own.iter_mut().for_each(|own| own.now = own.old);
    }

    /// Returns the length of every sequence once all cards are laid.
    pub(super) fn lengths(&self) -> impl Iterator<Item = u8> {
        let own = self.own.iter().map(|own| own.now.len);
        own.chain(self.begun.iter().flat_map(|begun| self.pieces(begun)).map(|piece| piece.len))
    }

    /// Whether every sequence that is long enough can be cut into sequences that are no canastas.
    fn cuts(&self) -> bool {
        self.max >= 2 * self.min
    }

    /// Returns the legal sequences that a new sequence is cut into.
    fn pieces(&self, begun: &Begun) -> impl Iterator<Item = Sequence> + use<> {
        let Begun { sequence: Sequence { suit, low, len }, whole } = *begun;
        let min = self.min;
        let count = if whole || !self.cuts() { 1 } else { len / min };
        (0..count).map(move |i| {
            let before = i * min;
            Sequence { suit, low: low + before, len: if i + 1 < count { min } else { len - before } }
        })
    }

    /// Whether a new sequence may take the card at this place.
    fn grows(&self, begun: &Begun, suit: u8, place: u8) -> bool {
        let Begun { sequence, whole } = begun;
        let ends = sequence.suit == suit && sequence.end() == place;
        ends && !whole && (self.cuts() || sequence.len < self.max)
    }

    /// Returns the number of cards of a rank that are left for sets.
    pub(super) fn left_of(&self, place: usize) -> u8 {
        self.left.iter().map(|suit| suit[place]).sum()
    }

    /// Returns the groups to be laid: index of the target, cards in ascending order.
    pub(super) fn groups(&self) -> impl Iterator<Item = (Option<u8>, CardList)> {
        let ascending = |cards: Cards| cards.iter().collect();
        let pieces = self.begun.iter().flat_map(|begun| self.pieces(begun));
        let begun = pieces.map(move |sequence| (None, ascending(sequence.cards().collect())));
        let longer = self.own.iter().filter(|own| own.now != own.old).map(move |own| {
            let mut added: Cards = own.now.cards().collect();
            added.subtract(&own.old.cards().collect());
            (own.at, ascending(added))
        });
        longer.chain(begun)
    }

    fn give(&mut self, sequence: Sequence) {
        for place in sequence.low..sequence.end() {
            self.left[usize::from(sequence.suit)][usize::from(place)] -= 1;
        }
    }

    fn take_back(&mut self, sequence: Sequence) {
        for place in sequence.low..sequence.end() {
            self.left[usize::from(sequence.suit)][usize::from(place)] += 1;
        }
    }

    /// Returns how many consecutive cards of `suit` are left from `low` on.
    fn run(&self, suit: u8, low: u8) -> u8 {
        let left = &self.left[usize::from(suit)][usize::from(low)..];
        left.iter().take_while(|&&count| count > 0).count() as u8
    }

    /// Returns all that decides whether the places from this one on can be laid, as the key of a memoized
    /// state. Without `search`, it is the key of the bound on the naturals.
    fn key(&self, place: usize, left: u8, search: Option<&Reached>) -> Key {
        let mut key = Key::new();
        key.extend([place as u8, left]);
        if let Some(search) = search {
            key.extend([search.content.into(), search.shared.into()]);
            key.extend(search.canastas);
            key.extend(search.points.to_le_bytes());
        }
        self.left.iter().for_each(|suit| key.extend_from_slice(&suit[place..]));
        // The length of a new sequence matters only where it cannot be cut.
        let new = |begun: &Begun| {
            let Sequence { suit, len, .. } = begun.sequence;
            [suit << 4 | begun.sequence.end(), if self.cuts() { 0 } else { len }]
        };
        let growing = |begun: &&Begun| usize::from(begun.sequence.end()) >= place && !begun.whole;
        let mut begun: SmallVec<[[u8; 2]; 8]> = self.begun.iter().filter(growing).map(new).collect();
        begun.sort_unstable();
        key.push(begun.len() as u8);
        key.extend(begun.into_iter().flatten());
        let growing = |own: &&Own| usize::from(own.now.end()) >= place;
        key.extend(self.own.iter().filter(growing).flat_map(|own| [own.now.low, own.now.len]));
        key
    }
}

/// The canastas and points reached, as far as they matter.
struct Reached {
    /// The numbers of canastas in all, clean, wild and of sequences, each capped at the number that going out
    /// requires.
    canastas: [u8; 4],
    content: bool,
    /// Whether wilds lie in sets.
    shared: bool,
    points: i32,
}

impl Search<'_> {
    fn standing_now(&self, left: u8) -> Reached {
        let (set, reached) = (self.set, self.canastas());
        let canastas = [
            reached.total.min(set.go_out_total),
            reached.clean.min(set.go_out_clean),
            reached.wild.min(set.go_out_wild),
            reached.sequence.min(set.go_out_sequence),
        ];
        let (content, shared, points) = (self.has_content(), left < self.wilds, self.standing());
        Reached { canastas, content, shared, points }
    }

    /// Fills the ranks from this place on, with sequences. Returns whether all fits.
    pub(super) fn solve_place(&mut self, place: usize, left: u8) -> bool {
        // A loose sequence is too short yet, and no later place lengthens it.
        let short = |own: &Own| usize::from(own.now.end()) < place && own.now.len < self.set.meld_min;
        if self.sequences.own.iter().any(short) {
            return false;
        }
        let key = self.sequences.key(place, left, Some(&self.standing_now(left)));
        if self.sequences.failed.contains(&key) || !self.may_lay_naturals(place, left) {
            return false;
        }
        let done = self.lay_from(place as u8, 0, 0, left);
        if !done {
            self.sequences.failed.insert(key);
        }
        done
    }

    /// Whether the naturals from this place on can be laid with at most `left` wilds (a bound that ignores the
    /// canastas and the other wilds).
    fn may_lay_naturals(&mut self, place: usize, left: u8) -> bool {
        let key = self.sequences.key(place, left, None);
        if let Some(&known) = self.sequences.laid.get(&key) {
            return known;
        }
        let before = (self.sequences.left, self.sequences.own.clone(), self.sequences.begun.clone());
        let outer = core::mem::replace(&mut self.sequences.naturals_only, true);
        let done = place == usize::from(PLACES) || self.lay_from(place as u8, 0, 0, left);
        self.sequences.naturals_only = outer;
        (self.sequences.left, self.sequences.own, self.sequences.begun) = before;
        self.sequences.laid.insert(key, done);
        done
    }

    /// Returns the minimum number of wilds that this many naturals of a place need to lie in sets; `None` if
    /// they cannot lie there.
    fn wilds_needed(&self, place: usize, naturals: u8) -> Option<u8> {
        let pool = &self.pools[place];
        let closed = pool.rank.is_some_and(|rank| self.closed & (1 << rank.index()) != 0);
        if naturals == 0 || !pool.spots.is_empty() {
            return Some(0);
        }
        let lies = !closed && naturals >= self.set.min_naturals;
        lies.then(|| self.set.meld_min.saturating_sub(naturals))
    }

    /// Begins sequences at a place, of the suits from `suit` on, none of that suit shorter than `least`; then
    /// fills the sets of the rank. Returns whether all fits.
    fn lay_from(&mut self, place: u8, suit: u8, least: u8, left: u8) -> bool {
        if !self.nodes.visit() {
            return false;
        }
        if suit == 4 {
            let (at, from) = (usize::from(place), self.chosen.len());
            let naturals = self.sequences.left_of(at);
            if self.sequences.naturals_only {
                let rest = self.wilds_needed(at, naturals).and_then(|needed| left.checked_sub(needed));
                return rest.is_some_and(|rest| self.may_lay_naturals(at + 1, rest));
            }
            return self.fill(at, 0, from, naturals, left);
        }
        if self.lay_from(place, suit + 1, 0, left) {
            return true;
        }
        let run = self.sequences.run(suit, place);
        (least == 0 && self.lengthen(place, suit, run, left)) || self.begin_new(place, suit, least, run, left)
    }

    /// Begins a new sequence at a place. No sequence that can be cut is begun while another could grow instead:
    /// the other is free to end again, a new one is not. Returns whether all fits.
    fn begin_new(&mut self, place: u8, suit: u8, least: u8, run: u8, left: u8) -> bool {
        let sequences = &self.sequences;
        let (min, max, cuts) = (sequences.min, sequences.max, sequences.cuts());
        let is_idle = cuts && sequences.begun.iter().any(|begun| sequences.grows(begun, suit, place));
        let whole = cuts && !sequences.naturals_only && self.lacks_canastas();
        let lens = [(min, false), (max, true)];
        let wanted = |&(len, is_whole): &(u8, bool)| {
            len <= run && len >= least && if is_whole { whole } else { !is_idle }
        };
        for (len, whole) in lens.into_iter().filter(wanted) {
            let sequence = Sequence { suit, low: place, len };
            self.sequences.give(sequence);
            self.sequences.begun.push(Begun { sequence, whole });
            if self.lay_from(place, suit, len, left) {
                return true;
            }
            self.sequences.begun.pop();
            self.sequences.take_back(sequence);
        }
        false
    }

    /// Whether one more canasta of a sequence may help: to go out, or to reach the minimum.
    fn lacks_canastas(&self) -> bool {
        self.points_due > 0 || !facts::suffices(self.set, self.canastas())
    }

    /// Lengthens a sequence that ends at `place` by one card, since the next place goes on from there; or an
    /// own sequence downwards to `place`. Returns whether all fits.
    fn lengthen(&mut self, place: u8, suit: u8, run: u8, left: u8) -> bool {
        if run == 0 {
            return false;
        }
        for at in 0..self.sequences.own.len() {
            let now = self.sequences.own[at].now;
            if now.suit != suit {
                continue;
            }
            let room = self.set.sequence_max.saturating_sub(now.len);
            let below = now.low.checked_sub(place).filter(|&len| len > 0 && len <= run.min(room));
            let above = (now.end() == place && room > 0).then_some(1);
            for len in below.into_iter().chain(above) {
                let added = Sequence { suit, low: place, len };
                let low = now.low.min(place);
                self.sequences.give(added);
                self.sequences.own[at].now = Sequence { suit, low, len: now.len + len };
                if self.lay_from(place, suit, 0, left) {
                    return true;
                }
                self.sequences.own[at].now = now;
                self.sequences.take_back(added);
            }
        }
        let one = Sequence { suit, low: place, len: 1 };
        for at in 0..self.sequences.begun.len() {
            if !self.sequences.grows(&self.sequences.begun[at], suit, place) {
                continue;
            }
            self.sequences.give(one);
            self.sequences.begun[at].sequence.len += 1;
            if self.lay_from(place, suit, 0, left) {
                return true;
            }
            self.sequences.begun[at].sequence.len -= 1;
            self.sequences.take_back(one);
            if self.sequences.cuts() {
                // Any other sequence that ends here is as good.
                break;
            }
        }
        false
    }
}

fn copies(hand: &Cards) -> Copies {
    core::array::from_fn(|suit| core::array::from_fn(|place| hand.count(card_at(suit as u8, place as u8))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Checks Samba, with sequences of three to seven cards (SA-030, SA-033): a sequence that has grown without
    /// limit is laid as legal ones, none of them a canasta.
    #[test]
    fn long_ones_are_cut_into_legal_ones() {
        let sequences = Sequences { min: 3, max: 7, ..Sequences::default() };
        for len in 3..=PLACES {
            let grown = Sequence { suit: 2, low: 0, len };
            let pieces: Vec<Sequence> = sequences.pieces(&Begun { sequence: grown, whole: false }).collect();
            assert!(pieces.iter().all(|piece| (3..=5).contains(&piece.len)), "{len}");
            assert!(pieces.iter().flat_map(|piece| piece.cards()).eq(grown.cards()), "{len}");
        }
        let whole = Begun { sequence: Sequence { suit: 2, low: 0, len: 7 }, whole: true };
        assert_eq!(sequences.pieces(&whole).map(|piece| piece.len).collect::<Vec<_>>(), [7]);
    }

    /// Checks that sequences of three or four cards, which cannot be cut, are told apart in the state: it must
    /// say which of two may still grow.
    #[test]
    fn what_can_still_grow_is_told_apart_where_it_matters() {
        let key = |max, lens: [u8; 2]| {
            let begun = |(end, len): (u8, u8)| Begun {
                sequence: Sequence { suit: 0, low: end - len, len },
                whole: false,
            };
            let begun = [5, 6].into_iter().zip(lens).map(begun).collect();
            Sequences { min: 3, max, begun, ..Sequences::default() }.key(4, 0, None)
        };
        assert_ne!(key(4, [3, 4]), key(4, [4, 3]));
        assert_eq!(key(7, [3, 4]), key(7, [4, 3]));
    }
}
