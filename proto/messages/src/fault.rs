//! The reasons why requests are not answered. A rejection by a rule is not one of them: it is an answer.

use std::time::Duration;

use canasta_proto::v1::ErrorReason;

/// A value, or the fault with which its request ends.
pub type OrFault<T> = Result<T, RequestFault>;

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
    /// The caller has its share of the streams about games; of this number at most.
    GameStreams(u64),
    /// The caller exceeds its rate limit; it may retry after this time.
    RateLimited(Duration),
    /// The request was not answered in time.
    Deadline,
    Draining,
    /// The stream had no request for too long.
    Idle,
    /// The log is damaged before the requested record.
    LogCorrupt {
        /// Number of the damaged record, from 0.
        record: u64,
        /// Offset of the damaged record in the log, in bytes.
        offset: u64,
        problem: String,
    },
    /// The log exceeds a limit.
    LogTooLarge {
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

/// The codes of gRPC that answers of canasta.v1 have, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of google.rpc.Code")]
pub enum RpcCode {
    InvalidArgument = 3,
    DeadlineExceeded = 4,
    NotFound = 5,
    AlreadyExists = 6,
    PermissionDenied = 7,
    ResourceExhausted = 8,
    FailedPrecondition = 9,
    Aborted = 10,
    OutOfRange = 11,
    Unimplemented = 12,
    Internal = 13,
    Unavailable = 14,
    DataLoss = 15,
    Unauthenticated = 16,
}

impl RequestFault {
    /// Returns the fault of a request that cannot be decoded. prost names the field: "failed to decode Protobuf
    /// message: Meld.groups: Group.cards: invalid string value".
    pub fn undecodable(said: &str) -> Self {
        let said = said.strip_prefix("failed to decode Protobuf message: ").unwrap_or(said);
        let mut steps: Vec<_> = said.split(": ").collect();
        let problem = steps.pop().unwrap_or_default();
        let fields: Vec<_> =
            steps.iter().map_while(|step| step.split_once('.').map(|(_, field)| field)).collect();
        let path = if fields.is_empty() { "request".into() } else { fields.join(".") };
        Self::Fields(FieldFault { path, problem: format!("cannot be decoded: {problem}") }.into())
    }

    /// Adds a step in front of the paths of faulty fields.
    #[must_use]
    pub fn within(self, step: impl Fn(FieldFaults) -> FieldFaults) -> Self {
        match self {
            Self::Fields(faults) => Self::Fields(step(faults)),
            other => other,
        }
    }

    /// Returns the status code of gRPC, and the reason that callers see.
    pub fn code_and_reason(&self) -> (RpcCode, ErrorReason) {
        match self {
            Self::Fields(_) => (RpcCode::InvalidArgument, ErrorReason::InvalidField),
            Self::Token => (RpcCode::InvalidArgument, ErrorReason::StateTokenInvalid),
            Self::Stale { .. } => (RpcCode::Aborted, ErrorReason::StaleHead),
            Self::NotFound(_) => (RpcCode::NotFound, ErrorReason::NotFound),
            Self::GameExists => (RpcCode::AlreadyExists, ErrorReason::GameExists),
            Self::RequestIdReused => (RpcCode::InvalidArgument, ErrorReason::RequestIdReused),
            Self::TooManyLinks => (RpcCode::FailedPrecondition, ErrorReason::TooManyLinks),
            Self::TooManyRooms(_) | Self::TooMuchPerHour(..) => {
                (RpcCode::ResourceExhausted, ErrorReason::RateLimited)
            }
            Self::JournalUnavailable => (RpcCode::Unavailable, ErrorReason::JournalUnavailable),
            Self::StoreFull => (RpcCode::ResourceExhausted, ErrorReason::StoreFull),
            Self::RecordsMissing { .. } => (RpcCode::DataLoss, ErrorReason::RecordsMissing),
            Self::GameArchived => (RpcCode::FailedPrecondition, ErrorReason::GameArchived),
            Self::ArchiveUnavailable => (RpcCode::Unavailable, ErrorReason::ArchiveUnavailable),
            Self::RoundTooLong => (RpcCode::FailedPrecondition, ErrorReason::RoundTooLong),
            Self::NoSigningKey => (RpcCode::FailedPrecondition, ErrorReason::NoSigningKey),
            Self::Unauthenticated => (RpcCode::Unauthenticated, ErrorReason::Unauthenticated),
            Self::Denied => (RpcCode::PermissionDenied, ErrorReason::PermissionDenied),
            Self::Overloaded | Self::GameStreams(_) => (RpcCode::ResourceExhausted, ErrorReason::Overloaded),
            Self::RateLimited(_) => (RpcCode::ResourceExhausted, ErrorReason::RateLimited),
            Self::Deadline => (RpcCode::DeadlineExceeded, ErrorReason::Deadline),
            Self::Draining => (RpcCode::Unavailable, ErrorReason::Draining),
            Self::Idle => (RpcCode::DeadlineExceeded, ErrorReason::Idle),
            Self::GameDamaged | Self::LogCorrupt { .. } => (RpcCode::DataLoss, ErrorReason::LogCorrupt),
            Self::LogTooLarge { .. } => (RpcCode::FailedPrecondition, ErrorReason::LogTooLarge),
            Self::TooLarge(_) => (RpcCode::OutOfRange, ErrorReason::RequestTooLarge),
            Self::Unimplemented(_) => (RpcCode::Unimplemented, ErrorReason::Unimplemented),
            Self::Internal => (RpcCode::Internal, ErrorReason::Internal),
        }
    }

    /// Returns the reason that callers see, as `google.rpc.ErrorInfo` has it.
    pub fn reason(&self) -> &'static str {
        self.code_and_reason().1.as_str_name().trim_start_matches("ERROR_REASON_")
    }

    /// Returns the sentence that callers see.
    pub fn message(&self) -> String {
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
            Self::GameStreams(max) => format!(
                "too many open streams about games: one caller has at most {max}, and fewer when others need them; \
                 WatchGames tells of all games on one stream"
            ),
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

impl From<FieldFaults> for RequestFault {
    fn from(faults: FieldFaults) -> Self {
        Self::Fields(faults)
    }
}

/// A field of a request that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldFault {
    /// Path of the field (`action.meld.groups[0].cards[2]`).
    pub path: String,
    /// The expected and the found value.
    pub problem: String,
}

/// The fields of a request that cannot be read: at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldFaults(Vec<FieldFault>);

impl FieldFaults {
    /// Adds other faults after these.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    pub fn as_slice(&self) -> &[FieldFault] {
        &self.0
    }

    /// Changes the path of each fault.
    #[must_use]
    pub fn at(mut self, path: impl Fn(&str) -> String) -> Self {
        for fault in &mut self.0 {
            fault.path = path(&fault.path);
        }
        self
    }

    /// Returns the faults that trailers have room for, cut to a readable length, and the number of all others.
    pub fn named(&self) -> (Vec<FieldFault>, usize) {
        let cut = |text: &str, most: usize| match text.len() > most {
            true => format!("{}...", &text[..text.floor_char_boundary(most)]),
            false => text.to_owned(),
        };
        let mut room = NAMED_BYTES_MAX;
        let short = |FieldFault { path, problem }: &FieldFault| FieldFault {
            path: cut(path, PATH_BYTES_MAX),
            problem: cut(problem, PROBLEM_BYTES_MAX),
        };
        let fits = |fault: &FieldFault| {
            let left = room.checked_sub(fault.path.len() + fault.problem.len() + FAULT_BYTES);
            room = left.unwrap_or_default();
            left.is_some()
        };
        let named: Vec<_> = self.0.iter().map(short).take_while(fits).collect();
        let others = self.0.len() - named.len();
        (named, others)
    }
}

impl From<FieldFault> for FieldFaults {
    fn from(fault: FieldFault) -> Self {
        Self(vec![fault])
    }
}

/// Maximum length of the faults that a status names, in bytes. A status has each fault twice, in its message and
/// in its details, and trailers are small.
const NAMED_BYTES_MAX: usize = 880;
/// Length that a fault takes besides its path and its problem, in bytes.
const FAULT_BYTES: usize = 8;
/// Maximum lengths of a path and of a problem in a status, in bytes: both may quote the request.
const PATH_BYTES_MAX: usize = 200;
const PROBLEM_BYTES_MAX: usize = 400;
