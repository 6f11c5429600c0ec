//! Memory of a round: the cards that were shown and no longer lie in view.

use alloc::vec::Vec;
use canasta_rules::action::As;
use canasta_rules::card::{Card, Cards};
use canasta_rules::event::Event;
use canasta_rules::seat::{SEATS_MAX, Seat};
use canasta_rules::table::Table;
use canasta_rules::view::EventView;

/// The cards of a round that all have seen and that are no longer in view. It is the same for everyone who watched.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundMemory {
    /// The pile, bottom to top.
    pub(super) pile: Vec<Card>,
    /// By seat: the cards of its hand that it took from the pile.
    pub(super) held: [Cards; SEATS_MAX],
    /// The top of the pile, while it is taken tentatively.
    pub(super) taken: Option<Card>,
}

/// The part of a memory that a choice looks at; [`Recall::NONE`] for a player who looks at the table only.
#[derive(Clone, Copy, Debug)]
pub struct Recall<'a> {
    /// The pile, bottom to top; empty if it is not remembered.
    pub pile: &'a [Card],
    /// By seat, cards that are known to be in its hand; empty if none are remembered.
    pub held: &'a [Cards],
}

impl<'a> Recall<'a> {
    /// Nothing but what lies in view.
    pub const NONE: Self = Self { pile: &[], held: &[] };

    /// Returns the cards that `seat` is known to hold.
    pub(super) fn held(self, seat: Seat) -> &'a Cards {
        self.held.get(seat.index()).unwrap_or(const { &Cards::EMPTY })
    }
}

impl RoundMemory {
    /// Returns what everyone knows of the pile who has watched it grow: all its cards lay open once.
    pub fn of_pile(table: &Table) -> Self {
        Self { pile: table.pile().to_vec(), ..Self::default() }
    }

    /// Returns the memory with the cards of its hand that each seat took in sight of all, by seat.
    pub fn holding(mut self, held: &[Cards]) -> Self {
        self.held.iter_mut().zip(held).for_each(|(mine, held)| *mine = *held);
        self
    }

    /// Returns what is remembered.
    pub fn recall(&self) -> Recall<'_> {
        Recall { pile: &self.pile, held: &self.held }
    }

    /// Remembers the events of one action of `actor`, as a spectator or any seat sees them.
    pub fn see(&mut self, actor: As, events: &[EventView]) {
        // Cards are in the hand before some of them are laid, though the event of the take comes after those of its melds.
        for event in events {
            match event {
                Event::Dealt { .. } => *self = Self::default(),
                Event::TookTop { seat, .. } => self.take_top(*seat),
                Event::TookPile { seat, cards } => {
                    if self.taken.take().is_none() {
                        self.take_top(*seat);
                        self.taken = None;
                    }
                    let left = self.pile.len().saturating_sub(cards.len().into());
                    self.pile.drain(left..).for_each(|card| self.held[seat.index()].insert(card));
                }
                _ => {}
            }
        }
        for event in events {
            match (event, actor) {
                (Event::Upcard { card, .. }, _) => self.pile.push(*card),
                (Event::Discarded { seat, card: Some(card), .. }, _) => {
                    self.held[seat.index()].remove(*card);
                    self.pile.push(*card);
                }
                (Event::ThreeLaid { seat, card }, _) => {
                    self.held[seat.index()].remove(*card);
                }
                (Event::Melded { cards, .. }, As::Seat(seat)) => {
                    for &card in cards {
                        self.held[seat.index()].remove(card);
                    }
                }
                (Event::Unmelded { cards, .. }, As::Seat(seat)) => {
                    cards.iter().for_each(|&card| self.held[seat.index()].insert(card));
                }
                (Event::RestoredPile { seat }, _) => {
                    if let Some(top) = self.taken.take() {
                        self.held[seat.index()].remove(top);
                        self.pile.push(top);
                    }
                }
                // Nothing is left of a hand that goes out with a discard face down.
                (Event::Discarded { seat, card: None, .. } | Event::SpecialHand { seat, .. }, _) => {
                    self.held[seat.index()] = Cards::EMPTY;
                }
                (Event::Revealed { seat, cards }, _) => {
                    self.held[seat.index()] = cards.iter().copied().collect();
                }
                _ => {}
            }
        }
    }

    fn take_top(&mut self, seat: Seat) {
        self.taken = self.pile.pop();
        self.taken.iter().for_each(|&top| self.held[seat.index()].insert(top));
    }
}
