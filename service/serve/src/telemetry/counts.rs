//! Counts that are kept whether they are exported or not.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use super::method::Method;
use crate::counters::{CountedReason, ReasonCounts};

/// The reason why the server ended a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Closed {
    /// The peer had its share of connections, or the most that one peer may have.
    Full,
    /// Another peer, which had fewer connections, needed the place.
    Crowded,
    /// The connection sent no request in time.
    Silent,
    /// The connection was idle for too long.
    Idle,
    /// The client did not read its answers.
    Stalled,
    /// The client sent frames without end that bring no work.
    Flooded,
}

impl CountedReason for Closed {
    const NAMES: &'static [&'static str] = &["full", "crowded", "silent", "idle", "stalled", "flooded"];

    fn place(self) -> usize {
        self as usize
    }
}

/// The kind of places that callers share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum PlaceKind {
    /// Requests, except those to AuditService.
    Requests,
    /// Requests to AuditService.
    Audits,
    Play,
    /// Streams of health and reflection.
    Watchers,
    Connections,
    /// Bytes of long requests.
    Bytes,
    /// Streams about games by id.
    Games,
    /// Bytes of long answers.
    Answers,
}

impl PlaceKind {
    pub const NAMES: [&str; 8] =
        ["requests", "audits", "play", "watchers", "connections", "bytes", "games", "answers"];

    /// Every kind, in the order of the names.
    pub const ALL: [Self; Self::NAMES.len()] = [
        Self::Requests,
        Self::Audits,
        Self::Play,
        Self::Watchers,
        Self::Connections,
        Self::Bytes,
        Self::Games,
        Self::Answers,
    ];
}

/// The counts of connections and requests.
pub struct Counts {
    connections: AtomicI64,
    pub closed: ReasonCounts<Closed>,
    active: [AtomicI64; Method::ALL.len()],
    revoked: [Arc<AtomicU64>; PlaceKind::NAMES.len()],
}

impl Default for Counts {
    fn default() -> Self {
        let (connections, closed, revoked) = Default::default();
        // Arrays longer than 32 have no default.
        let active = std::array::from_fn(|_| AtomicI64::default());
        Self { connections, closed, active, revoked }
    }
}

impl Counts {
    /// Counts a connection that was accepted (1) or has ended (-1).
    pub fn connection(&self, change: i64) {
        self.connections.fetch_add(change, Ordering::Relaxed);
    }

    /// Counts a request that has begun (1) or ended (-1).
    pub fn request(&self, method: Method, change: i64) {
        self.active[method.number].fetch_add(change, Ordering::Relaxed);
    }

    /// Returns the counter of places of this kind that one caller lost to another.
    pub fn revoked(&self, kind: PlaceKind) -> Arc<AtomicU64> {
        Arc::clone(&self.revoked[kind as usize])
    }

    /// Returns the number of places that one caller lost to another, by kind.
    pub fn all_revoked(&self) -> Vec<(&'static str, u64)> {
        let counts = self.revoked.iter().map(|count| count.load(Ordering::Relaxed));
        PlaceKind::NAMES.into_iter().zip(counts).collect()
    }

    /// Returns the number of open connections.
    pub fn connections(&self) -> i64 {
        self.connections.load(Ordering::Relaxed)
    }

    /// Returns the number of active requests, by method.
    pub fn all_active(&self) -> impl Iterator<Item = (&'static str, i64)> {
        let names = Method::ALL.into_iter().map(|method| method.name);
        names.zip(self.active.iter().map(|count| count.load(Ordering::Relaxed)))
    }
}
