//! Hands whose number of cards legal play does not lead to.

use super::position::{Position, Zone, is_dealt};
use crate::seat::Seat;
use crate::table::{SetupFault, Source, say};
use alloc::vec::Vec;

/// The laws on a hand with too few cards, and on one with too many.
const SHORT: &[&str] = &["IR-006", "IR-005"];
const LONG: &[&str] = &["IR-007", "IR-005"];

impl Position {
    /// Returns the hands that have another number of cards than legal play leads to, as far as that follows: where a
    /// seat draws one card a turn and discards one, a hand keeps its size until its side melds. A hand of which only
    /// some cards are named says no number, so that it can only be too long.
    pub fn miscounts(&self) -> Vec<SetupFault> {
        let setup = &self.setup;
        let set = setup.rules.set();
        let stock_ended = self.stock == Zone::Named && setup.stock.is_empty();
        if !is_dealt(setup.phase) || set.cards_drawn(setup.round) != 1 || stock_ended || setup.over.is_some()
        {
            return Vec::new();
        }
        let fault = |seat: Seat| {
            let (named, zone) = (setup.hands[seat.index()].len(), self.hands[seat.index()]);
            let (found, is_exact) = match zone {
                Zone::Unsaid => return None,
                Zone::Named => (named, false),
                Zone::Count(count) => (count, true),
                Zone::Partly(unknown) => (named + unknown, true),
            };
            let drew = seat == setup.turn && setup.source == Source::Stock;
            let due = u16::from(set.hand_size) + u16::from(drew);
            let melded = setup.melds.iter().any(|meld| meld.side == setup.side_of(seat));
            if melded || found == due || (found < due && !is_exact) || setup.source == Source::Pile {
                return None;
            }
            let laws = if found > due { LONG } else { SHORT };
            let sentence = say!(""; seat, " has ", found, " {card|cards}; until its side melds it has ", due);
            Some(SetupFault::new("hands of the due size", sentence, set, &setup.rules.books()).under(laws))
        };
        (0..set.seats).map(Seat).filter_map(fault).collect()
    }
}
