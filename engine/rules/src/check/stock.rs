//! `draw_stock` and `end_round` (ALG-16).

use super::duty::must_take_fault;
use super::{CheckContext, Plan, Verdict, must_take, tentative};
use crate::facts::must_go_out;
use crate::rejection::{Field, Violation};
use crate::rules::StockOut;
use crate::table::Phase;
use crate::violations::Code;

pub(super) fn check_draw(mut ctx: CheckContext<'_>) -> Verdict {
    // The last drawer may play on without a card (AMB-HF-30).
    if ctx.table.stock.is_empty() && ctx.set.stock_out == StockOut::PlayOn {
        let must = must_take(ctx.table, ctx.nodes);
        let fault = Violation::new(Code::StockEmpty, Field::Action)
            .fact("must_take", if must { "YES" } else { "NO" })
            .fact("may_end", if must { "NO" } else { "YES" });
        ctx.push(fault);
    } else {
        ctx.judge_kept();
    }
    ctx.settle(Plan::Draw)
}

pub(super) fn check_end_round(mut ctx: CheckContext<'_>) -> Verdict {
    // Clarification 7: `end_round` takes the place of a discard, unless the seat has promised to go out.
    if ctx.table.phase == Phase::Play {
        if must_go_out(ctx.table) {
            ctx.push(Violation::new(Code::GoOutBound, Field::Action));
        }
        tentative::judge_turn(&mut ctx);
        return ctx.settle(Plan::EndRound);
    }
    if !ctx.table.stock.is_empty() {
        let fault = Violation::new(Code::StockNotEmpty, Field::Action).fact("stock", ctx.table.stock_len());
        ctx.push(fault);
    } else if must_take(ctx.table, ctx.nodes) {
        let top = *ctx.table.pile.last().expect("a duty to take has a pile");
        ctx.push(must_take_fault(&ctx, top));
    }
    ctx.settle(Plan::EndRound)
}
