//! The feet and talons that an action brings to a hand.

use super::PlaceholderZone;
use crate::card::Cards;
use crate::event::Event;
use crate::seat::Seat;
use crate::table::{Table, TalonPlace};
use alloc::vec::Vec;

/// Returns the feet and talons of the table `before` an action that came to a hand, and the seat of the hand. A foot of
/// threes that are laid brings the next one at once.
pub(super) fn sources(before: &Table, events: &[Event]) -> Vec<(PlaceholderZone, Seat)> {
    let mut feet = 0;
    let source = |event: &Event| match event {
        Event::TookFoot { seat } => {
            let at = before.next_foot(*seat) + feet * before.seats().count();
            feet += 1;
            Some((PlaceholderZone::Foot(at), *seat))
        }
        Event::TookTalon { seat, .. } => {
            let at = before.talons.iter().position(|talon| talon.place == TalonPlace::Before(*seat))?;
            Some((PlaceholderZone::Talon(at), *seat))
        }
        _ => None,
    };
    events.iter().filter_map(source).collect()
}

impl PlaceholderZone {
    /// Returns the cards of a foot or a talon.
    pub(super) fn cards(self, table: &Table) -> Cards {
        match self {
            Self::Foot(at) => table.feet[at],
            Self::Talon(at) => table.talons[at].cards.iter().copied().collect(),
            Self::Stock(_) | Self::Hand(_) => Cards::EMPTY,
        }
    }

    /// Returns the number of cards of a foot or a talon.
    pub(super) fn count(self, table: &Table) -> usize {
        self.cards(table).len().into()
    }
}
