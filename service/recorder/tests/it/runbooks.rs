//! The runbooks of docs/RECORDING.md: each trouble is made, and what the page and the doctor say is typed, word for word.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use canasta_engine::hex::hex;
use canasta_engine::log::finding::Verdict;
use canasta_proto::v1::*;
use canasta_recorder::server;
use canasta_service::program::{now, random};
use tonic::Code;

use crate::support::game::*;
use crate::support::machine::Machine;
use crate::support::server::{Client, Recorder, opened, settings};

/// Waits until the marks tell of all that was recorded.
async fn marked(machine: &Machine, marks: usize) {
    let folder = machine.path("canasta-data/archive/marks/00");
    for _ in 0..200 {
        if fs::read_dir(&folder).is_ok_and(|files| files.count() >= marks) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("no marks");
}

/// Restores a backup that lacks the last actions of a game and a whole game, which nobody has played.
#[tokio::test]
async fn a_backup_is_restored() {
    let machine = Machine::new();
    let (recorder, mut client) = machine.start(&[]).await;
    let game = dealt(&mut client, 1).await;
    marked(&machine, 1).await;
    machine.follows("Backup");
    play(&mut client, &game, 7).await;
    let unplayed = created(&mut client, new_game(2)).await.game_id;
    marked(&machine, 2).await;
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    drop(recorder);
    let said = machine.follows("Restore a backup");
    let lost = said.lines().find(|line| line.starts_with("wrong  marks")).expect("marks know more");
    assert!(lost.contains(&hex(&game)) && lost.contains(&hex(&unplayed)), "each game is named: {lost}");
    let (recorder, mut client) = machine.start(&[]).await;
    let refused = client.get_game(&game, role(Role::Director)).await.expect_err("records are missing");
    assert_eq!((refused.code(), reason(&refused)), (Code::DataLoss, "RECORDS_MISSING".to_owned()));
    drop(recorder);
    machine.mends();
    let (recorder, mut client) = machine.start(&[]).await;
    play(&mut client, &game, 3).await;
    assert_eq!(audited(&log(&mut client, &game, role(Role::Director)).await, true), Verdict::Conditional);
    drop(recorder);

    // A copy that has everything needs nothing else.
    machine.follows("Backup");
    machine.follows("Restore a backup");
    assert_eq!(machine.doctor(), [""; 0]);
    // On another machine the backup is the folder.
    let other = Machine::new();
    other.types(&format!("cp -rp {} canasta-data", machine.path("backup").display()));
    assert_eq!(other.doctor(), [""; 0]);
    let (recorder, mut client) = other.start(&[]).await;
    play(&mut client, &game, 1).await;
    drop(recorder);
}

/// Runs a recorder whose clock is 40 days ahead, and corrects the clock.
#[tokio::test]
async fn a_clock_that_was_ahead_is_corrected() {
    fn ahead() -> i64 {
        now() + 40 * 24 * 60 * 60 * 1000
    }
    let machine = Machine::new();
    let settings = settings(&[]);
    let mut opened = opened(&machine.path("canasta-data"), &settings.config);
    server::check_archive(&mut opened, &settings.config, ahead).await.expect("no marks yet");
    let recorder = Recorder::start_at(opened, &[], ahead).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    marked(&machine, 1).await;
    recorder.stop().await;
    let (code, said) = machine.types("canasta-recorder --listen 127.0.0.1:0");
    assert!(code == 64 && said.contains("s behind the last mark") && said.contains("doctor"), "{said}");
    machine.mends();
    let (recorder, mut client) = machine.start(&[]).await;
    play(&mut client, &game, 3).await;
    drop(recorder);
}

/// Flips one bit of an entry in the middle of a game: the game stands still, what is before the damage is served, other games go
/// on, and the operator deletes the game.
#[tokio::test]
async fn a_damaged_entry_stops_its_game_alone() {
    let machine = Machine::new();
    let (recorder, mut client) = machine.start(&[]).await;
    let (game, other) = (dealt(&mut client, 1).await, dealt(&mut client, 2).await);
    play(&mut client, &game, 20).await;
    let whole = log(&mut client, &game, role(Role::Director)).await;
    drop(recorder);
    let journal = machine.journal();
    let (pos, mut entry): (i64, Vec<u8>) = journal
        .query_row(
            "SELECT pos, entry FROM entries WHERE game = ?1 ORDER BY n LIMIT 1 OFFSET 10",
            [&game],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .expect("an entry");
    entry[100] ^= 1;
    journal.execute("UPDATE entries SET entry = ?2 WHERE pos = ?1", (pos, entry)).expect("a change");
    drop(journal);
    let commands = machine.doctor();
    assert_eq!(commands, [format!("canasta-recorder delete {}", hex(&game))]);
    let (recorder, mut client) = machine.start(&[]).await;
    let (end, actor, action) = suggested(&mut client, &game).await.expect("the position is shown");
    let mut request = act(&game, 99, actor, action);
    request.expected_seq = Some(end.seq);
    let refused = client.act(request).await.expect_err("play does not go on behind the damage");
    assert_eq!((refused.code(), reason(&refused)), (Code::DataLoss, "LOG_CORRUPT".to_owned()));
    play(&mut client, &other, 3).await;
    // What is whole, and then the fault.
    let request = GetLogRequest { game_id: game.clone(), actor: role(Role::Director), from_n: None };
    let request = client.request(request);
    let mut pieces = client.service.get_log(request).await.expect("a stream").into_inner();
    let mut sent = Vec::new();
    let fault = loop {
        match pieces.message().await {
            Ok(piece) => sent.extend(piece.expect("not the end").frames),
            Err(fault) => break fault,
        }
    };
    assert_eq!(reason(&fault), "LOG_CORRUPT");
    assert!(sent.len() > 500 && whole.starts_with(&sent), "{} of {} bytes", sent.len(), whole.len());
    assert_eq!(audited(&sent, true), Verdict::Conditional, "of a live game");
    machine.types(&commands[0]);
    let gone = client.get_game(&game, role(Role::Director)).await.expect_err("it is deleted");
    assert_eq!(gone.code(), Code::NotFound);
    play(&mut client, &other, 3).await;
    drop(recorder);
    assert_eq!(machine.doctor(), [""; 0], "a deleted game is no loss");
}

#[tokio::test]
async fn a_revoked_seal_key_and_its_games_are_told() {
    let machine = Machine::new();
    let (recorder, mut client) = machine.start(&[]).await;
    let game = dealt(&mut client, 1).await;
    drop(recorder);
    let file = machine.path("canasta-data/seal.keys");
    let keys = fs::read_to_string(&file).expect("our file");
    canasta_service::seal::keygen(&file, random).expect("a second key");
    let more = fs::read_to_string(&file).expect("our file");
    fs::write(&file, more.replace("active ", "revoked ").replace("open-only ", "active ")).expect("our file");
    let (_, said) = machine.types("canasta-recorder doctor");
    assert!(said.contains("is revoked: 1 live and 0 ended games need it; "), "{said}");
    let (recorder, mut client) = machine.start(&[]).await;
    let refused = client.get_game(&game, role(Role::Director)).await.expect_err("its key is revoked");
    assert_eq!(reason(&refused), "STATE_TOKEN_INVALID");
    assert_eq!(audited(&log(&mut client, &game, role(Role::Director)).await, true), Verdict::Conditional);
    drop(recorder);
    fs::write(&file, keys).expect("our file");
    machine.mends();
}

/// Loses the two keys that can be made anew, and opens the folder to others.
#[tokio::test]
async fn lost_keys_and_wide_modes_are_mended() {
    let machine = Machine::new();
    let (recorder, mut client) = machine.start(&[]).await;
    let request = CreateRequest { creator: seat(0), ..new_game(1) };
    let host = created(&mut client, request).await.host_link.expect("a link");
    drop(recorder);
    for key in ["signing.key", "recorder.key"] {
        fs::remove_file(machine.path("canasta-data").join(key)).expect("a key");
    }
    fs::set_permissions(machine.path("canasta-data"), fs::Permissions::from_mode(0o755)).expect("ours");
    let commands = machine.doctor();
    assert_eq!(commands[0], "chmod 700 canasta-data");
    assert_eq!(commands[1..], ["canasta-recorder doctor --fix"; 2]);
    let (code, said) = machine.types(&commands[1]);
    assert_eq!((code, said.matches("fixed ").count()), (0, 3), "{said}");
    let (recorder, client) = machine.start(&[]).await;
    let mut holder = Client { bearer: Some(host.token), ..client };
    assert!(
        holder.list_games(ListGamesRequest { actor: seat(0), ..Default::default() }).await.is_ok(),
        "old links stay good"
    );
    drop(recorder);
}

/// Creates a room as a guest behind a proxy.
async fn room_of_a_guest(client: &mut Client) -> CreatedGame {
    let room = CreateRequest {
        creator: seat(0),
        auto_table: true,
        players: ['N', 'E', 'S', 'W'].map(|name| Player { name: name.into(), ..Default::default() }).into(),
        ..new_game(1)
    };
    let mut request = client.request(room);
    request.metadata_mut().insert("via", "1.1 proxy".parse().expect("text"));
    let made = client.service.create(request).await.expect("a room").into_inner().outcome.expect("an answer");
    let create_response::Outcome::Created(made) = made else { panic!("{made:?}") };
    made
}

/// Writes notes as the guest until the round of the room takes no more.
async fn flood(machine: &Machine, client: Client, made: &CreatedGame) {
    let mut guest =
        Client { bearer: Some(made.host_link.clone().expect("a link").token), service: client.service };
    let note = |number| {
        let mut request = act(&made.game_id, number, seat(0), None);
        request.proposals[0].record = remark("x".repeat(4_096));
        request
    };
    let mut notes = 0;
    let full = loop {
        match guest.act(note(notes)).await {
            Ok(_) => notes += 1,
            Err(status) => break status,
        }
    };
    assert_eq!((full.code(), reason(&full)), (Code::FailedPrecondition, "LOG_TOO_LARGE".to_owned()));
    let (_, shown) = machine.types(&format!("canasta-recorder game {}", hex(&made.game_id)));
    let length =
        shown.lines().find_map(|line| line.strip_prefix("log       ")?.split(' ').next()?.parse().ok());
    assert!(length.is_some_and(|length: u64| length > notes * 4_096), "{shown}");
}

/// Lists, shows, ends and deletes a room that a guest has flooded, beside the recorder and without an identity.
#[tokio::test]
async fn a_flooded_room_is_ended_and_deleted() {
    let machine = Machine::new();
    let (recorder, mut client) = machine.start(&["--rooms"]).await;
    let made = room_of_a_guest(&mut client).await;
    let id = hex(&made.game_id);
    // The deal follows the creation.
    while machine.types(&format!("canasta-recorder game {id}")).1.contains("records   2\n") {}
    flood(&machine, client, &made).await;
    // Behind a proxy on this machine nobody is trusted: without rooms whoever reaches the port is.
    drop(recorder);
    let (recorder, mut client) = machine.start(&[]).await;
    let game = dealt(&mut client, 2).await;
    let (_, listed) = machine.types("canasta-recorder games --rooms");
    assert!(
        listed.starts_with(&format!("{id}  LIVE      room  classic-4p  20")) && listed.lines().count() == 1
    );
    let (_, shown) = machine.types(&format!("canasta-recorder game {id}"));
    assert!(
        shown.contains("room      yes") && shown.contains("links     1 valid, 1 of them of the host"),
        "{shown}"
    );
    let undealt = hex(&created(&mut client, new_game(3)).await.game_id);
    let (code, said) = machine.types(&format!("canasta-recorder end {undealt} 0"));
    assert!(code == 2 && said.contains("FORFEIT is impossible now"), "{said}");
    let (code, said) = machine.types(&format!("canasta-recorder end {id} 0"));
    assert_eq!((code, said.trim()), (0, &*format!("game {id} is over: side 0 forfeits it")));
    judged(&mut client, &made.game_id, role(Role::Director)).await;
    let archived = || {
        let mut folders = vec![machine.path("canasta-data/archive/games")];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() { folders.push(path) } else { files += 1 }
            }
        }
        files
    };
    assert_eq!(archived(), 3);
    machine.types(&format!("canasta-recorder delete {id}"));
    assert_eq!(archived(), 0);
    let (code, said) = machine.types(&format!("canasta-recorder game {id}"));
    assert!(code == 2 && said.contains("there is no game"), "{said}");
    let gone = client.get_verdict(&made.game_id, role(Role::Director)).await.expect_err("it is deleted");
    assert_eq!(gone.code(), Code::NotFound);
    assert_eq!(machine.doctor(), [""; 0]);
    play(&mut client, &game, 2).await;
    drop(recorder);
}

/// Finds a game STUCK whose object in the archive is another one: the doctor names the object, and once that is gone, the game has its
/// verdict.
#[tokio::test]
async fn a_stuck_game_is_audited_again() {
    let machine = Machine::new();
    let (recorder, mut client) = machine.start(&["--audit-elsewhere"]).await;
    let game = dealt(&mut client, 1).await;
    let end = forfeit(&mut client, &game, 2).await;
    drop(recorder);
    machine.journal().execute("UPDATE games SET status = 5, tries = 5", ()).expect("a change");
    let id = hex(&game);
    let object =
        machine.path(&format!("canasta-data/archive/games/{}/{id}/{}.carc", &id[..2], hex(&end.head[..8])));
    fs::create_dir_all(object.parent().expect("a folder")).expect("room");
    fs::write(&object, "something else").expect("room");
    assert_eq!(machine.doctor(), ["canasta-recorder doctor --fix"]);
    let (code, said) = machine.types("canasta-recorder doctor --fix");
    assert!(code == 2 && said.contains(".carc in the archive is damaged: it is another log"), "{said}");
    machine.journal().execute("UPDATE games SET status = 5, tries = 5", ()).expect("a change");
    fs::remove_file(&object).expect("a file");
    machine.mends();
    let (_recorder, mut client) = machine.start(&["--audit-elsewhere"]).await;
    assert!(judged(&mut client, &game, role(Role::Director)).await.report.is_some());
}

/// Opens a folder that an earlier recorder wrote: with a live game, and one that was judged. Such folders are never written again.
#[tokio::test]
async fn a_folder_of_an_earlier_recorder_goes_on() {
    let machine = Machine::new();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/recorder/v1");
    let copy = format!("cp -r {} canasta-data && chmod -R u=rwX,go= canasta-data", kept.display());
    assert_eq!(machine.types(&copy).0, 0);
    assert_eq!(machine.doctor(), [""; 0]);
    let (recorder, mut client) = machine.start(&[]).await;
    let all = ListGamesRequest { actor: role(Role::Director), ..Default::default() };
    let games = client.list_games(all).await.expect("a list").games;
    let [over, live] = &games[..] else { panic!("{games:?}") };
    assert_eq!((live.status(), live.rule_set.as_str()), (GameStatus::Live, "classic-4p"));
    assert_eq!((over.status(), over.rule_set.as_str()), (GameStatus::Judged, "samba-4p"));
    play(&mut client, &live.game_id, 20).await;
    assert_eq!(
        audited(&log(&mut client, &live.game_id, role(Role::Director)).await, true),
        Verdict::Conditional
    );
    let verdict = judged(&mut client, &over.game_id, role(Role::Director)).await;
    assert_eq!(verdict.archived_as, "games/c6/c60aaf10d084dfb5a370d915632595ef/63dbca3871d7e0aa.carc");
    assert_eq!(audited(&log(&mut client, &over.game_id, role(Role::Director)).await, false), Verdict::Ruled);
    drop(recorder);
    assert_eq!(machine.doctor(), [""; 0]);
}
