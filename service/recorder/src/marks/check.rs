//! The comparison of a shard with a mark.

use std::collections::BTreeMap;

use canasta_engine::deal::GameId;
use canasta_proto::v1::GameStatus;

use super::mark::ShardMark;
use crate::journal::{Journal, JournalResult, PlacedEnd};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LostGame {
    pub game: GameId,
    /// Number of its last acknowledged record.
    pub n: u64,
    /// Number of records that it lacks, at least 1.
    pub records: u64,
}

/// The records that a shard lacks, as far as marks tell.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LostRecords {
    /// Number of records, at least; 0 if the shard lacks nothing.
    pub records: u64,
    /// The games that lack records, by id.
    pub games: BTreeMap<[u8; 16], LostGame>,
}

impl LostRecords {
    /// Adds what another mark tells.
    pub fn add(&mut self, other: Self) {
        self.records = self.records.max(other.records);
        for (id, game) in other.games {
            self.games.entry(id).or_insert(game);
        }
    }
}

/// Returns what the shard of a mark lacks, as far as the mark tells.
pub async fn missing(journal: &dyn Journal, mark: &ShardMark) -> JournalResult<LostRecords> {
    let end = journal.end(mark.shard).await?;
    let mut missing = LostRecords::default();
    for (id, marked) in &mark.games {
        let (game, n) = (GameId(*id), marked.n);
        let records = lost(journal, game, marked).await?;
        if records > 0 {
            missing.records = missing.records.saturating_add(records);
            missing.games.insert(*id, LostGame { game, n, records });
        }
    }
    missing.records = missing.records.max(mark.position.0.saturating_sub(end.0));
    Ok(missing)
}

/// Returns the number of records that a game lacks.
async fn lost(journal: &dyn Journal, game: GameId, marked: &PlacedEnd) -> JournalResult<u64> {
    let there = journal.read(game, marked.n, 1).await?;
    if let Some(placed) = there.first() {
        let is_same = (placed.entry.n, placed.entry.head) == (marked.n, marked.head);
        return Ok(u64::from(!is_same));
    }
    if let Some(last) = journal.last(game).await? {
        return Ok(marked.n.saturating_sub(last.entry.n).max(1));
    }
    let is_archived = journal.game(game).await?.is_some_and(|game| game.status() == GameStatus::Archived);
    let is_gone = is_archived || journal.was_dropped(game).await?;
    Ok(if is_gone { 0 } else { marked.n + 1 })
}
