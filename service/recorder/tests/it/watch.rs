//! Watch: what is sent, when it is skipped, and how a stream ends.

use std::os::unix::fs::DirBuilderExt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use canasta_proto::v1::*;
use tokio::time::timeout;
use tonic::Code;

use crate::support::game::*;
use crate::support::memory::MemoryJournal;
use crate::support::server::{Client, Recorder, with_journal};
use crate::support::watching::*;

/// Plays a whole game before two watchers: each sees of every entry what Act shows an observer, and nothing else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_sees_what_an_observer_sees() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = created(&mut client, new_game(1)).await;
    let (game, end) = (game.game_id, game.log_end.expect("the end"));
    let audiences = [seat(0), role(Role::Spectator)];
    let mut streams = Vec::new();
    for audience in audiences {
        let mut watched = from(&game, audience, Some(end.n + 1));
        watched.want_view = true;
        streams.push(watch(&mut client, watched).await);
    }
    let mut ended = None;
    while let Some((end, actor, action)) = suggested(&mut client, &game).await {
        let mut request = act(&game, 1000 + end.seq, actor, action);
        request.observers = audiences.into_iter().flatten().collect();
        let acted = acted(&mut client, request).await;
        for (stream, observation) in streams.iter_mut().zip(&acted.observations) {
            let message = next(stream).await.expect("no fault").expect("a message");
            assert_eq!(message.log_end, acted.log_end);
            assert_eq!(message.observation.as_ref(), Some(observation));
            let seats = &observation.view.as_ref().expect("a view").seats;
            assert!(seats.iter().all(|seat| seat.name == format!("Player {}", seat.player + 1)), "{seats:?}");
            // The last table of the round, with what the winner has laid: views after it are of the next round.
            let last = observation.round_over.as_ref();
            assert_eq!(last.is_some(), !acted.round_ends.is_empty());
            for (last, end) in last.iter().zip(&acted.round_ends) {
                assert_eq!((last.phase(), last.round), (Phase::RoundOver, end.round));
                assert!(last.sides.iter().any(|side| !side.melds.is_empty()));
                assert_eq!(last.seats[0].name, "Player 1");
            }
            assert_eq!(message.round_end.as_ref(), acted.round_ends.first());
            assert_eq!(message.game_end, acted.game_end);
            assert!(!message.snapshot && message.skipped == 0 && !message.last);
        }
        ended = acted.game_end.clone();
    }
    assert!(ended.is_some(), "the game has a result");
}

#[tokio::test]
async fn a_stream_is_resumed_without_a_gap() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let mut first = watch(&mut client, from(&game, seat(1), None)).await;
    let snapshot = next(&mut first).await.expect("no fault").expect("a message");
    assert!(snapshot.snapshot);
    assert_eq!(
        snapshot.observation.and_then(|seen| seen.view),
        client.get_game(&game, seat(1)).await.expect("a view").view
    );
    play(&mut client, &game, 3).await;
    let mut seen = Vec::new();
    for _ in 0..2 {
        seen.push(next(&mut first).await.expect("no fault").expect("a message"));
    }
    drop(first);
    play(&mut client, &game, 3).await;
    let mut second = watch(&mut client, from(&game, seat(1), Some(n(&seen[1]) + 1))).await;
    for _ in 0..4 {
        seen.push(next(&mut second).await.expect("no fault").expect("a message"));
    }
    let seqs: Vec<_> = seen.iter().map(|message| message.log_end.as_ref().expect("the end").seq).collect();
    assert_eq!(seqs, [2, 3, 4, 5, 6, 7], "each entry once");
    let status = client.service.watch(from(&game, seat(1), Some(1000))).await.expect_err("the future");
    assert_eq!(reason(&status), "INVALID_FIELD");
}

async fn note(client: &mut Client, game: &[u8], id: u64) -> LogEnd {
    let mut request = act(game, id, role(Role::Director), None);
    request.proposals[0].record = remark(format!("note {id}"));
    acted(client, request).await.log_end.expect("the end")
}

/// Watches without reading: nothing is kept for such a watcher, and it skips to the present.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_skips_to_the_present() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let end = client.get_game(&game, seat(1)).await.expect("a view").log_end.expect("the end");
    // Messages with views soon fill the window of a reader that does not read.
    let mut slow = from(&game, role(Role::Director), Some(end.n + 1));
    slow.want_view = true;
    let mut reader = recorder.narrow_client().await;
    let mut stream = watch(&mut reader, slow).await;
    let (mut last, notes) = (end.clone(), 400);
    for id in 0..notes {
        last = note(&mut client, &game, id).await;
    }
    let (mut told, mut skipped) = (0, 0);
    loop {
        let message = next(&mut stream).await.expect("no fault").expect("a message");
        assert_eq!(message.snapshot, message.skipped > 0);
        (told, skipped) = (told + u64::from(!message.snapshot), skipped + message.skipped);
        if message.log_end.as_ref() == Some(&last) {
            break;
        }
    }
    assert_eq!(told + skipped, notes, "each entry was told or skipped");
    assert!(skipped > 64, "{skipped} skipped");
    // Who comes late by more than 64 entries begins with a snapshot.
    let mut late = watch(&mut client, from(&game, seat(1), Some(end.n + 1))).await;
    let message = next(&mut late).await.expect("no fault").expect("a message");
    assert_eq!((message.snapshot, message.skipped, message.log_end), (true, notes, Some(last.clone())));
    let mut in_time = watch(&mut client, from(&game, seat(1), Some(last.n - 63))).await;
    let message = next(&mut in_time).await.expect("no fault").expect("a message");
    assert_eq!((message.snapshot, n(&message)), (false, last.n - 63));
}

static NOW_MS: AtomicI64 = AtomicI64::new(1_700_000_000_000);

/// Stores notes by a second recorder, of which no hint comes, and tells the watcher by a note of the first: what is then
/// five seconds old is told, and what is a millisecond older is skipped.
#[tokio::test]
async fn who_is_more_than_five_seconds_behind_skips_to_the_present() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let (clock, journal) = (|| NOW_MS.load(Ordering::SeqCst), MemoryJournal::new(1, 0));
    let first = Recorder::start_at(with_journal(&one, journal.clone()), &[], clock).await;
    std::fs::DirBuilder::new().mode(0o700).create(&other).expect("a folder");
    for file in ["recorder.key", "seal.keys"] {
        std::fs::copy(one.join(file), other.join(file)).expect("our file");
    }
    let second = Recorder::start_at(with_journal(&other, journal), &[], clock).await;
    let (mut here, mut there) = (first.client().await, second.client().await);
    let game = dealt(&mut here, 1).await;
    let end = here.get_game(&game, seat(1)).await.expect("a view").log_end.expect("the end");
    let mut stream = watch(&mut here, from(&game, seat(1), Some(end.n))).await;
    assert_eq!(message(&mut stream).await.log_end, Some(end));
    for (number, late_ms, skipped) in [(0, 5_000, 0), (1, 5_001, 2)] {
        NOW_MS.fetch_add(1, Ordering::SeqCst);
        note(&mut there, &game, 10 + number).await;
        NOW_MS.fetch_add(late_ms, Ordering::SeqCst);
        let last = note(&mut here, &game, 20 + number).await;
        let told = message(&mut stream).await;
        assert_eq!((told.snapshot, told.skipped), (skipped > 0, skipped), "after {late_ms} ms");
        if skipped == 0 {
            assert_eq!(message(&mut stream).await.log_end, Some(last));
        }
    }
}

#[tokio::test]
async fn a_draining_recorder_ends_its_streams() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let mut stream = watch(&mut client, from(&game, seat(1), None)).await;
    let snapshot = next(&mut stream).await.expect("no fault").expect("a message");
    drop(client);
    recorder.stop().await;
    let last = next(&mut stream).await.expect("no fault").expect("a message");
    assert!(last.last && last.observation.is_none());
    assert_eq!(last.log_end, snapshot.log_end);
    assert_eq!(next(&mut stream).await.expect("status OK"), None);
}

#[tokio::test]
async fn a_caller_has_so_many_streams() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let mut open = Vec::new();
    // A connection has at most 64 streams at once, so two connections.
    let mut other = recorder.client().await;
    for count in 0..64 {
        let client = if count % 2 == 0 { &mut client } else { &mut other };
        open.push(watch(client, from(&game, seat(1), None)).await);
    }
    let status = other.service.watch(from(&game, seat(1), None)).await.expect_err("one too many");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "OVERLOADED"));
    drop(open.pop());
    for _ in 0..100 {
        if other.service.watch(from(&game, seat(1), None)).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("a stream that is gone gives its place back");
}

/// Lets nothing happen before two streams, with a clock that is set forward as soon as everybody waits.
#[tokio::test]
async fn a_stream_without_news_says_something_every_15_seconds() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = MemoryJournal::new(1, 0);
    let recorder = Recorder::start_with(with_journal(&folder.path().join("data"), journal), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let mut one = watch(&mut client, from(&game, role(Role::Table), None)).await;
    let told = message(&mut one).await.log_end;
    let request = client.request(WatchGamesRequest { actor: role(Role::Table), ..Default::default() });
    let mut all = client.service.watch_games(request).await.expect("a stream").into_inner();
    while !all.message().await.expect("no fault").expect("a message").snapshot_ends {}
    tokio::time::pause();
    for _ in 0..3 {
        let early = async {
            tokio::select! {
                told = one.message() => panic!("{told:?}"),
                told = all.message() => panic!("{told:?}"),
            }
        };
        let early: Result<(), _> = timeout(Duration::from_secs(14), early).await;
        assert!(early.is_err());
        let both = async { tokio::join!(next(&mut one), all.message()) };
        let (silent, news) = timeout(Duration::from_secs(2), both).await.expect("after 15 s");
        let silent = silent.expect("no fault").expect("a message");
        assert_eq!((&silent.log_end, silent.observation, silent.last), (&told, None, false));
        let news = news.expect("no fault").expect("a message");
        assert!(news.games.is_empty() && !news.last && !news.resume_token.is_empty());
    }
}
