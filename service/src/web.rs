//! The services for browsers and scripts: gRPC-web, JSON, permission for pages of other origins (CORS), and the page with a
//! table.
//!
//! tonic-web and [`in_json`] are outside the layers, so the layers see plain gRPC from every client. A gRPC request
//! over HTTP/2 without an `Origin` is of no browser, and bypasses this module.
//!
//! On loopback only requests for this machine, or for a site that the operator names, reach the services: see [`Sites`].

mod page;

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, ORIGIN};
use http::{Method, StatusCode, Version};
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower::layer::{LayerFn, layer_fn};
use tower::{Layer, Service, ServiceExt};
use tower_http::cors::{AllowOrigin, CorsLayer};

use canasta_messages::fault::RequestFault;
use canasta_serve::config::Config;
use canasta_serve::layers::{in_json, is_json};
use canasta_serve::sites::Sites;

type Request = http::Request<Body>;
type Response = http::Response<Body>;
type Answer = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

/// Time for which a browser may cache a CORS permission.
const REMEMBERED: Duration = Duration::from_secs(60 * 60);

/// The answer to a request for, or from a page of, another site.
const FOREIGN: &str =
    "expected the host and the origin of this machine (127.0.0.1, localhost, [::1]) or of a --web-origin\n";

/// The answer to a request whose content type nobody speaks; `curl -d` alone sends one of a form.
const UNKNOWN_TYPE: &str =
    "content-type: expected application/json, application/grpc-web, or application/grpc over HTTP/2\n";

/// The headers that clients with gRPC-web or JSON send, and those of credentials.
const ALLOWED: [HeaderName; 11] = [
    AUTHORIZATION,
    CONTENT_TYPE,
    HeaderName::from_static("connect-protocol-version"),
    HeaderName::from_static("connect-timeout-ms"),
    HeaderName::from_static("grpc-timeout"),
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
    HeaderName::from_static("x-api-key"),
    HeaderName::from_static("x-grpc-web"),
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static("x-user-agent"),
];

/// The headers that a page may read. An answer without a message has its status among the headers; unless a
/// page may read it, every failure looks like a missing trailer.
const EXPOSED: [HeaderName; 4] = [
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-status-details-bin"),
    HeaderName::from_static("x-request-id"),
];

/// The parts that all requests of browsers share.
struct Browsers {
    cors: CorsLayer,
    sites: Sites,
}

/// Returns the tower layer that puts gRPC-web and JSON before a service. It permits pages of the configured origins, and on
/// loopback pages of this machine.
pub fn web<S>(config: &Config) -> LayerFn<impl Fn(S) -> Webbed<S> + Clone + use<S>> {
    let sites = Sites::new(config);
    let known = sites.clone();
    let origins = AllowOrigin::predicate(move |origin: &HeaderValue, _| known.has_origin(origin));
    let cors = CorsLayer::new().allow_origin(origins).allow_methods([Method::POST]);
    let cors = cors.allow_headers(ALLOWED).expose_headers(EXPOSED).max_age(REMEMBERED);
    let browsers = Arc::new(Browsers { cors, sites });
    layer_fn(move |inner| Webbed { inner, browsers: Arc::clone(&browsers) })
}

/// Returns an answer of plain text.
fn said(status: StatusCode, text: &str) -> Response {
    let mut answer = Response::new(Body::new(text.to_owned()));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}

/// A service behind gRPC-web; see the module.
#[derive(Clone)]
pub struct Webbed<S> {
    inner: S,
    /// tonic clones a service for every request, so the parts for browsers are made only when a browser
    /// calls.
    browsers: Arc<Browsers>,
}

impl<S> Service<Request> for Webbed<S>
where
    S: Service<Request, Response = Response, Error = Infallible, Future = Answer> + Clone + Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Answer {
        let is_grpc = is_grpc(&request);
        let may_be_page = !is_grpc || request.headers().contains_key(ORIGIN);
        if may_be_page && self.browsers.sites.is_foreign(request.uri(), request.headers()) {
            let refusal = match is_grpc {
                true => RequestFault::Denied.into_response(),
                false => said(StatusCode::FORBIDDEN, FOREIGN),
            };
            return Box::pin(async move { Ok(refusal) });
        }
        if is_grpc {
            return self.inner.call(request);
        }
        // Over HTTP/2 services answer whatever they do not understand.
        let is_of_grpc =
            request.version() == Version::HTTP_2 || content_type(&request).starts_with(b"application/grpc");
        match page::answer(&request) {
            Some(answer) => Box::pin(async { Ok(answer) }),
            None if is_json(&request) => {
                let json = self.browsers.cors.layer(in_json(self.inner.clone()));
                Box::pin(json.oneshot(request))
            }
            None if request.method() == Method::POST && !is_of_grpc => {
                Box::pin(async { Ok(said(StatusCode::UNSUPPORTED_MEDIA_TYPE, UNKNOWN_TYPE)) })
            }
            None => {
                let web = self.browsers.cors.layer(GrpcWebLayer::new().layer(self.inner.clone()));
                Box::pin(web.oneshot(request))
            }
        }
    }
}

/// Whether a request is plain gRPC over HTTP/2.
fn is_grpc(request: &Request) -> bool {
    let kind = content_type(request);
    let is_grpc = kind.strip_prefix(b"application/grpc").is_some_and(|rest| !rest.starts_with(b"-web"));
    is_grpc && request.version() == Version::HTTP_2 && request.method() == Method::POST
}

fn content_type(request: &Request) -> &[u8] {
    request.headers().get(CONTENT_TYPE).map_or(b"", HeaderValue::as_bytes)
}
