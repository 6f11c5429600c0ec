//! `meld`, the lock on wilds, and what takes the place of a meld or a discard where neither exists.

use super::{Batch, Column, Desk, Outlook, Plan, Verdict, initial, one, size, tentative, threes};
use crate::action::{Group, Groups, MeldId, MeldKind};
use crate::card::Card;
use crate::rejection::{Field, Violation};
use crate::table::Meld;
use crate::violations::Code;

pub(super) fn check(mut desk: Desk<'_>, groups: &Groups) -> Verdict {
    tentative::top_group_gate(desk.state, groups)?;
    empty_gate(groups)?;
    if groups.is_empty() {
        return Err(one(Violation::new(Code::TurnEmptyAction, Field::Action)));
    }
    let named = groups.iter().enumerate().map(|(i, g)| (Field::GroupCards(i as u8), &g.cards));
    let rest = desk.cards_gate(named)?;

    if !desk.is_late() {
        threes::judge_kept(&mut desk);
    }
    let mut batch = Batch::default();
    batch.add_all(&desk, groups);
    if desk.lays_loose() {
        return tentative::check_meld(desk, batch, &rest);
    }
    batch.overflow(&desk);
    let outlook = Outlook::of(&desk, &batch.columns, rest.len());
    batch.judge(&mut desk, &outlook);
    judge_wild_lock(&mut desk, &batch.columns);
    initial::judge_meld(&mut desk, groups, &batch.columns, &outlook);
    size::judge(&mut desk, batch.black_threes, &batch.columns, &outlook, &rest);
    let placements = batch.placements();
    let plan = if desk.is_late() { Plan::MeldLate(desk.seat, placements) } else { Plan::Meld(placements) };
    desk.settle(plan)
}

/// G3: every group names a card, the tentatively taken top included.
pub(super) fn empty_gate(groups: &[Group]) -> Result<(), alloc::vec::Vec<Violation>> {
    match groups.iter().position(|g| g.cards.is_empty() && !g.top) {
        Some(i) => Err(one(Violation::new(Code::TurnEmptyAction, Field::Group(i as u8)))),
        None => Ok(()),
    }
}

/// ALG-10: the lock is broken only if a wild meld was open before and stays open. With several, wilds are
/// bound to any of them.
pub(super) fn judge_wild_lock(desk: &mut Desk<'_>, columns: &[Column]) {
    if !desk.set.wild_lock {
        return;
    }
    let is_open = |size: u8| size > 0 && size < desk.set.canasta_size;
    let stays_open = |&(at, meld): &(usize, &Meld)| {
        let column = columns.iter().find(|c| c.placement.target == Some(at as u8));
        let before = column.map_or(meld.len() as u8, |c| c.old.1);
        let after = column.map_or(before, Column::size);
        meld.side == desk.side && meld.kind == MeldKind::Wild && is_open(before) && is_open(after)
    };
    let Some((_, meld)) = desk.state.melds.iter().enumerate().find(stays_open) else { return };
    let id = meld.id;
    for column in columns.iter().filter(|c| c.placement.kind != MeldKind::Wild && c.added.1 > 0) {
        let card = column.placement.cards.iter().find(|c| c.is_wild()).copied().unwrap_or(Card::JOKER);
        let fault = Violation::new(Code::MeldWildsLocked, column.field).fact("meld", id).fact("card", card);
        desk.push(fault);
    }
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
    one(fault)
}
