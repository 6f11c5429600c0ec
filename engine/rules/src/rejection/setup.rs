//! The violations of a rule set that cannot be played, besides SETUP_KNOBS.

use super::{Field, Violation};
use crate::rules::{KnobFault, RuleSet};
use crate::seat::Seat;
use crate::violations::Code;
use alloc::vec::Vec;

/// Returns the violations that the faults of a rule set amount to, in order of precedence: a number of players
/// that no game has, sides of unequal size, a pack too small for the deal.
pub fn of_rule_set(set: &RuleSet, faults: &[KnobFault]) -> Vec<Violation> {
    let names = |detail| faults.iter().any(|fault| fault.detail() == detail);
    let mut violations = Vec::new();
    let seats = faults.iter().find_map(|fault| match fault {
        KnobFault::Range { knob: "seats", found, min, max } => Some((*found, alloc::format!("{min}..{max}"))),
        _ => None,
    });
    if let Some((found, range)) = seats {
        violations.push(setup(Code::SetupPlayerCount).fact("found", found).fact("range", range));
    }
    if names("UNEVEN_SIDES") {
        violations.push(setup(Code::SetupSides).fact("seats", odd_seats(set)));
    }
    if names("DECK_TOO_SMALL") {
        let fault = setup(Code::SetupDeck).fact("found", i64::from(set.deck_size()));
        violations.push(fault.fact("required", i64::from(set.cards_needed())));
    }
    violations
}

fn setup(code: Code) -> Violation {
    Violation::new(code, Field::Action)
}

/// Returns the seats that are left over when all sides have the same size.
fn odd_seats(set: &RuleSet) -> Vec<Seat> {
    let odd = set.seats.checked_rem(set.side_count).unwrap_or(set.seats);
    (set.seats - odd..set.seats).map(Seat).collect()
}
