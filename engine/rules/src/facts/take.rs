//! What takes the pile, and what it brings (ALG-05, ALG-06).

use super::shape::{surplus, surplus_after};
use crate::action::MeldKind;
use crate::card::{Card, Cards, Class, Rank};
use crate::rules::{CanastaAccepts, FrozenTake, RuleSet, TakeCanastaRank, TakeLayoff, TakeNaturalWild};
use crate::seat::Side;
use crate::table::{Meld, Phase, Table};

/// What a take brings to the hand: what is received of the pile without the red threes that are laid.
pub(crate) fn picked_up(state: &Table) -> Cards {
    received(state).iter().copied().filter(|card| card.class() != Class::RedThree).collect()
}

/// What comes with the top of the pile.
pub(crate) fn received(state: &Table) -> &[Card] {
    let under = match state.phase {
        Phase::Taking => &state.pile[..],
        _ => state.pile.split_last().map_or(&[][..], |(_, under)| under),
    };
    &under[under.len() - portion_under_top(state.set(), under.len())..]
}

/// How many of so many cards under the top come with it (HF-044).
pub(crate) fn portion_under_top(set: &RuleSet, under: usize) -> usize {
    if set.pile_portion == 0 { under } else { under.min(usize::from(set.pile_portion) - 1) }
}

/// The part of ALG-05 that says which counts of naturals and wilds entitle to the pile.
/// `receiver`: the own meld that may receive the top alone.
pub(crate) fn entitled(state: &Table, side: Side, receiver: Option<&Meld>, naturals: u8, wilds: u8) -> bool {
    if naturals >= 2 {
        return true;
    }
    if !state.frozen(side).is_empty() {
        // GR-032: into a meld that is natural and stays so.
        let natural = receiver.is_some_and(|meld| meld.wilds() + wilds == 0);
        return natural && state.set().frozen_take == FrozenTake::NaturalMeld;
    }
    receiver.is_some()
        || (naturals >= 1 && wilds >= 1 && state.set().take_natural_wild == TakeNaturalWild::Allow)
}

/// The own melds of the top's rank: whether there is one, and whether one may receive the top alone.
pub(crate) fn receivers(state: &Table, side: Side, rank: Rank) -> (bool, bool) {
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

/// CV-009: the own canasta of the top's rank that bars the take.
pub(crate) fn rank_barred(state: &Table, side: Side, rank: Rank) -> Option<crate::action::MeldId> {
    if state.set().take_canasta_rank != TakeCanastaRank::Never {
        return None;
    }
    let completed = |m: &&Meld| m.rank == Some(rank) && m.grade(state.set()).is_some();
    state.melds_of(side).find(completed).map(|m| m.id)
}

/// CV-008: an own canasta of the rank that takes no further wild.
pub(crate) fn wilds_full(state: &Table, side: Side, rank: Rank) -> Option<&Meld> {
    let set = state.set();
    if set.take_canasta_rank != TakeCanastaRank::UnlessWildsFull {
        return None;
    }
    let full = |m: &&Meld| {
        m.rank == Some(rank) && m.grade(set).is_some() && set.max_wilds > 0 && m.wilds() >= set.max_wilds
    };
    state.melds_of(side).find(full)
}

/// Whether so many naturals and wilds take the pile if they and the top go to `target`, `None` for a new meld: they
/// entitle to it, and the meld has room for them. What `check` says, without its reasons.
pub(crate) fn entitles(
    state: &Table,
    side: Side,
    target: Option<&Meld>,
    rank: Rank,
    naturals: u8,
    wilds: u8,
) -> bool {
    if !rank.is_natural() {
        return wilds >= 2 && state.frozen(side).is_empty();
    }
    let receiver = target.filter(|meld| takes_top(state.set(), meld));
    let full = || naturals == 1 && wilds > 0 && wilds_full(state, side, rank).is_some();
    let too_full = || target.is_some_and(|meld| excess(state, side, meld, naturals, wilds).is_some());
    let closed = || {
        let first = first_laid(state, side, target, naturals, wilds);
        surplus_after(state.set(), target.map_or(0, Meld::len) as u8, first, wilds) > 0
    };
    entitled(state, side, receiver, naturals, wilds) && !full() && !too_full() && !closed()
}

/// Naturals and wilds that go to `target` with a natural top before everything else (clarification 29), the top
/// included, where so many are named with it. A pair entitles to the pile, or a natural and a wild, which leave more
/// room for wilds; with less than a pair the own meld alone.
pub(crate) fn first_laid(
    state: &Table,
    side: Side,
    target: Option<&Meld>,
    naturals: u8,
    wilds: u8,
) -> (u8, u8) {
    let alone = target.filter(|meld| naturals < 2 && receives_alone(state, side, meld));
    let mixed = naturals > 0 && entitled(state, side, None, 1, wilds);
    let closes = |meld: &Meld| surplus(state.set(), meld.len() as u8 + 1, 1) > 0;
    match alone {
        // The top alone would close the canasta to the wild that takes it with a natural.
        Some(meld) if !(mixed && closes(meld)) => (1, 0),
        _ if mixed => (2, 1),
        _ => (3, 0),
    }
}

/// Whether it can matter what else is laid on the meld that the top alone goes to: in `with` it may make a pair, which
/// a canasta has no room for.
pub(crate) fn splits(state: &Table) -> bool {
    let set = state.set();
    let limited =
        set.take_result_max > 0 || set.meld_max > 0 || set.canasta_accepts == CanastaAccepts::Naturals;
    limited && set.take_layoff != TakeLayoff::Never && state.phase == Phase::Start
}

/// Whether the top alone, added to this meld of its rank, takes the pile.
pub(crate) fn receives_alone(state: &Table, side: Side, meld: &Meld) -> bool {
    takes_top(state.set(), meld) && entitled(state, side, Some(meld), 0, 0)
}

/// Whether an own meld of the top's rank may receive it under take_layoff.
pub(crate) fn takes_top(set: &RuleSet, meld: &Meld) -> bool {
    match set.take_layoff {
        TakeLayoff::Any => true,
        TakeLayoff::Incomplete => meld.grade(set).is_none(),
        TakeLayoff::Never => false,
    }
}

/// Kind and rank of the meld that a top goes to.
pub(crate) fn top_meld(top: Card) -> (MeldKind, Option<Rank>) {
    if top.is_wild() { (MeldKind::Wild, None) } else { (MeldKind::Set, Some(top.rank())) }
}

/// SAD-06, MA-065: the size that the meld has with the top and the cards that take it, and the most it may have, if
/// that is less. Further cards count as laid later (clarification 13); the top alone may complete a canasta.
pub(crate) fn excess(state: &Table, side: Side, meld: &Meld, naturals: u8, wilds: u8) -> Option<(u8, u8)> {
    let set = state.set();
    let most = [set.take_result_max, set.meld_max].into_iter().filter(|&max| max > 0).min()?;
    let first = first_laid(state, side, Some(meld), naturals, wilds);
    let size = meld.len() as u8 + first.0 + first.1;
    (size > most).then_some((size, most))
}
