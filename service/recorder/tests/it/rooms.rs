//! Rooms: what callers without credentials may do where anybody reaches the port, and which rooms may be deleted.

use std::net::SocketAddr;
use std::path::Path;

use canasta_engine::deal::GameId;
use canasta_proto::v1::game_service_client::GameServiceClient;
use canasta_proto::v1::record_service_client::RecordServiceClient;
use canasta_proto::v1::*;
use canasta_recorder::entry::{EntryKind, Settings};
use canasta_recorder::journal::sqlite::SqliteJournal;
use canasta_recorder::journal::{Appended, Journal};
use canasta_recorder::rooms::sweep;
use canasta_service::program::{now, random};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tonic::{Code, Request};
use tonic_types::StatusExt;

use crate::support::game::*;
use crate::support::links::*;
use crate::support::memory::MemoryJournal;
use crate::support::random::Random;
use crate::support::server::{Client, Recorder, settings};
use crate::support::suite::{encoded, entry_after};

/// The settings of a recorder behind a proxy: it listens on loopback, so it can trust nobody there.
const BEHIND_PROXY: [&str; 1] = ["--rooms"];
/// The settings of a recorder that anybody reaches, who is not on this machine.
const OPEN: [&str; 3] = ["--rooms", "--listen", "0.0.0.0:1"];

/// Returns a valid request for a room, of which a test changes one field.
fn room(id: u8) -> CreateRequest {
    let mut request = new_game(id);
    let names = ["Ann", "Bob", "Cem", "Dee"];
    let player = |name: &str| Player { name: name.into(), ..Default::default() };
    request.players = names.map(player).to_vec();
    CreateRequest { creator: seat(0), auto_table: true, ..request }
}

#[tokio::test]
async fn guests_create_rooms_and_read_the_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &BEHIND_PROXY).await;
    let mut guest = recorder.client().await;
    let mut request = room(1);
    request.observers = seat(0).into_iter().collect();
    let made = created(&mut guest, request.clone()).await;
    assert_eq!(
        created(&mut guest, request.clone()).await,
        made,
        "whoever repeats the request gets the host's link"
    );
    assert_eq!(made.observations.len(), 1);
    request.observers = seat(1).into_iter().collect();
    denied(guest.create(request).await);
    let game = made.game_id;
    for actor in [seat(0), role(Role::Table), role(Role::Spectator), role(Role::Director)] {
        unknown(guest.get_game(&game, actor).await);
        unknown(guest.act(act(&game, 1, actor, deal())).await);
        unknown(guest.watch(&game, actor).await);
        unknown(guest.list_games(ListGamesRequest { actor, ..Default::default() }).await);
        unknown(guest.get_log(GetLogRequest { game_id: game.clone(), actor, from_n: None }).await);
        unknown(guest.list_actions(&game, actor).await);
    }
    unknown(guest.invite(&game, seat(1), tomorrow()).await);
    unknown(guest.revoke(&game, &[1; 16]).await);
    let mut games = GameServiceClient::new(recorder.channel().await);
    // The page lists the rule sets before there is a link.
    assert!(games.list_rule_sets(ListRuleSetsRequest::default()).await.is_ok());
    unknown(games.create_game(CreateGameRequest::default()).await);
    assert!(get(recorder.address).await.starts_with("HTTP/1.1 200"), "the page needs no credentials");

    let mut host = recorder.holder(&made.host_link.expect("the host's link")).await;
    let link = host.invite(&game, seat(1), tomorrow()).await.expect("a link");
    for actor in [role(Role::Table), role(Role::Judge)] {
        assert!(host.invite(&game, actor, tomorrow()).await.is_err(), "links are for seats and spectators");
    }
    bad_field(host.invite(&game, role(Role::Table), tomorrow()).await);
    let mut player = recorder.holder(&link).await;
    assert!(player.get_game(&game, seat(1)).await.is_ok());
    denied(player.create(room(2)).await);
    // GameService stays on loopback, except for what it tells of the rules.
    let asked = player.request(ListRuleSetsRequest::default());
    assert!(games.list_rule_sets(asked).await.is_ok());
    denied(games.create_game(player.request(CreateGameRequest::default())).await);
}

/// Loads the page, as a browser does.
async fn get(address: SocketAddr) -> String {
    get_as(address, &address.to_string()).await
}

async fn get_as(address: SocketAddr, host: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("the recorder listens");
    let request = format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("text");
    answer
}

/// A change of one field of a request.
type ChangedRequest = fn(&mut CreateRequest);

#[tokio::test]
async fn a_room_has_a_creator_names_and_cards_of_the_recorder() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &BEHIND_PROXY).await;
    let mut guest = recorder.client().await;
    let changed = |change: ChangedRequest| {
        let mut request = room(1);
        change(&mut request);
        request
    };
    let table: [(&str, ChangedRequest); 9] = [
        ("creator", |request| request.creator = None),
        ("creator", |request| request.creator = role(Role::Table)),
        ("creator", |request| request.creator = role(Role::Director)),
        ("creator.seat", |request| request.creator = seat(4)),
        ("auto_table", |request| request.auto_table = false),
        ("players", |request| request.players.clear()),
        ("game_id", |request| request.game_id = vec![1; 16]),
        ("waits_for_opening", |request| request.waits_for_opening = true),
        ("deal_mode", |request| request.deal_mode = DealMode::Explicit.into()),
    ];
    for (path, change) in table {
        let status = guest.create(changed(change)).await.expect_err(path);
        assert_eq!(reason(&status), "INVALID_FIELD", "{path}");
        let named = status.get_details_bad_request().expect("the fields").field_violations;
        assert!(named.iter().any(|fault| fault.field.starts_with(path)), "{path}: {named:?}");
    }
    let mut short = room(1);
    short.players.pop();
    assert!(matches!(guest.create(short).await, Ok(create_response::Outcome::Rejected(_))));
    assert!(created(&mut guest, room(1)).await.host_link.is_some());
}

#[tokio::test]
async fn an_address_creates_so_many_rooms_per_hour() {
    let folder = tempfile::tempdir().expect("a folder");
    let limit = [&BEHIND_PROXY[..], &["--rooms-per-hour", "3"]].concat();
    let recorder = Recorder::start(&folder.path().join("data"), &limit).await;
    let from = async |address| Client {
        service: RecordServiceClient::new(recorder.channel_from(address).await),
        bearer: None,
    };
    let mut guest = from([127, 0, 0, 2]).await;
    for refused in [
        CreateRequest { creator: None, ..room(9) },
        CreateRequest { label: "Final".into(), ..room(9) },
        CreateRequest { director_key: vec![7; 32], ..room(9) },
    ] {
        bad_field(guest.create(refused).await);
    }
    for id in 1..=3 {
        created(&mut guest, room(id)).await;
    }
    let status = guest.create(room(4)).await.expect_err("the fourth");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "RATE_LIMITED"));
    let delay = status.get_details_retry_info().and_then(|info| info.retry_delay).expect("a delay");
    assert!((1100..=1200).contains(&delay.as_secs()), "a room every 20 minutes: {delay:?}");
    created(&mut guest, room(3)).await;
    created(&mut from([127, 0, 0, 3]).await, room(5)).await;
}

/// Calls from this machine to a port that others reach: such callers are trusted, unless a proxy hands their requests on.
#[tokio::test]
async fn this_machine_is_trusted_only_without_a_proxy() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, arguments, is_trusted) in [("open", &OPEN[..], true), ("proxy", &BEHIND_PROXY[..], false)] {
        let recorder = Recorder::start(&folder.path().join(name), arguments).await;
        let mut client = recorder.client().await;
        assert_eq!(client.create(new_game(1)).await.is_ok(), is_trusted, "{name}");
        let game = match is_trusted {
            true => created(&mut client, room(2)).await,
            false => created(&mut recorder.client().await, room(2)).await,
        };
        for header in ["forwarded", "via", "x-forwarded-for", "x-real-ip"] {
            let ask = GetGameRequest { game_id: game.game_id.clone(), actor: role(Role::Director) };
            assert_eq!(client.get_game(&game.game_id, role(Role::Director)).await.is_ok(), is_trusted);
            let mut request = Request::new(ask);
            request.metadata_mut().insert(header, "for=198.51.100.7".parse().expect("text"));
            unknown(client.service.get_game(request).await);
        }
    }
}

#[tokio::test]
async fn rooms_need_no_identities_and_exclude_trust() {
    let folder = tempfile::tempdir().expect("a folder");
    let prepared = async |name: &str, arguments: &[&str]| {
        let mut settings = settings(arguments);
        settings.data = folder.path().join(name);
        let faults = canasta_recorder::server::prepare(&settings, random).err().unwrap_or_default();
        faults.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(prepared("open", &OPEN).await, [""; 0]);
    // The key is looked for only after the settings have been found to fit.
    let faults = prepared("sealed", &[&OPEN[..], &["--seal-key-file", "no-such-file"]].concat()).await;
    assert!(matches!(&faults[..], [fault] if fault.contains("No such file")), "{faults:?}");
    let faults = prepared("trusted", &[&OPEN[..], &["--trusted-callers"]].concat()).await;
    assert!(matches!(&faults[..], [fault] if fault.contains("--rooms")), "{faults:?}");
    let faults = prepared("closed", &OPEN[1..]).await;
    assert!(matches!(&faults[..], [fault] if fault.contains("--listen")), "{faults:?}");
}

#[tokio::test]
async fn rooms_go_in_which_no_seat_has_acted() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let recorder = Recorder::start(&data, &OPEN).await;
    let mut client = recorder.client().await;
    let mut guest = recorder.client().await;
    let mut rooms = Vec::new();
    for id in 1..=3 {
        let mut request = guest.request(room(id));
        request.metadata_mut().insert("via", "proxy".parse().expect("text"));
        let answer = guest.service.create(request).await.expect("a room").into_inner();
        let Some(create_response::Outcome::Created(room)) = answer.outcome else { panic!("a room") };
        rooms.push((room.game_id, room.host_link.expect("the host's link")));
    }
    let [(unplayed_room, _), (invited, host), (played, _)] = &rooms[..] else { panic!("three rooms") };
    recorder.holder(host).await.invite(invited, seat(1), tomorrow()).await.expect("a link");
    let own = created(&mut client, CreateRequest { creator: seat(0), ..new_game(9) }).await.game_id;
    // The table may deal by itself meanwhile.
    for id in 0.. {
        let (end, actor, action) = suggested(&mut client, played).await.expect("the game goes on");
        let mut request = act(played, 100 + id, actor, action);
        request.expected_seq = Some(end.seq);
        let is_seat = actor != role(Role::Table);
        if matches!(client.act(request).await, Ok(act_response::Outcome::Acted(_))) && is_seat {
            break;
        }
    }
    let day_ms = 24 * 60 * 60 * 1000;
    assert!(swept(&data, now(), 7 * day_ms).await.is_empty());
    let found = swept(&data, now() + 8 * day_ms, 7 * day_ms).await;
    let mut expected = vec![unplayed_room.clone(), invited.clone()];
    expected.sort_unstable();
    assert_eq!(found, expected, "not {played:?}, which was played, nor {own:?}, which is no room");
}

/// Sweeps more games than one read returns: each room is dropped once.
#[tokio::test]
async fn a_sweep_goes_through_every_page() {
    let (journal, mut random) = (MemoryJournal::new(1, 0), Random(1));
    for number in 0..600_u128 {
        let mut entry = entry_after(None, 0, &mut random);
        let settings = Settings { is_room: number % 2 == 0, ..Default::default() };
        entry.kind = EntryKind::Created(settings);
        let stored = journal.put(GameId(number.to_be_bytes()), None, &encoded(&entry));
        assert!(matches!(stored, Appended::Stored(_)));
    }
    for now_ms in [0, i64::MIN] {
        assert_eq!(sweep(&journal, now_ms, 1).await, Ok(0), "not yet, nor after the clock was set back");
    }
    assert_eq!(sweep(&journal, 1, 1).await, Ok(300));
    let expected =
        (0..600).filter(|number| number % 2 == 1).map(|number: u128| number.to_be_bytes().to_vec());
    assert!(listed(&journal).await.into_iter().eq(expected), "what is no room stays");
}

/// Sweeps the rooms of a journal, and returns the ids of those that are gone.
async fn swept(data: &Path, now_ms: i64, keep_ms: i64) -> Vec<Vec<u8>> {
    let journal = SqliteJournal::open(&data.join("journal.sqlite")).expect("the same journal");
    let mut gone = listed(&journal).await;
    let count = sweep(&journal, now_ms, keep_ms).await.expect("readable");
    let after = listed(&journal).await;
    gone.retain(|game| !after.contains(game));
    assert_eq!(count, gone.len());
    gone
}

async fn listed(journal: &dyn Journal) -> Vec<Vec<u8>> {
    let (mut ids, mut after) = (Vec::new(), None);
    loop {
        let page = journal.games(after, 256).await.expect("readable");
        let Some(last) = page.last() else { return ids };
        after = Some(GameId(last.game_id[..].try_into().expect("16 bytes")));
        ids.extend(page.into_iter().map(|summary| summary.game_id));
    }
}

/// Asks a recorder that only this machine reaches, and one on which this machine is trusted, as a page of another site
/// whose name leads to this machine (DNS rebinding).
#[tokio::test]
async fn a_page_of_another_site_sees_no_game() {
    for (arguments, is_local) in [(&[][..], true), (&BEHIND_PROXY[..], true), (&OPEN[..], false)] {
        let folder = tempfile::tempdir().expect("a folder");
        let web = [arguments, if is_local { &[] } else { &["--web"] }].concat();
        let recorder = Recorder::start(&folder.path().join("data"), &web).await;
        let client = recorder.client().await;
        let (evil, page) = (format!("evil.example:{}", recorder.address.port()), "http://evil.example");
        let answer = get_as(recorder.address, &evil).await;
        assert_eq!(answer.starts_with("HTTP/1.1 403"), is_local, "{arguments:?}: {answer}");
        let mut request = client.request(ListGamesRequest { actor: role(Role::Table), ..Default::default() });
        request.metadata_mut().insert("origin", page.parse().expect("visible ASCII"));
        let fault = client.clone().service.list_games(request).await.expect_err("a page of another site");
        let expected = if is_local { Code::PermissionDenied } else { Code::Unauthenticated };
        assert_eq!(fault.code(), expected, "{arguments:?}: {fault:?}");
        recorder.stop().await;
    }
}
