//! `meld` and `discard`.

use super::{Batch, Column, Desk, Outlook, Plan, Verdict, one, size};
use crate::action::{Group, Groups, MeldId, MeldKind};
use crate::card::{Card, Cards, Class};
use crate::rejection::{Field, Repair, Violation};
use crate::rules::{DiscardThrees, Exempt};
use crate::seat::Side;
use crate::state::{Meld, Permission, Source, State};
use crate::violations::Code;

pub(super) fn check(mut desk: Desk<'_>, groups: &Groups) -> Verdict {
    empty_gate(groups)?;
    if groups.is_empty() {
        return Err(one(Violation::new(Code::TurnEmptyAction, Field::Action)));
    }
    let named = groups.iter().enumerate().map(|(i, g)| (Field::GroupCards(i as u8), &g.cards));
    let rest = desk.cards_gate(named)?;

    let mut batch = Batch::default();
    for (i, group) in groups.iter().enumerate() {
        batch.add(&desk, i as u8, group);
    }
    batch.judge(&mut desk);
    judge_wild_lock(&mut desk, &batch.columns);
    let outlook = Outlook::of(&desk, &batch.columns, rest.len());
    let count = groups.iter().map(|g| points(desk.state, &g.cards)).sum();
    judge_minimum(&mut desk, count, &outlook, &rest);
    size::judge(&mut desk, &batch, &outlook, &rest);
    desk.settle(Plan::Meld(batch.placements()))
}

/// G3: every group names a card.
pub(super) fn empty_gate(groups: &[Group]) -> Result<(), alloc::vec::Vec<Violation>> {
    match groups.iter().position(|g| g.cards.is_empty()) {
        Some(i) => Err(one(Violation::new(Code::TurnEmptyAction, Field::Group(i as u8)))),
        None => Ok(()),
    }
}

/// The value of cards towards the minimum (CL-060).
pub(super) fn points(state: &State, cards: &[Card]) -> i32 {
    cards.iter().map(|&card| state.rules.card_points(card)).sum()
}

/// ALG-10: the lock is broken only if the wild meld was open before and stays open.
pub(super) fn judge_wild_lock(desk: &mut Desk<'_>, columns: &[Column]) {
    if !desk.set.wild_lock {
        return;
    }
    let open = |m: &&Meld| m.kind == MeldKind::Wild && m.grade(desk.set).is_none();
    let Some(meld) = desk.state.melds_of(desk.side).find(open) else { return };
    let after = columns
        .iter()
        .find(|c| c.placement.kind == MeldKind::Wild && c.placement.target.is_some())
        .map_or(meld.len() as u8, Column::size);
    if after >= desk.set.canasta_size {
        return;
    }
    let id = meld.id;
    for column in columns.iter().filter(|c| c.placement.kind != MeldKind::Wild && c.added.1 > 0) {
        let card = column.placement.cards.iter().find(|c| c.is_wild()).copied().unwrap_or(Card::JOKER);
        let fault = Violation::new(Code::MeldWildsLocked, column.field).fact("meld", id).fact("card", card);
        desk.push(fault.repair(Repair::WildsOnto(id)));
    }
}

/// INITIAL_BELOW_MINIMUM for a side that has not opened (ALG-12).
pub(super) fn judge_minimum(desk: &mut Desk<'_>, count: i32, outlook: &Outlook, rest: &Cards) {
    let required = desk.state.minimum(desk.side);
    if desk.state.opened(desk.side) || count >= required || exempt(desk.state, desk.side, outlook) {
        return;
    }
    let short = required - count;
    let helps =
        |card: &Card| card.class() != Class::BlackThree && desk.state.rules.card_points(*card) >= short;
    let with = rest.kinds().map(|(card, _)| card).find(helps);
    let fault = Violation::new(Code::InitialBelowMinimum, Field::Action)
        .fact("count", count)
        .fact("required", required)
        .fact("key", desk.state.scores[desk.side.index()])
        .fact("surcharge", 0)
        .repair(Repair::LayMore { points: short, with });
    desk.push(fault);
}

/// CL-068: going out concealed needs no minimum.
pub(crate) fn exempt(state: &State, side: Side, outlook: &Outlook) -> bool {
    exempts_going_out(state)
        && !state.opened(side)
        && outlook.hand_after <= 1
        && size::may_go_out(state, outlook.canastas)
}

/// Whether the seat in turn, its side not opened, needs no minimum to go out.
pub(crate) fn exempts_going_out(state: &State) -> bool {
    let exempts = state.set().initial_exempt;
    let from_stock = state.turn.source == Source::Stock && exempts.contains(Exempt::ConcealedStock);
    from_stock || exempts.contains(Exempt::ConcealedAny)
}

/// CL-022: melded cards stay where they are.
pub(super) fn fixed(meld: MeldId, cards: &[Card]) -> alloc::vec::Vec<Violation> {
    let mut fault = Violation::new(Code::MeldFixed, Field::Action);
    if let Some(&card) = cards.first() {
        fault = fault.fact("card", card);
    }
    one(fault.fact("meld", meld))
}

/// CL-015: a turn ends with a discard.
pub(super) fn discard_required(desk: &Desk<'_>) -> alloc::vec::Vec<Violation> {
    let fault = Violation::new(Code::DiscardRequired, Field::Action)
        .fact("hand", desk.state.hand(desk.seat).len())
        .fact("canastas", desk.state.canastas(desk.side).total);
    one(fault.repair(Repair::MeldOrDiscard))
}

pub(super) fn check_discard(mut desk: Desk<'_>, card: Card) -> Verdict {
    let hand = desk.state.hand(desk.seat);
    if hand.count(card) == 0 {
        return Err(desk.not_held(&[(card, Field::Card)]));
    }
    if hand.len() == 1 {
        size::judge_last_card(&mut desk);
    }
    let three = card.class() == Class::RedThree && desk.set.discard_threes == DiscardThrees::Black;
    if three {
        desk.push(Violation::new(Code::DiscardThreeForbidden, Field::Card).fact("card", card));
    }
    if hand.len() > 1 && desk.state.turn.permission == Permission::Yes {
        desk.push(Violation::new(Code::GoOutBound, Field::Action).repair(Repair::GoOut));
    }
    desk.settle(Plan::Discard(card))
}
