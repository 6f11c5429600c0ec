//! A fair queue for a bounded number of threads.
//!
//! It serves whoever has used the least time, first among the parties and then among the callers of one party. Nobody starves:
//! the time of those that are served grows until they have had more than those that wait. Whoever comes anew begins with the
//! time of the last that was served, so that neither a pause nor a new name is an advantage.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::shares::ADDRESS_CALLERS;
use crate::identity::CallerKey;
use crate::outside::{lock, timer_now};

/// A bounded number of turns. Of the parties (identities and addresses) that wait, the next turn goes to the one whose jobs
/// have taken the least time so far for each caller that it counts as, and within the party to the caller whose jobs have
/// taken the least time: however many jobs wait and however long each of them takes.
#[derive(Clone)]
pub struct Turns(Arc<Mutex<Queue>>);

struct Queue {
    /// Number of turns that nobody has; then nobody waits.
    free: usize,
    parties: Waiting<Waiting<VecDeque<Job>>>,
}

type Job = oneshot::Sender<JobTurn>;

/// The keys that wait, and those that have used more time than the last that was served.
struct Waiting<T> {
    all: BTreeMap<CallerKey, Served<T>>,
    /// The time that the last one to be served had used before.
    served: Duration,
}

#[derive(Default)]
struct Served<T> {
    /// Time that its jobs have taken.
    had: Duration,
    what: T,
}

/// A turn, which goes to the next caller when it is dropped.
pub struct JobTurn(Option<Running>);

struct Running {
    queue: Arc<Mutex<Queue>>,
    caller: CallerKey,
    began: Instant,
}

impl Turns {
    /// Returns turns for `count` jobs at a time.
    pub fn new(count: usize) -> Self {
        Self(Arc::new(Mutex::new(Queue { free: count, parties: Waiting::default() })))
    }

    /// Waits for a turn. Who stops waiting loses nothing and delays nobody.
    pub async fn take(&self, caller: &CallerKey) -> JobTurn {
        let waiting = {
            let mut queue = lock(&self.0);
            match queue.free.checked_sub(1) {
                Some(free) => {
                    queue.free = free;
                    None
                }
                None => {
                    let (sender, receiver) = oneshot::channel();
                    queue.parties.of(&caller.party()).what.of(caller).what.push_back(sender);
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

impl<T> Default for Waiting<T> {
    fn default() -> Self {
        Self { all: BTreeMap::new(), served: Duration::ZERO }
    }
}

impl<T: Default> Waiting<T> {
    fn of(&mut self, key: &CallerKey) -> &mut Served<T> {
        let had = self.served;
        self.all.entry(key.clone()).or_insert_with(|| Served { had, what: T::default() })
    }

    /// Returns the one that has used the least time, of those that wait. Forgets those that do not wait and would begin with at
    /// least as much time if they came anew.
    fn next(&mut self, mut waits: impl FnMut(&mut T) -> bool) -> Option<(CallerKey, &mut T)> {
        let served = self.served;
        let mut next: Option<(CallerKey, Duration)> = None;
        self.all.retain(|key, one| {
            let is_waiting = waits(&mut one.what);
            if is_waiting && next.as_ref().is_none_or(|(_, had)| one.had < *had) {
                next = Some((key.clone(), one.had));
            }
            is_waiting || one.had > served
        });
        let (key, had) = next?;
        self.served = served.max(had);
        self.all.get_mut(&key).map(|one| (key, &mut one.what))
    }
}

impl Waiting<VecDeque<Job>> {
    /// Takes the next job out of the queue.
    fn next_job(&mut self) -> Option<(CallerKey, Job)> {
        let (caller, jobs) = self.next(is_waiting)?;
        jobs.pop_front().map(|job| (caller, job))
    }
}

/// Whether a job waits. Forgets those that were given up.
fn is_waiting(jobs: &mut VecDeque<Job>) -> bool {
    while jobs.front().is_some_and(Job::is_closed) {
        jobs.pop_front();
    }
    !jobs.is_empty()
}

impl JobTurn {
    pub fn has_had(&self, time: Duration) -> bool {
        self.0.as_ref().is_some_and(|running| timer_now() - running.began >= time)
    }

    fn of(queue: &Arc<Mutex<Queue>>, caller: CallerKey) -> Self {
        Self(Some(Running { queue: Arc::clone(queue), caller, began: timer_now() }))
    }
}

impl Drop for JobTurn {
    fn drop(&mut self) {
        let Some(Running { queue: turns, caller, began }) = self.0.take() else { return };
        let mut queue = lock(&turns);
        let (party, took) = (queue.parties.of(&caller.party()), timer_now() - began);
        party.what.of(&caller).had += took;
        party.had += took / (party.what.all.len() as u32).min(ADDRESS_CALLERS as u32);
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

impl Queue {
    fn next(&mut self) -> Option<(CallerKey, Job)> {
        let has_job = |party: &mut Waiting<VecDeque<Job>>| {
            party.all.values_mut().any(|caller| is_waiting(&mut caller.what))
        };
        self.parties.next(has_job)?.1.next_job()
    }
}

#[cfg(test)]
mod tests;
