//! Appends per second, each beside a bare file on the same disk in the same minute: the file gets the same bytes, with
//! `fdatasync` after every 64 entries.
//!
//!     cargo bench -p canasta-recorder --bench appends [-- SECONDS [PAIRS]]
//!
//! Three cases: 64 writers on the SQLite journal alone; 64 callers that act through gRPC, each in a game of its own; and the
//! same while the recorder audits finished games. The median of the ratios counts: absolute figures depend on the disk and
//! on whatever else the machine does.

#[path = "../tests/it/support/mod.rs"]
mod support;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use canasta_engine::deal::GameId;
use canasta_engine::log::Reader;
use canasta_proto::v1::*;
use canasta_recorder::entry::JournalEntry;
use canasta_recorder::folder::RecorderFolder;
use canasta_recorder::journal::sqlite::SqliteJournal;
use canasta_recorder::journal::{Journal, store};
use canasta_service::program::random;
use tokio::task::JoinSet;

use support::game::{act, dealt, remark, role};
use support::random::Random;
use support::server::{Recorder, settings};
use support::suite::{LIMIT, encoded, entry_after};

/// A whole game.
const LOG: &[u8] = include_bytes!("../../../tests/data/logs/v2/classic-4p/game-000000.clog");
/// Number of games that wait for their audit: more than are audited in the time.
const FINISHED: u64 = 1_000;
/// Number of concurrent writers, and of entries per `fdatasync` of the bare file.
const WRITERS: u64 = 64;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Test harnesses run every bench target with flags of their own; only `cargo bench` measures.
    let Some(numbers) = arguments.iter().any(|word| word == "--bench").then_some(arguments) else { return };
    let mut numbers = numbers.iter().filter_map(|word| word.parse::<u64>().ok());
    let (seconds, pairs) = (numbers.next().unwrap_or(3), numbers.next().unwrap_or(7));
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let time = Duration::from_secs(seconds);
    for case in ["journal", "gRPC", "gRPC beside audits"] {
        let mut ratios: Vec<(f64, u64, u64)> = Vec::new();
        for _ in 0..pairs {
            let folder = tempfile::tempdir().expect("a folder");
            let bare = bare_file(folder.path(), time);
            let (ours, p99) = match case {
                "journal" => runtime.block_on(journal(folder.path(), time)),
                "gRPC" => runtime.block_on(service(folder.path(), time, 0)),
                _ => runtime.block_on(service(folder.path(), time, FINISHED)),
            };
            println!("{case}: {ours}/s (p99 {} ms) beside {bare}/s of a bare file", p99.as_millis());
            ratios.push((ours as f64 / bare as f64, ours, bare));
        }
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (ratio, ours, bare) = ratios[ratios.len() / 2];
        println!("{case}: median ratio {ratio:.2} ({ours}/s beside {bare}/s)");
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn now() -> Instant {
    Instant::now()
}

/// Returns the entries per second of a bare file.
fn bare_file(folder: &Path, time: Duration) -> u64 {
    let bytes = encoded(&entry_after(None, 0, &mut Random(1))).bytes;
    let mut file = File::create(folder.join("bare")).expect("a file");
    let (begun, mut entries) = (now(), 0);
    while begun.elapsed() < time {
        for _ in 0..WRITERS {
            file.write_all(&bytes).expect("room");
        }
        file.sync_data().expect("a disk");
        entries += WRITERS;
    }
    per_second(entries, begun)
}

fn per_second(entries: u64, begun: Instant) -> u64 {
    (entries as f64 / begun.elapsed().as_secs_f64()) as u64
}

/// Returns the entries per second of all writers, and the 99th percentile of their time.
async fn measured(writers: JoinSet<Vec<Duration>>, begun: Instant) -> (u64, Duration) {
    let mut times = writers.join_all().await.concat();
    let rate = per_second(times.len() as u64, begun);
    times.sort_unstable();
    (rate, times[times.len() * 99 / 100])
}

/// Measures the journal alone.
async fn journal(folder: &Path, time: Duration) -> (u64, Duration) {
    let journal = Arc::new(SqliteJournal::open(&folder.join("journal.sqlite")).expect("a new journal"));
    let (begun, mut writers) = (now(), JoinSet::new());
    for writer in 0..WRITERS {
        let (journal, mut random) = (Arc::clone(&journal), Random(writer));
        writers.spawn(async move {
            let (game, mut times) = (GameId([writer as u8; 16]), Vec::new());
            while begun.elapsed() < time {
                let asked = now();
                let last = journal.last(game).await.expect("readable");
                let entry = entry_after(last.as_ref().map(|last| &last.entry), writer, &mut random);
                store(&*journal, game, last.as_ref(), &encoded(&entry), LIMIT, &mut 0)
                    .await
                    .expect("no rival");
                times.push(asked.elapsed());
            }
            times
        });
    }
    measured(writers, begun).await
}

/// Fills the journal of a new folder with finished games, all with the log of one whole game.
async fn finish(data: &Path, games: u64) {
    let folder =
        RecorderFolder::open(data, "journal.sqlite", &settings(&[]).config, random).expect("a folder");
    let journal = SqliteJournal::open(&folder.journal()).expect("a new journal");
    let (mut reader, mut rest, mut n, mut head) = (Reader::new(), LOG, 0, [0; 32]);
    while let Some(frame) = reader.next(&mut rest).expect("a log") {
        (n, head) = (frame.n, frame.head);
    }
    let first = entry_after(None, 0, &mut Random(1));
    let entry = JournalEntry { game_over: true, n, head, settings_n: n, frames: LOG.to_vec(), ..first };
    for game in 0..games {
        let id = GameId([game.to_be_bytes(), [9; 8]].concat().try_into().expect("16 bytes"));
        store(&journal, id, None, &encoded(&entry), LIMIT, &mut 0).await.expect("room");
    }
}

/// Measures notes in 64 games through gRPC, while the recorder audits finished games.
async fn service(folder: &Path, time: Duration, finished: u64) -> (u64, Duration) {
    finish(&folder.join("data"), finished).await;
    let recorder = Recorder::start(&folder.join("data"), &[]).await;
    // A peer has at most 32 connections: callers share some.
    let mut connections = Vec::new();
    for _ in 0..16 {
        connections.push(recorder.client().await);
    }
    let (mut games, mut writers) = (Vec::new(), JoinSet::new());
    for caller in 0..WRITERS {
        let mut client = connections[caller as usize % connections.len()].clone();
        let game = dealt(&mut client, caller as u8).await;
        games.push((client, game));
    }
    let begun = now();
    for (mut client, game) in games {
        writers.spawn(async move {
            let mut times = Vec::new();
            while begun.elapsed() < time {
                let mut request = act(&game, times.len() as u64, role(Role::Director), None);
                request.proposals[0].record = remark("a note of ordinary length");
                let asked = now();
                // Not through the client of the tests, which walks over each answer.
                client.service.act(request).await.expect("a note is recorded");
                times.push(asked.elapsed());
            }
            times
        });
    }
    let found = measured(writers, begun).await;
    if finished > 0 {
        let waits = count(&recorder, GameStatus::Finished).await;
        println!("{} games judged meanwhile, {waits} still wait", finished - waits);
    }
    recorder.stop().await;
    found
}

/// Returns the number of games of this status.
async fn count(recorder: &Recorder, status: GameStatus) -> u64 {
    let mut client = recorder.client().await;
    let (mut games, mut page_token) = (0, String::new());
    loop {
        let actor = role(Role::Table);
        let request = ListGamesRequest {
            actor,
            page_size: 100,
            page_token,
            status: status.into(),
            ..Default::default()
        };
        let page = client.list_games(request).await.expect("a page");
        games += page.games.len() as u64;
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return games;
        }
    }
}
