//! `meld`.

use super::shape::judge_wild_lock;
use super::{Batch, CheckContext, Outlook, Plan, Verdict, initial, one, size, tentative};
use crate::action::{ActionKind, Groups};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::seat::Seat;
use crate::table::Table;
use crate::violations::Code;

pub(super) fn check(mut ctx: CheckContext<'_>, groups: &Groups) -> Verdict {
    ctx.groups_gate(groups)?;
    if groups.is_empty() {
        return Err(one(Violation::new(Code::TurnEmptyAction, Field::Action)));
    }
    let named = groups.iter().enumerate().map(|(i, g)| (Field::GroupCards(i as u8), &g.cards));
    let rest = ctx.cards_gate(named)?;

    if !ctx.is_late() {
        ctx.judge_kept();
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

/// Whether groups that may be placed make melds that can stand when the turn ends; the minimum is not tested.
pub(crate) fn stands(table: &Table, seat: Seat, groups: &Groups, nodes: &Nodes) -> bool {
    let mut ctx = CheckContext::new(table, seat, ActionKind::Meld, nodes);
    ctx.strict = true;
    check(ctx, groups).is_ok()
}
