//! The recorder's own work: that of the table, and the seats that bots play.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::bot::{Level, RoundMemory};
use canasta_engine::legal;
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::finding::Verdict;
use canasta_engine::log::outcome::{Collector, Outcome, Replay};
use canasta_engine::log::{Reader, Record};
use canasta_engine::seat::Seat;
use canasta_engine::table::Table;
use canasta_engine::view::events;
use canasta_messages::answers::suggest_action::USUAL_LEVEL;
use canasta_proto::v1::*;
use tonic::{Code, Streaming};

use crate::support::game::*;
use crate::support::links::{bad_field, tomorrow};
use crate::support::server::{Client, Recorder};
use crate::support::watching::*;

fn with_table(id: u8, bots: &[u32]) -> CreateRequest {
    let bots = bots.iter().map(|&seat| Bot { seat: Some(seat), level: 0 }).collect();
    CreateRequest { auto_table: true, bots, ..new_game(id) }
}

/// Waits until seat 0 is to act. Returns the end of the log; `None` once the game is over.
async fn own_turn(stream: &mut Streaming<WatchResponse>) -> Option<LogEnd> {
    loop {
        let message = message(stream).await;
        let view = message.observation.and_then(|seen| seen.view).expect("every message has the view");
        match view.phase() {
            Phase::GameOver => return None,
            _ if view.to_act == Some(0) => return message.log_end,
            _ => {}
        }
    }
}

fn watched(game: &[u8], from_n: Option<u64>) -> WatchRequest {
    WatchRequest { want_view: true, ..from(game, seat(0), from_n) }
}

async fn play_own(client: &mut Client, game: &[u8], end: &LogEnd) -> Acted {
    let (now, actor, action) = suggested(client, game).await.expect("the game goes on");
    assert_eq!((&now, actor), (end, seat(0)), "nobody acts for the player");
    let mut request = act(game, 1000 + end.seq, actor, action);
    request.expected_seq = Some(end.seq);
    acted(client, request).await
}

/// Creates games with and without `auto_table`. A retry is answered alike, also after an action.
#[tokio::test]
async fn create_answers_a_dealt_game_or_what_it_waits_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let waiting = created(&mut client, new_game(1)).await;
    assert_eq!(waiting.start, Some(created_game::Start::WaitsFor(WaitsFor::Table.into())));
    let mut request = with_table(2, &[]);
    request.observers = seat(1).into_iter().collect();
    let first = created(&mut client, request.clone()).await;
    let view = first.observations[0].view.as_ref().expect("a view");
    // Eleven cards each (CL-009) and the seat after the dealer acts first (CL-014).
    assert_eq!((view.seats[1].hand.len(), view.phase()), (11, Phase::Start));
    let to_act = Some((view.dealer + 1) % 4);
    assert_eq!(first.start, Some(created_game::Start::Dealt(Dealt { to_act })));
    assert_eq!(view.to_act, to_act);
    play(&mut client, &first.game_id, 3).await;
    assert_eq!(created(&mut client, request).await, first);
}

/// Creates a game that waits. Neither a link, a watcher nor another recorder deals; the table's first action does, and from
/// then on the recorder and its bots work. The director's log does not have the secret before the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_waits_for_its_opening_is_dealt_by_the_tables_first_action() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    let recorder = Recorder::start(&path, &[]).await;
    let mut client = recorder.client().await;
    let committed = DealMode::Committed.into();
    let request =
        CreateRequest { waits_for_opening: true, deal_mode: committed, ..with_table(1, &[1, 2, 3]) };
    let first = created(&mut client, request.clone()).await;
    assert_eq!(first.start, Some(created_game::Start::WaitsFor(WaitsFor::Table.into())));
    // The genesis and the register, whose commitments an opening fixes.
    assert_eq!(first.log_end.as_ref().map(|end| (end.n, end.seq)), Some((1, 0)));
    let game = first.game_id.clone();
    client.invite(&game, seat(0), tomorrow()).await.expect("a link");
    let _ = watch(&mut client, watched(&game, None)).await;
    recorder.stop().await;
    let recorder = Recorder::start(&path, &[]).await;
    let mut client = recorder.client().await;
    let mut stream = watch(&mut client, watched(&game, None)).await;
    let view = message(&mut stream).await.observation.and_then(|seen| seen.view).expect("a snapshot");
    assert_eq!((view.phase(), view.to_act), (Phase::Deal, None));
    assert!(
        client.suggest(&game, seat(0), 0).await.expect("an answer").action.is_none(),
        "no seat has a duty"
    );
    assert_eq!(created(&mut client, request).await, first);
    let (end, actor, action) = suggested(&mut client, &game).await.expect("the game goes on");
    assert_eq!(
        (end.seq, end.n, &actor, &action),
        (0, 2, &role(Role::Table), &deal()),
        "nothing but the link"
    );
    let observers = seat(0).into_iter().collect();
    let dealing = ActRequest { expected_seq: Some(0), observers, ..act(&game, 1, actor, action) };
    let dealt = acted(&mut client, dealing).await;
    let dealer = dealt.observations[0].view.as_ref().expect("a view").dealer;
    let end = own_turn(&mut stream).await.expect("the bots have played");
    // The deal, then at least a draw and a discard of each seat between the dealer and seat 0 (CL-014).
    let least = 1 + 2 * u64::from(3 - dealer);
    assert!(end.seq >= least && (dealer < 3 || end.seq == 1), "{end:?} after dealer {dealer}");
    let live = log(&mut client, &game, role(Role::Director)).await;
    assert_eq!(audited(&live, true), Verdict::Conditional);
    forfeit(&mut client, &game, 2).await;
    let whole = log(&mut client, &game, role(Role::Director)).await;
    let (mut reader, mut bytes, mut secret) = (Reader::new(), &whole[..], None);
    while let Some(frame) = reader.next(&mut bytes).expect("a whole log") {
        if let Ok(Record::GameEnd(end)) = frame.record() {
            secret = end.secret;
        }
    }
    let secret = secret.expect("the end reveals it");
    let has_secret = |log: &[u8]| log.windows(16).any(|part| secret.windows(16).any(|known| known == part));
    assert_eq!((has_secret(&live), has_secret(&whole)), (false, true));
    recorder.stop().await;
}

/// Asks for a game that waits where nobody would deal, or the recorder does not deal anyway.
#[tokio::test]
async fn only_a_game_of_an_automatic_table_waits_for_its_opening() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    bad_field(client.create(CreateRequest { waits_for_opening: true, ..new_game(1) }).await);
}

/// Plays a whole game in which only seats act: each round after the first is dealt in the entry that ends the round before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_recorder_deals_in_the_entry_that_makes_it_due() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = created(&mut client, with_table(1, &[])).await.game_id;
    let mut stream = watch(&mut client, watched(&game, None)).await;
    // The first deal is an entry of its own, soon after the creation.
    while message(&mut stream)
        .await
        .observation
        .and_then(|seen| seen.view)
        .is_none_or(|view| view.to_act.is_none())
    {}
    let (mut rounds, mut ended) = (0, None);
    while let Some((end, actor, action)) = suggested(&mut client, &game).await {
        assert_ne!(actor, role(Role::Table), "the table has nothing left to do");
        let mut request = act(&game, 1000 + end.seq, actor, action);
        request.observers = role(Role::Spectator).into_iter().collect();
        let acted = acted(&mut client, request).await;
        let round_end = !acted.round_ends.is_empty();
        let deals = acted.observations[0].events.iter();
        let dealt = deals.filter(|event| matches!(event.kind, Some(event::Kind::Dealt(_)))).count();
        ended = acted.game_end.clone();
        assert_eq!(dealt > 0, round_end && ended.is_none());
        rounds += u32::from(round_end);
    }
    assert!(rounds > 1 && ended.is_some(), "{rounds} rounds");
    let log = log(&mut client, &game, role(Role::Director)).await;
    assert_eq!(audited(&log, false), Verdict::Clean);
    recorder.stop().await;
}

/// Plays seat 0 against bots, and restarts the recorder again and again: the bots go on once somebody watches.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_play_their_seats_and_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    let mut recorder = Recorder::start(&path, &[]).await;
    let mut client = recorder.client().await;
    let game = created(&mut client, with_table(1, &[1, 2, 3])).await.game_id;
    let mut stream = watch(&mut client, watched(&game, None)).await;
    let (mut turns, mut seen) = (0, 0);
    while let Some(end) = own_turn(&mut stream).await {
        let acted = play_own(&mut client, &game, &end).await;
        seen = acted.log_end.expect("the end").n;
        turns += 1;
        if turns % 40 == 0 {
            drop(stream);
            recorder.stop().await;
            recorder = Recorder::start(&path, &[]).await;
            client = recorder.client().await;
            stream = watch(&mut client, watched(&game, Some(seen))).await;
        }
    }
    assert!(turns > 40 && seen > 0, "{turns} turns");
    let log = log(&mut client, &game, role(Role::Director)).await;
    assert_eq!(audited(&log, false), Verdict::Clean);
    recorder.stop().await;
}

/// Watches a game without players: it goes on without any request, and stops when nobody watches.
#[tokio::test]
async fn a_game_of_bots_is_played_before_watchers() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = created(&mut client, with_table(1, &[0, 1, 2, 3])).await.game_id;
    let mut stream = watch(&mut client, watched(&game, None)).await;
    let mut last = 0;
    for _ in 0..6 {
        let message = message(&mut stream).await;
        assert!(message.snapshot || n(&message) > last);
        last = n(&message);
    }
}

#[tokio::test]
async fn settings_that_no_game_can_have_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let bots = |seats: &[u32]| with_table(1, seats);
    let clock = |clock| CreateRequest { clock: Some(clock), ..new_game(1) };
    let mut registered = with_table(1, &[]);
    registered.registration = Registration::ByTable.into();
    let table = [
        (bots(&[1, 1]), "bots[1].seat"),
        (bots(&[6]), "bots[0].seat"),
        (CreateRequest { bots: vec![Bot { seat: None, level: 0 }], ..bots(&[]) }, "bots[0].seat"),
        (CreateRequest { bots: vec![Bot { seat: Some(1), level: 7 }], ..bots(&[]) }, "bots[0].level"),
        (bots(&[4]), "bots.seat"),
        (registered, "auto_table"),
        (clock(Clock::default()), "clock"),
        (clock(Clock { turn_ms: Some(999), ..Default::default() }), "clock.turn_ms"),
        (clock(Clock { increment_ms: Some(1), ..Default::default() }), "clock.increment_ms"),
        (
            clock(Clock { starts_at_ms: Some(2), ends_at_ms: Some(2), ..Default::default() }),
            "clock.ends_at_ms",
        ),
        (CreateRequest { take_backs: 9, ..new_game(1) }, "take_backs"),
    ];
    for (request, field) in table {
        let status = client.create(request).await.expect_err(field);
        assert_eq!(status.code(), Code::InvalidArgument, "{field}: {status:?}");
        assert!(status.message().contains(field), "{field}: {}", status.message());
    }
}

/// Plays a game with bots, and reads the log: each bot has played what it plays who remembers all that was shown in
/// the round, which cards were taken with the pile among it; and so has the seat that asked for every step.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_and_hints_remember_what_was_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = created(&mut client, with_table(1, &[1, 2, 3])).await.game_id;
    let mut stream = watch(&mut client, watched(&game, None)).await;
    // Sides that play so well are at 5,000 points sooner or later.
    while let Some(end) = own_turn(&mut stream).await {
        play_own(&mut client, &game, &end).await;
    }
    let whole = log(&mut client, &game, role(Role::Director)).await;
    let level = Level::new(USUAL_LEVEL).expect("a level");
    let (mut memory, mut table, mut head) = (RoundMemory::default(), None::<Arc<Table>>, [0; 32]);
    let (mut steps, mut others) = (0, 0);
    let mut look = |outcome: Outcome| {
        if let (Record::Action(record), Some(happened)) = (&*outcome.record, &outcome.events) {
            let actor = record.actor.map_or(As::Table, As::Seat);
            if let (As::Seat(seat), Some(table)) = (actor, table.as_deref()) {
                let seed = match seat {
                    Seat(0) => table.step(),
                    _ => u64::from_be_bytes(*head.first_chunk().expect("a digest")),
                };
                let listed = legal::steps(table).actions;
                let expected = level.choose(table, seat, &memory, &listed, seed).action;
                assert_eq!(record.action, expected, "step {} of seat {}", table.step(), seat.0);
                steps += 1;
                let without = level.choose(table, seat, &RoundMemory::of_pile(table), &listed, seed).action;
                others += u32::from(without != expected);
            }
            memory.see(actor, &events(happened, As::Spectator));
        }
        head = outcome.place.head;
        table = outcome.after.map(|reached| reached.table).or(table.take());
    };
    let mut replay = Replay::new(Auditor::new(Expect::default()), Collector::all());
    replay.feed(&whole, &mut look);
    replay.finish(&mut look);
    assert!(steps > 200 && others > 0, "{steps} steps, {others} others by who forgets what was taken");
    recorder.stop().await;
}
