//! Clocks: the time of play, flags, and what is charged to whom. The time is that of the recorder's clock, which these
//! tests set forward.

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};

use canasta_engine::log::finding::Verdict;
use canasta_proto::v1::*;
use canasta_service::program;

use crate::support::entries::entries;
use crate::support::game::*;
use crate::support::server::{Client, Recorder, opened, settings};
use crate::support::watching::*;

/// A clock that a test sets forward: its own one, since tests run at once.
macro_rules! clock {
    ($name:ident, $ahead:ident) => {
        static $ahead: AtomicI64 = AtomicI64::new(0);
        fn $name() -> i64 {
            program::now() + $ahead.load(Ordering::SeqCst)
        }
    };
}

fn forward(ahead: &AtomicI64, seconds: i64) {
    ahead.fetch_add(seconds * 1000, Ordering::SeqCst);
}

async fn start(folder: &Path, clock: canasta_serve::outside::Clock) -> Recorder {
    let opened = opened(folder, &settings(&[]).config);
    Recorder::start_at(opened, &[], clock).await
}

async fn timed(client: &mut Client, clock: Clock) -> Vec<u8> {
    let request = CreateRequest { clock: Some(clock), ..new_game(1) };
    created(client, request).await.game_id
}

async fn shown(client: &mut Client, game: &[u8]) -> (LogEnd, View, ClockState) {
    let answer = client.get_game(game, role(Role::Table)).await.expect("a view");
    let clock = answer.clock.expect("the game has a clock");
    (answer.log_end.expect("the end"), answer.view.expect("a view"), clock)
}

async fn propose(client: &mut Client, game: &[u8]) -> act_response::Outcome {
    let (end, actor, action) = suggested(client, game).await.expect("the game goes on");
    client.act(act(game, 1000 + end.n, actor, action)).await.expect("well formed")
}

fn refused(outcome: act_response::Outcome) -> (String, String) {
    let act_response::Outcome::Rejected(rejected) = outcome else { panic!("{outcome:?}") };
    assert!(rejected.recorded.is_none());
    let violation = &rejected.violations[0];
    let Some(fact::Value::Word(state)) = violation.facts["state"].value.clone() else {
        panic!("{violation:?}")
    };
    (violation.code.clone(), state)
}

clock!(event_clock, EVENT);

/// Plays an event of one minute: the table deals before the signal, seats begin on it, and after time nothing begins.
#[tokio::test]
async fn seats_act_within_the_time_of_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = start(&folder.path().join("data"), event_clock).await;
    let mut client = recorder.client().await;
    let starts_at_ms = event_clock() + 3_600_000;
    let times = Clock {
        starts_at_ms: Some(starts_at_ms),
        ends_at_ms: Some(starts_at_ms + 60_000),
        ..Default::default()
    };
    let game = timed(&mut client, times).await;
    acted(&mut client, act(&game, 1, role(Role::Table), deal())).await;
    let early = refused(propose(&mut client, &game).await);
    assert_eq!(early, ("GAME_CLOCK".into(), "NOT_STARTED".into()));
    assert_eq!(shown(&mut client, &game).await.2.running, None);
    forward(&EVENT, 3_630);
    let mut turn = None;
    for _ in 0..2 {
        propose(&mut client, &game).await;
        turn = shown(&mut client, &game).await.1.to_act;
    }
    // The turn that is under way when time is called is completed, the next one does not begin.
    propose(&mut client, &game).await;
    let (_, view, _) = shown(&mut client, &game).await;
    turn = view.to_act.or(turn);
    forward(&EVENT, 60);
    let mut completed = 0;
    let late = loop {
        match propose(&mut client, &game).await {
            act_response::Outcome::Acted(_) => completed += 1,
            rejected => break refused(rejected),
        }
        assert!(completed < 10, "seat {turn:?} plays on");
    };
    assert!(completed > 0, "the turn under way is completed");
    assert_eq!(late, ("GAME_CLOCK".into(), "TIME_UP".into()));
    let log = log(&mut client, &game, role(Role::Director)).await;
    assert!(String::from_utf8_lossy(&log).contains("house:time-up"), "the end of play is a ruling");
    assert_eq!(audited(&log, true), Verdict::Conditional);
    // The director still rules.
    let end = shown(&mut client, &game).await.0;
    let mut note = act(&game, 9_000, role(Role::Director), None);
    note.proposals[0].record = remark("scored by hand");
    assert!(acted(&mut client, note).await.log_end.is_some_and(|after| after.n == end.n + 1));
}

clock!(turn_clock, TURN);

/// Lets a seat be late three times: it is warned twice, and then loses (IR-072).
#[tokio::test]
async fn the_third_flag_forfeits_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = start(&folder.path().join("data"), turn_clock).await;
    let mut client = recorder.client().await;
    let game = timed(&mut client, Clock { turn_ms: Some(45_000), ..Default::default() }).await;
    acted(&mut client, act(&game, 1, role(Role::Table), deal())).await;
    let late = shown(&mut client, &game).await.1.to_act.expect("a seat is to act");
    for flags in 1..=3 {
        let (end, _, clock) = shown(&mut client, &game).await;
        assert_eq!(clock.seats[late as usize].warnings, flags - 1);
        assert!(clock.turn_left_ms.is_some_and(|left| (40_000..=45_000).contains(&left)), "{clock:?}");
        forward(&TURN, 46);
        let (_, actor, action) = suggested(&mut client, &game).await.expect("the game goes on");
        let mut request = act(&game, 1000 + end.n, actor, action);
        request.expected_seq = Some(end.seq);
        let status = client.act(request).await.expect_err("the ruling came first");
        assert_eq!(reason(&status), "STALE_HEAD");
    }
    let (_, view, clock) = shown(&mut client, &game).await;
    assert_eq!((view.phase(), clock.running), (Phase::GameOver, None));
    let log = log(&mut client, &game, role(Role::Director)).await;
    let text = String::from_utf8_lossy(&log);
    assert_eq!(text.matches("IR-072").count(), 3);
    assert_eq!(audited(&log, false), Verdict::Ruled);
}

clock!(back_clock, BACK);

/// Sets the recorder's clock back by an hour between entries of several kinds, and starts it anew.
#[tokio::test]
async fn times_never_run_back_when_the_clock_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    let recorder = start(&path, back_clock).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    propose(&mut client, &game).await;
    forward(&BACK, -3_600);
    propose(&mut client, &game).await;
    client.invite(&game, seat(1), program::now() + 3_600_000).await.expect("a link");
    drop(client);
    recorder.stop().await;
    let recorder = start(&path, back_clock).await;
    let mut client = recorder.client().await;
    let mut note = act(&game, 9_000, role(Role::Director), None);
    note.proposals[0].record = remark("the clock is wrong");
    acted(&mut client, note).await;
    forward(&BACK, 7_200);
    propose(&mut client, &game).await;
    let times: Vec<_> = entries(&path).into_iter().map(|entry| entry.time_ms).collect();
    assert!(times.len() >= 7 && times.is_sorted(), "{times:?}");
    assert_eq!(times[2..6], [times[2]; 4], "time stands still until the clock is there again");
    assert!(times.last() > Some(&(times[2] + 3_000_000)), "{times:?}");
}

clock!(outage_clock, OUTAGE);

/// Stops the recorder for an hour: nobody pays for it. `elapsed_ms` is the recorder's to measure.
#[tokio::test]
async fn an_outage_is_charged_to_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    let recorder = start(&path, outage_clock).await;
    let mut client = recorder.client().await;
    let limits = Clock { bank_ms: Some(600_000), increment_ms: Some(5_000), ..Default::default() };
    let game = timed(&mut client, limits).await;
    acted(&mut client, act(&game, 1, role(Role::Table), deal())).await;
    forward(&OUTAGE, 100);
    let seat = shown(&mut client, &game).await.1.to_act.expect("a seat is to act") as usize;
    let mut measured = act(&game, 5, suggested(&mut client, &game).await.expect("a seat").1, None);
    measured.proposals[0].record = remark("mine");
    measured.proposals[0].elapsed_ms = Some(1);
    let status = client.act(measured).await.expect_err("the recorder measures");
    assert!(status.message().contains("proposals[0].elapsed_ms"), "{}", status.message());
    recorder.stop().await;
    forward(&OUTAGE, 3_600);
    let recorder = start(&path, outage_clock).await;
    let mut client = recorder.client().await;
    let bank = shown(&mut client, &game).await.2.seats[seat].bank_left_ms.expect("a bank");
    assert!((480_000..=500_000).contains(&bank), "100 s are charged: {bank}");
    // Its turn ends: the bank gets 5 s more.
    while shown(&mut client, &game).await.1.to_act == Some(seat as u32) {
        propose(&mut client, &game).await;
    }
    let bank = shown(&mut client, &game).await.2.seats[seat].bank_left_ms.expect("a bank");
    assert!((485_000..=505_000).contains(&bank), "{bank}");
}

/// Waits for a flag before an open Watch: nobody needs to act for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watched_flag_falls_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game =
        timed(&mut client, Clock { turn_ms: Some(1_000), warnings: Some(0), ..Default::default() }).await;
    let end = acted(&mut client, act(&game, 1, role(Role::Table), deal())).await.log_end.expect("the end");
    let mut stream = watch(&mut client, from(&game, role(Role::Spectator), Some(end.n + 1))).await;
    let flag = message(&mut stream).await;
    assert!(flag.game_end.is_some(), "without warnings the first flag loses: {flag:?}");
    assert!(flag.clock.is_some());
}
