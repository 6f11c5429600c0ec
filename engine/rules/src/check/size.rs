//! The hand that stays, and going out (ALG-13, ALG-14).

use super::{Batch, BatchColumn, CheckContext, Outlook};
use crate::action::{ActionKind, Group};
use crate::card::Cards;
use crate::facts::{self, Requirement, least_kept, leaves_a_card, may_go_out, must_go_out, restricted};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::rules::FinalDiscard;
use crate::seat::{Seat, Side};
use crate::table::{Canastas, Table};
use crate::violations::Code;
use crate::way_out::{self, WayOutAnswer};
use alloc::vec::Vec;

/// Returns the canastas of the side of `seat` once those of `groups` that can be placed are laid.
pub(super) fn canastas_with(table: &Table, seat: Seat, groups: &[Group]) -> Canastas {
    let nodes = Nodes::default();
    let ctx = CheckContext::new(table, seat, ActionKind::Meld, &nodes);
    let mut batch = Batch::default();
    batch.add_all(&ctx, groups);
    batch.overflow(&ctx);
    Outlook::of(&ctx, &batch.columns, 0).canastas
}

/// Returns the requirements that the rule set has for the side of `seat` to go out, once those of `groups` that
/// can be placed are laid.
pub(crate) fn requirements(table: &Table, seat: Seat, groups: &[Group]) -> Vec<Requirement> {
    let canastas = match groups {
        [] => table.canastas(table.side_of(seat)),
        _ => canastas_with(table, seat, groups),
    };
    let all = facts::all_requirements(table, seat, canastas).into_iter();
    all.filter(|requirement| facts::is_asked(table.set(), requirement)).collect()
}

/// Returns the codes of what keeps the seat in turn from going out with its melds as they lie; empty if only
/// the cards in its hand do.
pub(super) fn missing(table: &Table, seat: Seat, side: Side) -> Vec<Code> {
    let reasons = facts::reasons(table, seat, table.canastas(side), table.hand(seat).len());
    reasons.iter().map(|reason| reason.code).collect()
}

/// Judges that the last card may leave the hand: GO_OUT_NOT_ASKED, GO_OUT_REFUSED, and the reasons against
/// going out.
pub(super) fn judge_last_card(ctx: &mut CheckContext<'_>) {
    let canastas = ctx.table.canastas(ctx.side);
    ctx.faults.extend(facts::of_mates(ctx.table, Field::Card));
    // The test of the turn's melds may have found a reason already.
    let known: Vec<Code> = ctx.faults.iter().map(|known| known.code).collect();
    let reasons = facts::reasons(ctx.table, ctx.seat, canastas, 1).into_iter();
    reasons.filter(|reason| !known.contains(&reason.code)).for_each(|reason| ctx.push(reason));
}

/// Returns the hand and the melds, after a batch that leaves `rest`, for the search for a way out.
fn reach_after<'a>(ctx: &CheckContext<'a>, columns: &[BatchColumn], rest: &Cards) -> way_out::Reach<'a> {
    let laid = columns.iter().map(|column| {
        let (naturals, wilds) = (column.naturals(), column.wilds());
        // The melds of a batch have been judged by then; those of a turn that may be taken back have not.
        let base = if ctx.lays_loose() { column.old } else { (naturals, wilds) };
        let placement = &column.placement;
        let (target, kind, rank) = (placement.target, placement.kind, placement.rank);
        way_out::Laid { target, kind, rank, naturals, wilds, base, cards: &placement.cards }
    });
    let reach = way_out::Reach::after(ctx.table, rest, laid);
    if !ctx.lays_loose() {
        return reach;
    }
    let points = |column: &BatchColumn| {
        let placement = &column.placement;
        facts::points(ctx.table, placement.rank, &placement.cards)
    };
    reach.opening(ctx.table, columns.iter().map(points).sum())
}

/// Whether the hand that stays can neither make a discard and keep a card nor go out (ALG-13). A hand that is
/// too small is another fault.
fn leaves_no_finish(
    ctx: &CheckContext<'_>,
    columns: &[BatchColumn],
    outlook: &Outlook,
    rest: &Cards,
    may: bool,
) -> bool {
    let size = outlook.hand_after;
    !ctx.table.turn.no_discard
        && (size >= 2 || (size == 1 && may))
        && !leaves_a_card(ctx.table, rest)
        && !way_out::exists(&reach_after(ctx, columns, rest), ctx.nodes)
}

/// Judges black threes, which are laid only with the last cards of a turn that goes out (CL-075): never with a first hand,
/// while a foot waits, and never after the own discard.
fn judge_black_threes(ctx: &mut CheckContext<'_>, field: Field, outlook: &Outlook) {
    let (table, hand_after, late) = (ctx.table, outlook.hand_after, ctx.is_late());
    if !late && hand_after <= outlook.for_discard && may_go_out(table, outlook.canastas) {
        return;
    }
    let reasons = || facts::reasons(table, ctx.seat, outlook.canastas, hand_after);
    let all = facts::of_mates(table, field).into_iter().chain(reasons()).filter(|_| !late);
    let codes: Vec<Code> = all.map(|reason| reason.code).collect();
    let fault = Violation::new(Code::ThreeBlackNotGoingOut, field);
    ctx.push(fault.fact("hand_after", hand_after).fact("reasons", codes));
}

/// Judges the hand after a meld or a take (the list "size"). `rest` is the hand after the action.
/// `black_threes` is the group that lays black threes.
pub(super) fn judge(
    ctx: &mut CheckContext<'_>,
    black_threes: Option<Field>,
    columns: &[BatchColumn],
    outlook: &Outlook,
    rest: &Cards,
) {
    let (table, set, seat) = (ctx.table, ctx.set, ctx.seat);
    if let Some(field) = black_threes {
        judge_black_threes(ctx, field, outlook);
    }
    // While a foot waits, any number of cards may stay, and an empty hand is not going out (HF-077).
    if !table.foot(seat).is_empty() {
        return;
    }
    if ctx.is_late() {
        // After the own discard (AMB-HF-14) nobody goes out, and a card must stay for the next turn.
        if outlook.hand_after == 0 {
            let fault = Violation::new(Code::MeldLeavesTooFewCards, Field::Action);
            ctx.push(fault.fact("found", 0u16).fact("required", 1u16));
        }
        return;
    }
    let reasons = || facts::reasons(table, seat, outlook.canastas, outlook.hand_after);
    // Counted only where it decides: most melds leave a hand to go on with.
    let may = || may_go_out(table, outlook.canastas);
    if outlook.hand_after == 0 && set.final_discard == FinalDiscard::Required {
        ctx.push(Violation::new(Code::GoOutDiscardRequired, Field::Action));
    }
    let required = least_kept(set);
    if outlook.hand_after < required && !may() {
        ctx.faults.extend(facts::of_mates(table, Field::Action));
        let fault = Violation::new(Code::MeldLeavesTooFewCards, Field::Action)
            .fact("found", outlook.hand_after)
            .fact("required", required);
        ctx.push(fault);
        ctx.faults.extend(reasons());
    }
    if restricted(set) && leaves_no_finish(ctx, columns, outlook, rest, may()) {
        let fault = Violation::new(Code::MeldLeavesNoFinish, Field::Action);
        ctx.push(fault.fact("hand_after", outlook.hand_after));
    }
    if must_go_out(table) {
        let answer = way_out::search(&reach_after(ctx, columns, rest), ctx.nodes);
        let fault = || Violation::new(Code::GoOutBound, Field::Action);
        match answer {
            WayOutAnswer::Exists => {}
            WayOutAnswer::Missing => ctx.push(fault()),
            WayOutAnswer::Undecided => ctx.push(fault().fact("search", "UNDECIDED")),
        }
    }
}
