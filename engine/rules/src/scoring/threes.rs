//! Threes, laid and held (CL-103 to CL-107, MA-168 to MA-176).

use super::{Item, Ledger};
use crate::card::{Card, Cards, Class, Rank};
use crate::rules::{HeldThreesAsLaid, RuleSet, ThreeSign, ThreeTableUnit, ThreeUnit};
use crate::seat::{Seat, Side};
use crate::table::{EndReason, RoundOver, Table};

/// The line of the three table for `side`, or for its `seat` where seats keep the score.
pub(super) fn line(state: &Table, side: Side, seat: Option<Seat>, over: RoundOver, ledger: &mut Ledger) {
    let set = state.set();
    let (count, value) = match (set.three_unit, seat) {
        (ThreeUnit::Side, _) => table(state, state.seats_of(side)),
        // P3-010: each scores its own.
        (ThreeUnit::Seat, Some(seat)) => table(state, [seat]),
        (ThreeUnit::Seat, None) => {
            let each = state.seats_of(side).map(|seat| table(state, [seat]));
            each.fold((0, 0), |(count, value), (more, points)| (count + more, value + points))
        }
    };
    let melded = state.opened(side);
    let points = match set.three_sign {
        ThreeSign::ByCanastas => value * (i32::from(state.canastas(side).total) - 1).min(1),
        ThreeSign::TwoCanastas if state.canastas(side).total < 2 => -value,
        ThreeSign::TwoCanastas => value,
        _ if melded => value,
        ThreeSign::UnmeldedMinus => -value,
        ThreeSign::UnmeldedZero => 0,
        // HN-057, AMB-HN-21: only if another side goes out.
        ThreeSign::BeatenMinus if over.reason == EndReason::WentOut => -value,
        _ => value,
    };
    ledger.add(Item::Threes, Some(count), points);
}

/// The threes of `side` that count as laid as cards, each worth what the table gives for one (AMB-HN-24).
pub(super) fn as_cards(state: &Table, side: Side) -> i32 {
    let (laid, _) = table(state, state.seats_of(side));
    i32::from(laid) * value(state.set(), 1)
}

/// How many threes `seats` of one side have together, and the table's value for them.
fn table(state: &Table, seats: impl IntoIterator<Item = Seat>) -> (u16, i32) {
    let set = state.set();
    let mut threes = Cards::EMPTY;
    for seat in seats {
        threes.add(state.laid(seat));
        if counts_held(state, state.side_of(seat)) {
            let held = state.hand(seat).iter().filter(|card| set.lays(card.class()));
            held.for_each(|card| threes.insert(card));
        }
    }
    let (red, black) = (threes.red_threes(), threes.black_threes());
    let value = match set.three_table_unit {
        ThreeTableUnit::All => value(set, red + black),
        ThreeTableUnit::Colour => value(set, red) + value(set, black),
    };
    (threes.len(), value)
}

/// The table's value for so many threes.
fn value(set: &RuleSet, count: u8) -> i32 {
    usize::from(count).checked_sub(1).and_then(|i| set.three_table.get(i)).copied().unwrap_or(0)
}

/// AC-04: whether threes in the hands of `side` enter the table as if they had been laid.
fn counts_held(state: &Table, side: Side) -> bool {
    match state.set().held_threes_as_laid {
        HeldThreesAsLaid::Never => false,
        HeldThreesAsLaid::Unopened => !state.opened(side),
        HeldThreesAsLaid::Always => true,
    }
}

/// What a three in the hand of `seat` costs, unless it enters the table (clarification 10).
pub(super) fn held(state: &Table, seat: Seat, card: Card) -> i32 {
    let set = state.set();
    debug_assert_eq!(card.rank(), Rank::Three);
    match card.class() {
        class if set.lays(class) && counts_held(state, state.side_of(seat)) => 0,
        Class::RedThree => set.held_three_red,
        _ => set.held_three_black,
    }
}
