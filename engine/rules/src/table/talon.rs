//! Talons: packets set aside for the sides that open (ALG-20).

use super::Table;
use crate::card::Card;
use crate::seat::{Seat, Side};
use alloc::vec::Vec;

/// Where a talon lies.
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
    /// Where it lies.
    pub place: TalonPlace,
    /// Its cards, in the order in which they were set aside; none once it is used.
    pub cards: Vec<Card>,
}

impl Table {
    /// The talons, the one for the first side to open first.
    pub fn talons(&self) -> &[Talon] {
        &self.talons
    }

    /// The talon that the seat in turn has earned with the turn that its discard has ended (MA-110, MA-111).
    pub(crate) fn earned_talon(&self) -> Option<usize> {
        let (set, turn) = (self.set(), &self.turn);
        if self.talons.is_empty() {
            return None;
        }
        let side = self.side_of(turn.seat);
        // Its side had no meld when the turn began.
        let opened_now = turn.new_from == 0 && self.opened(side);
        let with_pile = turn.source == super::Source::Pile;
        let expired = set.talon_expires > 0 && self.stock_len() <= u16::from(set.talon_expires);
        let earned = opened_now && !expired && (set.talon_with_pile || !with_pile);
        earned.then(|| self.talon_of(side)).filter(|&talon| self.talons[talon].place == TalonPlace::Centre)
    }

    /// The talon of a side that has just opened: which one follows from how many others have.
    pub(crate) fn talon_of(&self, side: Side) -> usize {
        (self.round.opened & !(1 << side.0)).count_ones() as usize
    }
}
