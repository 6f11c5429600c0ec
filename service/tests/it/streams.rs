//! Play: a state that stays with the service for as long as its stream lasts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use canasta_engine::token::encode;
use canasta_proto::v1::game_service_client::GameServiceClient;
use canasta_proto::v1::{self as pb, ApplyActionRequest, Note, PlayRequest, Role, play_response::Outcome};
use canasta_service::server::DrainResult;
use tokio_stream::{Stream, StreamExt};
use tonic::Code;
use tonic::transport::Channel;
use tonic_types::StatusExt;

use crate::support;
use crate::support::Server;
use crate::support::game::{accepted, assert_field, dealt, discard, draw, role, seat, view};
use crate::support::script::PlayedScript;
use crate::support::stream::{OpenStream, move_of, on, reason};

/// Checks that in a whole round every answer except the state equals ApplyAction's, and so does the state if it is
/// requested.
#[tokio::test]
async fn every_state_is_the_one_that_apply_action_would_have_given() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let mut stream = OpenStream::start(&mut client.clone()).await;
    let mut state = script.state.clone();
    assert_eq!(stream.ask(PlayRequest { want_state: true, ..on(&state) }).await.state, state);
    for (i, made) in script.moves.iter().enumerate() {
        let apply = ApplyActionRequest {
            actor: made.who(),
            action: made.action(),
            elapsed_ms: Some(1000),
            want_events: i % 2 == 0,
            want_view: i % 3 == 0,
            want_head: i % 4 == 0,
            expected_seq: Some(i as u64),
            observers: [seat(i as u32 % 4), role(Role::Table)].into_iter().flatten().take(i % 3).collect(),
            ..Default::default()
        };
        let single = ApplyActionRequest { state, ..apply.clone() };
        let single = accepted(&mut client, single).await;
        let want_state = i % 5 == 0;
        let answer = stream.ask(PlayRequest { apply: Some(apply), want_state, ..Default::default() }).await;
        let expected = pb::Accepted { state: vec![], ..single.clone() };
        assert_eq!(answer.outcome, Some(Outcome::Accepted(expected)), "action {i}");
        assert_eq!(answer.state, if want_state { single.state.clone() } else { vec![] });
        state = single.state;
    }
    drop(stream.requests);
    let last = stream.answers.message().await.expect("no fault").expect("a last message");
    assert_eq!((last.state, last.last, last.outcome), (state, true, None));
    assert_eq!(stream.answers.message().await.expect("OK"), None);
}

/// Sends requests all at once: each is judged on the state that those before it left.
#[tokio::test]
async fn refusals_are_answered_in_order_and_the_stream_goes_on() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let other = seat((to_act + 1) % 4);
    let note = ApplyActionRequest {
        actor: role(Role::Table),
        note: Some(Note { text: "a short break".into() }),
        ..Default::default()
    };
    let recorded = ApplyActionRequest {
        record_refusal: true,
        ..move_of(seat(to_act), draw()).apply.expect("an action")
    };
    let requests = [
        PlayRequest { state: state.clone(), ..move_of(other, draw()) },
        move_of(seat(to_act), draw()),
        move_of(seat(to_act), draw()),
        PlayRequest { apply: Some(note), ..Default::default() },
        PlayRequest { apply: Some(recorded), want_state: true, ..Default::default() },
        move_of(other, draw()),
    ];
    let mut stream = client.play(tokio_stream::iter(requests.clone())).await.expect("a place").into_inner();
    let mut state = state;
    for (i, request) in requests.into_iter().enumerate() {
        let answer = stream.message().await.expect("no fault").expect("an answer");
        let apply = request.apply.expect("each asks for something");
        let single =
            support::game::apply(&mut client, ApplyActionRequest { state: state.clone(), ..apply }).await;
        // The answer is ApplyAction's, except for the place of the state.
        use pb::apply_action_response::Outcome as Single;
        let (expected, token) = match single {
            Single::Accepted(mut one) => {
                let token = std::mem::take(&mut one.state);
                (Outcome::Accepted(one), Some(token))
            }
            Single::Recorded(mut one) => {
                let token = std::mem::take(&mut one.state);
                (Outcome::Recorded(one), Some(token))
            }
            Single::Rejected(mut one) => {
                let token = one.recorded.as_mut().map(|recorded| std::mem::take(&mut recorded.state));
                (Outcome::Rejected(one), token)
            }
        };
        assert_eq!(answer.outcome, Some(expected), "request {i}");
        state = token.unwrap_or(state);
        assert_eq!(answer.state, if request.want_state { state.clone() } else { vec![] }, "request {i}");
    }
    let last = stream.message().await.expect("no fault").expect("a last message");
    assert_eq!(last.state, state);
}

#[tokio::test]
async fn a_fault_ends_the_stream_and_hands_out_the_state() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let moved = move_of(seat(to_act), draw());
    let drawn = ApplyActionRequest { state: state.clone(), ..moved.apply.clone().expect("an action") };
    let after = accepted(&mut client, drawn).await.state;
    let stale = ApplyActionRequest { expected_seq: Some(1), ..moved.apply.clone().expect("an action") };
    let inner = ApplyActionRequest { state: vec![1], ..moved.apply.clone().expect("an action") };
    let table = [
        (move_of(seat(to_act), discard("1z")), Err("apply.action.discard.card")),
        (move_of(seat(9), draw()), Err("apply.actor.seat")),
        (PlayRequest { apply: Some(inner), ..Default::default() }, Err("apply.state")),
        (on(&state), Err("state")),
        (PlayRequest { apply: Some(stale), ..Default::default() }, Ok("STALE_HEAD")),
    ];
    for (bad, expected) in table {
        let mut stream = OpenStream::start(&mut client).await;
        stream.ask(on(&state)).await;
        let answer = stream.ask(moved.clone()).await;
        assert!(matches!(answer.outcome, Some(Outcome::Accepted(_))));
        stream.requests.send(bad).await.expect("open");
        // Requests after a fault are not judged.
        stream.requests.send(move_of(seat(to_act), draw())).await.expect("open");
        let (last, status) = stream.end().await;
        assert_eq!(last.state, after);
        let status = status.expect_err("a fault");
        match expected {
            Err(path) => assert_field(&status, path),
            Ok(expected) => assert_eq!(reason(&status), expected),
        }
    }
    // Before there is a state, there is none to send.
    for (first, path) in [(moved, "state"), (PlayRequest::default(), "state")] {
        let mut stream = OpenStream::start(&mut client).await;
        stream.requests.send(first).await.expect("open");
        assert_field(&stream.answers.message().await.expect_err("no state"), path);
    }
    let mut stream = OpenStream::start(&mut client).await;
    stream.requests.send(on(&[7; 300])).await.expect("open");
    assert_eq!(reason(&stream.answers.message().await.expect_err("no state")), "STATE_TOKEN_INVALID");
}

/// Counts the requests that the service takes.
fn counted(
    requests: impl Stream<Item = PlayRequest> + Send + 'static,
    taken: Arc<AtomicUsize>,
) -> impl Stream<Item = PlayRequest> + Send + 'static {
    requests.map(move |request| {
        taken.fetch_add(1, Ordering::SeqCst);
        request
    })
}

/// Offers 12 MB; until its answers are read, the service takes only what the windows of HTTP/2 hold.
#[tokio::test]
async fn who_does_not_read_is_not_read() {
    const NOTES: usize = 3000;
    let server = Server::start(&[]).await;
    let endpoint = Channel::from_shared(format!("http://{}", server.address)).expect("an address is a URI");
    let channel = endpoint.initial_stream_window_size(64 * 1024).connect().await.expect("it listens");
    let mut client = GameServiceClient::new(channel);
    let (state, _) = dealt(&mut client).await;
    let note = ApplyActionRequest {
        actor: role(Role::Table),
        note: Some(Note { text: "x".repeat(4000) }),
        ..Default::default()
    };
    let note = PlayRequest { apply: Some(note), ..Default::default() };
    let requests = std::iter::once(on(&state)).chain(std::iter::repeat_n(note, NOTES));
    let taken = Arc::new(AtomicUsize::new(0));
    let requests = counted(tokio_stream::iter(requests), Arc::clone(&taken));
    let mut answers = client.play(requests).await.expect("a place").into_inner();
    // Waits until nothing has moved for a second.
    let mut ticks = tokio::time::interval(Duration::from_millis(100));
    let (mut seen, mut still) = (0, 0);
    while still < 10 {
        ticks.tick().await;
        let now = taken.load(Ordering::SeqCst);
        (still, seen) = (if now == seen { still + 1 } else { 0 }, now);
    }
    assert!(seen * 4000 < 2 * 1024 * 1024, "{seen} of {NOTES} were taken in");
    let mut count = 0;
    while let Some(answer) = answers.message().await.expect("no fault") {
        match answer.outcome {
            Some(Outcome::Recorded(recorded)) => {
                count += 1;
                assert_eq!(recorded.n, 2 + count as u64, "in order");
            }
            other => assert!(other.is_none() && (answer.last || count == 0), "{other:?}"),
        }
    }
    assert_eq!((count, taken.load(Ordering::SeqCst)), (NOTES, NOTES + 1));
}

#[tokio::test]
async fn a_silent_stream_is_ended_with_its_state() {
    // The connection itself may be idle for less: an open stream keeps it open.
    let server = Server::start(&["--play-idle-ms", "300", "--idle-ms", "60"]).await;
    let mut client = server.client().await;
    let (state, _) = dealt(&mut client).await;
    let mut stream = OpenStream::start(&mut client).await;
    stream.ask(on(&state)).await;
    let (last, status) = stream.end().await;
    assert_eq!(last.state, state);
    let status = status.expect_err("it was silent");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::DeadlineExceeded, "IDLE"));
}

/// Sends on and reads nothing: the stream ends, and the connection is closed because its last message is not read.
#[tokio::test]
async fn who_never_reads_loses_the_connection() {
    let server = Server::start(&["--play-idle-ms", "200", "--take-deadline-ms", "200"]).await;
    let endpoint = Channel::from_shared(format!("http://{}", server.address)).expect("an address is a URI");
    let channel = endpoint.initial_stream_window_size(1024).connect().await.expect("it listens");
    let mut client = GameServiceClient::new(channel);
    let (state, _) = dealt(&mut client).await;
    let stream = OpenStream::start(&mut client).await;
    let want = PlayRequest { want_state: true, ..Default::default() };
    stream.requests.send(PlayRequest { want_state: true, ..on(&state) }).await.expect("open");
    let refused = async { while stream.requests.send(want.clone()).await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(30), refused).await.expect("the connection is closed");
    drop(stream.answers);
}

#[tokio::test]
async fn nothing_that_was_answered_is_lost_when_the_server_ends() {
    let server = Server::start(&["--drain-notice-ms", "0"]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let mut stream = OpenStream::start(&mut client).await;
    stream.ask(on(&state)).await;
    let drawn = stream.ask(move_of(seat(to_act), draw())).await;
    let Some(Outcome::Accepted(drawn)) = drawn.outcome else { panic!("legal") };
    let ended = server.stop();
    let (last, status) = stream.end().await;
    let status = status.expect_err("it ends");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Unavailable, "DRAINING"));
    assert!(status.get_details_retry_info().is_some());
    assert_eq!(ended.await.expect("no panic").expect("served"), DrainResult::Drained);
    // Another server continues the game from the last state.
    let next = Server::start(&[]).await;
    let seen = view(&mut next.client().await, &last.state, seat(to_act)).await;
    assert_eq!((seen.n, seen.head), (drawn.n, drawn.head));
}

#[tokio::test]
async fn there_are_so_many_streams_and_no_more() {
    let server = Server::start(&["--max-play-streams", "1"]).await;
    let mut client = server.client().await;
    let first = OpenStream::start(&mut client).await;
    let status = client.play(tokio_stream::empty()).await.expect_err("no place");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "OVERLOADED"));
    drop(first);
    while let Err(status) = client.play(tokio_stream::empty()).await {
        // The server may not have seen the end of the first stream yet.
        assert_eq!(reason(&status), "OVERLOADED");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_stream_writes_the_log_that_single_calls_write() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let requests: Vec<_> = std::iter::once(on(&script.state))
        .chain(script.moves.iter().map(|made| move_of(made.who(), made.action())))
        .collect();
    let mut stream = client.play(tokio_stream::iter(requests)).await.expect("a place").into_inner();
    let (mut log, mut end) = (script.created.clone(), Vec::new());
    while let Some(answer) = stream.message().await.expect("no fault") {
        match answer.outcome {
            Some(Outcome::Accepted(accepted)) => log.extend(accepted.frames),
            None => end = answer.state,
            other => panic!("{other:?}"),
        }
    }
    assert!(log == script.log(script.moves.len()));
    assert_eq!(end, encode(&script.moves.last().expect("moves").after));
}
