//! Initial melds of which only the points are named.

use canasta_engine::action::{Action, Group, Groups, MeldKind, Onto};
use canasta_engine::card::{Card, Cards, Rank};
use canasta_engine::rules::CardPoints;

/// Maximum number of steps of the search.
const STEPS_MAX: usize = 20_000;

/// A search for sets whose cards have given points: of each rank none, its natural cards, or two or more of them and a wild card.
pub struct OpeningSearch<'a> {
    pub points: &'a CardPoints,
    pub hand: Cards,
    steps: usize,
    groups: Groups,
}

impl<'a> OpeningSearch<'a> {
    pub fn new(points: &'a CardPoints, hand: Cards) -> Self {
        Self { points, hand, steps: 0, groups: Groups::new() }
    }

    /// Returns the first meld with these points that the rules take.
    pub fn find(&mut self, rank: u8, points: i32, is_legal: &dyn Fn(&Action) -> bool) -> Option<Action> {
        self.steps += 1;
        if points == 0 {
            return Some(Action::Meld(self.groups.clone())).filter(is_legal);
        }
        let next = Rank::from_index(rank).filter(|_| points > 0 && self.steps < STEPS_MAX)?;
        let naturals: Vec<Card> = self.hand.iter().filter(|card| card.rank() == next).collect();
        let wilds: Vec<Card> =
            self.hand.kinds().map(|(card, _)| card).filter(|card| card.is_wild()).collect();
        for count in (2..=naturals.len()).rev().filter(|_| next.is_natural()) {
            for wild in
                [None].into_iter().chain(wilds.iter().map(Some)).filter(|wild| count > 2 || wild.is_some())
            {
                let cards: Vec<Card> = naturals[..count].iter().chain(wild).copied().collect();
                let counted: i32 = cards.iter().map(|card| self.points.of(*card)).sum();
                wild.iter().for_each(|wild| _ = self.hand.remove(**wild));
                self.groups.push(Group {
                    kind: MeldKind::Set,
                    onto: Onto::New,
                    top: false,
                    cards: cards.into_iter().collect(),
                });
                let found = self.find(rank + 1, points - counted, is_legal);
                self.groups.pop();
                wild.iter().for_each(|wild| self.hand.insert(**wild));
                if found.is_some() {
                    return found;
                }
            }
        }
        self.find(rank + 1, points, is_legal)
    }
}
