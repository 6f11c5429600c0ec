//! A game of a journal in memory.

use canasta_proto::v1::{GameStatus, GameSummary};
use canasta_recorder::entry::EncodedEntry;
use canasta_recorder::journal::{At, KeptVerdict};

/// All that a journal keeps of a game.
#[derive(Default)]
pub struct KeptGame {
    pub entries: Vec<(At, EncodedEntry)>,
    pub summary: GameSummary,
    /// The end of the lease of a finished game, or the time of a judged game's verdict.
    pub lease_ms: i64,
    pub tries: u32,
    pub verdicts: Vec<KeptVerdict>,
}

impl KeptGame {
    pub fn head(&self) -> Option<Vec<u8>> {
        Some(self.summary.log_end.as_ref()?.head.clone())
    }

    pub fn has_verdict(&self) -> bool {
        self.verdicts.iter().any(|verdict| Some(&verdict.head[..]) == self.head().as_deref())
    }

    pub fn wait(&mut self) {
        self.summary.set_status(GameStatus::Finished);
        (self.lease_ms, self.tries) = (0, 0);
    }
}
