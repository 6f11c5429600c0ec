//! The logs that threads share, and the results that wait for their turn.

use crate::shared::paths::Failure;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Maximum number of logs that are begun while the result of an earlier one is missing.
const AHEAD_MAX: u64 = 1024;
/// Size of the waiting results, in bytes, from which on no further log is begun.
const WAITING_MAX: usize = 4 << 20;

/// The logs to be processed, in order, and the results that have not been handed over.
pub struct LogQueue<I, T> {
    state: Mutex<QueueState<I, T>>,
    /// Notified when a log can be begun or a result handed over, or none will be.
    changed: Condvar,
    size: fn(&T) -> usize,
}

struct QueueState<I, T> {
    paths: I,
    /// Number of logs that were begun, and of results that were handed over.
    begun: u64,
    taken: u64,
    /// The results that wait, by number, and their size in bytes.
    waiting: BTreeMap<u64, Result<T, Failure>>,
    waiting_size: usize,
    /// Whether all paths have been read.
    is_at_end: bool,
    /// Whether a thread has panicked, or the calling thread has returned.
    is_stopped: bool,
    error: Option<io::Error>,
}

/// A guard that ends the work of all threads when it is dropped.
pub struct StopOnDrop<'q, I: Iterator<Item = io::Result<PathBuf>>, T> {
    queue: &'q LogQueue<I, T>,
    is_caller: bool,
}

impl<I: Iterator<Item = io::Result<PathBuf>>, T> LogQueue<I, T> {
    pub fn new(paths: I, size: fn(&T) -> usize) -> Self {
        let (waiting, waiting_size) = (BTreeMap::new(), 0);
        let (begun, taken, is_at_end, is_stopped, error) = (0, 0, false, false, None);
        let state = QueueState { paths, begun, taken, waiting, waiting_size, is_at_end, is_stopped, error };
        Self { state: Mutex::new(state), changed: Condvar::new(), size }
    }

    /// Returns the next log and its number; `None` if there is none. Waits while too many results wait.
    pub fn next(&self) -> Option<(u64, PathBuf)> {
        let mut state = self.state();
        while !state.is_done() && !state.has_room() {
            state = self.wait(state);
        }
        if state.is_done() {
            return None;
        }
        match state.paths.next() {
            Some(Ok(path)) => {
                state.begun += 1;
                return Some((state.begun - 1, path));
            }
            Some(Err(error)) => state.error = Some(error),
            None => {}
        }
        state.is_at_end = true;
        self.changed.notify_all();
        None
    }

    pub fn put(&self, number: u64, result: Result<T, Failure>) {
        let mut state = self.state();
        state.waiting_size += result.as_ref().map_or(0, self.size);
        state.waiting.insert(number, result);
        if number == state.taken {
            self.changed.notify_all();
        }
    }

    /// Waits for the result that comes next; `None` if every result has been handed over, or a thread has panicked.
    pub fn take(&self) -> io::Result<Option<Result<T, Failure>>> {
        let mut state = self.state();
        loop {
            if let Some(error) = state.error.take() {
                return Err(error);
            }
            let number = state.taken;
            if let Some(result) = state.waiting.remove(&number) {
                if !state.has_room() {
                    self.changed.notify_all();
                }
                state.taken += 1;
                state.waiting_size -= result.as_ref().map_or(0, self.size);
                return Ok(Some(result));
            }
            if state.is_stopped || (state.is_at_end && state.taken == state.begun) {
                return Ok(None);
            }
            state = self.wait(state);
        }
    }

    /// Returns a guard that stops all threads: when the calling thread ends, or if another thread panics.
    pub fn stop_on_drop(&self, is_caller: bool) -> StopOnDrop<'_, I, T> {
        StopOnDrop { queue: self, is_caller }
    }

    fn state(&self) -> MutexGuard<'_, QueueState<I, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, QueueState<I, T>>) -> MutexGuard<'s, QueueState<I, T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I, T> QueueState<I, T> {
    fn has_room(&self) -> bool {
        self.begun - self.taken < AHEAD_MAX && self.waiting_size < WAITING_MAX
    }

    fn is_done(&self) -> bool {
        self.is_at_end || self.is_stopped
    }
}

impl<I: Iterator<Item = io::Result<PathBuf>>, T> Drop for StopOnDrop<'_, I, T> {
    fn drop(&mut self) {
        if self.is_caller || thread::panicking() {
            self.queue.state().is_stopped = true;
            self.queue.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type TestQueue<I> = LogQueue<I, usize>;

    fn queue(logs: u64) -> TestQueue<impl Iterator<Item = io::Result<PathBuf>>> {
        LogQueue::new((0..logs).map(|log| Ok(PathBuf::from(format!("{log}")))), |&size| size)
    }

    /// Checks that all others are done before the first log, which is the last to be finished, and come after it.
    #[test]
    fn one_long_log_holds_up_no_other() {
        let queue = queue(100);
        let first = queue.next().expect("a log");
        for number in 1..100 {
            let (found, path) = queue.next().expect("room for a log");
            assert_eq!((found, path), (number, PathBuf::from(number.to_string())));
            queue.put(number, Ok(number as usize));
        }
        assert!(queue.next().is_none());
        queue.put(first.0, Ok(0));
        let take = || queue.take().expect("a list");
        let taken: Vec<usize> = std::iter::from_fn(take).map(|result| result.unwrap()).collect();
        assert_eq!(taken, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn waiting_results_are_bounded() {
        let by_number = queue(2 * AHEAD_MAX);
        (0..AHEAD_MAX).for_each(|_| assert!(by_number.next().is_some()));
        assert!(!by_number.state().has_room());
        let by_size = queue(10);
        assert!(by_size.next().is_some() && by_size.next().is_some());
        by_size.put(1, Ok(WAITING_MAX));
        assert!(!by_size.state().has_room());
        by_size.put(0, Ok(0));
        for has_room in [false, true] {
            assert!(by_size.take().expect("a list").is_some());
            assert_eq!(by_size.state().has_room(), has_room);
        }
    }

    /// Checks that the calling thread does not wait for the result of a thread that has panicked.
    #[test]
    fn a_panic_ends_the_wait() {
        let queue = queue(2);
        let panicked = thread::scope(|scope| {
            let other = scope.spawn(|| {
                let _stop = queue.stop_on_drop(false);
                let _log = queue.next();
                panic!("a fault of ours");
            });
            assert!(queue.take().expect("a list").is_none());
            other.join().is_err()
        });
        assert!(panicked);
    }

    #[test]
    fn a_list_that_cannot_be_read_is_an_error() {
        let fault = || Err(io::Error::other("no list"));
        let queue: TestQueue<_> = LogQueue::new(std::iter::once_with(fault), |&size| size);
        assert!(queue.next().is_none());
        assert!(queue.take().is_err());
    }
}
