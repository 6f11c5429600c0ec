//! Asks every request who sends it, before anything of it is read.

use std::sync::Arc;

use tonic::body::Body;

use crate::connection::Traffic;
use crate::identity::{Caller, Denial, Denials, Identities};
use crate::live::Live;
use crate::outside::Clock;
use crate::status::Fault;

/// What needs no credentials: probes, and descriptors that are public.
const OPEN_TO_ALL: [&str; 2] = ["/grpc.health.", "/grpc.reflection."];

/// Where callers show who they are.
#[derive(Clone)]
pub struct Authenticator {
    identities: Option<Arc<Live<Identities>>>,
    denials: Arc<Denials>,
    clock: Clock,
}

impl Authenticator {
    /// Without identities every caller is believed.
    pub fn new(identities: Option<Arc<Live<Identities>>>, denials: Arc<Denials>, clock: Clock) -> Self {
        Self { identities, denials, clock }
    }

    /// Whether callers are told apart.
    pub fn knows_callers(&self) -> bool {
        self.identities.is_some()
    }

    /// Writes on the request who sends it; [`Caller::split`] reads it.
    pub fn let_in(&self, request: &mut http::Request<Body>) -> Result<(), Fault> {
        let path = request.uri().path();
        if OPEN_TO_ALL.iter().any(|open| path.starts_with(open)) {
            return Ok(());
        }
        let caller = self.caller(request).map_err(|denial| {
            self.denials.count(denial);
            Fault::Unauthenticated
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
