//! The cards that a position does not name, dealt out in a fixed way.

use super::filling_order;
use super::position::{Position, Zone, is_dealt};
use crate::card::{Card, Class};
use crate::state::Setup;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

impl Position {
    /// The position with every card of the pack in a place.
    ///
    /// The cards that are not named are given out in the order four to king and ace, black threes, wilds. A
    /// pile of which nothing is said is one card; a stock or hand with a count gets so many; hands of which
    /// nothing is said get the size of a dealt hand, one card at a time from the left of the seat to move,
    /// and the stock the rest, top first. Where the stock is said, these hands get everything. Red threes lie
    /// at the bottom of the stock, or, where the stock is said, with the seat left of the one to move.
    pub fn setup(&self) -> Setup {
        let mut setup = self.setup.clone();
        if !is_dealt(setup.phase) {
            return setup;
        }
        let mut missing = setup.missing();
        missing.sort_by_key(|&card| filling_order(card));
        let at = missing.partition_point(|card| card.class() != Class::RedThree);
        let red: Vec<Card> = missing.split_off(at);
        let mut rest = VecDeque::from(missing);

        if self.pile == Zone::Unsaid {
            setup.pile.extend(rest.pop_front());
        }
        let mut stock: Vec<Card> = Vec::new();
        if let Zone::Count(count) = self.stock {
            stock.extend(rest.drain(..rest.len().min(usize::from(count))));
        }
        for (hand, zone) in setup.hands.iter_mut().zip(&self.hands) {
            if let Zone::Count(count) = *zone {
                let cards = rest.drain(..rest.len().min(usize::from(count)));
                cards.for_each(|card| hand.insert(card));
            }
        }
        self.deal_unsaid(&mut setup, &mut rest);
        if self.stock == Zone::Unsaid {
            stock.extend(rest);
            stock.extend(red);
        } else {
            let left = setup.turn.left(setup.rules.set().seats);
            red.into_iter().for_each(|card| setup.laid[left.index()].insert(card));
        }
        if self.stock != Zone::Named {
            stock.reverse();
            setup.stock = stock;
        }
        setup
    }

    fn deal_unsaid(&self, setup: &mut Setup, rest: &mut VecDeque<Card>) {
        let set = setup.rules.set();
        let (seats, hand_size) = (set.seats, u16::from(set.hand_size));
        let unsaid = self.hands.iter().filter(|&&zone| zone == Zone::Unsaid).count() as u16;
        let mut due = if self.stock == Zone::Unsaid { unsaid * hand_size } else { u16::MAX };
        let mut seat = setup.turn;
        while unsaid > 0 && due > 0 && !rest.is_empty() {
            seat = seat.left(seats);
            if self.hands[seat.index()] == Zone::Unsaid {
                rest.pop_front().into_iter().for_each(|card| setup.hands[seat.index()].insert(card));
                due -= 1;
            }
        }
    }
}

/// What is wrong if `left` cards, red threes not counted, cannot be given out as the position says.
pub(super) fn shortage(position: &Position, left: u16) -> Option<&'static str> {
    let count = |zone: &Zone| if let Zone::Count(count) = *zone { u32::from(count) } else { 0 };
    let wanted: u32 = position.hands.iter().chain([&position.stock]).map(count).sum();
    let left = u32::from(left.saturating_sub(u16::from(position.pile == Zone::Unsaid)));
    let open = position.hands.iter().chain([&position.stock]).any(|&zone| zone == Zone::Unsaid);
    if wanted > left {
        return Some("no more cards than the pack has");
    }
    (wanted < left && !open).then_some("a hand or a stock that takes the rest of the pack")
}
