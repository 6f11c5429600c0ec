//! The feet and talons that an action brings to a hand, as they were before it.

use super::PlaceholderZone;
use crate::card::{Card, Cards};
use crate::event::Event;
use crate::seat::Seat;
use crate::table::{Table, Talon, TalonPlace};
use alloc::vec::Vec;

/// The hidden zones before an action.
pub(super) struct Before {
    pub(super) stock: Vec<Card>,
    feet: Vec<Cards>,
    /// The place of the foot that comes next, by seat.
    next_feet: Vec<usize>,
    talons: Vec<Talon>,
}

impl Before {
    pub(super) fn of(table: &Table) -> Self {
        let next_feet = table.seats().map(|seat| table.next_foot(seat)).collect();
        Self { stock: table.stock.clone(), feet: table.feet.clone(), next_feet, talons: table.talons.clone() }
    }

    /// Returns the feet and talons that came to a hand, and the seat of the hand. A foot of threes that are laid brings the
    /// next one at once.
    pub(super) fn sources(&self, events: &[Event]) -> Vec<(PlaceholderZone, Seat)> {
        let mut feet = 0;
        let source = |event: &Event| match event {
            Event::TookFoot { seat } => {
                let at = self.next_feet[seat.index()] + feet * self.next_feet.len();
                feet += 1;
                Some((PlaceholderZone::Foot(at), *seat))
            }
            Event::TookTalon { seat, .. } => {
                let at = self.talons.iter().position(|talon| talon.place == TalonPlace::Before(*seat))?;
                Some((PlaceholderZone::Talon(at), *seat))
            }
            _ => None,
        };
        events.iter().filter_map(source).collect()
    }

    pub(super) fn count_of(&self, sources: &[(PlaceholderZone, Seat)]) -> usize {
        sources.iter().map(|(spot, _)| self.count(*spot)).sum()
    }

    pub(super) fn cards(&self, spot: PlaceholderZone) -> Cards {
        match spot {
            PlaceholderZone::Foot(at) => self.feet[at],
            PlaceholderZone::Talon(at) => self.talons[at].cards.iter().copied().collect(),
            PlaceholderZone::Stock(_) | PlaceholderZone::Hand(_) => Cards::EMPTY,
        }
    }

    pub(super) fn count(&self, spot: PlaceholderZone) -> usize {
        self.cards(spot).len().into()
    }
}
