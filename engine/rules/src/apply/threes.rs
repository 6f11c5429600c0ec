//! Threes that are laid by choice (ALG-03).

use super::{Sink, end, foot, start_play, stock, tentative};
use crate::card::{Card, Cards};
use crate::check::least_to_end;
use crate::rules::{DiscardWilds, LastThree, ThreesDrawn, ThreesWindow};
use crate::seat::Seat;
use crate::table::{EndReason, Phase, Source, Table};

/// Lays threes one after another. Each is replaced before the next is laid (AC-01, AC-06).
pub(super) fn lay(table: &mut Table, seat: Seat, cards: &[Card], events: &mut impl Sink) {
    for &card in cards {
        let held = table.hands[seat.index()].remove(card);
        assert!(held, "a three that is laid is held");
        stock::lay_three(table, seat, card, events);
        if is_late(table, seat, card) || is_of_foot(table, seat) {
            continue;
        }
        table.turn.fresh.remove(card);
        if stock::replace(table, seat, events) {
            continue;
        }
        match table.set().last_three {
            // MA-038: no meld and no discard follow.
            LastThree::EndRound => {
                tentative::settle(table, seat);
                return end(table, EndReason::LastThree, Some(seat), events);
            }
            // Clarification 7: no discard follows, and also no draw if the seat has not drawn.
            LastThree::MeldNoDiscard => {
                let source = if table.phase == Phase::Start { Source::Stock } else { table.turn.source };
                start_play(table, source);
                table.turn.no_discard = true;
            }
            LastThree::GoOn => {}
        }
    }
    if table.phase == Phase::Play && !table.turn.melded_since_draw {
        mark_wild_draw(table, seat);
    }
    if table.hand(seat).is_empty() && !table.foot(seat).is_empty() {
        foot::pick_up(table, seat, events);
    }
}

/// Records whether the hand is all wild after the draw, or after the threes that follow the draw (MA-085).
pub(super) fn mark_wild_draw(table: &mut Table, seat: Seat) {
    if table.set().discard_wilds == DiscardWilds::ForcedByDraw && table.turn.source == Source::Stock {
        let hand = &table.hands[seat.index()];
        table.turn.all_wild_draw = u16::from(hand.wilds()) == hand.len();
    }
}

/// Whether threes in the hand came with the foot and are therefore not replaced (HF-080). In a rule set with
/// feet, all other threes are laid as they come or with the first hand, unless drawn threes may be held. In
/// that case threes of the foot are laid when the foot is picked up, or they count as late.
fn is_of_foot(table: &Table, seat: Seat) -> bool {
    let set = table.set();
    set.foot_size > 0 && table.foot(seat).is_empty() && set.threes_drawn == ThreesDrawn::Auto
}

/// Whether the three that was just laid could have been laid in an earlier turn, so that it is not replaced
/// (IR-042). Of several copies of `card` the late ones are laid first. If so few cards stay that the turn
/// could not end, the three had to be laid (MA-039); it is then replaced although it is late.
fn is_late(table: &Table, seat: Seat, card: Card) -> bool {
    let hand = table.hand(seat);
    !table.set().late_three_replaced
        && hand.count(card) >= table.turn.fresh.count(card)
        && hand.len() >= u16::from(least_to_end(table))
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
    if table.set().marks_turns() && table.round.played & (1 << seat.0) == 0 {
        table.turn.fresh = crate::check::held_threes(table);
    }
}

/// Records the end of the turn of `seat`: the threes that it still holds are late.
pub(super) fn end_turn(table: &mut Table, seat: Seat) {
    if table.set().marks_fresh_threes() {
        table.turn.fresh = Cards::EMPTY;
        table.round.played |= u8::from(table.set().marks_turns()) << seat.0;
    }
}
