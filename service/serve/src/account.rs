//! The account of a request's caller, which the layers add to the request, and what the request holds.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use canasta_messages::fault::RequestFault;
use tokio::time::timeout;
use tonic::Request;

use crate::OrFault;
use crate::fairness::{Accountant, RateLimiter, SharedPlace};
use crate::identity::{Caller, CallerKey};
use crate::limits::ANSWER_BYTES_FREE;
use crate::outside::lock;
use crate::telemetry::counts::PlaceKind;
use crate::telemetry::instant;

/// Maximum number of bytes that are charged for at once, however many are needed.
const MEMORY_BYTES_MAX: usize = 2 << 20;
/// Maximum time for which a request waits for memory.
const MEMORY_WAIT: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub struct CallerAccount {
    key: CallerKey,
    rates: Option<Arc<RateLimiter>>,
    /// Weak, since a stream keeps the account longer than the request has its place.
    permits: Weak<RequestPermits>,
}

/// The places and the memory of a request.
pub struct RequestPermits {
    accountant: Accountant,
    /// The place among the requests, until the client has read the answer.
    place: SharedPlace,
    /// The memory of the message and of the making of its answer, until the answer is made.
    memory: Mutex<Vec<SharedPlace>>,
}

impl RequestPermits {
    pub fn new(accountant: Accountant, place: SharedPlace) -> Self {
        Self { accountant, place, memory: Mutex::default() }
    }

    pub fn place(&self) -> &SharedPlace {
        &self.place
    }

    /// Holds memory until the answer is made.
    pub fn hold(&self, memory: SharedPlace) {
        lock(&self.memory).push(memory);
    }

    /// Gives back the memory: the answer is made.
    pub fn made(&self) {
        lock(&self.memory).clear();
    }
}

impl CallerAccount {
    /// Returns the account of a caller; of its address if it is not authenticated.
    pub fn new(caller: Option<&Caller>, peer: Option<IpAddr>, rates: Option<Arc<RateLimiter>>) -> Self {
        let key = match caller {
            Some(Caller::Known(identity)) => match &identity.link {
                Some(link) => CallerKey::Link { peer, id: link.token_id },
                None => CallerKey::Identity(Arc::clone(&identity.name)),
            },
            Some(Caller::Trusted | Caller::Guest) | None => CallerKey::of_peer(peer),
        };
        Self { key, rates, permits: Weak::new() }
    }

    /// Returns the account of a request that holds these permits.
    pub fn with(mut self, permits: &Arc<RequestPermits>) -> Self {
        self.permits = Arc::downgrade(permits);
        self
    }

    /// Returns the account of a request's caller; of this process if the request has not passed the layers.
    pub fn of<T>(request: &Request<T>) -> Self {
        let found = request.extensions().get::<Self>().cloned();
        found.unwrap_or(Self { key: CallerKey::Local, rates: None, permits: Weak::new() })
    }

    /// Returns the party that the account belongs to.
    pub fn key(&self) -> &CallerKey {
        &self.key
    }

    /// Charges for `units` more messages or actions, whether the caller has that many left or not. Returns the time
    /// until it has some again; zero if it has.
    pub fn charge(&self, units: u32) -> Duration {
        self.rates.as_ref().map_or(Duration::ZERO, |rates| rates.charge(&self.key, units, instant()))
    }

    /// Waits until the caller may have an answer whose making takes about so many bytes of memory, beside those that it has
    /// not taken yet. To be called before the answer is made.
    ///
    /// # Errors
    /// If the caller has its share for too long.
    pub async fn expect_answer(&self, bytes: usize) -> OrFault<()> {
        if bytes <= ANSWER_BYTES_FREE {
            return Ok(());
        }
        let memory = self.memory(bytes).await?;
        self.permits.upgrade().into_iter().zip(memory).for_each(|(permits, memory)| permits.hold(memory));
        Ok(())
    }

    /// Waits until the caller may have so many bytes of memory; `None` if the request has not passed the layers.
    ///
    /// # Errors
    /// If the caller has its share for too long.
    pub async fn memory(&self, bytes: usize) -> OrFault<Option<SharedPlace>> {
        let Some(permits) = self.permits.upgrade() else { return Ok(None) };
        let bytes = bytes.clamp(1, MEMORY_BYTES_MAX) as u64;
        let waiting = permits.accountant.of(PlaceKind::Answers).wait(&self.key, bytes);
        timeout(MEMORY_WAIT, waiting).await.ok().flatten().map(Some).ok_or(RequestFault::Overloaded)
    }
}
