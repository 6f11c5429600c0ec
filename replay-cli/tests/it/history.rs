//! Games in progress in a tournament's tree: opened, signed every minute, closed or voided; and what an operator cannot do
//! any longer.

use crate::common::event::{Event, START_MS, head_of, set};
use crate::common::{command, frames, key};
use canasta_replay::{Cli, Clock, Exit, Io, run};
use canasta_tournament::growing::GrowingLog;
use canasta_tournament::leaf::{HeadInProgress, Milestone, OpenedGame, heads};
use clap::Parser;
use std::fs;
use std::time::Duration;

#[test]
fn a_game_is_opened_signed_while_it_is_played_and_closed() {
    let event = Event::new("history-whole", 2);
    event.table(0, 2);
    let ran = event.watch(0);
    assert!(
        String::from_utf8_lossy(&ran.out).starts_with("opened 1, closed 0, 1 game in progress"),
        "{ran:?}"
    );
    event.table(0, 40);
    event.table(1, 3);
    event.watch(60);
    let (kinds, report) = event.audit(&[]);
    assert_eq!(kinds, set(&[]), "{report}");
    assert_eq!((report["opened"].as_u64(), report["open"].as_array().unwrap().len()), (Some(2), 2));
    assert_eq!(report["opened_late"], 1, "three records: cards were dealt");
    event.whole(0);
    event.table(1, 200);
    event.watch(120);
    event.whole(1);
    event.watch(180);
    let end = event.publish(181, &["--end"]);
    assert_eq!(end.exit, Exit::Clean, "{end:?}");
    let (kinds, report) = event
        .audit(&["--policy", &event.policy("[tree]\nopened = true\nheads_within = 60\nclose_within = 3")]);
    assert_eq!(kinds, set(&[]), "{report}");
    // Two openings, two games, four lists of heads, the end.
    assert_eq!((report["size"].as_u64(), report["ended"].as_bool()), (Some(9), Some(true)));
    assert_eq!(report.get("open"), None);
    assert_eq!(report.get("not_covered"), None, "the lists of heads are checked");
    // Nothing is opened behind the end.
    let ran = event.publish(240, &["--watch", "--once", event.tables.to_str().unwrap()]);
    assert_eq!(ran.exit, Exit::Findings);
}

/// Checks that the watcher looks at once and then at intervals, until the clock says that it must end.
#[test]
fn the_watcher_signs_at_intervals() {
    let event = Event::new("history-intervals", 1);
    event.table(0, 2);
    let (now, waits) = (std::cell::Cell::new(START_MS), std::cell::RefCell::new(Vec::new()));
    let wait = |time: Duration| {
        waits.borrow_mut().push(time.as_secs());
        now.set(now.get() + time.as_millis() as i64);
        event.table(0, 10 * waits.borrow().len());
        waits.borrow().len() < 4
    };
    let tables = event.tables.to_str().unwrap();
    let args = ["canasta-replay", "publish", "--watch", tables, "--key", &event.key, "-o", &event.site];
    let cli = Cli::try_parse_from(args).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut io = Io::new(&b""[..], &mut out, &mut err, false);
    io.clock = Clock { now_ms: Box::new(|| now.get()), wait: Box::new(wait) };
    assert_eq!(run(&cli.command, &mut io).unwrap(), Exit::Clean);
    drop(io);
    assert_eq!(*waits.borrow(), [60, 60, 60, 60]);
    assert_eq!(String::from_utf8(out).unwrap().lines().count(), 4);
    assert_eq!(event.audit(&[]).0, set(&[]));
}

/// Checks that a game that was opened and is played again, dropped, forgotten or turned back is found by whoever reads the site.
#[test]
fn what_was_fixed_cannot_be_taken_back() {
    // Played again from record 61 on, while the first course is signed up to record 89.
    let event = Event::new("history-again", 1);
    event.table(0, 90);
    event.watch(0);
    let forged = [HeadInProgress { records: 61, head: [7; 32], ..head_of(&event, 0) }];
    let (milestone, list) = heads(START_MS + 60_000, &forged);
    event.forge(vec![(milestone, Some(list))]);
    let (kinds, _) = event.audit(&[]);
    assert_eq!(kinds, set(&["HEADS"]), "a head that goes back");

    // The close is another log than the one whose head was signed last.
    let event = Event::new("history-other", 1);
    event.table(0, 90);
    event.watch(0);
    let ahead = [HeadInProgress { records: 100, head: [7; 32], ..head_of(&event, 0) }];
    let (milestone, list) = heads(START_MS + 60_000, &ahead);
    event.forge(vec![(milestone, Some(list))]);
    event.whole(0);
    // The watcher names the log and leaves it out; only the director's own word publishes it.
    let ran = event.watch(120);
    assert!(ran.err.contains("record 99") && ran.err.contains("t0.clog"), "{ran:?}");
    assert_eq!(event.audit(&[]).0, set(&[]));
    event.anyway(121, &[event.tables.to_str().unwrap()], "HEADS");
    let (kinds, report) = event.audit(&[]);
    assert_eq!(kinds, set(&["HEADS"]), "{report}");
    assert!(report["faults"][0]["detail"].as_str().unwrap().contains("record 99"), "{report}");

    // Dropped: open until the end of the tournament, or until the policy's time has passed.
    let event = Event::new("history-dropped", 2);
    event.table(0, 90);
    event.table(1, 90);
    event.watch(0);
    event.whole(1);
    fs::remove_file(event.tables.join("t0.clog")).unwrap();
    event.watch(60);
    assert_eq!(event.audit(&[]).0, set(&[]), "its last head is signed again and again");
    event.watch(7_260);
    let policy = event.policy("[tree]\nclose_within = 120");
    assert_eq!(event.audit(&["--policy", &policy]).0, set(&["GAME_OPEN"]));
    event.anyway(7_300, &["--end"], "GAME_OPEN");
    assert_eq!(event.audit(&[]).0, set(&["GAME_OPEN"]));
}

/// Checks that what is appended after the end of a game becomes a further entry, once, and that another continuation of the
/// published log is named.
#[test]
fn a_ruling_behind_the_end_is_published() {
    let event = Event::new("history-ruled", 1);
    event.table(0, 90);
    event.watch(0);
    event.whole(0);
    event.watch(60);
    let says = |at_s, expected: &str| {
        let ran = event.watch(at_s);
        assert!(String::from_utf8_lossy(&ran.out).starts_with(expected), "{expected}: {ran:?}");
        ran.err
    };
    // A checkpoint takes the place of the ruling: all that counts is that the log goes on.
    let table = event.tables.join("t0.clog").to_str().unwrap().to_owned();
    let ran = command(&["sign", &table, "--key", &event.key, "--append"], b"");
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    assert_eq!(says(120, "opened 0, closed 1, 0 games in progress"), "");
    assert_eq!(says(180, "opened 0, closed 0, 0 games in progress"), "");
    let (kinds, report) = event.audit(&[]);
    // The opening, the game twice, four lists of heads.
    assert_eq!((kinds, report["size"].as_u64()), (set(&[]), Some(7)), "{report}");
    // A copy that lags behind is no news.
    event.whole(0);
    assert_eq!(says(240, "opened 0, closed 0, 0 games in progress"), "");
    let (other, _) = key(&event.place, "other.example", 2);
    for _ in 0..2 {
        let ran = command(&["sign", &table, "--key", &other, "--append", "--force"], b"");
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    }
    let named = says(300, "opened 0, closed 0, 0 games in progress");
    assert!(named.contains("is published up to record"), "{named}");
    assert_eq!(event.audit(&[]).0, set(&[]));
}

#[test]
fn a_game_can_be_voided_in_public() {
    let event = Event::new("history-void", 1);
    event.table(0, 90);
    event.watch(0);
    let id = base16ct::lower::encode_string(&head_of(&event, 0).game_id);
    let ran = event.publish(30, &["--void", &format!("{id}:the lights went out")]);
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    event.watch(60);
    event.publish(90, &["--end"]);
    let (kinds, report) = event.audit(&[]);
    assert_eq!((kinds, report["voided"].as_u64()), (set(&[]), Some(1)));
    for bad in ["0123", "zz:x", &format!("{id}:\u{7}")] {
        let args = ["publish", "--key", &event.key, "-o", &event.site, "--void", bad];
        assert!(Cli::try_parse_from(["canasta-replay"].iter().chain(&args)).is_err(), "{bad}");
    }
}

#[test]
fn announced_games_must_come() {
    let event = Event::new("history-announced", 3);
    let ids: Vec<String> = (0..3)
        .map(|game| {
            event.table(game, 2);
            base16ct::lower::encode_string(&head_of(&event, game).game_id)
        })
        .collect();
    let list = event.place.join("tables.txt");
    fs::write(&list, format!("# tables\n{} table one\n{} table two\n", ids[0], ids[1])).unwrap();
    let ran = event.publish(0, &["--announce", list.to_str().unwrap()]);
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    // The first is played; the third was not announced; the second never comes.
    fs::remove_file(event.tables.join("t1.clog")).unwrap();
    fs::remove_file(event.tables.join("t2.clog")).unwrap();
    event.whole(0);
    event.watch(60);
    assert_eq!(event.audit(&[]).0, set(&[]));
    event.whole(2);
    let ran = event.watch(120);
    assert!(ran.err.contains("NOT_FIXED") && ran.err.contains("left out"), "{ran:?}");
    assert_eq!(event.audit(&[]).0, set(&[]));
    event.anyway(150, &[event.tables.join("t2.clog").to_str().unwrap()], "NOT_FIXED");
    event.anyway(180, &["--end"], "GAME_MISSING");
    let (kinds, report) = event.audit(&[]);
    assert_eq!(kinds, set(&["NOT_FIXED", "GAME_MISSING"]), "{report}");
    fs::write(&list, "not an id\n").unwrap();
    let ran = event.publish(240, &["--announce", list.to_str().unwrap()]);
    assert!(ran.exit == Exit::Failure && ran.err.contains("line 1"), "{ran:?}");
}

/// Checks that a game that was published before its end, by whatever command, is no fault of the site once it is published whole.
#[test]
fn unfinished_games_do_not_spoil_a_site() {
    let event = Event::new("history-unfinished", 1);
    let ends = frames(&event.logs[0]);
    fs::write(event.tables.join("t0.clog"), &event.logs[0][..ends[90]]).unwrap();
    let tables = event.tables.to_str().unwrap().to_owned();
    assert_eq!(event.publish(0, &[&tables, "--with-findings"]).exit, Exit::Clean);
    let (kinds, report) = event.audit(&[]);
    assert_eq!((kinds, report["open"].as_array().unwrap().len()), (set(&[]), 1), "{report}");
    event.whole(0);
    assert_eq!(event.publish(60, &[&tables]).exit, Exit::Clean);
    let (kinds, report) = event.audit(&[]);
    assert_eq!((kinds, report.get("open")), (set(&[]), None), "{report}");
    // Without the whole log it is open at the end of the tournament.
    let event = Event::new("history-unfinished-end", 1);
    fs::write(event.tables.join("t0.clog"), &event.logs[0][..ends[90]]).unwrap();
    let tables = event.tables.to_str().unwrap().to_owned();
    event.publish(0, &[&tables, "--with-findings"]);
    event.anyway(60, &["--end"], "GAME_OPEN");
    assert_eq!(event.audit(&[]).0, set(&["GAME_OPEN"]));
}

/// Checks that a log with findings is named and stays open, and that the games beside it are closed.
#[test]
fn one_bad_log_does_not_stop_the_others() {
    let event = Event::new("history-bad", 2);
    event.table(0, 90);
    event.table(1, 90);
    event.watch(0);
    let mut bad = event.logs[0].clone();
    let at = frames(&bad)[100];
    bad[at + 5] ^= 1;
    fs::write(event.tables.join("t0.clog"), bad).unwrap();
    event.whole(1);
    fs::write(event.tables.join("none.clog"), "hello, this is no log at all").unwrap();
    fs::write(event.tables.join("empty.clog"), "").unwrap();
    let ran = event.watch(60);
    assert!(ran.err.contains("none.clog"), "{ran:?}");
    let (kinds, report) = event.audit(&[]);
    assert_eq!((kinds, report["open"].as_array().unwrap().len()), (set(&[]), 1), "{report}");
}

/// Checks that every milestone that contradicts the history is found, with the index of its leaf.
#[test]
fn histories_that_contradict_themselves_are_found() {
    let at_ms = START_MS;
    let list_of = |heads_: &[HeadInProgress]| {
        let (milestone, list) = heads(at_ms, heads_);
        (milestone, Some(list))
    };
    let opened = |event: &Event| {
        let log = GrowingLog::read(&event.tables.join("t0.clog")).unwrap().expect("a log");
        OpenedGame::of(&log.genesis, "t0".into(), at_ms, log.records(), log.head())
    };
    type Forgery<'a> = &'a dyn Fn(&Event) -> Vec<(Milestone, Option<Vec<u8>>)>;
    let cases: [(&str, Forgery<'_>, &[&str]); 9] = [
        ("opened twice", &|event| vec![(Milestone::Open(opened(event)), None); 2], &["GAME_TWICE"]),
        ("time back", &|_| vec![(Milestone::End { at_ms: at_ms - 1 }, None)], &["TIME"]),
        (
            "behind the end",
            &|event| vec![(Milestone::End { at_ms }, None), (Milestone::Open(opened(event)), None)],
            &["TIME", "GAME_OPEN"],
        ),
        (
            "void of nothing",
            &|_| vec![(Milestone::Void { at_ms, game_id: [9; 16], reason: "x".into() }, None)],
            &["NOT_FIXED"],
        ),
        ("heads without a list", &|_| vec![(heads(at_ms, &[]).0, None)], &["HEADS"]),
        ("another list", &|_| vec![(heads(at_ms, &[]).0, Some(b"x\n".to_vec()))], &["HEADS"]),
        ("not in the list", &|event| vec![(Milestone::Open(opened(event)), None), list_of(&[])], &["HEADS"]),
        ("never opened", &|event| vec![list_of(&[head_of(event, 0)])], &["HEADS"]),
        (
            "another opening",
            &|event| {
                let mut other = opened(event);
                other.players[0].name = "Eve".into();
                vec![(Milestone::Open(other), None)]
            },
            &["HEADS"],
        ),
    ];
    for (name, forgery, kinds) in cases {
        let event = Event::new(&format!("history-forged-{}", name.replace(' ', "-")), 1);
        event.forge(vec![(Milestone::Tables { at_ms, tables: vec![] }, None)]);
        event.table(0, 90);
        event.forge(forgery(&event));
        if name == "another opening" {
            event.whole(0);
            let ran = event.watch(60);
            assert!(ran.err.contains("its first record is not what was opened"), "{ran:?}");
            event.anyway(61, &[event.tables.to_str().unwrap()], "HEADS");
        }
        assert_eq!(event.audit(&[]).0, set(kinds), "{name}");
    }
}

/// Checks that a result without an opening is a finding where the policy promises openings; sites without openings stay valid.
#[test]
fn results_without_an_opening_are_named_where_openings_are_promised() {
    let event = Event::new("history-unopened", 2);
    event.whole(0);
    let tables = event.tables.to_str().unwrap().to_owned();
    event.publish(0, &[&tables]);
    assert_eq!(event.audit(&[]).0, set(&[]));
    let policy = event.policy("[tree]\nopened = true");
    assert_eq!(event.audit(&["--policy", &policy]).0, set(&["NOT_FIXED"]));
    let policy = event.policy("[deals]\nmodes = [\"committed\"]\n[tree]\norigin = \"other.example\"");
    assert_eq!(event.audit(&["--policy", &policy]).0, set(&["CHECKPOINT", "PROMISE"]));
}
