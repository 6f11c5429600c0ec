//! Cards that the text shows to its reader although they follow: dealt and drawn cards.
//!
//! They are shown for rounds that the log itself reveals, and for no others. If a text that is read has them,
//! they are compared with the cards that follow.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_rules::action::{Action, CardList, Deal};
use canasta_rules::card::{Card, Cards};
use canasta_rules::event::Event;
use canasta_rules::notation::sorted;

/// The cards that an action brought; empty if the action brought no shown cards.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// For a deal: the hands as dealt, by seat, in the order of writing.
    pub hands: Vec<Vec<Option<Card>>>,
    /// For a deal: the upcards from the bottom up.
    pub upcards: Vec<Option<Card>>,
    /// The cards from the stock: drawn cards, then the replacements of threes.
    pub received: Vec<Option<Card>>,
}

impl Shown {
    /// Returns the cards that an action brought, from its events.
    pub(super) fn of(action: &Action, events: &[Event]) -> Self {
        let mut shown = Self::default();
        let replaced = events.iter().filter_map(|event| match event {
            Event::Replaced { card, .. } => Some(Some(*card)),
            _ => None,
        });
        match action {
            Action::Deal(_) => {
                for event in events {
                    match event {
                        Event::Dealt { hands, .. } => {
                            let hand = |hand: &CardList| hand.iter().copied().collect::<Cards>();
                            let hands = hands.iter().map(|cards| sorted(&hand(cards)));
                            shown.hands = hands.map(|hand| hand.into_iter().map(Some).collect()).collect();
                        }
                        Event::Upcard { card, .. } => shown.upcards.push(Some(*card)),
                        _ => {}
                    }
                }
                shown.received = replaced.collect();
            }
            Action::DrawStock => {
                let drew = events.iter().filter_map(|event| match event {
                    Event::Drew { cards, .. } => Some(cards),
                    _ => None,
                });
                let drew = drew.flatten().map(|card| Some(*card));
                shown.received = drew.chain(replaced).collect();
            }
            _ => {}
        }
        shown
    }

    /// Splits an action into the action without shown cards, and those cards.
    pub(super) fn split(action: &Action, received: Option<&[Option<Card>]>) -> (Action, Self) {
        let received = received.map_or_else(Vec::new, <[_]>::to_vec);
        match action {
            Action::Deal(deal) => {
                let Deal { hands, upcards, .. } = &**deal;
                let shown = Self { hands: hands.clone(), upcards: upcards.clone(), received };
                let deal = Deal { hands: Vec::new(), upcards: Vec::new(), ..(**deal).clone() };
                (Action::Deal(Box::new(deal)), shown)
            }
            action => (action.clone(), Self { received, ..Self::default() }),
        }
    }

    /// Returns the action as it is written, with the dealt cards if there are any.
    pub(super) fn join(&self, action: &Action) -> Action {
        match action {
            Action::Deal(deal) if !self.hands.is_empty() => Action::Deal(Box::new(Deal {
                hands: self.hands.clone(),
                upcards: self.upcards.clone(),
                ..(**deal).clone()
            })),
            action => action.clone(),
        }
    }

    /// Compares the shown cards of a text with `found`. Returns the first difference as text; cards that the
    /// text does not show are not compared.
    pub(super) fn differs(&self, found: &Self) -> Option<String> {
        let hands = self.hands.iter().enumerate().find_map(|(seat, hand)| {
            let found = found.hands.get(seat).map_or(&[][..], |hand| &hand[..]);
            fault(&format!("in the hand of seat {seat}"), hand, found, false)
        });
        hands
            .or_else(|| fault("upcards", &self.upcards, &found.upcards, true))
            .or_else(|| fault("from the stock", &self.received, &found.received, true))
    }
}

/// Returns the difference between claimed and found cards as text; an unknown claimed card matches any card.
fn fault(what: &str, claimed: &[Option<Card>], found: &[Option<Card>], in_order: bool) -> Option<String> {
    let fits = match in_order {
        _ if claimed.len() != found.len() => false,
        true => {
            let same =
                |(claimed, found): (&Option<Card>, &Option<Card>)| claimed.is_none() || claimed == found;
            claimed.iter().zip(found).all(same)
        }
        false => {
            let cards = |cards: &[Option<Card>]| cards.iter().flatten().copied().collect::<Cards>();
            cards(found).contains(&cards(claimed))
        }
    };
    if claimed.is_empty() || fits {
        return None;
    }
    let list = |cards: &[Option<Card>]| {
        let mut text = String::new();
        canasta_rules::notation::action::write_known(cards, &mut text);
        text
    };
    Some(format!("expected {what} {}, which follows from the deal, found {}", list(found), list(claimed)))
}
