//! Threads for long work, beside the threads that answer; the number of concurrent jobs is bounded, and callers have
//! them in turns.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::task::spawn_blocking;

use crate::fairness::Turns;
use crate::identity::CallerKey;
use crate::status::RequestFault;
use crate::telemetry::Telemetry;
use crate::telemetry::method::Method;

/// A bounded pool of threads for long work, which is measured.
#[derive(Clone)]
pub struct WorkerPool {
    turns: Turns,
    telemetry: Arc<Telemetry>,
}

/// A pool of threads, and the caller whose turns its jobs use.
#[derive(Clone)]
pub struct CallerWorkers {
    pool: WorkerPool,
    caller: CallerKey,
}

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
        Self { turns: Turns::new(max), telemetry: Arc::clone(telemetry) }
    }

    /// Returns the pool for the jobs of one caller.
    pub fn of(&self, caller: &CallerKey) -> CallerWorkers {
        CallerWorkers { pool: self.clone(), caller: caller.clone() }
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
    ) -> Result<T, RequestFault> {
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
    ) -> Result<T, RequestFault> {
        let turn = self.pool.turns.take(&self.caller).await;
        let telemetry = Arc::clone(&self.pool.telemetry);
        let done = spawn_blocking(move || {
            let _turn = turn;
            telemetry.metrics.measured_after(spent, method, job)
        });
        done.await.map_err(|error| {
            error.try_into_panic().map_or(RequestFault::Internal, |panic| resume_unwind(panic))
        })
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
