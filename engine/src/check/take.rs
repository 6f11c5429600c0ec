//! `take_pile` (ALG-05, ALG-06).

use super::batch::{auto, misfit_rank, owned};
use super::{Batch, Desk, Outlook, Placement, Plan, Verdict, meld, size};
use crate::action::{MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class, Rank};
use crate::event::FreezeCause;
use crate::rejection::{Field, Repair, Violation};
use crate::rules::{InitialCount, OneCardPile, TakeCanastaRank, TakeLayoff, TakeNaturalWild};
use crate::seat::Side;
use crate::state::{Meld, State};
use crate::violations::Code;
use alloc::vec::Vec;

pub(super) fn check(mut desk: Desk<'_>, take: &TakePile) -> Verdict {
    meld::empty_gate(&take.also)?;
    let also = take.also.iter().enumerate().map(|(i, g)| (Field::GroupCards(i as u8), &g.cards));
    let rest = desk.cards_gate(core::iter::once((Field::With, &take.with)).chain(also))?;
    let top = top_gate(&desk)?;
    let rank = top.rank();

    if one_card_forbidden(desk.state, desk.seat.index()) {
        desk.push(Violation::new(Code::PileOneCard, Field::Action).repair(Repair::DrawFromStock));
    }
    judge_with(&mut desk, take, rank);
    if let Some(meld) = rank_barred(desk.state, desk.side, rank) {
        let fault = Violation::new(Code::PileCanastaRankForbidden, Field::Action).fact("rank", rank);
        desk.push(fault.fact("meld", meld).repair(Repair::DrawFromStock));
    }
    let entitled = judge_entitlement(&mut desk, take, top);

    let mut batch = Batch::default();
    place_top(&mut desk, &mut batch, take, top, entitled);
    batch.add_all(&desk, &take.also);
    batch.judge(&mut desk);
    meld::judge_wild_lock(&mut desk, &batch.columns);

    let picked = picked_up(desk.state);
    let outlook = Outlook::of(&desk, &batch.columns, rest.len() + picked.len());
    let mut hand_after = rest;
    hand_after.add(&picked);
    let named = take.also.iter().map(|g| &g.cards).chain([&take.with]);
    let mut count: i32 = named.map(|cards| meld::points(desk.state, cards)).sum();
    if desk.set.initial_count == InitialCount::WithTop {
        count += desk.state.rules.card_points(top);
    }
    meld::judge_minimum(&mut desk, count, &outlook, &rest);
    size::judge(&mut desk, &batch, &outlook, &hand_after);
    desk.settle(Plan::Take(batch.placements()))
}

/// What a take brings to the hand: the pile without its top and without the red threes that are laid.
pub(crate) fn picked_up(state: &State) -> Cards {
    let under = state.pile.split_last().map_or(&[][..], |(_, under)| under);
    under.iter().copied().filter(|card| card.class() != Class::RedThree).collect()
}

/// PILE_EMPTY and PILE_TOP_*: they end the list.
fn top_gate(desk: &Desk<'_>) -> Result<Card, Vec<Violation>> {
    let fault = |code| Violation::new(code, Field::Action).repair(Repair::DrawFromStock);
    let Some(&top) = desk.state.pile.last() else {
        return Err(super::one(fault(Code::PileEmpty)));
    };
    let code = match top.class() {
        Class::Natural => return Ok(top),
        Class::Wild => Code::PileTopWild,
        Class::BlackThree => Code::PileTopBlackThree,
        Class::RedThree => Code::PileTopRedThree,
    };
    Err(super::one(fault(code).fact("card", top)))
}

/// AMB-11: a one-card hand takes a one-card pile.
pub(super) fn one_card_forbidden(state: &State, seat: usize) -> bool {
    let forbidden = match state.set().one_card_pile {
        OneCardPile::Allow => false,
        OneCardPile::Forbid => true,
        OneCardPile::UnlessStockEmpty => !state.stock.is_empty(),
    };
    forbidden && state.hands[seat].len() == 1 && state.pile.len() == 1
}

/// CV-009: the own canasta of the top's rank that bars the take.
fn rank_barred(state: &State, side: Side, rank: Rank) -> Option<crate::action::MeldId> {
    if state.set().take_canasta_rank != TakeCanastaRank::Never {
        return None;
    }
    let completed = |m: &&Meld| m.rank == Some(rank) && m.grade(state.set()).is_some();
    state.melds_of(side).find(completed).map(|m| m.id)
}

/// `with` holds wilds and the top's rank only.
fn judge_with(desk: &mut Desk<'_>, take: &TakePile, rank: Rank) {
    let stray = |card: &&Card| !card.is_wild() && card.rank() != rank;
    let Some(&card) = take.with.iter().find(stray) else { return };
    let fault = Violation::new(Code::MeldMixedRanks, Field::With).fact("rank", rank).fact("card", card);
    desk.push(fault.repair(Repair::LeaveOut(card)));
}

/// The part of ALG-05 that says which counts of naturals and wilds entitle to the pile.
/// `receives`: an own meld may receive the top alone.
fn entitled(state: &State, side: Side, receives: bool, naturals: u8, wilds: u8) -> bool {
    if naturals >= 2 {
        return true;
    }
    if !state.frozen(side).is_empty() {
        return false;
    }
    receives || (naturals >= 1 && wilds >= 1 && state.set().take_natural_wild == TakeNaturalWild::Allow)
}

/// The own melds of the top's rank: whether there is one, and whether one may receive the top alone.
pub(crate) fn receivers(state: &State, side: Side, rank: Rank) -> (bool, bool) {
    let set = state.set();
    let mut own = state.melds_of(side).filter(|m| m.rank == Some(rank)).peekable();
    let exists = own.peek().is_some();
    let receives = match set.take_layoff {
        TakeLayoff::Any => exists,
        TakeLayoff::Incomplete => own.any(|m| m.grade(set).is_none()),
        TakeLayoff::Never => false,
    };
    (exists, receives && rank_barred(state, side, rank).is_none())
}

/// Exactly one entitlement code of ALG-05, the first that fits.
fn judge_entitlement(desk: &mut Desk<'_>, take: &TakePile, top: Card) -> bool {
    let (state, set, rank) = (desk.state, desk.set, top.rank());
    let naturals = take.with.iter().filter(|c| c.rank() == rank).count() as u8;
    let wilds = take.with.iter().filter(|c| c.is_wild()).count() as u8;
    let (exists, any_receives) = receivers(state, desk.side, rank);
    let receives = any_receives && goes_to_own(desk, take.onto, rank);
    let full = wilds_full(state, desk.side, rank).filter(|_| naturals == 1 && wilds > 0);
    if full.is_none() && entitled(state, desk.side, receives, naturals, wilds) {
        return true;
    }
    let causes = state.frozen(desk.side);
    let fault = |code| Violation::new(code, Field::With);
    let pair = |v: Violation| v.fact("rank", rank).fact("found", naturals).fact("required", 2u8);
    let held = state.hand(desk.seat).rank_count(rank) >= 2;
    let repair = if held { Repair::OfferPair(rank) } else { Repair::DrawFromStock };
    let violation = if !causes.is_empty() {
        let causes: Vec<&'static str> = causes.iter().map(FreezeCause::name).collect();
        pair(fault(Code::PileFrozenNeedsPair).fact("causes", causes)).repair(repair)
    } else if naturals == 1 && wilds > 0 && set.take_natural_wild == TakeNaturalWild::Never
        || set.take_natural_wild == TakeNaturalWild::Never && set.take_layoff == TakeLayoff::Never
    {
        pair(fault(Code::PileNeedsPair)).repair(repair)
    } else if let Some(meld) = full {
        fault(Code::PileCanastaWildsFull).fact("meld", meld.id).fact("wilds", meld.wilds()).repair(repair)
    } else if exists && set.take_layoff == TakeLayoff::Never {
        layoff(desk, fault(Code::PileLayoffForbidden), rank).repair(repair)
    } else if exists && !any_receives && set.take_layoff == TakeLayoff::Incomplete {
        layoff(desk, fault(Code::PileCanastaTargetForbidden), rank).repair(repair)
    } else {
        fault(Code::PileTopNotMelded)
            .fact("top", top)
            .fact("naturals", naturals)
            .fact("wilds", wilds)
            .repair(repair)
    };
    desk.push(violation);
    false
}

/// Whether `onto` sends the top to an own meld of its rank that may receive it alone.
fn goes_to_own(desk: &Desk<'_>, onto: Onto, rank: Rank) -> bool {
    match onto {
        Onto::Auto => true,
        Onto::New => false,
        Onto::Meld { side, id } => desk.state.melds_of(desk.side).any(|m| {
            let open = m.grade(desk.set).is_none() || desk.set.take_layoff == TakeLayoff::Any;
            side.is_none_or(|side| side == desk.side) && m.id == id && m.rank == Some(rank) && open
        }),
    }
}

fn layoff(desk: &Desk<'_>, violation: Violation, rank: Rank) -> Violation {
    match desk.state.melds_of(desk.side).find(|m| m.rank == Some(rank)) {
        Some(meld) => violation.fact("meld", meld.id),
        None => violation,
    }
}

/// CV-008: an own canasta of the rank that takes no further wild.
fn wilds_full(state: &State, side: Side, rank: Rank) -> Option<&Meld> {
    let set = state.set();
    if set.take_canasta_rank != TakeCanastaRank::UnlessWildsFull {
        return None;
    }
    let full = |m: &&Meld| {
        m.rank == Some(rank) && m.grade(set).is_some() && set.max_wilds > 0 && m.wilds() >= set.max_wilds
    };
    state.melds_of(side).find(full)
}

/// Whether so many naturals and wilds entitle to the pile if the top goes to `target`, `None` for a new meld.
/// What `check` says, without its reasons.
pub(crate) fn entitles(
    state: &State,
    side: Side,
    target: Option<&Meld>,
    rank: Rank,
    naturals: u8,
    wilds: u8,
) -> bool {
    let set = state.set();
    let receives = target.is_some_and(|meld| match set.take_layoff {
        TakeLayoff::Any => true,
        TakeLayoff::Incomplete => meld.grade(set).is_none(),
        TakeLayoff::Never => false,
    });
    let full = || naturals == 1 && wilds > 0 && wilds_full(state, side, rank).is_some();
    entitled(state, side, receives, naturals, wilds) && !full()
}

/// Whether no take can be legal, whatever is named with the top.
pub(crate) fn is_barred(state: &State, side: Side, top: Card) -> bool {
    top.class() != Class::Natural
        || one_card_forbidden(state, state.turn.seat.index())
        || rank_barred(state, side, top.rank()).is_some()
}

/// Puts the top and `with` into their column. Without entitlement there is no top meld to judge.
fn place_top(desk: &mut Desk<'_>, batch: &mut Batch, take: &TakePile, top: Card, entitled: bool) {
    if !entitled {
        return;
    }
    let rank = top.rank();
    let wilds = take.with.iter().filter(|c| c.is_wild()).count() as u8;
    let (target, named_new) = match take.onto {
        Onto::New => (None, true),
        Onto::Auto => (auto(desk, &[], MeldKind::Set, Some(rank), wilds), false),
        Onto::Meld { side, id } => {
            let target = owned(desk, side, id, Field::TopOnto)
                .and_then(|at| misfit_rank(desk, at, rank, top, Field::TopOnto).map_or(Ok(at), Err));
            match target {
                Ok(at) => (Some(at), false),
                Err(fault) => {
                    desk.push(fault);
                    return;
                }
            }
        }
    };
    // Cards that do not belong were noted already; the rest of the meld is judged without them.
    let mut cards = take.with.clone();
    cards.retain(|card| card.is_wild() || card.rank() == rank);
    cards.push(top);
    let added = (cards.len() as u8 - wilds, wilds);
    let placement = Placement { target, kind: MeldKind::Set, rank: Some(rank), cards };
    batch.join(desk, Field::With, placement, named_new, added);
}
