//! Talons: awarded after the discard that ends the turn of the initial meld, in hand at the next turn (ALG-20).

use super::{stock, threes};
use crate::card::Card;
use crate::event::{Event, Events};
use crate::rules::{TalonAward, ThreesDrawn};
use crate::seat::Seat;
use crate::table::{Table, Talon, TalonPlace};

/// Sets the talons aside, after the hands are dealt (MA-012).
pub(super) fn deal(state: &mut Table) {
    for size in state.set().talons.clone() {
        let at = state.stock.len() - usize::from(size);
        let cards = state.stock.drain(at..).rev().collect();
        state.talons.push(Talon { place: TalonPlace::Centre, cards });
    }
}

/// The turn of `seat` has ended with a discard, and cards stay in its hand.
pub(super) fn award(state: &mut Table, seat: Seat, events: &mut Events) {
    let Some(talon) = state.earned_talon() else { return };
    match state.set().talon_award {
        TalonAward::Auto => give(state, seat, talon, events),
        TalonAward::Manual => state.round.offered = Some(seat),
    }
}

/// The seat takes what it has earned (IR-060).
pub(super) fn take(state: &mut Table, events: &mut Events) {
    let seat = state.round.offered.take().expect("a talon that is taken was offered");
    give(state, seat, state.talon_of(state.side_of(seat)), events);
}

fn give(state: &mut Table, seat: Seat, talon: usize, events: &mut Events) {
    state.talons[talon].place = TalonPlace::Before(seat);
    events.push(Event::TalonAwarded { seat, talon: talon as u8 });
}

/// At the beginning of the turn of `seat` the talon before it joins the hand (MA-113).
pub(super) fn join(state: &mut Table, seat: Seat, events: &mut Events) {
    let Some(talon) = state.talons.iter_mut().find(|t| t.place == TalonPlace::Before(seat)) else { return };
    let cards = core::mem::take(&mut talon.cards);
    talon.place = TalonPlace::Used;
    for &card in &cards {
        threes::receive(state, seat, card);
    }
    events.push(Event::TookTalon { seat, cards: cards.iter().copied().collect() });
    if state.set().threes_drawn == ThreesDrawn::Auto {
        for card in cards {
            if state.set().lays(card.class()) {
                lay(state, seat, card, events);
            }
        }
    }
}

/// MA-114, where threes are laid by themselves. What the stock cannot replace ends nothing: it was not drawn.
fn lay(state: &mut Table, seat: Seat, card: Card, events: &mut Events) {
    let held = state.hands[seat.index()].remove(card);
    assert!(held, "a three of the talon has come to the hand");
    state.turn.fresh.remove(card);
    stock::lay_three(state, seat, card, events);
    stock::replace(state, seat, events);
}
