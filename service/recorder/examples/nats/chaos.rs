//! Rivals write, lone writers write, auditors judge, and meanwhile servers are killed, frozen and started again, one after
//! the other and all at once. Then everything that was acknowledged is there, in a chain, with one winner at each place.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_recorder::journal::nats::NatsJournal;
use canasta_recorder::journal::{At, AuditQueue, Journal, KeptVerdict, STORE_LIMIT, StoreError, store};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::nodes::{NODES, Nodes};
use crate::queue;
use crate::random::Random;
use crate::suite::{Acknowledged, answered, check, encoded, entry_after};

/// Number of games with three rivals each, and of games with one writer each.
const GAMES: u8 = 12;
const RIVALS: u64 = 3;
/// Longest time for which a live majority may answer nobody.
const SILENCE: Duration = Duration::from_secs(10);
/// Time between two faults, and for which a server is frozen.
const CALM: Duration = Duration::from_secs(3);
const FROZEN: Duration = Duration::from_secs(5);

/// The journal that all writers use, and their counters.
struct Shared {
    journal: NatsJournal,
    has_ended: AtomicBool,
    /// True once nobody writes any more.
    is_written: AtomicBool,
    /// When the last entry was acknowledged, and the longest time without one, in ms since the start.
    last_ms: AtomicU64,
    silence_ms: AtomicU64,
    doubts: AtomicU64,
    start: Instant,
}

impl Shared {
    fn acknowledge(&self) {
        let now_ms = self.start.elapsed().as_millis() as u64;
        let before = self.last_ms.fetch_max(now_ms, Ordering::SeqCst);
        self.silence_ms.fetch_max(now_ms.saturating_sub(before), Ordering::SeqCst);
    }
}

/// Entries that a writer knows of.
#[derive(Default)]
struct Written {
    acknowledged: Vec<Acknowledged>,
    unknown: usize,
}

pub async fn run(program: &Path, time: Duration) {
    let mut nodes = Nodes::start(program);
    let shared = Arc::new(Shared {
        journal: nodes.journal(3).await,
        has_ended: AtomicBool::new(false),
        is_written: AtomicBool::new(false),
        last_ms: AtomicU64::new(0),
        silence_ms: AtomicU64::new(0),
        doubts: AtomicU64::new(0),
        start: Instant::now(),
    });
    let seed = u64::from(std::process::id());
    println!("seed {seed}, {} s", time.as_secs());
    let mut writers = JoinSet::new();
    for game in 1..=2 * GAMES {
        for rival in 0..if game <= GAMES { RIVALS } else { 1 } {
            let shared = Arc::clone(&shared);
            let random = Random(seed ^ u64::from(game) << 32 ^ rival);
            writers.spawn(async move { write(&shared, GameId([game; 16]), rival, random).await });
        }
    }
    let mut judges = JoinSet::new();
    for by in 1..=3 {
        let shared = Arc::clone(&shared);
        judges.spawn(async move { judge(&shared, by, Random(seed ^ u64::from(by) << 16)).await });
    }
    let follower = tokio::spawn(follow(Arc::clone(&shared)));
    let ender = tokio::spawn(end_games(Arc::clone(&shared), Random(seed ^ 5)));
    harm(&mut nodes, time).await;
    shared.has_ended.store(true, Ordering::SeqCst);
    let (mut all, mut unknown) = (Vec::new(), 0);
    while let Some(written) = writers.join_next().await {
        let Written { acknowledged, unknown: more } = written.expect("no panic");
        (all, unknown) = ([all, acknowledged].concat(), unknown + more);
    }
    let ended = ender.await.expect("no panic");
    shared.is_written.store(true, Ordering::SeqCst);
    let followed = follower.await.expect("no panic");
    let mut kept = Vec::new();
    while let Some(judged) = judges.join_next().await {
        kept.extend(judged.expect("no panic"));
    }
    check(&shared.journal, &all, unknown).await;
    let missed: Vec<_> =
        all.iter().filter(|(game, n, head)| !followed.contains(&(game.0, *n, *head))).collect();
    assert!(missed.is_empty(), "acknowledged, but not followed: {missed:?}");
    for game in &ended {
        let found = answered(|| shared.journal.verdict(*game, None)).await;
        let told: Vec<_> =
            kept.iter().filter(|(other, _)| other == game).map(|(_, verdict)| verdict).collect();
        assert!(told.len() <= 1, "two auditors were told that their verdict on {game:?} is kept");
        assert!(told.iter().all(|told| found.as_ref() == Some(*told)), "another verdict is kept");
        assert!(found.is_some(), "{game:?} has no verdict");
    }
    let silence_ms = shared.silence_ms.load(Ordering::SeqCst);
    println!(
        "{} entries acknowledged, {unknown} given up as unknown, {} appends in doubt; {} verdicts; longest silence {} ms",
        all.len(),
        shared.doubts.load(Ordering::SeqCst),
        ended.len(),
        silence_ms
    );
    assert!(u128::from(silence_ms) <= SILENCE.as_millis(), "a majority lived, and nobody was answered");
    assert!(all.len() as u64 > 20 * time.as_secs(), "the writers were heard most of the time");
}

async fn write(shared: &Shared, game: GameId, writer: u64, mut random: Random) -> Written {
    let mut written = Written::default();
    while !shared.has_ended.load(Ordering::SeqCst) {
        let last = answered(|| shared.journal.last(game)).await;
        let entry = entry_after(last.as_ref().map(|last| &last.entry), writer, &mut random);
        let mut doubts = 0;
        let stored =
            store(&shared.journal, game, last.as_ref(), &encoded(&entry), STORE_LIMIT, &mut doubts).await;
        shared
            .doubts
            .fetch_add(u64::from(doubts > 0 && stored != Err(StoreError::Conflict)), Ordering::SeqCst);
        match stored {
            Ok(_) => {
                shared.acknowledge();
                written.acknowledged.push((game, entry.n, entry.head));
            }
            Err(StoreError::Conflict) => {}
            Err(StoreError::Unavailable) => written.unknown += 1,
            Err(error) => panic!("{error}"),
        }
    }
    written
}

/// Follows all shards as each recorder does, which queues the games whose end was stored by a recorder that died then. Ends
/// when no writer writes and everything is read.
async fn follow(shared: Arc<Shared>) -> BTreeSet<([u8; 16], u64, [u8; 32])> {
    let (journal, mut followed) = (&shared.journal, BTreeSet::new());
    let mut reached: Vec<At> = (0..journal.shards()).map(|_| At(0)).collect();
    loop {
        let is_last = shared.is_written.load(Ordering::SeqCst);
        for (shard, after) in (0..).zip(&mut reached) {
            let end = answered(|| journal.end(shard)).await;
            while *after < end {
                let page = answered(|| journal.follow(shard, *after, 1_000)).await;
                followed.extend(page.entries.iter().map(|entry| (entry.game.0, entry.end.n, entry.end.head)));
                *after = page.upto;
            }
        }
        if is_last {
            return followed;
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Ends one game after the other.
async fn end_games(shared: Arc<Shared>, mut random: Random) -> Vec<GameId> {
    let mut ended = Vec::new();
    while !shared.has_ended.load(Ordering::SeqCst) && ended.len() < 100 {
        let game = GameId([100 + ended.len() as u8; 16]);
        queue::end(&shared.journal, game, &mut random).await;
        ended.push(game);
        sleep(Duration::from_millis(200)).await;
    }
    ended
}

/// Judges what waits, until nothing has for long. Some leases are left as a dying auditor leaves them.
async fn judge(shared: &Shared, by: u8, mut random: Random) -> Vec<(GameId, KeptVerdict)> {
    let (mut kept, mut idle) = (Vec::new(), 0);
    while idle < 40 {
        let now_ms = shared.start.elapsed().as_millis() as i64;
        let Ok(Some(lease)) = shared.journal.lease(now_ms, now_ms + 1_000).await else {
            idle += u32::from(shared.has_ended.load(Ordering::SeqCst));
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        idle = 0;
        if random.below(4) == 0 {
            continue;
        }
        let last = answered(|| shared.journal.last(lease.game)).await.expect("its end");
        let verdict = queue::verdict(&last, by);
        // An answer that is lost may have been yes: then a repetition says no.
        if let Ok(true) = shared.journal.done(lease.game, &verdict, now_ms).await {
            kept.push((lease.game, verdict));
        }
    }
    kept
}

/// Kills or freezes one server after the other, and in the end all at once.
async fn harm(nodes: &mut Nodes, time: Duration) {
    let ends = Instant::now() + time;
    for round in 0.. {
        sleep(CALM).await;
        if Instant::now() >= ends {
            break;
        }
        let node = round % NODES;
        if round % 2 == 0 {
            nodes.kill(node);
            sleep(Duration::from_secs(1)).await;
            nodes.begin(node);
        } else {
            nodes.freeze(node, true);
            sleep(FROZEN).await;
            nodes.freeze(node, false);
        }
    }
    (0..NODES).for_each(|node| nodes.kill(node));
    (0..NODES).for_each(|node| nodes.begin(node));
    sleep(CALM).await;
}
