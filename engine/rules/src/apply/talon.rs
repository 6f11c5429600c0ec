//! Talons: awarded after the discard that ends the turn of the initial meld, taken into the hand at the next
//! turn (ALG-20).

use super::{Sink, fresh, stock};
use crate::card::Card;
use crate::event::Event;
use crate::rules::{TalonAward, ThreesDrawn};
use crate::seat::Seat;
use crate::table::{Table, Talon, TalonPlace};

/// Sets the talons aside, after the hands are dealt (MA-012).
pub(super) fn deal(table: &mut Table) {
    for size in table.set().talons.clone() {
        let at = table.stock.len() - usize::from(size);
        let cards = table.stock.drain(at..).rev().collect();
        table.talons.push(Talon { place: TalonPlace::Centre, cards });
    }
}

/// Awards or offers a talon if `seat` has earned one. The turn has ended with a discard, and cards stay in
/// the hand.
pub(super) fn award(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    let Some(talon) = table.earned_talon() else { return };
    match table.set().talon_award {
        TalonAward::Auto => give(table, seat, talon, events),
        TalonAward::Manual => table.round.offered = Some(seat),
    }
}

/// Gives the offered talon to the seat that takes it (IR-060).
pub(super) fn take(table: &mut Table, events: &mut impl Sink) {
    let seat = table.round.offered.take().expect("a talon that is taken was offered");
    give(table, seat, table.talon_of(table.side_of(seat)), events);
}

fn give(table: &mut Table, seat: Seat, talon: usize, events: &mut impl Sink) {
    table.talons[talon].place = TalonPlace::Before(seat);
    events.add(|| Event::TalonAwarded { seat, talon: talon as u8 });
}

/// Moves the talon before `seat` to its hand, at the beginning of its turn (MA-113).
pub(super) fn join(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    let Some(talon) = table.talons.iter_mut().find(|t| t.place == TalonPlace::Before(seat)) else { return };
    let cards = core::mem::take(&mut talon.cards);
    talon.place = TalonPlace::Used;
    for &card in &cards {
        fresh::receive(table, seat, card);
    }
    events.add(|| Event::TookTalon { seat, cards: cards.iter().copied().collect() });
    if table.set().threes_drawn == ThreesDrawn::Auto {
        for card in cards {
            if table.set().lays(card.class()) {
                lay(table, seat, card, events);
            }
        }
    }
}

/// Lays a three of the talon and replaces it (MA-114), if threes are laid automatically. If the stock has no
/// replacement, nothing ends, because the three was not drawn.
fn lay(table: &mut Table, seat: Seat, card: Card, events: &mut impl Sink) {
    let held = table.hands[seat.index()].remove(card);
    assert!(held, "a three of the talon has come to the hand");
    table.turn.fresh.remove(card);
    stock::lay_three(table, seat, card, events);
    stock::replace(table, seat, events);
}
