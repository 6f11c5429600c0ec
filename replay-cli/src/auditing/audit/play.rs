//! A digest of what was dealt and played, whatever the id, the players and the secrets of the game.

use canasta_engine::card::Card;
use canasta_engine::log::digest::{full, full_as_known};
use canasta_engine::log::record::EndReason;
use canasta_engine::log::replay::{Step, What};
use sha2::{Digest, Sha256};

/// The walls and the final tables of the rounds so far. A table has melds, hands and the pile in their order, so that other
/// play leads to another table.
#[derive(Default)]
pub struct PlayDigest {
    rounds: Sha256,
    /// Whether a round was played to its end: rounds that a ruling ends may well be equal.
    is_played: bool,
}

impl PlayDigest {
    /// Adds the round that ends with this step.
    pub fn watch(&mut self, step: &Step<'_>) {
        let What::RoundEnd { over: Some(over), wall } = &step.what else { return };
        if matches!(over.reason, EndReason::Drawn | EndReason::Voided) {
            return;
        }
        let wall: Vec<u8> = wall.iter().flat_map(|wall| wall.iter().copied()).map(Card::kind).collect();
        let table = step.known.map_or_else(|| full(step.table), |known| full_as_known(step.table, known));
        self.rounds.update(wall);
        self.rounds.update(table);
        self.is_played |= over.reason != EndReason::Ruled;
    }

    /// Returns the digest, if a round was played.
    pub fn finish(self) -> Option<[u8; 32]> {
        self.is_played.then(|| self.rounds.finalize().into())
    }
}
