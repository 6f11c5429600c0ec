//! Games that are taken up from a position (IR-113).

use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::finding::Verdict;
use canasta_proto::v1::*;

use crate::support::board::{shown_hand, table};
use crate::support::game::*;
use crate::support::links::{bad_field, denied};
use crate::support::rights::{client as known, key, start as start_known};
use crate::support::server::Recorder;

/// North is to act in the third round; the other hands are known by their sizes.
const POSITION: &str = "classic-4p; score 4620 4480; round 3; hand N Kd 7h 4d 4c X; hand E 3c 3c; hand S 6; hand W 4; melds \
                        NS 7s7c7d; pile 5h 2c Js 7d";

fn taken_up(id: u8) -> CreateRequest {
    CreateRequest { position: POSITION.into(), auto_table: true, ..new_game(id) }
}

fn report(log: &[u8]) -> Report {
    audit(log, Expect::default())
}

#[tokio::test]
async fn a_game_from_a_position_is_played_on_shown_and_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let made = created(&mut client, taken_up(1)).await;
    assert_eq!(made.start, Some(created_game::Start::Dealt(Dealt { to_act: Some(0) })));
    assert_eq!(created(&mut client, taken_up(1)).await, made, "a retry");
    let other = CreateRequest { position: POSITION.replace("4620", "4625"), ..taken_up(1) };
    assert_eq!(reason(&client.create(other).await.expect_err("another position")), "REQUEST_ID_REUSED");

    let game = made.game_id;
    let view = client.get_game(&game, seat(0)).await.expect("a view").view.expect("a view");
    let scores: Vec<Option<i32>> = view.sides.iter().map(|side| side.score).collect();
    assert_eq!((view.round, view.to_act, scores), (3, Some(0), vec![Some(4620), Some(4480)]));
    // A seat sees its own cards, and of the position what lies on the table.
    let west = client.get_game(&game, seat(3)).await.expect("a view").view.expect("a view");
    assert_eq!((shown_hand(&west), west.seats[3].hand.len()), (None, 4));
    let (_, over) = play(&mut client, &game, 3_000).await;
    assert!(over);
    let log = log(&mut client, &game, role(Role::Director)).await;
    let report = report(&log);
    assert_eq!((report.verdict, report.findings.len()), (Verdict::Ruled, 0));
    assert!(report.is_taken_up());
    judged(&mut client, &game, role(Role::Director)).await;
    recorder.stop().await;
}

#[tokio::test]
async fn what_cannot_be_taken_up_is_a_fault_of_the_field() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &["--rooms"]).await;
    let mut client = recorder.client().await;
    for position in
        ["classic-4p; hnd N", "samba-4p; hand N Kd", "classic-4p; game over", "classic-4p; hand N Kd Kd Kd"]
    {
        bad_field(client.create(CreateRequest { position: position.into(), ..taken_up(1) }).await);
    }
    bad_field(client.create(CreateRequest { position: "x".repeat(8193), ..taken_up(1) }).await);
    bad_field(client.create(CreateRequest { position: POSITION.into(), ..table(0) }).await);
    recorder.stop().await;
}

/// Checks the right, because whoever gives a position knows cards of all seats.
#[tokio::test]
async fn only_a_director_takes_a_game_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let (director, director_entry) = key("director", "\"all\"", "[\"TABLE\", \"DIRECTOR\"]");
    let (host, host_entry) = key("host", "\"all\"", "[0, 1, 2, 3, \"TABLE\", \"SPECTATOR\", \"JUDGE\"]");
    let recorder = start_known(folder.path(), &format!("{director_entry}\n{host_entry}")).await;
    let (mut director, mut host) = (known(&recorder, &director).await, known(&recorder, &host).await);
    denied(host.create(taken_up(1)).await);
    created(&mut director, taken_up(1)).await;
    recorder.stop().await;
}
