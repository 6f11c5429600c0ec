//! The score of threes, laid and held (CL-103 to CL-107, MA-168 to MA-176).

use super::{Item, Ledger};
use crate::card::{Card, Cards, Class, Rank};
use crate::rules::{HeldThreesAsLaid, RuleSet, ThreeSign, ThreeTableUnit, ThreeUnit};
use crate::seat::{Seat, Side};
use crate::table::{EndReason, RoundOver, Table};

/// Adds the line of the three table for `side`, or for its `seat` if seats keep the score.
pub(super) fn line(table: &Table, side: Side, seat: Option<Seat>, over: RoundOver, ledger: &mut Ledger) {
    let set = table.set();
    let (count, value, aside) = match (set.three_unit, seat) {
        (ThreeUnit::Side, _) => bonus(table, table.seats_of(side)),
        // P3-010: each seat scores its own threes.
        (ThreeUnit::Seat, Some(seat)) => bonus(table, [seat]),
        (ThreeUnit::Seat, None) => {
            let each = table.seats_of(side).map(|seat| bonus(table, [seat]));
            each.fold((0, 0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1, sum.2 + more.2))
        }
    };
    let points = signed(set, value, table.opened(side), table.canastas(side).total, over.reason);
    ledger.add(Item::Threes, Some(count), points + aside);
}

/// Returns the table's value for threes with the sign that it has for a side with this number of canastas.
pub(super) fn signed(set: &RuleSet, value: i32, melded: bool, canastas: u8, reason: EndReason) -> i32 {
    match set.three_sign {
        ThreeSign::ByCanastas => value * (i32::from(canastas) - 1).min(1),
        ThreeSign::TwoCanastas if canastas < 2 => -value,
        ThreeSign::OneCanasta if canastas == 0 => -value,
        ThreeSign::TwoCanastas | ThreeSign::OneCanasta => value,
        _ if melded => value,
        ThreeSign::UnmeldedMinus => -value,
        ThreeSign::UnmeldedZero => 0,
        // HN-057, AMB-HN-21: threes count minus only if another side goes out.
        ThreeSign::BeatenMinus if reason == EndReason::WentOut => -value,
        _ => value,
    }
}

/// Returns the value of the threes of `side` that count as laid, as cards. Each is worth the table's value
/// for one three (AMB-HN-24).
pub(super) fn as_cards(table: &Table, side: Side) -> i32 {
    let (laid, ..) = bonus(table, table.seats_of(side));
    i32::from(laid) * value(table.set(), 1)
}

/// Returns the value of the threes that `side` has laid, as cards.
pub(crate) fn laid_as_cards(table: &Table, side: Side) -> i32 {
    let laid: u16 = table.seats_of(side).map(|seat| table.laid(seat).len()).sum();
    i32::from(laid) * value(table.set(), 1)
}

/// Returns the number of threes that `seats` of one side have together, the table's value for them, and that of black threes
/// that were set aside.
fn bonus(table: &Table, seats: impl IntoIterator<Item = Seat>) -> (u16, i32, i32) {
    let set = table.set();
    let mut threes = Cards::EMPTY;
    for seat in seats {
        threes.add(table.laid(seat));
        if counts_held(table, table.side_of(seat)) {
            let held = table.hand(seat).iter().filter(|card| set.lays(card.class()));
            held.for_each(|card| threes.insert(card));
        }
    }
    let (red, black) = (threes.red_threes(), threes.black_threes());
    (threes.len(), value_of(set, red, black), aside(set, black))
}

/// Returns the table's value for these numbers of threes. Black threes that are set aside have a table of their own.
pub(super) fn value_of(set: &RuleSet, red: u8, black: u8) -> i32 {
    let black = if set.lays(Class::BlackThree) { black } else { 0 };
    match set.three_table_unit {
        ThreeTableUnit::All => value(set, red + black),
        ThreeTableUnit::Colour => value(set, red) + value(set, black),
    }
}

/// Returns the table's value for `count` threes.
pub(crate) fn value(set: &RuleSet, count: u8) -> i32 {
    entry(&set.three_table, count)
}

/// Returns the value of `count` black threes that were set aside, which have no sign (CL-117).
pub(super) fn aside(set: &RuleSet, count: u8) -> i32 {
    entry(&set.black_three_table, count)
}

fn entry(table: &[i32], count: u8) -> i32 {
    usize::from(count).checked_sub(1).and_then(|i| table.get(i)).copied().unwrap_or(0)
}

/// Whether threes in the hands of `side` enter the table as if they had been laid (AC-04).
pub(crate) fn counts_held(table: &Table, side: Side) -> bool {
    match table.set().held_threes_as_laid {
        HeldThreesAsLaid::Never => false,
        HeldThreesAsLaid::Unopened => !table.opened(side),
        HeldThreesAsLaid::Always => true,
    }
}

/// Returns the cost of a three in the hand of `seat`, 0 if the three enters the table (clarification 10).
pub(super) fn held(table: &Table, seat: Seat, card: Card) -> i32 {
    let set = table.set();
    debug_assert_eq!(card.rank(), Rank::Three);
    match card.class() {
        class if set.lays(class) && counts_held(table, table.side_of(seat)) => 0,
        Class::RedThree => set.held_three_red,
        _ => set.held_three_black,
    }
}
