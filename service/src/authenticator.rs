//! Authentication of every request, before its body is read.

use std::sync::Arc;

use http::HeaderMap;
use tonic::body::Body;

use crate::connection::Traffic;
use crate::identity::{Caller, Denials, Identities};
use crate::outside::Clock;
use crate::reload::Reloaded;
use crate::status::RequestFault;
use crate::telemetry::method::Method;
use crate::telemetry::trail::CallTrail;

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
    /// it; to a request that opens a stream also its [`Credentials`].
    pub fn authenticate(
        &self,
        request: &mut http::Request<Body>,
        method: Method,
    ) -> Result<(), RequestFault> {
        let path = request.uri().path();
        if OPEN_TO_ALL.iter().any(|open| path.starts_with(open)) {
            return Ok(());
        }
        let Some(identities) = &self.identities else {
            request.extensions_mut().insert(Caller::Trusted);
            return Ok(());
        };
        let (headers, traffic) = (request.headers(), request.extensions().get());
        let identities = identities.get();
        let caller = self.caller(&identities, headers, traffic)?;
        if method.may_stay_open() || method.takes_in_logs() {
            let (authenticator, traffic) = (self.clone(), traffic.cloned());
            let headers = Identities::credentials(headers);
            let credentials =
                Credentials { authenticator, caller: caller.clone(), identities, headers, traffic };
            request.extensions_mut().insert(credentials);
        }
        if let Some(trail) = request.extensions().get::<Arc<CallTrail>>() {
            trail.comes_from(&caller);
        }
        request.extensions_mut().insert(caller);
        Ok(())
    }

    fn caller(
        &self,
        identities: &Identities,
        headers: &HeaderMap,
        traffic: Option<&Traffic>,
    ) -> Result<Caller, RequestFault> {
        let certificate = traffic.and_then(Traffic::names);
        identities.caller(headers, certificate, (self.clock)()).map_err(|denial| {
            self.denials.count(denial);
            RequestFault::Unauthenticated
        })
    }
}

/// The credentials of an open stream or of an upload, which are looked at again when the identities change.
#[derive(Clone)]
pub struct Credentials {
    authenticator: Authenticator,
    /// The caller, by the identities that were looked at last.
    caller: Caller,
    identities: Arc<Identities>,
    headers: HeaderMap,
    traffic: Option<Traffic>,
}

impl Credentials {
    /// Returns the caller by the identities of now.
    ///
    /// # Errors
    /// If they do not know the caller any more.
    pub fn caller(&mut self) -> Result<Caller, RequestFault> {
        if let Some(identities) = self.authenticator.identities.as_ref().map(|identities| identities.get())
            && !Arc::ptr_eq(&identities, &self.identities)
        {
            let Self { authenticator, headers, traffic, .. } = self;
            self.caller = authenticator.caller(&identities, headers, traffic.as_ref())?;
            self.identities = identities;
        }
        Ok(self.caller.clone())
    }
}
