//! Everything that is accepted opens, and a state that an older release wrote and nobody can open is made again from the log.

use canasta_engine::deal::GameId;
use canasta_engine::log::ROUND_RECORDS_MAX;
use canasta_engine::log::finding::Verdict;
use canasta_engine::token::{Catalogue, decode};
use canasta_proto::v1::action::{Kind, Sign};
use canasta_proto::v1::*;
use canasta_recorder::journal::Journal;
use canasta_service::seal::Keyring;

use crate::support::game::*;
use crate::support::memory::MemoryJournal;
use crate::support::server::{Client, Recorder, with_journal};
use crate::support::suite::{all, encoded};
use crate::support::watching::{from, message, watch};

/// Returns every answer about a game to the table.
async fn answers(client: &mut Client, game: &[u8]) -> String {
    let table = role(Role::Table);
    let view = client.get_game(game, table).await.expect("a view");
    let mut watching =
        watch(client, from(game, table, Some(view.log_end.as_ref().expect("the end").n))).await;
    let told = message(&mut watching).await;
    let legal = client.list_actions(game, table).await.expect("an answer");
    let request =
        DescribeRequest { game_id: game.into(), actor: table, want_views: true, ..Default::default() };
    let described = client.service.describe(request).await.expect("descriptions").into_inner();
    format!("{view:?} {:?} {legal:?} {described:?}", told.observation)
}

/// Signs the sheet of a game that is over for a side.
async fn sign(client: &mut Client, game: &[u8], side: u32) {
    let signature = action(Kind::Sign(Sign { side: Some(side) }));
    acted(client, act(game, 700 + u64::from(side), role(Role::Director), signature)).await;
}

/// Ends games by a forfeit while a partner has not answered whether the asker may go out.
#[tokio::test]
async fn a_forfeit_while_a_question_is_open_is_told_to_everybody() {
    let folder = tempfile::tempdir().expect("a folder");
    let opened = with_journal(&folder.path().join("data"), MemoryJournal::new(1, 0));
    let recorder = Recorder::start_with(opened, &[]).await;
    let mut client = recorder.client().await;
    let mut forfeited = 0;
    for id in 0..40 {
        let game = dealt(&mut client, id).await;
        for _ in 0..250 {
            let (requests, is_over) = play(&mut client, &game, 1).await;
            let view = client.get_game(&game, role(Role::Table)).await.expect("a view").view.expect("a view");
            if is_over || requests.is_empty() || view.phase() != Phase::Asked {
                continue;
            }
            forfeit(&mut client, &game, 2).await;
            answers(&mut client, &game).await;
            let view = client.get_game(&game, role(Role::Table)).await.expect("a view").view.expect("a view");
            assert_eq!(view.phase(), Phase::GameOver);
            sign(&mut client, &game, 0).await;
            sign(&mut client, &game, 1).await;
            assert_eq!(audited(&log(&mut client, &game, role(Role::Table)).await, false), Verdict::Ruled);
            forfeited += 1;
            break;
        }
        if forfeited == 2 {
            return recorder.stop().await;
        }
    }
    panic!("no question was asked in 40 games");
}

/// Stores games whose states nobody can open: the round is longer than a log allows.
#[tokio::test]
async fn a_state_that_does_not_open_is_made_again_from_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, journal) = (folder.path().join("data"), MemoryJournal::new(2, 0));
    let recorder = Recorder::start_with(with_journal(&data, journal.clone()), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    play(&mut client, &game, 12).await;
    let question = suggested(&mut client, &game).await.expect("the game goes on");
    let (before, entries) = (answers(&mut client, &game).await, all(&journal, id_of(&game)).await);
    recorder.stop().await;

    let (damaged, ring) =
        (MemoryJournal::new(3, 0), Keyring::read(&data.join("seal.keys"), "").expect("keys"));
    let (mut at, count) = (None, entries.len());
    for (number, mut placed) in entries.into_iter().enumerate() {
        // Two entries one after the other, and the last.
        if number == count / 2 || number == count / 2 + 1 || number + 1 == count {
            let open = ring.open(&placed.entry.state).expect("a sealed state");
            let mut state = decode(&open, &Catalogue::new()).expect("a state");
            state.length.records = ROUND_RECORDS_MAX as u16 + 1;
            placed.entry.state = ring.seal(&state);
        }
        damaged.put(id_of(&game), at, &encoded(&placed.entry));
        at = damaged.last(id_of(&game)).await.expect("an answer").map(|placed| placed.at);
    }
    let recorder = Recorder::start_with(with_journal(&data, damaged.clone()), &[]).await;
    let mut client = recorder.client().await;
    assert_eq!(answers(&mut client, &game).await, before);
    let (end, actor, action) = question;
    assert_eq!(suggested(&mut client, &game).await, Some((end, actor, action.clone())));
    acted(&mut client, act(&game, 800, actor, action)).await;
    forfeit(&mut client, &game, 801).await;
    answers(&mut client, &game).await;
    assert_eq!(audited(&log(&mut client, &game, role(Role::Director)).await, false), Verdict::Ruled);
    recorder.stop().await;
}

fn id_of(game: &[u8]) -> GameId {
    GameId(game.try_into().expect("16 bytes"))
}
