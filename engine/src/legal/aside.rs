//! What a seat may do although another is to act.

use crate::action::{Action, As};
use crate::check::check;
use crate::seat::Seat;
use crate::state::State;
use alloc::vec::Vec;

/// What `seat` may do now although it is not the one to act, in [canonical](super::canonical()) form and in this
/// order: take the talon that it has earned (IR-060), call upon an opponent to show its hand (AC-49). Nobody has
/// to: the chance passes with the next action of whoever is to act.
///
/// Empty for the seat that is to act: see [`steps`](super::steps).
pub fn aside(state: &State, seat: Seat) -> Vec<Action> {
    if state.to_act() == Some(seat) {
        return Vec::new();
    }
    let talon = state.round.offered.filter(|&owner| owner == seat).map(|_| Action::TakeTalon);
    let reveal = state.round.reveal.map(|of| Action::CallReveal { of });
    let is_legal = |action: &Action| check(state, As::Seat(seat), action).is_ok();
    talon.into_iter().chain(reveal).filter(is_legal).collect()
}
