//! Counters that can be read while the server runs.

use std::sync::atomic::{AtomicU64, Ordering};

/// One counter for each of `N` names.
#[derive(Debug)]
pub struct NamedCounters<const N: usize> {
    names: [&'static str; N],
    counts: [AtomicU64; N],
}

impl<const N: usize> NamedCounters<N> {
    /// Returns counters that are all 0.
    pub fn new(names: [&'static str; N]) -> Self {
        Self { names, counts: [const { AtomicU64::new(0) }; N] }
    }

    /// Adds 1 to the counter at this place among the names.
    pub fn count(&self, at: usize) {
        self.counts[at].fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the counter at this place among the names.
    pub fn of(&self, at: usize) -> u64 {
        self.counts[at].load(Ordering::Relaxed)
    }

    /// Returns every name and its counter, in their fixed order.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.names.into_iter().zip(&self.counts).map(|(name, count)| (name, count.load(Ordering::Relaxed)))
    }

    /// Returns a summary such as `3 altered, 1 expired`, without the counters that are 0.
    pub fn summary(&self) -> String {
        let counted =
            self.all().filter(|&(_, count)| count > 0).map(|(name, count)| format!("{count} {name}"));
        counted.collect::<Vec<_>>().join(", ")
    }
}
