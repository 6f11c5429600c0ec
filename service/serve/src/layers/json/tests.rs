use super::*;
use bytes::Bytes;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{self as pb, get_rule_request::Key};
use http_body_util::{BodyExt as _, StreamBody};
use proptest::prelude::*;
use prost::Message as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tonic::body::Body;
use tonic::{Code, Status};

fn request(path: &str, headers: &[(&str, &str)]) -> Request {
    let mut request = http::Request::post(path);
    for &(name, value) in headers {
        request = request.header(name, value);
    }
    request.body(Body::empty()).expect("a request")
}

fn of(path: &str, headers: &[(&str, &str)]) -> Request {
    call::as_grpc(request(path, headers))
}

fn refusal(headers: &[(&str, &str)]) -> Option<RequestFault> {
    let request = of("/canasta.v1.GameService/GetRule", headers);
    request.extensions().get::<JsonCall>().expect("a call").method().err()
}

/// Reads JSON as a message of this name, and returns the fields that are faulty.
fn read<M: prost::Message + Default>(name: &str, json: &[u8]) -> Result<M, Vec<(String, String)>> {
    let method = schema::method(name).expect("a unary method");
    match schema::message(&method.input(), json) {
        Ok(framed) => Ok(M::decode(&framed[schema::HEAD..]).expect("a message")),
        Err(RequestFault::Fields(faults)) => {
            Err(faults.as_slice().iter().map(|fault| (fault.path.clone(), fault.problem.clone())).collect())
        }
        Err(other) => panic!("{other:?}"),
    }
}

const RULE: &str = "/canasta.v1.GameService/GetRule";
const APPLY: &str = "/canasta.v1.GameService/ApplyAction";

#[test]
fn only_the_one_content_type_is_a_call_in_json() {
    let is_for = |kind: &str| is_json(&request(RULE, &[("content-type", kind)]));
    for kind in
        ["application/json", "Application/JSON", "application/json; charset=utf-8", "application/json ;x"]
    {
        assert!(is_for(kind), "{kind}");
    }
    for kind in [
        "text/plain",
        "text/plain; application/json",
        "application/x-www-form-urlencoded",
        "application/json2",
        "application/connect+json",
        "application/grpc",
        "",
    ] {
        assert!(!is_for(kind), "{kind}");
    }
    assert!(!is_json(&http::Request::get(RULE).body(Body::empty()).expect("a request")));
}

#[test]
fn the_headers_of_connect_are_checked() {
    let refused = |headers: &[(&str, &str)]| refusal(headers).map(|fault| fault.code_and_reason().0 as i32);
    let long = (crate::limits::REQUEST_BYTES_MAX + 1).to_string();
    let table = [
        (("connect-protocol-version", "1"), None),
        (("connect-protocol-version", "2"), Some(3)),
        (("connect-timeout-ms", "9999999999"), None),
        (("connect-timeout-ms", "10000000000"), Some(3)),
        (("connect-timeout-ms", "-1"), Some(3)),
        (("connect-timeout-ms", ""), Some(3)),
        (("content-encoding", "identity"), None),
        (("content-encoding", "gzip"), Some(12)),
        (("content-length", "2"), None),
        (("content-length", long.as_str()), Some(11)),
    ];
    for (header, expected) in table {
        assert_eq!(refused(&[header]), expected, "{header:?}");
    }
}

#[test]
fn a_timeout_is_written_as_grpc_writes_it() {
    for (ms, expected) in
        [("0", "0m"), ("250", "250m"), ("99999999", "99999999m"), ("9999999999", "9999999S")]
    {
        let request = of(RULE, &[("connect-timeout-ms", ms), ("grpc-timeout", "1H")]);
        assert_eq!(request.headers()["grpc-timeout"], expected);
    }
}

#[test]
fn methods_with_streams_and_unknown_ones_are_told_apart() {
    for (path, expected) in [
        (
            "/canasta.v1.GameService/Play",
            "Play asks with a stream of messages: call it with gRPC or gRPC-web",
        ),
        (
            "/canasta.v1.AuditService/AuditLog",
            "AuditLog asks with a stream of messages: call it with gRPC or gRPC-web",
        ),
        ("/canasta.v1.GameService/Nope", "this server has no such method"),
        ("/grpc.health.v1.Health/Check", "this server has no such method"),
        ("", "this server has no such method"),
    ] {
        let fault = schema::method(path).expect_err("refused");
        assert_eq!(fault, RequestFault::Unimplemented(expected.into()), "{path}");
    }
    // Every other method of the interface can be called.
    for &(path, asks, _) in canasta_proto::METHODS {
        assert_eq!(schema::method(&format!("/{path}")).is_ok(), !asks, "{path}");
    }
}

#[test]
fn json_is_the_mapping_of_proto3() {
    let json = br#"{"state": "_-8", "actor": {"role": "ROLE_TABLE"}, "expectedSeq": "9007199254740993", "wantView": true,
        "action": {"meld": {"groups": [{"cards": ["4s", "4h"]}]}}, "not_there": [{"a": [[[]]]}]}"#;
    let found: pb::ApplyActionRequest = read(APPLY, json).expect("valid");
    assert_eq!(found.state, [0xff, 0xef]);
    assert_eq!(found.expected_seq, Some(9_007_199_254_740_993));
    assert_eq!(found.actor.and_then(|actor| actor.who), Some(pb::actor::Who::Role(pb::Role::Table.into())));
    let by_number = br#"{"state": "/+8=", "actor": {"role": 1}, "expected_seq": 7, "want_view": null}"#;
    let found: pb::ApplyActionRequest = read(APPLY, by_number).expect("valid");
    assert_eq!(
        (found.state.as_ref(), found.expected_seq, found.want_view),
        (&[0xff, 0xef][..], Some(7), false)
    );
}

#[test]
fn a_fault_names_its_field() {
    let deep = [br#"{"rule_id": "#, &[b'['; 1_000][..]].concat();
    let table: [(&str, &[u8], &str); 12] = [
        (RULE, br#"{"ruleId": 5}"#, "ruleId"),
        (RULE, br#"{"ruleId": "a", "code": "b"}"#, "request"),
        (RULE, b"", "request"),
        (RULE, b"null", "request"),
        (RULE, b"[]", "request"),
        (RULE, br#"{"ruleId": "a"} {}"#, "request"),
        (RULE, b"{\"ruleId\": \"\xff\"}", "ruleId"),
        (RULE, &deep, "rule_id"),
        (APPLY, br#"{"state": "*"}"#, "state"),
        (APPLY, br#"{"expectedSeq": -1}"#, "expectedSeq"),
        (APPLY, br#"{"expectedSeq": 1.5}"#, "expectedSeq"),
        (
            APPLY,
            br#"{"action": {"meld": {"groups": [{}, {"cards": ["4s", 4]}]}}}"#,
            "action.meld.groups[1].cards[1]",
        ),
    ];
    for (method, json, expected) in table {
        let faults = read::<pb::GetRuleRequest>(method, json).expect_err("not valid");
        let text = String::from_utf8_lossy(json);
        assert_eq!(faults.len(), 1, "{text}");
        assert_eq!(faults[0].0, expected, "{text}: {}", faults[0].1);
        assert!(faults[0].1.starts_with("cannot be decoded: "), "{text}");
    }
}

/// Checks that what is ignored may be as deep as a request is long: nothing recurses into it.
#[test]
fn what_is_ignored_may_be_deep() {
    let depth = 100_000;
    let json = [br#"{"nope": "#, &vec![b'['; depth][..], &vec![b']'; depth], br#", "ruleId": "a"}"#].concat();
    let found: pb::GetRuleRequest = read(RULE, &json).expect("valid");
    assert_eq!(found.key, Some(Key::RuleId("a".into())));
}

#[test]
fn equal_answers_have_equal_bytes() {
    let knobs: BTreeMap<_, _> = (0..50).map(|number| (format!("knob{number:02}"), "x".into())).collect();
    let rule_set = pb::HouseRules { knobs, ..Default::default() };
    let request = pb::CreateGameRequest { house_rules: Some(rule_set), ..Default::default() };
    let of = schema::method("/canasta.v1.GameService/CreateGame").expect("a method").input();
    let text = || schema::json(of.clone(), &request.encode_to_vec()).expect("a message");
    let first = String::from_utf8(text()).expect("JSON is UTF-8");
    let places: Vec<_> = (0..50).map(|number| first.find(&format!("knob{number:02}"))).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{first}");
    assert_eq!(text(), first.as_bytes());
}

async fn error_of(status: Status) -> (u16, Value) {
    let answer = answer::as_json(status.into_http()).await;
    assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
    assert!(
        answer.headers().keys().all(|name| !name.as_str().starts_with("grpc-")),
        "{:?}",
        answer.headers()
    );
    let http = answer.status().as_u16();
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    (http, serde_json::from_slice(&body).expect("JSON"))
}

/// Checks the table of connectrpc.com/docs/protocol, "Error codes".
#[tokio::test]
async fn codes_have_connects_names_and_statuses() {
    let table = [
        (Code::Cancelled, "canceled", 499),
        (Code::Unknown, "unknown", 500),
        (Code::InvalidArgument, "invalid_argument", 400),
        (Code::DeadlineExceeded, "deadline_exceeded", 504),
        (Code::NotFound, "not_found", 404),
        (Code::AlreadyExists, "already_exists", 409),
        (Code::PermissionDenied, "permission_denied", 403),
        (Code::ResourceExhausted, "resource_exhausted", 429),
        (Code::FailedPrecondition, "failed_precondition", 400),
        (Code::Aborted, "aborted", 409),
        (Code::OutOfRange, "out_of_range", 400),
        (Code::Unimplemented, "unimplemented", 501),
        (Code::Internal, "internal", 500),
        (Code::Unavailable, "unavailable", 503),
        (Code::DataLoss, "data_loss", 500),
        (Code::Unauthenticated, "unauthenticated", 401),
    ];
    for (code, name, http) in table {
        let expected = json!({"code": name, "message": "why \"so\"", "details": []});
        assert_eq!(error_of(Status::new(code, "why \"so\"")).await, (http, expected));
    }
}

#[tokio::test]
async fn details_are_there_as_bytes_and_as_json() {
    let stale = RequestFault::Stale { n: 7, seq: 5, head: [1; 32] };
    let (http, error) = error_of(stale.into()).await;
    assert_eq!((http, &error["code"]), (409, &json!("aborted")));
    let detail = &error["details"][0];
    assert_eq!(detail["type"], "google.rpc.ErrorInfo");
    let metadata = json!({"current_head": "01".repeat(32), "current_n": "7", "current_seq": "5"});
    let debug = json!({"reason": "STALE_HEAD", "domain": "canasta.v1", "metadata": metadata});
    assert_eq!(detail["debug"].to_string(), debug.to_string(), "and in order");
    assert!(!detail["value"].as_str().expect("base64").contains('='));
    let (_, error) = error_of(RequestFault::Overloaded.into()).await;
    assert_eq!(error["details"][0]["debug"], json!({"retryDelay": "0.100s"}));
}

/// Reads a body in these pieces.
async fn body_of(pieces: Vec<Vec<u8>>) -> Result<Bytes, Status> {
    let frames = pieces.into_iter().map(|piece| Ok::<_, Status>(http_body::Frame::data(Bytes::from(piece))));
    let call = of(RULE, &[]).extensions_mut().remove::<JsonCall>().expect("a call");
    let body = call.body(Body::new(StreamBody::new(tokio_stream::iter(frames))));
    body.collect().await.map(|all| all.to_bytes())
}

#[tokio::test]
async fn a_body_is_read_wherever_it_is_cut_and_no_further_than_the_limit() {
    let json = br#"{"ruleId": "CL-050"}"#;
    let expected =
        pb::GetRuleRequest { key: Some(Key::RuleId("CL-050".into())), ..Default::default() }.encode_to_vec();
    let expected = [&[0, 0, 0, 0, 8][..], &expected].concat();
    for length in 1..=json.len() {
        let pieces = json.chunks(length).map(<[u8]>::to_vec).collect();
        assert_eq!(body_of(pieces).await.expect("valid"), expected);
    }
    let max = crate::limits::REQUEST_BYTES_MAX;
    let padded = |length| vec![json.to_vec(), vec![b' '; length - json.len()]];
    assert_eq!(body_of(padded(max)).await.expect("just fits"), expected);
    let status = body_of(padded(max + 1)).await.expect_err("too long");
    assert_eq!(
        (status.code(), status.message()),
        (Code::OutOfRange, "the request has more than 262144 bytes of JSON")
    );
}

proptest! {
    /// Checks that text that looks like JSON is either read or names a field, and never panics.
    #[test]
    fn no_text_is_too_strange(text in r#"(\{|\}|\[|\]|:|,|"state"|"action"|"meld"|"groups"|"cards"|null|-?[0-9]{1,30}|1e999|"[^"]{0,3}"|\\u[d-f]800){0,40}"#) {
        let _ = read::<pb::ApplyActionRequest>(APPLY, text.as_bytes());
    }

    /// Checks that a message that is written as JSON is read as the same message.
    #[test]
    fn writing_and_reading_agree(state: Vec<u8>, seq: Option<u64>, seat: u32, elapsed: i64, card in ".{0,9}") {
        let discard = pb::action::Kind::Discard(pb::action::Discard { card });
        let message = pb::ApplyActionRequest {
            state,
            expected_seq: seq,
            actor: Some(pb::Actor { who: Some(pb::actor::Who::Seat(seat)) }),
            action: Some(pb::Action { kind: Some(discard) }),
            want_view: elapsed % 2 == 0,
            ..Default::default()
        };
        let of = schema::method(APPLY).expect("a method").input();
        let json = schema::json(of, &message.encode_to_vec()).expect("a message");
        prop_assert_eq!(read::<pb::ApplyActionRequest>(APPLY, &json), Ok(message));
    }
}
