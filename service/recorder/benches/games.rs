//! The cost of many live games: the start after a SIGKILL, pages of ListGames, and memory.
//!
//!     cargo bench -p canasta-recorder --bench games [-- GAMES]

#[path = "../tests/it/support/mod.rs"]
mod support;

use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};

use canasta_engine::deal::GameId;
use canasta_proto::v1::*;
use canasta_recorder::entry::EncodedEntry;
use canasta_recorder::folder::RecorderFolder;
use canasta_recorder::journal::sqlite::SqliteJournal;
use canasta_recorder::journal::{Journal, store};
use canasta_service::program::random;
use support::game::{self, role};
use support::program;
use support::random::Random;
use support::server::{Client, Recorder, settings};
use support::suite::LIMIT;
use tokio::task::JoinSet;

/// Number of games that are appended at the same time.
const WRITERS: u64 = 256;
/// Number of starts, of which the median counts.
const STARTS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Test harnesses run every bench target with flags of their own; only `cargo bench` measures.
    let Some(numbers) = arguments.iter().any(|word| word == "--bench").then_some(arguments) else { return };
    let games = numbers.iter().find_map(|word| word.parse().ok()).unwrap_or(100_000);
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let folder = tempfile::tempdir().expect("a folder");
    let few = runtime.block_on(measured(&folder.path().join("few"), 1));
    let many = runtime.block_on(measured(&folder.path().join("many"), games));
    println!("memory per game: {} bytes", (many.saturating_sub(few)) / games);
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn now() -> Instant {
    Instant::now()
}

/// Measures a recorder with so many live games. Returns its memory in bytes, after all games were listed.
async fn measured(data: &Path, games: u64) -> u64 {
    let begun = now();
    fill(data, games).await;
    println!("{games} games: appended in {:.1} s", begun.elapsed().as_secs_f64());
    let mut starts = Vec::new();
    let (mut child, mut client) = start(data, &mut starts).await;
    while starts.len() < STARTS {
        child.kill().expect("it still runs");
        child.wait().expect("it was killed");
        (child, client) = start(data, &mut starts).await;
    }
    starts.sort_unstable();
    let memory = resident(&child);
    println!("start after SIGKILL: median {} ms; {} KiB", starts[STARTS / 2].as_millis(), memory / 1024);
    for (what, label) in [("all", ""), ("of a label that no game has", "none")] {
        let (begun, mut pages) = (now(), Vec::new());
        let mut request = ListGamesRequest {
            actor: role(Role::Table),
            page_size: 100,
            label: label.into(),
            ..Default::default()
        };
        loop {
            let asked = now();
            // Not through the client of the tests, which walks over each answer.
            let page = client.service.list_games(request.clone()).await.expect("a page").into_inner();
            pages.push(asked.elapsed());
            request.page_token = page.next_page_token;
            if request.page_token.is_empty() {
                break;
            }
        }
        let all = begun.elapsed();
        pages.sort_unstable();
        let (median, longest) = (pages[pages.len() / 2].as_micros(), pages[pages.len() - 1].as_micros());
        println!(
            "ListGames {what}: {} ms, {} pages, median {median} us, longest {longest} us",
            all.as_millis(),
            pages.len()
        );
    }
    let memory = resident(&child);
    println!("after that {} KiB", memory / 1024);
    watch_all(&mut client, &child, games).await;
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
    memory
}

/// Watches all games on one stream, on which nothing happens after the snapshot, and resumes it. Prints the time of both, and the
/// memory while the stream is open.
async fn watch_all(client: &mut Client, child: &Child, games: u64) {
    let before = resident(child);
    let (begun, mut told, mut most) = (now(), 0, before);
    let mut request = WatchGamesRequest { actor: role(Role::Table), ..Default::default() };
    let mut stream = client.service.watch_games(request.clone()).await.expect("a stream").into_inner();
    loop {
        let message = stream.message().await.expect("no fault").expect("a message");
        assert!(message.games.iter().all(|news| !news.unreadable));
        (told, most) = (told + message.games.len() as u64, most.max(resident(child)));
        request.resume_token = message.resume_token;
        if message.snapshot_ends {
            break;
        }
    }
    assert!(told >= games, "{told} games");
    println!(
        "WatchGames: {told} games in {:.1} s; before {} KiB, at most {} KiB, then {} KiB",
        begun.elapsed().as_secs_f64(),
        before / 1024,
        most / 1024,
        resident(child) / 1024
    );
    let idle = stream.message().await.expect("no fault").expect("a message");
    assert!(idle.games.is_empty() && !idle.snapshot);
    let mut again = client.service.watch_games(request).await.expect("a stream").into_inner();
    let idle = again.message().await.expect("no fault").expect("a message");
    assert!(idle.games.is_empty() && !idle.snapshot, "it is resumed without a snapshot");
    println!("WatchGames: two idle streams after 15 s each, {} KiB", resident(child) / 1024);
}

/// Fills the journal of a new folder with games that have just been created.
async fn fill(data: &Path, games: u64) {
    let config = settings(&[]).config;
    let entry = created(data).await;
    let folder = RecorderFolder::open(data, "journal.sqlite", &config, random).expect("a folder");
    let journal = Arc::new(SqliteJournal::open(&folder.journal()).expect("the journal"));
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let (journal, entry) = (Arc::clone(&journal), entry.clone());
        writers.spawn(async move {
            let mut random = Random(writer);
            for _ in (writer..games).step_by(WRITERS as usize) {
                let id = [random.next().to_be_bytes(), random.next().to_be_bytes()].concat();
                let game = GameId(id.try_into().expect("16 bytes"));
                store(&*journal, game, None, &entry, LIMIT, &mut 0).await.expect("room");
            }
        });
    }
    writers.join_all().await;
}

/// Creates a game in a new folder. Returns its entry, whose state is sealed with the folder's key.
async fn created(data: &Path) -> EncodedEntry {
    let recorder = Recorder::start(data, &[]).await;
    let mut client = recorder.client().await;
    let game = game::created(&mut client, game::new_game(1)).await.game_id;
    drop(client);
    recorder.stop().await;
    let journal = SqliteJournal::beside(&data.join("journal.sqlite")).expect("the journal");
    let last = journal.last(GameId(game.try_into().expect("16 bytes"))).await.expect("an answer");
    last.expect("an entry").entry.encode().expect("fields that fit")
}

/// Starts the program, and notes the time until it serves.
async fn start(data: &Path, starts: &mut Vec<Duration>) -> (Child, Client) {
    let begun = now();
    let data = data.to_str().expect("UTF-8");
    let arguments = ["--listen", "127.0.0.1:0", "--data", data];
    let (child, mut client) = program::start(&std::env::temp_dir(), &arguments).await;
    let request = ListGamesRequest { actor: role(Role::Table), page_size: 1, ..Default::default() };
    client.list_games(request).await.expect("a first answer");
    starts.push(begun.elapsed());
    (child, client)
}

/// Returns the resident memory of a program, in bytes.
fn resident(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    let kib = line.split_whitespace().nth(1).expect("a number");
    kib.parse::<u64>().expect("a number") * 1024
}
