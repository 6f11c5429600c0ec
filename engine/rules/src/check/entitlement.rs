//! The reasons why cards do not entitle to the pile (ALG-05).

use super::CheckContext;
use crate::card::{Card, Rank};
use crate::event::FreezeCause;
use crate::facts::{entitled, receivers, sequence_receives, wilds_full};
use crate::rejection::{Field, Violation};
use crate::rules::{TakeLayoff, TakeNaturalWild};
use crate::table::Meld;
use crate::violations::Code;
use alloc::vec::Vec;

/// Returns the one code of ALG-05 for cards that do not entitle to the pile: the first that fits, without the
/// codes of sequences. Returns `None` if they entitle. `receiver`: the own meld that the top goes to, if it may
/// receive the top alone; `named`: the own meld to which the top would merely be added.
pub(super) fn entitlement_fault(
    ctx: &CheckContext<'_>,
    top: Card,
    receiver: Option<&Meld>,
    naturals: u8,
    wilds: u8,
    named: Option<&Meld>,
) -> Option<Violation> {
    let (table, set, rank) = (ctx.table, ctx.set, top.rank());
    let (exists, any_receives) = receivers(table, ctx.side, rank);
    let full = wilds_full(table, ctx.side, rank).filter(|_| naturals == 1 && wilds > 0);
    if full.is_none() && entitled(table, ctx.side, receiver, naturals, wilds) {
        return None;
    }
    let causes = table.frozen(ctx.side);
    let fault = |code| Violation::new(code, Field::With);
    let pair = |v: Violation| v.fact("rank", rank).fact("found", naturals).fact("required", 2u8);
    let complete = named.is_some_and(|meld| meld.grade(set).is_some());
    let violation = if !causes.is_empty() {
        let causes: Vec<&'static str> = causes.iter().map(FreezeCause::name).collect();
        pair(fault(Code::PileFrozenNeedsPair).fact("causes", causes))
    } else if naturals == 1 && wilds > 0 && set.take_natural_wild == TakeNaturalWild::Never
        || set.take_natural_wild == TakeNaturalWild::Never && set.take_layoff == TakeLayoff::Never
    {
        pair(fault(Code::PileNeedsPair))
    } else if let Some(meld) = full {
        fault(Code::PileCanastaWildsFull).fact("meld", meld.id).fact("wilds", meld.wilds())
    } else if let Some(meld) = named.filter(|_| set.take_layoff == TakeLayoff::Never) {
        fault(Code::PileLayoffForbidden).fact("meld", meld.id)
    } else if let Some(meld) =
        named.filter(|_| set.take_layoff == TakeLayoff::Incomplete && (complete || exists && !any_receives))
    {
        fault(Code::PileCanastaTargetForbidden).fact("meld", meld.id)
    } else {
        fault(Code::PileTopNotMelded).fact("card", top).fact("naturals", naturals).fact("wilds", wilds)
    };
    Some(violation)
}

/// Returns why a tentatively taken top that lies in a sequence does not entitle to the pile. The top must
/// directly lengthen a sequence that lay there before the turn (SA-042 to SA-044).
pub(super) fn sequence_fault(ctx: &CheckContext<'_>, before: &Option<Meld>, top: Card) -> Option<Violation> {
    let Some(meld) = before else {
        let fault = entitlement_fault(ctx, top, None, 0, 0, None)?;
        let started = fault.code == Code::PileTopNotMelded;
        return Some(Violation { code: if started { Code::PileSequenceStart } else { fault.code }, ..fault });
    };
    if sequence_receives(ctx.table, meld, top) {
        return None;
    }
    let fault = entitlement_fault(ctx, top, None, 0, 0, Some(meld))?;
    let bridged = fault.code == Code::PileTopNotMelded;
    Some(if bridged {
        Violation::new(Code::PileSequenceBridged, fault.field).fact("meld", meld.id)
    } else {
        fault
    })
}

/// Returns the own meld of a rank with the lowest id.
pub(super) fn own_of_rank<'a>(ctx: &CheckContext<'a>, rank: Rank) -> Option<&'a Meld> {
    ctx.table.melds_of(ctx.side).find(|m| m.rank == Some(rank))
}

pub(super) fn too_full(meld: &Meld, size: u8, max: u8) -> Violation {
    let fault = Violation::new(Code::PileMeldTooFull, Field::TopOnto);
    fault.fact("meld", meld.id).fact("found", size).fact("allowed", max)
}
