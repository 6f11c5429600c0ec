//! The position after an action against the rules that a ruling lets stand, and after the play that followed it.

use crate::judging::as_known::TableAsKnown;
use canasta_engine::action::{Action, As, Group, MeldKind, Onto};
use canasta_engine::card::Cards;
use canasta_engine::log::record::ActionRecord;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Meld, Phase, Setup, Source};

impl TableAsKnown {
    /// Makes cards of a hand known; `None` if the hand cannot hold them.
    pub fn show(&mut self, seat: Seat, action: &Action) -> Option<()> {
        let Some(known) = &mut self.known else { return Some(()) };
        known.show(&mut self.table, seat, action).ok()
    }

    /// Returns the table after a meld or a taken pile, as if the rules had allowed it; `None` for other actions, and if
    /// what was laid cannot be read as melds.
    pub fn after(mut self, seat: Seat, action: &Action) -> Option<Self> {
        self.show(seat, action)?;
        let mut setup = Setup::of(&self.table);
        if setup.turn != seat {
            return None;
        }
        let groups = match action {
            Action::Meld(groups) => groups.to_vec(),
            Action::TakePile(take) => {
                let pile = std::mem::take(&mut setup.pile);
                let top = *pile.last()?;
                pile.iter().for_each(|card| setup.hands[seat.index()].insert(*card));
                (setup.source, setup.phase, setup.start_len) = (Source::Pile, Phase::Play, 0);
                let cards = take.with.iter().copied().chain([top]).collect();
                let first = Group { kind: MeldKind::Set, onto: take.onto, top: false, cards };
                std::iter::once(first).chain(take.also.iter().cloned()).collect()
            }
            _ => return None,
        };
        groups.iter().try_for_each(|group| lay(&mut setup, seat, group))?;
        if !setup.has_melded.contains(&seat) {
            setup.has_melded.push(seat);
        }
        setup.melded_since_draw = true;
        Some(Self { table: setup.into_table().ok()?, ..self })
    }

    /// Plays on; `None` if an action is not legal, or cannot be judged.
    pub fn follow(mut self, records: &[ActionRecord]) -> Option<Self> {
        for record in records {
            let actor = record.actor.map_or(As::Table, As::Seat);
            self.act(actor, &record.action, record.cards.as_deref().unwrap_or(&[])).ok()?;
        }
        Some(self)
    }
}

/// Moves the cards of a group from the hand to a meld; `None` if the hand or the meld does not exist.
fn lay(setup: &mut Setup, seat: Seat, group: &Group) -> Option<()> {
    let side = setup.side_of(seat);
    let rank = group.cards.iter().find(|card| !card.is_wild()).map(|card| card.rank());
    let hand = &mut setup.hands[seat.index()];
    group.cards.iter().all(|&card| hand.remove(card)).then_some(())?;
    let is_target = |meld: &&mut Meld| match group.onto {
        Onto::New => false,
        Onto::Auto => (meld.side, meld.kind, meld.rank) == (side, MeldKind::Set, rank) && rank.is_some(),
        Onto::Meld { side: of, id } => (meld.side, meld.id) == (of.unwrap_or(side), id),
    };
    match setup.melds.iter_mut().find(is_target) {
        Some(meld) => {
            group.cards.iter().for_each(|card| meld.cards.insert(*card));
            setup.touched_old = true;
        }
        None if matches!(group.onto, Onto::Meld { .. }) => return None,
        None => {
            let next = setup.melds.iter().filter(|meld| meld.side == side).count() as u8;
            setup.new_from.get_or_insert(next);
            setup.meld(side, group.kind, group.cards.iter().copied().collect::<Cards>());
        }
    }
    Some(())
}
