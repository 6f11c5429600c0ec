//! `draw_stock` and `end_round`; the duty to take at an empty stock (ALG-16).

use super::any_take;
use super::take::is_barred;
use super::{
    CheckContext, Plan, Verdict, may_go_out, may_grow, must_ask, must_go_out, sequence, tentative, threes,
};
use crate::card::{Card, Class};
use crate::facts::{excess, picked_up_count, receivers};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::rules::{FinalDiscard, ForcedTake, StockOut, TakeLayoff};
use crate::table::{Phase, Table};
use crate::violations::Code;
use crate::way_out;

pub(super) fn check_draw(mut ctx: CheckContext<'_>) -> Verdict {
    // The last drawer may play on without a card (AMB-HF-30).
    if ctx.table.stock.is_empty() && ctx.set.stock_out == StockOut::PlayOn {
        let must = must_take(ctx.table, ctx.nodes);
        let fault = Violation::new(Code::StockEmpty, Field::Action)
            .fact("must_take", if must { "YES" } else { "NO" })
            .fact("may_end", if must { "NO" } else { "YES" });
        ctx.push(fault);
    } else {
        threes::judge_kept(&mut ctx);
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

/// Returns STOCK_MUST_TAKE_PILE, for an action other than the take or for a wrong form of take.
pub(super) fn must_take_fault(ctx: &CheckContext<'_>, top: Card) -> Violation {
    let top_only = ctx.set.forced_take == ForcedTake::OwnMeldTopOnly;
    let fault = Violation::new(Code::StockMustTakePile, Field::Action);
    let fault = fault.fact("yields", if top_only { "TOP" } else { "WHOLE" });
    fault.fact("rank", top.rank())
}

/// Whether the seat in turn must take the pile and receives the top alone (HN-048, AMB-HN-15).
pub fn yields_top_only(table: &Table, nodes: &Nodes) -> bool {
    table.set().forced_take == ForcedTake::OwnMeldTopOnly && must_take(table, nodes)
}

/// Whether the seat in turn must take the pile. Depending on `forced_take`, the duty exists if any take is
/// legal (S3-036), or if the pile is not frozen and an own meld can receive its top (CL-091, AMB-22).
pub(crate) fn must_take(table: &Table, nodes: &Nodes) -> bool {
    let set = table.set();
    if set.forced_take == ForcedTake::Off || !table.stock.is_empty() {
        return false;
    }
    let seat = table.turn.seat;
    if table.rulings().forfeits_pile(seat).is_some() {
        return false;
    }
    let side = table.side_of(seat);
    let Some(&top) = table.pile.last() else { return false };
    if set.forced_take == ForcedTake::AnyLegal {
        return nodes.decide(|nodes| any_take::exists(table, top, nodes));
    }
    if top.class() != Class::Natural || !table.frozen(side).is_empty() {
        return false;
    }
    let (_, set_receives) = receivers(table, side, top.rank());
    let receives = set_receives || sequence::some_receives(table, side, top);
    receives && !is_barred(table, side, top) && some_take_is_legal(table, top, nodes)
}

/// Whether a take that adds the top alone to an own meld is legal. If the top fits the meld, only the size of
/// the hand can forbid the take: with one card in hand and nothing to pick up (AMB-22 e).
fn some_take_is_legal(table: &Table, top: Card, nodes: &Nodes) -> bool {
    let (set, seat) = (table.set(), table.turn.seat);
    let side = table.side_of(seat);
    let own = table.melds.iter().enumerate().filter(|(_, m)| m.side == side);
    let mut receivers = own.filter(|(_, m)| {
        if m.rank != Some(top.rank()) {
            return sequence::receives(table, m, top);
        }
        let wilds = m.wilds();
        let open = set.take_layoff == TakeLayoff::Any || m.grade(set).is_none();
        open && may_grow(set, (m.len() as u8 - wilds, wilds), (1, 0))
            && excess(table, side, m, 0, 0).is_none()
    });
    let top_only = set.forced_take == ForcedTake::OwnMeldTopOnly;
    let picked = if top_only { 0 } else { picked_up_count(table) };
    let stays = table.hand(seat).len() + picked;
    receivers.any(|(at, meld)| {
        let mut canastas = table.canastas(side);
        if meld.grade(set).is_none() {
            let mut grown = meld.clone();
            grown.cards.insert(top);
            canastas.barring -= u8::from(set.bars_going_out(meld.rank, meld.wilds()));
            canastas.count(set, grown.rank, grown.wilds(), grown.grade(set));
        }
        // A hand of one card needs a way on: the card may be discarded or kept next, or this action lays it
        // too.
        let lays_all = || {
            !top_only
                && !must_ask(table)
                && set.final_discard == FinalDiscard::Optional
                && way_out::exists(&way_out::Reach::after_top(table, at as u8), nodes)
        };
        stays >= 2 || set.pass_discard || may_go_out(table, canastas) || lays_all()
    })
}
