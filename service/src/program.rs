//! The outside world of a program, which its `main` passes on: signals, randomness and the clock.

use std::future::Future;
use std::io;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

use canasta_serve::outside::NoRandomness;

/// The exit code of bad configuration.
pub const BAD_CONFIGURATION: u8 = 64;
/// The exit code of a server or a command that failed.
pub const FAILED: u8 = 2;

/// Time that a program which ends leaves to threads that nobody waits for, such as one that looks up a name.
const LEFT_BEHIND: Duration = Duration::from_secs(1);

/// Runs a program on threads of its own until it returns its exit code. A thread that is still blocked a second later
/// does not keep the program from ending.
///
/// # Errors
///
/// If the operating system gives no threads.
pub fn run(program: impl Future<Output = ExitCode>) -> io::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    let code = runtime.block_on(program);
    runtime.shutdown_timeout(LEFT_BEHIND);
    Ok(code)
}

/// Parses the command line. Prints clap's help, version or error if that is all there is to do.
///
/// # Errors
///
/// The exit code: 0, or [`BAD_CONFIGURATION`] if the command line is wrong.
pub fn command_line<C: Parser>() -> Result<C, ExitCode> {
    C::try_parse().map_err(|answer| {
        let _ = answer.print();
        ExitCode::from(if answer.use_stderr() { BAD_CONFIGURATION } else { 0 })
    })
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Holds a thread as a look-up that nobody answers does: with a collector that was gone no program ended.
    #[test]
    fn a_blocked_thread_does_not_keep_a_program_from_ending() {
        let (release, held) = mpsc::channel::<()>();
        let (started, has_started) = tokio::sync::oneshot::channel();
        let ended = run(async {
            tokio::task::spawn_blocking(move || {
                let _ = started.send(());
                held.recv()
            });
            has_started.await.expect("the thread runs");
            ExitCode::from(7)
        });
        assert_eq!(ended.expect("threads"), ExitCode::from(7));
        drop(release);
    }
}
