//! Authentication of every request, before its body is read.

use std::sync::Arc;

use tonic::body::Body;

use crate::connection::Traffic;
use crate::identity::{Caller, Denial, Denials, Identities};
use crate::outside::Clock;
use crate::reload::Reloaded;
use crate::status::RequestFault;

/// Paths that need no credentials: health probes, and the descriptors, which are public.
const OPEN_TO_ALL: [&str; 2] = ["/grpc.health.", "/grpc.reflection."];

/// The authenticator of callers.
#[derive(Clone)]
pub struct Authenticator {
    identities: Option<Arc<Reloaded<Identities>>>,
    denials: Arc<Denials>,
    clock: Clock,
}

impl Authenticator {
    /// Returns an authenticator. Without identities it trusts every caller.
    pub fn new(identities: Option<Arc<Reloaded<Identities>>>, denials: Arc<Denials>, clock: Clock) -> Self {
        Self { identities, denials, clock }
    }

    /// Whether callers are authenticated.
    pub fn knows_callers(&self) -> bool {
        self.identities.is_some()
    }

    /// Authenticates a request and adds its [`Caller`] to its extensions, from which [`Caller::split`] takes
    /// it.
    pub fn authenticate(&self, request: &mut http::Request<Body>) -> Result<(), RequestFault> {
        let path = request.uri().path();
        if OPEN_TO_ALL.iter().any(|open| path.starts_with(open)) {
            return Ok(());
        }
        let caller = self.caller(request).map_err(|denial| {
            self.denials.count(denial);
            RequestFault::Unauthenticated
        })?;
        request.extensions_mut().insert(caller);
        Ok(())
    }

    fn caller(&self, request: &http::Request<Body>) -> Result<Caller, Denial> {
        let Some(identities) = &self.identities else { return Ok(Caller::Trusted) };
        let certificate = request.extensions().get::<Traffic>().and_then(Traffic::names);
        identities.get().caller(request.headers(), certificate, (self.clock)())
    }
}
