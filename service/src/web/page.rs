//! The reference front end at `/`: files that npm builds from `service/web`, embedded so that cargo needs no npm.

use http::header::{ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use http::header::{HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use http::{Method, StatusCode};
use tonic::body::Body;

use super::{Request, Response};

/// Path, type and text of every file.
const FILES: [(&str, &str, &str); 4] = [
    ("/", "text/html; charset=utf-8", include_str!("../../web/dist/index.html")),
    ("/table.js", "text/javascript; charset=utf-8", include_str!("../../web/dist/table.js")),
    ("/table.css", "text/css; charset=utf-8", include_str!("../../web/dist/table.css")),
    ("/favicon.svg", "image/svg+xml", include_str!("../../web/dist/favicon.svg")),
];

/// Its own files and its own service, and text is never made markup by a script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// What every file is sent with.
const HEADERS: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    // Another release has other files under the same names.
    (CACHE_CONTROL, "no-cache"),
];

/// The answer to a browser that reads. `None`: the request is none of that kind, and gRPC never is.
pub fn answer(request: &Request) -> Option<Response> {
    let has_body = match *request.method() {
        Method::GET => true,
        Method::HEAD => false,
        _ => return None,
    };
    let path = request.uri().path();
    let Some((_, kind, text)) = FILES.iter().find(|(name, ..)| *name == path) else {
        return Some(not_found(path));
    };
    let mut answer = Response::new(if has_body { Body::new(String::from(*text)) } else { Body::empty() });
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Some(answer)
}

/// A method that is only looked at is there, and asked otherwise.
fn not_found(path: &str) -> Response {
    let mut answer = Response::new(Body::empty());
    if path.starts_with("/canasta.v1.") {
        *answer.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
        answer.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
    } else {
        *answer.status_mut() = StatusCode::NOT_FOUND;
    }
    answer
}
