//! The legal steps of a state, for the asker that may see them.

use canasta_engine::action::As;
use canasta_engine::legal::{self, Steps};
use canasta_engine::table::{Phase, Table};

use crate::limits::{ANSWER_BYTES_FREE, batch_bytes};

/// Maximum number of cards in a hand that is judged within some ms at most. Ordinary hands are shorter,
/// except those that have taken a large pile.
const SHORT_HAND_MAX: u16 = 24;

/// Whether a hand is so long that a search for legal steps can take long.
pub fn has_long_hand(state: &Table) -> bool {
    may_have_long_hand(state, 1)
}

/// Whether the judgement of a batch may take long: since a hand is or may become long, or since so much is told of it.
pub fn may_take_long(state: &Table, actions: usize, observers: usize) -> bool {
    batch_bytes(actions, observers) > ANSWER_BYTES_FREE || may_have_long_hand(state, actions)
}

/// Whether a hand is or may become so long within a batch of actions. Each action of the batch has its own limit of
/// nodes, and one of them may take the pile.
fn may_have_long_hand(state: &Table, actions: usize) -> bool {
    let taken = if actions > 1 { state.pile().len() } else { 0 };
    state.seats().any(|seat| usize::from(state.hand(seat).len()) + taken > usize::from(SHORT_HAND_MAX))
}

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
