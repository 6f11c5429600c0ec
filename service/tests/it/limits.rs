//! The layers before every request, seen from outside.

use std::future::Future;
use std::time::Duration;

use crate::support::Server;
use canasta_proto::v1::game_service_client::GameServiceClient;
use canasta_proto::v1::{
    GetRuleRequest, GetRuleResponse, GetRuleSetRequest, GetRuleSetResponse, ListRuleSetsRequest,
    get_rule_request::Key,
};
use http::uri::PathAndQuery;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_stream::{Stream, pending};
use tonic::client::Grpc;
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_prost::ProstCodec;
use tonic_types::StatusExt;

/// Calls GetRule with a request that is sent as `requests` yields it, so that it may never arrive.
async fn get_rule(
    channel: Channel,
    requests: impl Stream<Item = GetRuleRequest> + Send + 'static,
) -> Result<Response<GetRuleResponse>, Status> {
    let mut grpc = Grpc::new(channel);
    grpc.ready().await.map_err(|error| Status::unknown(error.to_string()))?;
    let path = PathAndQuery::from_static("/canasta.v1.GameService/GetRule");
    grpc.client_streaming(Request::new(requests), path, ProstCodec::default()).await
}

fn hanging(channel: Channel) -> impl Future<Output = Result<Response<GetRuleResponse>, Status>> {
    get_rule(channel, pending())
}

fn reason(status: &Status) -> String {
    let details = status.get_error_details();
    let info = details.error_info().expect("an ErrorInfo");
    assert_eq!(info.domain, "canasta.v1");
    info.reason.clone()
}

#[tokio::test]
async fn a_request_that_does_not_arrive_ends_at_the_deadline() {
    let server = Server::start(&["--deadline-ms", "100"]).await;
    let status = hanging(server.channel().await).await.expect_err("never sent");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::DeadlineExceeded, "DEADLINE"));
}

#[tokio::test]
async fn one_request_too_many_is_refused_at_once_and_health_still_answers() {
    let server = Server::start(&["--max-requests", "1", "--deadline-ms", "60000"]).await;
    let first = tokio::spawn(hanging(server.channel().await));
    let mut client = server.client().await;
    let status = loop {
        // The first request may still be on its way.
        match client.list_rule_sets(ListRuleSetsRequest::default()).await {
            Ok(_) => tokio::task::yield_now().await,
            Err(status) => break status,
        }
    };
    assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "OVERLOADED"));
    assert!(status.get_details_retry_info().is_some());
    let mut health = HealthClient::new(server.channel().await);
    health.check(HealthCheckRequest::default()).await.expect("a probe is never refused");
    first.abort();
}

#[tokio::test]
async fn a_caller_that_asks_too_often_is_told_when_to_ask_again() {
    let server = Server::start(&["--max-rate", "1", "--max-burst", "2"]).await;
    let channel = server.channel().await;
    for _ in 0..2 {
        list_on(channel.clone()).await.expect("in the bucket");
    }
    // Another connection of the same address counts as the same caller; a token comes every second.
    let another = server.channel().await;
    let status = loop {
        if let Err(status) = list_on(another.clone()).await {
            break status;
        }
    };
    assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "RATE_LIMITED"));
    let delay = status.get_details_retry_info().and_then(|info| info.retry_delay).expect("a RetryInfo");
    assert!(delay <= Duration::from_secs(1), "{delay:?}");
    assert!(status.get_details_quota_failure().is_some());
    let mut health = HealthClient::new(channel);
    health.check(HealthCheckRequest::default()).await.expect("a probe is never refused");
}

#[tokio::test]
async fn large_requests_share_what_memory_there_is_and_small_ones_do_not_need_it() {
    let ask = async |most: &str| {
        let server = Server::start(&["--max-body-bytes", most]).await;
        let mut client = server.client().await;
        client.list_rule_sets(ListRuleSetsRequest::default()).await.expect("a small one");
        // The message is longer than a frame, so it does not arrive in one piece.
        let key = Some(Key::RuleId("x".repeat(50_000)));
        let status = client
            .get_rule(GetRuleRequest { key, ..Default::default() })
            .await
            .expect_err("an id of 50,000 bytes");
        (status.code(), reason(&status))
    };
    assert_eq!(ask("40000").await, (Code::ResourceExhausted, "OVERLOADED".into()));
    assert_eq!(ask("50000").await, (Code::InvalidArgument, "INVALID_FIELD".into()));
}

/// Reads the server's settings, whose numbers are those of RFC 9113, section 6.5.2.
#[tokio::test]
async fn a_client_is_told_the_limits_of_its_connection() {
    let server = Server::start(&[]).await;
    let mut stream = TcpStream::connect(server.address).await.expect("the server listens");
    let (mut head, mut settings) = ([0; 9], [0; 24]);
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.expect("the server reads");
    stream.read_exact(&mut head).await.expect("the server answers the preface");
    assert_eq!(head, [0, 0, 24, 4, 0, 0, 0, 0, 0], "SETTINGS, four of them");
    stream.read_exact(&mut settings).await.expect("as long as it says");
    let told: Vec<_> = settings
        .chunks(6)
        .map(|one| (one[1], u32::from_be_bytes(one[2..].try_into().expect("four bytes"))))
        .collect();
    let streams = (3, 64);
    let window = (4, 64 * 1024);
    let frame = (5, 16 * 1024);
    let headers = (6, 16 * 1024);
    assert_eq!(told, [streams, window, frame, headers]);
}

#[tokio::test]
async fn one_connection_has_at_most_32_requests_at_once() {
    let server = Server::start(&["--max-requests", "1000", "--deadline-ms", "60000"]).await;
    let channel = server.channel().await;
    let mut asked = JoinSet::new();
    for _ in 0..40 {
        asked.spawn(hanging(channel.clone()));
    }
    for _ in 0..8 {
        let status = asked.join_next().await.expect("40 were asked").expect("no panic").expect_err("refused");
        assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "OVERLOADED"));
        assert!(status.get_details_retry_info().is_some() && status.metadata().contains_key("x-request-id"));
    }
    list_on(channel).await.expect_err("32 are left");
    list_on(server.channel().await).await.expect("another connection is served");
    assert_eq!(asked.len(), 32);
}

async fn list_on(channel: Channel) -> Result<(), Status> {
    let mut client = GameServiceClient::new(channel);
    client.list_rule_sets(ListRuleSetsRequest::default()).await.map(|_| ())
}

#[tokio::test]
async fn a_peer_has_so_many_connections_and_a_closed_one_makes_room() {
    let server = Server::start(&["--max-peer-connections", "2"]).await;
    let connect = || TcpStream::connect(server.address);
    let first = connect().await.expect("the server listens");
    let _second = connect().await.expect("the server listens");
    let mut third = connect().await.expect("the kernel takes it");
    assert!(!third.read(&mut [0]).await.is_ok_and(|count| count > 0), "closed without a word");
    drop(first);
    loop {
        // The server may not have seen the end of the first request yet.
        match list_on(server.channel().await).await {
            Ok(()) => break,
            Err(_) => tokio::task::yield_now().await,
        }
    }
}

#[tokio::test]
async fn every_reply_has_the_id_of_its_request() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut ids = Vec::new();
    for given in [None, Some("7e41-a"), Some("has a blank"), None] {
        let mut request = Request::new(ListRuleSetsRequest::default());
        if let Some(id) = given {
            request.metadata_mut().insert("x-request-id", id.parse().expect("a header"));
        }
        let answer = client.list_rule_sets(request).await.expect("listed");
        let id = answer.metadata().get("x-request-id").expect("every reply has one");
        ids.push(id.to_str().expect("text").to_owned());
    }
    // The generator of the tests fills with sevens.
    assert_eq!(ids, ["0707070707070707", "7e41-a", "0707070707070708", "0707070707070709"]);
    let key = Some(Key::RuleId("CL-999".into()));
    let status =
        client.get_rule(GetRuleRequest { key, ..Default::default() }).await.expect_err("no such rule");
    assert!(status.metadata().contains_key("x-request-id"));
}

#[tokio::test]
async fn a_request_over_the_size_limit_is_out_of_range() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let key = Some(Key::RuleId("x".repeat(256 * 1024)));
    let status = client.get_rule(GetRuleRequest { key, ..Default::default() }).await.expect_err("too large");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::OutOfRange, "REQUEST_TOO_LARGE"));
}

/// Refuses compressed requests: RFC 1951 and gRPC's own format would both let a small request unfold into a large
/// one.
#[tokio::test]
async fn a_compressed_request_is_unimplemented_and_says_what_is_taken() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for encoding in ["gzip", "deflate", "zstd"] {
        let mut request = Request::new(ListRuleSetsRequest::default());
        request.metadata_mut().insert("grpc-encoding", encoding.parse().expect("a header's value"));
        let status = client.list_rule_sets(request).await.expect_err("compressed");
        assert_eq!((status.code(), reason(&status).as_str()), (Code::Unimplemented, "UNIMPLEMENTED"));
        assert_eq!(status.metadata().get("grpc-accept-encoding").expect("told"), "identity");
    }
    let mut request = Request::new(ListRuleSetsRequest::default());
    request.metadata_mut().insert("grpc-accept-encoding", "gzip,identity".parse().expect("a value"));
    let answer = client.list_rule_sets(request).await.expect("a client that could unpack");
    assert!(!answer.metadata().contains_key("grpc-encoding"), "is not sent anything packed");
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for key in [Key::RuleId("CL-999".into()), Key::Code("PILE_IS_FINE".into())] {
        let status = client
            .get_rule(GetRuleRequest { key: Some(key), ..Default::default() })
            .await
            .expect_err("no such thing");
        assert_eq!((status.code(), reason(&status).as_str()), (Code::NotFound, "NOT_FOUND"));
    }
    let status = client
        .get_rule_set(GetRuleSetRequest { id: "bridge".into(), ..Default::default() })
        .await
        .expect_err("no such set");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn malformed_questions_about_rules_name_their_field() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let long = || "x".repeat(65);
    for (key, path) in [
        (None, "key"),
        (Some(Key::RuleId(long())), "rule_id"),
        (Some(Key::Code(long())), "code"),
        (Some(Key::Words("x".repeat(257))), "words"),
    ] {
        let status = client.get_rule(GetRuleRequest { key, ..Default::default() }).await.expect_err(path);
        assert_field(&status, path);
    }
    for id in [String::new(), long()] {
        let status =
            client.get_rule_set(GetRuleSetRequest { id, ..Default::default() }).await.expect_err("id");
        assert_field(&status, "id");
    }
}

fn assert_field(status: &Status, path: &str) {
    assert_eq!((status.code(), reason(status).as_str()), (Code::InvalidArgument, "INVALID_FIELD"));
    let faults = status.get_details_bad_request().expect("a BadRequest").field_violations;
    let paths: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(paths, [path]);
}

#[tokio::test]
async fn rules_codes_and_rule_sets_are_shown() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let sets =
        client.list_rule_sets(ListRuleSetsRequest::default()).await.expect("listed").into_inner().rule_sets;
    assert_eq!(sets.len(), 22);
    let classic = sets.iter().find(|set| set.id == "classic-4p").expect("the main game");
    assert_eq!((classic.seats, classic.sides, classic.playable), (4, 2, true));
    let request = GetRuleSetRequest { id: "classic-4p".into(), ..Default::default() };
    let GetRuleSetResponse { rule_set, rejected: _ } =
        client.get_rule_set(request).await.expect("shown").into_inner();
    let rule_set = rule_set.expect("a rule set");
    assert_eq!(rule_set.summary.as_ref(), Some(classic));
    assert!(rule_set.canonical.starts_with("{\"seats\":4,"));
    for (key, part) in
        [(Key::RuleId("CL-050".into()), "CL-050"), (Key::Code("PILE_EMPTY".into()), "PILE_EMPTY")]
    {
        let answer = client
            .get_rule(GetRuleRequest { key: Some(key), ..Default::default() })
            .await
            .expect(part)
            .into_inner();
        assert!(format!("{answer:?}").contains(part));
    }
}
