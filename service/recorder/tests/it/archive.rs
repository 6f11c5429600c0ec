//! Finished games: judged, put into the archive, and later found there only.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};

use canasta_proto::v1::action::{DrawStock, Kind};
use canasta_proto::v1::*;
use canasta_recorder::archive::ObjectPaths;
use canasta_recorder::archive::packed::unpack;
use canasta_service::program::now;
use prost::Message as _;
use sha2::{Digest, Sha256};
use tonic::{Code, Status};

use crate::support::game::*;
use crate::support::memory::MemoryJournal;
use crate::support::methods::{Asked, ask};
use crate::support::server::{Client, Recorder, opened, settings, with_journal};

/// A week and an hour, in ms: longer than finished games are kept.
const LONG_MS: i64 = 169 * 3_600_000;

/// Starts a recorder with a clock of its own.
async fn start(data: &Path, clock: fn() -> i64) -> (Recorder, Client) {
    let opened = opened(data, &settings(&[]).config);
    let recorder = Recorder::start_at(opened, &[], clock).await;
    let client = recorder.client().await;
    (recorder, client)
}

/// Returns the files of a game's last log and its verdict in the archive.
fn objects(data: &Path, game: &[u8], summary: &GameSummary) -> (PathBuf, PathBuf) {
    let head = summary.log_end.as_ref().expect("the end").head[..].try_into().expect("32 bytes");
    let id = canasta_engine::deal::GameId(game.try_into().expect("16 bytes"));
    let paths = ObjectPaths::of(id, &head);
    (data.join("archive").join(paths.log), data.join("archive").join(paths.verdict))
}

/// Returns the number of verdicts in the journal.
fn verdicts(data: &Path) -> i64 {
    let journal = rusqlite::Connection::open(data.join("journal.sqlite")).expect("a journal");
    journal.query_row("SELECT COUNT(*) FROM verdicts", [], |row| row.get(0)).expect("a number")
}

fn archived<T: std::fmt::Debug>(answer: Result<T, Status>) {
    let status = answer.expect_err("the game is archived");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::FailedPrecondition, "GAME_ARCHIVED"));
}

/// Plays a whole game, and follows it into the archive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_goes_from_play_to_the_archive() {
    static PASSED_MS: AtomicI64 = AtomicI64::new(0);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (recorder, mut client) = start(&data, || now() + PASSED_MS.load(Ordering::Relaxed)).await;
    let game = created(&mut client, new_game(1)).await.game_id;
    assert!(play(&mut client, &game, 5_000).await.1, "the game is over");
    let whole = log(&mut client, &game, role(Role::Spectator)).await;
    let verdict = judged(&mut client, &game, role(Role::Spectator)).await;
    let report = verdict.report.as_ref().expect("a report");
    assert_eq!(report.verdict(), Verdict::Clean);
    assert_eq!((report.bytes, report.head_checked), (whole.len() as u64, true));
    assert_eq!(verdict.log_sha256, Sha256::digest(&whole).to_vec());
    let summary = becomes(&mut client, &game, GameStatus::Judged).await;
    let (packed, json) = objects(&data, &game, &summary);
    assert!(packed.ends_with(&verdict.archived_as));
    assert_eq!(unpack(&std::fs::read(&packed).expect("the packed log")).as_ref(), Ok(&whole));
    let json = std::fs::read_to_string(&json).expect("the verdict");
    assert!(json.contains("\"verdict\":\"CLEAN\"") && json.contains(&hex(&verdict.log_sha256)), "{json}");
    assert!(client.get_game(&game, role(Role::Table)).await.is_ok(), "it is still in the journal");

    PASSED_MS.store(LONG_MS, Ordering::Relaxed);
    let after = becomes(&mut client, &game, GameStatus::Archived).await;
    assert_eq!(after, GameSummary { status: GameStatus::Archived.into(), ..summary });
    assert_eq!(log(&mut client, &game, role(Role::Spectator)).await, whole);
    let from = |from_n| GetLogRequest { game_id: game.clone(), actor: seat(0), from_n: Some(from_n) };
    let end = after.log_end.clone().expect("the end");
    let pieces = client.get_log(from(end.n - 1)).await.expect("the last two records");
    let frames: Vec<u8> = pieces.iter().flat_map(|piece| piece.frames.clone()).collect();
    assert!(whole.ends_with(&frames) && !frames.is_empty());
    let last = pieces.last().expect("a piece");
    assert_eq!((last.n, last.log_end.as_ref()), (Some(end.n), Some(&end)));
    let status = client.get_log(from(end.n + 1)).await.expect_err("no such record");
    assert_eq!(reason(&status), "INVALID_FIELD");
    let kept = client.get_verdict(&game, role(Role::Spectator)).await.expect("an answer");
    assert_eq!(kept, get_verdict_response::Outcome::Verdict(verdict));
    refuses(&recorder, &game).await;
    recorder.stop().await;
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Asks every method about an archived game.
async fn refuses(recorder: &Recorder, game: &[u8]) {
    let (channel, action) = (recorder.channel().await, action(Kind::DrawStock(DrawStock {})));
    let asked = Asked {
        game: game.into(),
        room: game.into(),
        who: seat(0),
        action,
        code: "k3vd-8m0p-r7ta".into(),
        number: 9,
        expires_at_ms: now() + 2 * LONG_MS,
        ..Default::default()
    };
    for (method, request) in asked.requests() {
        let answer = ask(&channel, method, request).await;
        match method {
            "GetLog" | "GetVerdict" | "ListGames" => assert!(answer.is_ok(), "{method}: {answer:?}"),
            // They name no game.
            "CreateSituation" | "CreateRoom" | "OpenRoom" | "WatchGames" => {}
            _ => {
                println!("{method}");
                archived(answer);
            }
        }
    }
}

/// Judges each head: a ruling after the end of a game is judged with a log of its own.
#[tokio::test]
async fn a_later_ruling_is_judged_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (recorder, mut client) = start(&data, now).await;
    let game = ended(&mut client, 1).await;
    let first = judged(&mut client, &game, role(Role::Director)).await;
    assert_eq!(first.report.as_ref().map(AuditLogResponse::verdict), Some(Verdict::CleanWithRulings));
    let mut note = act(&game, 3, role(Role::Director), None);
    note.proposals[0].record = remark("the hall was dark");
    acted(&mut client, note).await;
    let second = judged(&mut client, &game, role(Role::Director)).await;
    assert_ne!(second.archived_as, first.archived_as);
    assert_eq!(verdicts(&data), 2);
    let head = first.report.as_ref().expect("a report").head.clone();
    let request = GetVerdictRequest { game_id: game.clone(), actor: role(Role::Director), head };
    let answer = client.service.get_verdict(request).await.expect("an answer").into_inner();
    assert_eq!(answer.outcome, Some(get_verdict_response::Outcome::Verdict(first)));
    let request = GetVerdictRequest { game_id: game.clone(), actor: seat(0), head: vec![9; 32] };
    let answer = client.service.get_verdict(request).await.expect("an answer").into_inner();
    assert_eq!(answer.outcome, Some(get_verdict_response::Outcome::Pending(GameStatus::Judged.into())));
    recorder.stop().await;
}

/// Takes the archive away: verdicts wait, play and questions go on, and logs of archived games are UNAVAILABLE.
#[tokio::test]
async fn play_goes_on_without_the_archive() {
    static PASSED_MS: AtomicI64 = AtomicI64::new(0);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (recorder, mut client) = start(&data, || now() + PASSED_MS.load(Ordering::Relaxed)).await;
    let old = ended(&mut client, 1).await;
    judged(&mut client, &old, seat(0)).await;
    PASSED_MS.fetch_add(LONG_MS, Ordering::Relaxed);
    becomes(&mut client, &old, GameStatus::Archived).await;
    let (archive, away) = (data.join("archive"), data.join("away"));
    std::fs::rename(&archive, &away).expect("our folder");
    std::fs::write(&archive, "no folder").expect("our folder");

    let game = ended(&mut client, 2).await;
    let get = GetLogRequest { game_id: old.clone(), actor: seat(0), from_n: None };
    // Long enough for more failures than a game may have.
    for _ in 0..8 {
        PASSED_MS.fetch_add(60_000, Ordering::Relaxed);
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let status = client.get_log(get.clone()).await.expect_err("the archive is away");
        assert_eq!((status.code(), reason(&status).as_str()), (Code::Unavailable, "ARCHIVE_UNAVAILABLE"));
    }
    let pending = client.get_verdict(&game, seat(0)).await.expect("an answer");
    assert_eq!(pending, get_verdict_response::Outcome::Pending(GameStatus::Finished.into()));
    dealt(&mut client, 3).await;
    std::fs::remove_file(&archive).expect("our file");
    std::fs::rename(&away, &archive).expect("our folder");
    PASSED_MS.fetch_add(60_000, Ordering::Relaxed);
    judged(&mut client, &game, seat(0)).await;
    assert!(client.get_log(get).await.is_ok());
    recorder.stop().await;
}

/// Judges games with a journal that leaves writes in doubt, loses answers, and sometimes does not answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_are_judged_in_spite_of_a_journal_with_faults() {
    let seed = u64::from(std::process::id());
    println!("seed {seed}");
    let folder = tempfile::tempdir().expect("a folder");
    let opened = with_journal(&folder.path().join("data"), MemoryJournal::new(seed, 3));
    let recorder = Recorder::start_with(opened, &[]).await;
    let mut client = recorder.client().await;
    let mut games = Vec::new();
    for id in 1..=4 {
        // What is not answered is asked again.
        let game = loop {
            if let Ok(create_response::Outcome::Created(created)) = client.create(new_game(id)).await {
                break created.game_id;
            }
        };
        for (id, who, action) in [(1, Role::Table, deal()), (2, Role::Director, forfeiture())] {
            let mut request = act(&game, id, role(who), action);
            request.expected_seq = Some(id - 1);
            while client.act(request.clone()).await.is_err() {}
        }
        games.push(game);
    }
    for game in &games {
        let judged = |answer: &Result<_, _>| matches!(answer, Ok(get_verdict_response::Outcome::Verdict(_)));
        while !judged(&client.get_verdict(game, seat(0)).await) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    recorder.stop().await;
}

/// Flips a byte of each object: the purge finds it, and the game is kept and stuck until the object is mended.
#[tokio::test]
async fn a_flipped_byte_is_found_before_the_purge() {
    static PASSED_MS: AtomicI64 = AtomicI64::new(0);
    let clock = || now() + PASSED_MS.load(Ordering::Relaxed);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (recorder, mut client) = start(&data, clock).await;
    let games = [ended(&mut client, 1).await, ended(&mut client, 2).await];
    let mut damaged = Vec::new();
    for (game, is_log) in games.iter().zip([true, false]) {
        let summary = becomes(&mut client, game, GameStatus::Judged).await;
        let (log, verdict) = objects(&data, game, &summary);
        let file = if is_log { log } else { verdict };
        let before = std::fs::read(&file).expect("an object");
        let mut bytes = before.clone();
        bytes[before.len() / 2] ^= 1;
        std::fs::write(&file, bytes).expect("our file");
        damaged.push((file, before));
    }
    PASSED_MS.fetch_add(LONG_MS, Ordering::Relaxed);
    for game in &games {
        becomes(&mut client, game, GameStatus::Finished).await;
    }
    for game in &games {
        // Each further try comes later.
        let moving = tokio::spawn(async {
            loop {
                PASSED_MS.fetch_add(60_000, Ordering::Relaxed);
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
        });
        becomes(&mut client, game, GameStatus::Stuck).await;
        moving.abort();
        assert!(client.get_game(game, seat(0)).await.is_ok(), "the game is kept");
    }
    recorder.stop().await;
    for (file, bytes) in damaged {
        std::fs::write(file, bytes).expect("our file");
    }
    let (recorder, mut client) = start(&data, clock).await;
    for game in &games {
        becomes(&mut client, game, GameStatus::Judged).await;
    }
    assert_eq!(verdicts(&data), 2, "each log still has its one verdict");
    PASSED_MS.fetch_add(LONG_MS, Ordering::Relaxed);
    for game in &games {
        becomes(&mut client, game, GameStatus::Archived).await;
    }
    recorder.stop().await;
}

/// Restores a copy of the journal from before the verdict: the archive has the objects, and the verdict is found again.
#[tokio::test]
async fn a_restored_journal_gets_its_verdicts_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, copy) = (folder.path().join("data"), folder.path().join("copy.sqlite"));
    let (recorder, mut client) = start(&data, now).await;
    let game = dealt(&mut client, 1).await;
    let archive = data.join("archive");
    // Nothing can be judged meanwhile.
    std::fs::rename(&archive, data.join("away")).expect("our folder");
    std::fs::write(&archive, "no folder").expect("our folder");
    forfeit(&mut client, &game, 2).await;
    let journal = rusqlite::Connection::open(data.join("journal.sqlite")).expect("a journal");
    journal.execute("VACUUM INTO ?1", [copy.to_str().expect("UTF-8")]).expect("a copy");
    drop(journal);
    std::fs::remove_file(&archive).expect("our file");
    std::fs::rename(data.join("away"), &archive).expect("our folder");
    let first = judged(&mut client, &game, seat(0)).await;
    recorder.stop().await;

    for file in ["journal.sqlite-wal", "journal.sqlite-shm"] {
        let _ = std::fs::remove_file(data.join(file));
    }
    std::fs::write(data.join("journal.sqlite"), std::fs::read(&copy).expect("the copy")).expect("our file");
    let (recorder, mut client) = start(&data, now).await;
    let again = judged(&mut client, &game, seat(0)).await;
    assert_eq!(GameVerdict { judged_at_ms: first.judged_at_ms, ..again }, first);
    assert_eq!(verdicts(&data), 1);
    recorder.stop().await;
}

/// Puts a finding with a position, which shows every hand, into a kept verdict: only judge and director see the position.
#[tokio::test]
async fn a_verdict_shows_hands_only_to_those_who_see_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (recorder, mut client) = start(&data, now).await;
    let game = ended(&mut client, 1).await;
    let mut verdict = judged(&mut client, &game, role(Role::Director)).await;
    let finding = Finding { position: "every hand".into(), detail: "a fault".into(), ..Default::default() };
    verdict.report.as_mut().expect("a report").findings.push(finding);
    let journal = rusqlite::Connection::open(data.join("journal.sqlite")).expect("a journal");
    let kept: Vec<u8> =
        journal.query_row("SELECT verdict FROM verdicts", [], |row| row.get(0)).expect("a verdict");
    // The two digests stay.
    let changed = [&kept[..64], &verdict.encode_to_vec()].concat();
    assert_eq!(journal.execute("UPDATE verdicts SET verdict = ?1", [changed]), Ok(1));
    for (actor, expected) in [
        (seat(0), ""),
        (role(Role::Table), ""),
        (role(Role::Spectator), ""),
        (role(Role::Judge), "every hand"),
        (role(Role::Director), "every hand"),
    ] {
        let answer = client.get_verdict(&game, actor).await.expect("an answer");
        let get_verdict_response::Outcome::Verdict(seen) = answer else { panic!("{answer:?}") };
        let findings = seen.report.expect("a report").findings;
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert_eq!((finding.position.as_str(), finding.detail.as_str()), (expected, "a fault"), "{actor:?}");
    }
    let status = client.get_verdict(&game, seat(4)).await.expect_err("four seats");
    assert_eq!(reason(&status), "INVALID_FIELD");
    recorder.stop().await;
}
