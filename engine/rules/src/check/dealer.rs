//! SETUP_DEALER: the seat that deals, and who decides about it.

use crate::rejection::{Field, Repair, RepairStep, Violation};
use crate::seat::Seat;
use crate::violations::Code;
use alloc::format;

/// The reason why the table names a dealer.
#[derive(Clone, Copy)]
pub enum LeftToTable {
    /// The rule set leaves the first dealer to the table.
    ByRuleSet,
    /// The wall is given, so that there is no secret from which a dealer is drawn.
    ByWall,
}

/// Returns SETUP_DEALER for a table that has named no dealer, or a seat that does not exist.
pub fn unnamed_dealer(given: Option<Seat>, seats: u8, left: LeftToTable) -> Violation {
    let decided_by = match left {
        LeftToTable::ByRuleSet => "RULE_SET",
        LeftToTable::ByWall => "WALL",
    };
    let fault = Violation::new(Code::SetupDealer, Field::Action).maybe_fact("seat", given);
    let range = format!("0 to {}", seats - 1);
    let fault = fault.fact("range", range).fact("decided_by", decided_by);
    with(fault, RepairStep::NameDealer { last: Seat(seats - 1) })
}

/// Returns SETUP_DEALER for a dealer that is named although the drawn cards decide.
pub fn dealer_before_cards(given: Seat) -> Violation {
    let fault = Violation::new(Code::SetupDealer, Field::Action).fact("seat", given);
    with(fault.fact("decided_by", "CARDS"), RepairStep::NoDealer)
}

/// Returns SETUP_DEALER for a named dealer other than the seat whose turn to deal it is.
pub fn other_dealer(given: Seat, dealer: Seat) -> Violation {
    let fault = Violation::new(Code::SetupDealer, Field::Action).fact("seat", given).fact("dealer", dealer);
    with(fault, RepairStep::NoDealer)
}

fn with(fault: Violation, step: RepairStep) -> Violation {
    Violation { repair: Some(Repair::Step(step)), ..fault }
}
