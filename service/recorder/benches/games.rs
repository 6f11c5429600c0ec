//! The cost of many live games: the start after a SIGKILL, pages of ListGames, and memory.
//!
//!     cargo bench -p canasta-recorder --bench games [-- GAMES]

#[path = "../tests/it/support/mod.rs"]
mod support;

use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};

use canasta_engine::action::As;
use canasta_engine::deal::{GameId, WallSalt};
use canasta_engine::game::{Created, Game, NewDeal, NewGame};
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_proto::v1::*;
use canasta_recorder::entry::{EncodedEntry, EntryKind, JournalEntry, RequestTag, Settings};
use canasta_recorder::folder::RecorderFolder;
use canasta_recorder::journal::sqlite::SqliteJournal;
use canasta_recorder::journal::store;
use support::game::role;
use support::program;
use support::random::Random;
use support::server::{Client, settings};
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
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
    memory
}

/// Fills the journal of a new folder with games that have just been created.
async fn fill(data: &Path, games: u64) {
    let random = canasta_service::program::random;
    let config = settings(&[]).config;
    let folder = RecorderFolder::open(data, "journal.sqlite", &config, random).expect("a folder");
    let journal = Arc::new(SqliteJournal::open(&folder.journal()).expect("a new journal"));
    let entry = created();
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

/// Returns the entry of a new game.
fn created() -> EncodedEntry {
    let rules = Arc::new(Rules::preset("classic-4p").expect("the main game"));
    let deal = NewDeal::Explicit { wall: rules.set().deck().iter().collect(), salt: WallSalt([3; 32]) };
    let new = NewGame { dealer: Some(Seat(0)), ..NewGame::new(rules, GameId([1; 16]), deal) };
    let Created { game, frames } = Game::create(new).expect("a whole pack");
    let entry = JournalEntry {
        kind: EntryKind::Created(Settings::default()),
        ends_round: false,
        game_over: false,
        offer_open: false,
        actor: As::Table,
        time_ms: 1,
        uncharged_ms: 0,
        n: game.link.n,
        seq: 0,
        head: game.link.head,
        settings_n: game.link.n,
        tags: [RequestTag::default(); 4],
        frames,
        state: vec![7; 340],
        clocks: None,
    };
    entry.encode().expect("fields that fit")
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
