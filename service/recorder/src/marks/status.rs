//! The state of the journal as its marks tell it: shards that have lost records are not served.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::check::LostRecords;
use canasta_serve::outside::lock;

/// A shard that is not served.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedShard {
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
    /// Returns the number of records that a shard is known to lack, at least 1; `None` if the shard is served.
    pub fn loss(&self, shard: u16) -> Option<u64> {
        lock(&self.0).refused.get(&shard).map(|refused| refused.lost.records)
    }

    /// Returns the shards that are not served.
    pub fn refused_shards(&self) -> BTreeMap<u16, RefusedShard> {
        lock(&self.0).refused.clone()
    }

    /// Returns the number of refused shards.
    pub fn refused(&self) -> u64 {
        lock(&self.0).refused.len() as u64
    }

    /// Returns the age of the oldest change without a mark, in ms.
    pub fn behind_ms(&self) -> i64 {
        lock(&self.0).behind_ms.values().copied().max().unwrap_or(0)
    }

    /// Refuses a shard, or serves it again.
    pub(super) fn set_loss(&self, shard: u16, lost: LostRecords, mark: u64) {
        match lost.records {
            0 => lock(&self.0).refused.remove(&shard),
            _ => lock(&self.0).refused.insert(shard, RefusedShard { lost, mark }),
        };
    }

    pub(super) fn set_behind(&self, shard: u16, behind_ms: i64) {
        lock(&self.0).behind_ms.insert(shard, behind_ms);
    }
}
