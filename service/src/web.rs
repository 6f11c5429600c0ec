//! The services for browsers: gRPC-web, permission for pages of other origins (CORS), and the page with a
//! table.
//!
//! tonic-web is outside the layers, so the layers see plain gRPC from every client. A gRPC request over
//! HTTP/2 bypasses this module.

mod page;

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Method, Version};
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service, ServiceExt};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::config::Config;

type Request = http::Request<Body>;
type Response = http::Response<Body>;
type Answer = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

/// Time for which a browser may cache a CORS permission.
const REMEMBERED: Duration = Duration::from_secs(60 * 60);

/// The headers that gRPC-web clients send, and those of credentials.
const ALLOWED: [HeaderName; 9] = [
    AUTHORIZATION,
    CONTENT_TYPE,
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

/// The tower layer that puts gRPC-web before a service.
#[derive(Clone)]
pub struct Web(Arc<CorsLayer>);

impl Web {
    /// Returns the layer. It permits pages of the configured origins, and on loopback pages of this machine.
    pub fn new(config: &Config) -> Self {
        let (named, is_local) = (config.web_origins.clone(), config.is_on_loopback());
        let origins = AllowOrigin::predicate(move |origin: &HeaderValue, _| {
            let origin = origin.to_str().unwrap_or_default();
            named.iter().any(|name| name == origin) || (is_local && is_loopback(origin))
        });
        let cors = CorsLayer::new().allow_origin(origins).allow_methods([Method::POST]);
        Self(Arc::new(cors.allow_headers(ALLOWED).expose_headers(EXPOSED).max_age(REMEMBERED)))
    }
}

/// Whether an origin is a page of this machine.
fn is_loopback(origin: &str) -> bool {
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let Some(authority) = authority.and_then(|text| text.parse::<http::uri::Authority>().ok()) else {
        return false;
    };
    matches!(authority.host(), "localhost" | "127.0.0.1" | "[::1]")
}

impl<S> Layer<S> for Web {
    type Service = Webbed<S>;

    fn layer(&self, inner: S) -> Webbed<S> {
        Webbed { inner, cors: Arc::clone(&self.0) }
    }
}

/// A service behind gRPC-web; see the module.
#[derive(Clone)]
pub struct Webbed<S> {
    inner: S,
    /// tonic clones a service for every request, so the parts for browsers are made only when a browser
    /// calls.
    cors: Arc<CorsLayer>,
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
        if is_grpc(&request) {
            return self.inner.call(request);
        }
        match page::answer(&request) {
            Some(answer) => Box::pin(async { Ok(answer) }),
            None => {
                let web = self.cors.layer(GrpcWebLayer::new().layer(self.inner.clone()));
                Box::pin(web.oneshot(request))
            }
        }
    }
}

/// Whether a request is plain gRPC over HTTP/2.
fn is_grpc(request: &Request) -> bool {
    let kind = request.headers().get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let is_grpc = kind.strip_prefix(b"application/grpc").is_some_and(|rest| !rest.starts_with(b"-web"));
    is_grpc && request.version() == Version::HTTP_2 && request.method() == Method::POST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_this_machine_are_told_apart() {
        for origin in ["http://localhost", "https://localhost:5173", "http://127.0.0.1:80", "http://[::1]:9"]
        {
            assert!(is_loopback(origin), "{origin}");
        }
        let others = ["null", "", "http://localhost.example", "http://127.0.0.1.example", "file://localhost"];
        for origin in others {
            assert!(!is_loopback(origin), "{origin}");
        }
    }
}
