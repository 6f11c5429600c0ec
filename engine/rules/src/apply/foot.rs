//! The second hand (ALG-21).

use super::{go_out, stock};
use crate::action::CardList;
use crate::card::Cards;
use crate::event::{Event, Events};
use crate::rules::FootThrees;
use crate::seat::Seat;
use crate::table::Table;
use core::mem;

/// The last card has left the hand during the turn: the foot comes to it (HF-077), or the seat has gone out.
pub(super) fn pick_up_or_go_out(state: &mut Table, seat: Seat, events: &mut Events) {
    if state.foot(seat).is_empty() {
        go_out(state, seat, events);
    } else {
        pick_up(state, seat, events);
    }
}

/// Moves the foot to the empty hand. Its threes that are laid as bonus cards are not replaced (HF-080).
pub(super) fn pick_up(state: &mut Table, seat: Seat, events: &mut Events) {
    state.hands[seat.index()] = mem::replace(&mut state.feet[seat.index()], Cards::EMPTY);
    events.push(Event::TookFoot { seat });
    if state.set().foot_threes == FootThrees::Choice {
        return;
    }
    let set = state.set();
    let threes: CardList = state.hand(seat).iter().filter(|card| set.lays(card.class())).collect();
    for card in threes {
        state.hands[seat.index()].remove(card);
        stock::lay_three(state, seat, card, events);
    }
}
