//! The bytes of `google.rpc.Status` that explain a fault: what callers get in the trailer `grpc-status-details-bin`, and from a
//! program without a server. The messages are written here, since those of tonic-types have a map in random order, so that
//! equal requests had unequal answers.

use std::collections::BTreeMap;
use std::time::Duration;

use prost::Message;
use prost_types::Any;

use crate::fault::{FieldFault, RequestFault};

/// The `domain` of every ErrorInfo.
pub const DOMAIN: &str = "canasta.v1";

/// Time after which a client may retry an overloaded server, or another server instead of a draining one.
pub(crate) const RETRY_AFTER: Duration = Duration::from_millis(100);
/// Time after which a client may ask for a game again whose journal or archive does not answer.
const JOURNAL_RETRY_AFTER: Duration = Duration::from_secs(1);
/// Time after which the journal may have room again.
const ROOM_RETRY_AFTER: Duration = Duration::from_secs(60);

#[derive(Clone, PartialEq, Message)]
struct RpcStatus {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

#[derive(Clone, PartialEq, Message)]
struct ErrorInfo {
    #[prost(string, tag = "1")]
    reason: String,
    #[prost(string, tag = "2")]
    domain: String,
    #[prost(btree_map = "string, string", tag = "3")]
    metadata: BTreeMap<String, String>,
}

/// `google.rpc.RetryInfo`.
#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    retry_delay: Option<prost_types::Duration>,
}

/// One of the details that list texts: `BadRequest` with a path and a problem, `QuotaFailure` with a subject and a limit.
#[derive(Clone, PartialEq, Message)]
struct ListedTexts {
    #[prost(message, repeated, tag = "1")]
    violations: Vec<ListedText>,
}

#[derive(Clone, PartialEq, Message)]
struct ListedText {
    #[prost(string, tag = "1")]
    first: String,
    #[prost(string, tag = "2")]
    second: String,
    #[prost(string, tag = "3")]
    third: String,
}

fn detail(name: &str, message: &impl Message) -> Any {
    Any { type_url: format!("type.googleapis.com/google.rpc.{name}"), value: message.encode_to_vec() }
}

fn listed(name: &str, texts: impl IntoIterator<Item = [String; 3]>) -> Any {
    let listed = |[first, second, third]: [String; 3]| ListedText { first, second, third };
    detail(name, &ListedTexts { violations: texts.into_iter().map(listed).collect() })
}

fn retry(after: Duration) -> Any {
    let retry_delay = prost_types::Duration::try_from(after).ok();
    detail("RetryInfo", &RetryInfo { retry_delay })
}

impl RequestFault {
    /// Returns the fault as the bytes of a `google.rpc.Status`.
    pub fn to_status_bytes(&self) -> Vec<u8> {
        let mut info =
            ErrorInfo { reason: self.reason().into(), domain: DOMAIN.into(), metadata: BTreeMap::new() };
        let mut tell = |key: &str, value: String| _ = info.metadata.insert(key.into(), value);
        let quota = |limit: String| listed("QuotaFailure", [["caller".into(), limit, String::new()]]);
        let mut details = match self {
            Self::Fields(faults) => {
                let named = faults.named().0.into_iter();
                let texts = named.map(|FieldFault { path, problem }| [path, problem, String::new()]);
                vec![listed("BadRequest", texts)]
            }
            Self::Stale { n, seq, head } => {
                tell("current_n", n.to_string());
                tell("current_seq", seq.to_string());
                tell("current_head", base16ct::lower::encode_string(head));
                vec![]
            }
            Self::NoSigningKey => {
                let text = ["KEY".into(), "checkpoint".into(), "no --signing-key-file".into()];
                vec![listed("PreconditionFailure", [text])]
            }
            Self::Overloaded | Self::GameStreams(_) | Self::Draining => vec![retry(RETRY_AFTER)],
            Self::JournalUnavailable | Self::ArchiveUnavailable => vec![retry(JOURNAL_RETRY_AFTER)],
            Self::StoreFull => vec![retry(ROOM_RETRY_AFTER)],
            Self::RecordsMissing { shard, records } => {
                tell("shard", shard.to_string());
                tell("records", records.to_string());
                vec![]
            }
            Self::LogCorrupt { record, offset, .. } => {
                tell("record", record.to_string());
                tell("offset", offset.to_string());
                vec![]
            }
            Self::TooManyRooms(delay) => vec![retry(*delay), quota("--rooms-per-hour".into())],
            Self::TooMuchPerHour(delay, what) => vec![retry(*delay), quota(format!("{what} per hour"))],
            Self::RateLimited(delay) => vec![retry(*delay), quota("--max-rate".into())],
            _ => vec![],
        };
        details.push(detail("ErrorInfo", &info));
        let status = RpcStatus { code: self.code_and_reason().0 as i32, message: self.message(), details };
        status.encode_to_vec()
    }
}
