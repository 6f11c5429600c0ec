//! `canasta-auditor`: whenever it dies, each log gets one verdict; and archived logs come back as files.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_proto::v1::*;
use canasta_recorder::archive::{ArchiveSettings, GameArchive, ObjectPaths};
use canasta_recorder::auditor::metrics::AuditMetrics;
use canasta_recorder::auditor::{AuditorContext, judge_next, purge_some};
use canasta_recorder::journal::sqlite::SqliteJournal;
use canasta_serve::telemetry::MeterExport;
use canasta_service::program::{now, random};
use tokio::sync::watch;

use crate::support::cut::CutOff;
use crate::support::game::*;
use crate::support::random::Random;
use crate::support::server::{Client, Recorder};

/// Longer than a lease lasts, in ms.
const LEASE_MS: i64 = 31_000;
/// Longer than finished games are kept, in ms.
const LONG_MS: i64 = 169 * 3_600_000;

/// Starts a recorder that leaves its finished games to others.
async fn start(data: &Path) -> (Recorder, Client) {
    let recorder = Recorder::start(data, &["--audit-elsewhere"]).await;
    let client = recorder.client().await;
    (recorder, client)
}

fn id(game: &[u8]) -> GameId {
    GameId(game.try_into().expect("16 bytes"))
}

/// Returns an auditor in this process, as it is after a start.
fn auditor(data: &Path, clock: fn() -> i64) -> AuditorContext {
    let meter = MeterExport::start("test", None, Duration::from_secs(1), random).expect("no export").meter;
    AuditorContext {
        journal: Arc::new(
            SqliteJournal::beside(&data.join("journal.sqlite")).expect("the recorder's journal"),
        ),
        archive: archive(data),
        clock,
        metrics: AuditMetrics::new(&meter),
    }
}

fn archive(data: &Path) -> GameArchive {
    ArchiveSettings::default().open(&data.join("archive")).expect("the recorder's archive")
}

/// Checks that a game has one verdict, and that the archive tells the same one.
async fn check(ctx: &AuditorContext, data: &Path, game: &[u8]) {
    let journal = rusqlite::Connection::open(data.join("journal.sqlite")).expect("a journal");
    let count = "SELECT COUNT(*) FROM verdicts WHERE game = ?1";
    let verdicts: i64 = journal.query_row(count, [game], |row| row.get(0)).expect("a number");
    assert_eq!(verdicts, 1);
    let told = ctx.archive.archived(id(game)).await.expect("readable").expect("archived");
    let kept = ctx.journal.verdict(id(game), Some(told.head)).await.expect("readable").expect("a verdict");
    assert_eq!(kept.bytes, told.kept_verdict(), "the archive and the journal tell one verdict");
    let summary = ctx.journal.game(id(game)).await.expect("readable").expect("a summary");
    let archived = GameSummary { status: GameStatus::Archived.into(), ..summary };
    assert_eq!(told.summary, archived, "the archive tells what the journal tells");
}

/// Cuts the audit of a game off at each of its waits in turn, and then its purge.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_auditor_that_dies_anywhere_costs_nothing() {
    static PASSED_MS: AtomicI64 = AtomicI64::new(0);
    let clock = || now() + PASSED_MS.load(Ordering::Relaxed);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (recorder, mut client) = start(&data).await;
    let (_drain, draining) = watch::channel(false);
    let mut games = Vec::new();
    for waits in 0.. {
        let game = ended(&mut client, waits as u8).await;
        let ctx = auditor(&data, clock);
        let cut = CutOff { inner: Box::pin(judge_next(&ctx, draining.clone())), left: waits };
        let is_done = cut.await.is_some();
        PASSED_MS.fetch_add(LEASE_MS, Ordering::Relaxed);
        let ctx = auditor(&data, clock);
        while judge_next(&ctx, draining.clone()).await.expect("journal and archive answer") {}
        check(&ctx, &data, &game).await;
        games.push(game);
        if is_done {
            assert!(waits > 5, "it waits for journal and archive: {waits} times");
            break;
        }
    }
    PASSED_MS.fetch_add(LONG_MS, Ordering::Relaxed);
    for left in 0.. {
        let ctx = auditor(&data, clock);
        let cut = CutOff { inner: Box::pin(purge_some(&ctx, clock() - LONG_MS / 2)), left };
        if cut.await.is_some_and(|purged| purged.expect("journal and archive answer") == 0) {
            break;
        }
    }
    let ctx = auditor(&data, clock);
    for game in &games {
        check(&ctx, &data, game).await;
        let summary = ctx.journal.game(id(game)).await.expect("readable").expect("a summary");
        assert_eq!(summary.status(), GameStatus::Archived);
    }
    recorder.stop().await;
}

/// Starts the program beside the recorder of a folder.
fn program(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_canasta-auditor"));
    command.arg("--data").arg(data).args(["--listen", "127.0.0.1:0"]).args(arguments);
    command
}

fn spawn(data: &Path) -> Child {
    program(data, &[]).stderr(std::process::Stdio::null()).spawn().expect("the program starts")
}

/// Ends a program by a signal that it can catch.
fn terminate(mut child: Child) -> ExitStatus {
    let id = child.id().to_string();
    Command::new("kill").args(["-TERM", &id]).status().expect("a signal");
    child.wait().expect("it ends")
}

/// Kills one of two programs again and again while games end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_programs_give_each_log_one_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let seed = u64::from(std::process::id());
    println!("seed {seed}");
    let (recorder, mut client) = start(&data).await;
    let (mut random, mut games, mut kills) = (Random(seed), Vec::new(), 0);
    let mut auditors = [spawn(&data), spawn(&data)];
    for number in 0..60 {
        games.push(ended(&mut client, number).await);
        if random.below(6) == 0 {
            let one = &mut auditors[random.below(2) as usize];
            one.kill().expect("it still runs");
            one.wait().expect("it was killed");
            kills += 1;
            // Its leases run out.
            let journal = rusqlite::Connection::open(data.join("journal.sqlite")).expect("a journal");
            journal.busy_timeout(Duration::from_secs(5)).expect("a setting");
            journal.execute("UPDATE games SET lease_ms = 0 WHERE status = 2", []).expect("our turn");
            *one = spawn(&data);
        }
    }
    let ctx = auditor(&data, now);
    for game in &games {
        becomes(&mut client, game, GameStatus::Judged).await;
        check(&ctx, &data, game).await;
    }
    println!("{} games, {kills} kills", games.len());
    for auditor in auditors {
        assert!(terminate(auditor).success(), "it drains");
    }
    recorder.stop().await;
}

/// Waits until a game is judged by a program that runs once.
async fn judge(data: &Path, client: &mut Client, games: &[Vec<u8>]) {
    let auditor = spawn(data);
    for game in games {
        becomes(client, game, GameStatus::Judged).await;
    }
    assert!(terminate(auditor).success());
}

fn ended_as(output: &Output, code: i32) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{errors}");
    (out, errors)
}

/// Fetches games, with the folder last. Returns what is printed.
fn fetch(data: &Path, folder: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let mut command = program(data, &["fetch"]);
    ended_as(&command.args(arguments).arg(folder).output().expect("the program runs"), code)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("our folder");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name().into()).collect();
    names.sort();
    names
}

/// Creates and ends a game with a label.
async fn labelled(client: &mut Client, number: u8, label: &str) -> Vec<u8> {
    let request = CreateRequest { label: label.into(), ..new_game(number) };
    let game = created(client, request).await.game_id;
    acted(client, act(&game, 1, role(Role::Table), deal())).await;
    forfeit(client, &game, 2).await;
    game
}

/// Brings logs back by id, by label and all; damaged ones, missing ones and files in the way are told and left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archived_logs_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    let (recorder, mut client) = start(&data).await;
    let mut games = Vec::new();
    for (number, label) in [(1, "../../evil"), (2, "final"), (3, "final"), (4, "")] {
        games.push(labelled(&mut client, number, label).await);
    }
    judge(&data, &mut client, &games).await;
    let file = |game: &[u8]| out.join(format!("{}.clog", hex(game)));

    assert!(fetch(&data, &out, &[], 2).1.contains("create it first"));
    std::fs::create_dir(&out).expect("our folder");
    let told = fetch(&data, &out, &["--label", "final"], 0).0;
    assert_eq!(told, "2 logs written, 0 were there\n");
    for game in &games[1..3] {
        let log = std::fs::read(file(game)).expect("a log");
        assert_eq!(log, crate::support::game::log(&mut client, game, role(Role::Director)).await);
        assert_eq!(audited(&log, false).name(), "CLEAN_WITH_RULINGS");
    }
    assert_eq!(fetch(&data, &out, &["--label", "fina"], 0).0, "0 logs written, 0 were there\n");
    assert_eq!(fetch(&data, &out, &["--label", "../../evil"], 0).0, "1 logs written, 0 were there\n");
    assert_eq!(names(&out).len(), 3, "a label is no part of a path: {:?}", names(folder.path()));
    assert_eq!(names(folder.path()), ["data", "out"].map(PathBuf::from));
    // By id, and an id that nobody has.
    let (wanted, nobody) = (hex(&games[3]), "ff".repeat(16));
    let (told, errors) = fetch(&data, &out, &[&wanted, &nobody], 2);
    assert_eq!(told, "1 logs written, 0 were there\n");
    assert!(errors.contains(&nobody) && errors.contains("1 of 2 games"), "{errors}");
    // A file in the way, and a damaged object.
    std::fs::write(file(&games[0]), "ours").expect("our file");
    std::fs::remove_file(file(&games[1])).expect("our file");
    let told = archive(&data).archived(id(&games[1])).await.expect("readable").expect("archived");
    let packed = data.join("archive").join(ObjectPaths::of(told.game, &told.head).log);
    let mut bytes = std::fs::read(&packed).expect("an object");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&packed, bytes).expect("our file");
    let (told, errors) = fetch(&data, &out, &[], 2);
    assert_eq!(told, "0 logs written, 2 were there\n");
    assert!(errors.contains("it is not overwritten") && errors.contains("is damaged"), "{errors}");
    assert_eq!(std::fs::read(file(&games[0])).expect("our file"), b"ours");
    assert!(!file(&games[1]).exists());
    assert_eq!(names(&out).len(), 3, "nothing else is left: {:?}", names(&out));
    recorder.stop().await;
}

/// Damages the object of a game so that its audit fails five times, mends it, and puts the game back.
#[tokio::test]
async fn stuck_games_are_put_back() {
    static PASSED_MS: AtomicI64 = AtomicI64::new(0);
    let clock = || now() + PASSED_MS.load(Ordering::Relaxed);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (recorder, mut client) = start(&data).await;
    let game = ended(&mut client, 1).await;
    let ctx = auditor(&data, clock);
    let head =
        ctx.journal.game(id(&game)).await.expect("readable").expect("a game").log_end.expect("the end").head;
    let path = ObjectPaths::of(id(&game), &head[..].try_into().expect("32 bytes")).log;
    ctx.archive.put(&path, b"another log").await.expect("room");
    let (_drain, draining) = watch::channel(false);
    while judge_next(&ctx, draining.clone()).await.expect("both answer") {
        PASSED_MS.fetch_add(60_000, Ordering::Relaxed);
    }
    becomes(&mut client, &game, GameStatus::Stuck).await;
    ctx.archive.delete(&path).await.expect("our object");
    let retried = program(&data, &["retry"]).output().expect("the program runs");
    assert_eq!(ended_as(&retried, 0).0, "1 games are audited again\n");
    judge(&data, &mut client, &[game]).await;
    recorder.stop().await;
}

/// Starts the program with settings that do not fit.
#[test]
fn settings_that_do_not_fit_end_with_64() {
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("nowhere");
    for (arguments, problem) in [
        (&[][..], "expected the archive of a recorder"),
        (&["--archive", "file:archive"], "journal.sqlite: "),
        (&["--journal", "nats://127.0.0.1:1"], "--archive: expected"),
        (&["--archive", "ftp://archive"], "expected file:FOLDER or s3://BUCKET/PREFIX"),
        (&["--workers", "0"], "workers"),
    ] {
        let run = program(&nowhere, arguments).current_dir(folder.path()).output().expect("the program runs");
        let (out, errors) = ended_as(&run, 64);
        assert!(errors.contains(problem), "{out}{errors}");
    }
}
