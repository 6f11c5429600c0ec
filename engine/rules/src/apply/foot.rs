//! The second hand (ALG-21).

use super::{Sink, go_out, stock};
use crate::action::CardList;
use crate::card::Cards;
use crate::event::Event;
use crate::rules::{FootComes, FootThrees};
use crate::seat::Seat;
use crate::table::Table;
use core::mem;

/// Picks up the foot if there is one (HF-077), else goes out. The last card has left the hand during the
/// turn.
pub(super) fn pick_up_or_go_out(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    if table.foot(seat).is_empty() {
        go_out(table, seat, events);
    } else {
        pick_up(table, seat, events);
    }
}

/// Picks up the foot at the beginning of a turn: the hand is empty, or the side has earned the first foot (HF-078, HF-110).
pub(super) fn begin_turn(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    let is_earned = || {
        table.set().foot_comes == FootComes::FirstCanasta
            && table.next_foot(seat) == seat.index()
            && table.canastas(table.side_of(seat)).total > 0
    };
    if !table.foot(seat).is_empty() && (table.hand(seat).is_empty() || is_earned()) {
        pick_up(table, seat, events);
    }
}

/// Moves the foot to the hand, and the next one if no card of it stays there (HF-115).
pub(super) fn pick_up(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    move_foot(table, seat, events);
    while table.hand(seat).is_empty() && !table.foot(seat).is_empty() {
        move_foot(table, seat, events);
    }
}

/// Moves the next foot. Threes of it that are laid as bonus cards are replaced only where the rules say so (HF-080, HF-108).
fn move_foot(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    let next = table.next_foot(seat);
    let foot = mem::replace(&mut table.feet[next], Cards::EMPTY);
    table.hands[seat.index()].add(&foot);
    events.add(|| Event::TookFoot { seat });
    let foot_threes = table.set().foot_threes;
    if foot_threes == FootThrees::Choice {
        return;
    }
    let threes: CardList = foot.iter().filter(|card| table.set().lays(card.class())).collect();
    for &card in &threes {
        table.hands[seat.index()].remove(card);
    }
    for card in threes {
        stock::lay_three(table, seat, card, events);
        if foot_threes == FootThrees::Replaced {
            // A foot is no draw: without a card that replaces the three, play goes on (HF-108).
            stock::replace(table, seat, events);
        }
    }
}
