//! `draw_stock` and `end_round`; the duty to take at an empty stock (ALG-16).

use super::take::{one_card_forbidden, picked_up, receivers};
use super::{Desk, Plan, Verdict, may_go_out, may_grow};
use crate::card::{Card, Class};
use crate::rejection::{Field, Repair, Violation};
use crate::rules::{FinalDiscard, ForcedTake, TakeLayoff};
use crate::state::State;
use crate::violations::Code;
use crate::way_out;

pub(super) fn check_draw(mut desk: Desk<'_>) -> Verdict {
    if desk.state.stock.is_empty() {
        let must = must_take(desk.state);
        let fault = Violation::new(Code::StockEmpty, Field::Action)
            .fact("must_take", if must { "YES" } else { "NO" })
            .fact("may_end", if must { "NO" } else { "YES" });
        desk.push(fault.repair(if must { Repair::TakePile } else { Repair::EndRound }));
    }
    desk.settle(Plan::Draw)
}

pub(super) fn check_end_round(mut desk: Desk<'_>) -> Verdict {
    if !desk.state.stock.is_empty() {
        let fault = Violation::new(Code::StockNotEmpty, Field::Action).fact("stock", desk.state.stock_len());
        desk.push(fault.repair(Repair::DrawFromStock));
    } else if must_take(desk.state) {
        let top = *desk.state.pile.last().expect("a duty to take has a pile");
        let fault = Violation::new(Code::StockMustTakePile, Field::Action).fact("yields", "WHOLE");
        desk.push(fault.fact("rank", top.rank()).repair(Repair::TakePile));
    }
    desk.settle(Plan::EndRound)
}

/// OWN_MELD (CL-091, AMB-22): whether the seat in turn must take the pile.
pub(crate) fn must_take(state: &State) -> bool {
    let set = state.set();
    if set.forced_take == ForcedTake::Off || !state.stock.is_empty() {
        return false;
    }
    let seat = state.turn.seat;
    let side = state.side_of(seat);
    let Some(&top) = state.pile.last() else { return false };
    if top.class() != Class::Natural || !state.frozen(side).is_empty() {
        return false;
    }
    let (_, receives) = receivers(state, side, top.rank());
    receives && !one_card_forbidden(state, seat.index()) && some_take_is_legal(state, top)
}

/// Whether the top alone may go onto an own meld. Once it fits there, only the size of the hand can forbid
/// it: with one card in hand and nothing to pick up (AMB-22 e).
fn some_take_is_legal(state: &State, top: Card) -> bool {
    let (set, seat) = (state.set(), state.turn.seat);
    let side = state.side_of(seat);
    let own = state.melds.iter().enumerate().filter(|(_, m)| m.side == side && m.rank == Some(top.rank()));
    let mut receivers = own.filter(|(_, m)| {
        let wilds = m.wilds();
        let open = set.take_layoff == TakeLayoff::Any || m.grade(set).is_none();
        open && may_grow(set, (m.len() as u8 - wilds, wilds), (1, 0))
    });
    let stays = state.hand(seat).len() + picked_up(state).len();
    receivers.any(|(at, meld)| {
        let mut canastas = state.canastas(side);
        if meld.len() as u8 + 1 == set.canasta_size {
            let mut grown = meld.clone();
            grown.cards.insert(top);
            canastas.count(grown.grade(set));
        }
        // With one card either it may be discarded next, or it is laid in the same action.
        let lays_all = || {
            set.final_discard == FinalDiscard::Optional
                && way_out::exists(&way_out::Table::after_top(state, at as u8))
        };
        stays >= 2 || may_go_out(state, canastas) || lays_all()
    })
}
