//! The combinations of knobs that no game can have (model 5.4), in the rulebook's order. The build makes both tables from
//! `forbidden.txt`.

use super::knobs::*;
use super::{Bands, RuleSet};
use crate::card::Class;

/// A contradiction between knobs.
pub(super) struct Forbidden {
    /// The stable name of the contradiction.
    pub(super) detail: &'static str,
    /// The knobs concerned.
    pub(super) knobs: &'static [&'static str],
    /// The text that says what contradicts what.
    pub(super) why: &'static str,
    /// The test whether a rule set has the contradiction.
    pub(super) broken: fn(&RuleSet) -> bool,
}

/// Knobs that must hold their default because they would have no effect.
pub(super) struct Idle {
    /// The knobs.
    pub(super) knobs: &'static [&'static str],
    /// The knobs that take away the effect.
    pub(super) because: &'static [&'static str],
    /// The test whether the knobs of `because` take away the effect.
    pub(super) without_effect: fn(&RuleSet) -> bool,
}

include!(concat!(env!("OUT_DIR"), "/forbidden.rs"));

/// Conditions of `forbidden.txt` that its other forms cannot say.
impl RuleSet {
    fn has_even_sides(&self) -> bool {
        self.seats.checked_rem(self.side_count) == Some(0)
    }

    fn has_three_lone_seats(&self) -> bool {
        (self.seats, self.side_count) == (3, 3)
    }

    fn has_enough_cards(&self) -> bool {
        self.cards_needed() <= self.deck_size()
    }

    fn has_talon_per_side(&self) -> bool {
        self.talons.len() == usize::from(self.side_count)
    }

    fn draws_fourteenth_card(&self) -> bool {
        (self.hand_size, self.draw_count) == (13, 1)
    }

    fn penalizes_wild_melds(&self) -> bool {
        self.penalty_incomplete.wild().is_some()
    }

    fn has_band_per_round(&self) -> bool {
        self.initial_bands.minimums().len() >= usize::from(self.rounds)
    }

    fn has_bands_of_key(&self) -> bool {
        (self.initial_key == InitialKey::Round) == matches!(self.initial_bands, Bands::ByRound(_))
    }

    fn has_ascending_bands(&self) -> bool {
        self.initial_bands.ascend()
    }
}
