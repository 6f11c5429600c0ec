//! Actions of a seat while another seat is to act.

use super::{Lister, StepCodes, Steps, initial};
use crate::action::{Action, As};
use crate::check::permits_counted;
use crate::nodes::Nodes;
use crate::seat::Seat;
use crate::table::{Phase, Table};

/// Returns the actions that `seat` may do now although another seat is to act, in
/// [canonical](super::canonical()) form and in this order:
///
/// - Take the talon that the seat has earned (IR-060).
/// - Call upon an opponent to show its hand (AC-49).
/// - If the seat may meld after its discard (HF-073): melds with one group, or minimal initial batches; then
///   `pass`, which ends this melding.
///
/// No seat has to do any of them. The first two lapse with the next action of the seat that is to act, the last
/// with the next turn of `seat`.
///
/// The list is empty for the seat that is to act: see [`steps`](super::steps).
pub fn aside(table: &Table, seat: Seat) -> Steps {
    let mut steps = Steps::default();
    if table.to_act() == Some(seat) {
        return steps;
    }
    let nodes = Nodes::default();
    nodes.limit_work(table.hand(seat).len());
    let mut late = StepCodes::default();
    late.begin(table, seat);
    if table.is_courteous(seat) && matches!(table.phase(), Phase::Start | Phase::Play) {
        let mut lister = Lister::of(table, seat, &mut late, &nodes);
        match table.opened(lister.side) {
            true => lister.single_melds(),
            false => initial::melds(&mut lister),
        }
        lister.push(Action::Pass);
    }
    late.write(table, &mut steps);
    let talon = table.round.offered.filter(|&owner| owner == seat).map(|_| Action::TakeTalon);
    let reveal = table.round.reveal.map(|of| Action::CallReveal { of });
    let is_legal = |action: &Action| permits_counted(table, As::Seat(seat), action, &nodes).is_some();
    let actions = talon.into_iter().chain(reveal).chain(steps.actions).filter(is_legal).collect();
    Steps { actions, truncated: steps.truncated }
}
