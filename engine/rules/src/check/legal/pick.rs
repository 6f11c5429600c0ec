//! Cards of one rank and wilds, chosen by count. Where suits do not matter, the lowest suits are named.

use crate::action::CardList;
use crate::card::{Card, Cards, Rank};

/// The numbers of naturals of a rank, twos and jokers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pick {
    pub naturals: u8,
    pub twos: u8,
    pub jokers: u8,
}

impl Pick {
    pub(super) fn wilds(self) -> u8 {
        self.twos + self.jokers
    }

    pub(super) fn len(self) -> u8 {
        self.naturals + self.wilds()
    }

    /// Returns the sum of points, at so many for a natural, a two and a joker.
    pub(super) fn points(self, [natural, two, joker]: [i32; 3]) -> i32 {
        i32::from(self.naturals) * natural + i32::from(self.twos) * two + i32::from(self.jokers) * joker
    }

    /// Returns the picked cards: naturals, then twos, then jokers; of each the lowest cards.
    pub(super) fn cards(self, naturals: &Stack, wilds: &Stack) -> CardList {
        let mut cards = CardList::new();
        naturals.lowest(self.naturals, &mut cards);
        wilds.lowest(self.twos, &mut cards);
        for _ in 0..self.jokers {
            cards.push(Card::JOKER);
        }
        cards
    }
}

/// Cards of one rank, of which a pick takes the lowest; with the jokers if they are the wilds.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Stack {
    /// The lowest card of the rank, that of clubs.
    clubs: u8,
    /// The number of cards of each suit, and of all suits.
    suits: [u8; 4],
    of_rank: u8,
    jokers: u8,
}

impl Stack {
    /// Returns the cards of `rank`; of threes only the black ones.
    pub(super) fn of(hand: &Cards, rank: Rank) -> Self {
        let of_suit = |suit: u8| hand.count(Card::suited(suit, rank));
        let suits = match rank {
            Rank::Three => [of_suit(0), 0, 0, of_suit(3)],
            _ => [of_suit(0), of_suit(1), of_suit(2), of_suit(3)],
        };
        Self { clubs: Card::suited(0, rank).kind(), suits, of_rank: suits.iter().sum(), jokers: 0 }
    }

    /// Returns the twos, then the jokers.
    pub(super) fn wilds(hand: &Cards) -> Self {
        Self { jokers: hand.count(Card::JOKER), ..Self::of(hand, Rank::Two) }
    }

    pub(super) fn len(&self) -> u8 {
        self.of_rank + self.jokers
    }

    /// Returns the number of twos, if these are the wilds.
    pub(super) fn twos(&self) -> u8 {
        self.of_rank
    }

    pub(super) fn jokers(&self) -> u8 {
        self.jokers
    }

    /// Adds the `count` lowest cards of the rank to a list.
    fn lowest(&self, mut count: u8, cards: &mut CardList) {
        for (suit, &held) in (0u8..).zip(&self.suits) {
            let taken = held.min(count);
            for _ in 0..taken {
                cards.extend(Card::from_kind(self.clubs + 13 * suit));
            }
            count -= taken;
        }
        debug_assert_eq!(count, 0, "only cards that are held are picked");
    }

    /// Returns every pick of `least` to `most` naturals with any of these wilds: naturals ascending, then twos,
    /// then jokers.
    pub(super) fn picks(&self, least: u8, most: u8) -> Picks {
        let first = Pick { naturals: least, twos: 0, jokers: 0 };
        Picks { next: (least <= most).then_some(first), most, twos: self.twos(), jokers: self.jokers() }
    }
}

/// The iterator of [`Stack::picks`].
pub(super) struct Picks {
    next: Option<Pick>,
    most: u8,
    twos: u8,
    jokers: u8,
}

impl Iterator for Picks {
    type Item = Pick;

    fn next(&mut self) -> Option<Pick> {
        let pick = self.next?;
        self.next = if pick.jokers < self.jokers {
            Some(Pick { jokers: pick.jokers + 1, ..pick })
        } else if pick.twos < self.twos {
            Some(Pick { twos: pick.twos + 1, jokers: 0, ..pick })
        } else if pick.naturals < self.most {
            Some(Pick { naturals: pick.naturals + 1, twos: 0, jokers: 0 })
        } else {
            None
        };
        Some(pick)
    }
}
