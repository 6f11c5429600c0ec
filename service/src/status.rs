//! The one place that turns errors into gRPC statuses. A rejection by a rule is not an error.

use std::collections::BTreeMap;
use std::time::Duration;

use canasta_proto::v1::ErrorReason;
use prost::Message;
use prost_types::Any;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt, pb};

mod fields;

pub use fields::{FieldFault, FieldFaults};

/// The `domain` of every ErrorInfo.
pub const DOMAIN: &str = "canasta.v1";

/// Time after which a client may retry an overloaded server, or another server instead of a draining one.
const RETRY_AFTER: Duration = Duration::from_millis(100);
/// Time after which a client may ask for a game again whose journal or archive does not answer.
const JOURNAL_RETRY_AFTER: Duration = Duration::from_secs(1);
/// Time after which the journal may have room again.
const ROOM_RETRY_AFTER: Duration = Duration::from_secs(60);

/// The reason why a request is answered with an error status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestFault {
    /// Fields are missing, malformed or out of range.
    Fields(FieldFaults),
    /// The state is not a valid token of this service.
    Token,
    /// The caller expected another state.
    Stale {
        /// Number of the state's last record.
        n: u64,
        /// The state's `seq`.
        seq: u64,
        /// The state's `head`.
        head: [u8; 32],
    },
    /// The rule set, rule, code or game does not exist.
    NotFound(String),
    /// Another request has created a game of this id.
    GameExists,
    /// Another request was recorded under the id of this request.
    RequestIdReused,
    /// The game has as many links as a game may have.
    TooManyLinks,
    /// The caller has created as many rooms as one address may; it may create another one after this time.
    TooManyRooms(Duration),
    /// The holder of a link has recorded as much of this as one may in an hour; it may record more after this time.
    TooMuchPerHour(Duration, &'static str),
    /// The journal of games does not answer.
    JournalUnavailable,
    /// The journal of games has no room.
    StoreFull,
    /// The journal has lost records of the game's shard.
    RecordsMissing {
        /// The shard.
        shard: u16,
        /// Number of records that are known to be missing.
        records: u64,
    },
    /// The journal's records of the game are damaged.
    GameDamaged,
    /// The game is stored in the archive only.
    GameArchived,
    /// The archive of games does not answer.
    ArchiveUnavailable,
    /// The round's log is full: only rulings are still accepted.
    RoundTooLong,
    /// The request asks for a checkpoint, but the server has no key.
    NoSigningKey,
    /// The request has no valid credentials.
    Unauthenticated,
    /// The caller is not entitled to this request.
    Denied,
    /// Too many requests are active.
    Overloaded,
    /// The caller exceeds its rate limit; it may retry after this time.
    RateLimited(Duration),
    /// The request was not answered in time.
    Deadline,
    /// The server drains.
    Draining,
    /// The stream had no request for too long.
    Idle,
    /// The log is damaged before the requested record.
    LogCorrupt {
        /// Number of the damaged record, from 0.
        record: u64,
        /// Offset of the damaged record in the log, in bytes.
        offset: u64,
        /// The damage.
        problem: String,
    },
    /// The log exceeds a limit.
    LogTooLarge {
        /// The limit.
        max: u64,
        /// Unit of the limit: `records`, `chunks`, `bytes`.
        unit: &'static str,
    },
    /// The message is longer than the limit.
    TooLarge(String),
    /// The method, or the encoding of its messages, does not exist.
    Unimplemented(String),
    /// A bug of the service.
    Internal,
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
            Code::Internal => Some(Self::Fields(undecodable(said).into())),
            Code::OutOfRange => Some(Self::TooLarge(said.into())),
            Code::Unimplemented if said.is_empty() => {
                Some(Self::Unimplemented("this server has no such method".into()))
            }
            Code::Unimplemented => Some(Self::Unimplemented(said.into())),
            _ => None,
        }
    }

    /// Adds a step in front of the paths of faulty fields.
    #[must_use]
    pub fn within(self, step: impl Fn(FieldFaults) -> FieldFaults) -> Self {
        match self {
            Self::Fields(faults) => Self::Fields(step(faults)),
            other => other,
        }
    }

    fn code_and_reason(&self) -> (Code, ErrorReason) {
        match self {
            Self::Fields(_) => (Code::InvalidArgument, ErrorReason::InvalidField),
            Self::Token => (Code::InvalidArgument, ErrorReason::StateTokenInvalid),
            Self::Stale { .. } => (Code::Aborted, ErrorReason::StaleHead),
            Self::NotFound(_) => (Code::NotFound, ErrorReason::NotFound),
            Self::GameExists => (Code::AlreadyExists, ErrorReason::GameExists),
            Self::RequestIdReused => (Code::InvalidArgument, ErrorReason::RequestIdReused),
            Self::TooManyLinks => (Code::FailedPrecondition, ErrorReason::TooManyLinks),
            Self::TooManyRooms(_) | Self::TooMuchPerHour(..) => {
                (Code::ResourceExhausted, ErrorReason::RateLimited)
            }
            Self::JournalUnavailable => (Code::Unavailable, ErrorReason::JournalUnavailable),
            Self::StoreFull => (Code::ResourceExhausted, ErrorReason::StoreFull),
            Self::RecordsMissing { .. } => (Code::DataLoss, ErrorReason::RecordsMissing),
            Self::GameArchived => (Code::FailedPrecondition, ErrorReason::GameArchived),
            Self::ArchiveUnavailable => (Code::Unavailable, ErrorReason::ArchiveUnavailable),
            Self::RoundTooLong => (Code::FailedPrecondition, ErrorReason::RoundTooLong),
            Self::NoSigningKey => (Code::FailedPrecondition, ErrorReason::NoSigningKey),
            Self::Unauthenticated => (Code::Unauthenticated, ErrorReason::Unauthenticated),
            Self::Denied => (Code::PermissionDenied, ErrorReason::PermissionDenied),
            Self::Overloaded => (Code::ResourceExhausted, ErrorReason::Overloaded),
            Self::RateLimited(_) => (Code::ResourceExhausted, ErrorReason::RateLimited),
            Self::Deadline => (Code::DeadlineExceeded, ErrorReason::Deadline),
            Self::Draining => (Code::Unavailable, ErrorReason::Draining),
            Self::Idle => (Code::DeadlineExceeded, ErrorReason::Idle),
            Self::GameDamaged | Self::LogCorrupt { .. } => (Code::DataLoss, ErrorReason::LogCorrupt),
            Self::LogTooLarge { .. } => (Code::FailedPrecondition, ErrorReason::LogTooLarge),
            Self::TooLarge(_) => (Code::OutOfRange, ErrorReason::RequestTooLarge),
            Self::Unimplemented(_) => (Code::Unimplemented, ErrorReason::Unimplemented),
            Self::Internal => (Code::Internal, ErrorReason::Internal),
        }
    }

    /// Returns the reason that callers see, as `google.rpc.ErrorInfo` has it.
    pub fn reason(&self) -> &'static str {
        self.code_and_reason().1.as_str_name().trim_start_matches("ERROR_REASON_")
    }

    fn message(&self) -> String {
        match self {
            Self::Fields(faults) => {
                let (named, others) = faults.named();
                let fault = |FieldFault { path, problem }: &FieldFault| format!("{path}: {problem}");
                let named = named.iter().map(fault).collect::<Vec<_>>().join("; ");
                if others == 0 { named } else { format!("{named}; and {others} more") }
            }
            Self::Token => "state: not a state of this service".into(),
            Self::Stale { seq, .. } => format!("the state is not the expected one: its seq is {seq}"),
            Self::NotFound(what) => format!("there is no {what}"),
            Self::GameExists => "another request has created a game of this id".into(),
            Self::RequestIdReused => "request_id: another request was recorded under this id".into(),
            Self::TooManyLinks => "the game has as many links as a game may have".into(),
            Self::TooManyRooms(_) => "this address has created as many rooms as one may".into(),
            Self::TooMuchPerHour(_, what) => {
                format!("the holder of this link has recorded as many {what} as one may in an hour")
            }
            Self::JournalUnavailable => "the journal of games does not answer".into(),
            Self::StoreFull => "the journal of games has no room".into(),
            Self::RecordsMissing { shard, records } => {
                format!(
                    "the journal lacks {records} records of shard {shard}, so none of its games is served"
                )
            }
            Self::GameDamaged => "the journal's records of this game are damaged".into(),
            Self::GameArchived => "the game is stored in the archive only".into(),
            Self::ArchiveUnavailable => "the archive of games does not answer".into(),
            Self::RoundTooLong => "the round's log is full: only a ruling can end the round".into(),
            Self::NoSigningKey => "checkpoint: this server has no key to sign with".into(),
            Self::Unauthenticated => "the request has no valid credentials".into(),
            Self::Denied => "the caller is not entitled to this".into(),
            Self::Overloaded => "too many requests at once".into(),
            Self::RateLimited(_) => "the caller exceeds its rate limit".into(),
            Self::Deadline => "the request was not answered in time".into(),
            Self::Draining => "the server is shutting down".into(),
            Self::Idle => "the stream had no request for too long".into(),
            Self::LogCorrupt { record, problem, .. } => {
                format!("the log is damaged at record {record}: {problem}")
            }
            Self::LogTooLarge { max, unit } => format!("the log has more than {max} {unit}"),
            Self::TooLarge(problem) | Self::Unimplemented(problem) => problem.clone(),
            Self::Internal => "internal error".into(),
        }
    }
}

/// Returns the fault of a request that cannot be decoded. prost names the field: "failed to decode Protobuf
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

/// The path of a whole request.
const WHOLE: &str = "request";

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
        let (code, _) = fault.code_and_reason();
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
            RequestFault::Overloaded | RequestFault::Draining => {
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

/// Adds details to a status of the transport, as every status has them.
pub fn explained(status: Status) -> Status {
    RequestFault::of_transport(&status).map_or(status, Status::from)
}

impl From<FieldFaults> for RequestFault {
    fn from(faults: FieldFaults) -> Self {
        Self::Fields(faults)
    }
}

#[cfg(test)]
mod tests;
