//! `merge_melds` (SA-036, SAD-08).

use super::batch::owned;
use super::{CheckContext, Outlook, Plan, Verdict, must_go_out, restricted, size};
use crate::action::{MeldId, MeldKind};
use crate::rejection::{Circumstance, Field, Violation};
use crate::rules::{CanastaAccepts, Merge, RuleSet};
use crate::sequence::Sequence;
use crate::table::{Meld, Table};
use crate::violations::Code;

pub(super) fn check(mut ctx: CheckContext<'_>, a: MeldId, b: MeldId) -> Verdict {
    let mut find = |id| owned(&ctx, None, id, Field::Action).map_err(|fault| ctx.push(fault)).ok();
    let (Some(at), Some(other)) = (find(a), find(b)) else { return Err(ctx.faults) };
    let (first, second) = (&ctx.table.melds[usize::from(at)], &ctx.table.melds[usize::from(other)]);
    let loose = [a, b].iter().any(|&id| ctx.table.loose_of(id).is_some());
    let reason = obstacle(ctx.set, first, second).or(loose.then_some("LOOSE"));
    if let Some(reason) = reason {
        let fault = Violation::new(Code::MeldMergeForbidden, Field::Action).fact("reason", reason);
        return Err(super::one(fault));
    }
    for (full, part) in [(first, second), (second, first)] {
        let closed = ctx.set.canasta_accepts == CanastaAccepts::Naturals && full.grade(ctx.set).is_some();
        let wild = part.cards.iter().find(|card| card.is_wild());
        if let Some(wild) = wild.filter(|_| closed) {
            let fault = Violation::new(Code::MeldCanastaClosed, Field::Action).fact("meld", full.id);
            let fault = fault.fact("card", wild);
            ctx.push(fault);
        }
    }
    let (len, wilds) = ((first.len() + second.len()) as u8, first.wilds() + second.wilds());
    if let Some(max) = crate::facts::wild_cap(ctx.set, len).filter(|&max| wilds > max) {
        let fault = Violation::new(Code::MeldTooManyWilds, Field::Action).fact("found", wilds);
        let canasta = [first, second].iter().any(|meld| meld.grade(ctx.set).is_some());
        ctx.push(fault.fact("allowed", max).with(Circumstance::Canasta, canasta));
    }
    if ctx.faults.is_empty() {
        judge_end_of_turn(&mut ctx, at, other);
    }
    ctx.settle(Plan::Merge { a: at, b: other })
}

/// Returns the reason that forbids merging two melds whatever their wild cards, or `None`.
fn obstacle(set: &RuleSet, a: &Meld, b: &Meld) -> Option<&'static str> {
    let too_large = |max: u8| max > 0 && a.len() + b.len() > u16::from(max);
    if a.id == b.id {
        return Some("SAME_MELD");
    }
    if a.kind != b.kind {
        return Some("KINDS");
    }
    if a.grade(set).is_some() && b.grade(set).is_some() {
        return Some("BOTH_COMPLETE");
    }
    match a.kind {
        MeldKind::Set if a.rank != b.rank => Some("RANKS"),
        MeldKind::Set => too_large(set.meld_max).then_some("TOO_LARGE"),
        MeldKind::Sequence if set.merge == Merge::SetsAndSequences => {
            let mut all = a.cards;
            all.add(&b.cards);
            match Sequence::of(&all) {
                None => Some("NOT_CONSECUTIVE"),
                Some(_) => too_large(set.sequence_max).then_some("TOO_LARGE"),
            }
        }
        _ => Some("KIND"),
    }
}

/// Checks that a player who must or may go out can still do so after the merge: "yes, but unable" cannot arise
/// (AMB-16).
fn judge_end_of_turn(ctx: &mut CheckContext<'_>, a: u8, b: u8) {
    let goes_on = ctx.table.hand(ctx.seat).len() >= 2 && !must_go_out(ctx.table) && !restricted(ctx.set);
    if goes_on {
        return;
    }
    let mut after: Table = ctx.table.clone();
    after.unite(a, b);
    let mut later = CheckContext::new(&after, ctx.seat, ctx.kind, ctx.nodes);
    let hand = after.hand(ctx.seat);
    let outlook = Outlook::of(&later, &[], hand.len());
    size::judge(&mut later, None, &[], &outlook, hand);
    ctx.faults.append(&mut later.faults);
}
