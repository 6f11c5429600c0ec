//! Cards and the melds that they go to.

use crate::action::{CardList, Group, MeldId, MeldKind, Onto};
use crate::card::Rank;
use crate::table::{Meld, Table};
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

impl Placement {
    /// Returns the place of a group of the seat in turn that names its meld, or begins one.
    pub(crate) fn from_group(table: &Table, group: Group) -> Self {
        let Group { kind, onto, cards, .. } = group;
        let side = table.side_of(table.turn.seat);
        let is_target = |m: &Meld| m.side == side && matches!(onto, Onto::Meld { id, .. } if m.id == id);
        let target = table.melds.iter().position(is_target);
        let natural = || cards.iter().find(|card| !card.is_wild()).map(|card| card.rank());
        let rank = match target {
            Some(at) => table.melds[at].rank,
            None => natural().filter(|_| kind == MeldKind::Set),
        };
        Self { target: target.map(|at| at as u8), kind, rank, cards }
    }
}

/// Cards, grouped by the melds that they go to. One group needs no allocation, and the proof that holds it stays small.
pub(crate) type Placements = SmallVec<[Placement; 1]>;

/// The melds whose loose cards are locked when the top is released.
pub(crate) type Locked = SmallVec<[MeldId; 4]>;
