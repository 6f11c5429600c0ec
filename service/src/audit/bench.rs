//! Where logs are worked on: beside the threads that answer players, on half of the processors.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::desk::Desk;
use crate::status::Fault;

/// So many logs are worked on at the same moment.
pub fn seats() -> Arc<Semaphore> {
    let processors = available_parallelism().map_or(1, usize::from);
    Arc::new(Semaphore::new((processors / 2).max(1)))
}

/// Where a request has its log worked on.
pub struct Bench {
    seats: Arc<Semaphore>,
    desk: Arc<Desk>,
    /// What the time is counted for.
    method: &'static str,
}

impl Bench {
    pub fn new(seats: &Arc<Semaphore>, desk: &Arc<Desk>, method: &'static str) -> Self {
        Self { seats: Arc::clone(seats), desk: Arc::clone(desk), method }
    }

    /// Does a piece of work once there is a seat for it.
    pub async fn work<T: Send + 'static>(
        &self,
        piece: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Fault> {
        let seat = Arc::clone(&self.seats).acquire_owned().await.map_err(|_| Fault::Internal)?;
        let (desk, method) = (Arc::clone(&self.desk), self.method);
        let done = spawn_blocking(move || {
            let _seat = seat;
            desk.telemetry.metrics.measured(method, piece)
        });
        done.await.map_err(|_| Fault::Internal)
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
