//! Turns at a bounded number of threads.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::outside::timer_now;

/// A bounded number of turns. Of the callers that wait, the next turn goes to the one whose jobs have taken the least
/// time so far, however many jobs wait and however long each of them takes.
#[derive(Clone)]
pub struct Turns<K: Ord + Clone>(Arc<Mutex<Queue<K>>>);

struct Queue<K: Ord + Clone> {
    /// Number of turns that nobody has; then nobody waits.
    free: usize,
    /// The callers that wait, and those that have had more time than the last that was served.
    callers: BTreeMap<K, CallerQueue<K>>,
    /// The time that the last caller to be served had had before. Who comes anew begins with it: nobody saves up time.
    served: Duration,
}

struct CallerQueue<K: Ord + Clone> {
    /// The jobs that wait, in the order of asking.
    jobs: VecDeque<oneshot::Sender<JobTurn<K>>>,
    /// Time that the caller's jobs have taken.
    had: Duration,
}

/// A turn, which goes to the next caller when it is dropped.
pub struct JobTurn<K: Ord + Clone>(Option<Running<K>>);

/// A job that has its turn.
struct Running<K: Ord + Clone> {
    queue: Arc<Mutex<Queue<K>>>,
    caller: K,
    began: Instant,
}

impl<K: Ord + Clone> Turns<K> {
    /// Returns turns for `count` jobs at a time.
    pub fn new(count: usize) -> Self {
        let queue = Queue { free: count, callers: BTreeMap::new(), served: Duration::ZERO };
        Self(Arc::new(Mutex::new(queue)))
    }

    /// Waits for a turn. Who stops waiting loses nothing and delays nobody.
    pub async fn take(&self, caller: &K) -> JobTurn<K> {
        let waiting = {
            let mut queue = lock(&self.0);
            match queue.free.checked_sub(1) {
                Some(free) => {
                    queue.free = free;
                    None
                }
                None => {
                    let (sender, receiver) = oneshot::channel();
                    queue.of(caller).jobs.push_back(sender);
                    Some(receiver)
                }
            }
        };
        match waiting {
            Some(receiver) => receiver.await.expect("the queue, which this future holds, keeps the sender"),
            None => JobTurn::of(&self.0, caller.clone()),
        }
    }
}

impl<K: Ord + Clone> Queue<K> {
    fn of(&mut self, caller: &K) -> &mut CallerQueue<K> {
        let had = self.served;
        self.callers.entry(caller.clone()).or_insert_with(|| CallerQueue { jobs: VecDeque::new(), had })
    }

    /// Takes the next job out of the queue, and forgets the callers that neither wait nor have had more than others.
    fn next(&mut self) -> Option<(K, oneshot::Sender<JobTurn<K>>)> {
        let served = self.served;
        self.callers.retain(|_, caller| {
            while caller.jobs.front().is_some_and(oneshot::Sender::is_closed) {
                caller.jobs.pop_front();
            }
            !caller.jobs.is_empty() || caller.had > served
        });
        let waiting = self.callers.iter_mut().filter(|(_, caller)| !caller.jobs.is_empty());
        let (key, next) = waiting.min_by_key(|(_, caller)| caller.had)?;
        self.served = served.max(next.had);
        next.jobs.pop_front().map(|job| (key.clone(), job))
    }
}

impl<K: Ord + Clone> JobTurn<K> {
    fn of(queue: &Arc<Mutex<Queue<K>>>, caller: K) -> Self {
        Self(Some(Running { queue: Arc::clone(queue), caller, began: timer_now() }))
    }
}

impl<K: Ord + Clone> Drop for JobTurn<K> {
    fn drop(&mut self) {
        let Some(Running { queue: turns, caller, began }) = self.0.take() else { return };
        let mut queue = lock(&turns);
        queue.of(&caller).had += timer_now() - began;
        while let Some((caller, next)) = queue.next() {
            // The lock is held, so a turn that nobody took at the last moment must not be dropped as one.
            match next.send(Self::of(&turns, caller)) {
                Ok(()) => return,
                Err(mut refused) => refused.0 = None,
            }
        }
        queue.free += 1;
    }
}

fn lock<K: Ord + Clone>(queue: &Mutex<Queue<K>>) -> MutexGuard<'_, Queue<K>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::{sleep, timeout};

    /// Returns the callers of `jobs`, which take so many ms, in the order of their turns, with one turn at a time.
    async fn order(jobs: &[(u8, u64)]) -> Vec<u8> {
        let turns = Turns::new(1);
        let first = turns.take(&0).await;
        let had = Arc::new(Mutex::new(Vec::new()));
        let mut running = tokio::task::JoinSet::new();
        for &(caller, takes) in jobs {
            let (turns, had) = (turns.clone(), Arc::clone(&had));
            running.spawn(async move {
                let _turn = turns.take(&caller).await;
                had.lock().expect("no panic").push(caller);
                sleep(Duration::from_millis(takes)).await;
            });
            tokio::task::yield_now().await;
        }
        drop(first);
        running.join_all().await;
        let had = had.lock().expect("no panic");
        had.clone()
    }

    #[tokio::test(start_paused = true)]
    async fn callers_have_turns_and_not_jobs() {
        let jobs = [(1, 1), (1, 1), (1, 1), (1, 1), (2, 1), (3, 1), (2, 1)];
        assert_eq!(order(&jobs).await, [1, 2, 3, 1, 2, 1, 1]);
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_long_jobs_has_fewer_turns() {
        let jobs = [(1, 3), (1, 3), (2, 1), (2, 1), (2, 1), (2, 1)];
        assert_eq!(order(&jobs).await, [1, 2, 2, 2, 1, 2]);
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_and_goes_has_no_more_than_who_waits() {
        let turns = Turns::new(1);
        let first = turns.take(&0).await;
        let (waiting, counts) = (turns.clone(), Arc::new(Mutex::new([0; 2])));
        let backlog = Arc::clone(&counts);
        let spawned = tokio::spawn(async move {
            let jobs = async || {
                loop {
                    let _turn = waiting.take(&1).await;
                    sleep(Duration::from_millis(1)).await;
                    backlog.lock().expect("no panic")[0] += 1;
                }
            };
            tokio::join!(jobs(), jobs(), jobs());
        });
        tokio::task::yield_now().await;
        drop(first);
        // Long jobs, one at a time.
        for _ in 0..20 {
            let _turn = turns.take(&2).await;
            sleep(Duration::from_millis(5)).await;
            counts.lock().expect("no panic")[1] += 5;
        }
        spawned.abort();
        let [short, long] = *counts.lock().expect("no panic");
        assert!(short >= long - 5, "{short} ms for the one that waits, {long} ms for the other");
    }

    #[tokio::test(start_paused = true)]
    async fn who_stops_waiting_delays_nobody_and_loses_no_turn() {
        let turns = Turns::new(1);
        let first = turns.take(&1).await;
        for caller in [2, 2, 3] {
            let given_up = timeout(Duration::from_millis(1), turns.take(&caller)).await;
            assert!(given_up.is_err(), "the turn is another's");
        }
        let waiting = turns.clone();
        let next = tokio::spawn(async move { drop(waiting.take(&2).await) });
        tokio::task::yield_now().await;
        drop(first);
        next.await.expect("it has its turn");
        let queue = lock(&turns.0);
        assert_eq!(queue.free, 1);
        assert!(queue.callers.values().all(|caller| caller.jobs.is_empty()));
    }
}
