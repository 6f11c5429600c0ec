//! `meld` and the lock on wilds; the violations MELD_FIXED and DISCARD_REQUIRED.

use super::{
    Batch, BatchColumn, CheckContext, Outlook, Plan, Verdict, initial, one, size, tentative, threes,
};
use crate::action::{Group, Groups, MeldId, MeldKind};
use crate::card::Card;
use crate::rejection::{Field, Violation};
use crate::table::Meld;
use crate::violations::Code;

pub(super) fn check(mut ctx: CheckContext<'_>, groups: &Groups) -> Verdict {
    tentative::top_group_gate(ctx.table, groups)?;
    empty_gate(groups)?;
    if groups.is_empty() {
        return Err(one(Violation::new(Code::TurnEmptyAction, Field::Action)));
    }
    let named = groups.iter().enumerate().map(|(i, g)| (Field::GroupCards(i as u8), &g.cards));
    let rest = ctx.cards_gate(named)?;

    if !ctx.is_late() {
        threes::judge_kept(&mut ctx);
    }
    let mut batch = Batch::default();
    batch.add_all(&ctx, groups);
    if ctx.lays_loose() {
        return tentative::check_meld(ctx, batch, &rest);
    }
    batch.overflow(&ctx);
    let outlook = Outlook::of(&ctx, &batch.columns, rest.len());
    batch.judge(&mut ctx, &outlook);
    judge_wild_lock(&mut ctx, &batch.columns);
    initial::judge_meld(&mut ctx, groups, &batch.columns, &outlook);
    size::judge(&mut ctx, batch.black_threes, &batch.columns, &outlook, &rest);
    let placements = batch.placements();
    let plan = if ctx.is_late() { Plan::MeldLate(ctx.seat, placements) } else { Plan::Meld(placements) };
    ctx.settle(plan)
}

/// Checks that every group names a card (G3). The tentatively taken top counts as a card.
pub(super) fn empty_gate(groups: &[Group]) -> Result<(), alloc::vec::Vec<Violation>> {
    match groups.iter().position(|g| g.cards.is_empty() && !g.top) {
        Some(i) => Err(one(Violation::new(Code::TurnEmptyAction, Field::Group(i as u8)))),
        None => Ok(()),
    }
}

/// Judges the lock on wilds (ALG-10): the lock is broken only if a wild meld was open before the batch and
/// stays open. With several such melds, wilds may go to any of them.
pub(super) fn judge_wild_lock(ctx: &mut CheckContext<'_>, columns: &[BatchColumn]) {
    if !ctx.set.wild_lock {
        return;
    }
    let is_open = |size: u8| size > 0 && size < ctx.set.canasta_size;
    let stays_open = |&(at, meld): &(usize, &Meld)| {
        let column = columns.iter().find(|c| c.placement.target == Some(at as u8));
        let before = column.map_or(meld.len() as u8, |c| c.old.1);
        let after = column.map_or(before, BatchColumn::size);
        meld.side == ctx.side && meld.kind == MeldKind::Wild && is_open(before) && is_open(after)
    };
    let Some((_, meld)) = ctx.table.melds.iter().enumerate().find(stays_open) else { return };
    let id = meld.id;
    for column in columns.iter().filter(|c| c.placement.kind != MeldKind::Wild && c.added.1 > 0) {
        let card = column.placement.cards.iter().find(|c| c.is_wild()).copied().unwrap_or(Card::JOKER);
        let fault = Violation::new(Code::MeldWildsLocked, column.field).fact("meld", id).fact("card", card);
        ctx.push(fault);
    }
}

/// Returns MELD_FIXED: melded cards stay where they are (CL-022).
pub(super) fn fixed(meld: MeldId, cards: &[Card]) -> alloc::vec::Vec<Violation> {
    let mut fault = Violation::new(Code::MeldFixed, Field::Action);
    if let Some(&card) = cards.first() {
        fault = fault.fact("card", card);
    }
    one(fault.fact("meld", meld))
}

/// Returns DISCARD_REQUIRED: a turn ends with a discard (CL-015).
pub(super) fn discard_required(ctx: &CheckContext<'_>) -> alloc::vec::Vec<Violation> {
    let fault = Violation::new(Code::DiscardRequired, Field::Action)
        .fact("hand", ctx.table.hand(ctx.seat).len())
        .fact("canastas", ctx.table.canastas(ctx.side).total);
    one(fault)
}
