//! Nothing secret is in an answer or kept in a file: states, codes of rooms, and cards in the stream of all games.

use std::collections::{BTreeMap, BTreeSet};

use canasta_engine::dealing::DealSource;
use canasta_engine::token::{Catalogue, decode};
use canasta_proto::DESCRIPTORS;
use canasta_proto::v1::*;
use canasta_service::seal::Keyring;
use prost::Message;
use prost_types::FileDescriptorSet;

use crate::support::entries::{entries, files};
use crate::support::game::*;
use crate::support::links::tomorrow;
use crate::support::methods::{Asked, ask};
use crate::support::server::{Client, Recorder, settings};
use crate::support::walk::{message, methods};

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Opens a room. Returns it with a client that holds its host's token.
async fn room(recorder: &Recorder, rules: &str) -> (Client, Room) {
    let rules =
        RoomRules { rule_set: rules.into(), deal_mode: DealMode::Committed.into(), ..Default::default() };
    let request = CreateRoomRequest { request_id: vec![99; 16], rules: Some(rules), name: "Ann".into() };
    let answer = recorder.client().await.service.create_room(request).await.expect("an answer");
    let Some(create_room_response::Outcome::Opened(opened)) = answer.into_inner().outcome else {
        panic!("a room")
    };
    (recorder.holder(&opened.link.expect("a token")).await, opened.room.expect("a room"))
}

/// Plays, and asks every method at some moments: the bytes of no state that the journal keeps stand in any answer.
#[tokio::test]
async fn no_answer_holds_a_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let recorder = Recorder::start(&data, &[]).await;
    let (mut client, channel) = (recorder.client().await, recorder.channel().await);
    let game = dealt(&mut client, 1).await;
    let (_, Room { room_id, code, .. }) = room(&recorder, "classic-4p").await;
    let (mut answers, mut answered) = (Vec::new(), BTreeMap::new());
    for number in 1..4 {
        play(&mut client, &game, 5).await;
        let (end, who, action) = suggested(&mut client, &game).await.expect("the game goes on");
        let (game, room, code, expires_at_ms) = (game.clone(), room_id.clone(), code.clone(), tomorrow());
        let asked = Asked { game, who, action, end, room, code, number, expires_at_ms };
        for (method, request) in asked.requests() {
            let is_answered = answered.entry(method.to_owned()).or_insert(false);
            match ask(&channel, method, request).await {
                Ok(messages) => {
                    *is_answered = true;
                    answers.extend(messages.into_iter().map(|message| (method, message)));
                }
                Err(status) => answers.push((method, status.details().to_vec())),
            }
        }
    }
    let set = FileDescriptorSet::decode(DESCRIPTORS).expect("descriptors");
    let all: BTreeSet<_> = methods(&set).map(|method| method.name().to_owned()).collect();
    assert_eq!(answered.keys().cloned().collect::<BTreeSet<_>>(), all);
    let refused: Vec<_> =
        answered.iter().filter(|(_, is_answered)| !**is_answered).map(|(method, _)| &method[..]).collect();
    assert_eq!(refused, ["EndGame", "Revoke"], "the game is of no room, and has no link");
    let states: Vec<_> = entries(&data).into_iter().map(|entry| entry.state).collect();
    assert!(states.len() > 20 && states.iter().all(|state| state.len() > 300));
    for (method, answer) in &answers {
        for state in &states {
            // All states of a key begin alike; the end of each is its own.
            let parts = [&state[..6], &state[state.len() - 16..]];
            assert!(!parts.iter().any(|part| has(answer, part)), "{method} answers with a state");
        }
    }
    recorder.stop().await;
}

/// Collects the types of the messages that are reached from one.
fn reached(set: &FileDescriptorSet, path: &str, found: &mut BTreeSet<String>) {
    if found.insert(path.trim_start_matches(".canasta.v1.").to_owned()) {
        for field in message(set, path).field.iter().filter(|field| !field.type_name().is_empty()) {
            if field.r#type() == prost_types::field_descriptor_proto::Type::Message {
                reached(set, field.type_name(), found);
            }
        }
    }
}

/// Looks at what a message of the stream can hold at all. Numbers, names and results are no cards.
#[test]
fn the_stream_of_all_games_has_no_place_for_cards_and_actions() {
    let set = FileDescriptorSet::decode(DESCRIPTORS).expect("descriptors");
    let mut found = BTreeSet::new();
    reached(&set, ".canasta.v1.WatchGamesResponse", &mut found);
    let expected =
        ["ClockState", "GameEnd", "GameNews", "GameSummary", "LogEnd", "SeatClock", "WatchGamesResponse"];
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    let fields = found.iter().flat_map(|name| &message(&set, &format!(".canasta.v1.{name}")).field);
    let words = ["card", "hand", "action", "meld", "pile"];
    for field in fields {
        assert!(!words.iter().any(|word| field.name().contains(word)), "{}", field.name());
    }
}

/// Opens the last state of a game that is played: the secret, from which all cards follow, stands in no file in clear.
#[tokio::test]
async fn no_file_shows_the_secret_of_a_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    play(&mut client, &game, 20).await;
    drop(client);
    recorder.stop().await;
    let ring = Keyring::read(&data.join("seal.keys"), &settings(&[]).config.audience).expect("a ring");
    let last = entries(&data).pop().expect("an entry");
    let open = ring.open(&last.state).expect("a state");
    let state = decode(&open, &Catalogue::new()).expect("a state");
    let DealSource::Seeded(secret) = &state.dealing.source else { panic!("a seeded game") };
    assert!(has(&open, &secret.0), "an open state has it in clear");
    let kept = files(&data);
    assert!(has(&kept, &last.state) && has(&kept, &last.frames), "the files are read whole");
    assert!(!has(&kept, &secret.0[..16]) && !has(&kept, &secret.0[48..]));
}

/// Opens a room, whose host takes another code: nothing that the recorder keeps has one of its codes, and no log has.
#[tokio::test]
async fn codes_of_rooms_are_in_no_log_and_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let recorder = Recorder::start(&data, &[]).await;
    let (mut host, first) = room(&recorder, "classic-4p").await;
    let request = host.request(ChangeRoomRequest {
        room_id: first.room_id.clone(),
        request_id: vec![1; 16],
        actor: seat(0),
        change: Some(change_room_request::Change::NewCode(NewCode {})),
    });
    let changed = host.service.change_room(request).await.expect("an answer").into_inner();
    let second = changed.opened.and_then(|opened| opened.room).expect("a room");
    assert_ne!(first.code, second.code);
    let mut kept = log(&mut recorder.client().await, &first.room_id, role(Role::Director)).await;
    kept.extend(files(&data));
    recorder.stop().await;
    kept.extend(files(&data));
    assert!(has(&kept, b"Ann") && has(&kept, &first.room_id), "what is kept stands there in clear");
    for code in [&first.code, &first.own_code, &second.code, &second.own_code] {
        for written in [code.clone(), code.replace('-', ""), code.to_uppercase()] {
            assert_eq!(written.replace('-', "").len(), 12);
            assert!(!has(&kept, written.as_bytes()), "{written} is kept");
        }
    }
}
