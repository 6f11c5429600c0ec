//! Numbers that are kept whether somebody exports them or not.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use super::method::METHODS;

/// Why a connection was ended by us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Closed {
    /// There were as many as may be.
    Full,
    /// Its peer had as many as it may have.
    PeerFull,
    /// It did not begin to speak in time.
    Silent,
    /// It asked nothing for a long time.
    Idle,
    /// It did not take its answers.
    Stalled,
}

impl Closed {
    /// Their names in metrics.
    pub const NAMES: [&str; 5] = ["full", "peer_full", "silent", "idle", "stalled"];
}

/// See the module.
#[derive(Default)]
pub struct Counts {
    connections: AtomicI64,
    closed: [AtomicU64; Closed::NAMES.len()],
    active: [AtomicI64; METHODS.len()],
}

impl Counts {
    /// A connection was accepted (1) or has ended (-1).
    pub fn connection(&self, change: i64) {
        self.connections.fetch_add(change, Ordering::Relaxed);
    }

    /// We have ended a connection.
    pub fn closed(&self, why: Closed) {
        self.closed[why as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// A request has begun (1) or ended (-1).
    pub fn request(&self, method: usize, change: i64) {
        self.active[method].fetch_add(change, Ordering::Relaxed);
    }

    /// How many connections are open.
    pub fn connections(&self) -> i64 {
        self.connections.load(Ordering::Relaxed)
    }

    /// How many connections we have ended, by reason.
    pub fn all_closed(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Closed::NAMES.into_iter().zip(self.closed.iter().map(|count| count.load(Ordering::Relaxed)))
    }

    /// How many requests are under way, by method.
    pub fn all_active(&self) -> impl Iterator<Item = (&'static str, i64)> {
        let names = METHODS.iter().map(|method| method.name);
        names.zip(self.active.iter().map(|count| count.load(Ordering::Relaxed)))
    }
}
