//! Drawing, and the automatic red threes (ALG-03).

use super::{Sink, end, fresh, loose, start_play};
use crate::action::CardList;
use crate::card::Card;
use crate::event::Event;
use crate::rules::{LastThree, ThreesDrawn};
use crate::seat::Seat;
use crate::table::{EndReason, Source, Table};

/// Draws one card at a time; each red three is laid and replaced before the next is drawn (AMB-25).
pub(super) fn draw(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    let at = events.place();
    start_play(table, Source::Stock);
    fresh::close_window(table);
    let mut drawn = CardList::new();
    let mut unreplaced = false;
    for _ in 0..table.set().cards_drawn(table.round.number) {
        let Some(card) = table.stock.pop() else { break };
        drawn.push(card);
        unreplaced = !keep_or_replace(table, seat, card, events);
        if unreplaced {
            break;
        }
    }
    events.insert_at(at, || Event::Drew { seat, cards: drawn });
    fresh::mark_wild_draw(table, seat);
    if unreplaced {
        last_three(table, seat, events);
    }
}

/// Applies the rule set's consequence of a red three that was the last card of the stock (CL-093).
pub(super) fn last_three(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    match table.set().last_three {
        LastThree::EndRound => {
            loose::give_back(table, seat, events);
            end(table, EndReason::LastThree, Some(seat), events);
        }
        LastThree::MeldNoDiscard => table.turn.no_discard = true,
        LastThree::GoOn => {}
    }
}

/// Puts a card from the stock into the hand. A three that must be laid is laid and replaced by the next card
/// of the stock, repeatedly. Returns false if a three could not be replaced.
fn keep_or_replace(table: &mut Table, seat: Seat, mut card: Card, events: &mut impl Sink) -> bool {
    if table.set().threes_drawn == ThreesDrawn::Choice {
        fresh::receive(table, seat, card);
        return true;
    }
    while table.set().lays(card.class()) {
        lay_three(table, seat, card, events);
        let Some(next) = table.stock.pop() else { return false };
        events.add(|| Event::Replaced { seat, card: next });
        card = next;
    }
    table.hands[seat.index()].insert(card);
    true
}

/// Draws the next card of the stock as the replacement of a laid three. Returns false if a three could not be
/// replaced.
pub(super) fn replace(table: &mut Table, seat: Seat, events: &mut impl Sink) -> bool {
    let Some(card) = table.stock.pop() else { return false };
    events.add(|| Event::Replaced { seat, card });
    keep_or_replace(table, seat, card, events)
}

pub(super) fn lay_three(table: &mut Table, seat: Seat, card: Card, events: &mut impl Sink) {
    table.laid[seat.index()].insert(card);
    events.add(|| Event::ThreeLaid { seat, card });
}
