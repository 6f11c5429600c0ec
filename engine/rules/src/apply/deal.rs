//! The deal, from the wall to the leader's turn (ALG-02).

use super::{Sink, begin_turn, froze_event, stock, talon};
use crate::action::CardList;
use crate::card::{Card, Cards};
use crate::event::Event;
use crate::rules::{StartCard, ThreesDealt};
use crate::seat::Seat;
use crate::table::{Cut, EndReason, Phase, RoundOver, Table};
use smallvec::SmallVec;

pub(super) fn deal(table: &mut Table, wall: &[Card], cut: Cut, events: &mut impl Sink) {
    table.gather();
    table.round.over = None;
    table.round.cut = cut;
    table.stock.extend(wall.iter().rev());
    deal_hands(table, wall, events);
    if table.set().start_card == StartCard::One {
        turn_upcards(table, events);
    }
    let leader = table.round.dealer.left(table.set().seats);
    if table.set().threes_dealt == ThreesDealt::Auto {
        lay_dealt_threes(table, leader, events);
    }
    begin_turn(table, leader, events);
}

/// Ends the round without dealing a card. The round is then registered again.
pub(super) fn void(table: &mut Table) {
    table.gather();
    table.round.over = Some(RoundOver::without_seat(EndReason::Voided));
    table.phase = Phase::RoundOver;
}

/// Deals the hands one card at a time, clockwise from the leader (AMB-04).
fn deal_hands(table: &mut Table, wall: &[Card], events: &mut impl Sink) {
    let (seats, hand_size) = (table.set().seats, table.set().hand_size);
    for _ in 0..hand_size {
        let mut seat = table.round.dealer;
        for _ in 0..seats {
            seat = seat.left(seats);
            let card = table.stock.pop().expect("the pack is larger than the deal (forbidden combination 6)");
            table.hands[seat.index()].insert_copy(card);
        }
    }
    deal_feet(table);
    talon::deal(table);
    events.add(|| {
        let leader = table.round.dealer.left(seats);
        let hand = |seat: Seat| {
            let before = (seat.0 + seats - leader.0) % seats;
            let cards = wall.iter().skip(before.into()).step_by(seats.into());
            cards.take(hand_size.into()).copied().collect()
        };
        Event::Dealt {
            hands: table.seats().map(hand).collect(),
            foot_sizes: table.feet.iter().map(Cards::len).collect(),
            talon_sizes: table.set().talons.iter().map(|&size| size.into()).collect(),
        }
    });
}

/// Deals the feet after the hands, in the same way (HF-026, HF-029).
fn deal_feet(table: &mut Table) {
    let (seats, sizes) = (table.set().seats, table.set().foot_sizes().collect::<SmallVec<[u8; 4]>>());
    for (feet, size) in table.feet.chunks_mut(seats.into()).zip(sizes) {
        for _ in 0..size {
            let mut seat = table.round.dealer;
            for _ in 0..seats {
                seat = seat.left(seats);
                let card =
                    table.stock.pop().expect("the pack is larger than the deal (forbidden combination 6)");
                feet[seat.index()].insert_copy(card);
            }
        }
    }
}

/// Turns the upcards: a card that must be covered stays in the pile, and the next card is turned onto it
/// (CL-011, CL-012).
fn turn_upcards(table: &mut Table, events: &mut impl Sink) {
    let (cover, freezers) = (table.set().start_cover, table.set().start_freezes);
    let mut first_cause = None;
    loop {
        let card = table.stock.pop().expect("a card that needs no cover is left (forbidden combination 6)");
        let covered = cover.contains(card.class());
        table.round.start_len += 1;
        let cause = table.push_pile(card, freezers);
        first_cause = first_cause.or(cause);
        events.add(|| Event::Upcard { card, covered });
        if !covered {
            break;
        }
    }
    if let Some(cause) = first_cause {
        froze_event(cause, events);
    }
}

/// Lays the red threes of each seat in turn, and replaces them until the seat has none (CL-013).
fn lay_dealt_threes(table: &mut Table, leader: Seat, events: &mut impl Sink) {
    let seats = table.set().seats;
    let mut seat = leader;
    for _ in 0..seats {
        lay_all(table, seat, events);
        seat = seat.left(seats);
    }
}

fn lay_all(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    loop {
        let set = table.set();
        let threes: CardList = table.hand(seat).iter().filter(|card| set.lays(card.class())).collect();
        if threes.is_empty() {
            return;
        }
        for &card in &threes {
            table.hands[seat.index()].remove(card);
            stock::lay_three(table, seat, card, events);
        }
        for _ in &threes {
            let card = table.stock.pop().expect("replacements are left (forbidden combination 6)");
            table.hands[seat.index()].insert(card);
            events.add(|| Event::Replaced { seat, card });
        }
    }
}
