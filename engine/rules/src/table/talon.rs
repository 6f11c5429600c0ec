//! Talons: packets set aside for the sides that open (ALG-20).

use super::Table;
use crate::card::Card;
use crate::seat::{Seat, Side};
use alloc::vec::Vec;

/// The place of a talon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TalonPlace {
    /// In the centre.
    Centre,
    /// Face down before the seat that opened.
    Before(Seat),
    /// Its cards have come to a hand.
    Used,
}

/// A packet of cards that nobody sees until it comes to a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Talon {
    /// The place of the talon.
    pub place: TalonPlace,
    /// The cards in the order in which they were set aside; empty once the talon is used.
    pub cards: Vec<Card>,
}

impl Table {
    /// Returns the talons. The first talon is for the side that opens first.
    pub fn talons(&self) -> &[Talon] {
        &self.talons
    }

    /// Returns the index of the talon that the seat in turn has earned by this turn, which its discard has
    /// ended (MA-110, MA-111); `None` if it has earned no talon.
    pub(crate) fn earned_talon(&self) -> Option<usize> {
        let (set, turn) = (self.set(), &self.turn);
        if self.talons.is_empty() {
            return None;
        }
        let side = self.side_of(turn.seat);
        // The side of the seat had no meld when the turn began.
        let opened_now = turn.new_from == 0 && self.opened(side);
        let with_pile = turn.source == super::Source::Pile;
        let expired = set.talon_expires > 0 && self.stock_len() <= u16::from(set.talon_expires);
        let earned = opened_now && !expired && (set.talon_with_pile || !with_pile);
        earned.then(|| self.talon_of(side)).filter(|&talon| self.talons[talon].place == TalonPlace::Centre)
    }

    /// Returns the index of the talon for a side that has just opened: the number of other sides that have
    /// opened.
    pub(crate) fn talon_of(&self, side: Side) -> usize {
        (self.round.opened & !(1 << side.0)).count_ones() as usize
    }
}
