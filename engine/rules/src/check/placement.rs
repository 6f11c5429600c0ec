//! Cards and the melds that they go to.

use crate::action::{CardList, MeldKind};
use crate::card::{Cards, Rank};
use smallvec::SmallVec;

/// Cards that go to one meld.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Placement {
    /// Index into the state's melds; `None` begins a new meld.
    pub target: Option<u8>,
    pub kind: MeldKind,
    pub rank: Option<Rank>,
    pub cards: CardList,
}

/// Cards, grouped by the melds that they go to. One group needs no allocation, and the proof that holds it stays small.
pub(crate) type Placements = SmallVec<[Placement; 1]>;

/// Returns the number of naturals (or black threes) and of wilds.
pub(crate) fn content(cards: &Cards) -> (u8, u8) {
    let wilds = cards.wilds();
    (cards.len() as u8 - wilds, wilds)
}
