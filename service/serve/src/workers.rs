//! Threads for long work, beside the threads that answer; the number of concurrent jobs is bounded, and callers have
//! them in turns.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::available_parallelism;
use std::time::Duration;

use canasta_messages::fault::RequestFault;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::OrFault;
use crate::fairness::{JobTurn, Turns};
use crate::identity::CallerKey;
use crate::outside::lock;
use crate::telemetry::Telemetry;
use crate::telemetry::method::Method;

/// The time after which a job that pauses gives its turn to other callers.
const SLICE: Duration = Duration::from_millis(2);

/// Maximum number of jobs of a pool that wait in a pause, each on a thread of its own. Further jobs do not pause: the threads
/// of the runtime are bounded too, and a job that has its turn needs one.
const PAUSED_MAX: usize = 256;

/// A bounded pool of threads for long work, which is measured.
#[derive(Clone)]
pub struct WorkerPool {
    turns: Turns,
    paused: Arc<Semaphore>,
    telemetry: Arc<Telemetry>,
}

/// A pool of threads, and the caller whose turns its jobs use, one job after the other.
#[derive(Clone)]
pub struct CallerWorkers {
    pool: WorkerPool,
    caller: CallerKey,
    job: Arc<Mutex<RunningJob>>,
}

#[derive(Default)]
struct RunningJob {
    /// Its turn; `None` while it waits in a pause.
    turn: Option<JobTurn>,
    /// The time that it has waited in pauses.
    waited: Duration,
}

/// A guard that ends the turn of a job when it is dropped.
struct JobEnd(Arc<Mutex<RunningJob>>);

impl WorkerPool {
    /// Returns a pool for audits of logs: one concurrent job for every two processors.
    pub fn for_logs(telemetry: &Arc<Telemetry>) -> Self {
        Self::new((processors() / 2).max(1), telemetry)
    }

    /// Returns a pool for searches: `max` concurrent jobs; one per processor if `max` is unset.
    pub fn for_searches(max: Option<u16>, telemetry: &Arc<Telemetry>) -> Self {
        Self::new(max.map_or_else(processors, usize::from), telemetry)
    }

    fn new(max: usize, telemetry: &Arc<Telemetry>) -> Self {
        let paused = Arc::new(Semaphore::new(PAUSED_MAX));
        Self { turns: Turns::new(max), paused, telemetry: Arc::clone(telemetry) }
    }

    pub fn of(&self, caller: &CallerKey) -> CallerWorkers {
        CallerWorkers { pool: self.clone(), caller: caller.clone(), job: Arc::default() }
    }
}

impl CallerWorkers {
    /// Runs a job once it is the caller's turn, and measures its time for `method`. A caller that stops
    /// waiting because its deadline has passed does not stop a job that has begun: the job keeps its thread
    /// until it is done.
    ///
    /// # Errors
    /// If the runtime shuts down before the job begins.
    ///
    /// # Panics
    /// If the job panics.
    pub async fn run<T: Send + 'static>(
        &self,
        method: Method,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> OrFault<T> {
        self.run_after(Duration::ZERO, method, job).await
    }

    /// Runs a job as [`Self::run`] does. `spent` is the time that earlier parts of the same job took: it is
    /// added to the measurement.
    ///
    /// # Errors
    /// If the runtime shuts down before the job begins.
    ///
    /// # Panics
    /// If the job panics.
    pub async fn run_after<T: Send + 'static>(
        &self,
        spent: Duration,
        method: Method,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> OrFault<T> {
        let turn = Some(self.pool.turns.take(&self.caller).await);
        *lock(&self.job) = RunningJob { turn, waited: Duration::ZERO };
        let (end, telemetry) = (JobEnd(Arc::clone(&self.job)), Arc::clone(&self.pool.telemetry));
        let done = spawn_blocking(move || {
            let (done, took) = telemetry.metrics.timed(job);
            telemetry.metrics.took(method, (spent + took).saturating_sub(lock(&end.0).waited));
            done
        });
        done.await.map_err(|error| {
            error.try_into_panic().map_or(RequestFault::Internal, |panic| resume_unwind(panic))
        })
    }

    /// Lets other callers have their turns, if the job that is running has had its own for a `SLICE`. The job calls this
    /// again and again; its thread waits for the next turn.
    pub fn pause(&self) {
        if !lock(&self.job).turn.as_ref().is_some_and(|turn| turn.has_had(SLICE)) {
            return;
        }
        let Ok(_place) = self.pool.paused.try_acquire() else { return };
        drop(lock(&self.job).turn.take());
        let wait = || Handle::current().block_on(self.pool.turns.take(&self.caller));
        let (turn, waited) = self.pool.telemetry.metrics.timed(wait);
        let mut job = lock(&self.job);
        (job.turn, job.waited) = (Some(turn), job.waited + waited);
    }
}

impl Drop for JobEnd {
    fn drop(&mut self) {
        lock(&self.0).turn = None;
    }
}

fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// A guard that sets its flag when it is dropped: when the caller has gone, or the deadline has passed.
#[derive(Default)]
pub struct CancelOnDrop(Arc<AtomicBool>);

impl CancelOnDrop {
    /// Returns the flag, which work on other threads reads.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ServiceCli;
    use crate::counters::TokenRefusals;
    use crate::identity::Denials;
    use clap::Parser;
    use tokio::time::timeout;

    /// Runs a job that ends only after a job of another caller, with one turn for both.
    #[tokio::test]
    async fn a_long_job_gives_its_turn_to_others() {
        let config = ServiceCli::parse_from(["canasta-service"]).config;
        let (refusals, denials): (Arc<TokenRefusals>, Arc<Denials>) = Default::default();
        let telemetry =
            Telemetry::start(&config, &refusals, &denials, |_| Ok(())).expect("nothing is exported");
        let pool = WorkerPool::new(1, &Arc::new(telemetry));
        let peer = |number| pool.of(&CallerKey::Peer([127, 0, 0, number].into()));
        let (long, short, is_done) = (peer(1), peer(2), Arc::new(AtomicBool::new(false)));
        let (workers, awaited) = (long.clone(), Arc::clone(&is_done));
        let job = move || {
            while !awaited.load(Ordering::Relaxed) {
                workers.pause();
            }
        };
        let both = async {
            let long = long.run(const { Method::named("AskLog") }, job);
            let short =
                short.run(const { Method::named("AskLog") }, move || is_done.store(true, Ordering::Relaxed));
            tokio::join!(long, short)
        };
        let (long, short) = timeout(Duration::from_secs(60), both).await.expect("both end");
        long.and(short).expect("the runtime runs on");
    }
}
