//! The duty to take the pile at an empty stock where an own meld can receive its top (ALG-16).

use super::CheckContext;
use crate::card::{Card, Cards, Class};
use crate::facts::{
    content, excess, is_barred, leaves_a_card, may_go_out, may_grow, must_ask, picked_up, receivers,
    restricted, sequence_receives, some_sequence_receives,
};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::rules::{FinalDiscard, ForcedTake, TakeLayoff};
use crate::table::{Meld, Table};
use crate::violations::Code;
use crate::way_out;

/// Returns STOCK_MUST_TAKE_PILE, for an action other than the take or for a wrong form of take.
pub(super) fn must_take_fault(ctx: &CheckContext<'_>, top: Card) -> Violation {
    let top_only = ctx.set.forced_take == ForcedTake::OwnMeldTopOnly;
    let fault = Violation::new(Code::StockMustTakePile, Field::Action);
    let fault = fault.fact("yields", if top_only { "TOP" } else { "WHOLE" });
    fault.fact("rank", top.rank())
}

/// Whether the seat in turn must take the pile and receives the top alone (HN-048, AMB-HN-15).
pub fn yields_top_only(table: &Table, nodes: &Nodes) -> bool {
    table.set().forced_take == ForcedTake::OwnMeldTopOnly && must_take_to_meld(table, nodes)
}

/// Returns the top of the pile if the rule set knows a duty to take it and nothing but the takes themselves decides
/// whether the seat in turn has the duty now.
pub(super) fn top(table: &Table) -> Option<Card> {
    let is_free = table.set().forced_take == ForcedTake::Off || !table.stock.is_empty();
    let forfeits = || table.rulings().forfeits_pile(table.turn.seat).is_some();
    table.pile.last().copied().filter(|_| !is_free && !forfeits())
}

/// Whether the seat in turn must take the pile because the pile is not frozen and an own meld can receive its top (CL-091,
/// AMB-22).
pub(super) fn must_take_to_meld(table: &Table, nodes: &Nodes) -> bool {
    let side = table.side_of(table.turn.seat);
    let Some(top) = top(table).filter(|top| top.class() == Class::Natural) else { return false };
    if !table.frozen(side).is_empty() {
        return false;
    }
    let (_, set_receives) = receivers(table, side, top.rank());
    let receives = set_receives || some_sequence_receives(table, side, top);
    receives && !is_barred(table, side, top) && some_take_is_legal(table, top, nodes)
}

/// Whether a take that adds the top alone to an own meld is legal. If the top fits the meld, only the hand that stays can forbid
/// the take: with one card and nothing to pick up (AMB-22 e), or without any card that may be discarded.
fn some_take_is_legal(table: &Table, top: Card, nodes: &Nodes) -> bool {
    let (set, seat) = (table.set(), table.turn.seat);
    let side = table.side_of(seat);
    let own = table.melds.iter().enumerate().filter(|(_, m)| m.side == side);
    let mut receivers = own.filter(|(_, m)| {
        if m.rank != Some(top.rank()) {
            return sequence_receives(table, m, top);
        }
        let open = set.take_layoff == TakeLayoff::Any || m.grade(set).is_none();
        open && may_grow(set, content(&m.cards), (1, 0)) && excess(table, side, m, 0, 0).is_none()
    });
    let top_only = set.forced_take == ForcedTake::OwnMeldTopOnly;
    let mut rest = *table.hand(seat);
    if !top_only {
        rest.add(&picked_up(table));
    }
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
        let is_enough = rest.len() >= 2 || set.pass_discard || may_go_out(table, canastas) || lays_all();
        let finishes = || {
            leaves_a_card(table, &rest) || way_out::exists(&reach_after(table, at, meld, top, &rest), nodes)
        };
        is_enough && (!restricted(set) || finishes())
    })
}

/// Returns the reach after a take that adds the top to the meld at a place and leaves `rest`.
fn reach_after<'a>(table: &'a Table, at: usize, meld: &Meld, top: Card, rest: &Cards) -> way_out::Reach<'a> {
    let (naturals, wilds) = content(&meld.cards);
    let naturals = naturals + 1;
    let (target, kind, base) = (Some(at as u8), meld.kind, (naturals, wilds));
    let laid = way_out::Laid { target, kind, rank: meld.rank, naturals, wilds, base, cards: &[top] };
    way_out::Reach::after(table, rest, core::iter::once(laid))
}
