//! `draw_stock` and `end_round`; the duty to take at an empty stock (ALG-16).

use super::any_take;
use super::take::one_card_forbidden;
use super::{Desk, Plan, Verdict, may_go_out, may_grow, must_ask, must_go_out, sequence, tentative, threes};
use crate::card::{Card, Class};
use crate::facts::{excess, picked_up, receivers};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::rules::{FinalDiscard, ForcedTake, StockOut, TakeLayoff};
use crate::table::{Phase, Table};
use crate::violations::Code;
use crate::way_out;

pub(super) fn check_draw(mut desk: Desk<'_>) -> Verdict {
    // The last drawer may play on without a card (AMB-HF-30).
    if desk.state.stock.is_empty() && desk.set.stock_out == StockOut::PlayOn {
        let must = must_take(desk.state, desk.nodes);
        let fault = Violation::new(Code::StockEmpty, Field::Action)
            .fact("must_take", if must { "YES" } else { "NO" })
            .fact("may_end", if must { "NO" } else { "YES" });
        desk.push(fault);
    } else {
        threes::judge_kept(&mut desk);
    }
    desk.settle(Plan::Draw)
}

pub(super) fn check_end_round(mut desk: Desk<'_>) -> Verdict {
    // Clarification 7: instead of a discard, unless going out was promised.
    if desk.state.phase == Phase::Play {
        if must_go_out(desk.state) {
            desk.push(Violation::new(Code::GoOutBound, Field::Action));
        }
        tentative::judge_turn(&mut desk);
        return desk.settle(Plan::EndRound);
    }
    if !desk.state.stock.is_empty() {
        let fault = Violation::new(Code::StockNotEmpty, Field::Action).fact("stock", desk.state.stock_len());
        desk.push(fault);
    } else if must_take(desk.state, desk.nodes) {
        let top = *desk.state.pile.last().expect("a duty to take has a pile");
        desk.push(must_take_fault(&desk, top));
    }
    desk.settle(Plan::EndRound)
}

/// STOCK_MUST_TAKE_PILE: instead of, or by, a wrong form of take.
pub(super) fn must_take_fault(desk: &Desk<'_>, top: Card) -> Violation {
    let top_only = desk.set.forced_take == ForcedTake::OwnMeldTopOnly;
    let fault = Violation::new(Code::StockMustTakePile, Field::Action);
    let fault = fault.fact("yields", if top_only { "TOP" } else { "WHOLE" });
    fault.fact("rank", top.rank())
}

/// HN-048: the duty to take gives the top alone (AMB-HN-15).
pub(crate) fn yields_top_only(state: &Table, nodes: &Nodes) -> bool {
    state.set().forced_take == ForcedTake::OwnMeldTopOnly && must_take(state, nodes)
}

/// Whether the seat in turn must take the pile: by any meld (S3-036), or where an own meld takes an open one
/// (CL-091, AMB-22).
pub(crate) fn must_take(state: &Table, nodes: &Nodes) -> bool {
    let set = state.set();
    if set.forced_take == ForcedTake::Off || !state.stock.is_empty() {
        return false;
    }
    let seat = state.turn.seat;
    if state.rulings().forfeits_pile(seat).is_some() {
        return false;
    }
    let side = state.side_of(seat);
    let Some(&top) = state.pile.last() else { return false };
    if set.forced_take == ForcedTake::AnyLegal {
        return nodes.ask(|nodes| any_take::exists(state, top, nodes));
    }
    if top.class() != Class::Natural || !state.frozen(side).is_empty() {
        return false;
    }
    let (_, set_receives) = receivers(state, side, top.rank());
    let receives = set_receives || sequence::some_receives(state, side, top);
    receives && !one_card_forbidden(state, seat.index()) && some_take_is_legal(state, top, nodes)
}

/// Whether the top alone may go onto an own meld. Once it fits there, only the size of the hand can forbid
/// it: with one card in hand and nothing to pick up (AMB-22 e).
fn some_take_is_legal(state: &Table, top: Card, nodes: &Nodes) -> bool {
    let (set, seat) = (state.set(), state.turn.seat);
    let side = state.side_of(seat);
    let own = state.melds.iter().enumerate().filter(|(_, m)| m.side == side);
    let mut receivers = own.filter(|(_, m)| {
        if m.rank != Some(top.rank()) {
            return sequence::receives(state, m, top);
        }
        let wilds = m.wilds();
        let open = set.take_layoff == TakeLayoff::Any || m.grade(set).is_none();
        open && may_grow(set, (m.len() as u8 - wilds, wilds), (1, 0))
            && excess(state, side, m, 0, 0).is_none()
    });
    let top_only = set.forced_take == ForcedTake::OwnMeldTopOnly;
    let picked = if top_only { 0 } else { picked_up(state).len() };
    let stays = state.hand(seat).len() + picked;
    receivers.any(|(at, meld)| {
        let mut canastas = state.canastas(side);
        if meld.grade(set).is_none() {
            let mut grown = meld.clone();
            grown.cards.insert(top);
            canastas.barring -= u8::from(set.bars_going_out(meld.rank, meld.wilds()));
            canastas.count(set, grown.rank, grown.wilds(), grown.grade(set));
        }
        // With one card either it may be discarded or kept next, or it is laid in the same action.
        let lays_all = || {
            !top_only
                && !must_ask(state)
                && set.final_discard == FinalDiscard::Optional
                && way_out::exists(&way_out::Reach::after_top(state, at as u8), nodes)
        };
        stays >= 2 || set.pass_discard || may_go_out(state, canastas) || lays_all()
    })
}
