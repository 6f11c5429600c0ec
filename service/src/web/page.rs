//! The reference front end at `/`: files that npm builds from `service/web`, embedded so that cargo needs no
//! npm.

use std::sync::{LazyLock, OnceLock};

use base64ct::{Base64UrlUnpadded, Encoding};
use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
};
use http::header::{ETAG, IF_NONE_MATCH, REFERRER_POLICY, VARY};
use http::header::{HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use http::{Method, StatusCode};
use http_body_util::Full;
use sha2::{Digest, Sha256};
use tonic::body::Body;

use super::{Request, Response};

/// The content security policy: only our own files and our own service, no script may turn text into markup, and
/// WebAssembly may be compiled.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// The headers of every file.
const HEADERS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    // Another release has other files under the same names, so browsers must revalidate by the tag that they
    // have.
    (CACHE_CONTROL, "no-cache"),
    (VARY, "accept-encoding"),
];

struct PageFile {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
    /// The bytes compressed by zlib, which browsers call `deflate`, once somebody has asked for them.
    packed: OnceLock<Vec<u8>>,
    /// Entity tag, a digest of the bytes.
    tag: String,
}

impl PageFile {
    fn packed(&self) -> &[u8] {
        self.packed.get_or_init(|| miniz_oxide::deflate::compress_to_vec_zlib(self.bytes, 9))
    }
}

/// Every file. The page loads the engine only to judge a log itself.
static FILES: LazyLock<Vec<PageFile>> = LazyLock::new(|| {
    let files: [(_, _, &[u8]); 11] = [
        ("/", "text/html; charset=utf-8", include_bytes!("../../web/dist/index.html")),
        ("/table.js", "text/javascript; charset=utf-8", include_bytes!("../../web/dist/table.js")),
        ("/table.css", "text/css; charset=utf-8", include_bytes!("../../web/dist/table.css")),
        ("/favicon.svg", "image/svg+xml", include_bytes!("../../web/dist/favicon.svg")),
        ("/turn.svg", "image/svg+xml", include_bytes!("../../web/dist/turn.svg")),
        ("/icon.png", "image/png", include_bytes!("../../web/dist/icon.png")),
        ("/picture.png", "image/png", include_bytes!("../../web/dist/picture.png")),
        ("/manifest.json", "application/manifest+json", include_bytes!("../../web/dist/manifest.json")),
        ("/worker.js", "text/javascript; charset=utf-8", include_bytes!("../../web/dist/worker.js")),
        ("/canasta.wasm", "application/wasm", include_bytes!("../../../engine/wasm/built/canasta.wasm")),
        ("/texts.wasm", "application/wasm", include_bytes!("../../../engine/wasm/built/texts.wasm")),
    ];
    let file = |(path, kind, bytes)| {
        let digest = Sha256::digest(bytes);
        let tag = format!("\"{}\"", Base64UrlUnpadded::encode_string(&digest[..12]));
        PageFile { path, kind, bytes, packed: OnceLock::new(), tag }
    };
    files.into_iter().map(file).collect()
});

/// Answers a browser's request for a file; `None` if the method is neither GET nor HEAD: gRPC uses POST.
pub fn answer(request: &Request) -> Option<Response> {
    let has_body = match *request.method() {
        Method::GET => true,
        Method::HEAD => false,
        _ => return None,
    };
    let path = request.uri().path();
    let Some(file) = FILES.iter().find(|file| file.path == path) else {
        return Some(not_found(path));
    };
    let names = |name: HeaderName, wanted: &str| {
        let listed = request.headers().get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        listed.flat_map(|value| value.split(',')).any(|value| value.trim() == wanted)
    };
    let is_known = names(IF_NONE_MATCH, &file.tag);
    let is_packed = names(ACCEPT_ENCODING, "deflate");
    let body = match (has_body && !is_known, is_packed) {
        (false, _) => Body::empty(),
        (true, false) => Body::new(Full::new(Bytes::from_static(file.bytes))),
        (true, true) => Body::new(Full::new(Bytes::from_static(file.packed()))),
    };
    let mut answer = Response::new(body);
    if is_known {
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.kind));
    headers.insert(ETAG, HeaderValue::from_str(&file.tag).expect("base64 in quotes is visible ASCII"));
    if is_packed && !is_known {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("deflate"));
    }
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Some(answer)
}

/// Answers a path without a file. A path of gRPC exists, but only for POST.
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

#[cfg(test)]
mod tests {
    use std::future::Future;

    use http_body_util::BodyExt;

    use super::*;

    fn ask(headers: &[(HeaderName, &str)]) -> (http::response::Parts, Vec<u8>) {
        let mut request = Request::new(Body::empty());
        *request.uri_mut() = "/table.js".parse().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(name, HeaderValue::from_str(value).unwrap());
        }
        let (parts, body) = answer(&request).unwrap().into_parts();
        let mut task = std::task::Context::from_waker(std::task::Waker::noop());
        let mut bytes = std::pin::pin!(body.collect());
        let std::task::Poll::Ready(bytes) = bytes.as_mut().poll(&mut task) else {
            panic!("a file is there at once")
        };
        (parts, bytes.unwrap().to_bytes().to_vec())
    }

    /// Checks that a file is sent compressed, and not again to a browser that has it (FRT-25: each load of the page
    /// sent 173 kB).
    #[test]
    fn a_file_is_sent_packed_and_only_once() {
        let (plain, text) = ask(&[]);
        assert_eq!(plain.headers.get(CONTENT_ENCODING), None);
        let (packed, bytes) = ask(&[(ACCEPT_ENCODING, "gzip, deflate, br")]);
        assert_eq!(packed.headers[CONTENT_ENCODING], "deflate");
        assert_eq!(miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).unwrap(), text);
        assert!(bytes.len() * 5 < text.len() * 2, "{} of {} bytes", bytes.len(), text.len());
        let tag = plain.headers[ETAG].to_str().unwrap();
        let (known, nothing) = ask(&[(ACCEPT_ENCODING, "deflate"), (IF_NONE_MATCH, tag)]);
        assert_eq!((known.status, nothing.len()), (StatusCode::NOT_MODIFIED, 0));
        let (changed, whole) = ask(&[(IF_NONE_MATCH, "\"of-an-older-release\"")]);
        assert_eq!((changed.status, whole), (StatusCode::OK, text));
    }
}
