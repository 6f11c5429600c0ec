//! `pass`: an end of the turn without a discard.

use super::discard::discardable;
use super::threes::layable;
use super::{Desk, Plan, Verdict, may_ask, may_go_out, meld, must_ask, restricted, tentative};
use crate::nodes::Nodes;
use crate::rules::{LastThree, StockOut};
use crate::table::{Source, Table};
use crate::way_out;

pub(super) fn check(mut desk: Desk<'_>) -> Verdict {
    tentative::judge_top(&mut desk);
    tentative::judge_turn(&mut desk);
    if !may_pass(desk.state, desk.nodes) {
        let fault = meld::discard_required(&desk);
        desk.faults.extend(fault);
    }
    desk.settle(Plan::Pass)
}

/// Whether the last card stays in the hand as the turn ends: by right, where it may not go out (HN-044,
/// AMB-HN-12), or because nothing else is left.
pub(crate) fn may_pass(state: &Table, nodes: &Nodes) -> bool {
    let seat = state.turn.seat;
    let by_right = state.set().pass_discard && state.hand(seat).len() == 1;
    (by_right && !may_go_out(state, state.canastas(state.side_of(seat)))) || must_pass(state, nodes)
}

/// Whether the seat in turn may be left with cards that it can neither lay nor discard: by a last three that
/// nothing replaced, by a draw from an empty stock, with a foot that is no more than that, or where a hand is all of
/// what may not be discarded.
pub(crate) fn may_be_stranded(state: &Table) -> bool {
    let (set, seat) = (state.set(), state.turn.seat);
    if restricted(set) && !state.hand(seat).is_empty() && discardable(state).is_empty() {
        return true;
    }
    let goes_on = set.last_three == LastThree::GoOn || set.stock_out == StockOut::FinishTurn;
    let undrawn = goes_on && state.turn.source == Source::Stock && state.stock.is_empty();
    (undrawn || set.foot_size > 0) && state.foot(seat).is_empty() && state.hand(seat).len() <= 1
}

/// Clarification 4: whether nothing else ends the turn.
fn must_pass(state: &Table, nodes: &Nodes) -> bool {
    if !may_be_stranded(state) || !layable(state).is_empty() || !state.turn.loose.is_empty() {
        return false;
    }
    let seat = state.turn.seat;
    // Whoever must ask first and no longer can does not go out.
    let may_try = || !must_ask(state) || may_ask(state);
    let goes_out = || may_try() && way_out::exists(&way_out::Reach::of(state), nodes);
    state.hand(seat).is_empty() || !goes_out()
}
