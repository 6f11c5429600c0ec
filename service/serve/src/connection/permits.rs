//! Permits of connections: a share of all for each peer, and a maximum. A connection over which a link was shown is one
//! of the link: players behind one address have each their own, within the larger share of the address.

use std::net::IpAddr;
use std::sync::Arc;

use crate::fairness::{Accountant, SharedPlace};
use crate::identity::CallerKey;
use crate::telemetry::counts::{Closed, Counts, PlaceKind};

#[derive(Clone)]
pub struct ConnectionPermits {
    accountant: Accountant,
    counts: Arc<Counts>,
}

impl ConnectionPermits {
    pub fn new(accountant: Accountant, counts: Arc<Counts>) -> Self {
        Self { accountant, counts }
    }

    /// Returns a permit for a new connection of `peer`, and counts the connection; `None` if the peer has its share.
    pub fn take(&self, peer: IpAddr) -> Option<ConnectionPermit> {
        let Ok(place) = self.accountant.take(PlaceKind::Connections, &CallerKey::Peer(peer), 1) else {
            self.counts.closed.count(Closed::Full);
            return None;
        };
        self.counts.connection(1);
        Some(ConnectionPermit { place, counts: Arc::clone(&self.counts) })
    }
}

/// The permit of one connection, which is returned when it is dropped.
pub struct ConnectionPermit {
    pub(super) place: SharedPlace,
    pub(super) counts: Arc<Counts>,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.counts.connection(-1);
    }
}
