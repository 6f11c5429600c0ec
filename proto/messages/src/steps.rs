//! The legal steps of a state, for the asker that may see them.

use canasta_engine::action::As;
use canasta_engine::legal::{self, Steps};
use canasta_engine::table::{Phase, Table};

/// Whether it is the turn of `who` to act: then at least one step is legal.
pub fn is_to_act(state: &Table, who: As) -> bool {
    match who {
        _ if state.is_suspended() => who == As::Director,
        As::Seat(seat) => state.to_act() == Some(seat),
        As::Table => state.phase() == Phase::Deal,
        As::Judge | As::Director | As::Spectator => false,
    }
}

/// Returns the legal steps that `who` may see. The steps of a seat show its hand, so only that seat sees
/// them, and the roles that see every hand.
pub fn visible(state: &Table, who: As) -> Steps {
    match who {
        _ if is_to_act(state, who) => legal::steps(state),
        As::Judge | As::Director => legal::steps(state),
        As::Seat(seat) => legal::aside(state, seat),
        As::Table | As::Spectator => Steps::default(),
    }
}
