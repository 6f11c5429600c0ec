//! The logs that threads share, and the results that wait for their turn.

use crate::shared::paths::{self, Failure};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Maximum number of logs that are begun while the result of an earlier one is missing.
pub const AHEAD_MAX: u64 = 1024;
/// Size of the waiting results, in bytes, from which on no further log is begun.
pub const WAITING_MAX: usize = 4 << 20;

/// The logs to be processed, in order, and the results that have not been handed over.
pub struct LogQueue<I, T> {
    state: Mutex<QueueState<I, T>>,
    /// Notified when a log can be begun, or none will be.
    room: Condvar,
    /// Notified when the calling thread has something to do.
    ready: Condvar,
    size: fn(&T) -> usize,
}

struct QueueState<I, T> {
    paths: I,
    /// Number of logs that were begun, and of results that were handed over.
    begun: u64,
    taken: u64,
    /// The results that wait, with their sizes in bytes.
    waiting: BTreeMap<u64, (usize, Result<T, Failure>)>,
    waiting_size: usize,
    /// The result of standard input, which is read before all logs.
    stdin: Option<(usize, Result<T, Failure>)>,
    /// Whether all paths have been read.
    is_at_end: bool,
    /// Whether a thread has panicked, or the calling thread has returned.
    is_stopped: bool,
    error: Option<io::Error>,
    /// Number of threads that wait for room.
    without_room: usize,
}

/// A guard that ends the work of all threads when it is dropped.
pub struct StopOnDrop<'q, I: Iterator<Item = io::Result<PathBuf>>, T> {
    queue: &'q LogQueue<I, T>,
    is_caller: bool,
}

impl<I: Iterator<Item = io::Result<PathBuf>>, T> LogQueue<I, T> {
    pub fn new(paths: I, stdin: Option<Result<T, Failure>>, size: fn(&T) -> usize) -> Self {
        let state = QueueState {
            paths,
            begun: 0,
            taken: 0,
            waiting: BTreeMap::new(),
            waiting_size: 0,
            stdin: stdin.map(|result| (result.as_ref().map_or(0, size), result)),
            is_at_end: false,
            is_stopped: false,
            error: None,
            without_room: 0,
        };
        Self { state: Mutex::new(state), room: Condvar::new(), ready: Condvar::new(), size }
    }

    /// Returns the next log and its number; `None` if there is none. Waits while too many results wait.
    pub fn next(&self) -> Option<(u64, PathBuf)> {
        let mut state = self.state();
        while !state.is_done() && !state.has_room() {
            state.without_room += 1;
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.without_room -= 1;
        }
        let next = state.begin();
        if next.is_none() {
            self.ready.notify_one();
            self.room.notify_all();
        }
        next
    }

    /// Returns the next log as [`LogQueue::next`] does; also `None` where that would wait.
    pub fn next_now(&self) -> Option<(u64, PathBuf)> {
        let mut state = self.state();
        let next = if state.has_room() { state.begin() } else { None };
        if next.is_none() && state.is_done() {
            self.room.notify_all();
        }
        next
    }

    /// Adds the result of a log.
    pub fn put(&self, number: u64, result: Result<T, Failure>) {
        let size = result.as_ref().map_or(0, self.size);
        let mut state = self.state();
        state.insert(number, (size, result));
        if number == state.taken {
            self.ready.notify_one();
        }
    }

    /// Returns the result that comes next, if it is there.
    pub fn take(&self) -> Option<Result<T, Failure>> {
        let mut state = self.state();
        let number = state.taken;
        let (size, result) = state.waiting.remove(&number)?;
        state.taken += 1;
        state.waiting_size -= size;
        if state.without_room > 0 && state.has_room() {
            self.room.notify_all();
        }
        Some(result)
    }

    /// Waits until a result can be handed over or a log can be begun. Returns `false` if everything is done, or another
    /// thread has panicked.
    ///
    /// # Errors
    /// If the list of logs cannot be read.
    pub fn wait(&self) -> io::Result<bool> {
        let mut state = self.state();
        loop {
            if let Some(error) = state.error.take() {
                return Err(error);
            }
            if state.is_stopped || (state.is_at_end && state.taken == state.begun) {
                return Ok(false);
            }
            if state.waiting.contains_key(&state.taken) || (!state.is_at_end && state.has_room()) {
                return Ok(true);
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns a guard that stops all threads: when the calling thread ends, or if another thread panics.
    pub fn stop_on_drop(&self, is_caller: bool) -> StopOnDrop<'_, I, T> {
        StopOnDrop { queue: self, is_caller }
    }

    fn state(&self) -> MutexGuard<'_, QueueState<I, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I: Iterator<Item = io::Result<PathBuf>>, T> QueueState<I, T> {
    fn has_room(&self) -> bool {
        self.begun - self.taken < AHEAD_MAX && self.waiting_size < WAITING_MAX
    }

    fn is_done(&self) -> bool {
        self.is_at_end || self.is_stopped
    }

    fn insert(&mut self, number: u64, result: (usize, Result<T, Failure>)) {
        self.waiting_size += result.0;
        self.waiting.insert(number, result);
    }

    fn begin(&mut self) -> Option<(u64, PathBuf)> {
        while !self.is_done() {
            match self.paths.next() {
                Some(Ok(path)) => {
                    let number = self.begun;
                    self.begun += 1;
                    match self.stdin.take_if(|_| paths::is_stdin(&path)) {
                        Some(result) => self.insert(number, result),
                        None => return Some((number, path)),
                    }
                }
                Some(Err(error)) => (self.error, self.is_at_end) = (Some(error), true),
                None => self.is_at_end = true,
            }
        }
        None
    }
}

impl<I: Iterator<Item = io::Result<PathBuf>>, T> Drop for StopOnDrop<'_, I, T> {
    fn drop(&mut self) {
        if self.is_caller || thread::panicking() {
            self.queue.state().is_stopped = true;
            self.queue.room.notify_all();
            self.queue.ready.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type TestQueue<I> = LogQueue<I, usize>;

    fn queue(logs: u64) -> TestQueue<impl Iterator<Item = io::Result<PathBuf>>> {
        LogQueue::new((0..logs).map(|log| Ok(PathBuf::from(format!("{log}")))), None, |&size| size)
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
            assert!(queue.take().is_none(), "no result before that of the first log");
        }
        assert!(queue.next().is_none());
        queue.put(first.0, Ok(0));
        let taken: Vec<usize> = std::iter::from_fn(|| queue.take()).map(|result| result.unwrap()).collect();
        assert_eq!(taken, (0..100).collect::<Vec<_>>());
        assert!(!queue.wait().expect("a list"));
    }

    #[test]
    fn waiting_results_are_bounded() {
        let by_number = queue(2 * AHEAD_MAX);
        let begun = std::iter::from_fn(|| by_number.next_now()).count() as u64;
        assert_eq!(begun, AHEAD_MAX);
        let by_size = queue(10);
        assert!(by_size.next_now().is_some() && by_size.next_now().is_some());
        by_size.put(1, Ok(WAITING_MAX));
        assert!(by_size.next_now().is_none());
        by_size.put(0, Ok(0));
        assert!(by_size.take().is_some() && by_size.next_now().is_none());
        assert!(by_size.take().is_some() && by_size.next_now().is_some());
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
            let _stop = queue.stop_on_drop(true);
            while queue.wait().expect("a list") {
                if let Some((number, _)) = queue.next_now() {
                    queue.put(number, Ok(0));
                }
                while queue.take().is_some() {}
            }
            other.join().is_err()
        });
        assert!(panicked);
    }

    #[test]
    fn a_list_that_cannot_be_read_is_an_error() {
        let fault = || Err(io::Error::other("no list"));
        let queue: TestQueue<_> = LogQueue::new(std::iter::once_with(fault), None, |&size| size);
        assert!(queue.next().is_none());
        assert!(queue.wait().is_err());
    }
}
