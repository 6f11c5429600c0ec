//! The outside world of a program, which its `main` passes on: signals, randomness and the clock.

use std::future::Future;
use std::time::SystemTime;

use tokio::signal::unix::{SignalKind, signal};

use canasta_serve::outside::NoRandomness;

/// Returns a future that is ready after SIGTERM or SIGINT. If the signals cannot be caught, they still kill
/// the program.
pub fn signalled() -> impl Future<Output = ()> {
    let signals = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    async {
        let (Ok(mut terminate), Ok(mut interrupt)) = signals else { return std::future::pending().await };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}

/// Fills a buffer with random bytes of the operating system.
#[expect(clippy::disallowed_methods, reason = "the program owns the source of randomness")]
pub fn random(bytes: &mut [u8]) -> Result<(), NoRandomness> {
    getrandom::fill(bytes).map_err(|_| NoRandomness)
}

/// Returns the time, in ms since 1970.
#[expect(clippy::disallowed_methods, reason = "the program owns the clock")]
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
