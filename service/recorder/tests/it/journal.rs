//! One suite for every journal.

use std::sync::Arc;
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_proto::v1::GameStatus;
use canasta_recorder::entry::JournalEntry;
use canasta_recorder::journal::sqlite::SqliteJournal;
use canasta_recorder::journal::{Appended, At, AuditQueue, GameList, Journal, ReadError, StoreError, store};
use tokio::time::timeout;

use crate::support::memory::MemoryJournal;
use crate::support::queue;
use crate::support::random::Random;
use crate::support::suite::{LIMIT, encoded, entry_after, rivals};

/// Returns a seed and prints it: a failed test shows it.
fn seed() -> u64 {
    let seed = u64::from(std::process::id()) << 20;
    println!("seed {seed}");
    seed
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_journal_in_memory_keeps_what_it_acknowledges() {
    rivals(Arc::new(MemoryJournal::new(1, 0)), 1, 8, 3, 40).await;
}

/// Runs the suite with every fault. The clock stands still while anything is left to do, so pauses take no time.
#[tokio::test(start_paused = true)]
async fn a_journal_with_every_fault_keeps_what_it_acknowledges() {
    for seed in [seed(), 2, 3, 4] {
        rivals(Arc::new(MemoryJournal::new(seed, 20)), seed, 12, 3, 50).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_keeps_what_it_acknowledges() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = SqliteJournal::open(&folder.path().join("journal.sqlite")).expect("a new journal");
    rivals(Arc::new(journal), seed(), 24, 3, 25).await;
}

/// Judges ended games by rival auditors. With faults, the clock stands still while anything is left to do.
#[tokio::test(start_paused = true)]
async fn each_log_gets_one_verdict_from_a_journal_in_memory() {
    for (seed, faults) in [(1, 0), (seed(), 20), (2, 20), (3, 20)] {
        queue::auditors(Arc::new(MemoryJournal::new(seed, faults)), seed, 40, 3).await;
    }
    queue::steps(&MemoryJournal::new(1, 0)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_log_gets_one_verdict_from_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = SqliteJournal::open(&folder.path().join("rivals.sqlite")).expect("a new journal");
    queue::auditors(Arc::new(journal), seed(), 40, 3).await;
    let journal = SqliteJournal::open(&folder.path().join("steps.sqlite")).expect("a new journal");
    queue::steps(&journal).await;
}

/// Opens a journal of version 1, which an earlier recorder would have made, with a damaged entry.
#[tokio::test]
async fn a_journal_of_version_1_is_migrated() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("journal.sqlite");
    let mut random = Random(7);
    let old = rusqlite::Connection::open(&file).expect("a new file");
    old.execute_batch(
        "CREATE TABLE games (id BLOB PRIMARY KEY, pos INTEGER NOT NULL) WITHOUT ROWID;
         CREATE TABLE entries (pos INTEGER PRIMARY KEY AUTOINCREMENT, game BLOB NOT NULL, n INTEGER NOT NULL,
             entry BLOB NOT NULL, UNIQUE (game, n));
         PRAGMA user_version = 1;",
    )
    .expect("the tables of version 1");
    let (live, ended) = (GameId([1; 16]), GameId([2; 16]));
    let first = entry_after(None, 0, &mut random);
    let last = JournalEntry { game_over: true, ..entry_after(Some(&first), 0, &mut random) };
    let mut damaged = encoded(&last).bytes.to_vec();
    damaged[9] ^= 1;
    for (pos, game, entry, bytes) in [
        (1, live, &first, encoded(&first).bytes.to_vec()),
        (2, ended, &first, encoded(&first).bytes.to_vec()),
        (3, ended, &last, encoded(&last).bytes.to_vec()),
        (4, live, &last, damaged),
    ] {
        let row = rusqlite::params![pos, game.0, entry.n as i64, bytes];
        old.execute("INSERT INTO entries VALUES (?1, ?2, ?3, ?4)", row).expect("a row");
        let row = rusqlite::params![game.0, pos];
        old.execute("INSERT OR REPLACE INTO games VALUES (?1, ?2)", row).expect("a row");
    }
    drop(old);
    for _ in 0..2 {
        let journal = SqliteJournal::open(&file).expect("a journal");
        let games = journal.games(None, 9).await.expect("readable");
        let told: Vec<_> = games.iter().map(|game| (game.game_id.clone(), game.status())).collect();
        let expected = [(live, GameStatus::Live), (ended, GameStatus::Finished)];
        assert_eq!(told, expected.map(|(id, status)| (id.0.to_vec(), status)));
        assert_eq!(games[1].log_end.as_ref().map(|end| end.n), Some(last.n));
        let leased = journal.lease(1, 2).await.expect("readable");
        assert!(leased.is_none_or(|lease| lease.game == ended), "the game that has ended waits");
        let damage = journal.last(live).await.expect_err("it is damaged");
        assert!(matches!(damage, ReadError::Damaged { at: At(4), .. }), "{damage}");
    }
}

#[tokio::test]
async fn what_was_stored_is_there_after_a_new_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("journal.sqlite");
    let (game, mut random) = (GameId([5; 16]), Random(5));
    let first = entry_after(None, 0, &mut random);
    let journal = SqliteJournal::open(&file).expect("a new journal");
    store(&journal, game, None, &encoded(&first), LIMIT, &mut 0).await.expect("room");
    drop(journal);
    let journal = SqliteJournal::open(&file).expect("the same journal");
    let last = journal.last(game).await.expect("readable").expect("stored");
    assert_eq!(last.entry, first);
    let second = entry_after(Some(&first), 0, &mut random);
    store(&journal, game, Some(&last), &encoded(&second), LIMIT, &mut 0).await.expect("the next place");
    let rival = entry_after(Some(&first), 1, &mut random);
    let lost = store(&journal, game, Some(&last), &encoded(&rival), LIMIT, &mut 0).await;
    assert_eq!(lost, Err(StoreError::Conflict));
}

/// Checks that a store whose journal never answers gives up at its limit.
#[tokio::test(start_paused = true)]
async fn a_journal_that_does_not_answer_is_given_up() {
    let journal = MemoryJournal::new(1, 100);
    let entry = entry_after(None, 0, &mut Random(1));
    let (game, entry, limit) = (GameId([1; 16]), encoded(&entry), Duration::from_secs(8));
    let within = async |ms| {
        timeout(Duration::from_millis(ms), store(&journal, game, None, &entry, limit, &mut 0)).await
    };
    assert!(within(7_999).await.is_err(), "it still tries");
    assert_eq!(within(8_001).await, Ok(Err(StoreError::Unavailable)));
}

/// Leaves an append in doubt in each way: what the journal holds decides.
#[tokio::test(start_paused = true)]
async fn each_doubt_is_resolved_by_what_stands_there() {
    let game = GameId([1; 16]);
    for is_ours_stored in [true, false] {
        for is_followed in [true, false] {
            let (journal, mut random) = (MemoryJournal::new(3, 0), Random(9));
            let first = entry_after(None, 0, &mut random);
            assert_eq!(journal.put(game, None, &encoded(&first)), Appended::Stored(first_at()));
            let before = journal.last(game).await.expect("readable").expect("stored");
            let (ours, rival) =
                (entry_after(Some(&first), 1, &mut random), entry_after(Some(&first), 2, &mut random));
            let (there, expected) = if is_ours_stored { (&ours, true) } else { (&rival, false) };
            let Appended::Stored(at) = journal.put(game, Some(before.at), &encoded(there)) else { panic!() };
            if is_followed {
                let next = entry_after(Some(there), 3, &mut random);
                journal.put(game, Some(at), &encoded(&next));
            }
            // The journal says doubt at first, and afterwards conflict: it has another last entry.
            let doubtful = journal.doubtful();
            let stored = store(&doubtful, game, Some(&before), &encoded(&ours), LIMIT, &mut 0).await;
            let found = if expected { Ok(at) } else { Err(StoreError::Conflict) };
            assert_eq!(stored, found, "ours {is_ours_stored}, followed {is_followed}");
        }
    }
}

/// Lets a rival store an entry with the head of ours: two changes of settings may have one note. It is not ours.
#[tokio::test(start_paused = true)]
async fn a_head_alone_does_not_show_whose_entry_it_is() {
    let (journal, game, mut random) = (MemoryJournal::new(3, 0), GameId([1; 16]), Random(9));
    let first = entry_after(None, 0, &mut random);
    journal.put(game, None, &encoded(&first));
    let before = journal.last(game).await.expect("readable").expect("stored");
    let ours = entry_after(Some(&first), 1, &mut random);
    let rival = JournalEntry { state: vec![8; 340], ..ours.clone() };
    journal.put(game, Some(before.at), &encoded(&rival));
    let doubtful = journal.doubtful();
    let stored = store(&doubtful, game, Some(&before), &encoded(&ours), LIMIT, &mut 0).await;
    assert_eq!(stored, Err(StoreError::Conflict));
}

fn first_at() -> At {
    At(1)
}
