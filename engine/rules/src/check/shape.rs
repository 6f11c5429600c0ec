//! shape(g): the limits on the cards of a meld, judged on the merged meld (ALG-08), and the lock on wilds (ALG-10).

use super::column::place;
use super::{BatchColumn, CheckContext, sequence};
use crate::action::MeldKind;
use crate::card::{Card, Class};
use crate::facts::{is_closed, rank_takes_wilds, wild_cap};
use crate::rejection::{Circumstance, Field, Violation};
use crate::rules::{MeldsPerRank, RankWilds};
use crate::table::Meld;
use crate::violations::Code;
use smallvec::SmallVec;

/// Records every fault of column `i` under the number of its first group. `lifted`: the batch goes out and is
/// free of the limits on size and wilds (US-003).
pub(super) fn judge(
    ctx: &CheckContext<'_>,
    columns: &[BatchColumn],
    i: usize,
    lifted: bool,
    faults: &mut SmallVec<[(u8, Violation); 2]>,
) {
    let column = &columns[i];
    let number = place(column.field);
    let mut note = |fault: Violation| faults.push((number, fault));
    match column.placement.kind {
        MeldKind::BlackThrees => judge_black_threes(ctx, columns, i, &mut note),
        MeldKind::Sequence => sequence::judge(ctx, column, &mut note),
        _ => judge_ranked(ctx, columns, i, lifted, &mut note),
    }
}

fn judge_black_threes(
    ctx: &CheckContext<'_>,
    columns: &[BatchColumn],
    i: usize,
    note: &mut impl FnMut(Violation),
) {
    let column = &columns[i];
    let (size, max) = (column.size(), 2 * ctx.set.packs);
    if let Some(violation) = wild_among_threes(column) {
        note(violation);
    }
    // AMB-48: five or six black threes are one meld.
    if let Some(violation) = duplicate(ctx, columns, i).filter(|_| column.is_new()) {
        note(violation);
    }
    if size < ctx.set.meld_min || size > max {
        let fault = Violation::new(Code::ThreeBlackCount, column.field).fact("found", size);
        note(fault.fact("required", ctx.set.meld_min).fact("allowed", max));
    }
}

/// Returns the fault of a wild card in a column of black threes: wilds stand for naturals only.
pub(super) fn wild_among_threes(column: &BatchColumn) -> Option<Violation> {
    let threes = column.placement.kind == MeldKind::BlackThrees;
    let &wild = column.placement.cards.iter().find(|card| threes && card.is_wild())?;
    let fault = Violation::new(Code::ThreeBlackWild, column.field).fact("card", wild);
    Some(fault)
}

/// Returns the fault of a natural whose rank differs from the column's.
pub(super) fn mixed_ranks(column: &BatchColumn) -> Option<Violation> {
    let rank = column.placement.rank?;
    let stray = |c: &&Card| c.class() == Class::Natural && c.rank() != rank;
    let &card = column.placement.cards.iter().find(stray)?;
    let fault = Violation::new(Code::MeldMixedRanks, column.field).fact("rank", rank).fact("card", card);
    Some(fault)
}

fn judge_ranked(
    ctx: &CheckContext<'_>,
    columns: &[BatchColumn],
    i: usize,
    lifted: bool,
    note: &mut impl FnMut(Violation),
) {
    let (set, column) = (ctx.set, &columns[i]);
    let wild = column.placement.kind == MeldKind::Wild;
    let fault = |code| Violation::new(code, column.field);
    let (size, naturals, wilds) = (column.size(), column.naturals(), column.wilds());
    let was_canasta = column.old.0 + column.old.1 >= set.canasta_size;

    if wild && !set.wild_melds {
        note(fault(Code::MeldWildMeldOff));
    }
    if let Some(violation) = mixed_ranks(column) {
        note(violation);
    }
    if column.is_new() {
        if let Some(violation) = duplicate(ctx, columns, i) {
            note(violation);
        }
        if let Some(violation) = closed_by_opponents(ctx, column) {
            note(violation);
        }
    }
    if size < set.meld_min {
        note(fault(Code::MeldTooSmall).fact("found", size).fact("required", set.meld_min));
    }
    let max = if wild { set.wild_meld_max } else { set.meld_max };
    if max > 0 && size > max && !lifted {
        note(
            fault(Code::MeldTooLarge)
                .fact("found", size)
                .fact("allowed", max)
                .with(Circumstance::Canasta, was_canasta),
        );
    }
    let over = column.surplus(set);
    if over > 0 {
        let meld = column.placement.target.map(|at| ctx.table.melds[usize::from(at)].id);
        let wild = column.placement.cards.iter().copied().find(|card| card.is_wild());
        note(fault(Code::MeldCanastaClosed).maybe_fact("meld", meld).maybe_fact("card", wild));
    }
    if wild {
        return;
    }
    let initial = !ctx.table.opened(ctx.side);
    let rank = column.placement.rank;
    if column.added.1 > 0 && !rank_takes_wilds(set, rank, column.old.1, initial && column.is_new()) {
        let never = rank.and_then(|rank| set.rank_wilds.get(rank)) == Some(RankWilds::Never);
        let policy = if never { "NEVER" } else { "INITIAL_ONLY" };
        let violation = fault(Code::MeldRankTakesNoWild).maybe_fact("rank", rank).fact("policy", policy);
        note(violation.with(Circumstance::OldMeld, !column.is_new()));
    }
    // IR-063: a wild that comes later than the initial meld may need more naturals.
    let later = column.added.1 > 0 && !initial;
    let least = if later { set.min_naturals.max(set.wild_add_base) } else { set.min_naturals };
    if naturals < least {
        note(fault(Code::MeldTooFewNaturals).fact("found", naturals).fact("required", least));
    }
    if wilds > set.wild_ratio.most_wilds(naturals) {
        note(fault(Code::MeldWildsOutnumber).fact("wilds", wilds).fact("naturals", naturals));
    }
    // A meld formed over its cap (AMB-39) may still grow by naturals.
    if let Some(cap) = wild_cap(set, size).filter(|&cap| wilds > cap && column.added.1 > 0 && !lifted) {
        note(
            fault(Code::MeldTooManyWilds)
                .fact("found", wilds)
                .fact("allowed", cap)
                .with(Circumstance::Canasta, was_canasta),
        );
    }
}

/// Returns the fault of a second meld of a rank, if the rule set allows one meld (or one open meld) per rank.
fn duplicate(ctx: &CheckContext<'_>, columns: &[BatchColumn], i: usize) -> Option<Violation> {
    let column = &columns[i];
    let (kind, rank) = (column.placement.kind, column.placement.rank);
    let only_open = match ctx.set.melds_per_rank {
        _ if kind == MeldKind::BlackThrees => false,
        MeldsPerRank::One => false,
        MeldsPerRank::OneOpen => true,
        MeldsPerRank::Many => return None,
    };
    let full = |size: u8| size >= ctx.set.canasta_size;
    let takes = |c: &BatchColumn| c.field == Field::With && c.first != (0, 0);
    let on_table = ctx.table.melds.iter().enumerate().find(|(at, m)| {
        // Cards that a take adds to another meld are laid after the top (clarification 29).
        let grown = columns.iter().find(|c| c.placement.target == Some(*at as u8) && !takes(column));
        let size = grown.map_or(m.len() as u8, BatchColumn::size);
        let earlier = column.placement.target.is_none_or(|own| *at < usize::from(own));
        earlier && m.side == ctx.side && m.kind == kind && m.rank == rank && !(only_open && full(size))
    });
    let twin = columns[..i].iter().any(|c| {
        c.placement.target.is_none()
            && c.placement.kind == kind
            && c.placement.rank == rank
            && !(only_open && (full(c.size()) || full(column.size()) && !takes(c)))
    });
    if on_table.is_none() && !twin {
        return None;
    }
    let violation = Violation::new(Code::MeldRankDuplicate, column.field).maybe_fact("rank", rank);
    let violation = violation.maybe_fact("meld", on_table.map(|(_, meld)| meld.id));
    Some(violation.fact("open", if only_open { "YES" } else { "ANY" }))
}

fn closed_by_opponents(ctx: &CheckContext<'_>, column: &BatchColumn) -> Option<Violation> {
    let rank = column.placement.rank.filter(|&rank| is_closed(ctx.table, ctx.side, rank))?;
    Some(Violation::new(Code::MeldRankClosedByOpponents, column.field).fact("rank", rank))
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
