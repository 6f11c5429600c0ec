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

/// The reason why a state is refused. Operators learn it, callers do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum TokenRefusal {
    /// The bytes are not a sealed token.
    Form,
    /// The token's key is not in the keyring.
    UnknownKey,
    /// The token's key is revoked.
    RevokedKey,
    /// The token cannot be decrypted: it was changed, or sealed for another audience.
    Altered,
    /// The content is not a state that this version can play.
    Malformed,
    /// The state has expired.
    Expired,
}

/// Counts of refused states, by reason.
#[derive(Debug)]
pub struct TokenRefusals(NamedCounters<6>);

impl Default for TokenRefusals {
    fn default() -> Self {
        Self(NamedCounters::new([
            "no token",
            "unknown key",
            "revoked key",
            "altered",
            "malformed",
            "expired",
        ]))
    }
}

impl TokenRefusals {
    /// Adds 1 to the count of this reason.
    pub fn count(&self, refusal: TokenRefusal) {
        self.0.count(refusal as usize);
    }

    /// Returns the count of this reason.
    pub fn of(&self, refusal: TokenRefusal) -> u64 {
        self.0.of(refusal as usize)
    }

    /// Returns every reason and its count.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.all()
    }

    /// Returns a summary such as `3 altered, 1 expired`, without the counts that are 0.
    pub fn summary(&self) -> String {
        self.0.summary()
    }
}
