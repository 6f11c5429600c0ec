//! The service as `curl` sees it: Connect's unary protocol with JSON over HTTP/1.1.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::support::Server;
use crate::support::game::{dealt, seat};
use crate::support::keys::{identities, write_private, write_ring};
use canasta_proto::v1::{self as pb, GetRuleRequest, get_rule_request::Key};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic_types::StatusExt;

/// An answer: its status, its head in small letters, and its body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.head, self.body))
    }

    /// Returns the status, the code and the reason of an error.
    fn error(&self) -> (u16, String, String) {
        let error = self.json();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let details = error["details"].as_array().cloned().unwrap_or_default();
        let info =
            details.into_iter().find(|detail| detail["type"] == "google.rpc.ErrorInfo").unwrap_or_default();
        (self.status, text(&error["code"]), text(&info["debug"]["reason"]))
    }
}

async fn send(server: &Server, head: &str, body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(server.address).await.expect("it listens");
    stream.write_all(head.as_bytes()).await.expect("it reads");
    let _ = stream.write_all(body).await;
    let mut answer = Vec::new();
    let reading = stream.read_to_end(&mut answer);
    let _ = tokio::time::timeout(Duration::from_secs(20), reading).await.expect("it answers in time");
    let answer = String::from_utf8(answer).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    Answer { status, head: head.to_lowercase(), body: body.into() }
}

/// Calls a method of GameService with more headers than those that every call has.
async fn call(server: &Server, method: &str, headers: &str, body: &str) -> Answer {
    let head = format!(
        "POST /canasta.v1.GameService/{method} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    send(server, &head, body.as_bytes()).await
}

#[tokio::test]
async fn a_call_is_answered_with_the_json_of_its_message() {
    let server = Server::start(&[]).await;
    let answer = call(&server, "GetRule", "X-Request-Id: mine\r\n", r#"{"rule_id": "CL-014"}"#).await;
    assert_eq!(answer.status, 200);
    for part in ["content-type: application/json", "x-request-id: mine", "content-length: "] {
        assert!(answer.head.contains(part), "{part}: {}", answer.head);
    }
    assert!(!answer.head.contains("\r\ngrpc-"), "{}", answer.head);
    assert_eq!(answer.json()["rule"]["id"], "CL-014");
    // A map is in the answer, and equal requests have equal answers.
    let page = async || call(&server, "GetRuleSet", "", r#"{"id": "classic-4p"}"#).await.body;
    let first = page().await;
    for _ in 0..5 {
        assert_eq!(page().await, first);
    }
}

/// Plays one move, and checks that the refusal of another is the one that gRPC has.
#[tokio::test]
async fn a_move_is_judged_as_over_grpc() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let state = <base64ct::Base64 as base64ct::Encoding>::encode_string(&state);
    let draw =
        |seat: u32| json!({"state": state, "actor": {"seat": seat}, "action": {"drawStock": {}}}).to_string();
    let accepted = call(&server, "ApplyAction", "", &draw(to_act)).await.json();
    assert!(accepted["accepted"]["state"].is_string(), "{accepted}");
    let rejected = call(&server, "ApplyAction", "", &draw((to_act + 1) % 4)).await.json();
    assert_eq!(rejected["rejected"]["violations"][0]["code"], "TURN_NOT_YOURS");
    let view =
        call(&server, "GetView", "", &json!({"state": state, "actor": {"seat": 0}}).to_string()).await.json();
    assert!(view["view"].is_object() && seat(0).is_some(), "{view}");
}

#[tokio::test]
async fn an_error_says_what_that_of_grpc_says() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for key in ["CL-999", ""] {
        let request = GetRuleRequest { key: Some(Key::RuleId(key.into())), ..Default::default() };
        let status = client.get_rule(request).await.expect_err("no rule");
        let answer = call(&server, "GetRule", "", &json!({"ruleId": key}).to_string()).await;
        assert_eq!(answer.json()["message"], status.message());
        assert_eq!(answer.error().2, status.get_details_error_info().expect("an ErrorInfo").reason);
        let id = answer.head.lines().find(|line| line.starts_with("x-request-id: "));
        assert!(id.is_some(), "{}", answer.head);
    }
}

#[tokio::test]
async fn every_refusal_is_json_with_its_status() {
    let server = Server::start(&[]).await;
    let error =
        async |method: &str, headers: &str, body: &str| call(&server, method, headers, body).await.error();
    let expected = |status, code: &str, reason: &str| (status, code.to_owned(), reason.to_owned());
    let invalid = expected(400, "invalid_argument", "INVALID_FIELD");
    let unimplemented = expected(501, "unimplemented", "UNIMPLEMENTED");
    assert_eq!(error("GetRule", "", "{").await, invalid);
    assert_eq!(error("GetRule", "", r#"{"ruleId": 1}"#).await, invalid);
    assert_eq!(error("GetRule", "Connect-Protocol-Version: 2\r\n", "{}").await, invalid);
    assert_eq!(error("GetRule", "Connect-Timeout-Ms: soon\r\n", "{}").await, invalid);
    assert_eq!(error("GetRule", "Content-Encoding: gzip\r\n", "{}").await, unimplemented);
    assert_eq!(error("Play", "", "{}").await, unimplemented);
    assert_eq!(error("Nope", "", "{}").await, unimplemented);
    let too_large = " ".repeat(262_145);
    assert_eq!(error("GetRule", "", &too_large).await, expected(400, "out_of_range", "REQUEST_TOO_LARGE"));
    // A service of the interface that this server does not have.
    let head = "POST /canasta.v1.RecordService/ListGames HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                Content-Type: application/json\r\nContent-Length: 2\r\n\r\n";
    assert_eq!(send(&server, head, b"{}").await.error(), unimplemented);
    assert_eq!(
        call(&server, "GetServerInfo", "", r#"{"nope": 1}"#).await.status,
        200,
        "unknown fields are ignored"
    );
}

/// Announces a body that never comes.
#[tokio::test]
async fn a_clients_own_deadline_is_kept() {
    let server = Server::start(&["--deadline-ms", "60000"]).await;
    let head = "POST /canasta.v1.GameService/GetRule HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nConnect-Timeout-Ms: 300\r\n\
                Content-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    let answer = send(&server, head, b"{").await;
    assert_eq!(answer.error(), (504, "deadline_exceeded".into(), "DEADLINE".into()));
}

#[tokio::test]
async fn a_caller_without_credentials_learns_nothing_of_its_json() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (keys, file) = (place.join("json.keys"), place.join("json.toml"));
    write_ring(&keys, &["active 1"]);
    write_private(&file, &identities(&["one"]));
    let path = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    let server = Server::start(&["--seal-key-file", &path(&keys), "--identities-file", &path(&file)]).await;
    let denied = (401, String::from("unauthenticated"), String::from("UNAUTHENTICATED"));
    for (method, headers, body) in [
        ("GetView", "", "{}"),
        ("GetView", "", "{"),
        ("GetView", "X-Api-Key: two\r\n", "{}"),
        ("GetView", "Connect-Protocol-Version: 2\r\n", "{}"),
        ("Play", "", "{}"),
    ] {
        assert_eq!(call(&server, method, headers, body).await.error(), denied, "{method} {headers}{body}");
    }
    for (header, status) in [("X-Api-Key: one\r\n", 200), ("Authorization: Bearer one\r\n", 401)] {
        assert_eq!(call(&server, "ListRuleSets", header, "{}").await.status, status, "{header}");
    }
    let _ = (fs::remove_file(keys), fs::remove_file(file));
}

/// Sends an id of 50,000 bytes, at once and in chunks.
#[tokio::test]
async fn large_requests_share_what_memory_there_is() {
    let body = json!({"ruleId": "x".repeat(50_000)}).to_string();
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let head = "POST /canasta.v1.GameService/GetRule HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (most, announced, in_chunks) in [("40000", 429, 429), ("60000", 400, 429), ("300000", 400, 400)] {
        let server = Server::start(&["--max-body-bytes", most]).await;
        assert_eq!(call(&server, "GetRule", "", &body).await.status, announced, "{most}");
        // Chunks may go on up to the limit.
        assert_eq!(send(&server, head, chunked.as_bytes()).await.status, in_chunks, "{most}");
        assert_eq!(call(&server, "GetServerInfo", "", "{}").await.status, 200, "a small one");
    }
}

/// Checks that a page that may use gRPC-web may send JSON, and no other, and that nothing that a page may send without
/// permission is answered.
#[tokio::test]
async fn pages_need_permission() {
    let server = Server::start(&["--web-origin", "https://club.example"]).await;
    let preflight = async |origin: &str| {
        let head = format!(
            "OPTIONS /canasta.v1.GameService/GetRule HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\nConnection: close\r\n\
             Access-Control-Request-Method: POST\r\n\
             Access-Control-Request-Headers: content-type,connect-protocol-version,connect-timeout-ms\r\n\r\n"
        );
        send(&server, &head, b"").await
    };
    let allowed = preflight("https://club.example").await;
    for part in [
        "access-control-allow-origin: https://club.example",
        "content-type",
        "connect-protocol-version",
        "connect-timeout-ms",
    ] {
        assert!(allowed.head.contains(part), "{part}: {}", allowed.head);
    }
    assert_eq!(preflight("https://evil.example").await.status, 403);
    let from = |origin: &str| format!("Origin: {origin}\r\n");
    let answer = call(&server, "GetRule", &from("https://club.example"), r#"{"ruleId": "CL-014"}"#).await;
    assert!(
        answer.status == 200 && answer.head.contains("access-control-allow-origin: https://club.example")
    );
    assert_eq!(call(&server, "GetRule", &from("https://evil.example"), "{}").await.status, 403);
    for kind in ["Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n", ""] {
        let head = format!(
            "POST /canasta.v1.GameService/GetServerInfo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{kind}\
             Content-Length: 2\r\n\r\n"
        );
        let answer = send(&server, &head, b"{}").await;
        assert_eq!(answer.status, 415, "{kind}{}", answer.body);
        assert!(answer.body.contains("application/json"), "{}", answer.body);
    }
}

/// Asks for the most that an answer can have, several at once.
#[tokio::test]
async fn long_answers_arrive_whole() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let whole =
        client.get_catalogue(pb::GetCatalogueRequest { language_code: "de".into(), ..Default::default() });
    let whole = whole.await.expect("a catalogue").into_inner();
    let asked = (0..8).map(|_| call(&server, "GetCatalogue", "", r#"{"languageCode": "de"}"#));
    for asked in asked.collect::<Vec<_>>() {
        let answer = asked.await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["wordings"].as_array().map_or(0, Vec::len), whole.wordings.len());
        assert!(answer.head.contains(&format!("content-length: {}", answer.body.len())));
    }
}
