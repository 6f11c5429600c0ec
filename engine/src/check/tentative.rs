//! What is laid tentatively: cards that may still return to the hand, and a top of the pile that is taken
//! before its use is shown (ALG-07).
//!
//! Without `undo_meld` nothing of this happens. With it everything that a seat lays is loose until its turn
//! ends, and is tested then, as a whole. With AT_DISCARD placing itself only asks that a card fits its column
//! (AMB-HN-07), with IMMEDIATE each action is tested besides.

use super::take::{entitlement_fault, judge_forfeit, one_card_forbidden, own_of_rank, picked_up, top_gate};
use super::{Batch, Column, Desk, Outlook, Placement, Plan, Verdict, initial, meld, one, shape, size, stock};
use crate::action::{ActionKind, CardList, Group, MeldId, MeldKind};
use crate::card::Cards;
use crate::rejection::{Field, Repair, Violation};
use crate::rules::{MeldCheck, TakeLayoff};
use crate::state::{MAX_MELDS, Phase, Source, State};
use crate::violations::Code;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The columns of a turn, each with what of it is loose as `added`.
type Columns = SmallVec<[Column; 4]>;
/// The melds whose loose cards are locked when the top is released.
pub(crate) type Locked = SmallVec<[MeldId; 4]>;

/// G2: a group names the top only while it is taken and lies nowhere.
pub(super) fn top_group_gate(state: &State, groups: &[Group]) -> Result<(), Vec<Violation>> {
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
        desk.push(Violation::new(Code::PileOneCard, Field::Action).repair(Repair::DrawFromStock));
    }
    if stock::must_take(desk.state) {
        desk.push(stock::must_take_fault(&desk, top));
    }
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
    let pending = pending_reasons(&desk, &columns);
    let released = desk.state.phase == Phase::Taking && pending.is_empty();
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
        batch.judge_columns(&mut desk, false);
        meld::judge_wild_lock(&mut desk, &columns);
        judge_count(&mut desk, &columns, &outlook, rest);
        size::judge(&mut desk, black_threes(&columns), &columns, &outlook, &hand_after);
    } else if desk.set.meld_check == MeldCheck::AtDiscard {
        batch.judge_placing(&mut desk);
    } else {
        batch.judge(&mut desk, &outlook);
        meld::judge_wild_lock(&mut desk, &batch.columns);
        if !pends {
            judge_count(&mut desk, &columns, &outlook, rest);
            size::judge(&mut desk, black_threes(&columns), &columns, &outlook, &hand_after);
        }
    }
    judge_ids(&mut desk, &placements);
    let release = released.then(|| locks(&desk, &columns));
    desk.settle(Plan::Place { placements, top, release })
}

/// Ids of melds end at 127 and are not used again: a seat that lays and takes back so often begins no more.
fn judge_ids(desk: &mut Desk<'_>, placements: &[Placement]) {
    let begun = placements.iter().filter(|p| p.target.is_none()).count();
    let next = desk.state.round.next_id[desk.side.index()];
    if usize::from(next) + begun > MAX_MELDS {
        desk.push(Violation::new(Code::MeldNotFound, Field::Action).fact("meld", MeldId(MAX_MELDS as u8)));
    }
}

/// `undo_meld`: loose cards return. The last natural of a column goes back with its wilds only, since wilds
/// alone have no rank.
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
    let mut columns = loose_columns(desk.state);
    if let Some(at) = columns.iter().position(|column| id_of(desk.state, column) == Some(id)) {
        take_back(&desk, &mut columns, at, &named);
    }
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
        let pending = pending_reasons(desk, &loose_columns(desk.state));
        judge_pending(desk, pending);
    }
}

/// The tests of what a turn has laid, as it ends with cards in the hand (HN-015).
pub(super) fn judge_turn(desk: &mut Desk<'_>) {
    if desk.state.turn.loose.is_empty() {
        return;
    }
    let columns = loose_columns(desk.state);
    let mut batch = Batch { columns, ..Batch::default() };
    batch.judge_columns(desk, false);
    meld::judge_wild_lock(desk, &batch.columns);
    let hand = *desk.state.hand(desk.seat);
    let outlook = Outlook::of(desk, &batch.columns, hand.len());
    judge_count(desk, &batch.columns, &outlook, &hand);
    size::judge(desk, black_threes(&batch.columns), &batch.columns, &outlook, &hand);
}

/// Whether what the turn has laid passes the tests of its end.
pub(crate) fn may_end_turn(state: &State) -> bool {
    if state.turn.loose.is_empty() {
        return true;
    }
    let mut desk = Desk::new(state, state.turn.seat, ActionKind::Discard);
    judge_turn(&mut desk);
    desk.faults.is_empty()
}

fn judge_pending(desk: &mut Desk<'_>, reasons: Vec<Violation>) {
    if !reasons.is_empty() {
        let codes: Vec<Code> = reasons.iter().map(|reason| reason.code).collect();
        let fault = Violation::new(Code::PilePending, Field::Action).fact("reasons", codes);
        desk.push(fault.repair(Repair::RestorePile));
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
            let target = column.placement.target.map(|at| &desk.state.melds[usize::from(at)]);
            let receiver = target.filter(|_| !column.is_new() && desk.set.take_layoff == TakeLayoff::Any);
            let (naturals, wilds) = (column.added.0 - 1, column.added.1);
            let own = own_of_rank(desk, taken.card.rank());
            reasons.extend(entitlement_fault(desk, taken.card, receiver, naturals, wilds, own));
            let mut faults = SmallVec::new();
            shape::judge(desk, columns, at, false, &mut faults);
            reasons.extend(faults.into_iter().map(|(_, fault)| fault));
        }
    }
    let (count, required) = count(desk, columns);
    if count < required {
        reasons.push(initial::below_minimum(desk, count, required, &Cards::EMPTY));
    }
    reasons
}

/// Points towards the minimum and the points needed, both 0 for a side that has opened. While a top is
/// pending only valid columns count (clarification 5).
fn count(desk: &Desk<'_>, columns: &[Column]) -> (i32, i32) {
    if desk.state.opened(desk.side) {
        return (0, 0);
    }
    let counts = |&at: &usize| desk.state.taken_top.is_none() || is_valid(desk, columns, at);
    let counted = (0..columns.len()).filter(counts).map(|at| &columns[at]);
    let points = counted.map(|column| {
        initial::points(desk.state, column.placement.rank, &column.placement.cards)
            + initial::canasta_bonus(desk.state, column)
    });
    let surcharge = desk.state.taken_top.map_or(0, |top| initial::top_surcharge(desk.state, top.card));
    (points.sum(), desk.state.minimum(desk.seat) + surcharge)
}

fn judge_count(desk: &mut Desk<'_>, columns: &[Column], outlook: &Outlook, rest: &Cards) {
    let (count, required) = count(desk, columns);
    // AMB-HN-19: a pending pile is handed over only against the points.
    let exempt = || desk.state.taken_top.is_none() && initial::exempt(desk.state, desk.side, outlook);
    if count < required && !exempt() {
        let fault = initial::below_minimum(desk, count, required, rest);
        desk.push(fault);
    }
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

fn id_of(state: &State, column: &Column) -> Option<MeldId> {
    column.placement.target.map(|at| state.melds[usize::from(at)].id)
}

/// What the seat in turn has laid and not locked.
fn loose_columns(state: &State) -> Columns {
    let side = state.side_of(state.turn.seat);
    let column = |loose: &crate::state::Loose| {
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
        })
    };
    state.turn.loose.iter().filter_map(column).collect()
}

/// What the turn's columns become by a batch.
fn merged(desk: &Desk<'_>, batch: &[Column]) -> Columns {
    let mut columns = loose_columns(desk.state);
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
    columns
}

fn black_threes(columns: &[Column]) -> Option<Field> {
    columns.iter().find(|c| c.placement.kind == MeldKind::BlackThrees).map(|c| c.field)
}

/// Naturals (or black threes) and wilds.
fn content(cards: &Cards) -> (u8, u8) {
    let wilds = cards.wilds();
    (cards.len() as u8 - wilds, wilds)
}
