//! Rivals and faults through the service: one wins at each place, and a retry is recorded once.

use std::collections::BTreeSet;

use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::finding::Verdict;
use canasta_proto::v1::*;
use tonic::Code;
use tonic_types::StatusExt;

use crate::support::game::*;
use crate::support::memory::MemoryJournal;
use crate::support::server::{Client, Recorder, with_journal};
use crate::support::watching;

/// Writes notes against rivals until it has won `wins` times. Returns the heads of the log that it has made.
async fn write(mut client: Client, game: Vec<u8>, rival: u64, wins: usize) -> Vec<(u64, Vec<u8>)> {
    let (mut made, mut id) = (Vec::new(), rival << 32);
    while made.len() < wins {
        let view = client.get_game(&game, role(Role::Table)).await.expect("a view");
        id += 1;
        let mut request = act(&game, id, role(Role::Director), None);
        request.expected_head = view.log_end.expect("the end").head;
        request.proposals[0].record = remark(format!("{rival}"));
        match client.act(request).await {
            Ok(act_response::Outcome::Acted(acted)) => {
                let end = acted.log_end.expect("the end");
                made.push((end.n, end.head));
            }
            Ok(rejected) => panic!("{rejected:?}"),
            Err(status) => {
                assert_eq!((status.code(), reason(&status).as_str()), (Code::Aborted, "STALE_HEAD"));
            }
        }
    }
    made
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_rivals_share_out_every_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let mut rivals = tokio::task::JoinSet::new();
    for rival in 1..=3 {
        rivals.spawn(write(recorder.client().await, game.clone(), rival, 40));
    }
    let made: Vec<_> = rivals.join_all().await.concat();
    let places: BTreeSet<u64> = made.iter().map(|(n, _)| *n).collect();
    assert_eq!(places.len(), 120, "one winner at each place");
    let end = client.get_game(&game, role(Role::Table)).await.expect("a view").log_end.expect("the end");
    // The entry with the 64th record ends with the signed note that follows.
    assert_eq!(places, (end.n - 120..=end.n).filter(|n| n % 64 != 0).collect());
    let log = log(&mut client, &game, role(Role::Director)).await;
    let mut auditor = Auditor::new(Expect { live: true, ..Default::default() });
    auditor.feed(&log);
    let report = auditor.finish();
    assert_eq!((report.verdict, report.head.to_vec()), (Verdict::Conditional, end.head));
}

/// Plays a game on a journal with every fault. Callers repeat what is not answered, as the interface asks for; the game is
/// played as without faults.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_survives_a_journal_with_faults() {
    let folder = tempfile::tempdir().expect("a folder");
    for (faults, path) in [(0, "sound"), (12, "faulty")] {
        let opened = with_journal(&folder.path().join(path), MemoryJournal::new(faults, faults));
        let recorder = Recorder::start_with(opened, &[]).await;
        let mut client = recorder.client().await;
        let game = loop {
            if let Ok(create_response::Outcome::Created(created)) = client.create(new_game(1)).await {
                break created.game_id;
            }
        };
        let mut repeated = 0;
        for step in 0..60 {
            let (end, actor, action) = loop {
                match try_suggested(&mut client, &game).await {
                    Ok(found) => break found.expect("the game goes on"),
                    Err(status) => assert_eq!(status.code(), Code::Unavailable, "{status:?}"),
                }
            };
            let mut request = act(&game, step, actor, action);
            request.expected_seq = Some(end.seq);
            loop {
                match client.act(request.clone()).await {
                    Ok(act_response::Outcome::Acted(acted)) => {
                        repeated += u32::from(acted.repeated_request);
                        assert_eq!(acted.log_end.expect("the end").seq, end.seq + 1);
                        break;
                    }
                    Ok(rejected) => panic!("{rejected:?}"),
                    Err(status) => assert_eq!(status.code(), Code::Unavailable, "{status:?}"),
                }
            }
        }
        println!("{faults} faults in a hundred: {repeated} requests were recorded before they were answered");
        let log = loop {
            let request = GetLogRequest { game_id: game.clone(), actor: role(Role::Director), from_n: None };
            if let Ok(pieces) = client.get_log(request).await {
                break pieces.iter().flat_map(|piece| piece.frames.clone()).collect::<Vec<u8>>();
            }
        };
        let mut auditor = Auditor::new(Expect { live: true, ..Default::default() });
        auditor.feed(&log);
        let report = auditor.finish();
        assert_eq!((report.actions, report.findings.len()), (60, 0));
    }
}

/// Fills the store before a player and a watcher: nothing is recorded, questions and Watch go on, and once there is room
/// the same request is recorded.
#[tokio::test]
async fn a_full_store_refuses_and_recovers() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = MemoryJournal::new(1, 0);
    let opened = with_journal(&folder.path().join("data"), journal.clone());
    let recorder = Recorder::start_with(opened, &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let mut stream = watching::watch(&mut client, watching::from(&game, role(Role::Table), None)).await;
    let before = watching::message(&mut stream).await.log_end;
    journal.set_full(true);
    let (end, actor, action) = suggested(&mut client, &game).await.expect("questions are answered");
    assert_eq!(Some(&end), before.as_ref());
    let mut request = act(&game, 5, actor, action);
    request.expected_seq = Some(end.seq);
    for _ in 0..2 {
        let status = client.act(request.clone()).await.expect_err("no room");
        assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "STORE_FULL"));
        let delay = status.get_details_retry_info().and_then(|retry| retry.retry_delay);
        assert_eq!(delay, Some(std::time::Duration::from_secs(60)));
    }
    let status = client.create(new_game(2)).await.expect_err("no room");
    assert_eq!(reason(&status), "STORE_FULL");
    journal.set_full(false);
    let acted = acted(&mut client, request).await;
    assert!(!acted.repeated_request, "nothing was recorded before");
    assert_eq!(watching::message(&mut stream).await.log_end, acted.log_end, "the watcher goes on");
}
