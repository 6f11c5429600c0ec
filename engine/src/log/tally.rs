//! A second count of a finished round, from the final table only.
//!
//! It shares nothing with [`crate::scoring`]: the audit compares both with what the log declares, so one
//! slip in either is seen.

use crate::action::MeldKind;
use crate::card::{Cards, Class, Rank};
use crate::rules::{RuleSet, ThreeSign};
use crate::state::{EndReason, RoundOver, State};
use alloc::vec::Vec;

/// The points of each side for the round that has ended, counted from what lies on the table.
pub fn totals(state: &State, over: RoundOver) -> Vec<i64> {
    let set = state.set();
    let sides = usize::from(set.side_count);
    let mut totals = alloc::vec![0i64; sides];
    let mut has_meld = alloc::vec![false; sides];
    for meld in state.melds() {
        has_meld[meld.side.index()] = true;
        totals[meld.side.index()] += value(set, &meld.cards) + meld_bonus(set, meld.kind, &meld.cards);
    }
    for side in 0..sides {
        let seats = (side..usize::from(set.seats)).step_by(sides).map(|seat| crate::seat::Seat(seat as u8));
        let mut threes = 0usize;
        for seat in seats {
            threes += usize::from(state.laid(seat).len());
            totals[side] -= value(set, state.hand(seat));
            if over.reason == EndReason::WentOut && over.seat == Some(seat) {
                totals[side] += i64::from(set.bonus_out);
                totals[side] += if over.concealed { i64::from(set.bonus_concealed) } else { 0 };
            }
        }
        totals[side] += threes_value(set, threes, has_meld[side]);
    }
    totals
}

fn value(set: &RuleSet, cards: &Cards) -> i64 {
    cards
        .iter()
        .filter(|card| card.class() != Class::RedThree)
        .map(|card| i64::from(set.card_points.of(card)))
        .sum()
}

fn meld_bonus(set: &RuleSet, kind: MeldKind, cards: &Cards) -> i64 {
    let (size, wilds) = (cards.len(), u16::from(cards.wilds()));
    let natural = cards.iter().find(|card| !card.is_wild()).map(|card| card.rank());
    let full = size >= u16::from(set.canasta_size);
    let points = match (kind, full) {
        (MeldKind::BlackThrees | MeldKind::Sequence, _) => 0,
        (MeldKind::Wild, false) => -set.penalty_incomplete.wild().unwrap_or(0),
        (MeldKind::Wild, true) => wild_canasta(set, cards.rank_count(Rank::Joker)),
        (MeldKind::Set, true) if wilds > 0 => set.bonus_mixed,
        (MeldKind::Set, true) => {
            natural.and_then(|rank| set.bonus_rank.get(rank)).unwrap_or(set.bonus_natural)
        }
        // Of aces only a pure meld is penalised.
        (MeldKind::Set, false) if natural == Some(Rank::Ace) && wilds > 0 => 0,
        (MeldKind::Set, false) => -natural.and_then(|rank| set.penalty_incomplete.get(rank)).unwrap_or(0),
    };
    i64::from(points)
}

fn wild_canasta(set: &RuleSet, jokers: u8) -> i32 {
    let special = match jokers {
        0 => set.bonus_wild_twos,
        1..=3 => 0,
        _ => set.bonus_wild_jokers,
    };
    if special == 0 { set.bonus_wild } else { special }
}

fn threes_value(set: &RuleSet, count: usize, has_meld: bool) -> i64 {
    if count == 0 {
        return 0;
    }
    let value = set.three_table.get(count - 1).copied().map_or(0, i64::from);
    match set.three_sign {
        ThreeSign::UnmeldedMinus if !has_meld => -value,
        ThreeSign::UnmeldedZero if !has_meld => 0,
        _ => value,
    }
}
