//! Sequences among the steps (ALG-09).

use super::{Lister, meld, onto};
use crate::action::{Action, Group, MeldKind, Onto};
use crate::card::Cards;
use crate::rules::{Merge, RuleSet};
use crate::sequence::{PLACES, SUIT_BITS, Sequence, places_in, places_of_kinds, runs_of};
use crate::table::Meld;
use smallvec::SmallVec;

/// Returns how many consecutive cards of `suit` are held from place `from` upwards.
pub(super) fn held_up(hand: &Cards, suit: u8, from: u8) -> u8 {
    (places_in(hand.held(), suit) >> from).trailing_ones() as u8
}

/// Returns how many consecutive cards of `suit` are held downwards, from the place just below `below`.
pub(super) fn held_down(hand: &Cards, suit: u8, below: u8) -> u8 {
    let gaps = !places_in(hand.held(), suit) & ((1 << below) - 1);
    below - (u16::BITS - gaps.leading_zeros()) as u8
}

/// Returns every sequence that a hand can begin, in the order of suit, low end and length.
pub(super) fn begun(set: &RuleSet, hand: &Cards) -> impl Iterator<Item = Sequence> {
    let (least, most) = (set.meld_min, set.sequence_max);
    let runs = runs_of(places_of_kinds(hand.held()), least);
    let suits = if runs == 0 { 0 } else { 4 };
    (0..suits).flat_map(move |suit| {
        let places = (runs >> (SUIT_BITS * suit)) as u16;
        let long = if places == 0 { 0 } else { PLACES };
        (0..long).flat_map(move |low| {
            let held = (places >> low).trailing_ones() as u8;
            (least..=held.min(most)).map(move |len| Sequence { suit, low, len })
        })
    })
}

/// Returns the group that lays a new sequence.
pub(super) fn group(sequence: Sequence) -> Group {
    laid(sequence.cards().collect(), Onto::New)
}

fn laid(cards: Cards, onto: Onto) -> Group {
    Group { kind: MeldKind::Sequence, onto, top: false, cards: cards.iter().collect() }
}

impl Lister<'_> {
    /// Lists every way to lengthen an own sequence, by the number of cards above it, then below it.
    pub(super) fn lengthen(&mut self, old: &Meld) {
        let Some(sequence) = Sequence::of_meld(old) else { return };
        let Sequence { suit, low, len } = sequence;
        let room = self.set.sequence_max.saturating_sub(len);
        let above = held_up(self.hand, suit, sequence.end()).min(room);
        let below = held_down(self.hand, suit, low).min(room);
        for up in 0..=above {
            for down in u8::from(up == 0)..=below.min(room - up) {
                let grown = Sequence { suit, low: low - down, len: len + up + down };
                let added: Cards = grown.cards().filter(|&card| old.cards.count(card) == 0).collect();
                self.offer_sequence(laid(added, onto(old.id)));
            }
        }
    }

    /// Lists every new sequence.
    pub(super) fn begin_sequences(&mut self) {
        for sequence in begun(self.set, self.hand) {
            self.offer_sequence(group(sequence));
        }
    }

    fn offer_sequence(&mut self, group: Group) {
        let is_proven = !self.set.undo_meld && self.leaves_enough(group.cards.len() as u8, 0);
        self.offer(meld(group), is_proven && self.proves_sets);
    }

    /// Lists the merges of every two own melds that may be one, the lower id first.
    pub(super) fn merges(&mut self) {
        // Check refuses all other merges.
        let may_merge = |meld: &&Meld| match meld.kind {
            MeldKind::Set => true,
            MeldKind::Sequence => self.set.merge == Merge::SetsAndSequences,
            MeldKind::Wild | MeldKind::BlackThrees => false,
        };
        // Sets merge only with sets of their rank; sequences have none.
        let bit = |meld: &Meld| meld.rank.map_or(1 << 15, |rank| 1u16 << rank.index());
        let mergeable = || self.table.melds_of(self.side).filter(may_merge);
        let (_, twice) =
            mergeable().fold((0, 0), |(once, twice), meld| (once | bit(meld), twice | once & bit(meld)));
        if twice == 0 {
            return;
        }
        let own: SmallVec<[&Meld; 16]> = mergeable().filter(|meld| twice & bit(meld) != 0).collect();
        for (i, first) in own.iter().enumerate() {
            let alike = |m: &&&Meld| m.kind == first.kind && m.rank == first.rank;
            for second in own[i + 1..].iter().filter(alike) {
                let action = Action::MergeMelds { a: first.id, b: second.id };
                if self.is_legal(&action) {
                    self.push(action);
                }
            }
        }
    }
}
