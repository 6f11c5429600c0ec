//! Names of OpenTelemetry's semantic conventions for RPC, which dashboards of others expect in metrics and spans.

use opentelemetry::KeyValue;
use tonic::Code;

use super::method::Method;

/// Names of the status codes, by number.
const CODES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

pub fn name(code: Code) -> &'static str {
    CODES[code as usize]
}

/// Whether a server's span of this code is an error. The other codes are faults of the caller.
pub fn is_error(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}

/// Returns the attributes of a call that has begun.
pub fn begun(method: Method) -> [KeyValue; 2] {
    [KeyValue::new("rpc.system.name", "grpc"), KeyValue::new("rpc.method", method.path)]
}

/// Returns the attributes of the end of a call.
pub fn ended(code: Code) -> impl Iterator<Item = KeyValue> {
    let status = KeyValue::new("rpc.response.status_code", name(code));
    let error = is_error(code).then(|| KeyValue::new("error.type", name(code)));
    [status].into_iter().chain(error)
}
