//! Asks every request who sends it, before anything of it is read.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tonic::body::Body;
use tower::{Layer, Service};

use super::{Caller, Denial, Denials, Identities};
use crate::Clock;
use crate::connection::Traffic;
use crate::live::Live;
use crate::status::Fault;

type Request = http::Request<Body>;
type Response = http::Response<Body>;

/// What needs no credentials: probes, and descriptors that are public.
const OPEN_TO_ALL: [&str; 2] = ["/grpc.health.", "/grpc.reflection."];

/// Puts an [`Auth`] before a service.
#[derive(Clone)]
pub struct AuthLayer {
    identities: Option<Arc<Live<Identities>>>,
    denials: Arc<Denials>,
    clock: Clock,
}

impl AuthLayer {
    /// Without identities every caller is believed.
    pub fn new(identities: Option<Arc<Live<Identities>>>, denials: Arc<Denials>, clock: Clock) -> Self {
        Self { identities, denials, clock }
    }

    fn caller(&self, request: &Request) -> Result<Caller, Denial> {
        let Some(identities) = &self.identities else { return Ok(Caller::Trusted) };
        let certificate = request.extensions().get::<Traffic>().and_then(|traffic| traffic.names.get());
        identities.get().caller(request.headers(), certificate, (self.clock)())
    }
}

impl<S> Layer<S> for AuthLayer {
    type Service = Auth<S>;

    fn layer(&self, inner: S) -> Auth<S> {
        Auth { inner, door: self.clone() }
    }
}

/// See the module.
#[derive(Clone)]
pub struct Auth<S> {
    inner: S,
    door: AuthLayer,
}

impl<S> Service<Request> for Auth<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let path = request.uri().path();
        if !OPEN_TO_ALL.iter().any(|open| path.starts_with(open)) {
            match self.door.caller(&request) {
                Ok(caller) => _ = request.extensions_mut().insert(caller),
                Err(denial) => {
                    self.door.denials.count(denial);
                    return Box::pin(async { Ok(Fault::Unauthenticated.into_response()) });
                }
            }
        }
        Box::pin(self.inner.call(request))
    }
}
