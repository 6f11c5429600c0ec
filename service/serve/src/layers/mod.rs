//! The layers before every service, in one place and in order.
//!
//! All layers are one tower service: every failure becomes a status here, and no error type crosses layers.

mod body_budget;
mod deadline;
mod ids;
mod json;
mod leftover;
mod response;
mod route;
mod watcher;

use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use canasta_messages::fault::RequestFault;
use futures_util::FutureExt as _;
use http_body::Body as _;
use tokio::sync::watch;
use tokio::time::timeout;
use tonic::Status;
use tonic::body::Body;
use tower::Service;
use tower::layer::{LayerFn, layer_fn};

use crate::OrFault;
use crate::account::{CallerAccount, RequestPermits};
use crate::authenticator::Authenticator;
use crate::config::Config;
use crate::connection::{ActiveRequest, Traffic};
use crate::fairness::{Accountant, RateLimiter};
use crate::identity::{Caller, CallerKey};
use crate::streams::{StreamPlace, StreamPlaces};
use crate::telemetry::counts::PlaceKind;
use crate::telemetry::method::Method;
use crate::telemetry::recorder::RequestRecorder;
use crate::telemetry::{Telemetry, instant};
use body_budget::BudgetedBody;
use deadline::Deadline;
use ids::RequestIds;
use json::JsonCall;
pub use json::{in_json, is_json};
use response::{AnswerAccount, OneAnswer, StreamAnswer};
pub use route::direct_route;
use watcher::watched;

type Request = http::Request<Body>;
type Response = http::Response<Body>;
type Answer = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

struct Admission {
    ids: RequestIds,
    telemetry: Arc<Telemetry>,
    deadline: Deadline,
    rates: Option<Arc<RateLimiter>>,
    authenticator: Authenticator,
    accountant: Accountant,
    watchers: StreamPlaces,
}

/// The places of an admitted request.
#[derive(Default)]
struct Admitted {
    caller: Option<CallerKey>,
    permits: Option<Arc<RequestPermits>>,
    watching: Option<StreamPlace>,
}

/// Returns the tower layer that puts all layers before a service. `first_id` is the number of the first request that brings no
/// id of its own; `draining` becomes true when open streams have to end.
pub fn layers<S>(
    config: &Config,
    authenticator: Authenticator,
    telemetry: Arc<Telemetry>,
    accountant: Accountant,
    first_id: u64,
    draining: watch::Receiver<bool>,
) -> LayerFn<impl Fn(S) -> Layered<S> + Clone + use<S>> {
    let shared = Arc::new(Admission {
        ids: RequestIds::new(first_id),
        deadline: Deadline::new(config),
        rates: config.max_rate.map(|rate| Arc::new(RateLimiter::new(rate, config.burst(), instant()))),
        authenticator,
        watchers: StreamPlaces::new(&accountant, PlaceKind::Watchers, draining),
        accountant,
        telemetry,
    });
    layer_fn(move |inner| Layered { inner, shared: Arc::clone(&shared) })
}

/// A service behind the layers; see the module.
#[derive(Clone)]
pub struct Layered<S> {
    inner: S,
    shared: Arc<Admission>,
}

impl<S> Service<Request> for Layered<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let shared = &self.shared;
        let method = Method::of_path(request.uri().path());
        let is_probe = is_probe(&request);
        // First, since every answer has an id, a refusal too: callers report it and the log names it.
        let id = shared.ids.of(request.headers());
        // Before every refusal, so that refusals are measured too.
        let peer = request.extensions().get().map(Traffic::peer);
        let recorder = RequestRecorder::begin(&shared.telemetry, method, &id, &mut request, peer);
        // Tells the connection's monitor that the connection is not idle, whatever becomes of the request.
        let active =
            request.extensions().get::<Traffic>().map(|traffic| ActiveRequest::begin(traffic, method));
        // Before every wait: the client counts from the moment that it sent the request.
        let limit = shared.deadline.of(method, request.headers());
        let Admitted { caller, permits, watching } = match shared.admit(&mut request, method, active.as_ref())
        {
            Ok(admitted) => admitted,
            Err(fault) => {
                leftover::discard(request.into_body());
                return Box::pin(async move { Ok(headed(fault.into_response(), id, recorder).0) });
            }
        };
        let account = caller.map(|caller| {
            let traffic = request.extensions().get().cloned();
            let copies = request.version() < http::Version::HTTP_2;
            AnswerAccount { accountant: shared.accountant.clone(), caller, traffic, copies }
        });
        let json = request.extensions_mut().remove::<JsonCall>();
        let counted = |body| counted(body, account.as_ref(), permits.as_ref(), method, json.as_ref());
        let answer = self.inner.call(request.map(counted));
        Box::pin(async move {
            // The deadline is outside the panic handler, so that a panic never looks like slowness; both are
            // inside everything that counts, so that every request is counted as ended.
            // Nothing of a request outlives its panic, so no broken state can be seen afterwards.
            let answered = timeout(limit, AssertUnwindSafe(answer).catch_unwind());
            let answer = tokio::select! {
                biased;
                answered = answered => match answered {
                    Ok(Ok(answer)) => answer?,
                    // The panic hook has logged the panic itself.
                    Ok(Err(_)) => {
                        tracing::error!(id = id.to_str().unwrap_or_default(), "request panicked");
                        RequestFault::Internal.into_response()
                    }
                    Err(_) => RequestFault::Deadline.into_response(),
                },
                () = revoked(permits.as_deref()) => RequestFault::Overloaded.into_response(),
            };
            let answer = if is_probe { answer } else { explained(answer) };
            let (answer, recorder) = headed(answer, id, recorder);
            let (head, body) = answer.into_parts();
            let body = match watching {
                // An answer that is only a status needs no guards: there is no body to read, and the client may send its
                // next request as soon as the status is sent.
                _ if body.is_end_stream() => StreamAnswer::around(body, recorder, None, None),
                // Whoever only watches is idle.
                Some(watching) => watched(StreamAnswer::around(body, recorder, None, None), watching),
                None if method.answers_once || json.is_some() => {
                    // A stream has a place of its own, and may wait for long.
                    let permits = permits.filter(|_| method.answers_once);
                    OneAnswer::make(body, recorder, (permits, active), account.as_ref(), json).await
                }
                None => StreamAnswer::around(body, recorder, active, account),
            };
            Ok(Response::from_parts(head, body))
        })
    }
}

impl Admission {
    /// Admits a request, or returns the fault that refuses it. An admitted request has a place, except
    /// probes: a platform would restart a busy server whose probes are refused.
    fn admit(
        &self,
        request: &mut Request,
        method: Method,
        active: Option<&ActiveRequest>,
    ) -> OrFault<Admitted> {
        let json = request.extensions().get::<JsonCall>().cloned();
        if is_probe(request) && !method.is_watched() && json.is_none() {
            return Ok(Admitted::default());
        }
        // The caller's rate limit comes before the common places: a caller over its limit learns the reason
        // and takes no place from others.
        let address = request.extensions().get().map(Traffic::peer);
        let peer = CallerKey::of_peer(address);
        if let Some(rates) = &self.rates {
            if !self.authenticator.knows_callers() {
                rates.take(&peer, instant())?;
            } else if !self.authenticator.may_show_link(request.headers()) {
                // Before the credentials are looked at: an address that guesses credentials has used up its
                // limit.
                rates.has(&peer, instant())?;
            }
        }
        // A request that could not be answered in time is refused at once: a queue would only delay all
        // requests.
        if active.is_some_and(ActiveRequest::is_too_much) {
            return Err(RequestFault::Overloaded);
        }
        let authenticated = self.authenticator.authenticate(request, method);
        let account = CallerAccount::new(request.extensions().get(), address, self.rates.clone());
        if let Some(rates) = self.rates.as_ref().filter(|_| self.authenticator.knows_callers()) {
            rates.take(if authenticated.is_ok() { account.key() } else { &peer }, instant())?;
        }
        authenticated?;
        json.map_or(Ok(()), |call| call.method().map(|_| ()))?;
        let caller = account.key().clone();
        if request.extensions().get::<Caller>().is_some_and(|caller| caller.link().is_some()) {
            request.extensions().get::<Traffic>().into_iter().for_each(|traffic| traffic.belongs_to(&caller));
        }
        if method.is_watched() {
            request.extensions_mut().insert(account);
            let watching = self.watchers.take(&caller, request.extensions().get())?;
            return Ok(Admitted { caller: Some(caller), permits: None, watching: Some(watching) });
        }
        let kind = if method.takes_in_logs() { PlaceKind::Audits } else { PlaceKind::Requests };
        let place = self.accountant.take(kind, &caller, 1)?;
        let permits = Arc::new(RequestPermits::new(self.accountant.clone(), place));
        request.extensions_mut().insert(account.with(&permits));
        Ok(Admitted { caller: Some(caller), permits: Some(permits), watching: None })
    }
}

/// Returns the body of an admitted request. Innermost, since a body may need memory that other bodies hold at that moment.
fn counted(
    body: Body,
    account: Option<&AnswerAccount>,
    permits: Option<&Arc<RequestPermits>>,
    method: Method,
    json: Option<&JsonCall>,
) -> Body {
    let Some((account, permits)) = account.zip(permits) else { return body };
    let body = BudgetedBody::around(body, account, permits, method, json.map(|call| call.length));
    match json {
        Some(call) => call.body(body),
        None => body,
    }
}

/// Waits until the place is revoked; for ever without a place.
async fn revoked(permits: Option<&RequestPermits>) {
    match permits {
        Some(permits) => permits.place().revoked().await,
        None => std::future::pending().await,
    }
}

fn is_probe(request: &Request) -> bool {
    request.uri().path().starts_with("/grpc.health.")
}

/// Adds details to a refusal of the transport, as every status has them, and keeps its headers.
fn explained(answer: Response) -> Response {
    let status = Status::from_header_map(answer.headers());
    let Some(fault) = status.as_ref().and_then(RequestFault::of_transport) else { return answer };
    let mut explained: Response = fault.into_response();
    for (name, value) in answer.headers() {
        explained.headers_mut().entry(name).or_insert_with(|| value.clone());
    }
    explained
}

/// Adds the id to an answer, and records its head.
fn headed(
    mut answer: Response,
    mut id: http::HeaderValue,
    mut recorder: Option<RequestRecorder>,
) -> (Response, Option<RequestRecorder>) {
    // Every id is different: in the header table of a connection an id would only evict headers that repeat.
    id.set_sensitive(true);
    answer.headers_mut().insert(ids::REQUEST_ID, id);
    recorder.iter_mut().for_each(|recorder| recorder.answered(&answer));
    (answer, recorder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authenticator::NoCredentials;
    use crate::config::{LogFormat, ServiceCli};
    use crate::counters::TokenRefusals;
    use crate::identity::Denials;
    use crate::telemetry::log;
    use clap::Parser;
    use tonic::Code;
    use tower::{Layer, ServiceExt, service_fn};

    /// Calls a service that panics.
    async fn panicked() -> Response {
        let config = ServiceCli::parse_from(["canasta-service"]).config;
        let (refusals, denials): (Arc<TokenRefusals>, Arc<Denials>) = Default::default();
        let telemetry =
            Telemetry::start(&config, &refusals, &denials, |_| Ok(())).expect("nothing is exported");
        let authenticator = Authenticator::new(None, NoCredentials::Trusted, denials, || 0);
        let (_drain, draining) = watch::channel(false);
        let accountant = Accountant::new(&config, &telemetry.counts);
        let layers = layers(&config, authenticator, Arc::new(telemetry), accountant, 0xabc, draining);
        let broken = service_fn(|_| async { panic!("what the hand held") });
        layers.layer(broken).oneshot(Request::default()).await.expect("infallible")
    }

    #[tokio::test]
    async fn a_panic_is_internal_and_says_nothing() {
        let answer = panicked().await;
        let status = Status::from_header_map(answer.headers()).expect("a status");
        assert_eq!((status.code(), status.message()), (Code::Internal, "internal error"));
        assert_eq!(answer.headers()[ids::REQUEST_ID], "0000000000000abc");
    }

    #[tokio::test]
    #[ignore = "the program of the test below, since the log is that of a whole program"]
    async fn panic_with_a_log() {
        log::start("canasta-service", LogFormat::Text);
        panicked().await;
    }

    #[test]
    fn a_panic_is_logged_with_its_place_and_never_with_its_text() {
        let program = std::env::current_exe().expect("this program");
        let arguments = ["--exact", "layers::tests::panic_with_a_log", "--ignored", "--nocapture"];
        let output = std::process::Command::new(program).args(arguments).output().expect("it runs");
        let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        for line in [
            "canasta-service: panic place=service/serve/src/layers/mod.rs:",
            ": request panicked id=0000000000000abc\n",
        ] {
            assert_eq!(said.matches(line).count(), 1, "{line}: {said}");
        }
        assert!(!said.contains("held"), "{said}");
    }
}
