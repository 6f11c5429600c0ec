//! The one place that turns errors into statuses. A broken rule of the game is none of them.

use std::collections::BTreeMap;
use std::time::Duration;

use canasta_engine::log::frame::hex;
use canasta_proto::v1::ErrorReason;
use prost::Message;
use prost_types::Any;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt, pb};

/// `domain` of every ErrorInfo.
pub const DOMAIN: &str = "canasta.v1";

/// When an overloaded server may be asked again, or another one in the place of one that ends.
const RETRY_AFTER: Duration = Duration::from_millis(100);

/// A field of a request that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldFault {
    /// Path of the field (`action.meld.groups[0].cards[2]`).
    pub path: String,
    /// What was expected and what was found.
    pub problem: String,
}

/// Why a request is answered with a status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A field is missing, malformed or out of range.
    Field(FieldFault),
    /// Several are; at least one, and no more than trailers have room for.
    Fields(Vec<FieldFault>),
    /// The state was not given out by this service.
    Token,
    /// The caller expected another state.
    Stale {
        /// `seq` of the state.
        seq: u64,
        /// `head` of the state.
        head: [u8; 32],
    },
    /// There is no such rule set, rule or code.
    NotFound(String),
    /// The round's log is full: only rulings are still taken.
    RoundTooLong,
    /// A checkpoint is wanted of a server without a key.
    NoSigningKey,
    /// No credentials, or none that are good.
    Unauthenticated,
    /// The caller is not entitled to this.
    Denied,
    /// Too many requests at once.
    Overloaded,
    /// This caller asks too often; when it may ask again.
    RateLimited(Duration),
    /// Not answered in time.
    Deadline,
    /// The server is ending.
    Draining,
    /// A stream had no request for too long.
    Idle,
    /// The record asked for is behind a damage of its log.
    LogCorrupt {
        /// Number of the record that cannot be read, from 0.
        record: u64,
        /// Byte of the log at which it begins.
        offset: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A log has more than is read, of this.
    LogTooLarge(&'static str),
    /// A message is longer than any request is.
    TooLarge(String),
    /// There is no such method here, or no such encoding of its messages.
    Unimplemented(String),
    /// Our bug.
    Internal,
}

impl Fault {
    /// The answer to a request that never reached the service.
    pub fn into_response<B: Default>(self) -> http::Response<B> {
        Status::from(self).into_http()
    }

    /// The fault behind a status that the transport made of a request: ours have details, its own have none. What it
    /// calls INTERNAL is a request that cannot be decoded. `None` if the status may stay as it is.
    pub fn of_transport(status: &Status) -> Option<Self> {
        if !status.details().is_empty() {
            return None;
        }
        let said = status.message();
        match status.code() {
            Code::Internal => Some(Self::Field(undecodable(said))),
            Code::OutOfRange => Some(Self::TooLarge(said.into())),
            Code::Unimplemented if said.is_empty() => {
                Some(Self::Unimplemented("this server has no such method".into()))
            }
            Code::Unimplemented => Some(Self::Unimplemented(said.into())),
            _ => None,
        }
    }

    /// Adds steps in front of the paths of faulty fields.
    #[must_use]
    pub fn within(self, step: impl Fn(FieldFault) -> FieldFault) -> Self {
        match self {
            Self::Field(fault) => Self::Field(step(fault)),
            Self::Fields(faults) => Self::Fields(faults.into_iter().map(step).collect()),
            other => other,
        }
    }

    fn code_and_reason(&self) -> (Code, ErrorReason) {
        match self {
            Self::Field(_) | Self::Fields(_) => (Code::InvalidArgument, ErrorReason::InvalidField),
            Self::Token => (Code::InvalidArgument, ErrorReason::StateTokenInvalid),
            Self::Stale { .. } => (Code::Aborted, ErrorReason::StaleHead),
            Self::NotFound(_) => (Code::NotFound, ErrorReason::NotFound),
            Self::RoundTooLong => (Code::ResourceExhausted, ErrorReason::RoundTooLong),
            Self::NoSigningKey => (Code::FailedPrecondition, ErrorReason::NoSigningKey),
            Self::Unauthenticated => (Code::Unauthenticated, ErrorReason::Unauthenticated),
            Self::Denied => (Code::PermissionDenied, ErrorReason::PermissionDenied),
            Self::Overloaded => (Code::ResourceExhausted, ErrorReason::Overloaded),
            Self::RateLimited(_) => (Code::ResourceExhausted, ErrorReason::RateLimited),
            Self::Deadline => (Code::DeadlineExceeded, ErrorReason::Deadline),
            Self::Draining => (Code::Unavailable, ErrorReason::Draining),
            Self::Idle => (Code::DeadlineExceeded, ErrorReason::Idle),
            Self::LogCorrupt { .. } => (Code::DataLoss, ErrorReason::LogCorrupt),
            Self::LogTooLarge(_) => (Code::ResourceExhausted, ErrorReason::LogTooLarge),
            Self::TooLarge(_) => (Code::OutOfRange, ErrorReason::RequestTooLarge),
            Self::Unimplemented(_) => (Code::Unimplemented, ErrorReason::Unimplemented),
            Self::Internal => (Code::Internal, ErrorReason::Internal),
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Field(fault) => format!("{}: {}", fault.path, fault.problem),
            Self::Fields(faults) => {
                let fault = |fault: &FieldFault| format!("{}: {}", fault.path, fault.problem);
                faults.iter().map(fault).collect::<Vec<_>>().join("; ")
            }
            Self::Token => "state: not a state of this service".into(),
            Self::Stale { seq, .. } => format!("the state is not the one expected: its seq is {seq}"),
            Self::NotFound(what) => format!("there is no {what}"),
            Self::RoundTooLong => "the round has become too long: only a ruling can end it".into(),
            Self::NoSigningKey => "checkpoint: this server has no key to sign with".into(),
            Self::Unauthenticated => "no valid credentials".into(),
            Self::Denied => "the caller is not entitled to this".into(),
            Self::Overloaded => "too many requests at once".into(),
            Self::RateLimited(_) => "more requests than one caller may send".into(),
            Self::Deadline => "not answered in time".into(),
            Self::Draining => "the server is ending".into(),
            Self::Idle => "no request for too long".into(),
            Self::LogCorrupt { record, problem, .. } => {
                format!("the log is damaged at record {record}: {problem}")
            }
            Self::LogTooLarge(what) => format!("the log has more than {what}"),
            Self::TooLarge(problem) | Self::Unimplemented(problem) => problem.clone(),
            Self::Internal => "internal error".into(),
        }
    }
}

/// A request that is no message of its type. prost says which field it stumbled at: "failed to decode Protobuf
/// message: Meld.groups: Group.cards: invalid string value".
fn undecodable(said: &str) -> FieldFault {
    let said = said.strip_prefix("failed to decode Protobuf message: ").unwrap_or(said);
    let mut steps: Vec<_> = said.split(": ").collect();
    let problem = steps.pop().unwrap_or_default();
    let fields: Vec<_> =
        steps.iter().map_while(|step| step.split_once('.').map(|(_, field)| field)).collect();
    let path = if fields.is_empty() { WHOLE.into() } else { fields.join(".") };
    FieldFault { path, problem: format!("cannot be decoded: {problem}") }
}

/// The path of a request as a whole.
const WHOLE: &str = "request";

/// google.rpc.ErrorInfo with its metadata in order: tonic's own goes through a map that is iterated at random, so
/// equal requests had unequal answers.
#[derive(Clone, PartialEq, Message)]
struct ErrorInfo {
    #[prost(string, tag = "1")]
    reason: String,
    #[prost(string, tag = "2")]
    domain: String,
    #[prost(btree_map = "string, string", tag = "3")]
    metadata: BTreeMap<String, String>,
}

impl From<Fault> for Status {
    fn from(fault: Fault) -> Self {
        let (code, reason) = fault.code_and_reason();
        let mut details = ErrorDetails::new();
        let mut info = ErrorInfo {
            reason: reason.as_str_name().trim_start_matches("ERROR_REASON_").into(),
            domain: DOMAIN.into(),
            metadata: BTreeMap::new(),
        };
        let mut tell = |key: &str, value: String| _ = info.metadata.insert(key.into(), value);
        let message = fault.message();
        match fault {
            Fault::Field(FieldFault { path, problem }) => {
                details.add_bad_request_violation(path, problem);
            }
            Fault::Fields(faults) => {
                for FieldFault { path, problem } in faults {
                    details.add_bad_request_violation(path, problem);
                }
            }
            Fault::Stale { seq, head } => {
                tell("current_seq", seq.to_string());
                tell("current_head", hex(&head));
            }
            Fault::NoSigningKey => {
                details.add_precondition_failure_violation("KEY", "checkpoint", "no --signing-key-file");
            }
            Fault::Overloaded | Fault::Draining => {
                details.set_retry_info(Some(RETRY_AFTER));
            }
            Fault::LogCorrupt { record, offset, .. } => {
                tell("record", record.to_string());
                tell("offset", offset.to_string());
            }
            Fault::RateLimited(delay) => {
                details.set_retry_info(Some(delay)).add_quota_failure_violation("caller", "--max-rate");
            }
            _ => {}
        }
        // A repeated field goes on in what is appended to its message.
        let mut encoded = Self::with_error_details(code, &message, details).details().to_vec();
        let info =
            Any { type_url: "type.googleapis.com/google.rpc.ErrorInfo".into(), value: info.encode_to_vec() };
        encoded.extend(pb::Status { details: vec![info], ..Default::default() }.encode_to_vec());
        Self::with_details(code, message, encoded.into())
    }
}

/// What the transport says of a stream of requests, with the details that every status has.
pub fn explained(status: Status) -> Status {
    Fault::of_transport(&status).map_or(status, Status::from)
}

impl From<FieldFault> for Fault {
    fn from(fault: FieldFault) -> Self {
        Self::Field(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One fault of each kind, the code it must have (spec "status map") and its reason.
    fn table() -> Vec<(Fault, Code, &'static str)> {
        let field = FieldFault { path: "as".into(), problem: "is required".into() };
        vec![
            (Fault::Fields(vec![field.clone(), field.clone()]), Code::InvalidArgument, "INVALID_FIELD"),
            (Fault::Field(field), Code::InvalidArgument, "INVALID_FIELD"),
            (Fault::Token, Code::InvalidArgument, "STATE_TOKEN_INVALID"),
            (Fault::Stale { seq: 7, head: [0xab; 32] }, Code::Aborted, "STALE_HEAD"),
            (Fault::NotFound("rule \"CL-999\"".into()), Code::NotFound, "NOT_FOUND"),
            (Fault::RoundTooLong, Code::ResourceExhausted, "ROUND_TOO_LONG"),
            (Fault::NoSigningKey, Code::FailedPrecondition, "NO_SIGNING_KEY"),
            (Fault::Unauthenticated, Code::Unauthenticated, "UNAUTHENTICATED"),
            (Fault::Denied, Code::PermissionDenied, "PERMISSION_DENIED"),
            (Fault::Overloaded, Code::ResourceExhausted, "OVERLOADED"),
            (Fault::RateLimited(RETRY_AFTER), Code::ResourceExhausted, "RATE_LIMITED"),
            (Fault::Deadline, Code::DeadlineExceeded, "DEADLINE"),
            (Fault::Draining, Code::Unavailable, "DRAINING"),
            (Fault::Idle, Code::DeadlineExceeded, "IDLE"),
            (
                Fault::LogCorrupt { record: 7, offset: 300, problem: "torn".into() },
                Code::DataLoss,
                "LOG_CORRUPT",
            ),
            (Fault::LogTooLarge("100,000 records"), Code::ResourceExhausted, "LOG_TOO_LARGE"),
            (Fault::TooLarge("300 KiB".into()), Code::OutOfRange, "REQUEST_TOO_LARGE"),
            (Fault::Unimplemented("no such method".into()), Code::Unimplemented, "UNIMPLEMENTED"),
            (Fault::Internal, Code::Internal, "INTERNAL"),
        ]
    }

    #[test]
    fn every_fault_has_its_code_reason_and_details() {
        for (fault, code, reason) in table() {
            let status = Status::from(fault.clone());
            let details = status.get_error_details();
            let info = details.error_info().expect("every status has an ErrorInfo");
            assert_eq!((status.code(), info.reason.as_str(), info.domain.as_str()), (code, reason, DOMAIN));
            for _ in 0..16 {
                assert_eq!(Status::from(fault.clone()).details(), status.details(), "{reason}");
            }
            assert_eq!(
                details.bad_request().is_some(),
                matches!(fault, Fault::Field(_) | Fault::Fields(_)),
                "{reason}"
            );
            let waits = matches!(fault, Fault::Overloaded | Fault::RateLimited(_) | Fault::Draining);
            assert_eq!(details.retry_info().is_some(), waits, "{reason}");
            assert_eq!(details.quota_failure().is_some(), matches!(fault, Fault::RateLimited(_)), "{reason}");
            assert!(status.details().len() <= 2048, "trailers are small");
        }
    }

    /// The messages are those of prost 0.14 and tonic 0.14.
    #[test]
    fn what_cannot_be_decoded_is_a_fault_of_its_field() {
        let table = [
            (
                "failed to decode Protobuf message: Meld.groups: Group.cards: invalid string value",
                "groups.cards",
                "cannot be decoded: invalid string value",
            ),
            (
                "failed to decode Protobuf message: buffer underflow",
                "request",
                "cannot be decoded: buffer underflow",
            ),
            (
                "Unexpected EOF decoding stream.",
                "request",
                "cannot be decoded: Unexpected EOF decoding stream.",
            ),
        ];
        for (said, path, problem) in table {
            let fault = FieldFault { path: path.into(), problem: problem.into() };
            assert_eq!(Fault::of_transport(&Status::internal(said)), Some(Fault::Field(fault)), "{said}");
        }
        for fault in table_of_ours() {
            assert_eq!(Fault::of_transport(&fault.into()), None, "ours has its details");
        }
        assert_eq!(Fault::of_transport(&Status::unavailable("gone")), None);
    }

    fn table_of_ours() -> impl Iterator<Item = Fault> {
        table().into_iter().map(|(fault, ..)| fault)
    }

    #[test]
    fn a_stale_head_says_what_is_current() {
        let status = Status::from(Fault::Stale { seq: 7, head: [0xab; 32] });
        let info = status.get_details_error_info().expect("an ErrorInfo");
        assert_eq!(info.metadata["current_seq"], "7");
        assert_eq!(info.metadata["current_head"], "ab".repeat(32));
    }

    #[test]
    fn a_damaged_log_says_where() {
        let status = Status::from(Fault::LogCorrupt { record: 7, offset: 300, problem: "torn".into() });
        let info = status.get_details_error_info().expect("an ErrorInfo");
        assert_eq!((info.metadata["record"].as_str(), info.metadata["offset"].as_str()), ("7", "300"));
    }

    #[test]
    fn every_reason_is_produced_and_documented() {
        let api = include_str!("../../docs/API.md");
        let produced: Vec<_> = table().into_iter().map(|(.., reason)| reason).collect();
        for reason in (1..100).filter_map(|number| ErrorReason::try_from(number).ok()) {
            let name = reason.as_str_name().trim_start_matches("ERROR_REASON_");
            assert!(produced.contains(&name), "{name} is never sent");
            assert!(api.contains(&format!("`{name}`")), "{name} is not in docs/API.md");
        }
    }
}
