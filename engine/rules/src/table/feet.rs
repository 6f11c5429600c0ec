//! The feet: second, third and fourth hands, which wait face down (ALG-21, HF-115).

use super::Table;
use crate::card::Cards;
use crate::rules::Rules;
use crate::seat::Seat;
use alloc::vec::Vec;

impl Table {
    /// Returns the empty feet of all seats.
    pub(crate) fn no_feet(rules: &Rules) -> Vec<Cards> {
        alloc::vec![Cards::EMPTY; rules.set().feet().count()]
    }

    /// Returns the foot of `seat` that comes to the hand next (ALG-21, HF-115); after the last, and if the rule set has
    /// no feet, an empty set of cards.
    pub fn foot(&self, seat: Seat) -> &Cards {
        self.feet.get(self.next_foot(seat)).unwrap_or(&Cards::EMPTY)
    }

    /// Returns the place in [`Self::feet`] of the foot of `seat` that comes next; a place without a foot after the last.
    pub(crate) fn next_foot(&self, seat: Seat) -> usize {
        let is_over = |at: &usize| self.feet.get(*at).is_some_and(Cards::is_empty);
        (seat.index()..).step_by(self.set().seats.into()).find(|at| !is_over(at)).unwrap_or(usize::MAX)
    }

    /// Returns the feet: the first one of each seat, then the second one of each (HF-115). One that has come is empty.
    /// Empty if the rule set has no feet.
    pub fn feet(&self) -> &[Cards] {
        &self.feet
    }

    /// Returns the cards of all feet of `seat` that wait.
    pub fn waiting(&self, seat: Seat) -> Cards {
        let mut all = Cards::EMPTY;
        self.feet.iter().skip(seat.index()).step_by(self.set().seats.into()).for_each(|foot| all.add(foot));
        all
    }

    /// Whether `seat` plays its last foot now or from its next turn on (HF-082).
    pub fn has_finished_hand(&self, seat: Seat) -> bool {
        let next = self.foot(seat);
        next.is_empty() || self.hand(seat).is_empty() && next.len() == self.waiting(seat).len()
    }
}
