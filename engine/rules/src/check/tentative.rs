//! Tentative play: cards that may still return to the hand, and a top of the pile that is taken before its use is
//! shown (ALG-07).
//!
//! Without `undo_meld` nothing is tentative. With it, all cards that a seat lays are loose until its turn ends, and
//! are then tested as a whole. With AT_DISCARD, placing only requires that a card fits its column (AMB-HN-07). With
//! IMMEDIATE, each action is tested besides.

use super::batch::judge_ids;
use super::duty::must_take_fault;
use super::entitlement::{entitlement_fault, own_of_rank, sequence_fault, too_full};
use super::shape::{self, judge_wild_lock};
use super::take::{judge_shut, top_gate};
use super::{
    Batch, BatchColumn, CheckContext, Locked, Outlook, Placement, Placements, Plan, Verdict, initial,
    must_take, one, size,
};
use crate::action::{ActionKind, CardList, MeldId, MeldKind};
use crate::card::{Card, Cards};
use crate::facts::{content, excess, first_laid, picked_up, takes_top};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::rules::MeldCheck;
use crate::sequence::Sequence;
use crate::table::{Meld, Phase, Source, Table};
use crate::violations::Code;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The columns of a turn; `added` counts the loose cards of a column.
type Columns = SmallVec<[BatchColumn; 4]>;

/// Judges `take_top`, which names no use for the top: the use is shown later (AMB-HN-08).
pub(super) fn check_take_top(mut ctx: CheckContext<'_>) -> Verdict {
    let top = top_gate(&mut ctx)?;
    if must_take(ctx.table, ctx.nodes) {
        ctx.push(must_take_fault(&ctx, top));
    }
    judge_shut(&mut ctx, top.rank());
    ctx.settle(Plan::TakeTop)
}

/// Judges `restore_pile`, which is legal only while the top is pending (AMB-HN-09).
pub(super) fn check_restore(ctx: CheckContext<'_>) -> Verdict {
    if ctx.table.phase == Phase::Taking {
        return Ok(Plan::Restore);
    }
    let reason = if ctx.table.turn.source == Source::Pile { "LOCKED" } else { "NOTHING_PENDING" };
    Err(one(Violation::new(Code::PileRestoreForbidden, Field::Action).fact("reason", reason)))
}

/// Judges a `meld` whose cards stay loose.
pub(super) fn check_meld(mut ctx: CheckContext<'_>, mut batch: Batch, rest: &Cards) -> Verdict {
    let placements: Placements = batch.columns.iter().map(|c| c.placement.clone()).collect();
    let top = batch.columns.iter().position(|column| column.top).map(|at| at as u8);
    let columns = merged(&ctx, &batch.columns);
    lay_top_first(&ctx, &mut batch.columns);
    let pending = pending_reasons(&ctx, &columns);
    let released = ctx.table.phase == Phase::Taking && pending.is_empty();
    judge_top_of_sequence(&mut ctx, &batch.columns);
    let mut hand_after = *rest;
    if released {
        hand_after.add(&picked_up(ctx.table));
    }
    let outlook = Outlook::of(&ctx, &columns, hand_after.len());
    let pends = !pending.is_empty();
    let ends_turn = hand_after.is_empty() || ctx.ends_turn;
    if ends_turn {
        judge_pending(&mut ctx, pending);
    }
    if ends_turn && !pends {
        // The turn ends here: everything is tested.
        batch.note_after_black_threes(&ctx);
        batch.columns.clone_from(&columns);
        judge_end(&mut ctx, batch, &outlook, &hand_after);
    } else if ctx.set.meld_check == MeldCheck::AtDiscard && !ctx.strict {
        batch.judge_placing(&mut ctx);
        if ctx.initial.is_some() {
            // The minimum is tested at the discard. Whoever asks sees how far the turn has come.
            let _ = initial_faults(&ctx, &columns, None);
        }
    } else {
        batch.judge(&mut ctx, &outlook);
        judge_wild_lock(&mut ctx, &batch.columns);
        if !pends {
            if !ctx.strict {
                judge_initial(&mut ctx, &columns, &outlook);
            }
            size::judge(&mut ctx, black_threes(&columns), &columns, &outlook, &hand_after);
        }
    }
    judge_ids(&mut ctx, &placements);
    let release = released.then(|| locks(&ctx, &columns));
    ctx.settle(Plan::Place { placements, top, release })
}

/// Judges `undo_meld`: loose cards return. The last natural of a column returns only with its wilds, since wilds
/// alone have no rank. Cards of a sequence return from its ends.
pub(super) fn check_undo(ctx: CheckContext<'_>, id: MeldId, cards: &CardList) -> Verdict {
    if cards.is_empty() {
        return Err(one(Violation::new(Code::TurnEmptyAction, Field::Action)));
    }
    let named: Cards = cards.iter().copied().collect();
    let loose = ctx.table.loose_of(id).copied().unwrap_or(Cards::EMPTY);
    if !loose.contains(&named) {
        let fixed = cards.iter().copied().find(|&card| loose.count(card) < named.count(card));
        return Err(meld_fixed(id, &CardList::from_iter(fixed)));
    }
    let meld = ctx.table.meld(ctx.side, id).expect("loose cards lie in a meld");
    let mut stays = meld.cards;
    stays.subtract(&named);
    if meld.kind == MeldKind::Set && !stays.is_empty() && stays.len() == u16::from(stays.wilds()) {
        let last = cards.iter().copied().filter(|card| !card.is_wild()).collect::<CardList>();
        return Err(meld_fixed(id, &last));
    }
    if meld.kind == MeldKind::Sequence && !stays.is_empty() && Sequence::of(&stays).is_none() {
        return Err(meld_fixed(id, cards));
    }
    let mut columns = loose_columns(&ctx);
    if let Some(at) = columns.iter().position(|column| id_of(ctx.table, column) == Some(id)) {
        take_back(&ctx, &mut columns, at, &named);
    }
    lay_top_first(&ctx, &mut columns);
    let pending = pending_reasons(&ctx, &columns);
    let released = ctx.table.phase == Phase::Taking && pending.is_empty();
    let release = released.then(|| locks(&ctx, &columns));
    ctx.settle(Plan::Undo { meld: id, cards: cards.clone(), release })
}

/// Takes `named` out of the column at `at`.
fn take_back(ctx: &CheckContext<'_>, columns: &mut Columns, at: usize, named: &Cards) {
    let column = &mut columns[at];
    let mut stays: Cards = column.placement.cards.iter().copied().collect();
    stays.subtract(named);
    column.top &= ctx.table.taken_top.is_some_and(|top| stays.count(top.card) > 0);
    column.placement.cards = stays.iter().collect();
    column.added = content(&stays);
    if column.size() == 0 {
        columns.remove(at);
    }
}

/// Judges PILE_PENDING: no turn ends while a top is taken tentatively.
pub(super) fn judge_top(ctx: &mut CheckContext<'_>) {
    if ctx.table.phase == Phase::Taking {
        let pending = pending_reasons(ctx, &loose_columns(ctx));
        judge_pending(ctx, pending);
    }
}

/// Tests the cards that a turn has laid, as the turn ends with cards in the hand (HN-015).
pub(super) fn judge_turn(ctx: &mut CheckContext<'_>) {
    if ctx.table.turn.loose.is_empty() {
        return;
    }
    let batch = Batch { columns: loose_columns(ctx), ..Batch::default() };
    let hand = *ctx.table.hand(ctx.seat);
    let outlook = Outlook::of(ctx, &batch.columns, hand.len());
    judge_end(ctx, batch, &outlook, &hand);
}

/// Tests the columns of a turn that ends with them.
fn judge_end(ctx: &mut CheckContext<'_>, mut batch: Batch, outlook: &Outlook, hand: &Cards) {
    let lifted = outlook.overfills(ctx);
    batch.judge_columns(ctx, lifted);
    let columns = &batch.columns;
    judge_wild_lock(ctx, columns);
    judge_initial(ctx, columns, outlook);
    size::judge(ctx, black_threes(columns), columns, outlook, hand);
}

/// Returns the faults that the cards which the turn has laid have in the tests of its end.
pub(crate) fn faults_of_turn(table: &Table, nodes: &Nodes) -> Vec<Violation> {
    let mut ctx = CheckContext::new(table, table.turn.seat, ActionKind::Discard, nodes);
    judge_turn(&mut ctx);
    ctx.faults
}

fn judge_pending(ctx: &mut CheckContext<'_>, reasons: Vec<Violation>) {
    if !reasons.is_empty() {
        let codes: Vec<Code> = reasons.iter().map(|reason| reason.code).collect();
        let fault = Violation::new(Code::PilePending, Field::Action).fact("reasons", codes);
        ctx.push(fault);
    }
}

/// Returns why the tentatively taken top is not released (AMB-HN-08); no reason if no top is taken.
fn pending_reasons(ctx: &CheckContext<'_>, columns: &[BatchColumn]) -> Vec<Violation> {
    let mut reasons = Vec::new();
    let Some(taken) = ctx.table.taken_top else { return reasons };
    match columns.iter().position(|column| column.top) {
        None => {
            let fault = Violation::new(Code::PileTopNotMelded, Field::Action).fact("card", taken.card);
            reasons.push(fault.fact("naturals", 0u8).fact("wilds", 0u8));
        }
        Some(at) => {
            let column = &columns[at];
            let entitles = match column.placement.kind {
                MeldKind::Sequence => sequence_fault(ctx, &before_turn(ctx, column), taken.card),
                _ => judge_set_take(ctx, column, taken.card),
            };
            reasons.extend(entitles);
            let mut faults = SmallVec::new();
            shape::judge(ctx, columns, at, false, &mut faults);
            reasons.extend(faults.into_iter().map(|(_, fault)| fault));
        }
    }
    reasons.extend(initial_faults(ctx, columns, None));
    reasons
}

/// Returns why the top, as it lies in a set or wild meld, does not entitle to the pile (ALG-05).
fn judge_set_take(ctx: &CheckContext<'_>, column: &BatchColumn, top: Card) -> Option<Violation> {
    let receiver = before_turn(ctx, column);
    let receiver = receiver.as_ref().filter(|meld| takes_top(ctx.set, meld));
    // Two wilds are the pair to a wild top (HF-050).
    let (naturals, wilds) = match top.is_wild() {
        true => (column.added.1 - 1, 0),
        false => (column.added.0 - 1, column.added.1),
    };
    let named = own_of_rank(ctx, top.rank());
    let fault = entitlement_fault(ctx, top, receiver.filter(|_| !top.is_wild()), naturals, wilds, named);
    fault.or_else(|| {
        let before = before_turn(ctx, column)?;
        let (size, max) = excess(ctx.table, ctx.side, &before, naturals, wilds)?;
        Some(too_full(&before, size, max))
    })
}

/// Returns a column's meld as it lay when the turn began, or `None` if no card of it lay there.
fn before_turn(ctx: &CheckContext<'_>, column: &BatchColumn) -> Option<Meld> {
    let at = column.placement.target.filter(|_| !column.is_new())?;
    let mut meld = ctx.table.melds[usize::from(at)].clone();
    meld.cards.subtract(&ctx.table.loose_of(meld.id).copied().unwrap_or(Cards::EMPTY));
    Some(meld).filter(|meld| !meld.is_empty())
}

/// Tests a top that is laid on a sequence: by itself, it must lengthen the sequence directly (SA-043).
fn judge_top_of_sequence(ctx: &mut CheckContext<'_>, columns: &[BatchColumn]) {
    let Some(taken) = ctx.table.taken_top else { return };
    let on_sequence = |c: &&BatchColumn| c.top && c.placement.kind == MeldKind::Sequence;
    if let Some(column) = columns.iter().find(on_sequence) {
        let fault = sequence_fault(ctx, &before_turn(ctx, column), taken.card);
        ctx.faults.extend(fault);
    }
}

/// Returns the faults of the initial meld that the turn has laid; none if the side has opened. While a top is pending
/// only valid columns count (clarification 5), and points alone release the pile: no exemption does (AMB-HN-19).
fn initial_faults(
    ctx: &CheckContext<'_>,
    columns: &[BatchColumn],
    outlook: Option<&Outlook>,
) -> Vec<Violation> {
    if ctx.table.opened(ctx.side) {
        return Vec::new();
    }
    let taken = ctx.table.taken_top;
    let counts = |&at: &usize| taken.is_none() || is_valid(ctx, columns, at);
    let counted: Columns = (0..columns.len()).filter(counts).map(|at| columns[at].clone()).collect();
    let exempt = |outlook| initial::exempt(ctx.table, ctx.side, outlook);
    let exempt = taken.is_none() && outlook.is_some_and(exempt);
    initial::turn_faults(ctx, &counted, taken.map(|top| top.card), exempt)
}

fn judge_initial(ctx: &mut CheckContext<'_>, columns: &[BatchColumn], outlook: &Outlook) {
    let faults = initial_faults(ctx, columns, Some(outlook));
    ctx.faults.extend(faults);
}

/// Whether a column is a meld by itself. Black threes never are one: they go only with the last cards.
fn is_valid(ctx: &CheckContext<'_>, columns: &[BatchColumn], at: usize) -> bool {
    if columns[at].placement.kind == MeldKind::BlackThrees {
        return false;
    }
    let mut faults = SmallVec::new();
    shape::judge(ctx, columns, at, false, &mut faults);
    faults.is_empty()
}

/// Returns the melds that are locked when the top is released (clarification 5).
fn locks(ctx: &CheckContext<'_>, columns: &[BatchColumn]) -> Locked {
    let mut next = ctx.table.round.next_id[ctx.side.index()];
    let mut locked = Locked::new();
    for (at, column) in columns.iter().enumerate() {
        let id = id_of(ctx.table, column).unwrap_or_else(|| {
            next += 1;
            MeldId(next - 1)
        });
        if is_valid(ctx, columns, at) {
            locked.push(id);
        }
    }
    locked
}

fn id_of(table: &Table, column: &BatchColumn) -> Option<MeldId> {
    column.placement.target.map(|at| table.melds[usize::from(at)].id)
}

/// Returns the columns of the cards that the seat in turn has laid and that are not locked.
fn loose_columns(ctx: &CheckContext<'_>) -> Columns {
    let table = ctx.table;
    let side = table.side_of(table.turn.seat);
    let column = |loose: &crate::table::Loose| {
        let at = table.melds.iter().position(|m| m.side == side && m.id == loose.meld)?;
        let meld = &table.melds[at];
        let (all, added) = (content(&meld.cards), content(&loose.cards));
        let cards = loose.cards.iter().collect();
        Some(BatchColumn {
            placement: Placement { target: Some(at as u8), kind: meld.kind, rank: meld.rank, cards },
            field: Field::Action,
            old: (all.0 - added.0, all.1 - added.1),
            added,
            top: table.taken_top.is_some_and(|top| top.meld == Some(meld.id)),
            first: (0, 0),
        })
    };
    let mut columns: Columns = table.turn.loose.iter().filter_map(column).collect();
    lay_top_first(ctx, &mut columns);
    columns
}

/// Returns the columns of the turn with a batch added to them.
fn merged(ctx: &CheckContext<'_>, batch: &[BatchColumn]) -> Columns {
    let mut columns = loose_columns(ctx);
    for new in batch {
        let target = new.placement.target;
        match columns.iter_mut().find(|c| target.is_some() && c.placement.target == target) {
            Some(column) => {
                column.placement.cards.extend_from_slice(&new.placement.cards);
                column.added.0 += new.added.0;
                column.added.1 += new.added.1;
                column.field = new.field;
                column.top |= new.top;
            }
            None => columns.push(new.clone()),
        }
    }
    lay_top_first(ctx, &mut columns);
    columns
}

/// Sets the cards that are laid with the top before all others. A turn that may be taken back has no order either.
fn lay_top_first(ctx: &CheckContext<'_>, columns: &mut [BatchColumn]) {
    let sets = columns.iter_mut().filter(|column| column.placement.kind == MeldKind::Set);
    for column in sets.filter(|column| column.top) {
        let before = before_turn(ctx, column);
        let (naturals, wilds) = (column.added.0 - 1, column.added.1);
        column.first = first_laid(ctx.table, ctx.side, before.as_ref(), naturals, wilds);
    }
}

fn black_threes(columns: &[BatchColumn]) -> Option<Field> {
    columns.iter().find(|c| c.placement.kind == MeldKind::BlackThrees).map(|c| c.field)
}

/// Returns MELD_FIXED: melded cards stay where they are (CL-022).
fn meld_fixed(meld: MeldId, cards: &[Card]) -> Vec<Violation> {
    let fault = Violation::new(Code::MeldFixed, Field::Action).maybe_fact("card", cards.first().copied());
    one(fault.fact("meld", meld))
}
