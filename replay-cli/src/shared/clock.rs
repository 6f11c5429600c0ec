//! The time, and waiting: the only place of the tool that reads the system's clock.

use signal_hook::SigId;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Time between two looks for a signal.
const PIECE: Duration = Duration::from_millis(100);

/// A source of the time for commands that work at intervals. Tests give another one.
pub struct Clock<'a> {
    /// Returns the milliseconds since 1970.
    pub now_ms: Box<dyn FnMut() -> i64 + 'a>,
    /// Waits. Returns `false` if the command must end.
    pub wait: Box<dyn FnMut(Duration) -> bool + 'a>,
}

impl Default for Clock<'_> {
    /// Returns the clock of the system. Waiting ends early at an interrupt or a request to terminate.
    fn default() -> Self {
        Self { now_ms: Box::new(system_ms), wait: Box::new(sleep) }
    }
}

#[expect(clippy::disallowed_methods, reason = "this function is the system's clock, which callers inject")]
fn system_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

fn sleep(time: Duration) -> bool {
    let interrupts = Interrupts::new();
    let mut left = time;
    while !left.is_zero() && !interrupts.has_come() {
        let piece = left.min(PIECE);
        thread::sleep(piece);
        left -= piece;
    }
    !interrupts.has_come()
}

/// A watch for an interrupt or a request to terminate, which do not end the program while it lasts.
pub struct Interrupts {
    has_come: Arc<AtomicBool>,
    handlers: Vec<SigId>,
}

impl Interrupts {
    /// Begins to watch. Without handlers the signals end the program, which is right too: every file is written in one
    /// step.
    pub fn new() -> Self {
        let has_come = Arc::new(AtomicBool::new(false));
        let handler = |signal| signal_hook::flag::register(signal, has_come.clone()).ok();
        let handlers = [SIGINT, SIGTERM].into_iter().filter_map(handler).collect();
        Self { has_come, handlers }
    }

    pub fn has_come(&self) -> bool {
        self.has_come.load(Ordering::Relaxed)
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        self.handlers.drain(..).for_each(|handler| {
            signal_hook::low_level::unregister(handler);
        });
    }
}
