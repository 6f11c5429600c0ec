//! Drawing, and the automatic red threes (ALG-03).

use super::{end, start_play};
use crate::action::CardList;
use crate::card::{Card, Class};
use crate::event::{Event, Events};
use crate::seat::Seat;
use crate::state::{EndReason, Source, State};

/// Draws one card at a time; each red three is laid and replaced before the next is drawn (AMB-25).
pub(super) fn draw(state: &mut State, seat: Seat, events: &mut Events) {
    let at = events.len();
    let mut drawn = CardList::new();
    let mut unreplaced = false;
    for _ in 0..state.set().draw_count {
        let Some(card) = state.stock.pop() else { break };
        drawn.push(card);
        unreplaced = !keep_or_replace(state, seat, card, events);
        if unreplaced {
            break;
        }
    }
    events.insert(at, Event::Drew { seat, cards: drawn });
    start_play(state, Source::Stock);
    if unreplaced {
        // CL-093: the last card of the stock was a red three.
        end(state, EndReason::LastThree, Some(seat), events);
    }
}

/// Puts a card from the stock into the hand, or lays it and draws its replacement, and so on. `false` if
/// a three could not be replaced.
fn keep_or_replace(state: &mut State, seat: Seat, mut card: Card, events: &mut Events) -> bool {
    while card.class() == Class::RedThree {
        lay_three(state, seat, card, events);
        let Some(next) = state.stock.pop() else { return false };
        events.push(Event::Replaced { seat, card: next });
        card = next;
    }
    state.hands[seat.index()].insert(card);
    true
}

pub(super) fn lay_three(state: &mut State, seat: Seat, card: Card, events: &mut Events) {
    state.laid[seat.index()].insert(card);
    events.push(Event::ThreeLaid { seat, card });
}
