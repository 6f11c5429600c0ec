//! Marks: a journal that has lost what it had acknowledged is refused, and the loss is told.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::seat::Seat;
use canasta_proto::v1::{GameSummary, Role};
use canasta_recorder::archive::GameArchive;
use canasta_recorder::entry::JournalEntry;
use canasta_recorder::journal::{Appended, At, AuditQueue, GameList, Journal, PlacedEnd, store};
use canasta_recorder::marks::{MarkFault, MarkKeeper, MarkKeys, MarkPlace, ShardMark, accept_loss};
use canasta_recorder::outages::Outages;
use canasta_recorder::server;
use canasta_serve::signer::{CheckpointSigner, SignedNoteKey};
use canasta_service::program::random;
use tonic::Code;

use crate::support::game::{reason, role};
use crate::support::memory::MemoryJournal;
use crate::support::queue;
use crate::support::random::Random;
use crate::support::server::{Recorder, opened, settings};
use crate::support::suite::{LIMIT, encoded, entry_after};

/// Returns the time of the tests, in ms since 1970. Every call takes a second.
fn clock() -> i64 {
    static NOW_MS: AtomicI64 = AtomicI64::new(1_700_000_000_000);
    NOW_MS.fetch_add(1_000, Ordering::SeqCst)
}

/// A folder with an archive and a key for marks.
struct MarkFolder {
    folder: tempfile::TempDir,
    keys: MarkKeys,
}

impl MarkFolder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let key = folder.path().join("signing.key");
        let text = CheckpointSigner::generate("canasta-recorder", random).expect("randomness");
        std::fs::write(&key, &*text).expect("room");
        let mode = |mode| std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(&key, mode(0o600)).expect("a file of our own");
        let signer = CheckpointSigner::read(&key).expect("a key");
        let accepted = vec![SignedNoteKey::parse(&signer.verifier()).expect("a key")];
        std::fs::create_dir(folder.path().join("archive")).expect("room");
        std::fs::set_permissions(folder.path().join("archive"), mode(0o700)).expect("a folder of our own");
        Self { folder, keys: MarkKeys { signer, accepted } }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn place(&self, journal: Arc<impl Journal>) -> MarkPlace {
        let archive = GameArchive::in_folder(&self.path("archive")).expect("a folder");
        MarkPlace { journal, archive, keys: self.keys.clone(), clock }
    }

    async fn keeper(&self, journal: &Arc<impl Journal>) -> Result<MarkKeeper, MarkFault> {
        MarkKeeper::open(self.place(Arc::clone(journal))).await
    }

    /// Lets a recorder keep marks for some seconds.
    async fn mark(&self, keeper: MarkKeeper, seconds: u64) {
        let lock = std::fs::File::options().create(true).append(true).read(true).open(self.path("lock"));
        let outages = Outages::beside(lock.expect("a file")).expect("a file");
        let time = Duration::from_millis(seconds * 1_000 + 500);
        let ended = tokio::time::timeout(time, keeper.run(Arc::new(outages))).await;
        assert!(ended.is_err(), "marks are kept for ever");
    }

    fn marks(&self) -> Vec<ShardMark> {
        let mut paths: Vec<_> = std::fs::read_dir(self.path("archive/marks/00"))
            .map(|files| files.map(|file| file.expect("a file").path()).collect())
            .unwrap_or_default();
        paths.sort_unstable();
        let read = |path: &PathBuf| std::fs::read(path).expect("a mark");
        paths.iter().map(|path| ShardMark::read(&read(path), &self.keys.accepted).expect("signed")).collect()
    }
}

/// Appends what seat 0 plays in a game.
async fn play<J: Journal>(journal: &J, game: u8, entries: u32, random: &mut Random) -> JournalEntry {
    let mut played = None;
    for _ in 0..entries {
        let last = journal.last(GameId([game; 16])).await.expect("readable");
        let entry = entry_after(last.as_ref().map(|last| &last.entry), 1, random);
        let entry = JournalEntry { actor: As::Seat(Seat(0)), ..entry };
        store(journal, GameId([game; 16]), last.as_ref(), &encoded(&entry), LIMIT, &mut 0)
            .await
            .expect("room");
        played = Some(entry);
    }
    played.expect("an entry")
}

/// Returns a journal with the same entries at the same positions.
async fn copied(journal: &MemoryJournal) -> Arc<MemoryJournal> {
    let copy = MemoryJournal::new(2, 0);
    let page = journal.follow(0, At(0), 1_000).await.expect("readable");
    for followed in page.entries {
        let entry = journal.read(followed.game, followed.end.n, 1).await.expect("readable").remove(0);
        let after = copy.last(followed.game).await.expect("readable").map(|last| last.at);
        assert_eq!(copy.put(followed.game, after, &encoded(&entry.entry)), Appended::Stored(entry.at));
    }
    Arc::new(copy)
}

/// Restores a backup: its journal lacks the last records of two games, and a whole third game.
#[tokio::test(start_paused = true)]
async fn an_old_backup_is_refused_until_the_loss_is_accepted() {
    let (folder, mut random) = (MarkFolder::new(), Random(1));
    let journal = Arc::new(MemoryJournal::new(1, 0));
    folder.mark(folder.keeper(&journal).await.expect("no marks yet"), 1).await;
    play(&*journal, 1, 3, &mut random).await;
    let two = play(&*journal, 2, 2, &mut random).await;
    let backup = copied(&journal).await;
    let after = play(&*journal, 2, 2, &mut random).await;
    play(&*journal, 3, 2, &mut random).await;
    folder.mark(folder.keeper(&journal).await.expect("marks"), 6).await;
    assert_eq!(folder.keeper(&journal).await.expect("marks").status().loss(0), None, "nothing is lost");
    let marks = folder.marks();
    assert_eq!(marks.last().map(|mark| (mark.position.0, mark.games.len())), Some((9, 3)));

    let restored = backup;
    let keeper = folder.keeper(&restored).await.expect("marks");
    let loss = keeper.status().loss(0).expect("records are missing");
    assert!(loss > after.n - two.n, "those of game 2, and the whole game 3: {loss:?}");
    folder.mark(keeper, 5).await;
    assert_eq!(folder.marks().len(), marks.len(), "a refused shard gets no marks");
    // Played on, the journal is as long as it was, and still not the same.
    play(&*restored, 2, 9, &mut random).await;
    let keeper = folder.keeper(&restored).await.expect("marks");
    assert!(keeper.status().loss(0).is_some_and(|loss| loss >= 2));

    let last = marks.last().expect("marks").number;
    let place = folder.place(Arc::clone(&restored));
    let refused = accept_loss(&place, 0, last - 1).await;
    assert_eq!(refused, Err(MarkFault::NotLast { shard: 0, last, named: last - 1 }));
    assert_eq!(accept_loss(&place, 0, last).await, Ok(last + 1));
    // The running recorder hears of it, and one that starts does.
    let status = keeper.status().clone();
    folder.mark(keeper, 2).await;
    assert_eq!(status.loss(0), None);
    play(&*restored, 4, 2, &mut random).await;
    folder.mark(folder.keeper(&restored).await.expect("marks"), 6).await;
    assert_eq!(folder.keeper(&restored).await.expect("marks").status().loss(0), None);
    assert!(folder.marks().last().is_some_and(|mark| mark.number > last + 1), "marks go on");
}

/// Lets two recorders keep marks of one journal, of which one ends.
#[tokio::test(start_paused = true)]
async fn marks_are_linear_and_the_next_recorder_takes_over() {
    let (folder, mut random) = (MarkFolder::new(), Random(2));
    let journal = Arc::new(MemoryJournal::new(1, 0));
    let (one, other) =
        (folder.keeper(&journal).await.expect("none"), folder.keeper(&journal).await.expect("none"));
    let playing = async {
        for _ in 0..20 {
            play(&*journal, 1, 1, &mut random).await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::join!(folder.mark(one, 10), folder.mark(other, 25), playing);
    let marks = folder.marks();
    assert!(marks.len() > 6, "{}", marks.len());
    for pair in marks.windows(2) {
        let sign = |mark: &ShardMark| mark.sign(&folder.keys.signer).into_bytes();
        let digest: [u8; 32] =
            sha2::Digest::finalize(<sha2::Sha256 as sha2::Digest>::new_with_prefix(sign(&pair[0]))).into();
        assert_eq!((pair[1].number, pair[1].previous), (pair[0].number + 1, digest));
        assert!(pair[0].position < pair[1].position && pair[0].time_ms < pair[1].time_ms);
    }
    assert_eq!(marks.last().map(|mark| mark.position), journal.end(0).await.ok(), "all is marked in the end");
}

/// Flips every bit of the last mark. Each flip is found, and so is a mark that another key has signed.
#[tokio::test]
async fn a_mark_that_was_changed_is_none() {
    let (folder, journal) = (MarkFolder::new(), Arc::new(MemoryJournal::new(1, 0)));
    play(&*journal, 1, 2, &mut Random(3)).await;
    let mark = ShardMark {
        shard: 0,
        number: 1,
        previous: [0; 32],
        time_ms: 0,
        position: journal.end(0).await.expect("readable"),
        accepts_loss: false,
        games: Default::default(),
    };
    let path = folder.path("archive/marks/00/000000000001");
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("room");
    let bytes = mark.sign(&folder.keys.signer).into_bytes();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, flipped).expect("room");
        let opened = folder.keeper(&journal).await;
        assert!(matches!(opened, Err(MarkFault::Foreign { .. })), "bit {bit}");
    }
    std::fs::write(&path, mark.sign(&MarkFolder::new().keys.signer)).expect("room");
    assert!(matches!(folder.keeper(&journal).await, Err(MarkFault::Foreign { .. })));
    std::fs::write(&path, &bytes).expect("room");
    assert!(folder.keeper(&journal).await.is_ok());
    let late = ShardMark { time_ms: clock() + 100_000, ..mark };
    std::fs::write(&path, late.sign(&folder.keys.signer)).expect("room");
    assert!(matches!(folder.keeper(&journal).await, Err(MarkFault::Clock { .. })), "the clock was set back");
}

/// Starts with a clock that is behind the last mark by 60 s, and by a millisecond more.
#[tokio::test]
async fn a_clock_may_be_a_minute_behind_the_last_mark() {
    const NOW_MS: i64 = 1_700_000_000_000;
    let (folder, journal) = (MarkFolder::new(), Arc::new(MemoryJournal::new(1, 0)));
    play(&*journal, 1, 2, &mut Random(3)).await;
    let path = folder.path("archive/marks/00/000000000001");
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("room");
    for (behind_ms, is_served) in [(59_000, true), (60_000, true), (60_001, false), (61_000, false)] {
        let mark = ShardMark {
            shard: 0,
            number: 1,
            previous: [0; 32],
            time_ms: NOW_MS + behind_ms,
            position: journal.end(0).await.expect("readable"),
            accepts_loss: false,
            games: Default::default(),
        };
        std::fs::write(&path, mark.sign(&folder.keys.signer)).expect("room");
        let place = MarkPlace { clock: || NOW_MS, ..folder.place(Arc::clone(&journal)) };
        let opened = MarkKeeper::open(place).await;
        assert_eq!(opened.is_ok(), is_served, "{behind_ms} ms behind");
        let is_of_clock = opened.err().is_none_or(|fault| matches!(fault, MarkFault::Clock { .. }));
        assert!(is_of_clock, "{behind_ms} ms behind");
    }
}

/// Drops a game behind its verdict, and one that nobody has played: neither is missing.
#[tokio::test(start_paused = true)]
async fn dropped_games_are_not_missing() {
    let (folder, mut random) = (MarkFolder::new(), Random(4));
    let journal = Arc::new(MemoryJournal::new(1, 0));
    folder.mark(folder.keeper(&journal).await.expect("none"), 1).await;
    let (judged, unplayed) = (GameId([1; 16]), GameId([2; 16]));
    play(&*journal, 1, 3, &mut random).await;
    let end = queue::end(&*journal, judged, &mut random).await;
    let entry = entry_after(None, 0, &mut random);
    let at = store(&*journal, unplayed, None, &encoded(&entry), LIMIT, &mut 0).await.expect("room");
    folder.mark(folder.keeper(&journal).await.expect("marks"), 6).await;
    assert!(journal.done(judged, &queue::verdict(&end, 1), 1).await.expect("readable"));
    assert!(GameList::drop(&*journal, judged, end.at).await.expect("readable"));
    assert!(GameList::drop(&*journal, unplayed, at).await.expect("readable"));
    assert_eq!(journal.game(unplayed).await.expect("readable"), None::<GameSummary>);
    assert_eq!(folder.keeper(&journal).await.expect("marks").status().loss(0), None);
}

/// Calls a recorder whose journal lacks what its marks tell of.
#[tokio::test]
async fn callers_hear_that_records_are_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let settings = settings(&[]);
    let mut opened = opened(&data, &settings.config);
    let place = server::mark_place(&opened, &settings.config, clock).expect("keys");
    let games = [([7; 16], PlacedEnd { at: At(5), n: 30, head: [1; 32], game_over: false })];
    let mark = ShardMark {
        shard: 0,
        number: 1,
        previous: [0; 32],
        time_ms: 0,
        position: At(5),
        accepts_loss: false,
        games: games.into(),
    };
    place.archive.put(&ShardMark::path(0, 1), mark.sign(&place.keys.signer).as_bytes()).await.expect("room");
    server::check_archive(&mut opened, &settings.config, clock).await.expect("marks");
    let recorder = Recorder::start_with(opened, &[]).await;
    let mut client = recorder.client().await;
    let refused = client.get_game(&[7; 16], role(Role::Director)).await.expect_err("the shard is refused");
    assert_eq!((refused.code(), reason(&refused)), (Code::DataLoss, "RECORDS_MISSING".to_owned()));
    recorder.stop().await;
}
