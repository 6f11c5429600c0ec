//! A game in the history of a tree.

use crate::leaf::{HeadInProgress, OpenedGame, UNDEALT};
use canasta_engine::log::Head;
use canasta_engine::log::record::Genesis;
use std::io;

#[derive(Clone, Default)]
pub struct TimedGame {
    pub opened: Option<Box<TimedOpening>>,
    /// The index of each leaf that fixed a longer part of the log than those before, and the number of its records.
    pub fixed: Vec<(u64, u64)>,
    /// The facts that were signed of the game, until it is closed.
    pub watched: Option<Box<WatchedGame>>,
    /// Index of the first leaf with a result, and the number of records of its log.
    pub closed: Option<(u64, u64)>,
    /// Index of the last entry of the game, with a result or without one, and the number of its records.
    pub last: Option<(u64, u64)>,
    /// Index of the leaf that voids the game, and the reason.
    pub void: Option<Box<(u64, String)>>,
}

/// The opening of a game in the tree.
#[derive(Clone)]
pub struct TimedOpening {
    /// Index of its leaf.
    pub index: u64,
    pub at_ms: i64,
    /// Number of records that the log had.
    pub records: u64,
    /// The name of the log.
    pub label: Box<str>,
}

/// The facts that were signed of a game in progress: its log must have them.
#[derive(Clone)]
pub struct WatchedGame {
    pub opened: OpenedGame,
    /// The heads that were signed, with the numbers of records up to them; the last head stands there once, however often it
    /// was signed.
    heads: Vec<(u64, Head)>,
}

impl WatchedGame {
    pub(crate) fn new(opened: OpenedGame) -> Self {
        let heads = vec![(opened.records, opened.head)];
        Self { opened, heads }
    }

    /// Returns the last head that was signed, with the number of records up to it.
    pub(crate) fn last(&self) -> (u64, Head) {
        *self.heads.last().expect("the head of the opening")
    }

    /// Takes a head from a list. Returns whether it fixes more than the one before.
    pub(crate) fn take(&mut self, of: &HeadInProgress) -> bool {
        let is_longer = of.records > self.last().0;
        self.heads.extend(is_longer.then_some((of.records, of.head)));
        is_longer
    }

    /// Returns how a log contradicts what was signed of the game while it was in progress. Heads behind the first `up_to`
    /// records are not looked for. `lacks` returns the number of the first of these records that the log does not have.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn contradicted_by(
        &self,
        genesis: Option<&Genesis>,
        up_to: u64,
        lacks: impl FnOnce(&[(u64, Head)]) -> io::Result<Option<u64>>,
    ) -> io::Result<Vec<String>> {
        let heads = self.heads.iter().filter(|(records, _)| *records <= up_to);
        let heads: Vec<(u64, Head)> = heads.map(|&(records, head)| (records - 1, head)).collect();
        let lacking = lacks(&heads)?
            .map(|n| format!("it does not have record {n} as it was signed while the game was in progress"));
        let is_other = genesis.is_some_and(|genesis| !self.opened.is_of(genesis));
        let other = is_other.then(|| "its first record is not what was opened".to_owned());
        Ok(lacking.into_iter().chain(other).collect())
    }
}

impl TimedGame {
    /// Returns whether the game was opened, and has neither a result nor a void.
    pub fn is_open(&self) -> bool {
        (self.opened.is_some() || self.last.is_some()) && self.closed.is_none() && self.void.is_none()
    }

    /// Returns the index of the leaf that shows the game first.
    pub fn index(&self) -> Option<u64> {
        self.opened.as_ref().map(|opened| opened.index).or(self.last.map(|(index, _)| index))
    }

    /// Returns the name of the log when the game was opened; empty if the game was published without an opening.
    pub fn label(&self) -> &str {
        self.opened.as_ref().map_or("", |opened| &opened.label)
    }

    /// Returns the number of records of the last head that was signed while the game was in progress.
    pub fn fixed(&self) -> u64 {
        let opened = self.opened.as_ref().map_or(0, |opened| opened.records);
        self.fixed.last().map_or(opened, |&(_, records)| records)
    }

    /// Returns whether the log had cards dealt when the game was opened.
    pub fn is_late(&self) -> bool {
        self.opened.as_ref().is_some_and(|opened| opened.records > UNDEALT)
    }

    pub(super) fn has_begun(&self) -> bool {
        self.opened.is_some() || self.closed.is_some()
    }
}
