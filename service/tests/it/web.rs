//! The service as a browser sees it: gRPC-web over HTTP/1.1, preflights, exposed headers, statuses in the
//! body, and the page.

use std::time::Duration;

use crate::support::Server;
use canasta_proto::v1::GetRuleRequest;
use canasta_proto::v1::game_service_client::GameServiceClient;
use canasta_proto::v1::get_rule_request::Key;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::transport::{Channel, Uri};
use tonic::{Code, Request};

/// Sends this text. Returns everything that the server sends until it closes the connection.
async fn ask(server: &Server, head: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address).await.expect("it listens");
    stream.write_all(head.as_bytes()).await.expect("it reads");
    stream.write_all(body).await.expect("it reads");
    let mut answer = Vec::new();
    let reading = stream.read_to_end(&mut answer);
    let _ = tokio::time::timeout(Duration::from_secs(20), reading).await.expect("it answers in time");
    String::from_utf8_lossy(&answer).to_lowercase()
}

/// Calls a method with one message, from a page of this origin.
async fn call(server: &Server, method: &str, origin: &str, message: &[u8]) -> String {
    let mut body = vec![0];
    body.extend(u32::try_from(message.len()).expect("short").to_be_bytes());
    body.extend(message);
    let head = format!(
        "POST /canasta.v1.GameService/{method} HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nConnection: close\r\n\
         Content-Type: application/grpc-web+proto\r\nX-Grpc-Web: 1\r\nContent-Length: {}\r\n\r\n",
        server.address,
        body.len()
    );
    ask(server, &head, &body).await
}

async fn preflight(server: &Server, origin: &str) -> String {
    let head = format!(
        "OPTIONS /canasta.v1.GameService/GetRule HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nConnection: close\r\n\
         Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type,x-grpc-web\r\n\r\n",
        server.address
    );
    ask(server, &head, b"").await
}

/// Returns a GetRule request with `rule_id`, by hand: field 1, its length, its text.
fn rule(id: &str) -> Vec<u8> {
    [&[10, u8::try_from(id.len()).expect("short")], id.as_bytes()].concat()
}

#[tokio::test]
async fn a_page_of_this_machine_is_answered_and_reads_statuses() {
    let server = Server::start(&[]).await;
    let origin = "http://localhost:5173";
    let answer = call(&server, "GetRule", origin, &rule("CL-050")).await;
    for part in [
        "http/1.1 200 ok\r\n",
        "content-type: application/grpc-web+proto\r\n",
        "access-control-allow-origin: http://localhost:5173\r\n",
        "cl-050",
        "grpc-status:0",
    ] {
        assert!(answer.contains(part), "{part}: {answer}");
    }
    let exposed = answer.lines().find(|line| line.starts_with("access-control-expose-headers:"));
    for name in ["grpc-status", "grpc-message", "grpc-status-details-bin", "x-request-id"] {
        assert!(exposed.is_some_and(|line| line.contains(name)), "{name}: {answer}");
    }
    // NOT_FOUND is 5, with its details.
    let answer = call(&server, "GetRule", origin, &rule("CL-999")).await;
    assert!(answer.contains("grpc-status:5") || answer.contains("grpc-status: 5"), "{answer}");
    assert!(answer.contains("grpc-status-details-bin:"), "{answer}");
}

#[tokio::test]
async fn preflights_name_what_may_be_sent() {
    let server = Server::start(&[]).await;
    let answer = preflight(&server, "http://127.0.0.1:8080").await;
    assert!(answer.starts_with("http/1.1 200 ok"), "{answer}");
    assert!(answer.contains("access-control-allow-origin: http://127.0.0.1:8080\r\n"), "{answer}");
    assert!(answer.contains("access-control-allow-methods: post\r\n"), "{answer}");
    let allowed = answer.lines().find(|line| line.starts_with("access-control-allow-headers:"));
    for name in ["content-type", "x-grpc-web", "x-user-agent", "grpc-timeout", "authorization", "x-api-key"] {
        assert!(allowed.is_some_and(|line| line.contains(name)), "{name}: {answer}");
    }
}

#[tokio::test]
async fn pages_from_elsewhere_are_let_in_by_name_only() {
    let origin = "https://table.example";
    let none = Server::start(&[]).await;
    assert!(!preflight(&none, origin).await.contains("access-control-allow-origin"));
    let named = Server::start(&["--web-origin", "https://club.example,https://table.example"]).await;
    let allowed = "access-control-allow-origin: https://table.example\r\n";
    assert!(preflight(&named, origin).await.contains(allowed));
    assert!(call(&named, "GetRule", origin, &rule("CL-050")).await.contains(allowed));
}

#[tokio::test]
async fn beyond_loopback_browsers_are_answered_where_it_is_wanted() {
    let elsewhere = ["--listen", "192.0.2.1:1", "--trusted-callers"];
    let shut = Server::start(&elsewhere).await;
    assert!(!call(&shut, "GetRule", "http://localhost", &rule("CL-050")).await.contains("http/1.1"));
    let open = Server::start(&[&elsewhere[..], &["--web"]].concat()).await;
    let answer = call(&open, "GetRule", "http://localhost", &rule("CL-050")).await;
    assert!(answer.contains("cl-050"), "{answer}");
    assert!(!answer.contains("access-control-allow-origin"), "it is nobody's own machine: {answer}");
}

/// Announces a body that never comes. The client's time is 300 ms as gRPC writes it, and DEADLINE_EXCEEDED is 4.
#[tokio::test]
async fn a_clients_own_deadline_is_kept() {
    let server = Server::start(&["--deadline-ms", "60000"]).await;
    let head = "POST /canasta.v1.GameService/GetRule HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nGrpc-Timeout: 300m\r\n\
                Content-Type: application/grpc-web+proto\r\nX-Grpc-Web: 1\r\nContent-Length: 100\r\n\r\n";
    let answer = ask(&server, head, &[0; 5]).await;
    assert!(
        answer.contains("grpc-status: 4\r\n")
            && answer.contains("grpc-message: the%20request%20was%20not%20answered%20in%20time"),
        "{answer}"
    );
}

/// Requests a file as a browser does.
async fn get(server: &Server, method: &str, path: &str) -> String {
    ask(server, &format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), b"")
        .await
}

#[tokio::test]
async fn the_table_is_served_whole_and_may_load_nothing_else() {
    let server = Server::start(&["--max-requests", "1"]).await;
    let page = get(&server, "GET", "/").await;
    for part in
        ["200 ok", "text/html", "nosniff", "default-src 'none'; script-src 'self'", "<title>canasta</title>"]
    {
        assert!(page.contains(part), "{part}");
    }
    let named = page.split(['"', ' ']).filter(|text| text.starts_with("/") && text.contains('.'));
    let files: Vec<_> = named.collect();
    // The picture for links, icon and manifest, and what the table needs at once.
    assert_eq!(files.len(), 6, "{files:?}");
    for file in files {
        assert!(get(&server, "GET", file).await.starts_with("http/1.1 200"), "{file}");
    }
    assert!(!page.contains("style=") && !page.contains("<style"), "the policy would drop it");
    let head = get(&server, "HEAD", "/").await;
    assert!(head.starts_with("http/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
    assert!(get(&server, "GET", "/../Cargo.toml").await.starts_with("http/1.1 404"));
    assert!(get(&server, "GET", "/canasta.v1.GameService/GetRule").await.starts_with("http/1.1 405"));
}

/// Asks in every way of a browser, with a cookie: none is set, none makes a difference, and pages are not to send any.
#[tokio::test]
async fn cookies_are_never_used() {
    let server = Server::start(&[]).await;
    let message = [&[0, 0, 0, 0, 8][..], &rule("CL-050")].concat();
    let method = "/canasta.v1.GameService/GetRule HTTP/1.1\r\n";
    let json = br#"{"rule_id": "CL-050"}"#;
    for (line, headers, body) in [
        ("GET / HTTP/1.1\r\n", "", &[][..]),
        ("GET /table.js HTTP/1.1\r\n", "", &[]),
        ("GET /nowhere HTTP/1.1\r\n", "", &[]),
        (&format!("OPTIONS {method}"), "Access-Control-Request-Method: POST\r\n", &[]),
        (
            &format!("POST {method}"),
            "Content-Type: application/grpc-web+proto\r\nX-Grpc-Web: 1\r\n",
            &message,
        ),
        (&format!("POST {method}"), "Content-Type: application/json\r\n", json),
        (&format!("POST {method}"), "Content-Type: application/json\r\n", b"no json"),
    ] {
        let asked = async |cookie: &str| {
            let head = format!(
                "{line}Host: localhost\r\nOrigin: http://localhost\r\nConnection: close\r\nX-Request-Id: mine\r\n\
                 {headers}{cookie}Content-Length: {}\r\n\r\n",
                body.len()
            );
            let answer = ask(&server, &head, body).await;
            assert!(answer.starts_with("http/1.1 ") && !answer.contains("set-cookie"), "{head}{answer}");
            assert!(!answer.contains("access-control-allow-credentials"), "{head}{answer}");
            let is_of_time = |line: &&str| line.starts_with("date: ");
            answer.lines().filter(|line| !is_of_time(line)).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(asked("").await, asked("Cookie: session=1\r\n").await, "{line}");
    }
}

#[tokio::test]
async fn a_head_that_does_not_end_is_silence() {
    let server = Server::start(&["--preface-deadline-ms", "200"]).await;
    let answer = ask(&server, "POST / HTTP/1.1\r\nHost: table.example\r\nX-Long: more", b"").await;
    assert_eq!(answer, "");
}

#[tokio::test]
async fn grpc_needs_http_2() {
    let server = Server::start(&[]).await;
    let head = "POST /canasta.v1.GameService/GetRule HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                Content-Type: application/grpc\r\nContent-Length: 0\r\n\r\n";
    assert!(ask(&server, head, b"").await.starts_with("http/1.1 400 "));
}

/// Asks for the name of another site, as a browser does that takes this machine for that site's (DNS rebinding), and for
/// this machine from a page of another site.
#[tokio::test]
async fn a_page_of_another_site_does_not_reach_who_believes_callers() {
    let named = ["--web-origin", "https://table.example"];
    let trusted = ["--listen", "192.0.2.1:1", "--trusted-callers", "--web"];
    for settings in [named.to_vec(), [&named[..], &trusted].concat()] {
        foreign_pages_are_refused(&Server::start(&settings).await).await;
    }
}

async fn foreign_pages_are_refused(server: &Server) {
    let message = [&[0, 0, 0, 0, 8][..], &rule("CL-050")].concat();
    let post = format!(
        "POST /canasta.v1.GameService/GetRule HTTP/1.1\r\nContent-Type: application/grpc-web+proto\r\nX-Grpc-Web: 1\r\n\
         Content-Length: {}\r\n",
        message.len()
    );
    let requests = [
        (post.as_str(), &message[..]),
        ("GET / HTTP/1.1\r\n", &[]),
        ("HEAD /table.js HTTP/1.1\r\n", &[]),
        ("OPTIONS /canasta.v1.GameService/GetRule HTTP/1.1\r\nAccess-Control-Request-Method: POST\r\n", &[]),
    ];
    let port = server.address.port();
    let (local, evil) = (format!("127.0.0.1:{port}"), format!("evil.example:{port}"));
    let (from_evil, named) = (format!("http://{evil}"), String::from("https://table.example"));
    let senders = [
        (&evil, None, false),
        (&evil, Some(&from_evil), false),
        (&local, Some(&from_evil), false),
        (&local, Some(&String::from("null")), false),
        (&String::from("0.0.0.0"), None, false),
        (&String::from("table.example"), Some(&named), true),
        (&local, Some(&named), true),
        (&format!("[::1]:{port}"), Some(&format!("http://[::1]:{port}")), true),
        (&local, None, true),
    ];
    for (head, body) in requests {
        for (host, origin, is_known) in senders {
            let origin = origin.map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
            let head = format!("{head}Host: {host}\r\n{origin}Connection: close\r\n\r\n");
            let answer = ask(server, &head, body).await;
            assert_eq!(answer.starts_with("http/1.1 200"), is_known, "{head}{answer}");
            assert_eq!(answer.starts_with("http/1.1 403"), !is_known, "{head}{answer}");
            assert!(is_known || !answer.contains("access-control-allow-origin"), "{head}{answer}");
        }
    }
}

/// Calls as a client that is no browser, under another name, and as a page that speaks gRPC over HTTP/2.
#[tokio::test]
async fn native_clients_may_name_any_authority() {
    let server = Server::start(&[]).await;
    let endpoint = Channel::from_shared(format!("http://{}", server.address)).expect("an address is a URI");
    let named = endpoint.origin(Uri::from_static("http://canasta.internal:1234"));
    let mut client = GameServiceClient::new(named.connect().await.expect("it listens"));
    let asked = || GetRuleRequest { key: Some(Key::RuleId("CL-050".into())), ..Default::default() };
    client.get_rule(asked()).await.expect("any authority");
    let mut paged = Request::new(asked());
    paged.metadata_mut().insert("origin", "http://canasta.internal:1234".parse().expect("visible ASCII"));
    assert_eq!(client.get_rule(paged).await.expect_err("a page").code(), Code::PermissionDenied);
}
