//! The end of the server, and its treatment of silent connections.

use std::time::Duration;

use canasta_proto::v1::ListRuleSetsRequest;
use canasta_service::server::DrainResult;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::support::Server;

/// Maximum time to wait, far longer than any of these servers may take to end.
const PATIENCE: Duration = Duration::from_secs(20);

async fn end(server: Server) -> DrainResult {
    let ended = timeout(PATIENCE, server.stop()).await.expect("the server ends in time");
    ended.expect("no panic").expect("no transport error")
}

/// Reads what the server sends (its settings) until the server closes the connection.
async fn closed(stream: &mut TcpStream) {
    let read = async { while stream.read(&mut [0; 64]).await.is_ok_and(|count| count > 0) {} };
    timeout(PATIENCE, read).await.expect("closed in time");
}

#[tokio::test]
async fn a_silent_connection_is_closed_at_the_preface_deadline() {
    let server = Server::start(&["--preface-deadline-ms", "100"]).await;
    let mut silent = TcpStream::connect(server.address).await.expect("the server listens");
    closed(&mut silent).await;
}

#[tokio::test]
async fn a_connection_that_trickles_its_preface_is_closed_too() {
    let server = Server::start(&["--preface-deadline-ms", "100"]).await;
    let mut slow = TcpStream::connect(server.address).await.expect("the server listens");
    slow.write_all(b"PRI * HTTP/2").await.expect("the server reads");
    closed(&mut slow).await;
}

#[tokio::test]
async fn a_connection_without_requests_is_closed() {
    let server = Server::start(&["--idle-ms", "200"]).await;
    let mut idle = TcpStream::connect(server.address).await.expect("the server listens");
    idle.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.expect("the server reads");
    closed(&mut idle).await;
}

#[tokio::test]
async fn the_drain_does_not_wait_for_a_silent_client() {
    let arguments = ["--preface-deadline-ms", "300", "--drain-notice-ms", "10"];
    let server = Server::start(&arguments).await;
    let silent = TcpStream::connect(server.address).await.expect("the server listens");
    let _idle = server.client().await;
    assert_eq!(end(server).await, DrainResult::Drained);
    drop(silent);
}

/// Checks that only the limit ends the drain if a client has sent its preface and never reads.
#[tokio::test]
async fn the_drain_ends_at_its_limit() {
    let arguments = ["--drain-notice-ms", "10", "--drain-limit-ms", "200"];
    let server = Server::start(&arguments).await;
    let mut mute = TcpStream::connect(server.address).await.expect("the server listens");
    mute.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.expect("the server reads");
    let mut settings = [0; 9];
    mute.read_exact(&mut settings).await.expect("the server answers the preface");
    assert_eq!(end(server).await, DrainResult::CutOff);
}

#[tokio::test]
async fn health_says_not_serving_before_the_server_stops_accepting() {
    let server = Server::start(&["--drain-notice-ms", "3000", "--drain-limit-ms", "200"]).await;
    let mut health = HealthClient::new(server.channel().await);
    let mut games = server.client().await;
    let mut status = async |name: &str| {
        let request = HealthCheckRequest { service: name.into() };
        health.check(request).await.expect("health answers").into_inner().status()
    };
    for name in ["", "canasta.v1.GameService"] {
        assert_eq!(status(name).await, ServingStatus::Serving, "{name:?}");
    }
    let address = server.address;
    let ended = server.stop();
    while status("").await == ServingStatus::Serving {}
    assert_eq!(status("canasta.v1.GameService").await, ServingStatus::NotServing);
    games.list_rule_sets(ListRuleSetsRequest::default()).await.expect("served during the notice");
    TcpStream::connect(address).await.expect("accepted during the notice");
    drop((health, games));
    timeout(PATIENCE, ended).await.expect("ends in time").expect("no panic").expect("no transport error");
}
