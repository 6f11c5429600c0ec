//! `draw_stock` and `end_round`; the duty to take at an empty stock (ALG-16).

use super::take::{one_card_forbidden, picked_up, receivers};
use super::{Desk, Plan, Verdict, may_go_out};
use crate::action::MeldKind;
use crate::card::Class;
use crate::rejection::{Field, Repair, Violation};
use crate::rules::ForcedTake;
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
    receives && !one_card_forbidden(state, seat.index()) && some_take_is_legal(state)
}

/// The top alone onto the own meld is always well formed, so only the size of the hand can forbid it:
/// with one card in hand and nothing to pick up (AMB-22 e).
fn some_take_is_legal(state: &State) -> bool {
    let seat = state.turn.seat;
    let hand = state.hand(seat);
    if hand.len() + picked_up(state).len() >= 2 {
        return true;
    }
    let side = state.side_of(seat);
    let top = *state.pile.last().expect("a take has a pile");
    let rank = top.rank();
    let open = |m: &&crate::state::Meld| m.side == side && m.kind == MeldKind::Set && m.rank == Some(rank);
    let Some(meld) = state.melds.iter().find(open) else { return false };
    let mut canastas = state.canastas(side);
    if meld.len() as u8 + 1 == state.set().canasta_size {
        let mut grown = meld.clone();
        grown.cards.insert(top);
        canastas.count(grown.grade(state.set()));
    }
    // Either the card that stays may be discarded next, or it is laid in the same action.
    may_go_out(state, canastas) || way_out::exists(&way_out::Table::after_top(state, top))
}
