//! The causes that freeze the pile.

use super::Table;
use crate::card::{Card, Class};
use crate::event::FreezeCause;
use crate::rules::{Classes, PileUnopened};
use crate::seat::Side;

/// A set of causes that freeze a pile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Causes(u8);

impl Causes {
    /// Whether nothing freezes the pile.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the causes in the order of the facts.
    pub fn iter(self) -> impl Iterator<Item = FreezeCause> {
        FreezeCause::ALL.into_iter().filter(move |&cause| self.0 & (1 << cause as u8) != 0)
    }

    pub(crate) fn set(&mut self, cause: FreezeCause, on: bool) {
        self.0 |= u8::from(on) << cause as u8;
    }
}

impl Table {
    /// Returns the causes in the pile itself, which freeze it against every side (CL-050, CL-051, CV-011, CL-116).
    pub fn pile_causes(&self) -> Causes {
        let mut causes = self.freeze;
        causes.set(FreezeCause::Always, self.set().frozen_always);
        causes.set(FreezeCause::Start, self.set().start_frozen && self.round.start_len > 0);
        causes
    }

    /// Returns all causes that freeze the pile against `side` (ALG-04).
    pub fn frozen(&self, side: Side) -> Causes {
        let mut causes = self.pile_causes();
        let unopened = !self.opened(side) && self.set().pile_unopened == PileUnopened::Frozen;
        causes.set(FreezeCause::NotOpened, unopened);
        causes
    }

    /// Puts `card` on the pile. Returns the cause if the card froze a pile that was not frozen against every
    /// side.
    pub(crate) fn push_pile(&mut self, card: Card, freezers: Classes) -> Option<FreezeCause> {
        self.pile.push(card);
        let cause = match card.class() {
            class if !freezers.contains(class) => return None,
            Class::Wild => FreezeCause::Wild,
            _ => FreezeCause::RedThree,
        };
        let was_open = self.pile_causes().is_empty();
        self.freeze.set(cause, true);
        was_open.then_some(cause)
    }

    /// Computes the freezing causes from the cards of the pile, including a tentatively taken top.
    pub(crate) fn causes_of_pile(&self) -> Causes {
        let set = self.set();
        let start_len = usize::from(self.round.start_len);
        let (start, discards) = self.pile.split_at(self.pile.len().min(start_len));
        let taken = self.taken_top.as_ref().map(|top| core::slice::from_ref(&top.card)).unwrap_or_default();
        let of_taken = if self.pile.len() < start_len { set.start_freezes } else { set.discard_freezes };
        let mut causes = Causes::default();
        for (cards, freezers) in
            [(start, set.start_freezes), (discards, set.discard_freezes), (taken, of_taken)]
        {
            let kinds = cards.iter().fold(0, |kinds, card| kinds | 1u64 << card.kind());
            let freezing = kinds & freezers.iter().fold(0, |kinds, class| kinds | class.kinds());
            causes.set(FreezeCause::Wild, freezing & Class::Wild.kinds() != 0);
            causes.set(FreezeCause::RedThree, freezing & !Class::Wild.kinds() != 0);
        }
        causes
    }
}
