//! The initial meld: its count, its content, and what needs no minimum (ALG-12).

use super::{Column, Desk, Outlook, Placement};
use crate::action::{Group, MeldId, MeldKind, TakePile};
use crate::card::{Card, Class};
use crate::facts;
use crate::facts::{Part, exempts_going_out, points};
use crate::rejection::{Circumstance, Field, Violation};
use crate::rules::{InitialContent, InitialCount, RuleSet};
use crate::scoring;
use crate::seat::Side;
use crate::table::{Meld, Table};
use crate::violations::Code;
use alloc::vec::Vec;

/// The initial checks of `meld`.
pub(super) fn judge_meld(desk: &mut Desk<'_>, groups: &[Group], columns: &[Column], outlook: &Outlook) {
    if desk.state.opened(desk.side) {
        return;
    }
    let laid: i32 = groups.iter().map(|group| group_points(desk.state, group)).sum();
    let required = desk.state.minimum(desk.seat);
    judge_minimum(desk, laid + bonuses(desk.state, columns), required, columns, None, outlook);
    let named = groups.iter().map(|group| group.cards.len()).sum();
    judge_content(desk, columns, named, None);
}

/// The initial checks of `take_pile`. Where only melds complete in the hand count, a bare pair and the top are
/// worth nothing, and without another meld from the hand there is no initial meld to judge (MA-063, MA-102).
pub(super) fn judge_take(
    desk: &mut Desk<'_>,
    take: &TakePile,
    columns: &[Column],
    top: Card,
    outlook: &Outlook,
) {
    if desk.state.opened(desk.side) {
        return;
    }
    let state = desk.state;
    let also: i32 = take.also.iter().map(|group| group_points(state, group)).sum();
    let with = points(state, facts::top_meld(top).1, &take.with);
    let count = match desk.set.initial_count {
        InitialCount::WithTop | InitialCount::WithoutTop => also + with + state.rules.card_points(top),
        InitialCount::HandMelds => {
            let joined = columns.iter().find(|column| column.field == Field::With);
            let from_hand = joined.map_or(take.with.len(), |column| column.placement.cards.len() - 1);
            let is_meld = from_hand >= usize::from(desk.set.meld_min);
            if !is_meld && take.also.is_empty() {
                let fault = Violation::new(Code::PileInitialMeldFirst, Field::Action);
                desk.push(fault);
                return;
            }
            also + if is_meld { with } else { 0 }
        }
    };
    let count = count + bonuses(state, columns);
    let required = state.minimum(desk.seat) + top_surcharge(state, top);
    judge_minimum(desk, count, required, columns, Some(top), outlook);
    let named = take.also.iter().map(|group| group.cards.len()).sum::<usize>() + take.with.len() + 1;
    judge_content(desk, columns, named, Some(top));
}

/// The columns as they count.
fn parts<'c>(set: &RuleSet, columns: &'c [Column], top: Option<Card>) -> impl Iterator<Item = Part> + 'c {
    // MA-098: where only melds from the hand count, the top does not.
    let from_hand = set.initial_count == InitialCount::HandMelds;
    columns.iter().map(move |column| {
        let top = top.filter(|_| from_hand && (column.top || column.field == Field::With));
        let [natural, wild] =
            [false, true].map(|wild| u8::from(top.is_some_and(|top| top.is_wild() == wild)));
        Part { kind: column.placement.kind, naturals: column.added.0 - natural, wilds: column.added.1 - wild }
    })
}

fn group_points(state: &Table, group: &Group) -> i32 {
    let natural = group.cards.iter().find(|card| card.class() == Class::Natural);
    let rank = natural.filter(|_| group.kind == MeldKind::Set).map(|card| card.rank());
    points(state, rank, &group.cards)
}

/// HN-067: where the top does not count, its value is added to the minimum.
fn top_surcharge(state: &Table, top: Card) -> i32 {
    match state.set().initial_count {
        InitialCount::WithoutTop => state.rules.card_points(top),
        _ => 0,
    }
}

/// HN-066, AMB-HN-11: the bonus of a canasta that an initial batch lays, where bonuses count.
fn canasta_bonus(state: &Table, column: &Column) -> i32 {
    if !state.set().initial_bonus {
        return 0;
    }
    let Placement { kind, rank, cards, .. } = &column.placement;
    let cards = cards.iter().copied().collect();
    let meld = Meld { side: Side(0), id: MeldId(0), kind: *kind, rank: *rank, cards };
    meld.grade(state.set()).map_or(0, |grade| scoring::bonus(state.set(), &meld, grade))
}

fn bonuses(state: &Table, columns: &[Column]) -> i32 {
    columns.iter().map(|column| canasta_bonus(state, column)).sum()
}

/// What the columns of a turn lack to be an initial meld, with the tentatively taken top if there is one: as
/// [`judge_take`] and [`judge_meld`] say it of an action.
pub(super) fn turn_faults(
    desk: &Desk<'_>,
    columns: &[Column],
    top: Option<Card>,
    exempt: bool,
) -> Vec<Violation> {
    let (state, set) = (desk.state, desk.set);
    let from_hand = set.initial_count == InitialCount::HandMelds;
    let hand_meld = |column: &Column| column.placement.cards.len() > usize::from(column.top && from_hand);
    let is_meld = |column: &Column| {
        let size = column.placement.cards.len() - usize::from(column.top && from_hand);
        !column.top || !from_hand || size >= usize::from(set.meld_min)
    };
    if top.is_some() && from_hand && !columns.iter().any(|c| hand_meld(c) && is_meld(c)) {
        let fault = Violation::new(Code::PileInitialMeldFirst, Field::Action);
        return alloc::vec![fault];
    }
    let worth = |column: &Column| {
        let mut cards = column.placement.cards.clone();
        if column.top && from_hand {
            cards.iter().position(|&card| Some(card) == top).map(|at| cards.remove(at));
        }
        let counted = if is_meld(column) { points(state, column.placement.rank, &cards) } else { 0 };
        counted + canasta_bonus(state, column)
    };
    let count = columns.iter().map(worth).sum();
    let required = state.minimum(desk.seat) + top.map_or(0, |top| top_surcharge(state, top));
    let splash = || parts(set, columns, top).any(|part| part.is_splash(set));
    let short = count < required && !exempt && !splash();
    let canasta = columns.iter().any(|column| column.size() >= set.canasta_size);
    let below = || below_minimum(desk, count, required).with(Circumstance::Taking, top.is_some());
    let below = short.then(|| below().with(Circumstance::Canasta, canasta));
    let asked = set.initial_content != InitialContent::None;
    let holds = !asked || parts(set, columns, top).any(|part| part.is_content(set));
    below.into_iter().chain((!holds).then(|| content_missing(set))).collect()
}

/// INITIAL_BELOW_MINIMUM.
fn judge_minimum(
    desk: &mut Desk<'_>,
    count: i32,
    required: i32,
    columns: &[Column],
    top: Option<Card>,
    outlook: &Outlook,
) {
    let splash = || parts(desk.set, columns, top).any(|part| part.is_splash(desk.set));
    if count < required && !splash() && !exempt(desk.state, desk.side, outlook) {
        let canasta = columns.iter().any(|column| column.size() >= desk.set.canasta_size);
        let fault = below_minimum(desk, count, required).with(Circumstance::Taking, top.is_some());
        desk.push(fault.with(Circumstance::Canasta, canasta));
    }
}

fn below_minimum(desk: &Desk<'_>, count: i32, required: i32) -> Violation {
    Violation::new(Code::InitialBelowMinimum, Field::Action)
        .fact("count", count)
        .fact("required", required)
        .fact("key", desk.state.initial_key(desk.seat))
        .fact("surcharge", desk.state.rulings().surcharge(desk.side))
}

/// INITIAL_CONTENT_MISSING; not judged where a group could not be placed.
fn judge_content(desk: &mut Desk<'_>, columns: &[Column], named: usize, top: Option<Card>) {
    let placed: usize = columns.iter().map(|column| column.placement.cards.len()).sum();
    if placed == named && !parts(desk.set, columns, top).any(|part| part.is_content(desk.set)) {
        desk.push(content_missing(desk.set));
    }
}

fn content_missing(set: &RuleSet) -> Violation {
    let required = match set.initial_content {
        InitialContent::None => "NONE",
        InitialContent::TripleOrWild => "TRIPLE_OR_WILD",
        InitialContent::CleanOrWild => "CLEAN_OR_WILD",
    };
    Violation::new(Code::InitialContentMissing, Field::Action).fact("required", required)
}

/// CL-068: going out concealed needs no minimum.
pub(crate) fn exempt(state: &Table, side: Side, outlook: &Outlook) -> bool {
    exempts_going_out(state)
        && !state.opened(side)
        && outlook.hand_after <= outlook.for_discard
        && facts::may_go_out(state, outlook.canastas)
}
