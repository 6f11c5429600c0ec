//! `pass`: an end of the turn without a discard.

use super::{CheckContext, Plan, Verdict, may_ask, one, tentative};
use crate::facts::{layable_threes, may_go_out, must_ask, restricted, some_may_go};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::rules::{LastThree, StockOut};
use crate::table::{Source, Table};
use crate::violations::Code;
use crate::way_out;
use alloc::vec::Vec;

pub(super) fn check(mut ctx: CheckContext<'_>) -> Verdict {
    tentative::judge_top(&mut ctx);
    tentative::judge_turn(&mut ctx);
    if !may_pass(ctx.table, ctx.nodes) {
        let fault = discard_required(&ctx);
        ctx.faults.extend(fault);
    }
    ctx.settle(Plan::Pass)
}

/// Whether the turn may end without a discard: by right, with one card in hand, if the side may not go out
/// (HN-044, AMB-HN-12), or because nothing else ends the turn.
pub(crate) fn may_pass(table: &Table, nodes: &Nodes) -> bool {
    let seat = table.turn.seat;
    let by_right = table.set().pass_discard && table.hand(seat).len() == 1;
    (by_right && !may_go_out(table, table.canastas(table.side_of(seat)))) || must_pass(table, nodes)
}

/// Whether the seat in turn may be left without a card that it can lay or discard. The causes are:
///
/// - a last three that nothing replaced
/// - a draw from an empty stock
/// - a foot that consists of threes only
/// - a hand of cards that may not be discarded
pub(crate) fn may_be_stranded(table: &Table) -> bool {
    let (set, seat) = (table.set(), table.turn.seat);
    if restricted(set) && !table.hand(seat).is_empty() && !some_may_go(table) {
        return true;
    }
    let goes_on = set.last_three == LastThree::GoOn || set.stock_out == StockOut::FinishTurn;
    let undrawn = goes_on && table.turn.source == Source::Stock && table.stock.is_empty();
    (undrawn || set.foot_size > 0) && table.foot(seat).is_empty() && table.hand(seat).len() <= 1
}

/// Whether nothing but `pass` ends the turn (clarification 4).
fn must_pass(table: &Table, nodes: &Nodes) -> bool {
    if !may_be_stranded(table) || !layable_threes(table).is_empty() || !table.turn.loose.is_empty() {
        return false;
    }
    let seat = table.turn.seat;
    // A seat that must ask first, but no longer can, does not go out.
    let may_try = || !must_ask(table) || may_ask(table);
    let goes_out = || may_try() && way_out::exists(&way_out::Reach::of(table), nodes);
    table.hand(seat).is_empty() || !goes_out()
}

/// Returns DISCARD_REQUIRED: a turn ends with a discard (CL-015).
fn discard_required(ctx: &CheckContext<'_>) -> Vec<Violation> {
    let fault = Violation::new(Code::DiscardRequired, Field::Action)
        .fact("hand", ctx.table.hand(ctx.seat).len())
        .fact("canastas", ctx.table.canastas(ctx.side).total);
    one(fault)
}
