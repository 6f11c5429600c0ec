//! Throughput of the journal beside a bare file that is synced per 64 entries, in alternation.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use canasta_engine::deal::GameId;
use canasta_recorder::journal::nats::NatsJournal;
use canasta_recorder::journal::{PlacedEntry, STORE_LIMIT, store};
use tokio::task::JoinSet;

use crate::nodes::Nodes;
use crate::random::Random;
use crate::suite::{encoded, entry_after};

const WRITERS: u8 = 64;
/// Number of entries that are synced together in the bare file.
const GROUP: usize = 64;
const TIME: Duration = Duration::from_secs(3);
const PAIRS: usize = 7;
/// Number of games whose memory is measured.
const GAMES: u32 = 64_000;

pub async fn run(program: &Path) {
    let nodes = Nodes::start(program);
    let journal = Arc::new(nodes.journal(1).await);
    let mut ratios = Vec::new();
    for pair in 0..PAIRS {
        let (stored, mut times) = appends(&journal, pair as u8).await;
        times.sort_unstable();
        let bare = bare(&nodes.folder().join("bare"));
        let at = |permille: usize| times[(times.len() - 1) * permille / 1000].as_secs_f64() * 1e3;
        println!(
            "pair {pair}: {stored} entries/s, p50 {:.1} ms, p99 {:.1} ms; bare file {bare} entries/s; ratio {:.2}",
            at(500),
            at(990),
            stored as f64 / bare as f64
        );
        ratios.push(stored as f64 / bare as f64);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median ratio {:.2} (goal 0.2)", ratios[PAIRS / 2]);
    sizes(&nodes, &journal).await;
}

/// Fills the journal with games of one entry, and prints the memory and disk that games and entries take.
async fn sizes(nodes: &Nodes, journal: &Arc<NatsJournal>) {
    let before = nodes.memory_kib();
    let mut writers = JoinSet::new();
    for writer in 0..u32::from(WRITERS) {
        let journal = Arc::clone(journal);
        writers.spawn(async move {
            for number in 0..GAMES / u32::from(WRITERS) {
                let id = u128::from(writer + 1) << 64 | u128::from(number);
                // Ids are spread over all first bytes, as those of recorders are.
                let game = GameId(id.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).to_be_bytes());
                let entry = encoded(&entry_after(None, 0, &mut Random(1)));
                store(&*journal, game, None, &entry, STORE_LIMIT, &mut 0).await.expect("no rival");
            }
        });
    }
    while let Some(written) = writers.join_next().await {
        written.expect("no panic");
    }
    let after = nodes.memory_kib();
    let more: Vec<_> =
        before.iter().zip(&after).map(|(a, b)| (b.saturating_sub(*a)) * 1024 / u64::from(GAMES)).collect();
    println!("{GAMES} games more: {more:?} bytes of memory per game on each server, now {after:?} KiB");
    let stream = nodes.context().await.get_stream("CANASTA-00").await.expect("the stream of games");
    let state = &stream.cached_info().state;
    let entry = encoded(&entry_after(None, 0, &mut Random(1))).bytes.len();
    println!(
        "{} entries in {} games: {} bytes of disk per entry of {entry} bytes, on each server",
        state.messages,
        state.subjects_count,
        state.bytes / state.messages
    );
}

/// Appends with many lone writers. Returns entries per second, and the time of each.
async fn appends(journal: &Arc<NatsJournal>, round: u8) -> (u64, Vec<Duration>) {
    let (mut writers, began) = (JoinSet::new(), Instant::now());
    for writer in 0..WRITERS {
        let journal = Arc::clone(journal);
        writers.spawn(async move {
            let (mut random, mut times) = (Random(u64::from(writer)), Vec::new());
            let game = GameId(u128::from_be_bytes([writer; 16]).wrapping_add(round.into()).to_be_bytes());
            let mut last: Option<PlacedEntry> = None;
            while began.elapsed() < TIME {
                let entry = entry_after(last.as_ref().map(|last| &last.entry), 0, &mut random);
                let start = Instant::now();
                let at = store(&*journal, game, last.as_ref(), &encoded(&entry), STORE_LIMIT, &mut 0).await;
                times.push(start.elapsed());
                last = Some(PlacedEntry { at: at.expect("no rival"), entry });
            }
            times
        });
    }
    let mut times = Vec::new();
    while let Some(of_one) = writers.join_next().await {
        times.extend(of_one.expect("no panic"));
    }
    (times.len() as u64 * 1000 / began.elapsed().as_millis() as u64, times)
}

/// Writes entries of the same size to a file, and syncs it per group. Returns entries per second.
fn bare(path: &Path) -> u64 {
    let bytes = encoded(&entry_after(None, 0, &mut Random(1))).bytes;
    let mut file = File::create(path).expect("a folder of our own");
    let (began, mut written) = (Instant::now(), 0);
    while began.elapsed() < TIME {
        for _ in 0..GROUP {
            file.write_all(&bytes).expect("room");
        }
        file.sync_data().expect("a disk");
        written += GROUP as u64;
    }
    written * 1000 / began.elapsed().as_millis() as u64
}
