//! Invite, Revoke and SetBot: who may, what they promise, and that everybody learns of it.

use canasta_engine::hex::hex;
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::finding::Verdict;
use canasta_proto::v1::*;
use tonic::{Code, Status};

use crate::support::game::*;
use crate::support::links::*;
use crate::support::memory::MemoryJournal;
use crate::support::server::{Client, Recorder, with_journal};

#[tokio::test]
async fn equal_requests_get_equal_tokens() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let (game, host) = hosted(&mut client, 1, role(Role::Spectator)).await;
    assert_eq!(hosted(&mut client, 1, role(Role::Spectator)).await, (game.clone(), host.clone()));
    let at = tomorrow() / 1000 * 1000;
    let first = client.invite(&game, seat(1), at).await.expect("a link");
    let before = end(&mut client, &game).await;
    for again in [at, at + 1, at + 999] {
        assert_eq!(client.invite(&game, seat(1), again).await.expect("a link"), first, "rounded down");
    }
    assert_eq!(end(&mut client, &game).await, before, "recorded once");
    for (actor, at) in [(seat(1), at + 1000), (seat(2), at), (role(Role::Spectator), at)] {
        let other = client.invite(&game, actor, at).await.expect("a link");
        assert!(other.token_id != first.token_id && other.token != first.token);
    }
    assert_eq!(end(&mut client, &game).await.n, before.n + 3);
    let mut other = CreateRequest { creator: seat(0), ..new_game(1) };
    assert_eq!(
        reason(&client.create(other.clone()).await.expect_err("another creator")),
        "REQUEST_ID_REUSED"
    );
    for creator in [role(Role::Judge), role(Role::Director), seat(4)] {
        other = CreateRequest { creator, ..new_game(2) };
        bad_field(client.create(other).await);
    }
}

#[tokio::test]
async fn a_host_gives_links_that_show_no_hidden_card() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let (game, link) = hosted(&mut client, 1, seat(0)).await;
    let (other, _) = hosted(&mut client, 2, seat(0)).await;
    let mut host = recorder.holder(&link).await;
    for actor in [role(Role::Judge), role(Role::Director)] {
        denied(host.invite(&game, actor, tomorrow()).await);
        denied(host.get_game(&game, actor).await);
    }
    denied(host.invite(&other, seat(1), tomorrow()).await);
    denied(host.get_game(&game, seat(1)).await);
    bad_field(host.invite(&game, seat(4), tomorrow()).await);
    assert!(host.invite(&game, role(Role::Table), tomorrow()).await.is_ok());
    let judge = client.invite(&game, role(Role::Judge), tomorrow()).await.expect("the director may");
    denied(host.revoke(&game, &judge.token_id).await);
    assert!(recorder.holder(&judge).await.get_game(&game, role(Role::Judge)).await.is_ok());

    // Two links are there besides the host's own.
    let mut last = None;
    for number in 0..61 {
        last = Some(host.invite(&game, seat(1), tomorrow() + number * 1000).await.expect("room for 64"));
    }
    let status = host.invite(&game, seat(1), tomorrow() + 99_000).await.expect_err("the 65th");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::FailedPrecondition, "TOO_MANY_LINKS"));
    host.revoke(&game, &last.expect("a link").token_id).await.expect("revoked");
    assert!(host.invite(&game, seat(1), tomorrow() + 99_000).await.is_ok());
    client.revoke(&game, &link.token_id).await.expect("the director may");
    unknown(host.invite(&game, seat(1), tomorrow()).await);
}

/// Checks that the log tells who did what for which seat, and holds no token.
#[tokio::test]
async fn everything_that_a_host_does_is_in_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let (game, own) = hosted(&mut client, 1, seat(0)).await;
    let mut host = recorder.holder(&own).await;
    let first = host.invite(&game, seat(2), tomorrow()).await.expect("a link");
    let second = host.invite(&game, seat(2), tomorrow() + 1000).await.expect("a link");
    host.revoke(&game, &first.token_id).await.expect("revoked");
    recorder.holder(&second).await.revoke(&game, &second.token_id).await.expect("its own");
    let mine = client.invite(&game, seat(0), tomorrow()).await.expect("a link");
    host.set_bot(bot(&game, 1, seat(0), 3, true)).await.expect("the host may");
    let (spectators, spectator) = hosted(&mut client, 2, role(Role::Spectator)).await;
    recorder.holder(&spectator).await.invite(&spectators, seat(1), tomorrow()).await.expect("a link");

    let log = log(&mut client, &game, role(Role::Director)).await;
    let mut auditor = Auditor::new(Expect { live: true, ..Default::default() });
    auditor.feed(&log);
    assert_eq!(auditor.finish().verdict, Verdict::Conditional);
    for link in [&own, &first, &second, &mine] {
        let parts = [link.token_id.clone(), hex(&link.token_id).into(), link.token.clone().into()];
        for part in parts {
            assert!(!log.windows(part.len()).any(|window| window == part), "the log has no token");
        }
    }
    let notes = notes(&mut client, &game).await;
    let expected = [
        (seat(0), "The host (seat 0) made a link for seat 2. Links for seat 2: 1."),
        (seat(0), "The host (seat 0) made a link for seat 2. Links for seat 2: 2."),
        (seat(0), "The host (seat 0) revoked a link for seat 2. Links for seat 2: 1."),
        (seat(2), "The holder revoked the link for seat 2. Links for seat 2: 0."),
        (role(Role::Director), "The director made a link for seat 0. Links for seat 0: 2."),
        (seat(0), "The host (seat 0) lets a bot play seat 3."),
    ];
    assert_eq!(notes, expected.map(|(who, text)| (who, text.to_owned())));
    let text = "The host (a spectator) made a link for seat 1. Links for seat 1: 1.";
    assert_eq!(self::notes(&mut client, &spectators).await, [(role(Role::Table), text.to_owned())]);
}

/// Returns the notes of a game, as any spectator reads them.
async fn notes(client: &mut Client, game: &[u8]) -> Vec<(Option<Actor>, String)> {
    try_notes(client, game).await.expect("a page")
}

async fn try_notes(client: &mut Client, game: &[u8]) -> Result<Vec<(Option<Actor>, String)>, Status> {
    let actor = role(Role::Spectator);
    let request = DescribeRequest { game_id: game.into(), actor, ..Default::default() };
    let records = client.service.describe(request).await?.into_inner().records;
    let records = records.into_iter().filter_map(|one| one.record);
    let notes = records.filter(|record| record.kind() == RecordKind::Note);
    Ok(notes.map(|record| (record.actor, record.text)).collect())
}

fn bot(game: &[u8], id: u8, actor: Option<Actor>, seat: u32, plays: bool) -> SetBotRequest {
    let request_id = vec![id; 16];
    SetBotRequest {
        game_id: game.into(),
        request_id,
        actor,
        bot: Some(Bot { seat: Some(seat), level: 0 }),
        plays,
    }
}

#[tokio::test]
async fn a_seat_and_its_host_let_bots_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let (game, link) = hosted(&mut client, 1, seat(0)).await;
    let mut host = recorder.holder(&link).await;
    let player = host.invite(&game, seat(2), tomorrow()).await.expect("a link");
    let mut player = recorder.holder(&player).await;
    let on = player.set_bot(bot(&game, 1, seat(2), 2, true)).await.expect("its own seat");
    assert_eq!(player.set_bot(bot(&game, 1, seat(2), 2, true)).await.expect("again"), on);
    assert_eq!(
        player.set_bot(bot(&game, 2, seat(2), 2, true)).await.expect("it is so"),
        on,
        "nothing changes"
    );
    assert_eq!(
        notes(&mut client, &game).await.pop(),
        Some((seat(2), "The player lets a bot play seat 2.".to_owned()))
    );
    let bots = async |client: &mut Client| client.get_game(&game, seat(0)).await.expect("a view").bot_seats;
    assert_eq!(bots(&mut client).await, [2], "everybody learns who plays");
    denied(player.set_bot(bot(&game, 3, seat(2), 1, true)).await);
    denied(player.set_bot(bot(&game, 3, seat(1), 1, true)).await);
    let off = host.set_bot(bot(&game, 4, seat(0), 2, false)).await.expect("the host may");
    assert_eq!(off.n, on.n + 1);
    assert!(bots(&mut client).await.is_empty());
    assert_eq!(player.set_bot(bot(&game, 1, seat(2), 2, true)).await.expect("a late retry"), on);
    assert_eq!(end(&mut client, &game).await, off, "which changes nothing");
    let reused = player.set_bot(bot(&game, 1, seat(2), 2, false)).await.expect_err("another request");
    assert_eq!(reason(&reused), "REQUEST_ID_REUSED");
    client.set_bot(bot(&game, 5, role(Role::Director), 1, true)).await.expect("the director may");
    denied(client.set_bot(bot(&game, 6, role(Role::Table), 1, false)).await);
    bad_field(host.set_bot(bot(&game, 7, seat(0), 4, true)).await);
    bad_field(host.set_bot(bot(&game, 7, seat(0), 6, true)).await);
    bad_field(host.set_bot(SetBotRequest { bot: None, ..bot(&game, 7, seat(0), 1, true) }).await);
}

/// Repeats a request until the journal answers.
async fn until_answered<T>(mut ask: impl AsyncFnMut() -> Result<T, Status>) -> T {
    loop {
        match ask().await {
            Ok(answer) => return answer,
            Err(status) => assert_eq!(reason(&status), "JOURNAL_UNAVAILABLE"),
        }
    }
}

/// Lets rivals change one game on a journal with every fault: each change is made once, whatever was repeated.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rivals_change_a_game_one_after_the_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let opened = with_journal(&folder.path().join("data"), MemoryJournal::new(7, 10));
    let recorder = Recorder::start_with(opened, &[]).await;
    let mut client = recorder.client().await;
    let request = CreateRequest { creator: seat(0), ..new_game(1) };
    let outcome = until_answered(async || client.create(request.clone()).await).await;
    let create_response::Outcome::Created(made) = outcome else { panic!("a game") };
    let (game, link) = (made.game_id, made.host_link.expect("the host's link"));
    let (local, mut rivals) = (tokio::task::LocalSet::new(), Vec::new());
    let at = tomorrow();
    for number in 0..8_u32 {
        let (mut host, game) = (recorder.holder(&link).await, game.clone());
        rivals.push(local.spawn_local(async move {
            let (actor, at) = (seat(number % 4), at + i64::from(number) * 1000);
            let link = until_answered(async || host.invite(&game, actor, at).await).await;
            assert_eq!(until_answered(async || host.invite(&game, actor, at).await).await, link);
            if number % 2 == 0 {
                until_answered(async || host.revoke(&game, &link.token_id).await).await;
            } else {
                let request = bot(&game, number as u8, seat(0), number / 2, true);
                until_answered(async || host.set_bot(request.clone()).await).await;
            }
        }));
    }
    let ended = async {
        for rival in rivals {
            rival.await.expect("no panic");
        }
    };
    local.run_until(ended).await;
    let notes = until_answered(async || try_notes(&mut client, &game).await).await;
    let count = |text: &str| notes.iter().filter(|(_, note)| note.contains(text)).count();
    assert_eq!(["made a link", "revoked a link", "lets a bot play"].map(count), [8, 4, 4]);
    for seat in 0..4 {
        let made = format!("made a link for seat {seat}. Links for seat {seat}:");
        assert_eq!(count(&made), 2);
        assert_eq!(count(&format!("lets a bot play seat {seat}.")), 1);
    }
}

/// Opens as many streams as one caller may, from one address: another link has its own.
#[tokio::test]
async fn each_link_has_limits_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = ["--max-peer-connections", "3", "--max-rate", "1", "--max-burst", "80"];
    let recorder = Recorder::start(&folder.path().join("data"), &limits).await;
    let mut client = recorder.client().await;
    let (game, _) = hosted(&mut client, 1, seat(0)).await;
    let mut links = Vec::new();
    for number in 0..4 {
        links.push(client.invite(&game, seat(number), tomorrow()).await.expect("a link"));
    }
    let mut holders = Vec::new();
    for link in &links {
        // More connections than one address may have: once a link is shown, each counts for its link.
        for _ in 0..2 {
            let mut holder = recorder.holder(link).await;
            let own = holders.len() as u32 / 2;
            assert!(holder.get_game(&game, seat(own)).await.is_ok(), "connection {}", holders.len());
            holders.push(holder);
        }
    }
    let mut streams = Vec::new();
    for number in 0..64 {
        let holder = &mut holders[number % 2];
        streams.push(holder.watch(&game, seat(0)).await.expect("64 per caller"));
    }
    let status = holders[0].watch(&game, seat(0)).await.expect_err("the 65th");
    assert_eq!(reason(&status), "OVERLOADED");
    streams.push(holders[2].watch(&game, seat(1)).await.expect("another link has its own"));
    let mut asked = 0;
    let limited = loop {
        match holders[0].get_game(&game, seat(0)).await {
            Ok(_) if asked < 200 => asked += 1,
            other => break other.expect_err("the rate limit"),
        }
    };
    assert_eq!(reason(&limited), "RATE_LIMITED");
    assert!(holders[2].get_game(&game, seat(1)).await.is_ok(), "another link has its own");
    // Whoever shows bad tokens uses up the limit of the address, which is not that of the links.
    let mut guesser = Client { bearer: Some("no.link.ever".into()), ..client.clone() };
    let mut guesses = 0;
    let limited = loop {
        let status = guesser.get_game(&game, seat(1)).await.expect_err("no link");
        if status.code() != Code::Unauthenticated || guesses == 200 {
            break status;
        }
        guesses += 1;
    };
    assert_eq!(reason(&limited), "RATE_LIMITED");
    assert_eq!(reason(&client.get_game(&game, seat(1)).await.expect_err("the address")), "RATE_LIMITED");
    assert!(holders[4].get_game(&game, seat(2)).await.is_ok());
}
