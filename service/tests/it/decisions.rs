//! Open streams and decisions that are made while they are open: callers and keys are taken away, connections grow old,
//! the server ends.

use std::path::{Path, PathBuf};
use std::time::Duration;

use canasta_proto::v1::audit_service_client::AuditServiceClient;
use canasta_proto::v1::{AuditQuestion, GetServerInfoRequest, PlayRequest, PlayResponse, Role};
use canasta_service::server::DrainResult;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::metadata::MetadataMap;
use tonic::{Code, Request, Status, Streaming};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::support::Server;
use crate::support::game::{Client, dealt, draw, role, seat, view};
use crate::support::keys::{identities, write_private, write_ring};
use crate::support::logs::{piece, question};
use crate::support::script::PlayedScript;
use crate::support::stream::{OpenStream, move_of, on, reason};

/// Maximum time to wait, far longer than any of these servers takes.
const PATIENCE: Duration = Duration::from_secs(20);

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("decisions-{name}"))
}

fn text_of(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// Asks for nothing until the stream ends. Returns its last messages and its status.
async fn asked_until_ended(mut stream: OpenStream) -> (Vec<PlayResponse>, Status) {
    let mut last = Vec::new();
    let ended = async {
        loop {
            // Fails once the stream has ended.
            let _ = stream.requests.send(PlayRequest::default()).await;
            match stream.answers.message().await {
                Ok(Some(answer)) if answer.last => last.push(answer),
                Ok(Some(_)) => tokio::time::sleep(Duration::from_millis(5)).await,
                Ok(None) => panic!("it ends with a fault"),
                Err(status) => return status,
            }
        }
    };
    let status = timeout(PATIENCE, ended).await.expect("the stream ends");
    (last, status)
}

#[tokio::test]
async fn a_stream_of_a_caller_who_is_taken_out_ends_with_what_was_answered() {
    let file = place("callers.toml");
    write_private(&file, &identities(&["one", "other"]));
    let server = Server::start(&["--identities-file", text_of(&file), "--reread-ms", "20"]).await;
    let state = {
        // The same game from a server that asks for no credentials.
        let open = Server::start(&[]).await;
        dealt(&mut open.client().await).await.0
    };
    let mut client = server.client().await;
    let with = |key: &'static str| {
        move |metadata: &mut MetadataMap| {
            metadata.insert("x-api-key", key.parse().expect("a header's value"));
        }
    };
    let mut out = OpenStream::start_as(&mut client, with("one")).await;
    let mut stays = OpenStream::start_as(&mut client, with("other")).await;
    for stream in [&mut out, &mut stays] {
        stream.ask(on(&state)).await;
    }
    write_private(&file, &identities(&["other"]));
    let (last, status) = asked_until_ended(out).await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Unauthenticated, "UNAUTHENTICATED"));
    // Nothing in it is newer than what the caller was answered while it was known.
    assert_eq!(last.iter().map(|last| &last.state).collect::<Vec<_>>(), [&state]);
    assert_eq!(stays.ask(PlayRequest { want_state: true, ..Default::default() }).await.state, state);
}

/// Uploads a log until the caller is taken out: no answer comes, although the upload began in time.
#[tokio::test]
async fn an_upload_of_a_caller_who_is_taken_out_is_not_answered() {
    let file = place("uploaders.toml");
    write_private(&file, &identities(&["one", "other"]));
    let server = Server::start(&["--identities-file", text_of(&file), "--reread-ms", "20"]).await;
    let log = {
        let open = Server::start(&[]).await;
        let script = PlayedScript::play(&mut open.client().await, 1).await;
        script.log(script.moves.len())
    };
    for key in ["one", "other"] {
        let (requests, pieces) = mpsc::channel(1);
        let mut request = Request::new(ReceiverStream::new(pieces));
        request.metadata_mut().insert("x-api-key", key.parse().expect("a header's value"));
        let mut auditor = AuditServiceClient::new(server.channel().await);
        let answer = tokio::spawn(async move { auditor.audit_log(request).await });
        let asked = AuditQuestion { actor: role(Role::Judge), ..Default::default() };
        requests.send(question(asked)).await.expect("the question is read");
        requests.send(piece(&log)).await.expect("the log is read");
        if key == "one" {
            write_private(&file, &identities(&["other"]));
            let mut client = server.client().await;
            let is_known = async || {
                let mut asked = Request::new(GetServerInfoRequest {});
                asked.metadata_mut().insert("x-api-key", "one".parse().expect("a header's value"));
                client.get_server_info(asked).await.is_ok()
            };
            timeout(PATIENCE, until_false(is_known)).await.expect("the file is read again");
        }
        drop(requests);
        let answer = timeout(PATIENCE, answer).await.expect("an answer").expect("no panic");
        let code = answer.map_or_else(|status| status.code(), |_| Code::Ok);
        assert_eq!(code, if key == "one" { Code::Unauthenticated } else { Code::Ok }, "{key}");
    }
}

async fn until_false(mut ask: impl AsyncFnMut() -> bool) {
    while ask().await {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_stream_whose_key_is_revoked_gives_out_no_state() {
    let ring = place("ring");
    write_ring(&ring, &["active 1"]);
    let arguments = ["--trusted-callers", "--seal-key-file", text_of(&ring), "--reread-ms", "20"];
    let server = Server::start(&arguments).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let mut stream = OpenStream::start(&mut client).await;
    stream.ask(on(&state)).await;
    stream.ask(move_of(seat(to_act), draw())).await;
    // A new key alone changes nothing: the state is sealed with it.
    write_ring(&ring, &["active 2", "open-only 1"]);
    let anew = async {
        loop {
            let anew = stream.ask(PlayRequest { want_state: true, ..Default::default() }).await.state;
            if anew[2..6] != state[2..6] {
                return anew;
            }
        }
    };
    let anew = timeout(PATIENCE, anew).await.expect("the file is read again");
    view(&mut client, &anew, seat(to_act)).await;
    // The key that the stream was opened with is what counts, so what came out of it before is not.
    write_ring(&ring, &["active 2", "revoked 1"]);
    let (last, status) = asked_until_ended(stream).await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "STATE_TOKEN_INVALID"));
    assert_eq!(last, []);
}

#[tokio::test]
async fn a_stream_ends_with_its_state_when_its_connection_is_old() {
    let server = Server::start(&["--max-age-ms", "300"]).await;
    let mut client = server.client().await;
    let (state, _) = dealt(&mut client).await;
    let mut stream = OpenStream::start(&mut client).await;
    stream.ask(on(&state)).await;
    let (last, status) = timeout(PATIENCE, stream.end()).await.expect("it ends");
    assert_eq!(last.state, state);
    let status = status.expect_err("not by the caller");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Unavailable, "DRAINING"));
}

async fn watch(server: &Server) -> Streaming<HealthCheckResponse> {
    let mut health = HealthClient::new(server.channel().await);
    health.watch(HealthCheckRequest::default()).await.expect("a watcher").into_inner()
}

/// Returns what a watcher is told, and the status that its stream ends with.
async fn watched(mut watcher: Streaming<HealthCheckResponse>) -> (Vec<ServingStatus>, Status) {
    let mut told = Vec::new();
    let ended = async {
        loop {
            match watcher.message().await {
                Ok(Some(health)) => told.push(health.status()),
                Ok(None) => panic!("it ends with a fault"),
                Err(status) => return status,
            }
        }
    };
    let status = timeout(PATIENCE, ended).await.expect("the stream ends");
    (told, status)
}

#[tokio::test]
async fn a_watcher_ends_when_its_connection_is_old() {
    let server = Server::start(&["--max-age-ms", "200"]).await;
    let (told, status) = watched(watch(&server).await).await;
    assert_eq!((told, status.code()), (vec![ServingStatus::Serving], Code::Unavailable));
}

#[tokio::test]
async fn a_watcher_does_not_keep_an_idle_connection() {
    let server = Server::start(&["--idle-ms", "200"]).await;
    let mut watcher = watch(&server).await;
    let ended = async { while watcher.message().await.is_ok_and(|health| health.is_some()) {} };
    timeout(PATIENCE, ended).await.expect("the connection is closed");
}

#[tokio::test]
async fn a_watcher_is_told_of_the_end_and_does_not_delay_it() {
    let server = Server::start(&["--drain-notice-ms", "100"]).await;
    let watcher = watch(&server).await;
    let ended = server.stop();
    let (told, status) = watched(watcher).await;
    assert_eq!(told, [ServingStatus::Serving, ServingStatus::NotServing]);
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Unavailable, "DRAINING"));
    let ended = timeout(PATIENCE, ended).await.expect("it does not wait for the drain limit");
    assert_eq!(ended.expect("no panic").expect("served"), DrainResult::Drained);
}

/// Fills the places of one address with streams that say nothing: another address gets one, and the oldest ends.
#[tokio::test]
async fn an_idle_stream_yields_its_place_with_its_state() {
    let server = Server::start(&["--max-play-streams", "2"]).await;
    let mut client = Client::new(server.channel_from([127, 0, 0, 2]).await);
    let (state, _) = dealt(&mut client).await;
    let (mut first, mut second) =
        (OpenStream::start(&mut client).await, OpenStream::start(&mut client).await);
    for stream in [&mut second, &mut first] {
        stream.ask(on(&state)).await;
    }
    let mut other = Client::new(server.channel_from([127, 0, 0, 3]).await);
    let mut third = OpenStream::start(&mut other).await;
    third.ask(on(&state)).await;
    let (last, status) =
        timeout(PATIENCE, second.end()).await.expect("the one that was used before the other");
    assert_eq!(last.state, state);
    assert_eq!(reason(&status.expect_err("not by the caller")), "OVERLOADED");
    first.ask(PlayRequest::default()).await;
}
