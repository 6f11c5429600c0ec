//! Connect's unary protocol with JSON: what `curl` and `fetch` can send without a library.
//!
//! A call in JSON becomes a call of gRPC before the other layers, so that they admit, limit and count both alike. Its
//! body stays JSON until the caller is admitted; the answer becomes JSON again before it is charged for. Requests of
//! gRPC do not come here: whoever puts [`JsonLayer`] before a service decides by [`JsonLayer::is_for`].

mod answer;
mod call;
mod schema;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::future::Future;
use std::task::{Context, Poll};

use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method};
use tower::{Layer, Service};

use super::{Answer, Request, Response};
pub use call::JsonCall;

/// The content type of requests and answers.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The tower layer that makes requests in JSON requests of gRPC, and the answers JSON.
#[derive(Clone)]
pub struct JsonLayer;

impl JsonLayer {
    /// Whether a request is a call in JSON. No other content type is: a page of another site may send `text/plain`
    /// without permission.
    pub fn is_for(request: &Request) -> bool {
        let kind = request.headers().get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
        let kind = kind.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
        request.method() == Method::POST && kind.eq_ignore_ascii_case(JSON.as_bytes())
    }
}

impl<S> Layer<S> for JsonLayer {
    type Service = JsonService<S>;

    fn layer(&self, inner: S) -> JsonService<S> {
        JsonService(inner)
    }
}

/// A service behind [`JsonLayer`].
#[derive(Clone)]
pub struct JsonService<S>(S);

impl<S> Service<Request> for JsonService<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Future + Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Answer {
        let answer = self.0.call(call::as_grpc(request));
        Box::pin(async move { Ok(answer::as_json(answer.await?).await) })
    }
}
