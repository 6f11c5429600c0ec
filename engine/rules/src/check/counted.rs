//! Judgements whose work is counted.

use super::{Legal, judge, repair};
use crate::action::{Action, As};
use crate::nodes::{Nodes, price};
use crate::rejection::{Rejection, Violation};
use crate::table::Table;
use alloc::vec::Vec;

/// Judges an action as [`check_resuming`](super::check_resuming) does, and counts the work.
///
/// # Errors
/// The same as for [`check`](super::check).
pub fn check_counted(
    table: &Table,
    resumed: Option<&Table>,
    actor: As,
    action: &Action,
    nodes: &Nodes,
) -> Result<Legal, Rejection> {
    nodes.limit_work(hand_len(table, actor));
    nodes.charge(price(action, table.melds.len()));
    match judge(table, resumed, actor, action, nodes) {
        Ok(plan) => Ok(Legal::of(table, plan)),
        Err(violations) => Err(repair::reject(table, actor, action, violations, nodes)),
    }
}

/// Returns the number of cards in the hand of an actor; of the seat in turn, if the actor has none.
pub(super) fn hand_len(table: &Table, actor: As) -> u16 {
    let seat = actor.seat().filter(|seat| seat.0 < table.set().seats);
    table.hand(seat.unwrap_or(table.turn.seat)).len()
}

/// Returns the rules that an action breaks, without repairs.
pub(crate) fn faults(table: &Table, actor: As, action: &Action) -> Vec<Violation> {
    judge(table, None, actor, action, &Nodes::default()).err().unwrap_or_default()
}

/// Judges an action as [`permits`](super::permits) does, and counts the nodes of its searches. The count does not change the verdict.
pub(crate) fn permits_counted(table: &Table, actor: As, action: &Action, nodes: &Nodes) -> Option<Legal> {
    judge(table, None, actor, action, nodes).ok().map(|plan| Legal::of(table, plan))
}
