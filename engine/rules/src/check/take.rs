//! `take_pile` (ALG-05, ALG-06).

use super::aim::{Aim, explain};
use super::batch::{auto, judge_ids, misfit_rank, owned};
use super::duty::{must_take_fault, yields_top_only};
use super::entitlement::{entitlement_fault, own_of_rank, too_full};
use super::shape::judge_wild_lock;
use super::{Batch, BatchColumn, CheckContext, Outlook, Placement, Plan, Verdict, initial, size};
use crate::action::{MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class, Rank};
use crate::facts::{
    entitled, excess, first_laid, is_closed_turn, is_takable, one_card_forbidden, picked_up, rank_barred,
    received, receivers, sequence_receives, top_meld,
};
use crate::rejection::{Circumstance, Field, Violation};
use crate::rules::TakeLayoff;
use crate::table::{Meld, Table};
use crate::violations::Code;
use alloc::vec::Vec;

pub(super) fn check(mut ctx: CheckContext<'_>, take: &TakePile) -> Verdict {
    ctx.groups_gate(&take.also)?;
    let also = take.also.iter().enumerate().map(|(i, g)| (Field::GroupCards(i as u8), &g.cards));
    let rest = ctx.cards_gate(core::iter::once((Field::With, &take.with)).chain(also))?;
    ctx.judge_kept();
    let top = top_gate(&mut ctx)?;
    let rank = top.rank();

    let top_only = yields_top_only(ctx.table, ctx.nodes);
    if top_only && !(take.with.is_empty() && take.also.is_empty()) {
        ctx.push(must_take_fault(&ctx, top).with(Circumstance::Taking, true));
    }
    let aim = Aim::of(&ctx, take, top);
    let stray = if let Aim::Set = aim { stray(take, rank) } else { None };
    let (mixed, stray) = if is_mixed(&take.with) { (stray, None) } else { (None, stray) };
    ctx.faults.extend(mixed);
    judge_shut(&mut ctx, rank);
    let mut batch = Batch::default();
    if judge_entitlement(&mut ctx, take, top, &aim) {
        ctx.faults.extend(stray);
        place_top(&mut ctx, &mut batch, take, top, &aim);
    }
    batch.add_all(&ctx, &take.also);
    judge_joined(&mut ctx, &batch, top);
    batch.overflow(&ctx);
    let picked = if top_only { Cards::EMPTY } else { picked_up(ctx.table) };
    let replaced = if top_only { 0 } else { replacements(ctx.table) };
    let hand_size = rest.len() + picked.len() + replaced;
    let outlook = Outlook::of(&ctx, &batch.columns, hand_size);
    batch.judge(&mut ctx, &outlook);
    judge_wild_lock(&mut ctx, &batch.columns);
    let mut hand_after = rest;
    hand_after.add(&picked);
    initial::judge_take(&mut ctx, take, &batch.columns, top, &outlook);
    size::judge(&mut ctx, batch.black_threes, &batch.columns, &outlook, &hand_after);
    judge_ids(&mut ctx, batch.columns.iter().map(|column| &column.placement));
    let plan = if top_only { Plan::TakeOnlyTop } else { Plan::Take };
    ctx.settle(plan(batch.placements()))
}

/// Returns how many cards are certain to replace the red threes that come with the top, whatever lies in the
/// stock.
fn replacements(table: &Table) -> u16 {
    if !table.set().pile_threes_replaced {
        return 0;
    }
    let threes = received(table).iter().filter(|card| card.class() == Class::RedThree).count() as u16;
    let laid: u16 = table.laid.iter().map(|laid| u16::from(laid.red_threes())).sum();
    let unseen = table.set().red_three_count() as u16 - laid - threes;
    threes.min(table.stock_len().saturating_sub(unseen))
}

/// Judges PILE_FORFEITED (IR-011) and PILE_ONE_CARD. Returns the top of the pile.
///
/// # Errors
/// All faults so far and PILE_EMPTY or PILE_TOP_*, which ends the list.
pub(super) fn top_gate(ctx: &mut CheckContext<'_>) -> Result<Card, Vec<Violation>> {
    let fault = |code| Violation::new(code, Field::Action);
    if let Some(ruling) = ctx.table.rulings().forfeits_pile(ctx.seat) {
        ctx.push(fault(Code::PileForfeited).fact("ruling", i64::from(ruling)));
    }
    let Some(&top) = ctx.table.pile.last() else {
        ctx.push(fault(Code::PileEmpty));
        return Err(core::mem::take(&mut ctx.faults));
    };
    if is_takable(ctx.set, top) {
        if one_card_forbidden(ctx.table, ctx.seat.index()) {
            ctx.push(fault(Code::PileOneCard));
        }
        return Ok(top);
    }
    let code = match top.class() {
        Class::BlackThree => Code::PileTopBlackThree,
        Class::RedThree => Code::PileTopRedThree,
        Class::Wild | Class::Natural => Code::PileTopWild,
    };
    ctx.push(fault(code).fact("card", top));
    Err(core::mem::take(&mut ctx.faults))
}

/// Judges PILE_INITIAL_TURN_FORBIDDEN and PILE_CANASTA_RANK_FORBIDDEN: no meld at all takes a pile with a top
/// of this rank.
pub(super) fn judge_shut(ctx: &mut CheckContext<'_>, rank: Rank) {
    if is_closed_turn(ctx.table, ctx.side) {
        let fault = Violation::new(Code::PileInitialTurnForbidden, Field::Action);
        ctx.push(fault);
    }
    if let Some(meld) = rank_barred(ctx.table, ctx.side, rank) {
        let fault = Violation::new(Code::PileCanastaRankForbidden, Field::Action).fact("rank", rank);
        ctx.push(fault.fact("meld", meld));
    }
}

/// Returns the fault of a card in `with` that is neither wild nor of the top's rank.
fn stray(take: &TakePile, rank: Rank) -> Option<Violation> {
    let &card = take.with.iter().find(|card| !joins(**card, rank))?;
    let fault = match card.rank() {
        Rank::Three if !is_mixed(&take.with) => Violation::new(Code::ThreeNotMeldable, Field::With),
        _ => Violation::new(Code::MeldMixedRanks, Field::With).fact("rank", rank),
    };
    Some(fault.fact("card", card))
}

/// Whether the naturals have several ranks. This fault does not depend on the top, so it is listed before the
/// right to take the pile.
fn is_mixed(with: &[Card]) -> bool {
    let mut ranks = with.iter().filter(|card| !card.is_wild()).map(|card| card.rank());
    ranks.next().is_some_and(|first| ranks.any(|rank| rank != first))
}

/// Whether a card can lie in one meld with a top of this rank. All wilds are one rank (HF-050).
fn joins(card: Card, rank: Rank) -> bool {
    card.is_wild() || card.rank() == rank
}

fn judge_entitlement(ctx: &mut CheckContext<'_>, take: &TakePile, top: Card, aim: &Aim<'_>) -> bool {
    let rank = top.rank();
    let wilds = take.with.iter().filter(|c| c.is_wild()).count() as u8;
    // To a wild top two wilds are the pair (HF-050).
    let of_rank = |c: &&Card| c.rank() == rank || (top.is_wild() && c.is_wild());
    let naturals = take.with.iter().filter(of_rank).count() as u8;
    let wilds = if top.is_wild() { 0 } else { wilds };
    let (_, any_receives) = receivers(ctx.table, ctx.side, rank);
    let (receiver, with_wild) = match aim {
        Aim::Set => (receiver(ctx, take.onto, rank, wilds).filter(|_| any_receives), wilds),
        Aim::Sequence(_, meld) => {
            let alone = take.with.is_empty() && sequence_receives(ctx.table, meld, top);
            (alone.then_some(*meld), 0)
        }
        Aim::NewSequence => (None, 0),
    };
    let named = merely_added(ctx, take, top, aim);
    let mut fault = entitlement_fault(ctx, top, receiver, naturals, with_wild, named);
    match (&mut fault, take.onto) {
        (Some(fault), _) if fault.code == Code::PileTopNotMelded => explain(take, top, aim, fault),
        (Some(fault), Onto::Meld { id, .. }) if fault.code == Code::PileCanastaTargetForbidden => {
            // The take names another meld, which does not take the top either.
            fault.facts.extend(named.filter(|meld| meld.id != id).map(|_| ("named", id.into())));
        }
        _ => {}
    }
    let entitled = fault.is_none();
    ctx.faults.extend(fault);
    entitled
}

/// Returns the own meld to which the top would merely be added: the one that the take names, else one of the
/// top's rank.
fn merely_added<'a>(ctx: &CheckContext<'a>, take: &TakePile, top: Card, aim: &Aim<'a>) -> Option<&'a Meld> {
    let named = match (aim, take.onto) {
        (Aim::Sequence(_, meld), _) => return Some(meld),
        (Aim::NewSequence, _) => return None,
        (Aim::Set, Onto::Meld { side, id }) if side.is_none_or(|side| side == ctx.side) => {
            ctx.table.meld(ctx.side, id).filter(|m| m.rank == Some(top.rank()))
        }
        _ => None,
    };
    named.or_else(|| own_of_rank(ctx, top.rank()))
}

/// Returns the own meld of the top's rank to which `to` sends the top, if the meld may receive the top alone.
fn receiver<'a>(ctx: &CheckContext<'a>, to: Onto, rank: Rank, wilds: u8) -> Option<&'a Meld> {
    let at = match to {
        Onto::Auto => auto(ctx, &[], MeldKind::Set, Some(rank), wilds)?,
        Onto::New => return None,
        Onto::Meld { side, id } => owned(ctx, side, id, Field::TopOnto).ok()?,
    };
    let meld = &ctx.table.melds[usize::from(at)];
    let open = meld.grade(ctx.set).is_none() || ctx.set.take_layoff == TakeLayoff::Any;
    (meld.rank == Some(rank) && open).then_some(meld)
}

/// Puts the top and `with` into their column.
fn place_top(ctx: &mut CheckContext<'_>, batch: &mut Batch, take: &TakePile, top: Card, aim: &Aim<'_>) {
    if let &Aim::Sequence(at, _) = aim {
        let cards = core::iter::once(top).collect();
        let placement = Placement { target: Some(at), kind: MeldKind::Sequence, rank: None, cards };
        batch.join(ctx, Field::With, placement, false, (1, 0));
        return;
    }
    // The faults of cards that do not belong here are recorded already; the rest of the meld is judged without
    // them.
    let mut cards = take.with.clone();
    cards.retain(|card| joins(*card, top.rank()));
    let alike = cards.iter().filter(|card| card.is_wild() == top.is_wild()).count() as u8;
    cards.push(top);
    let wilds = cards.iter().filter(|c| c.is_wild()).count() as u8;
    let added = (cards.len() as u8 - wilds, wilds);
    let (kind, rank) = top_meld(top);
    let others = if top.is_wild() { 0 } else { wilds };
    let excess = |at: &u8| excess(ctx.table, ctx.side, &ctx.table.melds[usize::from(*at)], alike, others);
    let (target, named_new) = match take.onto {
        Onto::New => (None, true),
        Onto::Auto => {
            let found = auto(ctx, &[], kind, rank, wilds);
            // A completed set without room for a pair is left alone, and a new set begins (SAD-06).
            let open = |at: &u8| ctx.table.melds[usize::from(*at)].grade(ctx.set).is_none();
            (found.filter(|at| open(at) || excess(at).is_none()), false)
        }
        Onto::Meld { side, id } => {
            let target = owned(ctx, side, id, Field::TopOnto)
                .and_then(|at| misfit_rank(ctx, at, kind, rank, top, Field::TopOnto).map_or(Ok(at), Err));
            match target {
                Ok(at) => (Some(at), false),
                Err(fault) => {
                    ctx.push(fault);
                    return;
                }
            }
        }
    };
    if let Some((at, (size, max))) = target.and_then(|at| Some((at, excess(&at)?))) {
        ctx.push(too_full(&ctx.table.melds[usize::from(at)], size, max));
        // One cause, one code: the meld's own limits are not judged.
        return;
    }
    let placement = Placement { target, kind, rank, cards };
    let at = batch.join(ctx, Field::With, placement, named_new, added);
    batch.columns[at].first = match top.is_wild() {
        true => (0, 3),
        false => first_laid(ctx.table, ctx.side, meld_at(ctx.table, target), alike, others),
    };
}

fn meld_at(table: &Table, target: Option<u8>) -> Option<&Meld> {
    target.map(|at| &table.melds[usize::from(at)])
}

/// Judges the right to take again on the merged meld (GR-032): if the top alone goes to a natural meld and the
/// pile is frozen, no other group may add a wild to this meld.
fn judge_joined(ctx: &mut CheckContext<'_>, batch: &Batch, top: Card) {
    let tops = |c: &&BatchColumn| c.field == Field::With && c.placement.kind == MeldKind::Set;
    let Some(column) = batch.columns.iter().find(tops) else { return };
    let Some(meld) = meld_at(ctx.table, column.placement.target) else { return };
    let (naturals, wilds) = (column.added.0 - 1, column.added.1);
    if !entitled(ctx.table, ctx.side, Some(meld), naturals, wilds) {
        let fault = entitlement_fault(ctx, top, None, naturals, wilds, Some(meld));
        ctx.faults.extend(fault);
    }
}
