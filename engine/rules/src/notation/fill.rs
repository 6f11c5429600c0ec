//! The cards that a position does not name, distributed in a fixed way.

use super::filling_order;
use super::position::{Position, Zone, is_dealt};
use crate::card::{Card, Class};
use crate::table::{Setup, Talon, TalonPlace};
use alloc::collections::VecDeque;
use alloc::vec::Vec;

impl Position {
    /// Returns the position with every card of the pack in a zone.
    ///
    /// Cards that the position does not name are distributed in the order four to king and ace, black threes,
    /// wilds:
    ///
    /// - If nothing is said about the pile, it gets one card.
    /// - Each unknown card of the pile gets a card.
    /// - A stock, hand or foot for which a count is said gets that number of cards.
    /// - A foot or talon about which nothing is said gets the size that it has at the deal.
    /// - If nothing is said about the stock, each hand about which nothing is said gets the size that it has
    ///   at the deal, and the stock gets the rest, top first. If the stock is said, these hands get all cards
    ///   that are left. These hands get one card at a time, beginning at the left of the seat to move.
    ///
    /// Red threes go to the bottom of the stock if nothing is said about the stock. Otherwise they are laid
    /// by the seat left of the seat to move.
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
        for &place in &self.pile_unknown {
            let place = usize::from(place).min(setup.pile.len());
            rest.pop_front().into_iter().for_each(|card| setup.pile.insert(place, card));
        }
        let mut stock: Vec<Card> = Vec::new();
        if let Zone::Count(count) = self.stock {
            stock.extend(rest.drain(..rest.len().min(usize::from(count))));
        }
        for (hand, zone) in setup.hands.iter_mut().zip(&self.hands) {
            if let Zone::Count(count) | Zone::Partly(count) = *zone {
                let cards = rest.drain(..rest.len().min(usize::from(count)));
                cards.for_each(|card| hand.insert(card));
            }
        }
        let foot_size = setup.rules.set().foot_size;
        for (foot, zone) in setup.feet.iter_mut().zip(&self.feet) {
            if let Some(count) = foot_count(zone, foot_size) {
                let cards = rest.drain(..rest.len().min(usize::from(count)));
                cards.for_each(|card| foot.insert(card));
            }
        }
        let sizes = setup.rules.set().talons.clone();
        for (talon, size) in setup.talons.iter_mut().zip(sizes).filter(|(talon, _)| is_filled(talon)) {
            talon.cards = rest.drain(..rest.len().min(usize::from(size))).collect();
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

/// Whether the cards of this talon must be filled in.
fn is_filled(talon: &Talon) -> bool {
    talon.place != TalonPlace::Used && talon.cards.is_empty()
}

/// Returns the number of cards to fill into a foot; `None` if its cards are named.
fn foot_count(zone: &Zone, foot_size: u8) -> Option<u16> {
    match *zone {
        Zone::Named => None,
        Zone::Count(count) | Zone::Partly(count) => Some(count),
        Zone::Unsaid => Some(foot_size.into()),
    }
}

/// Checks that `left` cards, not counting red threes, can be distributed as the position says. If not,
/// returns the words for what was expected.
pub(super) fn shortage(position: &Position, left: u16) -> Option<&'static str> {
    let count = |zone: &Zone| match *zone {
        Zone::Count(count) | Zone::Partly(count) => u32::from(count),
        Zone::Named | Zone::Unsaid => 0,
    };
    let foot_size = position.rules().set().foot_size;
    let feet: u32 = position.feet.iter().filter_map(|zone| foot_count(zone, foot_size)).map(u32::from).sum();
    let talons = position.setup.talons.iter().zip(&position.rules().set().talons);
    let talons: u32 = talons.filter(|(talon, _)| is_filled(talon)).map(|(_, &size)| u32::from(size)).sum();
    let wanted = position.hands.iter().chain([&position.stock]).map(count).sum::<u32>() + feet + talons;
    let wanted = wanted + position.pile_unknown.len() as u32;
    let left = u32::from(left.saturating_sub(u16::from(position.pile == Zone::Unsaid)));
    let open = position.hands.iter().chain([&position.stock]).any(|&zone| zone == Zone::Unsaid);
    if wanted > left {
        return Some("no more cards than the pack has");
    }
    (wanted < left && !open).then_some("a hand or a stock that takes the rest of the pack")
}
