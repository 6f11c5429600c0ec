//! Connect's unary protocol with JSON: what `curl` and `fetch` can send without a library.
//!
//! A call in JSON becomes a call of gRPC before the other layers, so that they admit, limit and count both alike. Its
//! body stays JSON until the caller is admitted; the answer becomes JSON again before it is charged for. Requests of
//! gRPC do not come here: whoever calls [`in_json`] decides by [`is_json`].

mod answer;
mod call;
mod schema;
#[cfg(test)]
mod tests;

use std::convert::Infallible;

use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method};
use tower::{Service, ServiceExt};

use super::{Request, Response};
pub use call::JsonCall;

/// The content type of requests and answers.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Whether a request is a call in JSON. No other content type is: a page of another site may send `text/plain` without
/// permission.
pub fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let kind = kind.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
    request.method() == Method::POST && kind.eq_ignore_ascii_case(JSON.as_bytes())
}

/// Returns a service that makes requests in JSON requests of gRPC for this one, and its answers JSON.
pub fn in_json<S>(
    service: S,
) -> impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Send
where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send> + Send,
{
    service
        .map_request(call::as_grpc)
        .then(async |answer: Result<Response, Infallible>| Ok(answer::as_json(answer?).await))
}
