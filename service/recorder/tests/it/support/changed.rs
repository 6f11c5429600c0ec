//! The changes of a journal in memory, in order.

use std::collections::BTreeMap;

use canasta_engine::deal::GameId;
use canasta_recorder::journal::{ChangePosition, ChangedGames};

/// The status of each game.
pub type Statuses = BTreeMap<[u8; 16], i32>;

/// The games that have changed, in the order of their changes.
#[derive(Default)]
pub struct ChangedList(Vec<[u8; 16]>);

impl ChangedList {
    pub fn note(&mut self, game: [u8; 16]) {
        self.0.push(game);
    }

    /// Notes the games whose status has changed.
    pub fn note_statuses(&mut self, before: &Statuses, after: Statuses) {
        let changed =
            after.into_iter().filter(|(id, status)| before.get(id).is_some_and(|was| was != status));
        self.0.extend(changed.map(|(id, _)| id));
    }

    pub fn end(&self) -> ChangePosition {
        ChangePosition(vec![self.0.len() as u64])
    }

    pub fn since(&self, after: &ChangePosition, max: usize) -> Option<ChangedGames> {
        let [after] = after.0[..] else { return None };
        let after = usize::try_from(after).expect("a length");
        let games: Vec<_> = self.0.get(after..)?.iter().take(max).copied().map(GameId).collect();
        let upto = ChangePosition(vec![(after + games.len()) as u64]);
        Some(ChangedGames { games, upto })
    }
}
