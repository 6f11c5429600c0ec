//! The request: its headers become those of gRPC at once, its body when it is read.

use bytes::{BufMut, Bytes, BytesMut};
use canasta_messages::fault::{FieldFault, RequestFault};
use futures_util::stream::once;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, TE};
use http::{HeaderMap, HeaderName, HeaderValue};
use http_body::Frame;
use http_body_util::{BodyExt as _, StreamBody};
use prost_reflect::{MessageDescriptor, MethodDescriptor};
use tonic::Status;
use tonic::body::Body;
use tonic::metadata::GRPC_CONTENT_TYPE;

use super::super::Request;
use super::schema;
use crate::OrFault;
use crate::limits::REQUEST_BYTES_MAX;

const VERSION: HeaderName = HeaderName::from_static("connect-protocol-version");
const TIMEOUT: HeaderName = HeaderName::from_static("connect-timeout-ms");
const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
/// Maximum number of digits of a timeout in milliseconds.
const TIMEOUT_DIGITS_MAX: usize = 10;
/// Maximum number of milliseconds that `grpc-timeout` has the digits for.
const TIMEOUT_MS_MAX: u64 = 99_999_999;

/// A call in JSON, in the extensions of its request.
#[derive(Clone)]
pub struct JsonCall {
    method: OrFault<MethodDescriptor>,
    /// Announced length of the JSON, in bytes; the maximum if none is announced.
    pub length: usize,
}

/// Makes a request in JSON a request of gRPC whose body is still JSON.
pub fn as_grpc(mut request: Request) -> Request {
    let path = request.uri().path().to_owned();
    let headers = request.headers_mut();
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let method = checked(headers, length).and_then(|()| schema::method(&path));
    headers.remove(CONTENT_LENGTH);
    headers.insert(CONTENT_TYPE, GRPC_CONTENT_TYPE);
    headers.insert(TE, HeaderValue::from_static("trailers"));
    request.extensions_mut().insert(JsonCall { method, length: length.unwrap_or(REQUEST_BYTES_MAX) });
    request
}

/// Checks the headers of Connect's protocol and the announced length, and writes the timeout as gRPC does.
fn checked(headers: &mut HeaderMap, length: Option<usize>) -> OrFault<()> {
    if let Some(encoding) = headers.get(CONTENT_ENCODING).filter(|&encoding| encoding != "identity") {
        return Err(RequestFault::Unimplemented(format!(
            "content-encoding: expected identity, found {encoding:?}"
        )));
    }
    if let Some(version) = headers.get(VERSION).filter(|&version| version != "1") {
        return Err(faulty_header(&VERSION, "1", version));
    }
    if let Some(timeout) = headers.get(TIMEOUT) {
        let ms = milliseconds(timeout.as_bytes());
        let ms = ms.ok_or_else(|| faulty_header(&TIMEOUT, "at most 10 digits", timeout))?;
        let text = if ms > TIMEOUT_MS_MAX { format!("{}S", ms / 1000) } else { format!("{ms}m") };
        headers.insert(GRPC_TIMEOUT, text.try_into().expect("digits are visible ASCII"));
    }
    if length.is_some_and(|length| length > REQUEST_BYTES_MAX) { Err(too_large()) } else { Ok(()) }
}

fn milliseconds(text: &[u8]) -> Option<u64> {
    let is_number = (1..=TIMEOUT_DIGITS_MAX).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(text).ok().filter(|_| is_number)?.parse().ok()
}

fn faulty_header(name: &HeaderName, expected: &str, found: &HeaderValue) -> RequestFault {
    let problem = format!("expected {expected}, found {found:?}");
    RequestFault::Fields(FieldFault { path: name.to_string(), problem }.into())
}

fn too_large() -> RequestFault {
    RequestFault::TooLarge(format!("the request has more than {REQUEST_BYTES_MAX} bytes of JSON"))
}

impl JsonCall {
    /// Returns the method that is called.
    ///
    /// # Errors
    /// If the call cannot be answered in JSON.
    pub fn method(&self) -> OrFault<&MethodDescriptor> {
        self.method.as_ref().map_err(RequestFault::clone)
    }

    /// Whether the answer is a stream, of which only the first message is wanted.
    pub fn is_answered_with_a_stream(&self) -> bool {
        self.method.as_ref().is_ok_and(MethodDescriptor::is_server_streaming)
    }

    /// Returns a body of gRPC that reads this body as JSON; this body itself if the call cannot be answered in JSON.
    pub fn body(&self, json: Body) -> Body {
        match &self.method {
            Ok(method) => Body::new(StreamBody::new(once(read(json, method.input())))),
            Err(_) => json,
        }
    }

    /// Returns the JSON of an answer of gRPC; of several messages, that of the first.
    ///
    /// # Errors
    /// If the answer does not have the form that the method has.
    pub fn answer(&self, data: &[u8]) -> OrFault<Bytes> {
        let first = schema::first(data).ok_or(RequestFault::Internal)?;
        schema::json(self.method()?.output(), first).map(Bytes::from).ok_or(RequestFault::Internal)
    }
}

/// Reads a body as JSON, and returns it as the data of a message of gRPC.
async fn read(mut json: Body, message: MessageDescriptor) -> Result<Frame<Bytes>, Status> {
    let mut read = BytesMut::new();
    while let Some(frame) = json.frame().await {
        let data = frame?.into_data().unwrap_or_default();
        if read.len() + data.len() > REQUEST_BYTES_MAX {
            return Err(too_large().into());
        }
        read.put(data);
    }
    Ok(Frame::data(schema::message(&message, &read)?))
}
