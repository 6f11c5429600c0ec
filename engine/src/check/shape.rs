//! shape(g): what a meld may look like, judged on the merged meld (ALG-08).

use super::{Column, Desk};
use crate::action::MeldKind;
use crate::card::Class;
use crate::rejection::{Field, Repair, Violation};
use crate::rules::{CanastaAccepts, MeldsPerRank, OppCanastaRank, RuleSet, WildCapScope, WildRatio};
use crate::violations::Code;
use smallvec::SmallVec;

/// How many wilds a set of `size` cards may hold; `None` is no cap.
pub(crate) fn wild_cap(set: &RuleSet, size: u8) -> Option<u8> {
    if set.max_wilds == 0 {
        return None;
    }
    match set.wild_cap_scope {
        WildCapScope::Always => Some(set.max_wilds),
        WildCapScope::ToCanasta if size <= set.canasta_size => Some(set.max_wilds),
        // CV-007: beyond seven cards only the canasta's own naturals are asked for.
        WildCapScope::ToCanasta => Some(size - set.canasta_size.saturating_sub(set.max_wilds)),
    }
}

pub(super) fn wilds_allowed(set: &RuleSet, size: u8, wilds: u8) -> bool {
    wild_cap(set, size).is_none_or(|cap| wilds <= cap)
}

/// Whether a set of so many naturals and wilds, begun from nothing, is a legal meld.
pub(crate) fn is_set(set: &RuleSet, naturals: u8, wilds: u8) -> bool {
    may_grow(set, (0, 0), (naturals, wilds))
}

/// Whether a set with `old` (naturals, wilds) may receive `added`.
pub(crate) fn may_grow(set: &RuleSet, old: (u8, u8), added: (u8, u8)) -> bool {
    let completed = old.0 + old.1 >= set.canasta_size;
    let closed = completed && set.canasta_accepts == CanastaAccepts::Naturals && added.1 > 0;
    let (naturals, wilds) = (old.0 + added.0, old.1 + added.1);
    let size = naturals + wilds;
    !closed
        && size >= set.meld_min
        && (set.meld_max == 0 || size <= set.meld_max)
        && naturals >= set.min_naturals
        && (set.wild_ratio == WildRatio::Off || wilds <= naturals)
        // A meld formed over its cap (AMB-39) may still grow by naturals.
        && (added.1 == 0 || wilds_allowed(set, size, wilds))
}

/// Notes every fault of column `i` under the number of its first group.
pub(super) fn judge(
    desk: &Desk<'_>,
    columns: &[Column],
    i: usize,
    faults: &mut SmallVec<[(u8, Violation); 2]>,
) {
    let column = &columns[i];
    let number = match column.field {
        Field::Group(number) => number + 1,
        _ => 0,
    };
    let mut note = |fault: Violation| faults.push((number, fault));
    match column.placement.kind {
        MeldKind::BlackThrees => judge_black_threes(desk, columns, i, &mut note),
        _ => judge_ranked(desk, columns, i, &mut note),
    }
}

fn judge_black_threes(desk: &Desk<'_>, columns: &[Column], i: usize, note: &mut impl FnMut(Violation)) {
    let column = &columns[i];
    let (size, max) = (column.size(), 2 * desk.set.packs);
    if let Some(&wild) = column.placement.cards.iter().find(|card| card.is_wild()) {
        note(Violation::new(Code::ThreeBlackWild, column.field).repair(Repair::LeaveOut(wild)));
    }
    // AMB-48: five or six are one meld.
    if let Some(violation) = duplicate(desk, columns, i).filter(|_| column.placement.target.is_none()) {
        note(violation);
    }
    if size < desk.set.meld_min || size > max {
        let fault = Violation::new(Code::ThreeBlackCount, column.field).fact("found", size);
        note(fault.fact("min", desk.set.meld_min).fact("max", max));
    }
}

fn judge_ranked(desk: &Desk<'_>, columns: &[Column], i: usize, note: &mut impl FnMut(Violation)) {
    let (set, column) = (desk.set, &columns[i]);
    let wild = column.placement.kind == MeldKind::Wild;
    let fault = |code| Violation::new(code, column.field);
    let (size, naturals, wilds) = (column.size(), column.naturals(), column.wilds());

    if let Some(rank) = column.placement.rank {
        let stray = |c: &&crate::card::Card| c.class() == Class::Natural && c.rank() != rank;
        if let Some(&card) = column.placement.cards.iter().find(stray) {
            note(
                fault(Code::MeldMixedRanks)
                    .fact("rank", rank)
                    .fact("card", card)
                    .repair(Repair::LeaveOut(card)),
            );
        }
    }
    if column.placement.target.is_none() {
        if let Some(violation) = duplicate(desk, columns, i) {
            note(violation);
        }
        if let Some(violation) = closed_by_opponents(desk, column) {
            note(violation);
        }
    }
    if size < set.meld_min {
        let short = set.meld_min - size;
        note(
            fault(Code::MeldTooSmall)
                .fact("size", size)
                .fact("required", set.meld_min)
                .repair(Repair::MoreCards(short)),
        );
    }
    let max = if wild { set.wild_meld_max } else { set.meld_max };
    if max > 0 && size > max {
        note(fault(Code::MeldTooLarge).fact("size", size).fact("max", max));
    }
    let completed = column.old.0 + column.old.1 >= set.canasta_size;
    if completed && set.canasta_accepts == CanastaAccepts::Naturals && column.added.1 > 0 {
        let at = usize::from(column.placement.target.expect("only a meld on the table is completed"));
        note(
            fault(Code::MeldCanastaClosed)
                .fact("meld", desk.state.melds[at].id)
                .repair(Repair::FewerWilds(column.added.1)),
        );
    }
    if wild {
        return;
    }
    if naturals < set.min_naturals {
        let short = set.min_naturals - naturals;
        note(
            fault(Code::MeldTooFewNaturals)
                .fact("found", naturals)
                .fact("required", set.min_naturals)
                .repair(Repair::MoreNaturals(short)),
        );
    }
    if set.wild_ratio == WildRatio::NotAboveNaturals && wilds > naturals {
        let over = wilds - naturals;
        note(
            fault(Code::MeldWildsOutnumber)
                .fact("wilds", wilds)
                .fact("naturals", naturals)
                .repair(Repair::FewerWilds(over)),
        );
    }
    // A meld formed over its cap (AMB-39) may still grow by naturals.
    if let Some(cap) = wild_cap(set, size).filter(|&cap| wilds > cap && column.added.1 > 0) {
        let over = (wilds - cap).min(column.added.1);
        note(
            fault(Code::MeldTooManyWilds)
                .fact("found", wilds)
                .fact("max", cap)
                .repair(Repair::FewerWilds(over)),
        );
    }
}

/// A second meld of a rank where the rule set has one (or one open).
fn duplicate(desk: &Desk<'_>, columns: &[Column], i: usize) -> Option<Violation> {
    let column = &columns[i];
    let (kind, rank) = (column.placement.kind, column.placement.rank);
    let only_open = match desk.set.melds_per_rank {
        _ if kind == MeldKind::BlackThrees => false,
        MeldsPerRank::One => false,
        MeldsPerRank::OneOpen => true,
        MeldsPerRank::Many => return None,
    };
    let full = |size: u8| size >= desk.set.canasta_size;
    let on_table = desk.state.melds.iter().enumerate().find(|(at, m)| {
        let size = columns
            .iter()
            .find(|c| c.placement.target == Some(*at as u8))
            .map_or(m.len() as u8, Column::size);
        m.side == desk.side && m.kind == kind && m.rank == rank && !(only_open && full(size))
    });
    let twin = columns[..i].iter().any(|c| {
        c.placement.target.is_none()
            && c.placement.kind == kind
            && c.placement.rank == rank
            && !(only_open && (full(c.size()) || full(column.size())))
    });
    if on_table.is_none() && !twin {
        return None;
    }
    let mut violation = Violation::new(Code::MeldRankDuplicate, column.field);
    if let Some(rank) = rank {
        violation = violation.fact("rank", rank);
    }
    if let Some((_, meld)) = on_table {
        violation = violation.fact("meld", meld.id).repair(Repair::Onto(meld.id));
    }
    Some(violation.fact("open", if only_open { "YES" } else { "ANY" }))
}

/// MV-005: no new meld in a rank of which opponents own a canasta.
fn closed_by_opponents(desk: &Desk<'_>, column: &Column) -> Option<Violation> {
    if desk.set.opp_canasta_rank == OppCanastaRank::Allow {
        return None;
    }
    let rank = column.placement.rank?;
    let theirs =
        |m: &&crate::state::Meld| m.side != desk.side && m.rank == Some(rank) && m.grade(desk.set).is_some();
    desk.state.melds.iter().find(theirs)?;
    Some(Violation::new(Code::MeldRankClosedByOpponents, column.field).fact("rank", rank))
}
