//! What stands before every request, in one place and in order.
//!
//! One service and not one per layer, so that every failure becomes a status here, no error type crosses layers, and
//! all of them together cost a request one allocation on its way in and one on its way out.

mod answer;
mod authenticator;
mod bodies;
mod deadline;
mod ids;
mod panic;
mod rates;

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http_body::Body as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

use crate::config::Config;
use crate::connection::{Traffic, UnderWay};
use crate::identity::Caller;
use crate::shares::{Share, Shares};
use crate::status::Fault;
use crate::telemetry::method::{self, METHODS, Method};
use crate::telemetry::watch::Watch;
use crate::telemetry::{Telemetry, instant};
use answer::{Answer, Kept};
pub use authenticator::Authenticator;
use bodies::Bodies;
use deadline::Deadline;
use ids::Ids;
use rates::Rates;

type Request = http::Request<Body>;
type Response = http::Response<Body>;

/// Puts all layers before a service.
#[derive(Clone)]
pub struct Layers(Arc<Shared>);

struct Shared {
    ids: Ids,
    telemetry: Arc<Telemetry>,
    deadline: Deadline,
    rates: Option<Rates>,
    authenticator: Authenticator,
    places: Arc<Semaphore>,
    /// The places of those who bring a log, and how many of them one caller may have: a log may come slowly.
    logs: Arc<Semaphore>,
    log_shares: Shares<Asker>,
    bodies: Bodies,
}

/// Whoever counts as one caller: an identity, or where callers are not told apart an address.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Asker {
    Name(String),
    Peer(IpAddr),
}

/// A place among the requests under way.
struct Place {
    _of_all: OwnedSemaphorePermit,
    _of_caller: Option<Share<Asker>>,
}

impl Layers {
    /// `first_id`: the number of the first request that brings no id of its own.
    pub fn new(
        config: &Config,
        authenticator: Authenticator,
        telemetry: Arc<Telemetry>,
        first_id: u64,
    ) -> Self {
        Self(Arc::new(Shared {
            ids: Ids::new(first_id),
            telemetry,
            deadline: Deadline::new(config),
            rates: config.max_rate.map(|rate| Rates::new(rate, config.burst(), instant())),
            authenticator,
            places: Arc::new(Semaphore::new(usize::from(config.max_requests))),
            logs: Arc::new(Semaphore::new(usize::from(config.max_audits))),
            log_shares: Shares::new(config.max_caller_audits),
            bodies: Bodies::new(config.max_body_bytes),
        }))
    }
}

impl<S> Layer<S> for Layers {
    type Service = Layered<S>;

    fn layer(&self, inner: S) -> Layered<S> {
        Layered { inner, shared: Arc::clone(&self.0) }
    }
}

/// See the module.
#[derive(Clone)]
pub struct Layered<S> {
    inner: S,
    shared: Arc<Shared>,
}

impl<S> Service<Request> for Layered<S>
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
        let shared = &self.shared;
        let number = method::index(request.uri().path());
        let is_probe = is_probe(&request);
        // First, for every answer has an id, a refusal too: it is what a caller reports and the log names.
        let id = shared.ids.of(request.headers());
        // Before all that refuses, so that refusals are measured too.
        let watch = Watch::begin(&shared.telemetry, number, &id, request.headers());
        // Tells the connection that it is not idle, whatever becomes of the request.
        let under_way = request.extensions().get::<Traffic>().map(|traffic| UnderWay::begin(traffic, number));
        // Taken before anything waits: the client counts from the moment that it asked.
        let limit = shared.deadline.of(&METHODS[number], request.headers());
        let place = match shared.admit(&mut request, &METHODS[number], under_way.as_ref()) {
            Ok(place) => place,
            Err(fault) => {
                return Box::pin(async move { Ok(finish(fault.into_response(), id, watch, None, number)) });
            }
        };
        // Innermost: what a body may bring depends on what all others hold at that moment.
        let answer = self.inner.call(request.map(|body| shared.bodies.counted(body)));
        Box::pin(async move {
            // The deadline is outside the net under panics, so that a panic is never taken for slowness; both are
            // inside all that counts, so that whatever happens the request is ended there.
            let answer = match deadline::kept(limit, panic::caught(answer)).await {
                Ok(Ok(answer)) => answer?,
                Ok(Err(panic::Panicked)) => {
                    tracing::error!(id = id.to_str().unwrap_or_default(), "request panicked");
                    Fault::Internal.into_response()
                }
                Err(deadline::Passed) => Fault::Deadline.into_response(),
            };
            let answer = if is_probe { answer } else { explained(answer) };
            let place = place.filter(|_| METHODS[number].answers_once);
            Ok(finish(answer, id, watch, Some(Kept::new(place, under_way)), number))
        })
    }
}

impl Shared {
    /// Whether a request is taken on; then it has a place, but for probes: one that is refused under load would have
    /// a busy server restarted.
    fn admit(
        &self,
        request: &mut Request,
        method: &Method,
        under_way: Option<&UnderWay>,
    ) -> Result<Option<Place>, Fault> {
        if is_probe(request) {
            return Ok(None);
        }
        // A caller's own share before the common places: who asks too much is told so, and takes nobody's place.
        let peer = request.extensions().get::<Traffic>().map(Traffic::peer);
        let shares = self.rates.as_ref().zip(peer);
        if let Some((rates, peer)) = shares {
            if self.authenticator.knows_callers() {
                // Before anything is made of what it shows: an address that guesses has used up its share.
                rates.has_peer(peer, instant())?;
            } else {
                rates.take_of_peer(peer, instant())?;
            }
        }
        // More than can be answered in time is refused at once; to queue it would only make all of it late.
        if under_way.is_some_and(UnderWay::is_too_much) {
            return Err(Fault::Overloaded);
        }
        let places = if method.takes_in_logs() { &self.logs } else { &self.places };
        let of_all = Arc::clone(places).try_acquire_owned().map_err(|_| Fault::Overloaded)?;
        // A signature takes longer to check than most answers: inside the place.
        let let_in = self.authenticator.let_in(request);
        match (shares, request.extensions().get::<Caller>()) {
            (Some((rates, _)), Some(Caller::Known(identity))) => {
                rates.take_of_name(&identity.name, instant())?;
            }
            (Some((rates, peer)), _) if let_in.is_err() => rates.take_of_peer(peer, instant())?,
            _ => {}
        }
        let_in?;
        let of_caller = match method.takes_in_logs() {
            true => self.log_share(request.extensions().get(), peer)?,
            false => None,
        };
        Ok(Some(Place { _of_all: of_all, _of_caller: of_caller }))
    }

    /// One of the places that a caller may have of those for logs.
    fn log_share(
        &self,
        caller: Option<&Caller>,
        peer: Option<IpAddr>,
    ) -> Result<Option<Share<Asker>>, Fault> {
        let asker = match (caller, peer) {
            (Some(Caller::Known(identity)), _) => Asker::Name(identity.name.clone()),
            (_, Some(peer)) => Asker::Peer(peer),
            (_, None) => return Ok(None),
        };
        self.log_shares.take(asker).map(Some).ok_or(Fault::Overloaded)
    }
}

fn is_probe(request: &Request) -> bool {
    request.uri().path().starts_with("/grpc.health.")
}

/// What the transport refused by itself gets the details that every status has, and keeps its headers.
fn explained(answer: Response) -> Response {
    let status = Status::from_header_map(answer.headers());
    let Some(fault) = status.as_ref().and_then(Fault::of_transport) else { return answer };
    let mut explained: Response = fault.into_response();
    for (name, value) in answer.headers() {
        explained.headers_mut().entry(name).or_insert_with(|| value.clone());
    }
    explained
}

/// The answer with its id, and with all that lasts until it is taken.
fn finish(
    mut answer: Response,
    mut id: http::HeaderValue,
    watch: Option<Watch>,
    kept: Option<Kept>,
    method: usize,
) -> Response {
    // Each is another: among the headers that a connection remembers it would only push out those that repeat.
    id.set_sensitive(true);
    answer.headers_mut().insert(ids::REQUEST_ID, id);
    let watch = watch.map(|mut watch| {
        watch.answered(&answer);
        watch
    });
    // Of a status alone there is nothing to be taken, and the client may ask again as soon as it is sent.
    let kept = kept.filter(|_| !answer.body().is_end_stream());
    answer.map(|body| Answer::around(body, watch, kept, METHODS[method].answers_once))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Cli;
    use crate::identity::Denials;
    use crate::seal::Refusals;
    use clap::Parser;
    use tonic::Code;
    use tower::{ServiceExt, service_fn};

    #[tokio::test]
    async fn a_panic_is_internal_and_says_nothing() {
        let config = Cli::parse_from(["canasta-service"]).config;
        let (refusals, denials): (Arc<Refusals>, Arc<Denials>) = Default::default();
        let telemetry = Telemetry::start(&config, &refusals, &denials).expect("nothing is exported");
        let authenticator = Authenticator::new(None, denials, || 0);
        let layers = Layers::new(&config, authenticator, Arc::new(telemetry), 0xabc);
        let broken = service_fn(|_| async { panic!("what the hand held") });
        let answer = layers.layer(broken).oneshot(Request::default()).await.expect("infallible");
        let status = Status::from_header_map(answer.headers()).expect("a status");
        assert_eq!((status.code(), status.message()), (Code::Internal, "internal error"));
        assert_eq!(answer.headers()[ids::REQUEST_ID], "0000000000000abc");
    }
}
