//! Boards: two tables get equal cards, and nobody but the director learns of them from a table that has ended before the other.

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};

use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_engine::log::finding::Verdict as LogVerdict;
use canasta_engine::log::record::{DealMode as LogMode, Reveal};
use canasta_engine::log::{Reader, Record};
use canasta_proto::v1::action::{Kind, Ruling};
use canasta_proto::v1::*;
use canasta_service::program::{now, random};
use canasta_service::seal;
use prost::Message;
use tonic::Streaming;

use crate::support::board::*;
use crate::support::entries::files;
use crate::support::game::*;
use crate::support::links::{bad_field, denied, tomorrow};
use crate::support::rights::{client as known, key, start as start_known};
use crate::support::server::{Client, Recorder, opened, settings};
use crate::support::watching::{from, message, watch};

/// A week and an hour, in ms: longer than finished games are kept.
const LONG_MS: i64 = 169 * 3_600_000;

/// Plays as bots do until an action ends a round, or at most so many. What observers are told shows nothing hidden.
async fn play_round(needles: &Needles, client: &mut Client, game: &[u8], most: usize) -> bool {
    for _ in 0..most {
        let (end, actor, action) = suggested(client, game).await.expect("the game goes on");
        let mut request = act(game, 1000 + end.seq, actor, action);
        request.expected_seq = Some(end.seq);
        request.observers = lookers().into_iter().flatten().collect();
        let acted = acted(client, request).await;
        assert_eq!(needles.find(&acted.encode_to_vec(), &format!("{acted:?}")), None, "after {end:?}");
        for seen in &acted.observations {
            let views = [&seen.view, &seen.round_over].into_iter().flatten();
            assert_eq!(views.filter_map(shown_hand).next(), None, "after {end:?}");
        }
        if !acted.round_ends.is_empty() {
            return true;
        }
    }
    false
}

/// Asks everything about both tables for everybody: the holders of links too, if they are given.
async fn assert_withheld(
    needles: &Needles,
    client: &mut Client,
    holders: &mut [(usize, Option<Actor>, Client)],
) {
    for table in &TABLES {
        for actor in lookers() {
            assert_eq!(leaks(needles, client, table, actor).await, [""; 0], "{actor:?} at {}", hex(table));
        }
        assert!(log(client, table, role(Role::Judge)).await.is_empty(), "a judge gets no log");
    }
    for (at, actor, holder) in holders {
        assert_eq!(
            leaks(needles, holder, &TABLES[*at], *actor).await,
            [""; 0],
            "the holder of {actor:?} at {at}"
        );
    }
}

/// Checks that a log is explicit, sound, and has the board's walls under this table's salts. Returns the walls.
fn walls(log: &[u8], table: [u8; 16]) -> Vec<Vec<u8>> {
    assert_eq!(audited(log, false), LogVerdict::Ruled, "sound, with a forfeit");
    let (board, rules, mut walls) = (board(), rules(), Vec::new());
    let (mut reader, mut bytes) = (Reader::new(), log);
    while let Some(frame) = reader.next(&mut bytes).expect("a whole log") {
        match frame.record().expect("a record") {
            Record::Genesis(genesis) => {
                assert_eq!(
                    (genesis.mode, genesis.game_id, genesis.commitment),
                    (LogMode::Explicit, table, None)
                );
            }
            Record::RoundEnd(end) => {
                let Reveal::Wall { cards, salt } = end.reveal else { panic!("an explicit deal") };
                assert_eq!(cards, board.wall(&rules, end.round, end.attempt).expect("a pack"));
                assert_eq!(salt, board.salt(GameId(table), end.round, end.attempt).0);
                walls.push(cards.iter().map(|card| card.kind()).collect());
            }
            _ => {}
        }
    }
    walls
}

/// Returns the hand that each seat sees.
async fn hands(client: &mut Client, game: &[u8]) -> Vec<Vec<String>> {
    let mut hands = Vec::new();
    for at in 0..4 {
        let view = client.get_game(game, seat(at)).await.expect("a view").view.expect("a view");
        hands.push(view.seats[at as usize].hand.clone());
    }
    hands
}

/// Waits until a watcher is told of the second round. Nothing that it is told shows anything hidden.
async fn told_of_round_two(needles: &Needles, stream: &mut Streaming<WatchResponse>) {
    let told = loop {
        let told = message(stream).await;
        assert_eq!(needles.find(&told.encode_to_vec(), &format!("{told:?}")), None);
        // A watcher who is behind gets a snapshot.
        let is_next = |seen: &Observation| seen.view.as_ref().is_some_and(|view| view.round == 2);
        if told.observation.as_ref().is_some_and(is_next) {
            break told;
        }
    };
    let over = told.observation.and_then(|seen| seen.round_over);
    assert_eq!(over.as_ref().and_then(shown_hand), None, "the end of a round shows no hand");
}

/// Plays two tables, one of which ends first and goes into the archive, with a restart between.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_is_withheld_until_its_last_table_has_ended() {
    static PASSED_MS: AtomicI64 = AtomicI64::new(0);
    let start = async |data: &Path| {
        let clock = || now() + PASSED_MS.load(Ordering::Relaxed);
        let recorder = Recorder::start_at(opened(data, &settings(&[]).config), &[], clock).await;
        let client = recorder.client().await;
        (recorder, client)
    };
    let (folder, needles) = (tempfile::tempdir().expect("a folder"), Needles::new());
    let data = folder.path().join("data");
    let (recorder, mut client) = start(&data).await;
    let [first, second] = TABLES;
    for at in 0..2 {
        let made = created(&mut client, table(at)).await;
        assert!(matches!(made.start, Some(created_game::Start::Dealt(_))), "{made:?}");
        assert_eq!(created(&mut client, table(at)).await, made, "a retry");
        assert_eq!(needles.find(&made.encode_to_vec(), &format!("{made:?}")), None);
    }
    assert_eq!(hands(&mut client, &first).await, hands(&mut client, &second).await, "equal cards");
    let mut holders = Vec::new();
    for (at, actor) in [(0, seat(0)), (0, role(Role::Spectator)), (1, seat(2)), (1, role(Role::Spectator))] {
        let link = client.invite(&TABLES[at], actor, tomorrow()).await.expect("a link");
        holders.push((at, actor, recorder.holder(&link).await));
    }
    let mut stream =
        watch(&mut client, WatchRequest { want_view: true, ..from(&first, seat(1), None) }).await;
    assert!(play_round(&needles, &mut client, &first, 5_000).await, "a round ends");
    told_of_round_two(&needles, &mut stream).await;
    assert_withheld(&needles, &mut client, &mut holders).await;
    assert!(!play_round(&needles, &mut client, &second, 6).await);
    forfeit(&mut client, &first, 1).await;
    assert_withheld(&needles, &mut client, &mut holders).await;
    // The search finds what there is: the director sees it.
    let director = leaks(&needles, &mut client, &first, role(Role::Director)).await;
    for expected in
        ["GetLog shows a secret", "GetGame shows the cards of a wall", "a view shows hidden cards"]
    {
        assert!(director.iter().any(|found| found == expected), "{expected}: {director:?}");
    }
    let whole = log(&mut client, &first, role(Role::Director)).await;
    judged(&mut client, &first, role(Role::Director)).await;
    assert_withheld(&needles, &mut client, &mut holders).await;
    recorder.stop().await;
    let found = files(&data).windows(8).any(|part| board().secret.0.windows(8).any(|secret| secret == part));
    assert!(!found, "the journal keeps the secret sealed");

    PASSED_MS.store(LONG_MS, Ordering::Relaxed);
    let (recorder, mut client) = start(&data).await;
    becomes(&mut client, &first, GameStatus::Archived).await;
    assert_withheld(&needles, &mut client, &mut []).await;
    assert_eq!(log(&mut client, &first, role(Role::Director)).await, whole);
    assert!(play_round(&needles, &mut client, &second, 5_000).await, "a round ends");
    assert_withheld(&needles, &mut client, &mut []).await;
    forfeit(&mut client, &second, 1).await;
    let other = log(&mut client, &second, role(Role::Spectator)).await;
    assert_eq!(log(&mut client, &first, seat(0)).await, whole, "from the archive");
    assert!(matches!(
        client.get_verdict(&first, role(Role::Spectator)).await.expect("an answer"),
        get_verdict_response::Outcome::Verdict(_)
    ));
    let equal = walls(&whole, first);
    assert_eq!((equal.len(), equal), (2, walls(&other, second)));
    recorder.stop().await;
}

/// Makes another key the active one of a file with the keys that seal.
fn rotate(file: &Path) {
    seal::keygen(file, random).expect("a further key");
    let text = std::fs::read_to_string(file).expect("our file");
    let swapped =
        text.replace("open-only ", "next ").replace("active ", "open-only ").replace("next ", "active ");
    std::fs::write(file, swapped).expect("our file");
}

/// Opens a table of bots and a player later: the table's first action deals it, also after a restart with another key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_waits_for_its_opening_and_bots_play_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    let bots = [1, 2, 3].map(|seat| Bot { seat: Some(seat), level: 0 }).to_vec();
    let request = CreateRequest { waits_for_opening: true, bots, ..table(0) };
    let made = created(&mut client, request.clone()).await;
    assert_eq!(made.start, Some(created_game::Start::WaitsFor(WaitsFor::Table.into())));
    recorder.stop().await;
    rotate(&data.join("seal.keys"));
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    assert_eq!(created(&mut client, request).await, made);
    acted(&mut client, act(&TABLES[0], 1, role(Role::Table), deal())).await;
    let mut stream =
        watch(&mut client, WatchRequest { want_view: true, ..from(&TABLES[0], seat(0), None) }).await;
    loop {
        let view = message(&mut stream).await.observation.and_then(|seen| seen.view);
        if view.is_some_and(|view| view.to_act == Some(0)) {
            break;
        }
    }
    play(&mut client, &TABLES[0], 1).await;
    let redeal = Ruling {
        by: Authority::Director.into(),
        side: Some(0),
        rule: "house:redeal".into(),
        effect: Some(Box::new(Effect { kind: Some(effect::Kind::Redeal(effect::Redeal {})) })),
        ..Default::default()
    };
    let redeal = action(Kind::Ruling(Box::new(redeal)));
    acted(&mut client, act(&TABLES[0], 2, role(Role::Director), redeal)).await;
    let view = client.get_game(&TABLES[0], seat(0)).await.expect("a view").view.expect("a view");
    assert_eq!((view.round, view.attempt), (1, 2), "the recorder deals the next attempt");
    forfeit(&mut client, &TABLES[0], 3).await;
    // The other table was never created, so nobody knows that it has ended.
    assert!(log(&mut client, &TABLES[0], seat(0)).await.is_empty());
    let walls = walls(&log(&mut client, &TABLES[0], role(Role::Director)).await, TABLES[0]);
    assert!(walls.len() == 2 && walls[0] != walls[1], "two attempts");
    recorder.stop().await;
}

#[tokio::test]
async fn a_board_that_cannot_be_played_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    type Change = fn(&mut CreateRequest);
    let cases: [Change; 12] = [
        |request| request.auto_table = false,
        |request| request.game_id = Vec::new(),
        |request| request.game_id = vec![9; 16],
        |request| request.deal_mode = DealMode::Seeded.into(),
        |request| request.wall = Some(Wall::default()),
        |request| request.registration = Registration::ByTable.into(),
        |request| request.board.iter_mut().for_each(|board| board.secret.truncate(63)),
        |request| request.board.iter_mut().for_each(|board| board.board_id.truncate(15)),
        |request| request.board.iter_mut().for_each(|board| board.tables.push(TABLES[0].into())),
        |request| request.board.iter_mut().for_each(|board| board.tables = vec![TABLES[0].into(); 257]),
        |request| request.board.iter_mut().for_each(|board| board.tables[1].truncate(15)),
        |request| {
            let knobs = [("first_dealer".into(), "high_card_deals".into())];
            request.house_rules = Some(HouseRules { knobs: knobs.into(), ..Default::default() });
        },
    ];
    for change in cases {
        let mut request = table(0);
        change(&mut request);
        bad_field(client.create(request).await);
    }
    created(&mut client, table(0)).await;
    let mut other = table(0);
    other.board.iter_mut().for_each(|board| board.secret[0] ^= 1);
    assert_eq!(reason(&client.create(other).await.expect_err("another board")), "REQUEST_ID_REUSED");
    let mut fewer = table(0);
    fewer.board.iter_mut().for_each(|board| board.tables.truncate(1));
    assert_eq!(reason(&client.create(fewer).await.expect_err("other tables")), "REQUEST_ID_REUSED");
    recorder.stop().await;
}

#[tokio::test]
async fn only_a_director_creates_tables_of_a_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let (director, director_entry) = key("director", "\"all\"", "[\"TABLE\", \"DIRECTOR\"]");
    let (host, host_entry) = key("host", "\"all\"", "[0, 1, 2, 3, \"TABLE\", \"SPECTATOR\", \"JUDGE\"]");
    let recorder = start_known(folder.path(), &format!("{director_entry}\n{host_entry}")).await;
    let (mut director, mut host) = (known(&recorder, &director).await, known(&recorder, &host).await);
    denied(host.create(table(0)).await);
    created(&mut director, table(0)).await;
    denied(host.create(table(0)).await);
    recorder.stop().await;
}
