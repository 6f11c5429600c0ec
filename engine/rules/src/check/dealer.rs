//! SETUP_DEALER: who deals, and who decides on it.

use crate::rejection::{Field, Repair, Step, Violation};
use crate::seat::Seat;
use crate::violations::Code;
use alloc::format;

/// Why the table names a dealer.
#[derive(Clone, Copy)]
pub enum LeftToTable {
    /// The rule set leaves the first dealer to the table.
    ByRuleSet,
    /// The wall is given, so that there is no secret from which a dealer is drawn.
    ByWall,
}

/// SETUP_DEALER: the table has not named a dealer, or named a seat that there is not.
pub fn unnamed_dealer(given: Option<Seat>, seats: u8, left: LeftToTable) -> Violation {
    let decided_by = match left {
        LeftToTable::ByRuleSet => "RULE_SET",
        LeftToTable::ByWall => "WALL",
    };
    let mut fault = Violation::new(Code::SetupDealer, Field::Action);
    if let Some(seat) = given {
        fault = fault.fact("seat", seat);
    }
    let allowed = format!("0 to {}", seats - 1);
    let fault = fault.fact("allowed", allowed).fact("decided_by", decided_by);
    with(fault, Step::NameDealer { last: Seat(seats - 1) })
}

/// SETUP_DEALER: a dealer is named, and the cards that are drawn decide.
pub fn dealer_before_cards(given: Seat) -> Violation {
    let fault = Violation::new(Code::SetupDealer, Field::Action).fact("seat", given);
    with(fault.fact("decided_by", "CARDS"), Step::NoDealer)
}

/// SETUP_DEALER: another dealer is named than the one whose turn it is.
pub fn other_dealer(given: Seat, required: Seat) -> Violation {
    let fault =
        Violation::new(Code::SetupDealer, Field::Action).fact("seat", given).fact("required", required);
    with(fault, Step::NoDealer)
}

fn with(fault: Violation, step: Step) -> Violation {
    Violation { repair: Some(Repair::Step(step)), ..fault }
}
