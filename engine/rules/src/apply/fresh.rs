//! Threes in the hand that are still fresh: they were drawn or picked up in this turn (ALG-03).

use crate::card::{Card, Cards};
use crate::facts::held_threes;
use crate::rules::{DiscardWilds, ThreesWindow};
use crate::seat::Seat;
use crate::table::{Phase, Source, Table};

/// Records whether the hand is all wild after the draw, or after the threes that follow the draw (MA-085).
pub(super) fn mark_wild_draw(table: &mut Table, seat: Seat) {
    if table.set().discard_wilds == DiscardWilds::ForcedByDraw && table.turn.source == Source::Stock {
        let hand = &table.hands[seat.index()];
        table.turn.all_wild_draw = u16::from(hand.wilds()) == hand.len();
    }
}

/// Puts a card from the stock into the hand, and marks a three as fresh if the rule set needs this.
pub(super) fn receive(table: &mut Table, seat: Seat, card: Card) {
    table.hands[seat.index()].insert(card);
    let set = table.set();
    // Before the draw any three may be laid, so this only matters for late threes.
    let matters = table.phase != Phase::Start || !set.late_three_replaced;
    if set.lays(card.class()) && set.marks_fresh_threes() && matters {
        table.turn.fresh.insert(card);
    }
}

/// Forgets the fresh threes if only fresh threes can be laid: a three that was not laid at once stays in the
/// hand (MA-033).
pub(super) fn close_window(table: &mut Table) {
    if table.set().threes_window == ThreesWindow::StartOrFresh {
        table.turn.fresh = Cards::EMPTY;
    }
}

/// Marks all threes in the hand as fresh at the beginning of the seat's first turn: none of them is late.
pub(super) fn begin_turn(table: &mut Table, seat: Seat) {
    if table.set().spares_dealt_threes() && table.round.played & (1 << seat.0) == 0 {
        table.turn.fresh = held_threes(table);
    }
}

/// Records the end of the turn of `seat`: the threes that it still holds are late.
pub(super) fn end_turn(table: &mut Table, seat: Seat) {
    if table.set().marks_fresh_threes() {
        table.turn.fresh = Cards::EMPTY;
    }
    table.round.played |= u8::from(table.set().marks_turns()) << seat.0;
}
