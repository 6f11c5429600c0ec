//! What is laid tentatively: cards that may still return to the hand, and a top of the pile that is taken
//! before its use is shown (ALG-07).
//!
//! Without `undo_meld` nothing of this happens. With it everything that a seat lays is loose until its turn
//! ends, and is tested then, as a whole. With AT_DISCARD placing itself only asks that a card fits its column
//! (AMB-HN-07), with IMMEDIATE each action is tested besides.

use super::take::{
    entitlement_fault, judge_forfeit, judge_shut, one_card_forbidden, own_of_rank, too_full, top_gate,
};
use super::{
    Batch, Column, Desk, Outlook, Placement, Plan, Verdict, initial, meld, one, sequence, shape, size, stock,
};
use crate::action::{ActionKind, CardList, Group, Groups, MeldId, MeldKind};
use crate::card::{Card, Cards};
use crate::facts::{excess, first_laid, picked_up, takes_top};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::rules::MeldCheck;
use crate::seat::{Seat, Side};
use crate::sequence::Sequence;
use crate::table::{MAX_MELDS, Meld, Phase, Source, Table};
use crate::violations::Code;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The columns of a turn, each with what of it is loose as `added`.
type Columns = SmallVec<[Column; 4]>;
/// The melds whose loose cards are locked when the top is released.
pub(crate) type Locked = SmallVec<[MeldId; 4]>;

/// G2: a group names the top only while it is taken and lies nowhere.
pub(super) fn top_group_gate(state: &Table, groups: &[Group]) -> Result<(), Vec<Violation>> {
    let named: u16 = groups.iter().map(|group| u16::from(group.top)).sum();
    if named == 0 {
        return Ok(());
    }
    match state.taken_top {
        Some(top) if top.meld.is_none() && named == 1 => Ok(()),
        Some(top) => {
            let fault = Violation::new(Code::TurnCardNotInHand, Field::Action).fact("card", top.card);
            Err(one(fault.fact("held", u16::from(top.meld.is_none())).fact("named", named)))
        }
        None => {
            Err(one(Violation::new(Code::TurnWrongPhase, Field::Action).fact("phase", state.phase.name())))
        }
    }
}

/// `take_top`: always accepted where the pile is not blocked (AMB-HN-08).
pub(super) fn check_take_top(mut desk: Desk<'_>) -> Verdict {
    judge_forfeit(&mut desk);
    let top = top_gate(&mut desk)?;
    if one_card_forbidden(desk.state, desk.seat.index()) {
        desk.push(Violation::new(Code::PileOneCard, Field::Action));
    }
    if stock::must_take(desk.state, desk.nodes) {
        desk.push(stock::must_take_fault(&desk, top));
    }
    judge_shut(&mut desk, top.rank());
    desk.settle(Plan::TakeTop)
}

/// `restore_pile`: only while the top is pending (AMB-HN-09).
pub(super) fn check_restore(desk: Desk<'_>) -> Verdict {
    if desk.state.phase == Phase::Taking {
        return Ok(Plan::Restore);
    }
    let reason = if desk.state.turn.source == Source::Pile { "LOCKED" } else { "NOTHING_PENDING" };
    Err(one(Violation::new(Code::PileRestoreForbidden, Field::Action).fact("reason", reason)))
}

/// `meld` where what is laid stays loose.
pub(super) fn check_meld(mut desk: Desk<'_>, mut batch: Batch, rest: &Cards) -> Verdict {
    let placements: super::Placements = batch.columns.iter().map(|c| c.placement.clone()).collect();
    let top = batch.columns.iter().position(|column| column.top).map(|at| at as u8);
    let columns = merged(&desk, &batch.columns);
    lay_top_first(&desk, &mut batch.columns);
    let pending = pending_reasons(&desk, &columns);
    let released = desk.state.phase == Phase::Taking && pending.is_empty();
    judge_top_of_sequence(&mut desk, &batch.columns);
    let mut hand_after = *rest;
    if released {
        hand_after.add(&picked_up(desk.state));
    }
    let outlook = Outlook::of(&desk, &columns, hand_after.len());
    let pends = !pending.is_empty();
    if hand_after.is_empty() {
        judge_pending(&mut desk, pending);
    }
    if hand_after.is_empty() && !pends {
        // The turn ends here: everything is tested.
        batch.note_after_black_threes(&desk);
        batch.columns.clone_from(&columns);
        let lifted = outlook.overfills(&desk);
        batch.judge_columns(&mut desk, lifted);
        meld::judge_wild_lock(&mut desk, &columns);
        judge_initial(&mut desk, &columns, &outlook);
        size::judge(&mut desk, black_threes(&columns), &columns, &outlook, &hand_after);
    } else if desk.set.meld_check == MeldCheck::AtDiscard && !desk.strict {
        batch.judge_placing(&mut desk);
    } else {
        batch.judge(&mut desk, &outlook);
        meld::judge_wild_lock(&mut desk, &batch.columns);
        if !pends {
            if !desk.strict {
                judge_initial(&mut desk, &columns, &outlook);
            }
            size::judge(&mut desk, black_threes(&columns), &columns, &outlook, &hand_after);
        }
    }
    judge_ids(&mut desk, &placements);
    let release = released.then(|| locks(&desk, &columns));
    desk.settle(Plan::Place { placements, top, release })
}

/// Whether groups that may be placed make melds that can stand when the turn ends, as far as they go.
pub(crate) fn stands(state: &Table, seat: Seat, groups: &Groups, nodes: &Nodes) -> bool {
    let mut desk = Desk::new(state, seat, ActionKind::Meld, nodes);
    desk.strict = true;
    meld::check(desk, groups).is_ok()
}

/// Whether `side` may begin so many melds more: ids end at 127 and are not used again, so that a seat that lays and
/// takes back again and again begins no more at last; and a table has as many melds at most.
pub(crate) fn has_ids(state: &Table, side: Side, begun: usize) -> bool {
    let next = usize::from(state.round.next_id[side.index()]);
    next.max(state.melds.len()) + begun <= MAX_MELDS
}

/// MELD_NOT_FOUND of the first id that there is not.
pub(super) fn judge_ids<'p>(desk: &mut Desk<'_>, placements: impl IntoIterator<Item = &'p Placement>) {
    let begun = placements.into_iter().filter(|p| p.target.is_none()).count();
    if desk.set.undo_meld && !has_ids(desk.state, desk.side, begun) {
        desk.push(Violation::new(Code::MeldNotFound, Field::Action).fact("meld", MeldId(MAX_MELDS as u8)));
    }
}

/// `undo_meld`: loose cards return. The last natural of a column goes back with its wilds only, since wilds
/// alone have no rank; of a sequence cards go back from its ends.
pub(super) fn check_undo(desk: Desk<'_>, id: MeldId, cards: &CardList) -> Verdict {
    if cards.is_empty() {
        return Err(one(Violation::new(Code::TurnEmptyAction, Field::Action)));
    }
    let named: Cards = cards.iter().copied().collect();
    let loose = desk.state.loose_of(id).copied().unwrap_or(Cards::EMPTY);
    if !loose.contains(&named) {
        let fixed = cards.iter().copied().find(|&card| loose.count(card) < named.count(card));
        return Err(meld::fixed(id, &CardList::from_iter(fixed)));
    }
    let meld = desk.state.meld(desk.side, id).expect("loose cards lie in a meld");
    let mut stays = meld.cards;
    stays.subtract(&named);
    if meld.kind == MeldKind::Set && !stays.is_empty() && stays.len() == u16::from(stays.wilds()) {
        let last = cards.iter().copied().filter(|card| !card.is_wild()).collect::<CardList>();
        return Err(meld::fixed(id, &last));
    }
    if meld.kind == MeldKind::Sequence && !stays.is_empty() && Sequence::of(&stays).is_none() {
        return Err(meld::fixed(id, cards));
    }
    let mut columns = loose_columns(&desk);
    if let Some(at) = columns.iter().position(|column| id_of(desk.state, column) == Some(id)) {
        take_back(&desk, &mut columns, at, &named);
    }
    lay_top_first(&desk, &mut columns);
    let pending = pending_reasons(&desk, &columns);
    let released = desk.state.phase == Phase::Taking && pending.is_empty();
    let release = released.then(|| locks(&desk, &columns));
    desk.settle(Plan::Undo { meld: id, cards: cards.clone(), release })
}

/// Takes `named` out of the column at `at`.
fn take_back(desk: &Desk<'_>, columns: &mut Columns, at: usize, named: &Cards) {
    let column = &mut columns[at];
    let mut stays: Cards = column.placement.cards.iter().copied().collect();
    stays.subtract(named);
    column.top &= desk.state.taken_top.is_some_and(|top| stays.count(top.card) > 0);
    column.placement.cards = stays.iter().collect();
    column.added = content(&stays);
    if column.size() == 0 {
        columns.remove(at);
    }
}

/// PILE_PENDING: no turn ends while a top is taken tentatively.
pub(super) fn judge_top(desk: &mut Desk<'_>) {
    if desk.state.phase == Phase::Taking {
        let pending = pending_reasons(desk, &loose_columns(desk));
        judge_pending(desk, pending);
    }
}

/// The tests of what a turn has laid, as it ends with cards in the hand (HN-015).
pub(super) fn judge_turn(desk: &mut Desk<'_>) {
    if desk.state.turn.loose.is_empty() {
        return;
    }
    let columns = loose_columns(desk);
    let mut batch = Batch { columns, ..Batch::default() };
    let hand = *desk.state.hand(desk.seat);
    let outlook = Outlook::of(desk, &batch.columns, hand.len());
    let lifted = outlook.overfills(desk);
    batch.judge_columns(desk, lifted);
    meld::judge_wild_lock(desk, &batch.columns);
    judge_initial(desk, &batch.columns, &outlook);
    size::judge(desk, black_threes(&batch.columns), &batch.columns, &outlook, &hand);
}

/// Whether what the turn has laid passes the tests of its end.
pub(crate) fn may_end_turn(state: &Table, nodes: &Nodes) -> bool {
    if state.turn.loose.is_empty() {
        return true;
    }
    let mut desk = Desk::new(state, state.turn.seat, ActionKind::Discard, nodes);
    judge_turn(&mut desk);
    desk.faults.is_empty()
}

fn judge_pending(desk: &mut Desk<'_>, reasons: Vec<Violation>) {
    if !reasons.is_empty() {
        let codes: Vec<Code> = reasons.iter().map(|reason| reason.code).collect();
        let fault = Violation::new(Code::PilePending, Field::Action).fact("reasons", codes);
        desk.push(fault);
    }
}

/// Why the tentatively taken top is not released, none of it where none is taken (AMB-HN-08).
fn pending_reasons(desk: &Desk<'_>, columns: &[Column]) -> Vec<Violation> {
    let mut reasons = Vec::new();
    let Some(taken) = desk.state.taken_top else { return reasons };
    match columns.iter().position(|column| column.top) {
        None => {
            let fault = Violation::new(Code::PileTopNotMelded, Field::Action).fact("top", taken.card);
            reasons.push(fault.fact("naturals", 0u8).fact("wilds", 0u8));
        }
        Some(at) => {
            let column = &columns[at];
            let entitles = match column.placement.kind {
                MeldKind::Sequence => {
                    sequence::entitlement_fault(desk, &before_turn(desk, column), taken.card)
                }
                _ => judge_set_take(desk, column, taken.card),
            };
            reasons.extend(entitles);
            let mut faults = SmallVec::new();
            shape::judge(desk, columns, at, false, &mut faults);
            reasons.extend(faults.into_iter().map(|(_, fault)| fault));
        }
    }
    reasons.extend(initial_faults(desk, columns, None));
    reasons
}

/// Why the top, as it lies in a set or wild meld, does not entitle to the pile (ALG-05).
fn judge_set_take(desk: &Desk<'_>, column: &Column, top: Card) -> Option<Violation> {
    let receiver = before_turn(desk, column);
    let receiver = receiver.as_ref().filter(|meld| takes_top(desk.set, meld));
    // Two wilds are the pair to a wild top (HF-050).
    let (naturals, wilds) = match top.is_wild() {
        true => (column.added.1 - 1, 0),
        false => (column.added.0 - 1, column.added.1),
    };
    let named = own_of_rank(desk, top.rank());
    let fault = entitlement_fault(desk, top, receiver.filter(|_| !top.is_wild()), naturals, wilds, named);
    fault.or_else(|| {
        let before = before_turn(desk, column)?;
        let (size, max) = excess(desk.state, desk.side, &before, naturals, wilds)?;
        Some(too_full(&before, size, max))
    })
}

/// A column's meld as it lay when the turn began; `None` if nothing of it did.
fn before_turn(desk: &Desk<'_>, column: &Column) -> Option<Meld> {
    let at = column.placement.target.filter(|_| !column.is_new())?;
    let mut meld = desk.state.melds[usize::from(at)].clone();
    meld.cards.subtract(&desk.state.loose_of(meld.id).copied().unwrap_or(Cards::EMPTY));
    Some(meld).filter(|meld| !meld.is_empty())
}

/// A top fits a sequence only where it lengthens one directly by itself (SA-043): that is tested as it is laid.
fn judge_top_of_sequence(desk: &mut Desk<'_>, columns: &[Column]) {
    let Some(taken) = desk.state.taken_top else { return };
    let on_sequence = |c: &&Column| c.top && c.placement.kind == MeldKind::Sequence;
    if let Some(column) = columns.iter().find(on_sequence) {
        let fault = sequence::entitlement_fault(desk, &before_turn(desk, column), taken.card);
        desk.faults.extend(fault);
    }
}

/// What an initial meld that the turn has laid lacks; nothing where the side has opened. While a top is
/// pending only valid columns count (clarification 5), and the pile is handed over against the points alone
/// (AMB-HN-19).
fn initial_faults(desk: &Desk<'_>, columns: &[Column], outlook: Option<&Outlook>) -> Vec<Violation> {
    if desk.state.opened(desk.side) {
        return Vec::new();
    }
    let taken = desk.state.taken_top;
    let counts = |&at: &usize| taken.is_none() || is_valid(desk, columns, at);
    let counted: Columns = (0..columns.len()).filter(counts).map(|at| columns[at].clone()).collect();
    let exempt = |outlook| initial::exempt(desk.state, desk.side, outlook);
    let exempt = taken.is_none() && outlook.is_some_and(exempt);
    initial::turn_faults(desk, &counted, taken.map(|top| top.card), exempt)
}

fn judge_initial(desk: &mut Desk<'_>, columns: &[Column], outlook: &Outlook) {
    let faults = initial_faults(desk, columns, Some(outlook));
    desk.faults.extend(faults);
}

/// Whether a column is a meld by itself. Black threes never are: they go only with the last cards.
fn is_valid(desk: &Desk<'_>, columns: &[Column], at: usize) -> bool {
    if columns[at].placement.kind == MeldKind::BlackThrees {
        return false;
    }
    let mut faults = SmallVec::new();
    shape::judge(desk, columns, at, false, &mut faults);
    faults.is_empty()
}

/// The melds that are locked when the top is released (clarification 5).
fn locks(desk: &Desk<'_>, columns: &[Column]) -> Locked {
    let mut next = desk.state.round.next_id[desk.side.index()];
    let mut locked = Locked::new();
    for (at, column) in columns.iter().enumerate() {
        let id = id_of(desk.state, column).unwrap_or_else(|| {
            next += 1;
            MeldId(next - 1)
        });
        if is_valid(desk, columns, at) {
            locked.push(id);
        }
    }
    locked
}

fn id_of(state: &Table, column: &Column) -> Option<MeldId> {
    column.placement.target.map(|at| state.melds[usize::from(at)].id)
}

/// What the seat in turn has laid and not locked.
fn loose_columns(desk: &Desk<'_>) -> Columns {
    let state = desk.state;
    let side = state.side_of(state.turn.seat);
    let column = |loose: &crate::table::Loose| {
        let at = state.melds.iter().position(|m| m.side == side && m.id == loose.meld)?;
        let meld = &state.melds[at];
        let (all, added) = (content(&meld.cards), content(&loose.cards));
        let cards = loose.cards.iter().collect();
        Some(Column {
            placement: Placement { target: Some(at as u8), kind: meld.kind, rank: meld.rank, cards },
            field: Field::Action,
            old: (all.0 - added.0, all.1 - added.1),
            added,
            top: state.taken_top.is_some_and(|top| top.meld == Some(meld.id)),
            first: (0, 0),
        })
    };
    let mut columns: Columns = state.turn.loose.iter().filter_map(column).collect();
    lay_top_first(desk, &mut columns);
    columns
}

/// What the turn's columns become by a batch.
fn merged(desk: &Desk<'_>, batch: &[Column]) -> Columns {
    let mut columns = loose_columns(desk);
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
    lay_top_first(desk, &mut columns);
    columns
}

/// A turn that may be taken back has no order either: what entitles to the pile goes with the top first.
fn lay_top_first(desk: &Desk<'_>, columns: &mut [Column]) {
    let sets = columns.iter_mut().filter(|column| column.placement.kind == MeldKind::Set);
    for column in sets.filter(|column| column.top) {
        let before = before_turn(desk, column);
        let (naturals, wilds) = (column.added.0 - 1, column.added.1);
        column.first = first_laid(desk.state, desk.side, before.as_ref(), naturals, wilds);
    }
}

fn black_threes(columns: &[Column]) -> Option<Field> {
    columns.iter().find(|c| c.placement.kind == MeldKind::BlackThrees).map(|c| c.field)
}

/// Naturals (or black threes) and wilds.
fn content(cards: &Cards) -> (u8, u8) {
    let wilds = cards.wilds();
    (cards.len() as u8 - wilds, wilds)
}
