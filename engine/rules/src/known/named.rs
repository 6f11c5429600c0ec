//! The cards that an action names, and cards to try in their place.

use super::{Known, Misfit, PlaceholderZone};
use crate::action::{Action, CardList, EffectKind, Ruling};
use crate::card::{Card, Cards, Rank};
use crate::seat::Seat;
use crate::table::{Source, Table};
use alloc::vec::Vec;

impl Known {
    /// Returns the cards of the pack that nobody has shown, wherever they are.
    pub fn unseen_pack(&self, table: &Table) -> Cards {
        self.unseen_cards(table, anywhere).collect()
    }

    /// Returns that in these hands all cards besides those `named` are placeholders.
    pub fn besides(named: &[Cards], hands: &[Cards]) -> Self {
        let mut known = Self::default();
        for ((open, hand), named) in known.open.iter_mut().zip(hands).zip(named) {
            *open = *hand;
            open.subtract(named);
        }
        known
    }

    /// Makes the cards that an action names from the hand known: exchanges placeholders for those that are missing. The
    /// penalty cards of a ruling are others than those that earlier rulings name, and no threes that are laid by themselves.
    pub fn show(&mut self, table: &mut Table, seat: Seat, action: &Action) -> Result<(), Misfit> {
        let Some(hand) = table.hands.get(seat.index()) else { return Ok(()) };
        let (mut named, mut known) = (from_hand(action), *hand);
        known.subtract(self.open(seat));
        if action.is_official() {
            known.subtract(&table.rulings().penalty_cards(seat));
            let set = table.set();
            named.retain(|card| set.may_hold(card.class()));
        }
        let named_in_all: Cards = named.iter().copied().collect();
        for card in named {
            if known.remove(card) {
                continue;
            }
            if !self.open[seat.index()].remove(card) {
                // Without a placeholder to exchange, the seat cannot have held the card, and the check refuses it.
                let spare = |other: &Card| named_in_all.count(*other) == 0;
                let Some(other) = self.open(seat).iter().find(spare).or(self.open(seat).iter().next()) else {
                    continue;
                };
                if !self.fetch(table, PlaceholderZone::Hand(seat), other, card, anywhere) {
                    return Err(Misfit::NoneLeft(card));
                }
                self.open[seat.index()].remove(card);
            }
            // A three that nobody has seen before may have been drawn in this turn.
            let lays = matches!(action, Action::LayThrees(_)) && table.set().marks_fresh_threes();
            if lays && table.turn.seat == seat && table.turn.source == Source::Stock {
                table.turn.fresh.insert(card);
            }
        }
        Ok(())
    }
}

/// Returns the seat of whose hand an action names cards: its actor, or of a ruling the seat that gets penalty cards.
pub fn holder(actor: Option<Seat>, action: &Action) -> Option<Seat> {
    match action {
        Action::Ruling(ruling) if is_penalty(ruling) => ruling.effect.seat,
        _ => actor,
    }
}

fn is_penalty(ruling: &Ruling) -> bool {
    ruling.effect.kind == EffectKind::PenaltyCards
}

/// Returns the cards that an action names from the hand of its [`holder`].
pub fn from_hand(action: &Action) -> CardList {
    match action {
        Action::Discard(card) => core::iter::once(*card).collect(),
        Action::Ruling(ruling) if is_penalty(ruling) => ruling.effect.cards.iter().copied().collect(),
        _ => action.laid().collect(),
    }
}

/// Returns the cards to try in attempt `n`: all cards of one rank, or 30 cards from some place of the stock.
pub(super) fn wish(table: &Table, n: usize) -> Vec<Card> {
    match Rank::ALL.get(n) {
        Some(&rank) => table.rules.census().iter().filter(|card| card.rank() == rank).collect(),
        None => table.stock.iter().skip((n - Rank::ALL.len()) * 7).take(30).copied().collect(),
    }
}

/// Returns true: every place of the stock may be used.
pub(super) fn anywhere(_: usize) -> bool {
    true
}
