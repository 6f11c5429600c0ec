//! Counters that are read while the server runs.

use std::sync::atomic::{AtomicU64, Ordering};

/// How often each of `N` named things has happened.
#[derive(Debug)]
pub struct Tally<const N: usize> {
    names: [&'static str; N],
    counts: [AtomicU64; N],
}

impl<const N: usize> Tally<N> {
    /// Nothing has happened yet.
    pub fn new(names: [&'static str; N]) -> Self {
        Self { names, counts: [const { AtomicU64::new(0) }; N] }
    }

    /// Counts the thing at this place among the names.
    pub fn count(&self, at: usize) {
        self.counts[at].fetch_add(1, Ordering::Relaxed);
    }

    /// How often the thing at this place has happened.
    pub fn of(&self, at: usize) -> u64 {
        self.counts[at].load(Ordering::Relaxed)
    }

    /// Every name and its count, in their fixed order.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.names.into_iter().zip(&self.counts).map(|(name, count)| (name, count.load(Ordering::Relaxed)))
    }

    /// `3 altered, 1 expired`; empty if nothing has happened.
    pub fn summary(&self) -> String {
        let counted =
            self.all().filter(|&(_, count)| count > 0).map(|(name, count)| format!("{count} {name}"));
        counted.collect::<Vec<_>>().join(", ")
    }
}
