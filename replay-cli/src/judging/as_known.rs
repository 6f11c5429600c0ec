//! A table as far as its cards are known.

use canasta_engine::action::{Action, As};
use canasta_engine::apply::act;
use canasta_engine::card::{Card, Cards};
use canasta_engine::known::{Known, Stop};
use canasta_engine::log::outcome::ReachedPosition;
use canasta_engine::notation::Position;
use canasta_engine::rejection::Rejection;
use canasta_engine::seat::Seat;
use canasta_engine::table::Table;
use std::sync::Arc;

/// A table, and which of its cards are known if others only stand for unknown cards.
#[derive(Clone)]
pub struct TableAsKnown {
    pub table: Table,
    pub known: Option<Known>,
}

impl From<ReachedPosition> for TableAsKnown {
    fn from(reached: ReachedPosition) -> Self {
        Self { table: Arc::unwrap_or_clone(reached.table), known: reached.known }
    }
}

impl TableAsKnown {
    /// Returns the position in notation, with `??` for each unknown card.
    pub fn position(&self) -> Position {
        let known = self.known.as_ref();
        known.map_or_else(|| Position::of(&self.table), |known| Position::as_known(&self.table, known))
    }

    /// Returns the cards of a hand that only stand for unknown cards.
    pub fn open(&self, seat: Seat) -> &Cards {
        self.known.as_ref().map_or(&Cards::EMPTY, |known| known.open(seat))
    }

    /// Checks an action and, if it is legal, executes it. The action brought `received` to the hand.
    ///
    /// # Errors
    /// The refusal of the rules; `None` if they cannot judge the action.
    pub fn act(
        &mut self,
        actor: As,
        action: &Action,
        received: &[Option<Card>],
    ) -> Result<(), Option<Rejection>> {
        let Some(known) = &mut self.known else {
            return act(&mut self.table, actor, action).map(drop).map_err(Some);
        };
        match known.act(&mut self.table, actor, action, received, &Vec::new) {
            Ok(_) => Ok(()),
            Err(Stop::Rejected(rejection)) => Err(Some(rejection)),
            Err(_) => Err(None),
        }
    }
}
