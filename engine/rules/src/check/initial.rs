//! The initial meld: its points, its content, and the batches that need no minimum (ALG-12).

use super::{BatchColumn, CheckContext, InitialPoints, Outlook, Placement};
use crate::action::{Group, MeldId, MeldKind, TakePile};
use crate::card::{Card, Class};
use crate::facts;
use crate::facts::{InitialPart, exempts_going_out, is_bare, points};
use crate::rejection::{Circumstance, Field, Violation};
use crate::rules::{InitialContent, InitialCount, RuleSet};
use crate::scoring;
use crate::seat::Side;
use crate::table::{Meld, Table};
use crate::violations::Code;
use alloc::vec::Vec;

/// Judges the minimum and the content of a `meld`, if the side has not opened.
pub(super) fn judge_meld(
    ctx: &mut CheckContext<'_>,
    groups: &[Group],
    columns: &[BatchColumn],
    outlook: &Outlook,
) {
    if ctx.table.opened(ctx.side) {
        return;
    }
    let laid: i32 = groups.iter().map(|group| group_points(ctx.table, group)).sum();
    let required = ctx.table.minimum(ctx.seat);
    let named = groups.iter().map(|group| group.cards.len()).sum();
    judge(ctx, (laid + bonuses(ctx.table, columns), required), columns, named, None, outlook);
}

/// Judges the minimum and the content of a `take_pile`, if the side has not opened. Where only melds complete
/// in the hand count, a bare pair and the top count nothing; without another meld from the hand there is no
/// initial meld to judge (MA-063, MA-102).
pub(super) fn judge_take(
    ctx: &mut CheckContext<'_>,
    take: &TakePile,
    columns: &[BatchColumn],
    top: Card,
    outlook: &Outlook,
) {
    if ctx.table.opened(ctx.side) {
        return;
    }
    let table = ctx.table;
    let named = take.also.iter().map(|group| group.cards.len()).sum::<usize>() + take.with.len() + 1;
    let joined = columns.iter().find(|column| column.field == Field::With);
    let size = joined.map_or(take.with.len() + 1, |column| column.placement.cards.len());
    let bare = is_bare(ctx.set, size - 1);
    if bare && (take.also.is_empty() || size == named) {
        ctx.push(Violation::new(Code::PileInitialMeldFirst, Field::Action));
        return;
    }
    let rank = facts::top_meld(top).1;
    let also: i32 = take.also.iter().map(|group| group_points(table, group)).sum();
    let with = points(table, rank, &take.with);
    let top_points = table.rules.card_points(top);
    // Of groups that join a bare pair, nothing counts either.
    let more = |column: &BatchColumn| points(table, rank, &column.placement.cards) - top_points - with;
    let count = match ctx.set.initial_count {
        InitialCount::HandMelds if bare => {
            also - joined.filter(|_| size > take.with.len() + 1).map_or(0, more)
        }
        InitialCount::HandMelds => also + with,
        InitialCount::WithTop | InitialCount::WithoutTop => also + with + top_points,
    };
    let count = count + bonuses(table, columns);
    let required = table.minimum(ctx.seat) + top_surcharge(table, top);
    judge(ctx, (count, required), columns, named, Some(top), outlook);
}

/// Returns the melds of the columns that count towards the initial meld, with the cards that count.
fn parts<'c>(
    set: &'c RuleSet,
    columns: &'c [BatchColumn],
    top: Option<Card>,
) -> impl Iterator<Item = InitialPart> + 'c {
    // MA-098: where only melds from the hand count, the top does not.
    let from_hand = set.initial_count == InitialCount::HandMelds;
    columns.iter().filter_map(move |column| {
        let top = top.filter(|_| from_hand && (column.top || column.field == Field::With));
        let [natural, wild] =
            [false, true].map(|wild| u8::from(top.is_some_and(|top| top.is_wild() == wild)));
        let (naturals, wilds) = (column.added.0 - natural, column.added.1 - wild);
        let counts = top.is_none() || !is_bare(set, usize::from(naturals + wilds));
        counts.then_some(InitialPart { kind: column.placement.kind, naturals, wilds })
    })
}

fn group_points(table: &Table, group: &Group) -> i32 {
    let natural = group.cards.iter().find(|card| card.class() == Class::Natural);
    let rank = natural.filter(|_| group.kind == MeldKind::Set).map(|card| card.rank());
    points(table, rank, &group.cards)
}

/// Returns the value of the top if it is added to the minimum because the top does not count (HN-067), else 0.
fn top_surcharge(table: &Table, top: Card) -> i32 {
    match table.set().initial_count {
        InitialCount::WithoutTop => table.rules.card_points(top),
        _ => 0,
    }
}

/// Returns the bonus of a canasta that a column of the initial batch lays; 0 if bonuses do not count (HN-066,
/// AMB-HN-11).
fn canasta_bonus(table: &Table, column: &BatchColumn) -> i32 {
    if !table.set().initial_bonus {
        return 0;
    }
    let Placement { kind, rank, cards, .. } = &column.placement;
    let cards = cards.iter().copied().collect();
    let meld = Meld { side: Side(0), id: MeldId(0), kind: *kind, rank: *rank, cards };
    meld.grade(table.set()).map_or(0, |grade| scoring::bonus(table.set(), &meld, grade))
}

fn bonuses(table: &Table, columns: &[BatchColumn]) -> i32 {
    columns.iter().map(|column| canasta_bonus(table, column)).sum()
}

/// Returns the faults of the columns of a turn as an initial meld, with the tentatively taken top if there is
/// one. They are the faults that [`judge_take`] and [`judge_meld`] find in an action.
pub(super) fn turn_faults(
    ctx: &CheckContext<'_>,
    columns: &[BatchColumn],
    top: Option<Card>,
    exempt: bool,
) -> Vec<Violation> {
    let (table, set) = (ctx.table, ctx.set);
    let from_hand = set.initial_count == InitialCount::HandMelds;
    let is_meld = |column: &BatchColumn| !column.top || !is_bare(set, column.placement.cards.len() - 1);
    if top.is_some() && from_hand && !columns.iter().any(is_meld) {
        let fault = Violation::new(Code::PileInitialMeldFirst, Field::Action);
        return alloc::vec![fault];
    }
    let worth = |column: &BatchColumn| {
        let mut cards = column.placement.cards.clone();
        if column.top && from_hand {
            cards.iter().position(|&card| Some(card) == top).map(|at| cards.remove(at));
        }
        let counted = if is_meld(column) { points(table, column.placement.rank, &cards) } else { 0 };
        counted + canasta_bonus(table, column)
    };
    let count = columns.iter().map(worth).sum();
    let required = table.minimum(ctx.seat) + top.map_or(0, |top| top_surcharge(table, top));
    let below = below_minimum(ctx, (count, required), columns, top, || exempt);
    let asked = set.initial_content != InitialContent::None;
    let holds = !asked || parts(set, columns, top).any(|part| part.is_content(set));
    below.into_iter().chain((!holds).then(|| content_missing(set))).collect()
}

/// Judges the points that count and are needed, and the content unless a group could not be placed.
fn judge(
    ctx: &mut CheckContext<'_>,
    points: (i32, i32),
    columns: &[BatchColumn],
    named: usize,
    top: Option<Card>,
    outlook: &Outlook,
) {
    let exempt = || exempt(ctx.table, ctx.side, outlook);
    if let Some(fault) = below_minimum(ctx, points, columns, top, exempt) {
        ctx.push(fault);
    }
    let placed: usize = columns.iter().map(|column| column.placement.cards.len()).sum();
    if placed == named && !parts(ctx.set, columns, top).any(|part| part.is_content(ctx.set)) {
        ctx.push(content_missing(ctx.set));
    }
}

/// Judges INITIAL_BELOW_MINIMUM, and writes the points down for whoever asks for them.
fn below_minimum(
    ctx: &CheckContext<'_>,
    (found, required): (i32, i32),
    columns: &[BatchColumn],
    top: Option<Card>,
    exempt: impl FnOnce() -> bool,
) -> Option<Violation> {
    if let Some(initial) = ctx.initial {
        initial.set(Some(InitialPoints { found, required }));
    }
    let splash = || parts(ctx.set, columns, top).any(|part| part.is_splash(ctx.set));
    if found >= required || splash() || exempt() {
        return None;
    }
    let canasta = columns.iter().any(|column| column.size() >= ctx.set.canasta_size);
    let fault = Violation::new(Code::InitialBelowMinimum, Field::Action)
        .fact("found", found)
        .fact("required", required)
        .fact("key", ctx.table.initial_key(ctx.seat))
        .fact("surcharge", ctx.table.rulings().surcharge(ctx.side))
        .with(Circumstance::Taking, top.is_some());
    Some(fault.with(Circumstance::Canasta, canasta))
}

fn content_missing(set: &RuleSet) -> Violation {
    let content = match set.initial_content {
        InitialContent::None => "NONE",
        InitialContent::TripleOrWild => "TRIPLE_OR_WILD",
        InitialContent::CleanOrWild => "CLEAN_OR_WILD",
    };
    Violation::new(Code::InitialContentMissing, Field::Action).fact("content", content)
}

/// Whether the batch needs no minimum because the side goes out concealed (CL-068).
pub(crate) fn exempt(table: &Table, side: Side, outlook: &Outlook) -> bool {
    exempts_going_out(table)
        && !table.opened(side)
        && outlook.hand_after <= outlook.for_discard
        && facts::may_go_out(table, outlook.canastas)
}
