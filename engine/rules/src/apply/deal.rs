//! The deal: from the wall to the leader's turn (ALG-02).

use super::{begin_turn, froze_event, stock, talon};
use crate::action::CardList;
use crate::card::{Card, Cards};
use crate::event::{Event, Events};
use crate::rules::{StartCard, ThreesDealt};
use crate::seat::Seat;
use crate::table::{Cut, EndReason, Phase, RoundOver, Table};
use alloc::vec;
use alloc::vec::Vec;

pub(super) fn deal(state: &mut Table, wall: &[Card], cut: Cut, events: &mut Events) {
    state.gather();
    state.round.over = None;
    state.round.cut = cut;
    state.stock.extend(wall.iter().rev());
    deal_hands(state, events);
    if state.set().start_card == StartCard::One {
        turn_upcards(state, events);
    }
    let leader = state.round.dealer.left(state.set().seats);
    if state.set().threes_dealt == ThreesDealt::Auto {
        lay_dealt_threes(state, leader, events);
    }
    begin_turn(state, leader, events);
}

/// No card is dealt: the round is registered again.
pub(super) fn void(state: &mut Table) {
    state.gather();
    state.round.over = Some(RoundOver { reason: EndReason::Voided, seat: None, concealed: false });
    state.phase = Phase::RoundOver;
}

/// One card at a time, clockwise from the leader (AMB-04).
fn deal_hands(state: &mut Table, events: &mut Events) {
    let (seats, hand_size) = (state.set().seats, state.set().hand_size);
    let mut hands: Vec<CardList> = vec![CardList::new(); usize::from(seats)];
    for _ in 0..hand_size {
        let mut seat = state.round.dealer;
        for _ in 0..seats {
            seat = seat.left(seats);
            let card = state.stock.pop().expect("the pack is larger than the deal (forbidden combination 6)");
            state.hands[seat.index()].insert(card);
            hands[seat.index()].push(card);
        }
    }
    deal_feet(state);
    talon::deal(state);
    let foot_sizes = state.feet.iter().map(Cards::len).collect();
    let talon_sizes = state.set().talons.iter().map(|&size| size.into()).collect();
    events.push(Event::Dealt { hands, foot_sizes, talon_sizes });
}

/// The feet come after the hands, in the same way (HF-026, HF-029).
fn deal_feet(state: &mut Table) {
    let (seats, foot_size) = (state.set().seats, state.set().foot_size);
    for _ in 0..foot_size {
        let mut seat = state.round.dealer;
        for _ in 0..seats {
            seat = seat.left(seats);
            let card = state.stock.pop().expect("the pack is larger than the deal (forbidden combination 6)");
            state.feet[seat.index()].insert(card);
        }
    }
}

/// CL-011, CL-012: cards that must be covered stay in the pile and the next is turned onto them.
fn turn_upcards(state: &mut Table, events: &mut Events) {
    let (cover, freezers) = (state.set().start_cover, state.set().start_freezes);
    let mut first_cause = None;
    loop {
        let card = state.stock.pop().expect("a card that needs no cover is left (forbidden combination 6)");
        let covered = cover.contains(card.class());
        state.round.start_len += 1;
        let cause = state.push_pile(card, freezers);
        first_cause = first_cause.or(cause);
        events.push(Event::Upcard { card, covered });
        if !covered {
            break;
        }
    }
    if let Some(cause) = first_cause {
        froze_event(cause, events);
    }
}

/// CL-013: each seat in turn lays its red threes and draws as many, until it has none.
fn lay_dealt_threes(state: &mut Table, leader: Seat, events: &mut Events) {
    let seats = state.set().seats;
    let mut seat = leader;
    for _ in 0..seats {
        lay_all(state, seat, events);
        seat = seat.left(seats);
    }
}

fn lay_all(state: &mut Table, seat: Seat, events: &mut Events) {
    loop {
        let set = state.set();
        let threes: CardList = state.hand(seat).iter().filter(|card| set.lays(card.class())).collect();
        if threes.is_empty() {
            return;
        }
        let hand = &mut state.hands[seat.index()];
        for &card in &threes {
            hand.remove(card);
        }
        for &card in &threes {
            stock::lay_three(state, seat, card, events);
        }
        for _ in &threes {
            let card = state.stock.pop().expect("replacements are left (forbidden combination 6)");
            state.hands[seat.index()].insert(card);
            events.push(Event::Replaced { seat, card });
        }
    }
}
