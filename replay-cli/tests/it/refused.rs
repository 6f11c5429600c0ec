//! `publish` refuses what the audit of its own site would find for ever, before it signs anything.

use crate::common::event::{Event, START_MS, head_of, set};
use crate::common::{Extras, Rng, play, short};
use canasta_engine::log::record::Record;
use canasta_engine::log::{Chain, HEADER, Reader};
use canasta_replay::Exit;
use canasta_tournament::growing::GrowingLog;
use canasta_tournament::leaf::{Milestone, OpenedGame};
use std::fs;

fn id(event: &Event, game: usize) -> String {
    base16ct::lower::encode_string(&head_of(event, game).game_id)
}

/// Returns the log of the same game, played otherwise from its middle on.
fn forked(event: &Event, game: usize) -> Vec<u8> {
    let (mut log, mut chain) = (HEADER.to_vec(), Chain::START);
    let (mut reader, mut rest) = (Reader::new(), &event.logs[game][..]);
    while let Some(frame) = reader.next(&mut rest).unwrap() {
        let mut record = frame.record().unwrap();
        if let (40.., Record::Action(action)) = (frame.n, &mut record) {
            action.elapsed_ms = Some(7);
        }
        chain.append(&record.encode().unwrap(), &mut log);
    }
    log
}

/// A state of a tournament, and what the director types then: the site before it, the arguments, and the kind of fault.
type Refused = (&'static str, fn(&Event), fn(&Event) -> Vec<String>, &'static str);

const REFUSED: &[Refused] = &[
    ("a void of an unknown game", |_| (), |_| void(&"00".repeat(15), "05"), "NOT_FIXED"),
    ("a void of a game with a result", finished, |event| void(&id(event, 0), ""), "NOT_FIXED"),
    ("a second void", voided, |event| void(&id(event, 0), ""), "NOT_FIXED"),
    ("a void of an announced game with a result", announced, |event| void(&id(event, 0), ""), "NOT_FIXED"),
    ("a second end", |event| ok(event, 90, &["--end"]), |_| words(&["--end"]), "TIME"),
    ("an end with a game open", opened, |_| words(&["--end"]), "GAME_OPEN"),
    ("a void behind the end", ended, |event| void(&id(event, 0), ""), "TIME"),
    ("an announcement behind the end", |event| ok(event, 90, &["--end"]), announcement, "TIME"),
    ("an announced game that never came", |event| announce(event), |_| words(&["--end"]), "GAME_MISSING"),
    ("a result that contradicts its heads", opened, |event| log(event, "t0", &forked(event, 0)), "HEADS"),
    ("a result that contradicts its opening", other_opening, |event| whole(event, 0), "HEADS"),
    ("a result of a void game", voided, |event| whole(event, 0), "GAME_TWICE"),
    ("an unopened game beside opened ones", opened, |event| whole(event, 1), "NOT_FIXED"),
    (
        "an unopened game where openings are promised",
        |_| (),
        |event| promised(event, "[tree]\nopened = true"),
        "NOT_FIXED",
    ),
    (
        "deals that are not promised",
        |_| (),
        |event| promised(event, "[deals]\nmodes = [\"committed\"]"),
        "PROMISE",
    ),
];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn void(id: &str, end: &str) -> Vec<String> {
    words(&["--void", &format!("{id}{end}:x")])
}

fn log(event: &Event, name: &str, bytes: &[u8]) -> Vec<String> {
    let path = event.place.join(format!("{name}.clog"));
    fs::write(&path, bytes).unwrap();
    words(&[path.to_str().unwrap()])
}

fn whole(event: &Event, game: usize) -> Vec<String> {
    log(event, &format!("t{game}"), &event.logs[game])
}

fn promised(event: &Event, promise: &str) -> Vec<String> {
    [whole(event, 0), words(&["--policy", &event.policy(promise)])].concat()
}

fn ok(event: &Event, at_s: i64, args: &[&str]) {
    let ran = event.publish(at_s, args);
    assert_eq!(ran.exit, Exit::Clean, "{args:?}: {ran:?}");
}

fn opened(event: &Event) {
    event.table(0, 90);
    event.watch(0);
}

fn finished(event: &Event) {
    opened(event);
    event.whole(0);
    event.watch(60);
}

fn voided(event: &Event) {
    opened(event);
    ok(event, 60, &["--void", &format!("{}:rain", id(event, 0))]);
}

fn ended(event: &Event) {
    opened(event);
    ok(event, 90, &["--end", "--anyway=the hall closes"]);
}

fn announcement(event: &Event) -> Vec<String> {
    let list = event.place.join("tables.txt");
    event.table(0, 2);
    fs::write(&list, format!("{} table one\n", id(event, 0))).unwrap();
    words(&["--announce", list.to_str().unwrap()])
}

fn announce(event: &Event) {
    let args = announcement(event);
    ok(event, 0, &args.iter().map(String::as_str).collect::<Vec<_>>());
}

fn announced(event: &Event) {
    announce(event);
    finished(event);
}

fn other_opening(event: &Event) {
    event.table(0, 90);
    let log = GrowingLog::read(&event.tables.join("t0.clog")).unwrap().expect("a log");
    let mut opened = OpenedGame::of(&log.genesis, "t0".into(), START_MS, log.records(), log.head());
    opened.players[0].name = "Eve".into();
    event.forge(vec![(Milestone::Open(opened), None)]);
}

/// Checks that each row is refused with the fault that the audit of the site would find for ever, that nothing is signed, and
/// that the fault is found after `--anyway`, which the tree says.
#[test]
fn what_an_audit_would_find_for_ever_is_refused() {
    for (name, before, args, kind) in REFUSED {
        let event = Event::new(&format!("refused-{}", name.replace(' ', "-")), 2);
        before(&event);
        let policy = event.place.join("policy.toml");
        let args = args(&event);
        event.anyway(120, &args.iter().map(String::as_str).collect::<Vec<_>>(), kind);
        let policy = policy.exists().then(|| policy.to_str().unwrap().to_owned());
        let more: Vec<&str> = policy.iter().flat_map(|policy| ["--policy", policy.as_str()]).collect();
        let found = event.audit(&more).0;
        assert!(found.contains(*kind), "{name}: {found:?}");
    }
}

/// Checks a recorder that was restored, or forked, and shows another course than the one that was signed: its log is named, no
/// record of it is signed, and the games beside it go on.
#[test]
fn heads_that_contradict_signed_ones_are_never_signed() {
    let event = Event::new("refused-restored", 2);
    event.table(0, 45);
    event.table(1, 60);
    event.watch(0);
    event.table(0, 60);
    event.watch(30);
    let other = forked(&event, 0);
    let ends = crate::common::frames(&other);
    for (at_s, records) in [(60, 80), (120, 50), (180, ends.len() - 1)] {
        fs::write(event.tables.join("t0.clog"), &other[..ends[records]]).unwrap();
        event.table(1, 60 + at_s as usize);
        let ran = event.watch(at_s);
        assert!(
            ran.err.contains("t0.clog") && ran.err.contains("no record of it is signed"),
            "{records}: {ran:?}"
        );
        assert!(!ran.err.contains("t1.clog"), "{ran:?}");
        assert_eq!(event.audit(&[]).0, set(&[]));
    }
    event.whole(1);
    event.watch(240);
    // The true log is still there: the game is closed as if nothing had happened.
    event.whole(0);
    event.watch(300);
    ok(&event, 301, &["--end"]);
    let (kinds, report) = event.audit(&[]);
    assert_eq!((kinds, report.get("anyway")), (set(&[]), None), "{report}");
}

/// Checks that a clock that is set back contradicts nothing that is signed.
#[test]
fn a_clock_that_is_set_back_is_no_fault() {
    let event = Event::new("refused-clock", 1);
    opened(&event);
    ok(&event, -3_600, &["--void", &format!("{}:rain", id(&event, 0))]);
    ok(&event, -7_200, &["--end"]);
    assert_eq!(event.audit(&[]).0, set(&[]));
}

/// Checks that whatever a director types in any order, what is published without `--anyway` leaves a site without faults.
#[test]
fn whatever_is_published_audits_clean() {
    let (mut published, mut refused) = (0, 0);
    for seed in 0..24 {
        let event = Event::new(&format!("refused-any-{seed}"), 3);
        let mut rng = Rng(seed + 1);
        let policy = event.policy("[tree]\nopened = true");
        let strict = seed % 2 == 0;
        let others = [forked(&event, 0), play(&short("classic-4p", 5), 9, Extras::None)];
        for step in 1..9 {
            let at_s = 60 * step;
            let game = rng.below(3);
            let args = match rng.below(7) {
                0 => {
                    event.table(game, 30 * step as usize);
                    words(&["--watch", "--once", event.tables.to_str().unwrap()])
                }
                1 => {
                    event.whole(game);
                    words(&["--watch", "--once", event.tables.to_str().unwrap()])
                }
                2 => {
                    fs::write(event.tables.join("t0.clog"), &others[0]).unwrap();
                    words(&["--watch", "--once", event.tables.to_str().unwrap()])
                }
                3 => whole(&event, game),
                4 => log(&event, "x", &others[rng.below(2)]),
                5 => {
                    let known = event.tables.join(format!("t{game}.clog")).exists();
                    void(&if known { id(&event, game) } else { "07".repeat(16) }, "")
                }
                _ => words(&["--end"]),
            };
            let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
            if strict {
                args.extend(["--policy", &policy]);
            }
            let ran = event.publish(at_s, &args);
            assert!(matches!(ran.exit, Exit::Clean | Exit::Findings), "{ran:?}");
            (published, refused) = match ran.exit {
                Exit::Clean => (published + 1, refused),
                _ => (published, refused + 1),
            };
            if std::path::Path::new(&event.site).join("checkpoint").exists() {
                let more: &[&str] = if strict { &["--policy", &policy] } else { &[] };
                let (kinds, report) = event.audit(more);
                assert_eq!(kinds, set(&[]), "seed {seed}, step {step}: {args:?} {ran:?} {report}");
            }
        }
    }
    assert!(published > 50 && refused > 20, "{published} published, {refused} refused");
}
