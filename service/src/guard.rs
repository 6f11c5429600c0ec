//! What stands before every request: an id, a place among those judged at once, a deadline, and a net under
//! panics.
//!
//! One layer and not three, so that each failure becomes a status here and no error type crosses layers.

use std::convert::Infallible;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderName, HeaderValue};
use tokio::sync::Semaphore;
use tonic::body::Body;
use tower::{Layer, Service};

use crate::config::Config;
use crate::connection::Traffic;
use crate::status::Fault;

type Request = http::Request<Body>;
type Response = http::Response<Body>;

/// Puts a [`Guard`] before a service.
#[derive(Clone)]
pub struct GuardLayer {
    limits: Limits,
    /// Those of AuditService: whole logs come slowly, and must not stand in the way of play.
    audits: Limits,
    next_id: Arc<AtomicU64>,
}

/// How many requests are answered at once, and how long one may take.
#[derive(Clone)]
struct Limits {
    places: Arc<Semaphore>,
    deadline: Duration,
}

impl Limits {
    fn new(places: u16, deadline: Duration) -> Self {
        Self { places: Arc::new(Semaphore::new(usize::from(places))), deadline }
    }
}

/// The header of requests and replies that holds the request's id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longest id that is taken over from a request.
const MAX_ID: usize = 64;

impl GuardLayer {
    /// `first_id`: the number of the first request that brings no id of its own.
    pub fn new(config: &Config, first_id: u64) -> Self {
        Self {
            limits: Limits::new(config.max_requests, config.deadline),
            audits: Limits::new(config.max_audits, config.audit_deadline),
            next_id: Arc::new(AtomicU64::new(first_id)),
        }
    }

    /// The id that the request brings, if it is visible ASCII of at most 64 bytes; else a new one.
    fn id(&self, request: &Request) -> HeaderValue {
        let fits = |id: &&HeaderValue| {
            (1..=MAX_ID).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
        };
        if let Some(id) = request.headers().get(&REQUEST_ID).filter(fits) {
            return id.clone();
        }
        let number = self.next_id.fetch_add(1, Ordering::Relaxed);
        HeaderValue::try_from(format!("{number:016x}")).expect("hex is a header's value")
    }
}

impl<S> Layer<S> for GuardLayer {
    type Service = Guard<S>;

    fn layer(&self, inner: S) -> Guard<S> {
        Guard { inner, layer: self.clone() }
    }
}

/// See the module.
#[derive(Clone)]
pub struct Guard<S> {
    inner: S,
    layer: GuardLayer,
}

impl<S> Service<Request> for Guard<S>
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

    fn call(&mut self, request: Request) -> Self::Future {
        let id = self.layer.id(&request);
        let under_way = request.extensions().get::<Traffic>().map(Traffic::begin);
        // A probe that is refused under load would have a busy server restarted.
        let path = request.uri().path();
        let exempt = path.starts_with("/grpc.health.");
        let is_audit = path.starts_with("/canasta.v1.AuditService/");
        let limits = if is_audit { &self.layer.audits } else { &self.layer.limits };
        let place = if exempt { None } else { Arc::clone(&limits.places).try_acquire_owned().ok() };
        if place.is_none() && !exempt {
            return Box::pin(async { Ok(identified(Fault::Overloaded.into_response(), id)) });
        }
        let answer = no_panic(self.inner.call(request));
        // Bounds a body that trickles in. A shorter deadline of the client's is tonic's to keep.
        let deadline = limits.deadline;
        Box::pin(async move {
            let _kept = (place, under_way);
            let answer = match tokio::time::timeout(deadline, answer).await {
                Ok(Ok(answer)) => answer?,
                Ok(Err(Panicked)) => {
                    eprintln!("canasta-service: request {id:?} panicked");
                    Fault::Internal.into_response()
                }
                Err(_) => Fault::Deadline.into_response(),
            };
            Ok(identified(answer, id))
        })
    }
}

fn identified(mut answer: Response, id: HeaderValue) -> Response {
    answer.headers_mut().insert(REQUEST_ID, id);
    answer
}

/// A request ended in a panic, which the panic hook has printed.
struct Panicked;

async fn no_panic<F: Future>(future: F) -> Result<F::Output, Panicked> {
    let mut future = pin!(future);
    // Nothing of a request outlives its panic, so nothing broken can be seen afterwards.
    std::future::poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(poll) => poll.map(Ok),
        Err(_) => Poll::Ready(Err(Panicked)),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Cli;
    use clap::Parser;
    use tonic::{Code, Status};
    use tower::{ServiceExt, service_fn};

    #[tokio::test]
    async fn a_panic_is_internal_and_says_nothing() {
        let layer = GuardLayer::new(&Cli::parse_from(["canasta-service"]).config, 0xabc);
        let broken = service_fn(|_| async { panic!("what the hand held") });
        let answer = layer.layer(broken).oneshot(Request::default()).await.expect("infallible");
        let status = Status::from_header_map(answer.headers()).expect("a status");
        assert_eq!((status.code(), status.message()), (Code::Internal, "internal error"));
        assert_eq!(answer.headers()[REQUEST_ID], "0000000000000abc");
    }
}
