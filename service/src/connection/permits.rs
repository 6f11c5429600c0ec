//! Permits of connections: a maximum in all, and a maximum per peer.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Config;
use crate::quotas::{QuotaPermit, Quotas};
use crate::telemetry::counts::{Closed, Counts};

/// The permits of all connections of the server.
#[derive(Clone)]
pub struct ConnectionPermits {
    all: Arc<Semaphore>,
    peers: Quotas<IpAddr>,
    counts: Arc<Counts>,
}

impl ConnectionPermits {
    pub fn new(config: &Config, counts: Arc<Counts>) -> Self {
        let all = Arc::new(Semaphore::new(usize::from(config.max_connections)));
        Self { all, peers: Quotas::new(config.max_peer_connections), counts }
    }

    /// Returns a permit for a connection of `peer`, and counts the connection; `None` if no permit is left.
    pub fn take(&self, peer: IpAddr) -> Option<ConnectionPermit> {
        let Ok(all) = Arc::clone(&self.all).try_acquire_owned() else {
            self.counts.closed(Closed::Full);
            return None;
        };
        let Some(of_peer) = self.peers.take(peer) else {
            self.counts.closed(Closed::PeerFull);
            return None;
        };
        self.counts.connection(1);
        Some(ConnectionPermit { _of_all: all, _of_peer: of_peer, counts: Arc::clone(&self.counts) })
    }
}

/// The permit of one connection, which is returned when it is dropped.
pub struct ConnectionPermit {
    _of_all: OwnedSemaphorePermit,
    _of_peer: QuotaPermit<IpAddr>,
    pub(super) counts: Arc<Counts>,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.counts.connection(-1);
    }
}
