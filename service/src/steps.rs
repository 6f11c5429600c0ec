//! Judgements that may take long.

use canasta_engine::table::Table;

use canasta_serve::limits::{ANSWER_BYTES_FREE, batch_bytes};

/// Maximum number of cards in a hand that is judged within some ms at most. Ordinary hands are shorter,
/// except those that have taken a large pile.
const SHORT_HAND_MAX: u16 = 24;

/// Whether the judgement of a batch may take long: since a hand is or may become long, or since so much is told of it.
pub fn may_take_long(state: &Table, actions: usize, observers: usize) -> bool {
    batch_bytes(actions, observers) > ANSWER_BYTES_FREE || may_have_long_hand(state, actions)
}

/// Whether a hand is or may become so long within a batch of actions that a search for legal steps can take long. Each
/// action of the batch has its own limit of nodes, and one of them may take the pile.
pub fn may_have_long_hand(state: &Table, actions: usize) -> bool {
    let taken = if actions > 1 { state.pile().len() } else { 0 };
    state.seats().any(|seat| usize::from(state.hand(seat).len()) + taken > usize::from(SHORT_HAND_MAX))
}
