//! Drawing, and the automatic red threes (ALG-03).

use super::{end, start_play, tentative, threes};
use crate::action::CardList;
use crate::card::Card;
use crate::event::{Event, Events};
use crate::rules::{LastThree, ThreesDrawn};
use crate::seat::Seat;
use crate::table::{EndReason, Source, Table};

/// Draws one card at a time; each red three is laid and replaced before the next is drawn (AMB-25).
pub(super) fn draw(state: &mut Table, seat: Seat, events: &mut Events) {
    let at = events.len();
    start_play(state, Source::Stock);
    threes::close_window(state);
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
    threes::mark_wild_draw(state, seat);
    if unreplaced {
        last_three(state, seat, events);
    }
}

/// CL-093: the last card of the stock was a red three.
pub(super) fn last_three(state: &mut Table, seat: Seat, events: &mut Events) {
    match state.set().last_three {
        LastThree::EndRound => {
            tentative::give_back(state, seat, events);
            end(state, EndReason::LastThree, Some(seat), events);
        }
        LastThree::MeldNoDiscard => state.turn.no_discard = true,
        LastThree::GoOn => {}
    }
}

/// Puts a card from the stock into the hand, or lays it and draws its replacement, and so on. `false` if
/// a three could not be replaced.
fn keep_or_replace(state: &mut Table, seat: Seat, mut card: Card, events: &mut Events) -> bool {
    if state.set().threes_drawn == ThreesDrawn::Choice {
        threes::receive(state, seat, card);
        return true;
    }
    while state.set().lays(card.class()) {
        lay_three(state, seat, card, events);
        let Some(next) = state.stock.pop() else { return false };
        events.push(Event::Replaced { seat, card: next });
        card = next;
    }
    state.hands[seat.index()].insert(card);
    true
}

/// The next card of the stock for a three that was laid; `false` if it could not be replaced.
pub(super) fn replace(state: &mut Table, seat: Seat, events: &mut Events) -> bool {
    let Some(card) = state.stock.pop() else { return false };
    events.push(Event::Replaced { seat, card });
    keep_or_replace(state, seat, card, events)
}

pub(super) fn lay_three(state: &mut Table, seat: Seat, card: Card, events: &mut Events) {
    state.laid[seat.index()].insert(card);
    events.push(Event::ThreeLaid { seat, card });
}
