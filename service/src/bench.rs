//! Where long work is done: beside the threads that answer, a bounded number at once.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::context::RequestContext;
use crate::status::Fault;

/// The seats for logs: one for every two processors.
pub fn seats_for_logs() -> Arc<Semaphore> {
    Arc::new(Semaphore::new((processors() / 2).max(1)))
}

/// The seats for searches: one for every processor, unless the configuration says how many.
pub fn seats_for_searches(most: Option<u16>) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(most.map_or_else(processors, usize::from)))
}

fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Where a request has its work done.
#[derive(Clone)]
pub struct Bench {
    seats: Arc<Semaphore>,
    ctx: Arc<RequestContext>,
    /// What the time is counted for.
    method: &'static str,
}

impl Bench {
    pub fn new(seats: &Arc<Semaphore>, ctx: &Arc<RequestContext>, method: &'static str) -> Self {
        Self { seats: Arc::clone(seats), ctx: Arc::clone(ctx), method }
    }

    /// Does a piece of work once there is a seat for it. Whoever stops waiting, since a deadline has passed, leaves a
    /// piece that has begun to its end: it keeps its seat until then.
    ///
    /// # Panics
    /// If the piece does.
    pub async fn work<T: Send + 'static>(
        &self,
        piece: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Fault> {
        self.work_after(Duration::ZERO, piece).await
    }

    /// As [`Self::work`], for the rest of what has taken `spent` already.
    ///
    /// # Panics
    /// If the piece does.
    pub async fn work_after<T: Send + 'static>(
        &self,
        spent: Duration,
        piece: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Fault> {
        let seat = Arc::clone(&self.seats).acquire_owned().await.map_err(|_| Fault::Internal)?;
        let (ctx, method) = (Arc::clone(&self.ctx), self.method);
        let done = spawn_blocking(move || {
            let _seat = seat;
            ctx.telemetry.metrics.measured_after(spent, method, piece)
        });
        done.await
            .map_err(|error| error.try_into_panic().map_or(Fault::Internal, |panic| resume_unwind(panic)))
    }
}

/// Sets its flag when it is dropped: when the caller has gone, or the deadline has passed.
#[derive(Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
