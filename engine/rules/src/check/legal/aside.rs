//! What a seat may do although another is to act.

use super::{Lister, Steps, initial};
use crate::action::{Action, As};
use crate::check::permits_counted;
use crate::nodes::Nodes;
use crate::seat::Seat;
use crate::table::{Phase, Table};

/// What `seat` may do now although it is not the one to act, in [canonical](super::canonical()) form and in this
/// order: take the talon that it has earned (IR-060), call upon an opponent to show its hand (AC-49), and where it
/// may meld after its discard (HF-073) melds with one group, or minimal initial batches, then `pass`, which ends
/// that. Nobody has to: the first two pass with the next action of whoever is to act, the last with the next turn.
///
/// Empty for the seat that is to act: see [`steps`](super::steps).
pub fn aside(state: &Table, seat: Seat) -> Steps {
    let mut late = Steps::default();
    if state.to_act() == Some(seat) {
        return late;
    }
    let nodes = Nodes::default();
    if state.is_courteous(seat) && matches!(state.phase(), Phase::Start | Phase::Play) {
        let mut lister = Lister::of(state, seat, &mut late, &nodes);
        match state.opened(lister.side) {
            true => lister.single_melds(),
            false => initial::melds(&mut lister),
        }
        lister.push(Action::Pass);
    }
    let talon = state.round.offered.filter(|&owner| owner == seat).map(|_| Action::TakeTalon);
    let reveal = state.round.reveal.map(|of| Action::CallReveal { of });
    let is_legal = |action: &Action| permits_counted(state, As::Seat(seat), action, &nodes).is_some();
    let actions = talon.into_iter().chain(reveal).chain(late.actions).filter(is_legal).collect();
    Steps { actions, truncated: late.truncated }
}
