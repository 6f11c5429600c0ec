//! The answer: a status of gRPC becomes the error JSON of Connect with its HTTP status. The message of a good answer is JSON
//! already, and no trailers follow it.

use base64ct::{Base64Unpadded, Encoding};
use canasta_messages::fault::RequestFault;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use http_body::{Body as _, Frame};
use http_body_util::BodyExt as _;
use prost::Message as _;
use serde_json::{Value, json};
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::pb;

use super::super::Response;
use super::{JSON, schema};
use crate::telemetry::rpc;

/// The HTTP status of each code, by number.
const HTTP: [u16; 17] = [200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401];

/// Makes an answer of gRPC an answer in JSON.
pub async fn as_json(answer: Response) -> Response {
    let (mut head, mut body) = answer.into_parts();
    let mut status = Status::from_header_map(&head.headers);
    // An answer without a message has its status after its head, which is not sent yet.
    if status.is_none() && body.size_hint().exact() == Some(0) {
        let end = body.frame().await.and_then(|end| end.map(Frame::into_trailers).ok()?.ok());
        status = end.and_then(|trailers| Status::from_header_map(&trailers));
        status = status.or_else(|| Some(RequestFault::Internal.into()));
    }
    // The router announces that its refusals have no body.
    for name in
        ["content-length", "grpc-status", "grpc-message", "grpc-status-details-bin", "grpc-accept-encoding"]
    {
        head.headers.remove(name);
    }
    head.headers.insert(CONTENT_TYPE, JSON);
    let body = match status {
        None => body,
        Some(status) => {
            let http = HTTP[status.code() as usize];
            head.status = StatusCode::from_u16(http).expect("a status of the table");
            Body::new(error(&status).to_string())
        }
    };
    Response::from_parts(head, body)
}

/// Returns the error of Connect for a status.
fn error(status: &Status) -> Value {
    let code = match status.code() {
        Code::Cancelled => "canceled".into(),
        code => rpc::name(code).to_lowercase(),
    };
    let given = pb::Status::decode(status.details()).unwrap_or_default().details;
    let details = given.iter().map(|detail| {
        let name = detail.type_url.rsplit('/').next().unwrap_or_default();
        let value = Base64Unpadded::encode_string(&detail.value);
        json!({"type": name, "value": value, "debug": schema::detail(name, &detail.value)})
    });
    let details: Vec<_> = details.collect();
    json!({"code": code, "message": status.message(), "details": details})
}
