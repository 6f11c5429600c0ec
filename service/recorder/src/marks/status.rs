//! The state of the journal as its marks tell it: shards that have lost records are not served.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::check::LostRecords;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShardLoss {
    pub shard: u16,
    /// Number of records that are known to be missing, at least 1.
    pub records: u64,
}

/// A shard that is not served.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedShard {
    /// The records that it lacks.
    pub lost: LostRecords,
    /// Number of its last mark.
    pub mark: u64,
}

/// The refused shards, and how far the marks are behind.
#[derive(Clone, Default)]
pub struct MarkStatus(Arc<Mutex<MarkFigures>>);

#[derive(Default)]
struct MarkFigures {
    refused: BTreeMap<u16, RefusedShard>,
    /// Age of the oldest change without a mark by shard, in ms.
    behind_ms: BTreeMap<u16, i64>,
}

impl MarkStatus {
    /// Returns the loss of a shard; `None` if the shard is served.
    pub fn loss(&self, shard: u16) -> Option<ShardLoss> {
        self.lock().refused.get(&shard).map(|refused| ShardLoss { shard, records: refused.lost.records })
    }

    /// Returns the shards that are not served.
    pub fn refused_shards(&self) -> BTreeMap<u16, RefusedShard> {
        self.lock().refused.clone()
    }

    /// Returns the number of refused shards.
    pub fn refused(&self) -> u64 {
        self.lock().refused.len() as u64
    }

    /// Returns the age of the oldest change without a mark, in ms.
    pub fn behind_ms(&self) -> i64 {
        self.lock().behind_ms.values().copied().max().unwrap_or(0)
    }

    /// Refuses a shard, or serves it again.
    pub(super) fn set_loss(&self, shard: u16, lost: LostRecords, mark: u64) {
        match lost.records {
            0 => self.lock().refused.remove(&shard),
            _ => self.lock().refused.insert(shard, RefusedShard { lost, mark }),
        };
    }

    pub(super) fn set_behind(&self, shard: u16, behind_ms: i64) {
        self.lock().behind_ms.insert(shard, behind_ms);
    }

    fn lock(&self) -> MutexGuard<'_, MarkFigures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
