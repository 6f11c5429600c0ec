//! The kind of a group that names its meld.

use super::Proposal;
use crate::action::{Action, As, Group, MeldKind, Onto};
use crate::seat::Side;
use crate::table::{Meld, Table};

impl Proposal {
    /// Returns the proposal as [`Proposal::onto_melds`] does, for the melds of a table and of the side that acts.
    pub fn on(self, table: &Table) -> Self {
        let seat = self.actor.and_then(As::seat).or(table.to_act()).unwrap_or(table.turn.seat);
        self.onto_melds(&table.melds, table.side_of(seat))
    }

    /// Returns the proposal with the kind that a named meld of `side` leaves to cards for which no kind is written, where
    /// only one kind is possible: wilds alone onto a wild meld, naturals onto a sequence.
    pub fn onto_melds(mut self, melds: &[Meld], side: Side) -> Self {
        let groups = match &mut self.action {
            Action::Ask { with: Some(way), .. } => Some(&mut way.groups),
            action => action.groups_mut(),
        };
        groups.into_iter().flatten().for_each(|group| settle(group, melds, side));
        self
    }
}

fn settle(group: &mut Group, melds: &[Meld], side: Side) {
    let Onto::Meld { side: of, id } = group.onto else { return };
    let target = melds.iter().find(|meld| (meld.side, meld.id) == (of.unwrap_or(side), id));
    let wilds = group.cards.iter().filter(|card| card.is_wild()).count();
    match target.map(|meld| meld.kind) {
        Some(kind @ MeldKind::Wild) if group.kind == MeldKind::Set && wilds == group.cards.len() => {
            group.kind = kind;
        }
        Some(kind @ MeldKind::Sequence) if group.kind == MeldKind::Set && wilds == 0 => group.kind = kind,
        _ => {}
    }
}
