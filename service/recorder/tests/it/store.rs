//! The suite for every archive: a folder, and a bucket of S3.

use std::collections::BTreeSet;
use std::process::Command;

use canasta_engine::deal::GameId;
use canasta_proto::v1::{GameSummary, GameVerdict, LogEnd};
use canasta_recorder::archive::{
    ArchiveFault, ArchiveSettings, ArchivedGame, GameArchive, ObjectDigests, ObjectPaths,
};
use tempfile::TempDir;

use crate::support::random::Random;
use crate::support::s3::{Conduct, S3Server};

fn in_folder() -> (TempDir, GameArchive) {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = ArchiveSettings::default().open(&folder.path().join("archive"));
    (folder, archive.expect("a folder of its own"))
}

async fn in_bucket() -> (TempDir, S3Server, GameArchive) {
    let (folder, server) = (tempfile::tempdir().expect("a folder"), S3Server::start().await);
    let archive = server.settings(folder.path()).open(folder.path()).expect("a client");
    (folder, server, archive)
}

/// Returns what an archive tells of a game whose judged log ends with record `n`.
fn told(game: GameId, n: u64) -> ArchivedGame {
    let head = [n as u8; 32];
    ArchivedGame {
        tables: Vec::new(),
        game,
        head,
        summary: GameSummary {
            game_id: game.0.into(),
            log_end: Some(LogEnd { n, seq: n, head: head.into() }),
            ..Default::default()
        },
        digests: ObjectDigests { log: [1; 32], verdict: [2; 32] },
        verdict: GameVerdict { judged_at_ms: n as i64, ..Default::default() },
    }
}

/// Puts all three objects of a judged log.
async fn put(archive: &GameArchive, game: GameId, n: u64) -> ArchivedGame {
    let told = told(game, n);
    let paths = ObjectPaths::of(game, &told.head);
    for (path, bytes) in
        [(&paths.log, b"log".to_vec()), (&paths.verdict, b"{}".to_vec()), (&paths.game, told.encode())]
    {
        assert_eq!(archive.put(path, &bytes).await.as_ref(), Ok(&bytes));
    }
    told
}

/// Puts and lists games in a random order, compares with a sorted set.
async fn suite(archive: &GameArchive) {
    let (mut random, mut games) = (Random(1), BTreeSet::new());
    for _ in 0..40 {
        // Some share their first byte, and so their folder.
        let first = [0, 7, 7, 0xfe, 0xff][random.below(5) as usize];
        let mut id = [0; 16];
        id[0] = first;
        id[8..].copy_from_slice(&random.next().to_be_bytes());
        games.insert(id);
        put(archive, GameId(id), 1 + random.below(9)).await;
    }
    let all: Vec<_> = games.iter().copied().map(GameId).collect();
    // A log without the object that tells of its game is not judged to the end.
    let half = GameId([0x55; 16]);
    archive.put(&ObjectPaths::of(half, &[1; 32]).log, b"log").await.expect("room");
    assert_eq!(archive.games_after(None, 1_000).await.as_ref(), Ok(&all));
    assert_eq!((archive.has(half).await, archive.archived(half).await), (Ok(false), Ok(None)));
    for size in [1, 7, 40] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = archive.games_after(after, size).await.expect("a list");
            assert!(page.len() <= size);
            found.extend(page.iter().copied());
            let Some(last) = page.last() else { break };
            after = Some(*last);
        }
        assert_eq!(found, all, "pages of {size}");
    }
    // Of several judged logs the longest is the game's.
    let game = all[3];
    let longest = put(archive, game, 40).await;
    put(archive, game, 30).await;
    assert_eq!(archive.archived(game).await, Ok(Some(longest)));
    assert_eq!(archive.has(game).await, Ok(true));
    assert_eq!(archive.games_after(None, 1_000).await.map(|games| games.len()), Ok(all.len()));
    marks(archive).await;
}

/// Puts, lists and deletes objects of another folder.
async fn marks(archive: &GameArchive) {
    let path = |n: u32| format!("marks/0/{n:012}");
    for n in [5, 3, 9, 1, 7] {
        archive.put(&path(n), &n.to_be_bytes()).await.expect("room");
    }
    let list = async |after: Option<u32>, max| {
        let after = after.map(path);
        archive.list("marks/0", after.as_deref(), max).await.expect("a list")
    };
    assert_eq!(list(None, 3).await, [1, 3, 5].map(path));
    assert_eq!(list(Some(3), 9).await, [5, 7, 9].map(path));
    assert_eq!(list(Some(9), 9).await, [""; 0]);
    assert_eq!(list(None, 0).await, [""; 0]);
    assert_eq!(archive.list("marks/1", None, 9).await, Ok(Vec::new()));
    for _ in 0..2 {
        assert_eq!(archive.delete(&path(5)).await, Ok(()), "whether it is there or not");
    }
    assert_eq!(list(None, 9).await, [1, 3, 7, 9].map(path));
    assert_eq!(archive.get(&path(5)).await, Err(ArchiveFault::Missing(path(5))));
}

#[tokio::test]
async fn a_folder_is_an_archive() {
    suite(&in_folder().1).await;
}

#[tokio::test]
async fn a_bucket_is_an_archive() {
    let (_folder, server, archive) = in_bucket().await;
    suite(&archive).await;
    assert!(server.objects().keys().all(|key| key.starts_with("club/")), "the prefix holds all objects");
    // The page after the last but one game does not read the games before it.
    let all = archive.games_after(None, 1_000).await.expect("a list");
    let lists = server.lists();
    let last = archive.games_after(Some(all[all.len() - 2]), 1).await.expect("a list");
    assert_eq!((last, server.lists() - lists), (vec![all[all.len() - 1]], 1));
}

/// Lets rivals put different bytes at one path at the same time: all read the bytes of one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_rival_puts_stays() {
    let ((_folder, ours), (_other, _server, bucket)) = (in_folder(), in_bucket().await);
    for archive in [ours, bucket] {
        for path in (0..20).map(|n| format!("games/aa/{n}")) {
            let rivals = [[1_u8; 9], [2; 9], [3; 9]].map(|bytes| {
                let (archive, path) = (archive.clone(), path.clone());
                tokio::spawn(async move { archive.put(&path, &bytes).await })
            });
            let mut found = BTreeSet::new();
            for rival in rivals {
                found.insert(rival.await.expect("no panic").expect("an object"));
            }
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(archive.get(&path).await, Ok(found.pop_first().expect("one")));
        }
    }
}

/// Refuses servers on which a second put wins, before anything is put; one that does not answer is asked again.
#[tokio::test]
async fn a_server_that_replaces_objects_is_refused() {
    let (_folder, server, archive) = in_bucket().await;
    server.behave(Conduct::Away);
    assert!(matches!(archive.prove().await, Err(ArchiveFault::Unavailable(_))));
    for (conduct, problem) in [
        (Conduct::IgnoresConditions, "replaces an object"),
        (Conduct::RefusesConditions, "refuses a put where no object is"),
    ] {
        let (_folder, server, archive) = in_bucket().await;
        server.behave(conduct);
        for refused in [archive.prove().await, archive.put("games/aa", b"log").await.map(|_| ())] {
            let Err(ArchiveFault::Unusable(text)) = refused else { panic!("{refused:?}") };
            assert!(text.contains(problem) && text.contains("If-None-Match"), "{text}");
        }
        assert!(!server.objects().contains_key("club/games/aa"), "nothing is put there");
    }
    server.behave(Conduct::Sound);
    assert_eq!(archive.prove().await, Ok(()));
    assert_eq!(archive.put("games/aa", b"log").await, Ok(b"log".to_vec()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_does_not_start_with_a_server_that_replaces_objects() {
    for (conduct, problem) in [
        (Conduct::IgnoresConditions, "replaces an object"),
        (Conduct::RefusesConditions, "refuses a put where no object is"),
    ] {
        let (folder, server) = (tempfile::tempdir().expect("a folder"), S3Server::start().await);
        server.behave(conduct);
        let file = server.settings(folder.path()).archive_credentials.expect("a file of credentials");
        let mut program = Command::new(env!("CARGO_BIN_EXE_canasta-recorder"));
        program.current_dir(folder.path()).args(["--listen", "127.0.0.1:0", "--archive", "s3://games/club"]);
        program.args(["--archive-endpoint", &server.endpoint]).arg("--archive-credentials").arg(file);
        let output = program.output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(64), "{said}");
        assert!(said.contains(problem), "{said}");
    }
}

/// Looks at an archive that is away, and at one whose objects are damaged on their way.
#[tokio::test]
async fn faults_of_a_bucket_are_told_apart() {
    let (_folder, server, archive) = in_bucket().await;
    let game = GameId([9; 16]);
    put(&archive, game, 4).await;
    server.behave(Conduct::Flips);
    assert!(matches!(archive.archived(game).await, Err(ArchiveFault::Damaged { .. })));
    server.behave(Conduct::ListsBackwards);
    let unsorted = archive.games_after(None, 9).await.expect_err("no order");
    assert!(unsorted.to_string().contains("no order"), "{unsorted}");
    server.behave(Conduct::Away);
    let is_away = |fault: ArchiveFault| matches!(fault, ArchiveFault::Unavailable(_));
    assert!(archive.has(game).await.is_err_and(is_away), "it is not said that there is no such game");
    assert!(archive.archived(game).await.is_err_and(is_away));
    assert!(archive.put("games/aa", b"x").await.is_err_and(is_away));
    assert!(archive.delete("games/aa").await.is_err_and(is_away));
}

/// Moves one game's object to another game's place.
#[tokio::test]
async fn an_object_at_anothers_place_is_found() {
    let (_folder, archive) = in_folder();
    let (game, other) = (told(GameId([1; 16]), 4), told(GameId([2; 16]), 4));
    let path = ObjectPaths::of(game.game, &game.head).game;
    archive.put(&path, &other.encode()).await.expect("room");
    assert!(matches!(archive.archived(game.game).await, Err(ArchiveFault::Damaged { .. })));
}

/// Takes the folder away: nothing is created in its place, and no object is told to be missing.
#[tokio::test]
async fn a_folder_that_is_not_mounted_is_away() {
    let (folder, archive) = in_folder();
    let game = GameId([9; 16]);
    let told = put(&archive, game, 4).await;
    let path = ObjectPaths::of(game, &told.head).log;
    std::fs::rename(folder.path().join("archive"), folder.path().join("away")).expect("our folder");
    let is_away = |fault: ArchiveFault| matches!(fault, ArchiveFault::Unavailable(_));
    assert!(archive.has(game).await.is_err_and(is_away));
    assert!(archive.get(&path).await.is_err_and(is_away));
    assert!(archive.put(&path, b"log").await.is_err_and(is_away));
    assert!(!folder.path().join("archive").exists());
}

/// Refuses settings that contradict each other, or that show credentials.
#[test]
fn settings_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = |url: &str| ArchiveSettings { archive: Some(url.into()), ..Default::default() };
    let endpoint = Some("https://key:secret@s3.example.org".to_owned());
    for (settings, problem) in [
        (url("https://key:secret@s3.example.org/bucket"), "expected file:FOLDER or s3://BUCKET/PREFIX"),
        (url("file:"), "expected file:FOLDER"),
        (url("s3://key:secret@bucket"), "AWS's environment variables or --archive-credentials"),
        (ArchiveSettings { archive_endpoint: endpoint.clone(), ..url("s3://bucket") }, "without credentials"),
        (
            ArchiveSettings { archive_endpoint: endpoint, ..Default::default() },
            "--archive s3://BUCKET/PREFIX",
        ),
        (
            ArchiveSettings { archive_ca: Some("/dev/null".into()), ..url("s3://bucket") },
            "expected certificates",
        ),
        (ArchiveSettings { archive_credentials: Some("/none".into()), ..url("s3://bucket") }, "/none: "),
    ] {
        let refused = settings.open(&folder.path().join("archive")).err().expect("it is refused").to_string();
        assert!(refused.contains(problem) && !refused.contains("secret"), "{refused}");
    }
}
