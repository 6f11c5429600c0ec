//! Rights: they are checked before the journal is read, and again at each message of a stream.

use std::time::Duration;

use canasta_proto::v1::*;
use tonic::{Code, Status};

use crate::support::game::*;
use crate::support::rights::{client, key, start};

fn denied<T: std::fmt::Debug>(answer: Result<T, Status>) {
    let status = answer.expect_err("denied");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::PermissionDenied, "PERMISSION_DENIED"));
}

#[tokio::test]
async fn a_caller_gets_what_its_grant_covers() {
    let folder = tempfile::tempdir().expect("a folder");
    let (host, host_entry) = key("host", "\"all\"", "\"all\"");
    let ours = "0b".repeat(16);
    let (player, player_entry) = key("player", &format!("[\"{ours}\"]"), "[0]");
    let recorder = start(folder.path(), &format!("{host_entry}\n{player_entry}")).await;
    let (mut host, mut player) = (client(&recorder, &host).await, client(&recorder, &player).await);
    let mut request = new_game(1);
    request.game_id = vec![0x0b; 16];
    denied(player.create(request.clone()).await);
    let game = created(&mut host, request).await.game_id;
    acted(&mut host, act(&game, 1, role(Role::Table), deal())).await;
    let other = created(&mut host, new_game(2)).await.game_id;

    assert!(player.get_game(&game, seat(0)).await.is_ok());
    denied(player.get_game(&game, seat(1)).await);
    // Whether a game exists is not told.
    for unknown in [other.clone(), vec![0xee; 16]] {
        denied(player.get_game(&unknown, seat(0)).await);
        denied(player.act(act(&unknown, 1, seat(0), deal())).await);
        let watch = WatchRequest { game_id: unknown.clone(), actor: seat(0), ..Default::default() };
        denied(player.service.watch(player.request(watch)).await);
        let describe = DescribeRequest { game_id: unknown.clone(), actor: seat(0), ..Default::default() };
        denied(player.service.describe(player.request(describe)).await);
        denied(player.get_verdict(&unknown, seat(0)).await);
        denied(player.get_log(GetLogRequest { game_id: unknown, actor: seat(0), from_n: None }).await);
    }
    denied(player.get_verdict(&game, seat(1)).await);
    let pending = player.get_verdict(&game, seat(0)).await.expect("an answer");
    assert_eq!(pending, get_verdict_response::Outcome::Pending(GameStatus::Live.into()));
    let status = host.get_verdict(&[0xee; 16], seat(0)).await.expect_err("no such game");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::NotFound, "NOT_FOUND"));
    denied(player.act(act(&game, 2, seat(1), deal())).await);
    let mut observed = act(&game, 2, seat(0), deal());
    observed.observers = role(Role::Director).into_iter().collect();
    denied(player.act(observed).await);
    denied(player.list_actions(&game, role(Role::Judge)).await);
    let mut list = ListGamesRequest { actor: seat(0), ..Default::default() };
    let listed = player.list_games(list.clone()).await.expect("a list").games;
    assert_eq!(listed.iter().map(|one| &one.game_id).collect::<Vec<_>>(), [&game]);
    list.actor = role(Role::Table);
    denied(player.list_games(list.clone()).await);
    assert_eq!(host.list_games(list).await.expect("a list").games.len(), 2);
    let status = host.get_game(&[0xee; 16], seat(0)).await.expect_err("no such game");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::NotFound, "NOT_FOUND"));
    let mut nobody = recorder.client().await;
    let status = nobody.get_game(&game, seat(0)).await.expect_err("no credentials");
    assert_eq!(status.code(), Code::Unauthenticated);
}

#[tokio::test]
async fn a_stream_ends_with_its_credentials() {
    let folder = tempfile::tempdir().expect("a folder");
    let (host, host_entry) = key("host", "\"all\"", "\"all\"");
    let (player, player_entry) = key("player", "\"all\"", "[0]");
    let recorder = start(folder.path(), &format!("{host_entry}\n{player_entry}")).await;
    let (mut host, mut player) = (client(&recorder, &host).await, client(&recorder, &player).await);
    let game = dealt(&mut host, 1).await;
    let watch = player.request(WatchRequest { game_id: game.clone(), actor: seat(0), ..Default::default() });
    let mut stream = player.service.watch(watch).await.expect("a stream").into_inner();
    assert!(stream.message().await.expect("no fault").expect("a message").snapshot);
    std::fs::write(folder.path().join("identities.toml"), host_entry).expect("our file");
    // The service looks at the file from time to time.
    while player.get_game(&game, seat(0)).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    play(&mut host, &game, 1).await;
    let status = stream.message().await.expect_err("the key is gone");
    assert_eq!(status.code(), Code::Unauthenticated);
}

/// Creates games as a host of one game: the id that the recorder gives is none of its own.
#[tokio::test]
async fn who_has_rights_in_some_games_names_the_id_of_a_new_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (host, entry) = key("host", &format!("[\"{}\"]", "0b".repeat(16)), "\"all\"");
    let recorder = start(folder.path(), &entry).await;
    let mut host = client(&recorder, &host).await;
    denied(host.create(new_game(1)).await);
    denied(host.create(CreateRequest { game_id: vec![0x0c; 16], ..new_game(1) }).await);
    created(&mut host, CreateRequest { game_id: vec![0x0b; 16], ..new_game(1) }).await;
}
