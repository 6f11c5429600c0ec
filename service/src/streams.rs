//! Open streams: their places, and what ends them.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tokio::sync::watch;
use tokio::time::sleep_until;

use crate::connection::Traffic;
use crate::fairness::{SharedPlace, Shares};
use crate::identity::CallerKey;
use crate::status::RequestFault;

/// The places of one kind of streams.
pub struct StreamPlaces {
    shares: Shares<CallerKey>,
    /// True once the server drains.
    draining: watch::Receiver<bool>,
}

impl StreamPlaces {
    /// Returns places for at most `max` open streams. `revoked` counts places that are revoked; `draining` becomes true
    /// when all streams have to end.
    pub fn new(max: u16, revoked: Arc<AtomicU64>, draining: watch::Receiver<bool>) -> Self {
        Self { shares: Shares::new(max.into(), revoked), draining }
    }

    /// Takes a place for a stream of this caller.
    ///
    /// # Errors
    /// If the caller has its share of all places.
    pub fn take(&self, caller: &CallerKey, traffic: Option<&Traffic>) -> Result<StreamPlace, RequestFault> {
        let place = self.shares.take(caller).ok_or(RequestFault::Overloaded)?;
        Ok(StreamPlace { place, traffic: traffic.cloned(), draining: self.draining.clone() })
    }
}

/// The place of an open stream.
pub struct StreamPlace {
    place: SharedPlace<CallerKey>,
    /// The stream's connection; `None` in this process.
    traffic: Option<Traffic>,
    draining: watch::Receiver<bool>,
}

impl StreamPlace {
    /// Notes that the stream and its connection are in use: others are ended first.
    pub fn touch(&self) {
        self.place.touch();
        self.traffic.iter().for_each(Traffic::touch);
    }

    /// Waits until the stream has to end: because another caller needs its place, its connection is old, or the server
    /// drains.
    pub async fn end(&self) -> RequestFault {
        let mut draining = self.draining.clone();
        let aged = async {
            match &self.traffic {
                Some(traffic) => sleep_until(traffic.ends_at()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = self.place.revoked() => RequestFault::Overloaded,
            _ = draining.wait_for(|draining| *draining) => RequestFault::Draining,
            () = aged => RequestFault::Draining,
        }
    }
}
