//! Kills a process that appends to an SQLite journal, at random moments and without warning: what it had acknowledged must
//! be there after each new start.

#[path = "it/support/mod.rs"]
mod support;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_recorder::journal::sqlite::SqliteJournal;
use canasta_recorder::journal::{Journal, StoreError, store};
use support::random::Random;
use support::suite::{Acknowledged, LIMIT, answered, check, encoded, entry_after};

/// The argument that makes this program the one that is killed; the folder and a seed follow.
const CHILD: &str = "append-until-killed";
const KILLS: u64 = 12;
const GAMES: u8 = 8;
const RIVALS: u64 = 2;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    match &arguments[1..] {
        [word, folder, seed] if word == CHILD => {
            runtime.block_on(append(Path::new(folder), seed.parse().expect("a number")));
        }
        _ => runtime.block_on(kill_and_check()),
    }
}

/// Appends until it is killed, and prints what is acknowledged.
async fn append(folder: &Path, seed: u64) {
    let journal = Arc::new(SqliteJournal::open(&folder.join("journal.sqlite")).expect("a journal"));
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..u64::from(GAMES) * RIVALS {
        let (journal, mut random) = (Arc::clone(&journal), Random(seed ^ (writer << 32)));
        let game = GameId([1 + (writer % u64::from(GAMES)) as u8; 16]);
        writers.spawn(async move {
            loop {
                let last = answered(|| journal.last(game)).await;
                let entry = entry_after(last.as_ref().map(|last| &last.entry), writer, &mut random);
                match store(&*journal, game, last.as_ref(), &encoded(&entry), LIMIT, &mut 0).await {
                    Ok(_) => print(game, entry.n, &entry.head),
                    Err(StoreError::Conflict) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        });
    }
    writers.join_next().await;
}

fn print(game: GameId, n: u64, head: &[u8; 32]) {
    let line = format!("{} {n} {}\n", game.0[0], head.map(|byte| format!("{byte:02x}")).concat());
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes()).and_then(|()| out.flush()).expect("the parent reads");
}

/// Reads a line of the child; `None` if the child was killed while it wrote the line.
fn parse(line: &str) -> Option<Acknowledged> {
    let [game, n, head] = line.strip_suffix('\n')?.split(' ').collect::<Vec<_>>()[..] else { return None };
    let byte = |at: usize| u8::from_str_radix(head.get(2 * at..2 * at + 2)?, 16).ok();
    let bytes: Vec<u8> = (0..32).map(byte).collect::<Option<_>>()?;
    Some((GameId([game.parse().ok()?; 16]), n.parse().ok()?, bytes.try_into().ok()?))
}

async fn kill_and_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let seed = u64::from(std::process::id());
    println!("seed {seed}");
    let (mut random, mut acknowledged) = (Random(seed), Vec::new());
    for kill in 1..=KILLS {
        let program = std::env::current_exe().expect("this program");
        let arguments = [CHILD.into(), folder.path().to_owned(), kill.to_string().into()];
        let mut child =
            Command::new(program).args(arguments).stdout(Stdio::piped()).spawn().expect("a process");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let reading = std::thread::spawn(move || {
            let (mut read, mut line) = (Vec::new(), String::new());
            while lines.read_line(&mut line).expect("UTF-8") > 0 {
                read.extend(parse(&line));
                line.clear();
            }
            read
        });
        std::thread::sleep(Duration::from_millis(60 + random.below(400)));
        child.kill().expect("it still runs");
        child.wait().expect("it was killed");
        acknowledged.extend(reading.join().expect("no panic"));
        let journal = SqliteJournal::open(&folder.path().join("journal.sqlite")).expect("a journal");
        check(&journal, &acknowledged, (kill * RIVALS) as usize).await;
    }
    assert!(acknowledged.len() as u64 > KILLS * u64::from(GAMES), "{} entries", acknowledged.len());
    println!("{} acknowledged entries, {KILLS} kills: none lost", acknowledged.len());
}
