//! The second hand (ALG-21).

use super::{Sink, go_out, stock};
use crate::action::CardList;
use crate::card::Cards;
use crate::event::Event;
use crate::rules::FootThrees;
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

/// Moves the foot to the empty hand. Threes of the foot that are laid as bonus cards are not replaced
/// (HF-080).
pub(super) fn pick_up(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    table.hands[seat.index()] = mem::replace(&mut table.feet[seat.index()], Cards::EMPTY);
    events.add(|| Event::TookFoot { seat });
    if table.set().foot_threes == FootThrees::Choice {
        return;
    }
    let set = table.set();
    let threes: CardList = table.hand(seat).iter().filter(|card| set.lays(card.class())).collect();
    for card in threes {
        table.hands[seat.index()].remove(card);
        stock::lay_three(table, seat, card, events);
    }
}
