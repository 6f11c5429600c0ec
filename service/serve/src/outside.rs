//! The outside world as arguments: the clock and the source of randomness, which a server is given; and locks that
//! outlive a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A function that fills a buffer with random bytes. The service has no other source of randomness.
pub type Generator = fn(&mut [u8]) -> Result<(), NoRandomness>;

/// A function that returns the time, in milliseconds since 1970. The service has no other clock for its
/// answers: they depend on the time only where states and credentials expire.
pub type Clock = fn() -> i64;

/// Reads the clock of timers, which decides when connections end and who has the next turn. No answer depends on it.
#[expect(clippy::disallowed_methods, reason = "no answer depends on this clock")]
pub fn timer_now() -> tokio::time::Instant {
    tokio::time::Instant::now()
}

/// Locks a mutex, whether a thread has panicked with it or not: a request that panics breaks nothing that is shared.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A failure of the source of randomness.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the source of randomness failed")]
pub struct NoRandomness;
