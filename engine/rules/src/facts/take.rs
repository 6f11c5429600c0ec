//! The right to take the pile, and the cards that a take brings (ALG-05, ALG-06).

use super::shape::{is_closed_by_threes, surplus, surplus_after};
use crate::action::MeldKind;
use crate::card::{Card, Cards, Class, Rank};
use crate::rules::{
    CanastaAccepts, FrozenTake, OneCardPile, PileUnopened, RuleSet, TakeCanastaRank, TakeLayoff,
    TakeNaturalWild, WildTop,
};
use crate::seat::Side;
use crate::sequence::Sequence;
use crate::table::{Meld, Phase, Table};

/// Returns the cards that a take brings to the hand: the received cards except threes that are laid.
pub(crate) fn picked_up(table: &Table) -> Cards {
    received(table).iter().copied().filter(|&card| !table.set().sets_aside(card)).collect()
}

/// Returns the number of cards that a take brings to the hand.
pub fn picked_up_count(table: &Table) -> u16 {
    received(table).iter().filter(|&&card| !table.set().sets_aside(card)).count() as u16
}

/// Returns the cards that come with the top of the pile, without the top, from bottom to top.
pub(crate) fn received(table: &Table) -> &[Card] {
    let under = match table.phase {
        Phase::Taking => &table.pile[..],
        _ => table.pile.split_last().map_or(&[][..], |(_, under)| under),
    };
    &under[under.len() - portion_under_top(table.set(), under.len())..]
}

/// Returns how many of the `under` cards below the top come with the top (HF-044).
pub(crate) fn portion_under_top(set: &RuleSet, under: usize) -> usize {
    if set.pile_portion == 0 { under } else { under.min(usize::from(set.pile_portion) - 1) }
}

/// Whether these counts of naturals and wilds entitle to the pile (part of ALG-05). `receiver` is the own meld
/// that may receive the top alone.
pub(crate) fn entitled(table: &Table, side: Side, receiver: Option<&Meld>, naturals: u8, wilds: u8) -> bool {
    if naturals >= 2 {
        return true;
    }
    if !table.frozen(side).is_empty() {
        // GR-032: the top may go alone to a meld that is natural and stays natural.
        let natural = receiver.is_some_and(|meld| meld.wilds() + wilds == 0);
        return natural && table.set().frozen_take == FrozenTake::NaturalMeld;
    }
    receiver.is_some()
        || (naturals >= 1 && wilds >= 1 && table.set().take_natural_wild == TakeNaturalWild::Allow)
}

/// Returns whether an own meld of the top's rank exists, and whether such a meld may receive the top alone.
pub(crate) fn receivers(table: &Table, side: Side, rank: Rank) -> (bool, bool) {
    let set = table.set();
    let mut own = table.melds_of(side).filter(|m| m.rank == Some(rank)).peekable();
    let exists = own.peek().is_some();
    let receives = match set.take_layoff {
        TakeLayoff::Any => exists,
        TakeLayoff::Incomplete => own.any(|m| m.grade(set).is_none()),
        TakeLayoff::Never => false,
    };
    (exists, receives && rank_barred(table, side, rank).is_none())
}

/// Returns the own canasta of the top's rank that bars the take (CV-009), or `None` if nothing bars it.
pub(crate) fn rank_barred(table: &Table, side: Side, rank: Rank) -> Option<crate::action::MeldId> {
    if table.set().take_canasta_rank != TakeCanastaRank::Never {
        return None;
    }
    let completed = |m: &&Meld| m.rank == Some(rank) && m.grade(table.set()).is_some();
    table.melds_of(side).find(completed).map(|m| m.id)
}

/// Returns an own canasta of the rank that takes no further wild (CV-008), or `None` if there is none.
pub(crate) fn wilds_full(table: &Table, side: Side, rank: Rank) -> Option<&Meld> {
    let set = table.set();
    if set.take_canasta_rank != TakeCanastaRank::UnlessWildsFull {
        return None;
    }
    let full = |m: &&Meld| {
        m.rank == Some(rank) && m.grade(set).is_some() && set.max_wilds > 0 && m.wilds() >= set.max_wilds
    };
    table.melds_of(side).find(full)
}

/// Whether this many naturals and wilds take the pile if they and the top go to `target` (`None`: a new meld).
/// They must entitle to the pile, and the meld must have room for them. The answer is the verdict of `check`
/// without its reasons.
pub fn entitles(
    table: &Table,
    side: Side,
    target: Option<&Meld>,
    rank: Rank,
    naturals: u8,
    wilds: u8,
) -> bool {
    if !rank.is_natural() {
        return wilds >= 2 && table.frozen(side).is_empty();
    }
    let receiver = target.filter(|meld| takes_top(table.set(), meld));
    let full = || naturals == 1 && wilds > 0 && wilds_full(table, side, rank).is_some();
    let too_full = || target.is_some_and(|meld| excess(table, side, meld, naturals, wilds).is_some());
    let closed = || {
        let first = first_laid(table, side, target, naturals, wilds);
        surplus_after(table.set(), target.map_or(0, Meld::len) as u8, first, wilds) > 0
    };
    entitled(table, side, receiver, naturals, wilds) && !full() && !too_full() && !closed()
}

/// Returns the naturals and wilds that go to `target` with a natural top before all other cards (clarification
/// 29), the top included. The counts assume that the action names enough cards. A pair entitles to the pile. So
/// do a natural and a wild, which leave more room for wilds. With less than a pair only the own meld entitles,
/// and the top goes alone.
pub(crate) fn first_laid(
    table: &Table,
    side: Side,
    target: Option<&Meld>,
    naturals: u8,
    wilds: u8,
) -> (u8, u8) {
    let alone = target.filter(|meld| naturals < 2 && receives_alone(table, side, meld));
    let mixed = naturals > 0 && entitled(table, side, None, 1, wilds);
    let closes = |meld: &Meld| surplus(table.set(), meld.len() as u8 + 1, 1) > 0;
    match alone {
        // Exception: the top alone would close the canasta to the wild that takes the pile together with a
        // natural.
        Some(meld) if !(mixed && closes(meld)) => (1, 0),
        _ if mixed => (2, 1),
        _ => (3, 0),
    }
}

/// Whether it can matter if further cards for the meld that receives the top alone stand in `with` or in a
/// group of their own. In `with` they may make a pair, for which a canasta has no room.
pub(crate) fn splits(table: &Table) -> bool {
    let set = table.set();
    let limited =
        set.take_result_max > 0 || set.meld_max > 0 || set.canasta_accepts == CanastaAccepts::Naturals;
    limited && set.take_layoff != TakeLayoff::Never && table.phase == Phase::Start
}

/// Whether the top alone, added to this meld of its rank, takes the pile.
pub(crate) fn receives_alone(table: &Table, side: Side, meld: &Meld) -> bool {
    takes_top(table.set(), meld) && entitled(table, side, Some(meld), 0, 0)
}

/// Whether an own meld of the top's rank may receive the top under `take_layoff`.
pub(crate) fn takes_top(set: &RuleSet, meld: &Meld) -> bool {
    match set.take_layoff {
        TakeLayoff::Any => true,
        TakeLayoff::Incomplete => meld.grade(set).is_none(),
        TakeLayoff::Never => false,
    }
}

/// Returns kind and rank of the meld that a top goes to.
pub(crate) fn top_meld(top: Card) -> (MeldKind, Option<Rank>) {
    if top.is_wild() { (MeldKind::Wild, None) } else { (MeldKind::Set, Some(top.rank())) }
}

/// Returns the size of the meld with the top and the cards that entitle to the pile, and its maximum size;
/// `None` if the size is within the maximum (SAD-06, MA-065). Further cards count as laid later, and where the top is
/// merely added to the meld, `take_result_max` does not limit it (clarification 13).
pub(crate) fn excess(table: &Table, side: Side, meld: &Meld, naturals: u8, wilds: u8) -> Option<(u8, u8)> {
    let set = table.set();
    if (set.take_result_max, set.meld_max) == (0, 0) {
        return None;
    }
    let first = first_laid(table, side, Some(meld), naturals, wilds);
    let of_take = if first == (1, 0) { 0 } else { set.take_result_max };
    let most = [of_take, set.meld_max].into_iter().filter(|&max| max > 0).min()?;
    let size = meld.len() as u8 + first.0 + first.1;
    (size > most).then_some((size, most))
}

/// Whether the pile may not be taken because hand and pile have one card each (AMB-11).
pub(crate) fn one_card_forbidden(table: &Table, seat: usize) -> bool {
    let forbidden = match table.set().one_card_pile {
        OneCardPile::Allow => false,
        OneCardPile::Forbid => true,
        OneCardPile::UnlessStockEmpty => !table.stock.is_empty(),
    };
    forbidden && table.hands[seat].len() == 1 && table.pile.len() == 1
}

/// Whether the side may not take the pile because it has not melded (MV-004).
pub(crate) fn is_closed_turn(table: &Table, side: Side) -> bool {
    table.set().pile_unopened == PileUnopened::Closed && !table.opened(side)
}

/// Whether no take can be legal, whatever is named with the top.
pub fn is_barred(table: &Table, side: Side, top: Card) -> bool {
    !is_takable(table.set(), top)
        || one_card_forbidden(table, table.turn.seat.index())
        || is_closed_turn(table, side)
        || is_closed_by_threes(table, side)
        || rank_barred(table, side, top.rank()).is_some()
}

/// Whether the meld is a sequence that the top alone lengthens directly (SA-043), and the pile may be taken so:
/// it is not frozen, and the rule set allows it.
pub(crate) fn sequence_receives(table: &Table, meld: &Meld, top: Card) -> bool {
    let set = table.set();
    meld.kind == MeldKind::Sequence
        && table.frozen(meld.side).is_empty()
        && set.take_layoff != TakeLayoff::Never
        && Sequence::of_meld(meld)
            .is_some_and(|sequence| sequence.len < set.sequence_max && sequence.with(top).is_some())
}

/// Whether some own sequence may receive the top alone.
pub(crate) fn some_sequence_receives(table: &Table, side: Side, top: Card) -> bool {
    table.set().sequences && table.melds_of(side).any(|meld| sequence_receives(table, meld, top))
}

/// Whether a card on top of the pile can be taken by any meld.
pub(crate) fn is_takable(set: &RuleSet, top: Card) -> bool {
    match top.class() {
        Class::Natural => true,
        Class::Wild => set.wild_top == WildTop::WildPair,
        Class::RedThree | Class::BlackThree => false,
    }
}
