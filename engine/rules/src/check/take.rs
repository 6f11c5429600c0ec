//! `take_pile` (ALG-05, ALG-06).

use super::batch::{auto, misfit_rank, owned};
use super::stock::{must_take_fault, yields_top_only};
use super::{
    Batch, Column, Desk, Outlook, Placement, Plan, Verdict, initial, meld, sequence, size, tentative, threes,
};
use crate::action::{MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class, Rank};
use crate::event::FreezeCause;
use crate::facts::{
    entitled, excess, first_laid, picked_up, rank_barred, received, receivers, top_meld, wilds_full,
};
use crate::rejection::{Circumstance, Field, Violation};
use crate::rules::{OneCardPile, PileUnopened, TakeLayoff, TakeNaturalWild, WildTop};
use crate::seat::Side;
use crate::table::{Meld, Table};
use crate::violations::Code;
use alloc::vec::Vec;

pub(super) fn check(mut desk: Desk<'_>, take: &TakePile) -> Verdict {
    tentative::top_group_gate(desk.state, &take.also)?;
    meld::empty_gate(&take.also)?;
    let also = take.also.iter().enumerate().map(|(i, g)| (Field::GroupCards(i as u8), &g.cards));
    let rest = desk.cards_gate(core::iter::once((Field::With, &take.with)).chain(also))?;
    threes::judge_kept(&mut desk);
    judge_forfeit(&mut desk);
    let top = top_gate(&mut desk)?;
    let rank = top.rank();

    if one_card_forbidden(desk.state, desk.seat.index()) {
        desk.push(Violation::new(Code::PileOneCard, Field::Action));
    }
    let top_only = yields_top_only(desk.state, desk.nodes);
    if top_only && !(take.with.is_empty() && take.also.is_empty()) {
        desk.push(must_take_fault(&desk, top).with(Circumstance::Taking, true));
    }
    let aim = Aim::of(&desk, take, top);
    let stray = if let Aim::Set = aim { stray(take, rank) } else { None };
    let (mixed, stray) = if is_mixed(&take.with) { (stray, None) } else { (None, stray) };
    desk.faults.extend(mixed);
    judge_shut(&mut desk, rank);
    let mut batch = Batch::default();
    if judge_entitlement(&mut desk, take, top, &aim) {
        desk.faults.extend(stray);
        place_top(&mut desk, &mut batch, take, top, &aim);
    }
    batch.add_all(&desk, &take.also);
    judge_joined(&mut desk, &batch, top);
    batch.overflow(&desk);
    let picked = if top_only { Cards::EMPTY } else { picked_up(desk.state) };
    let replaced = if top_only { 0 } else { replacements(desk.state) };
    let hand_size = rest.len() + picked.len() + replaced;
    let outlook = Outlook::of(&desk, &batch.columns, hand_size);
    batch.judge(&mut desk, &outlook);
    meld::judge_wild_lock(&mut desk, &batch.columns);
    let mut hand_after = rest;
    hand_after.add(&picked);
    initial::judge_take(&mut desk, take, &batch.columns, top, &outlook);
    size::judge(&mut desk, batch.black_threes, &batch.columns, &outlook, &hand_after);
    tentative::judge_ids(&mut desk, batch.columns.iter().map(|column| &column.placement));
    let plan = if top_only { Plan::TakeOnlyTop } else { Plan::Take };
    desk.settle(plan(batch.placements()))
}

/// PILE_FORFEITED (IR-011).
pub(super) fn judge_forfeit(desk: &mut Desk<'_>) {
    if let Some(ruling) = desk.state.rulings().forfeits_pile(desk.seat) {
        let fault = Violation::new(Code::PileForfeited, Field::Action).fact("ruling", i64::from(ruling));
        desk.push(fault);
    }
}

/// What the top is meant to become part of.
pub(super) enum Aim<'a> {
    Set,
    /// An own sequence, with its index.
    Sequence(u8, &'a Meld),
    NewSequence,
}

impl<'a> Aim<'a> {
    fn of(desk: &Desk<'a>, take: &TakePile, top: Card) -> Self {
        let pair = take.with.iter().filter(|card| card.rank() == top.rank()).count() >= 2;
        if !desk.set.sequences || pair {
            return Self::Set;
        }
        let (_, set_receives) = receivers(desk.state, desk.side, top.rank());
        match sequence::target(desk, take, top, set_receives) {
            Some((at, meld)) => Self::Sequence(at, meld),
            None if !matches!(take.onto, Onto::Meld { .. }) && sequence::begins(take, top) => {
                Self::NewSequence
            }
            None => Self::Set,
        }
    }
}

/// How many cards are sure to replace the red threes that come with the top, whatever lies in the stock.
fn replacements(state: &Table) -> u16 {
    if !state.set().pile_threes_replaced {
        return 0;
    }
    let threes = received(state).iter().filter(|card| card.class() == Class::RedThree).count() as u16;
    let laid: u16 = state.laid.iter().map(|laid| u16::from(laid.red_threes())).sum();
    let unseen = state.set().red_three_count() as u16 - laid - threes;
    threes.min(state.stock_len().saturating_sub(unseen))
}

/// PILE_EMPTY and PILE_TOP_*: they end the list.
pub(super) fn top_gate(desk: &mut Desk<'_>) -> Result<Card, Vec<Violation>> {
    let fault = |code| Violation::new(code, Field::Action);
    let Some(&top) = desk.state.pile.last() else {
        desk.push(fault(Code::PileEmpty));
        return Err(core::mem::take(&mut desk.faults));
    };
    let code = match top.class() {
        Class::Natural => return Ok(top),
        Class::Wild if desk.set.wild_top == WildTop::WildPair => return Ok(top),
        Class::Wild => Code::PileTopWild,
        Class::BlackThree => Code::PileTopBlackThree,
        Class::RedThree => Code::PileTopRedThree,
    };
    desk.push(fault(code).fact("card", top));
    Err(core::mem::take(&mut desk.faults))
}

/// AMB-11: a one-card hand takes a one-card pile.
pub(super) fn one_card_forbidden(state: &Table, seat: usize) -> bool {
    let forbidden = match state.set().one_card_pile {
        OneCardPile::Allow => false,
        OneCardPile::Forbid => true,
        OneCardPile::UnlessStockEmpty => !state.stock.is_empty(),
    };
    forbidden && state.hands[seat].len() == 1 && state.pile.len() == 1
}

/// MV-004: a side that has not melded never takes the pile.
fn is_closed_turn(state: &Table, side: Side) -> bool {
    state.set().pile_unopened == PileUnopened::Closed && !state.opened(side)
}

/// PILE_INITIAL_TURN_FORBIDDEN and PILE_CANASTA_RANK_FORBIDDEN: no meld takes a pile with a top of this rank.
pub(super) fn judge_shut(desk: &mut Desk<'_>, rank: Rank) {
    if is_closed_turn(desk.state, desk.side) {
        let fault = Violation::new(Code::PileInitialTurnForbidden, Field::Action);
        desk.push(fault);
    }
    if let Some(meld) = rank_barred(desk.state, desk.side, rank) {
        let fault = Violation::new(Code::PileCanastaRankForbidden, Field::Action).fact("rank", rank);
        desk.push(fault.fact("meld", meld));
    }
}

/// A card of `with` that is neither wild nor of the top's rank.
fn stray(take: &TakePile, rank: Rank) -> Option<Violation> {
    let &card = take.with.iter().find(|card| !joins(**card, rank))?;
    let fault = match card.rank() {
        Rank::Three if !is_mixed(&take.with) => Violation::new(Code::ThreeNotMeldable, Field::With),
        _ => Violation::new(Code::MeldMixedRanks, Field::With).fact("rank", rank),
    };
    Some(fault.fact("card", card))
}

/// Whether cards have several ranks whatever the top is: then nothing is said first about the right to take.
fn is_mixed(with: &[Card]) -> bool {
    let mut ranks = with.iter().filter(|card| !card.is_wild()).map(|card| card.rank());
    ranks.next().is_some_and(|first| ranks.any(|rank| rank != first))
}

/// Whether a card can lie in one meld with a top of this rank. All wilds are one rank (HF-050).
fn joins(card: Card, rank: Rank) -> bool {
    card.is_wild() || card.rank() == rank
}

fn judge_entitlement(desk: &mut Desk<'_>, take: &TakePile, top: Card, aim: &Aim<'_>) -> bool {
    let rank = top.rank();
    let wilds = take.with.iter().filter(|c| c.is_wild()).count() as u8;
    // To a wild top two wilds are the pair (HF-050).
    let of_rank = |c: &&Card| c.rank() == rank || (top.is_wild() && c.is_wild());
    let naturals = take.with.iter().filter(of_rank).count() as u8;
    let wilds = if top.is_wild() { 0 } else { wilds };
    let (_, any_receives) = receivers(desk.state, desk.side, rank);
    let (receiver, with_wild) = match aim {
        Aim::Set => (receiver(desk, take.onto, rank, wilds).filter(|_| any_receives), wilds),
        Aim::Sequence(_, meld) => {
            let alone = take.with.is_empty() && sequence::receives(desk.state, meld, top);
            (alone.then_some(*meld), 0)
        }
        Aim::NewSequence => (None, 0),
    };
    let named = merely_added(desk, take, top, aim);
    let mut fault = entitlement_fault(desk, top, receiver, naturals, with_wild, named);
    if let Some(fault) = fault.as_mut().filter(|fault| fault.code == Code::PileTopNotMelded) {
        sequence::explain(take, top, aim, fault);
    }
    let entitled = fault.is_none();
    desk.faults.extend(fault);
    entitled
}

/// Exactly one entitlement code of ALG-05, the first that fits, those of sequences excepted. `receiver`: the
/// own meld that the top goes to, if it may receive it alone; `named`: the one it would merely be added to.
pub(super) fn entitlement_fault(
    desk: &Desk<'_>,
    top: Card,
    receiver: Option<&Meld>,
    naturals: u8,
    wilds: u8,
    named: Option<&Meld>,
) -> Option<Violation> {
    let (state, set, rank) = (desk.state, desk.set, top.rank());
    let (exists, any_receives) = receivers(state, desk.side, rank);
    let full = wilds_full(state, desk.side, rank).filter(|_| naturals == 1 && wilds > 0);
    if full.is_none() && entitled(state, desk.side, receiver, naturals, wilds) {
        return None;
    }
    let causes = state.frozen(desk.side);
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
        fault(Code::PileTopNotMelded).fact("top", top).fact("naturals", naturals).fact("wilds", wilds)
    };
    Some(violation)
}

/// The own meld that the top would merely be added to: the one named, else one of its rank.
fn merely_added<'a>(desk: &Desk<'a>, take: &TakePile, top: Card, aim: &Aim<'a>) -> Option<&'a Meld> {
    let named = match (aim, take.onto) {
        (Aim::Sequence(_, meld), _) => return Some(meld),
        (Aim::NewSequence, _) => return None,
        (Aim::Set, Onto::Meld { side, id }) if side.is_none_or(|side| side == desk.side) => {
            desk.state.meld(desk.side, id).filter(|m| m.rank == Some(top.rank()))
        }
        _ => None,
    };
    named.or_else(|| own_of_rank(desk, top.rank()))
}

/// The own meld of a rank with the lowest id.
pub(super) fn own_of_rank<'a>(desk: &Desk<'a>, rank: Rank) -> Option<&'a Meld> {
    desk.state.melds_of(desk.side).find(|m| m.rank == Some(rank))
}

/// The own meld of the top's rank to which `onto` sends the top, if it may receive it alone.
fn receiver<'a>(desk: &Desk<'a>, to: Onto, rank: Rank, wilds: u8) -> Option<&'a Meld> {
    let at = match to {
        Onto::Auto => auto(desk, &[], MeldKind::Set, Some(rank), wilds)?,
        Onto::New => return None,
        Onto::Meld { side, id } => owned(desk, side, id, Field::TopOnto).ok()?,
    };
    let meld = &desk.state.melds[usize::from(at)];
    let open = meld.grade(desk.set).is_none() || desk.set.take_layoff == TakeLayoff::Any;
    (meld.rank == Some(rank) && open).then_some(meld)
}

/// Whether no take can be legal, whatever is named with the top.
pub(crate) fn is_barred(state: &Table, side: Side, top: Card) -> bool {
    let takable = match top.class() {
        Class::Natural => true,
        Class::Wild => state.set().wild_top == WildTop::WildPair,
        Class::RedThree | Class::BlackThree => false,
    };
    !takable
        || one_card_forbidden(state, state.turn.seat.index())
        || is_closed_turn(state, side)
        || rank_barred(state, side, top.rank()).is_some()
}

/// Puts the top and `with` into their column.
fn place_top(desk: &mut Desk<'_>, batch: &mut Batch, take: &TakePile, top: Card, aim: &Aim<'_>) {
    if let &Aim::Sequence(at, _) = aim {
        let cards = core::iter::once(top).collect();
        let placement = Placement { target: Some(at), kind: MeldKind::Sequence, rank: None, cards };
        batch.join(desk, Field::With, placement, false, (1, 0));
        return;
    }
    // Cards that do not belong were noted already; the rest of the meld is judged without them.
    let mut cards = take.with.clone();
    cards.retain(|card| joins(*card, top.rank()));
    let alike = cards.iter().filter(|card| card.is_wild() == top.is_wild()).count() as u8;
    cards.push(top);
    let wilds = cards.iter().filter(|c| c.is_wild()).count() as u8;
    let added = (cards.len() as u8 - wilds, wilds);
    let (kind, rank) = top_meld(top);
    let others = if top.is_wild() { 0 } else { wilds };
    let excess = |at: &u8| excess(desk.state, desk.side, &desk.state.melds[usize::from(*at)], alike, others);
    let (target, named_new) = match take.onto {
        Onto::New => (None, true),
        Onto::Auto => {
            let found = auto(desk, &[], kind, rank, wilds);
            // A completed set that takes no pair leaves a new one (SAD-06).
            let open = |at: &u8| desk.state.melds[usize::from(*at)].grade(desk.set).is_none();
            (found.filter(|at| open(at) || excess(at).is_none()), false)
        }
        Onto::Meld { side, id } => {
            let target = owned(desk, side, id, Field::TopOnto)
                .and_then(|at| misfit_rank(desk, at, kind, rank, top, Field::TopOnto).map_or(Ok(at), Err));
            match target {
                Ok(at) => (Some(at), false),
                Err(fault) => {
                    desk.push(fault);
                    return;
                }
            }
        }
    };
    if let Some((at, (size, max))) = target.and_then(|at| Some((at, excess(&at)?))) {
        desk.push(too_full(&desk.state.melds[usize::from(at)], size, max));
        // One cause, one code: the meld's own limits are not judged.
        return;
    }
    let placement = Placement { target, kind, rank, cards };
    let at = batch.join(desk, Field::With, placement, named_new, added);
    batch.columns[at].first = match top.is_wild() {
        true => (0, 3),
        false => first_laid(desk.state, desk.side, meld_at(desk.state, target), alike, others),
    };
}

fn meld_at(state: &Table, target: Option<u8>) -> Option<&Meld> {
    target.map(|at| &state.melds[usize::from(at)])
}

pub(super) fn too_full(meld: &Meld, size: u8, max: u8) -> Violation {
    let fault = Violation::new(Code::PileMeldTooFull, Field::TopOnto);
    fault.fact("meld", meld.id).fact("size", size).fact("max", max)
}

/// GR-032: a natural meld that the top alone goes to, frozen as the pile is, stays so, whatever group adds a wild to it.
fn judge_joined(desk: &mut Desk<'_>, batch: &Batch, top: Card) {
    let tops = |c: &&Column| c.field == Field::With && c.placement.kind == MeldKind::Set;
    let Some(column) = batch.columns.iter().find(tops) else { return };
    let Some(meld) = meld_at(desk.state, column.placement.target) else { return };
    let (naturals, wilds) = (column.added.0 - 1, column.added.1);
    if !entitled(desk.state, desk.side, Some(meld), naturals, wilds) {
        let fault = entitlement_fault(desk, top, None, naturals, wilds, Some(meld));
        desk.faults.extend(fault);
    }
}
