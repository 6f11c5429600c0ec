//! The part of the suite for every journal that is about the queue of ended games: whatever happens, each log gets one
//! verdict.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use canasta_engine::deal::GameId;
use canasta_proto::v1::GameStatus;
use canasta_recorder::entry::JournalEntry;
use canasta_recorder::journal::{At, GameLease, Journal, KeptVerdict, PlacedEntry, TRIES_MAX, store};

use super::random::Random;
use super::suite::{LIMIT, all, answered, encoded, entry_after};

/// Length of a lease, in ms.
const LEASE_MS: i64 = 30;

/// Appends an entry that ends the game. Returns it at its place.
pub async fn end<J: Journal>(journal: &J, game: GameId, random: &mut Random) -> PlacedEntry {
    let last = answered(|| journal.last(game)).await;
    let entry = entry_after(last.as_ref().map(|last| &last.entry), 0, random);
    let entry = JournalEntry { game_over: true, ..entry };
    let at = store(journal, game, last.as_ref(), &encoded(&entry), LIMIT, &mut 0).await.expect("no rival");
    PlacedEntry { at, entry }
}

pub fn verdict(of: &PlacedEntry, by: u8) -> KeptVerdict {
    KeptVerdict { head: of.entry.head, bytes: vec![by; 9] }
}

async fn status<J: Journal>(journal: &J, game: GameId) -> GameStatus {
    answered(|| journal.game(game)).await.expect("a summary").status()
}

async fn done<J: Journal>(journal: &J, game: GameId, verdict: &KeptVerdict, now_ms: i64) -> bool {
    answered(|| journal.done(game, verdict, now_ms)).await
}

/// Returns the game's lease at this time. If only the answer is lost, the lease runs out.
async fn leased<J: Journal>(journal: &J, now_ms: &mut i64) -> GameLease {
    loop {
        if let Ok(Some(lease)) = journal.lease(*now_ms, *now_ms + LEASE_MS).await {
            return lease;
        }
        *now_ms += LEASE_MS + 1;
    }
}

/// Lets rival auditors judge games. Some of them die with a lease.
pub async fn auditors<J: Journal>(journal: Arc<J>, seed: u64, games: u8, auditors: u8) {
    let (mut random, mut ends) = (Random(seed), Vec::new());
    for game in 1..=games {
        let game = GameId([game; 16]);
        for writer in 0..3 {
            let last = answered(|| journal.last(game)).await;
            let entry = entry_after(last.as_ref().map(|last| &last.entry), writer, &mut random);
            let stored = store(&*journal, game, last.as_ref(), &encoded(&entry), LIMIT, &mut 0).await;
            stored.expect("no rival");
        }
        ends.push((game, end(&*journal, game, &mut random).await));
    }
    let (clock, mut running) = (Arc::new(AtomicI64::new(1)), tokio::task::JoinSet::new());
    for by in 1..=auditors {
        let (journal, clock, mut random) =
            (Arc::clone(&journal), Arc::clone(&clock), Random(seed ^ u64::from(by)));
        running.spawn(async move {
            let (mut kept, mut silent) = (Vec::new(), 0);
            while silent < 40 {
                let now_ms = clock.fetch_add(1, Ordering::Relaxed);
                let Ok(Some(lease)) = journal.lease(now_ms, now_ms + LEASE_MS).await else {
                    silent += 1;
                    clock.fetch_add(LEASE_MS, Ordering::Relaxed);
                    continue;
                };
                silent = 0;
                if random.below(4) == 0 {
                    continue;
                }
                let last = answered(|| journal.last(lease.game)).await.expect("its end");
                let verdict = verdict(&last, by);
                if answered(|| journal.done(lease.game, &verdict, now_ms)).await {
                    kept.push((lease.game, verdict));
                }
            }
            kept
        });
    }
    let mut kept = Vec::new();
    while let Some(of_one) = running.join_next().await {
        kept.extend(of_one.expect("no panic"));
    }
    for (game, end) in &ends {
        let found = answered(|| journal.verdict(*game, None)).await.expect("a verdict");
        assert_eq!(found.head, end.entry.head);
        assert_eq!(status(&*journal, *game).await, GameStatus::Judged);
        let told: Vec<_> =
            kept.iter().filter(|(other, _)| other == game).map(|(_, verdict)| verdict).collect();
        assert!(told.len() <= 1, "two auditors were told that their verdict is kept");
        assert!(told.iter().all(|told| **told == found), "another verdict is kept");
    }
    assert!(kept.len() > ends.len() / 2, "most answers are not lost");
    for (game, end) in ends {
        dropped_before_readers(&journal, game, end.at, &mut random).await;
    }
}

/// Lets two rivals drop a judged game while others read it: whenever they ask, it has its summary and its verdict, its
/// status does not go back, and of its entries a read finds those that it asks for, or none.
async fn dropped_before_readers<J: Journal>(journal: &Arc<J>, game: GameId, upto: At, random: &mut Random) {
    let entries = all(&**journal, game).await;
    let drops = [0, 1].map(|_| {
        let journal = Arc::clone(journal);
        // Not as a method: an `Arc` has a `drop` of its own.
        tokio::spawn(async move { assert!(answered(|| J::drop(&journal, game, upto)).await) })
    });
    let (mut before, mut is_over) = (GameStatus::Judged, false);
    while !is_over {
        is_over = drops.iter().all(tokio::task::JoinHandle::is_finished);
        let now = status(&**journal, game).await;
        assert!(now >= before, "{now:?} after {before:?}");
        before = now;
        assert!(answered(|| journal.verdict(game, None)).await.is_some(), "{now:?} without a verdict");
        let from = random.below(4) as usize;
        let read = answered(|| journal.read(game, entries[from].entry.n, 9)).await;
        assert!(read.is_empty() || read == entries[from..], "a part of what was asked for");
        let back = answered(|| journal.read_back(game, entries[from].entry.n, 9)).await;
        assert!(
            back.is_empty() || back.iter().eq(entries[..=from].iter().rev()),
            "a part of what was asked for"
        );
    }
    assert_eq!(before, GameStatus::Archived);
    for drop in drops {
        drop.await.expect("no panic");
    }
}

/// Takes one game through the queue, step by step.
pub async fn steps<J: Journal>(journal: &J) {
    let (game, mut random, mut now_ms) = (GameId([1; 16]), Random(1), 1_000);
    let first = end(journal, game, &mut random).await;
    assert_eq!(status(journal, game).await, GameStatus::Finished);
    let lease = leased(journal, &mut now_ms).await;
    assert_eq!((lease.game, lease.tries), (game, 0));
    assert_eq!(answered(|| journal.lease(now_ms, now_ms + LEASE_MS)).await, None, "it is leased");
    // A lease that is extended runs out later; one that has run out is given again, and then is nobody else's.
    now_ms += LEASE_MS - 1;
    let until_ms = now_ms + LEASE_MS;
    let extended = answered(|| journal.extend(lease, until_ms)).await.expect("still ours");
    assert_eq!(answered(|| journal.lease(now_ms + 1, now_ms + 9)).await, None, "it is extended");
    now_ms = until_ms;
    let again = leased(journal, &mut now_ms).await;
    assert_eq!((again.game, again.tries), (game, 0), "a lease that runs out is no failure");
    assert_eq!(answered(|| journal.extend(extended, now_ms + 99)).await, None);
    answered(|| journal.fail(extended, now_ms)).await;
    // Five failures.
    let mut lease = again;
    for tries in 1..=TRIES_MAX {
        answered(|| journal.fail(lease, now_ms + 50)).await;
        assert_eq!(answered(|| journal.lease(now_ms + 49, now_ms + 60)).await, None, "not yet");
        if tries < TRIES_MAX {
            now_ms += 50;
            lease = leased(journal, &mut now_ms).await;
            assert_eq!(lease.tries, tries);
        }
    }
    assert_eq!(status(journal, game).await, GameStatus::Stuck);
    let figures = answered(|| journal.figures()).await;
    assert_eq!((figures.live, figures.stuck, figures.waiting_since_ms), (0, 1, None));
    assert_eq!(answered(|| journal.lease(i64::MAX - 1, i64::MAX)).await, None, "it is stuck");
    assert_eq!(all(journal, game).await.len(), 1, "and kept");
    // A later ruling.
    let second = end(journal, game, &mut random).await;
    let lease = leased(journal, &mut now_ms).await;
    assert_eq!(lease.tries, 0);
    assert!(done(journal, game, &verdict(&first, 1), 5).await, "the first log may be judged late");
    assert_eq!(status(journal, game).await, GameStatus::Finished, "the second still waits");
    assert_eq!(answered(|| journal.verdict(game, None)).await, Some(verdict(&first, 1)));
    assert!(done(journal, game, &verdict(&second, 2), 6).await);
    assert!(!done(journal, game, &verdict(&second, 3), 7).await, "it has its verdict");
    assert_eq!(answered(|| journal.verdict(game, None)).await, Some(verdict(&second, 2)));
    assert_eq!(answered(|| journal.verdict(game, Some(first.entry.head))).await, Some(verdict(&first, 1)));
    assert_eq!(answered(|| journal.verdict(game, Some([9; 32]))).await, None);
    assert_eq!(answered(|| journal.judged(5, 9)).await, []);
    assert_eq!(answered(|| journal.judged(6, 9)).await, [game]);
    assert_eq!(answered(|| journal.sweep()).await, 0);
    drops(journal, game, &second, &mut random).await;
}

/// Drops the entries of a game that was judged up to its entry `second`, and of others.
async fn drops<J: Journal>(journal: &J, game: GameId, second: &PlacedEntry, random: &mut Random) {
    let (other, live) = (GameId([2; 16]), GameId([3; 16]));
    end(journal, other, random).await;
    let third = end(journal, game, random).await;
    assert!(!answered(|| journal.drop(game, second.at)).await, "a later entry stands there");
    assert_eq!(all(journal, game).await.len(), 3);
    assert!(done(journal, game, &verdict(&third, 4), 8).await);
    answered(|| journal.requeue(game)).await;
    assert_eq!(status(journal, game).await, GameStatus::Finished);
    done(journal, game, &verdict(&third, 5), 9).await;
    assert!(answered(|| journal.drop(game, third.at)).await);
    assert_eq!(status(journal, game).await, GameStatus::Archived);
    assert_eq!(all(journal, game).await, []);
    assert_eq!(answered(|| journal.last(game)).await, None);
    assert_eq!(answered(|| journal.verdict(game, None)).await, Some(verdict(&third, 4)));
    let late = encoded(&entry_after(Some(&third.entry), 9, random));
    let refused = store(journal, game, Some(&third), &late, LIMIT, &mut 0).await;
    assert!(refused.is_err(), "an archived game gets no entries");
    assert_eq!(all(journal, other).await.len(), 1, "another game stays");
    let entry = entry_after(None, 0, random);
    let at = store(journal, live, None, &encoded(&entry), LIMIT, &mut 0).await.expect("a new game");
    let figures = answered(|| journal.figures()).await;
    assert_eq!((figures.live, figures.stuck, figures.waiting_since_ms), (1, 0, Some(0)), "{other:?} waits");
    assert!(answered(|| journal.drop(live, at)).await);
    assert_eq!(answered(|| journal.game(live)).await, None, "without a verdict nothing stays");
}
