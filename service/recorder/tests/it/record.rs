//! RecordService: games that are created, played, asked about and listed by id.

use canasta_engine::log::Reader;
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::finding::Verdict;
use canasta_proto::v1::action::{Discard, DrawStock, Kind};
use canasta_proto::v1::*;
use tonic::Code;

use crate::support::game::*;
use crate::support::server::Recorder;

/// Plays a whole game by id, and audits its log: everything that was played is in it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_game_is_played_by_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let mut request = new_game(1);
    request.label = "final".into();
    let game = created(&mut client, request).await.game_id;
    let (requests, is_over) = play(&mut client, &game, 5_000).await;
    assert!(is_over, "after {} actions", requests.len());
    let log = log(&mut client, &game, role(Role::Spectator)).await;
    assert_eq!(audited(&log, false), Verdict::Clean);
    becomes(&mut client, &game, GameStatus::Judged).await;
    let list = ListGamesRequest { actor: role(Role::Table), label: "final".into(), ..Default::default() };
    let games = client.list_games(list).await.expect("a list").games;
    let [summary] = &games[..] else { panic!("{games:?}") };
    assert_eq!((summary.status(), summary.rule_set.as_str()), (GameStatus::Judged, "classic-4p"));
    assert_eq!(summary.players.len(), 4);
    let end = summary.log_end.as_ref().expect("the end");
    assert_eq!(end.seq, requests.len() as u64);
    recorder.stop().await;
}

#[tokio::test]
async fn equal_requests_create_one_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let mut request = new_game(1);
    request.observers = role(Role::Spectator).into_iter().collect();
    let first = created(&mut client, request.clone()).await;
    acted(&mut client, act(&first.game_id, 1, role(Role::Table), deal())).await;
    let again = created(&mut client, request.clone()).await;
    assert_eq!(again, first, "although the game has gone on");
    let other = created(&mut client, new_game(2)).await;
    assert_ne!(other.game_id, first.game_id);
    let mut changed = new_game(1);
    changed.label = "another".into();
    let status = client.create(changed).await.expect_err("another game under this id");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "REQUEST_ID_REUSED"));
    let mut taken = new_game(3);
    taken.game_id = first.game_id.clone();
    let status = client.create(taken).await.expect_err("the id is taken");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::AlreadyExists, "GAME_EXISTS"));
}

#[tokio::test]
async fn a_retry_gets_the_answer_of_the_first_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let (end, actor, draw) = suggested(&mut client, &game).await.expect("the game goes on");
    let mut request = act(&game, 50, actor, draw);
    request.expected_seq = Some(end.seq);
    request.observers = [actor, role(Role::Spectator)].into_iter().flatten().collect();
    let first = acted(&mut client, request.clone()).await;
    assert!(!first.repeated_request && !first.observations[0].events.is_empty());
    for later in [0, 1, 12] {
        play(&mut client, &game, later).await;
        let again = acted(&mut client, request.clone()).await;
        assert!(again.repeated_request, "after {later} more");
        assert_eq!(Acted { repeated_request: false, ..again }, first);
    }
    // Without `expected_seq` it is too old to be recognized, and judged again.
    let mut old = request.clone();
    old.expected_seq = None;
    // It may be legal once more, if it is the seat's turn again.
    match client.act(old).await.expect("well formed") {
        act_response::Outcome::Acted(acted) => assert!(!acted.repeated_request),
        act_response::Outcome::Rejected(_) => {}
    }
    let mut reused = request.clone();
    reused.proposals[0].record =
        action(Kind::Discard(Discard { card: "4h".into() })).map(proposal::Record::Action);
    let status = client.act(reused).await.expect_err("another action under this id");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "REQUEST_ID_REUSED"));
    let mut lost = request.clone();
    lost.request_id = vec![9; 16];
    let status = client.act(lost).await.expect_err("the game has gone on");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Aborted, "STALE_HEAD"));
}

/// Repeats a note after each further one: behind three others it is the fourth of the last four entries, and is recognized;
/// behind four it is recorded again.
#[tokio::test]
async fn without_expected_seq_a_request_is_looked_for_among_the_last_four() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let note = |id: u64| {
        let mut request = act(&game, id, role(Role::Director), None);
        request.proposals[0].record = remark(format!("note {id}"));
        request
    };
    let first = acted(&mut client, note(100)).await;
    for later in 101..105 {
        let again = acted(&mut client, note(100)).await;
        assert_eq!(again, Acted { repeated_request: true, ..first.clone() }, "before note {later}");
        assert!(!acted(&mut client, note(later)).await.repeated_request);
    }
    let again = acted(&mut client, note(100)).await;
    assert!(!again.repeated_request && again.log_end != first.log_end);
}

/// Records notes, which add no action: a retry of one is recognized all the same, however many notes follow.
#[tokio::test]
async fn a_note_is_recorded_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let note = |id: u64| {
        let mut request = act(&game, id, role(Role::Director), None);
        request.proposals[0].record = remark(format!("note {id}"));
        request.expected_seq = Some(1);
        request
    };
    for id in 100..120 {
        assert!(!acted(&mut client, note(id)).await.repeated_request);
    }
    for id in [100, 101, 117, 119] {
        assert!(acted(&mut client, note(id)).await.repeated_request, "note {id}");
    }
    let log = log(&mut client, &game, role(Role::Director)).await;
    let text = String::from_utf8_lossy(&log);
    assert_eq!(text.matches("note 1").count(), 20, "each once");
    assert_eq!(audited(&log, true), Verdict::Conditional);
}

#[tokio::test]
async fn a_batch_is_recorded_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let before = client.get_game(&game, role(Role::Director)).await.expect("a view");
    let to_act = before.view.as_ref().and_then(|view| view.to_act).expect("somebody is to act");
    let mut request = act(&game, 60, seat(to_act), action(Kind::DrawStock(DrawStock {})));
    request.proposals.push(request.proposals[0].clone());
    let Ok(act_response::Outcome::Rejected(rejected)) = client.act(request.clone()).await else {
        panic!("a seat draws once in a turn")
    };
    assert_eq!(rejected.index, Some(1));
    let after = client.get_game(&game, role(Role::Director)).await.expect("a view");
    assert_eq!(after, before, "nothing has happened");
    request.proposals[1].record = remark("a note among others");
    assert_eq!(reason(&client.act(request).await.expect_err("two proposals")), "INVALID_FIELD");
}

#[tokio::test]
async fn a_refusal_is_recorded_if_that_is_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let before = client.get_game(&game, role(Role::Table)).await.expect("a view");
    let to_act = before.view.as_ref().and_then(|view| view.to_act).expect("somebody");
    let mut request = act(&game, 60, seat((to_act + 1) % 4), action(Kind::DrawStock(DrawStock {})));
    let refused = client.act(request.clone()).await.expect("judged");
    assert!(matches!(refused, act_response::Outcome::Rejected(ref refused) if refused.recorded.is_none()));
    request.proposals[0].record_refusal = true;
    let Ok(act_response::Outcome::Rejected(refused)) = client.act(request).await else { panic!("judged") };
    let (recorded, end) = (refused.recorded.expect("recorded"), before.log_end.expect("the end"));
    assert_eq!((recorded.n, recorded.seq), (end.n + 1, end.seq));
    let after = client.get_game(&game, role(Role::Table)).await.expect("a view").log_end.expect("the end");
    assert_eq!((after.n, after.head), (recorded.n, recorded.head));
}

/// Takes back by a ruling of the director; the recorder finds the earlier state, within a batch too.
#[tokio::test]
async fn the_director_takes_back_what_the_journal_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let (requests, _) = play(&mut client, &game, 1).await;
    let then = client.get_game(&game, role(Role::Director)).await.expect("a view");
    let batch = [requests[0].proposals[0].clone()];
    assert_eq!(batch.len(), 1);
    play(&mut client, &game, 5).await;
    let ruling = |to_seq| {
        let effect = Effect { kind: Some(effect::Kind::Restore(effect::Restore { to_seq: Some(to_seq) })) };
        action(Kind::Ruling(Box::new(action::Ruling {
            by: Authority::Director.into(),
            side: Some(0),
            rule: "IR-010".into(),
            effect: Some(Box::new(effect)),
            ..Default::default()
        })))
    };
    let checked = client.check(&game, role(Role::Director), ruling(2)).await.expect("an answer");
    assert!(matches!(checked.outcome, Some(check_response::Outcome::Legal(_))), "{checked:?}");
    let request = act(&game, 70, role(Role::Director), ruling(2));
    let first = acted(&mut client, request.clone()).await;
    assert!(acted(&mut client, request).await.repeated_request, "{first:?}");
    let now = client.get_game(&game, role(Role::Director)).await.expect("a view");
    let hands = |view: &GetGameResponse| {
        let seats = &view.view.as_ref().expect("a view").seats;
        seats.iter().map(|seat| seat.hand.clone()).collect::<Vec<_>>()
    };
    assert_eq!(hands(&now), hands(&then));
    let log = log(&mut client, &game, role(Role::Director)).await;
    assert_eq!(audited(&log, true), Verdict::Conditional);
}

#[tokio::test]
async fn a_log_is_shown_up_to_the_last_finished_round() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    assert!(log(&mut client, &game, seat(0)).await.is_empty(), "no round has ended");
    let whole = log(&mut client, &game, role(Role::Director)).await;
    assert_eq!(audited(&whole, true), Verdict::Conditional);
    while client.get_game(&game, role(Role::Table)).await.expect("a view").view.expect("a view").round < 2 {
        play(&mut client, &game, 10).await;
    }
    play(&mut client, &game, 3).await;
    let whole = log(&mut client, &game, role(Role::Director)).await;
    let shown = log(&mut client, &game, role(Role::Judge)).await;
    assert!(whole.starts_with(&shown) && shown.len() < whole.len() && !shown.is_empty());
    let mut auditor = Auditor::new(Expect { live: true, ..Default::default() });
    auditor.feed(&shown);
    assert_eq!(auditor.finish().rounds, 1);
    for from_n in [0, 1, 7] {
        let request =
            GetLogRequest { game_id: game.clone(), actor: role(Role::Director), from_n: Some(from_n) };
        let pieces = client.get_log(request).await.expect("a log");
        let part: Vec<u8> = pieces.iter().flat_map(|piece| piece.frames.clone()).collect();
        assert!(whole.ends_with(&part), "from record {from_n}");
        assert_eq!(part.len() == whole.len(), from_n == 0);
    }
}

#[tokio::test]
async fn games_are_listed_by_id_and_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let mut ids = Vec::new();
    for id in 1..=7 {
        let mut request = new_game(id);
        request.label = if id % 2 == 0 { "even".into() } else { String::new() };
        ids.push(created(&mut client, request).await.game_id);
    }
    ids.sort_unstable();
    let mut request = ListGamesRequest { actor: role(Role::Table), page_size: 3, ..Default::default() };
    let mut found = Vec::new();
    loop {
        let page = client.list_games(request.clone()).await.expect("a page");
        assert!(page.games.len() <= 3);
        found.extend(page.games.into_iter().map(|game| game.game_id));
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    assert_eq!(found, ids);
    let even = ListGamesRequest { actor: role(Role::Table), label: "even".into(), ..Default::default() };
    let page = client.list_games(even.clone()).await.expect("a page");
    assert_eq!(page.games.len(), 3);
    let first = ListGamesRequest { actor: role(Role::Table), page_size: 3, ..Default::default() };
    let token = client.list_games(first).await.expect("a page").next_page_token;
    let status = client.list_games(ListGamesRequest { page_token: token, ..even }).await;
    assert_eq!(reason(&status.expect_err("the token of another list")), "INVALID_FIELD");
}

/// Asks how far a seat may take back, and has the director do so.
#[tokio::test]
async fn a_seat_asks_how_far_it_may_take_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let previewed = async |client: &mut crate::support::server::Client, actor| {
        client.check_take_back(&game, actor).await.expect("an answer")
    };
    let nothing = previewed(&mut client, seat(0)).await;
    assert_eq!((nothing.to_seq, nothing.actions), (None, 0), "only the table has acted");
    // Play until a seat has taken a step after its draw that shows nobody a card.
    let (before, actor, preview) = loop {
        let (_, actor, _) = suggested(&mut client, &game).await.expect("the game goes on");
        let before = client.get_game(&game, role(Role::Director)).await.expect("a view");
        play(&mut client, &game, 1).await;
        let preview = previewed(&mut client, actor).await;
        if preview.actions > 0 {
            break (before, actor, preview);
        }
    };
    assert_eq!(preview.actions, 1, "the step before is a draw or another seat's");
    let other = seat((0..4).find(|other| seat(*other) != actor).expect("another seat"));
    assert_eq!(previewed(&mut client, other).await.actions, 0);
    let back = TakeBackRequest {
        game_id: game.clone(),
        request_id: vec![90; 16],
        actor: role(Role::Director),
        to_seq: preview.to_seq,
        expected_seq: preview.log_end.map(|end| end.seq),
        ..Default::default()
    };
    let answer = client.service.take_back(back).await.expect("well formed").into_inner().outcome;
    assert!(matches!(answer, Some(take_back_response::Outcome::TakenBack(_))), "{answer:?}");
    let after = client.get_game(&game, role(Role::Director)).await.expect("a view");
    let cards = |seen: &GetGameResponse| {
        let view = seen.view.as_ref().expect("a view");
        let hands: Vec<_> = view.seats.iter().map(|seat| seat.hand.clone()).collect();
        (hands, view.pile.clone(), view.to_act)
    };
    assert_eq!(cards(&after), cards(&before));
}

#[tokio::test]
async fn a_log_outlives_the_keys_that_seal_states() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let before = log(&mut client, &game, role(Role::Director)).await;
    drop(client);
    recorder.stop().await;
    std::fs::remove_file(data.join("seal.keys")).expect("our file");
    canasta_service::seal::keygen(&data.join("seal.keys"), canasta_service::program::random)
        .expect("a new key");
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    assert_eq!(log(&mut client, &game, role(Role::Director)).await, before);
    let status = client.get_game(&game, role(Role::Table)).await.expect_err("no state can be opened");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "STATE_TOKEN_INVALID"));
    dealt(&mut client, 2).await;
}

/// Collects the notes that callers get: one at each 64th record and at each round's end, each over the log up to it, by the
/// key that the server tells.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_get_signed_notes() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = created(&mut client, new_game(1)).await.game_id;
    let (mut notes, mut rounds) = (Vec::new(), 0);
    while let Some((end, actor, action)) = suggested(&mut client, &game).await {
        let mut request = act(&game, 1000 + end.seq, actor, action);
        request.expected_seq = Some(end.seq);
        let first = acted(&mut client, request.clone()).await;
        let ends_round = !first.round_ends.is_empty();
        assert!(!ends_round || !first.checkpoint.is_empty(), "a round ends");
        rounds += usize::from(ends_round);
        if !first.checkpoint.is_empty() {
            let again = acted(&mut client, request).await;
            assert_eq!(Acted { repeated_request: false, ..again }, first);
            notes.push((first.log_end.expect("the end").n, first.checkpoint));
        }
        if rounds > 0 && end.n > 200 {
            break;
        }
    }
    let log = log(&mut client, &game, role(Role::Director)).await;
    let (mut reader, mut rest, mut recorded, mut last) = (Reader::new(), &log[..], Vec::new(), 0);
    while let Some(frame) = reader.next(&mut rest).expect("a log") {
        if let Some(note) = frame.record().expect("a record").checkpoint() {
            // A due place may be passed by an entry of four records: register, action, end of round, register.
            assert!(frame.n - last <= 64 + 4, "no note from record {last} to {}", frame.n);
            last = frame.n;
            recorded.push((frame.n, note.to_owned()));
        }
    }
    assert_eq!(notes, recorded);
    assert_eq!(audited(&log, true), Verdict::Conditional, "all but the deal of the open round is proved");
    recorder.stop().await;
}
