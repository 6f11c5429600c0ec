//! ALG-15 with sequences: which naturals leave their ranks for a sequence.
//!
//! Ranks are gone through from four to ace. At each the search begins sequences and lengthens own ones, all
//! their cards at once; what no sequence has taken of the rank must then lie in sets.

use super::Search;
use crate::action::CardList;
use crate::card::Cards;
use crate::sequence::{PLACES, Sequence, card_at};
use crate::way_out::{Spot, Table};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// Copies of each natural, by suit and place.
type Copies = [[u8; PLACES as usize]; 4];

/// An own sequence, and how long it becomes.
#[derive(Clone, Copy)]
struct Own {
    at: Option<u8>,
    old: Sequence,
    now: Sequence,
}

/// What the search knows of sequences; empty where the rule set has none.
#[derive(Default)]
pub(super) struct Sequences {
    /// What no sequence has taken yet.
    left: Copies,
    own: SmallVec<[Own; 4]>,
    begun: SmallVec<[Sequence; 4]>,
    /// States known to fail.
    failed: BTreeSet<Vec<u8>>,
}

impl Sequences {
    pub(super) fn of(table: &Table<'_>) -> Self {
        let own = |spot: &Spot| spot.sequence.map(|old| Own { at: spot.at, old, now: old });
        Self { own: table.melds.iter().filter_map(own).collect(), ..Self::default() }
    }

    pub(super) fn begin(&mut self, hand: &Cards) {
        self.left = copies(hand);
        self.begun.clear();
        self.failed.clear();
        self.own.iter_mut().for_each(|own| own.now = own.old);
    }

    /// The length of every sequence on the table once all is laid.
    pub(super) fn lengths(&self) -> impl Iterator<Item = u8> {
        let own = self.own.iter().map(|own| own.now.len);
        own.chain(self.begun.iter().map(|sequence| sequence.len))
    }

    /// How many cards of a rank are left for sets.
    pub(super) fn left_of(&self, place: usize) -> u8 {
        self.left.iter().map(|suit| suit[place]).sum()
    }

    /// The groups to be laid: index of the target, cards in ascending order.
    pub(super) fn groups(&self) -> impl Iterator<Item = (Option<u8>, CardList)> {
        let ascending = |cards: Cards| cards.iter().collect();
        let begun = self.begun.iter().map(move |sequence| (None, ascending(sequence.cards().collect())));
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

    /// How many cards of `suit` are left one after another from `low` on.
    fn run(&self, suit: u8, low: u8) -> u8 {
        let left = &self.left[usize::from(suit)][usize::from(low)..];
        left.iter().take_while(|&&count| count > 0).count() as u8
    }

    /// What decides whether the places from this one on can be laid, besides the wilds.
    fn key(&self, place: usize, left: u8, search: &Standing) -> Vec<u8> {
        let mut key = alloc::vec![place as u8, left];
        key.extend(search.canastas);
        key.push(u8::from(search.content));
        key.extend(search.points.to_le_bytes());
        self.left.iter().for_each(|suit| key.extend(&suit[place..]));
        let growing = |own: &&Own| usize::from(own.now.end()) >= place;
        key.extend(self.own.iter().filter(growing).flat_map(|own| [own.now.low, own.now.len]));
        key
    }
}

/// What is reached, as far as it matters.
struct Standing {
    /// Canastas in all, clean, wild and of sequences, none beyond what going out asks for.
    canastas: [u8; 4],
    content: bool,
    points: i32,
}

impl Search<'_> {
    fn standing_now(&self) -> Standing {
        let (set, reached) = (self.set, self.canastas());
        let canastas = [
            reached.total.min(set.go_out_total),
            reached.clean.min(set.go_out_clean),
            reached.wild.min(set.go_out_wild),
            reached.sequence.min(set.go_out_sequence),
        ];
        Standing { canastas, content: self.has_content(), points: self.standing() }
    }

    /// Fills the ranks from this place on, with sequences.
    pub(super) fn solve_place(&mut self, place: usize, left: u8) -> bool {
        // What lies loose is too short yet, and no later place lengthens it.
        let short = |own: &Own| usize::from(own.now.end()) < place && own.now.len < self.set.meld_min;
        if self.sequences.own.iter().any(short) {
            return false;
        }
        let key = self.sequences.key(place, left, &self.standing_now());
        if self.sequences.failed.contains(&key) {
            return false;
        }
        let done = self.lay_from(place as u8, 0, 0, left);
        if !done {
            self.sequences.failed.insert(key);
        }
        done
    }

    /// Begins sequences at a place, of the suits from `suit` on, none of that suit shorter than `least`;
    /// then fills the sets of the rank.
    fn lay_from(&mut self, place: u8, suit: u8, least: u8, left: u8) -> bool {
        if suit == 4 {
            let from = self.chosen.len();
            return self.fill(place.into(), 0, from, self.sequences.left_of(place.into()), left);
        }
        if self.lay_from(place, suit + 1, 0, left) {
            return true;
        }
        let run = self.sequences.run(suit, place);
        self.lengthen(place, suit, run, left) || self.begin_new(place, suit, least, run, left)
    }

    fn begin_new(&mut self, place: u8, suit: u8, least: u8, run: u8, left: u8) -> bool {
        for len in self.set.meld_min.max(least)..=run.min(self.set.sequence_max) {
            let sequence = Sequence { suit, low: place, len };
            self.sequences.give(sequence);
            self.sequences.begun.push(sequence);
            if self.lay_from(place, suit, len, left) {
                return true;
            }
            self.sequences.begun.pop();
            self.sequences.take_back(sequence);
        }
        false
    }

    /// Lengthens an own sequence downwards to `place`, or upwards from it.
    fn lengthen(&mut self, place: u8, suit: u8, run: u8, left: u8) -> bool {
        for at in 0..self.sequences.own.len() {
            let now = self.sequences.own[at].now;
            if now.suit != suit || run == 0 {
                continue;
            }
            let room = self.set.sequence_max.saturating_sub(now.len);
            let below = now.low.checked_sub(place).filter(|&len| len > 0 && len <= run.min(room));
            let above = if now.end() == place { run.min(room) } else { 0 };
            for len in below.into_iter().chain(1..=above) {
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
        false
    }
}

fn copies(hand: &Cards) -> Copies {
    core::array::from_fn(|suit| core::array::from_fn(|place| hand.count(card_at(suit as u8, place as u8))))
}
