//! Counters that can be read while the server runs.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

/// The reasons of one kind, each with its place among their names.
pub trait CountedReason: Copy {
    /// The names, in the order of the places.
    const NAMES: &'static [&'static str];

    fn place(self) -> usize;
}

#[derive(Debug)]
pub struct ReasonCounts<R>(Vec<AtomicU64>, PhantomData<R>);

impl<R: CountedReason> Default for ReasonCounts<R> {
    fn default() -> Self {
        Self(R::NAMES.iter().map(|_| AtomicU64::default()).collect(), PhantomData)
    }
}

impl<R: CountedReason> ReasonCounts<R> {
    pub fn count(&self, reason: R) {
        self.0[reason.place()].fetch_add(1, Ordering::Relaxed);
    }

    pub fn of(&self, reason: R) -> u64 {
        self.0[reason.place()].load(Ordering::Relaxed)
    }

    /// Returns every reason and its count, in their fixed order.
    pub fn all(&self) -> Vec<(&'static str, u64)> {
        R::NAMES.iter().zip(&self.0).map(|(name, count)| (*name, count.load(Ordering::Relaxed))).collect()
    }

    /// Returns a summary such as `3 altered, 1 expired`, without the counts that are 0.
    pub fn summary(&self) -> String {
        let counted = self.all().into_iter().filter(|&(_, count)| count > 0);
        counted.map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
    }
}

/// The reason why a state is refused. Operators learn it, callers do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum TokenRefusal {
    /// The bytes are not a sealed token.
    Form,
    /// The token's key is not in the keyring.
    UnknownKey,
    RevokedKey,
    /// The token cannot be decrypted: it was changed, or sealed for another audience.
    Altered,
    /// The content is not a state that this version can play.
    Malformed,
    Expired,
}

/// Counts of refused states, by reason.
pub type TokenRefusals = ReasonCounts<TokenRefusal>;

impl CountedReason for TokenRefusal {
    const NAMES: &'static [&'static str] =
        &["no token", "unknown key", "revoked key", "altered", "malformed", "expired"];

    fn place(self) -> usize {
        self as usize
    }
}
