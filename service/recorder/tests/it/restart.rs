//! The program: it needs no setting, and what it has answered survives kill -9.

use std::path::Path;
use std::process::Command;

use canasta_proto::v1::*;

use crate::support::game::*;
use crate::support::links::{end, tomorrow};
use crate::support::program::start;
use crate::support::random::Random;
use crate::support::server::Client;

const ANY_PORT: [&str; 2] = ["--listen", "127.0.0.1:0"];

#[tokio::test]
async fn what_is_answered_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(u64::from(std::process::id()));
    println!("seed {}", random.0);
    let (mut child, mut client) = start(folder.path(), &ANY_PORT).await;
    let game = dealt(&mut client, 1).await;
    let mut answered: Vec<(ActRequest, LogEnd)> = Vec::new();
    for _ in 0..5 {
        for _ in 0..2 + random.below(6) {
            let (end, actor, action) = suggested(&mut client, &game).await.expect("the game goes on");
            let mut request = act(&game, 1000 + end.seq, actor, action);
            request.expected_seq = Some(end.seq);
            let end = acted(&mut client, request.clone()).await.log_end.expect("the end");
            answered.push((request, end));
        }
        // A request whose answer is lost: it may be recorded or not, and is repeated afterwards.
        let (end, actor, action) = suggested(&mut client, &game).await.expect("the game goes on");
        let mut open = act(&game, 1000 + end.seq, actor, action);
        open.expected_seq = Some(end.seq);
        let (request, mut asked) = (open.clone(), client.clone());
        let asking = tokio::spawn(async move { asked.act(request).await });
        tokio::time::sleep(std::time::Duration::from_micros(random.below(4000))).await;
        child.kill().expect("it still runs");
        child.wait().expect("it was killed");
        let _ = asking.await;
        (child, client) = start(folder.path(), &ANY_PORT).await;
        let end = acted(&mut client, open.clone()).await.log_end.expect("the end");
        answered.push((open, end));
        for (request, end) in &answered {
            let again = acted(&mut client, request.clone()).await;
            assert_eq!((again.repeated_request, again.log_end.as_ref()), (true, Some(end)));
        }
    }
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
}

/// Kills the recorder while it makes links: a request that is repeated gets its link, which is recorded once.
#[tokio::test]
async fn links_survive_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(u64::from(std::process::id()) << 8);
    println!("seed {}", random.0);
    let (mut child, mut client) = start(folder.path(), &ANY_PORT).await;
    let request = CreateRequest { creator: seat(0), ..new_game(1) };
    let made = created(&mut client, request.clone()).await;
    let game = made.game_id.clone();
    for number in 0..4 {
        let at = tomorrow() + number * 1000;
        let (mut asked, id) = (client.clone(), game.clone());
        let asking = tokio::spawn(async move { asked.invite(&id, seat(1), at).await });
        tokio::time::sleep(std::time::Duration::from_micros(random.below(4000))).await;
        child.kill().expect("it still runs");
        child.wait().expect("it was killed");
        let answered = asking.await.expect("no panic");
        (child, client) = start(folder.path(), &ANY_PORT).await;
        let link = client.invite(&game, seat(1), at).await.expect("a link");
        answered.into_iter().for_each(|first| assert_eq!(first, link));
        let bearer = Some(link.token.clone());
        let mut holder = Client { bearer, ..client.clone() };
        assert!(holder.get_game(&game, seat(1)).await.is_ok());
        assert_eq!(created(&mut client, request.clone()).await, made);
    }
    let first_n = made.log_end.expect("the end").n;
    assert_eq!(end(&mut client, &game).await.n, first_n + 4, "one note per link");
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
}

/// Makes links with the program, while the recorder runs and while it does not.
#[tokio::test]
async fn the_program_makes_links() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut child, mut client) = start(folder.path(), &ANY_PORT).await;
    let made = created(&mut client, new_game(1)).await;
    let (game, first_n) = (made.game_id, made.log_end.expect("the end").n);
    let id = canasta_engine::hex::hex(&game);
    let invite = |arguments: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_canasta-recorder"));
        let output =
            program.current_dir(folder.path()).arg("invite").args(arguments).output().expect("it ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, token, _) = invite(&[&id, "2", "--days", "1"]);
    let (host_code, host, _) = invite(&[&id, "spectator", "--host"]);
    assert_eq!((code, host_code), (Some(0), Some(0)));
    let mut player = Client { bearer: Some(token), ..client.clone() };
    let mut host = Client { bearer: Some(host), ..client.clone() };
    assert!(player.get_game(&game, seat(2)).await.is_ok() && player.get_game(&game, seat(1)).await.is_err());
    assert!(host.invite(&game, seat(0), tomorrow()).await.is_ok());
    assert_eq!(end(&mut client, &game).await.n, first_n + 3, "each is recorded");
    for (arguments, expected, problem) in [
        (&["ee".repeat(16).as_str(), "2"][..], 2, "there is no game"),
        (&[&id, "5"], 2, "is not a seat of this game"),
        (&[&id, "6"], 64, "expected a seat"),
        (&["ee", "2"], 64, "32 hex digits"),
    ] {
        let (code, token, said) = invite(arguments);
        assert_eq!((code, token.as_str()), (Some(expected), ""), "{arguments:?}");
        assert!(said.contains(problem), "{said}");
    }
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
    let (code, token, said) = invite(&[&id, "3"]);
    assert_eq!(code, Some(0), "{said}");
    (child, client) = start(folder.path(), &ANY_PORT).await;
    assert!(Client { bearer: Some(token), ..client }.get_game(&game, seat(3)).await.is_ok());
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
    let elsewhere = Command::new(env!("CARGO_BIN_EXE_canasta-recorder"))
        .current_dir(folder.path())
        .args(["--data", "nowhere", "invite", &id, "3"])
        .output()
        .expect("it ends");
    assert_eq!(elsewhere.status.code(), Some(2));
    assert!(!folder.path().join("nowhere").exists(), "nothing is created");
}

#[tokio::test]
async fn a_second_recorder_and_wide_modes_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let (mut child, _client) = start(folder.path(), &ANY_PORT).await;
    let data = folder.path().join("canasta-data");
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    for file in ["journal.sqlite", "recorder.key", "recorder.lock", "seal.keys", "signing.key", "signing.pub"]
    {
        assert_eq!(mode(&data.join(file)), 0o600, "{file}");
    }
    let ignored = std::fs::read_to_string(data.join(".gitignore")).expect("it is there");
    assert_eq!(ignored, "*\n", "git takes none of these files");
    let refused = |problem: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_canasta-recorder"));
        let output = program.current_dir(folder.path()).args(ANY_PORT).output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(64), "{said}");
        assert!(said.contains(problem), "{said}");
    };
    refused("another recorder uses this folder");
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
    for (file, mode) in [("", 0o750), ("journal.sqlite", 0o640), ("seal.keys", 0o604)] {
        let path = data.join(file);
        let before = std::fs::metadata(&path).expect("it is there").permissions();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("our file");
        refused("other users may use it");
        std::fs::set_permissions(&path, before).expect("our file");
    }
    for key in ["recorder.key", "seal.keys", "signing.key"] {
        std::fs::rename(data.join(key), data.join("elsewhere")).expect("our file");
        refused("the key is missing, but there is a journal");
        std::fs::rename(data.join("elsewhere"), data.join(key)).expect("our file");
    }
    std::fs::write(data.join("signing.key"), "no key\n").expect("our file");
    refused("expected PRIVATE+KEY");
    std::fs::write(data.join("recorder.key"), "no key\n").expect("our file");
    refused("expected 32 bytes in base64");
}

/// Kills the program between the judgement of a game and its verdict: the archive has the log, the journal has no verdict.
/// After the next start each game gets its one verdict.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_between_judgement_and_verdict_costs_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("canasta-data");
    let (mut child, mut client) = start(folder.path(), &ANY_PORT).await;
    let (mut hits, mut games) = (0, Vec::new());
    while hits < 3 {
        assert!(games.len() < 60, "the moment is never met");
        let game = dealt(&mut client, games.len() as u8).await;
        let id: String = game.iter().map(|byte| format!("{byte:02x}")).collect();
        let objects = data.join("archive/games").join(&id[..2]).join(&id);
        let seen = tokio::task::spawn_blocking(move || {
            let is_log = |file: std::io::Result<std::fs::DirEntry>| {
                file.is_ok_and(|file| file.path().extension().is_some_and(|ending| ending == "carc"))
            };
            while !std::fs::read_dir(&objects).is_ok_and(|mut files| files.any(is_log)) {
                std::hint::spin_loop();
            }
        });
        forfeit(&mut client, &game, 2).await;
        seen.await.expect("no panic");
        // While this transaction is open, nobody else can write: not even the verdict.
        let mut journal = rusqlite::Connection::open(data.join("journal.sqlite")).expect("a journal");
        let exclusive = rusqlite::TransactionBehavior::Immediate;
        let held = journal.transaction_with_behavior(exclusive).expect("our turn");
        let count = "SELECT COUNT(*) FROM verdicts WHERE game = ?1";
        let verdicts: i64 = held.query_row(count, [&game], |row| row.get(0)).expect("a number");
        hits += u8::from(verdicts == 0);
        child.kill().expect("it still runs");
        child.wait().expect("it was killed");
        drop(held);
        games.push(game);
        (child, client) = start(folder.path(), &ANY_PORT).await;
    }
    for game in &games {
        judged(&mut client, game, seat(0)).await;
    }
    let journal = rusqlite::Connection::open(data.join("journal.sqlite")).expect("a journal");
    let verdicts: i64 =
        journal.query_row("SELECT COUNT(*) FROM verdicts", [], |row| row.get(0)).expect("a number");
    assert_eq!(verdicts, games.len() as i64);
    println!("{} games, {hits} kills between judgement and verdict", games.len());
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
}

/// Rotates the seal keys: each key is needed by the games that have states of it, and by no others.
#[tokio::test]
async fn seal_keys_counts_the_games_of_each_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("canasta-data/seal.keys");
    let counted = || {
        let mut program = Command::new(env!("CARGO_BIN_EXE_canasta-recorder"));
        let output = program.current_dir(folder.path()).arg("doctor").output().expect("it ends");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        // wrong  keys  seal key ID is NAME: COUNT live and COUNT ended games need it
        let words = |line: &str| {
            let words: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
            [words[6].trim_end_matches(':').to_owned(), words[7].clone(), words[10].clone()]
        };
        text.lines().filter(|line| line.contains("seal key ")).map(words).collect::<Vec<_>>()
    };
    let (mut child, mut client) = start(folder.path(), &ANY_PORT).await;
    let game = dealt(&mut client, 1).await;
    dealt(&mut client, 2).await;
    ended(&mut client, 3).await;
    assert_eq!(counted(), [["active", "2", "1"]], "while it runs");
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
    canasta_service::seal::keygen(&file, canasta_service::program::random).expect("a second key");
    let keys = std::fs::read_to_string(&file).expect("our file");
    let rotated = keys.replace("open-only ", "- ").replace("active ", "open-only ").replace("- ", "active ");
    std::fs::write(&file, rotated).expect("our file");
    (child, client) = start(folder.path(), &ANY_PORT).await;
    play(&mut client, &game, 1).await;
    assert_eq!(counted(), [["open-only", "2", "1"], ["active", "1", "0"]]);
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
    let keys = std::fs::read_to_string(&file).expect("our file");
    let without: String = keys.lines().filter(|line| !line.starts_with("open-only ")).collect();
    std::fs::write(&file, without).expect("our file");
    assert_eq!(counted(), [["active", "1", "0"], ["missing", "2", "1"]]);
}
