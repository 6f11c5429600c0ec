//! A short way to the verdict on the most frequent actions: draws and discards that nothing stands against.

use super::{Plan, Verdict, deal, discard, draw, judge_play, must_go_out, ruling};
use crate::action::{Action, As};
use crate::nodes::Nodes;
use crate::table::{Phase, Table};

/// Judges an action, in the short way if that decides, else by all checks.
pub(super) fn judge(
    table: &Table,
    resumed: Option<&Table>,
    actor: As,
    action: &Action,
    nodes: &Nodes,
) -> Verdict {
    if !is_plain(table, actor, action) {
        return judge_all(table, resumed, actor, action, nodes);
    }
    let plan = match *action {
        Action::Discard(card) => Plan::Discard(card),
        _ => Plan::Draw,
    };
    debug_assert_eq!(judge_all(table, resumed, actor, action, nodes), Ok(plan.clone()), "{action:?}");
    Ok(plan)
}

/// Judges an action by all checks, which take much of the stack: frequent actions need none of it.
#[inline(never)]
fn judge_all(table: &Table, resumed: Option<&Table>, actor: As, action: &Action, nodes: &Nodes) -> Verdict {
    if let Some(verdict) = ruling::judge(table, actor, action, resumed) {
        return verdict;
    }
    match action {
        Action::DrawCards(picks) => draw::judge(table, actor, picks, None),
        Action::Deal(deal) => deal::judge(table, actor, deal),
        _ => judge_play(table, actor, action, nodes, None),
    }
}

/// Whether the action is a draw or a discard by the seat in turn that is legal for the plainest reasons. If not, it may
/// be legal for others.
fn is_plain(table: &Table, actor: As, action: &Action) -> bool {
    let is_plain = actor == As::Seat(table.turn.seat)
        && table.rulings.is_none()
        && table.pending().is_none()
        && table.turn.loose.is_empty()
        && !table.set().lays_threes_by_choice();
    if !is_plain {
        return false;
    }
    match *action {
        Action::DrawStock => table.phase == Phase::Start && !table.stock.is_empty(),
        Action::Discard(card) if table.phase == Phase::Play => {
            let hand = table.hand(table.turn.seat);
            let is_free = hand.len() > 1 && !table.turn.no_discard && !table.pile.is_empty();
            let goes = is_free && discard::open_kinds(table) & hand.held() & 1 << card.kind() != 0;
            goes && !must_go_out(table)
        }
        _ => false,
    }
}
