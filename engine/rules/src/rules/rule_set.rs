//! The numbers that follow from the knobs of a rule set.

use super::knobs::*;
use super::table::{KNOBS, Knob, RuleSet};
use crate::card::{Card, Cards};
use crate::seat::{Seat, Side};

impl RuleSet {
    /// Returns the rule set with every knob at its default: see [`RuleSet`].
    pub fn defaults() -> Self {
        Self::default()
    }

    /// Returns the knobs in which the two rule sets differ, in the order of the table.
    pub fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'static Knob> + 'a {
        KNOBS.iter().filter(move |knob| !knob.is_same(self, other))
    }

    /// Returns the side of `seat`, as long as no sides have formed during the round.
    ///
    /// # Panics
    /// If `side_count` is 0, which [`RuleSet::validate`] refuses.
    pub fn side_of(&self, seat: Seat) -> Side {
        Side(seat.0 % self.side_count)
    }

    /// Returns the side of `seat`. If sides of three players have formed, `lone` plays against the other two, and the
    /// pair has the number of its lower seat.
    pub fn formed_side_of(&self, seat: Seat, lone: Option<Seat>) -> Side {
        match lone {
            Some(lone) if seat != lone => Side(u8::from(lone.0 == 0)),
            _ => self.side_of(seat),
        }
    }

    /// Returns all cards of the deck.
    pub fn deck(&self) -> Cards {
        let copies = |card| if card == Card::JOKER { self.jokers } else { self.packs };
        Card::all().flat_map(|card| core::iter::repeat_n(card, usize::from(copies(card)))).collect()
    }

    /// Returns the number of cards of the deck.
    pub fn deck_size(&self) -> u32 {
        52 * u32::from(self.packs) + u32::from(self.jokers)
    }

    /// Returns the number of wild cards (twos and jokers) of the deck.
    pub fn wild_count(&self) -> u32 {
        4 * u32::from(self.packs) + u32::from(self.jokers)
    }

    /// Returns the number of red threes of the deck. The number of black threes, and so the largest meld of black
    /// threes, is the same.
    pub fn red_three_count(&self) -> u32 {
        2 * u32::from(self.packs)
    }

    /// Returns the number of cards that the deal gives to hands, feet and talons.
    pub fn cards_dealt(&self) -> u32 {
        let talons: u32 = self.talons.iter().map(|&size| u32::from(size)).sum();
        u32::from(self.seats) * (u32::from(self.hand_size) + self.feet_size()) + talons
    }

    /// Returns the sizes of the feet of a seat, in the order in which they come (HF-115); none if there are no feet.
    pub fn foot_sizes(&self) -> impl Iterator<Item = u8> {
        Some(self.foot_size).filter(|&size| size > 0).into_iter().chain(self.more_feet.iter().copied())
    }

    /// Returns the seat and the size of each foot, in the order in which a table has them: the first foot of each seat, then
    /// the second one of each.
    pub(crate) fn feet(&self) -> impl Iterator<Item = (Seat, u8)> {
        let seats = self.seats;
        self.foot_sizes().flat_map(move |size| (0..seats).map(move |seat| (Seat(seat), size)))
    }

    /// Returns the number of cards in all feet of a seat.
    pub fn feet_size(&self) -> u32 {
        self.more_feet.iter().fold(self.foot_size.into(), |sum, &size| sum + u32::from(size))
    }

    /// Returns the size of the smallest deck that never runs out in the deal: all wild cards and red threes may be
    /// turned or replaced before the last card of the pile's start (AMB-05).
    pub fn cards_needed(&self) -> u32 {
        self.cards_dealt() + self.wild_count() + self.red_three_count() + 1
    }

    /// Whether any threes are laid by `lay_threes` instead of at once.
    pub fn lays_threes_by_choice(&self) -> bool {
        self.threes_dealt == ThreesDealt::Choice
            || self.threes_drawn == ThreesDrawn::Choice
            || self.foot_threes == FootThrees::Choice
    }
}
