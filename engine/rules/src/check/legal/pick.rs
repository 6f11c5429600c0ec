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

    /// Returns the picked cards: naturals, then twos, then jokers; of each the lowest cards.
    pub(super) fn cards(self, naturals: &Stack, wilds: &Stack) -> CardList {
        let mut cards = CardList::new();
        let (naturals, twos) = (&naturals.cards[..self.naturals.into()], &wilds.cards[..self.twos.into()]);
        for &card in naturals.iter().chain(twos) {
            cards.push(card);
        }
        for _ in 0..self.jokers {
            cards.push(Card::JOKER);
        }
        cards
    }
}

/// Cards in ascending order, of which a pick takes the lowest.
#[derive(Clone, Default, Debug)]
pub(super) struct Stack {
    cards: CardList,
    /// The number of twos among the cards.
    twos: u8,
}

impl Stack {
    /// Returns the cards of `rank`; of threes only the black ones.
    pub(super) fn of(hand: &Cards, rank: Rank) -> Self {
        let suits: &[u8] = if rank == Rank::Three { &[0, 3] } else { &[0, 1, 2, 3] };
        let mut cards = CardList::new();
        for &suit in suits {
            let card = Card::suited(suit, rank);
            for _ in 0..hand.count(card) {
                cards.push(card);
            }
        }
        Self { cards, twos: 0 }
    }

    /// Returns the twos, then the jokers.
    pub(super) fn wilds(hand: &Cards) -> Self {
        let mut stack = Self::of(hand, Rank::Two);
        stack.twos = stack.cards.len() as u8;
        for _ in 0..hand.count(Card::JOKER) {
            stack.cards.push(Card::JOKER);
        }
        stack
    }

    pub(super) fn len(&self) -> u8 {
        self.cards.len() as u8
    }

    pub(super) fn twos(&self) -> u8 {
        self.twos
    }

    pub(super) fn jokers(&self) -> u8 {
        self.len() - self.twos
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
