//! The state that a connection shares with its requests.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Instant;

use super::ConnectionPermit;
use crate::identity::{CallerKey, CertificateNames};
use crate::outside::{lock, timer_now};
use crate::telemetry::counts::Closed;
use crate::telemetry::method::Method;

/// Number of checks after which an answer that is still unread closes its connection.
pub(super) const CHECKS: u32 = 4;

/// Number of counters of unread answers: one for each of the last `CHECKS + 1` checks, the rest spare.
const SLOTS: u32 = 8;

/// Maximum number of requests of one connection that wait for their answer or whose answer is unread. HTTP/2
/// itself bounds open streams.
const ACTIVE_REQUESTS_MAX: u32 = 32;

/// The handle of a connection's shared state; tonic passes it to each request of the connection.
#[derive(Clone)]
pub struct Traffic(Arc<TrafficState>);

struct TrafficState {
    /// IP address of the client; of IPv6 its /64 network.
    peer: IpAddr,
    /// Whether the client is a program of this machine.
    is_local: bool,
    /// Time at which the connection is told to go away.
    ends_at: Instant,
    /// Names in the client's certificate; unset if the client has shown no certificate.
    names: Arc<OnceLock<CertificateNames>>,
    begun: AtomicU64,
    ended: AtomicU64,
    /// Number of requests that wait for their answer or whose answer is unread; of streams, those not yet
    /// open.
    active: AtomicU32,
    check: AtomicU32,
    /// Numbers of answers that the client has not read yet, one per check: an answer counts under the check that was current
    /// when the answer was sent.
    unread: [AtomicU32; SLOTS as usize],
    /// Guards of what HTTP/1.1 has taken over, until it is written.
    buffered: Mutex<Vec<Box<dyn Send>>>,
    permit: ConnectionPermit,
}

impl Traffic {
    pub(super) fn new(peer: IpAddr, is_local: bool, max_age: Duration, permit: ConnectionPermit) -> Self {
        let ends_at = timer_now() + max_age;
        let (names, begun, ended, active, check, unread, buffered) = Default::default();
        Self(Arc::new(TrafficState {
            peer,
            is_local,
            ends_at,
            names,
            begun,
            ended,
            active,
            check,
            unread,
            buffered,
            permit,
        }))
    }

    /// Returns the client's IP address; of IPv6 its /64 network.
    pub fn peer(&self) -> IpAddr {
        self.0.peer
    }

    /// Whether the client is a program of this machine, which may be a proxy.
    pub fn is_local(&self) -> bool {
        self.0.is_local
    }

    /// Returns the time at which the connection is told to go away, and its streams end.
    pub fn ends_at(&self) -> Instant {
        self.0.ends_at
    }

    /// Notes that the connection is in use: others are closed first.
    pub fn touch(&self) {
        self.0.permit.place.touch();
    }

    /// Closes the connection: others need the memory of what its client does not read.
    pub fn evict(&self) {
        self.0.permit.place.revoke();
    }

    /// Counts the connection as one of this caller instead of its address.
    pub fn belongs_to(&self, caller: &CallerKey) {
        self.0.permit.place.pass_to(caller);
    }

    /// Returns the names in the client's certificate; `None` if the client has shown no certificate.
    pub fn names(&self) -> Option<&CertificateNames> {
        self.0.names.get()
    }

    /// Returns the cell that the TLS handshake writes the certificate's names to.
    pub(super) fn names_cell(&self) -> Arc<OnceLock<CertificateNames>> {
        Arc::clone(&self.0.names)
    }

    /// Counts an answer that the client must read soon, until the guard is dropped.
    pub fn answered(self) -> UnreadAnswer {
        let slot = (self.0.check.load(Ordering::Relaxed) % SLOTS) as usize;
        self.0.unread[slot].fetch_add(1, Ordering::Relaxed);
        UnreadAnswer { traffic: self, slot }
    }

    /// Keeps the guard of data until everything is written: HTTP/1.1 copies what it is given.
    pub fn keep_until_written(&self, guard: Box<dyn Send>) {
        lock(&self.0.buffered).push(guard);
    }

    /// Drops the guards of what is written, or is never written any more.
    pub(super) fn written(&self) {
        // Not under the lock: a guard may close this connection.
        let written = std::mem::take(&mut *lock(&self.0.buffered));
        drop(written);
    }

    /// Returns the number of requests that have begun, and whether all of them have ended.
    pub(super) fn begun(&self) -> (u64, bool) {
        let begun = self.0.begun.load(Ordering::Relaxed);
        (begun, begun == self.0.ended.load(Ordering::Relaxed))
    }

    /// Begins the next check. Returns whether an answer has been unread for [`CHECKS`] whole intervals.
    pub(super) fn is_stalled(&self) -> bool {
        let check = self.0.check.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let slot = (check.wrapping_sub(CHECKS + 1) % SLOTS) as usize;
        self.0.unread[slot].load(Ordering::Relaxed) > 0
    }

    /// Counts that the server ends the connection.
    pub(super) fn closed(&self, why: Closed) {
        self.0.permit.counts.closed.count(why);
    }

    /// Becomes ready when another peer needs the connection's place.
    pub(super) fn poll_revoked(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.permit.place.poll_revoked(cx)
    }
}

/// A guard of an answer that the client must read soon.
pub struct UnreadAnswer {
    traffic: Traffic,
    slot: usize,
}

impl Drop for UnreadAnswer {
    fn drop(&mut self) {
        self.traffic.0.unread[self.slot].fetch_sub(1, Ordering::Relaxed);
    }
}

/// A request under way, until the client has read its answer.
pub struct ActiveRequest {
    traffic: Traffic,
    method: Method,
    stage: RequestStage,
}

enum RequestStage {
    /// The request waits for its answer.
    Waiting,
    /// The answer is sent and unread.
    Answered { _answer: UnreadAnswer },
    /// The answer is a stream, which is open.
    Streaming,
}

impl ActiveRequest {
    pub fn begin(traffic: &Traffic, method: Method) -> Self {
        traffic.0.begun.fetch_add(1, Ordering::Relaxed);
        traffic.0.active.fetch_add(1, Ordering::Relaxed);
        traffic.0.permit.counts.request(method, 1);
        traffic.touch();
        Self { traffic: traffic.clone(), method, stage: RequestStage::Waiting }
    }

    /// Whether the request's connection has more active requests than it may have.
    pub fn is_too_much(&self) -> bool {
        self.traffic.0.active.load(Ordering::Relaxed) > ACTIVE_REQUESTS_MAX
    }

    /// Notes that the answer has begun. An answer of one message counts as unread from now on.
    pub fn answered(&mut self) {
        self.stage = if self.method.answers_once {
            RequestStage::Answered { _answer: self.traffic.clone().answered() }
        } else {
            self.traffic.0.active.fetch_sub(1, Ordering::Relaxed);
            RequestStage::Streaming
        };
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        let shared = &self.traffic.0;
        if !matches!(self.stage, RequestStage::Streaming) {
            shared.active.fetch_sub(1, Ordering::Relaxed);
        }
        shared.permit.counts.request(self.method, -1);
        shared.ended.fetch_add(1, Ordering::Relaxed);
    }
}
