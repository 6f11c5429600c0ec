//! The one place that turns faults into gRPC statuses; with the feature `grpc` only, the transport comes with it.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::fault::{FieldFault, RequestFault};
use prost::Message;
use prost_types::Any;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt, pb};

/// The `domain` of every ErrorInfo.
pub const DOMAIN: &str = "canasta.v1";

/// Time after which a client may retry an overloaded server, or another server instead of a draining one.
const RETRY_AFTER: Duration = Duration::from_millis(100);
/// Time after which a client may ask for a game again whose journal or archive does not answer.
const JOURNAL_RETRY_AFTER: Duration = Duration::from_secs(1);
/// Time after which the journal may have room again.
const ROOM_RETRY_AFTER: Duration = Duration::from_secs(60);

/// The message google.rpc.ErrorInfo with its metadata in order. tonic's own type has a map with a random
/// order, so equal requests had unequal answers.
#[derive(Clone, PartialEq, Message)]
struct ErrorInfo {
    #[prost(string, tag = "1")]
    reason: String,
    #[prost(string, tag = "2")]
    domain: String,
    #[prost(btree_map = "string, string", tag = "3")]
    metadata: BTreeMap<String, String>,
}

impl From<RequestFault> for Status {
    fn from(fault: RequestFault) -> Self {
        let code = Code::from_i32(fault.code_and_reason().0 as i32);
        let mut details = ErrorDetails::new();
        let mut info =
            ErrorInfo { reason: fault.reason().into(), domain: DOMAIN.into(), metadata: BTreeMap::new() };
        let mut tell = |key: &str, value: String| _ = info.metadata.insert(key.into(), value);
        let message = fault.message();
        match fault {
            RequestFault::Fields(faults) => {
                for FieldFault { path, problem } in faults.named().0 {
                    details.add_bad_request_violation(path, problem);
                }
            }
            RequestFault::Stale { n, seq, head } => {
                tell("current_n", n.to_string());
                tell("current_seq", seq.to_string());
                tell("current_head", base16ct::lower::encode_string(&head));
            }
            RequestFault::NoSigningKey => {
                details.add_precondition_failure_violation("KEY", "checkpoint", "no --signing-key-file");
            }
            RequestFault::Overloaded | RequestFault::GameStreams(_) | RequestFault::Draining => {
                details.set_retry_info(Some(RETRY_AFTER));
            }
            RequestFault::JournalUnavailable | RequestFault::ArchiveUnavailable => {
                details.set_retry_info(Some(JOURNAL_RETRY_AFTER));
            }
            RequestFault::StoreFull => _ = details.set_retry_info(Some(ROOM_RETRY_AFTER)),
            RequestFault::RecordsMissing { shard, records } => {
                tell("shard", shard.to_string());
                tell("records", records.to_string());
            }
            RequestFault::LogCorrupt { record, offset, .. } => {
                tell("record", record.to_string());
                tell("offset", offset.to_string());
            }
            RequestFault::TooManyRooms(delay) => {
                details.set_retry_info(Some(delay)).add_quota_failure_violation("caller", "--rooms-per-hour");
            }
            RequestFault::TooMuchPerHour(delay, what) => {
                details
                    .set_retry_info(Some(delay))
                    .add_quota_failure_violation("caller", format!("{what} per hour"));
            }
            RequestFault::RateLimited(delay) => {
                details.set_retry_info(Some(delay)).add_quota_failure_violation("caller", "--max-rate");
            }
            _ => {}
        }
        // Appended bytes extend the repeated field of the encoded message.
        let mut encoded = Self::with_error_details(code, &message, details).details().to_vec();
        let info =
            Any { type_url: "type.googleapis.com/google.rpc.ErrorInfo".into(), value: info.encode_to_vec() };
        encoded.extend(pb::Status { details: vec![info], ..Default::default() }.encode_to_vec());
        Self::with_details(code, message, encoded.into())
    }
}

impl RequestFault {
    /// Returns an HTTP response with this fault, for requests that never reach a service.
    pub fn into_response<B: Default>(self) -> http::Response<B> {
        Status::from(self).into_http()
    }

    /// Returns the fault behind a status that the transport made of a request; `None` if the status stays as
    /// it is. The transport's own statuses have no details, ours have some. The transport's INTERNAL means a
    /// request that cannot be decoded.
    pub fn of_transport(status: &Status) -> Option<Self> {
        if !status.details().is_empty() {
            return None;
        }
        let said = status.message();
        match status.code() {
            Code::Internal => Some(Self::undecodable(said)),
            Code::OutOfRange => Some(Self::TooLarge(said.into())),
            Code::Unimplemented if said.is_empty() => {
                Some(Self::Unimplemented("this server has no such method".into()))
            }
            Code::Unimplemented => Some(Self::Unimplemented(said.into())),
            _ => None,
        }
    }
}

/// Adds details to a status of the transport, as every status has them.
pub fn explained(given: Status) -> Status {
    RequestFault::of_transport(&given).map_or(given, Status::from)
}

#[cfg(test)]
mod tests;
