use canasta_proto::v1::ErrorReason;
use tonic_types::StatusExt;

use super::*;
use crate::details::{DOMAIN, RETRY_AFTER};
use crate::fault::{FieldFault, FieldFaults};

/// Returns one fault per kind, with the code that it must have (spec "status map") and its reason.
fn table() -> Vec<(RequestFault, Code, &'static str)> {
    let field = FieldFaults::from(FieldFault { path: "actor".into(), problem: "is required".into() });
    vec![
        (RequestFault::Fields(field), Code::InvalidArgument, "INVALID_FIELD"),
        (RequestFault::Token, Code::InvalidArgument, "STATE_TOKEN_INVALID"),
        (RequestFault::Stale { n: 9, seq: 7, head: [0xab; 32] }, Code::Aborted, "STALE_HEAD"),
        (RequestFault::NotFound("rule \"CL-999\"".into()), Code::NotFound, "NOT_FOUND"),
        (RequestFault::GameExists, Code::AlreadyExists, "GAME_EXISTS"),
        (RequestFault::RequestIdReused, Code::InvalidArgument, "REQUEST_ID_REUSED"),
        (RequestFault::TooManyLinks, Code::FailedPrecondition, "TOO_MANY_LINKS"),
        (RequestFault::TooManyRooms(RETRY_AFTER), Code::ResourceExhausted, "RATE_LIMITED"),
        (RequestFault::TooMuchPerHour(RETRY_AFTER, "links"), Code::ResourceExhausted, "RATE_LIMITED"),
        (RequestFault::JournalUnavailable, Code::Unavailable, "JOURNAL_UNAVAILABLE"),
        (RequestFault::StoreFull, Code::ResourceExhausted, "STORE_FULL"),
        (RequestFault::GameDamaged, Code::DataLoss, "LOG_CORRUPT"),
        (RequestFault::RecordsMissing { shard: 3, records: 7 }, Code::DataLoss, "RECORDS_MISSING"),
        (RequestFault::GameArchived, Code::FailedPrecondition, "GAME_ARCHIVED"),
        (RequestFault::ArchiveUnavailable, Code::Unavailable, "ARCHIVE_UNAVAILABLE"),
        (RequestFault::RoundTooLong, Code::FailedPrecondition, "ROUND_TOO_LONG"),
        (RequestFault::NoSigningKey, Code::FailedPrecondition, "NO_SIGNING_KEY"),
        (RequestFault::Unauthenticated, Code::Unauthenticated, "UNAUTHENTICATED"),
        (RequestFault::Denied, Code::PermissionDenied, "PERMISSION_DENIED"),
        (RequestFault::Overloaded, Code::ResourceExhausted, "OVERLOADED"),
        (RequestFault::GameStreams(64), Code::ResourceExhausted, "OVERLOADED"),
        (RequestFault::RateLimited(RETRY_AFTER), Code::ResourceExhausted, "RATE_LIMITED"),
        (RequestFault::Deadline, Code::DeadlineExceeded, "DEADLINE"),
        (RequestFault::Draining, Code::Unavailable, "DRAINING"),
        (RequestFault::Idle, Code::DeadlineExceeded, "IDLE"),
        (
            RequestFault::LogCorrupt { record: 7, offset: 300, problem: "torn".into() },
            Code::DataLoss,
            "LOG_CORRUPT",
        ),
        (
            RequestFault::LogTooLarge { max: 100_000, unit: "records" },
            Code::FailedPrecondition,
            "LOG_TOO_LARGE",
        ),
        (RequestFault::TooLarge("300 KiB".into()), Code::OutOfRange, "REQUEST_TOO_LARGE"),
        (RequestFault::Unimplemented("no such method".into()), Code::Unimplemented, "UNIMPLEMENTED"),
        (RequestFault::Internal, Code::Internal, "INTERNAL"),
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
        assert_eq!(details.bad_request().is_some(), matches!(fault, RequestFault::Fields(_)), "{reason}");
        let waits = matches!(
            fault,
            RequestFault::Overloaded
                | RequestFault::GameStreams(_)
                | RequestFault::RateLimited(_)
                | RequestFault::TooManyRooms(_)
                | RequestFault::TooMuchPerHour(..)
                | RequestFault::Draining
                | RequestFault::JournalUnavailable
                | RequestFault::ArchiveUnavailable
                | RequestFault::StoreFull
        );
        assert_eq!(details.retry_info().is_some(), waits, "{reason}");
        assert_eq!(
            details.quota_failure().is_some(),
            matches!(
                fault,
                RequestFault::RateLimited(_)
                    | RequestFault::TooManyRooms(_)
                    | RequestFault::TooMuchPerHour(..)
            ),
            "{reason}"
        );
        assert!(status.details().len() <= 2048, "trailers are small");
    }
}

/// Parses messages of prost 0.14 and tonic 0.14.
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
        ("Unexpected EOF decoding stream.", "request", "cannot be decoded: Unexpected EOF decoding stream."),
    ];
    for (said, path, problem) in table {
        let fault = FieldFault { path: path.into(), problem: problem.into() };
        assert_eq!(
            RequestFault::of_transport(&Status::internal(said)),
            Some(RequestFault::Fields(fault.into())),
            "{said}"
        );
    }
    for fault in table_of_ours() {
        assert_eq!(RequestFault::of_transport(&fault.into()), None, "ours has its details");
    }
    assert_eq!(RequestFault::of_transport(&Status::unavailable("gone")), None);
}

fn table_of_ours() -> impl Iterator<Item = RequestFault> {
    table().into_iter().map(|(fault, ..)| fault)
}

#[test]
fn a_stale_head_says_what_is_current() {
    let status = Status::from(RequestFault::Stale { n: 9, seq: 7, head: [0xab; 32] });
    let info = status.get_details_error_info().expect("an ErrorInfo");
    assert_eq!(info.metadata["current_n"], "9");
    assert_eq!(info.metadata["current_seq"], "7");
    assert_eq!(info.metadata["current_head"], "ab".repeat(32));
}

#[test]
fn a_damaged_log_says_where() {
    let status = Status::from(RequestFault::LogCorrupt { record: 7, offset: 300, problem: "torn".into() });
    let info = status.get_details_error_info().expect("an ErrorInfo");
    assert_eq!((info.metadata["record"].as_str(), info.metadata["offset"].as_str()), ("7", "300"));
}

#[test]
fn every_reason_is_produced_and_documented() {
    let api = include_str!("../../../../docs/API.md");
    let produced: Vec<_> = table().into_iter().map(|(.., reason)| reason).collect();
    for reason in (1..100).filter_map(|number| ErrorReason::try_from(number).ok()) {
        let name = reason.as_str_name().trim_start_matches("ERROR_REASON_");
        assert!(produced.contains(&name), "{name} is never sent");
        assert!(api.contains(&format!("`{name}`")), "{name} is not in docs/API.md");
    }
}

/// Checks that trailers stay small however many fields are bad and however long what they quote is, and that
/// the message says how many faults it leaves out.
#[test]
fn as_many_faults_are_named_as_trailers_have_room_for() {
    let fault = |path: &str, problem: String| FieldFaults::from(FieldFault { path: path.into(), problem });
    let many =
        |count: usize, one: &FieldFaults| (1..count).fold(one.clone(), |faults, _| faults.and(one.clone()));
    for one in [fault("a", "b".into()), fault(&"p\u{00e9}".repeat(500), "\u{1f0cf}".repeat(500))] {
        let status = Status::from(RequestFault::Fields(many(300, &one)));
        let named = status.get_details_bad_request().expect("a BadRequest").field_violations.len();
        assert!(named > 0 && status.details().len() <= 2048, "{named}, {}", status.details().len());
        assert!(status.message().ends_with(&format!("; and {} more", 300 - named)), "{}", status.message());
    }
    let status = Status::from(RequestFault::Fields(many(8, &fault("players[0].name", "is required".into()))));
    assert_eq!(status.get_details_bad_request().expect("a BadRequest").field_violations.len(), 8);
    assert!(!status.message().contains("more"), "{}", status.message());
}
