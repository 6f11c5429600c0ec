//! The account of a request's caller, which the layers add to the request.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tonic::Request;

use crate::fairness::RateLimiter;
use crate::identity::{Caller, CallerKey};
use crate::telemetry::instant;

/// The account of a caller.
#[derive(Clone)]
pub struct CallerAccount {
    key: CallerKey,
    rates: Option<Arc<RateLimiter<CallerKey>>>,
}

impl CallerAccount {
    /// Returns the account of a caller; of its address if it is not authenticated.
    pub fn new(
        caller: Option<&Caller>,
        peer: Option<IpAddr>,
        rates: Option<Arc<RateLimiter<CallerKey>>>,
    ) -> Self {
        let key = match caller {
            Some(Caller::Known(identity)) => CallerKey::Identity(Arc::clone(&identity.name)),
            Some(Caller::Trusted | Caller::Guest) | None => CallerKey::of_peer(peer),
        };
        Self { key, rates }
    }

    /// Returns the account of a request's caller; of this process if the request has not passed the layers.
    pub fn of<T>(request: &Request<T>) -> Self {
        let found = request.extensions().get::<Self>().cloned();
        found.unwrap_or(Self { key: CallerKey::Local, rates: None })
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
}
