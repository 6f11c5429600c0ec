//! `take_talon` and `call_reveal`, which a seat may do while another is in turn.

use super::{CheckContext, Plan, Verdict};
use crate::action::Action;
use crate::rejection::{Field, Violation};
use crate::seat::Seat;
use crate::table::Table;
use crate::violations::Code;

/// Whether `seat` calls upon an opponent to show its hand, which any opponent may.
pub(super) fn is_call_on_opponent(table: &Table, seat: Seat, action: &Action) -> bool {
    let Action::CallReveal { of } = action else { return false };
    of.0 < table.set().seats && table.side_of(*of) != table.side_of(seat)
}

/// Checks that the talon is the seat's own and no other seat has acted since its discard (IR-060).
pub(super) fn check_talon(mut ctx: CheckContext<'_>) -> Verdict {
    if ctx.table.round.offered != Some(ctx.seat) {
        ctx.push(Violation::new(Code::TalonNotAvailable, Field::Action));
    }
    ctx.settle(Plan::TakeTalon)
}

/// Checks that an opponent asks, directly after a discard that only an exception allows (AC-49).
pub(super) fn check_reveal(mut ctx: CheckContext<'_>, of: Seat) -> Verdict {
    let available = ctx.table.round.reveal == Some(of);
    if !available || ctx.table.side_of(of) == ctx.side {
        ctx.push(Violation::new(Code::RevealNotAvailable, Field::Action));
    }
    ctx.settle(Plan::Reveal(of))
}
