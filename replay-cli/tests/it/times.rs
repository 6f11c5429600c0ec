//! Time in the tree: what witnesses saw, when, and the promises of a policy about it; and the attacks of an operator who
//! backdates, opens late, lets heads stand still, voids, or stops.

use crate::common::event::{self, Event, START_MS, ran_at, set};
use crate::common::frames;
use canasta_replay::Exit;
use canasta_tournament::cosign::{WitnessKey, cosign};
use canasta_tournament::key_file;
use canasta_tournament::note::{NoteSigner, split};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// Second of the start, as witnesses sign it.
const START: u64 = START_MS as u64 / 1_000;

fn witness(number: u8) -> NoteSigner {
    NoteSigner::new(&format!("w{number}.example"), &[100 + number; 32]).unwrap()
}

/// Returns the part of a policy about two witnesses of which both must sign.
fn witnesses(more: &str) -> String {
    let keys = [1, 2].map(|number| format!("\"{}\"", WitnessKey::of(&witness(number))));
    format!("[witnesses]\nkeys = [{}]\nquorum = 2\n{more}", keys.join(", "))
}

/// Lets a witness sign the checkpoint of the site by its own program, at a second behind the start.
fn cosigned(event: &Event, number: u8, at_s: i64) {
    let path = |name: &str| event.place.join(name).to_str().unwrap().to_owned();
    let (key, state) = (path(&format!("w{number}.key")), path(&format!("w{number}.json")));
    if !event.place.join(format!("w{number}.key")).exists() {
        key_file::write_new(key.as_ref(), &witness(number)).unwrap();
    }
    let args = ["witness", &event.site, "--state", &state, "--key", &key, "--log", &event.public];
    let ran = ran_at(START_MS + at_s * 1_000, &args);
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    let file = format!("{}/checkpoint", event.site);
    fs::write(&file, fs::read_to_string(&file).unwrap() + std::str::from_utf8(&ran.out).unwrap()).unwrap();
}

/// Plays a game in public with a look each minute; each checkpoint is signed by both witnesses `behind` seconds later.
fn played(name: &str, behind: Option<i64>) -> Event {
    let event = Event::new(name, 1);
    let records = frames(&event.logs[0]).len() - 1;
    let mut at_s = 0;
    for part in (2..records).step_by(30).chain([records]) {
        if part == records {
            event.whole(0);
        } else {
            event.table(0, part);
        }
        event.watch(at_s);
        if let Some(behind) = behind {
            [1, 2].into_iter().for_each(|number| cosigned(&event, number, at_s + behind));
        }
        at_s += 60;
    }
    event.publish(at_s, &["--end"]);
    if let Some(behind) = behind {
        [1, 2].into_iter().for_each(|number| cosigned(&event, number, at_s + behind));
    }
    event
}

/// Audits at a second behind the start. Returns the kinds of faults, and the report.
fn audited(event: &Event, policy: &str, at_s: i64, more: &[&str]) -> (BTreeSet<String>, Value) {
    let policy = event.policy(policy);
    let now = canasta_engine::text::time::to_text(START_MS + at_s * 1_000);
    event.audit(&[&["--policy", &policy, "--now", &now], more].concat())
}

/// Checks an honest game under everything that a policy can promise, and that the report has the times of the witnesses.
#[test]
fn an_honest_game_keeps_every_promise() {
    let event = played("times-honest", Some(7));
    let all = "[tree]\nopened_before = \"deal\"\nheads_every = { records = 30, seconds = 90 }\nclose_within = 240\n\
        max_voided_games = 0\ncheckpoint_within = 90\n";
    let sheets = format!("sheets = false\n{all}{}", witnesses("cosigned_within = 30"));
    let (faults, report) = audited(&event, &sheets, 100_000, &[]);
    assert_eq!(faults, set(&[]), "{report}");
    let game = &report["games"][0];
    let records = (frames(&event.logs[0]).len() - 1) as u64;
    assert_eq!((game["opened"]["records"].as_u64(), game["before_cards"].as_bool()), (Some(2), Some(true)));
    assert_eq!((game["opened"]["seen"].as_u64(), report["quorum"].as_u64()), (Some(START + 7), Some(2)));
    let looks = (2..records).step_by(30).count() as u64;
    let fixed: Vec<u64> =
        game["fixed"].as_array().unwrap().iter().map(|of| of["seen"].as_u64().unwrap()).collect();
    assert_eq!(fixed, (1..looks).map(|look| START + look * 60 + 7).collect::<Vec<_>>());
    let closed = &game["closed"];
    assert_eq!(
        (closed["records"].as_u64(), closed["seen"].as_u64()),
        (Some(records), Some(START + looks * 60 + 7))
    );
    // A stranger who comes later has every checkpoint that was cosigned, in one file of this size.
    let kept = fs::read_to_string(format!("{}/cosigned/000", event.site)).unwrap();
    assert_eq!(kept.matches("\nopen-2026").count() as u64 + 1, looks + 1, "{kept}");
    // Without the policy nobody knows the witnesses, and every time is the publisher's.
    let (faults, report) = event.audit(&[]);
    assert_eq!((faults, &report["games"][0]["opened"]["seen"]), (set(&[]), &Value::Null));
    let said = report["not_proven"].to_string();
    assert!(said.contains("times are as claimed"), "{said}");
    // The text says it in words.
    let policy = event.policy(&sheets);
    let ran =
        ran_at(START_MS, &["audit-tournament", &event.site, "--key", &event.public, "--policy", &policy]);
    let text = String::from_utf8(ran.out).unwrap();
    assert!(
        text.contains(
            "opened at or before 2026-01-31T12:00:07.000Z (2 witnesses), before the first card; fixed"
        ),
        "{text}"
    );
}

/// Checks JDG-4: a tree that was made hours after its times passes no policy that bounds the witnesses' delay, and the
/// report has the witnesses' times.
#[test]
fn a_backdated_tree_is_found() {
    let event = played("times-backdated", None);
    [1, 2].into_iter().for_each(|number| cosigned(&event, number, 18_000));
    let (faults, report) = audited(&event, &witnesses("cosigned_within = 300"), 18_000, &[]);
    assert_eq!(faults, set(&["TIME"]), "{report}");
    assert!(
        report["faults"][0]["detail"].as_str().unwrap().contains("5 h after the time that it claims"),
        "{report}"
    );
    let (faults, report) = audited(&event, &witnesses(""), 18_000, &[]);
    assert_eq!(faults, set(&[]));
    assert_eq!(report["games"][0]["opened"]["seen"].as_u64(), Some(START + 18_000));
    assert!(report["not_proven"].to_string().contains("up to 5 h after"), "{report}");
    let (faults, _) = audited(&event, &witnesses(""), 18_000, &["--strict"]);
    assert_eq!(faults, set(&["UNPROVEN"]));
    // One witness of two is no quorum: its time counts for nothing.
    let event = played("times-one-witness", None);
    cosigned(&event, 1, 700);
    let (faults, report) = audited(&event, &witnesses("cosigned_within = 300"), 100_000, &[]);
    assert_eq!(faults, set(&["WITNESS"]), "{report}");
    assert_eq!(report["games"][0]["opened"]["seen"], Value::Null);
}

/// Checks clocks that disagree: a publisher who is ahead of its witnesses, and a witness whose times go back.
#[test]
fn clocks_that_disagree_are_found() {
    let event = played("times-ahead", Some(-90));
    let (faults, report) = audited(&event, &witnesses(""), 0, &[]);
    assert_eq!(faults, set(&["TIME"]), "{report}");
    let detail = report["faults"][0]["detail"].as_str().unwrap();
    assert!(detail.contains("90 s later than its witnesses"), "{detail}");
    // Half a minute is what clocks differ by.
    let event = played("times-skew", Some(-30));
    assert_eq!(audited(&event, &witnesses("cosigned_within = 60"), 0, &[]).0, set(&[]));
    // A witness that was given an old clock, or colludes, contradicts what it signed before.
    let event = played("times-back", Some(7));
    let path = format!("{}/cosigned/000", event.site);
    let kept = fs::read_to_string(&path).unwrap();
    let last = kept.rfind("open-2026.example\n").unwrap();
    let (text, _) = split(&kept[last..]).unwrap();
    let old = cosign(&witness(1), text, START - 4_000);
    fs::write(&path, format!("{kept}{old}")).unwrap();
    let (faults, report) = audited(&event, &witnesses(""), 100_000, &[]);
    assert!(faults.contains("WITNESS"), "{report}");
    // So does one under the site's own checkpoint, which nobody has kept yet.
    fs::write(&path, kept).unwrap();
    let file = format!("{}/checkpoint", event.site);
    let own = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{own}{}", cosign(&witness(1), split(&own).unwrap().0, START - 4_000))).unwrap();
    let (faults, report) = audited(&event, &witnesses(""), 100_000, &[]);
    assert!(faults.contains("WITNESS"), "{report}");
    let back = |fault: &Value| {
        fault["file"] == "checkpoint" && fault["detail"].as_str().unwrap().contains("it cosigned fewer")
    };
    assert!(report["faults"].as_array().unwrap().iter().any(back), "{report}");
}

/// Checks that what a kept checkpoint says is held against the tree, byte by byte.
#[test]
fn kept_checkpoints_are_of_this_tree() {
    let event = played("times-kept", Some(7));
    let path = format!("{}/cosigned/000", event.site);
    let kept = fs::read(&path).unwrap();
    let policy = witnesses("cosigned_within = 30");
    for at in (0..kept.len() - 1).step_by(37) {
        let mut changed = kept.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).unwrap();
        assert_ne!(audited(&event, &policy, 100_000, &[]).0, set(&[]), "byte {at}");
    }
    // Another tree with the same witnesses: its checkpoints are a fork of this one.
    let other = Event::new("times-fork", 1);
    other.table(0, 60);
    other.watch(0);
    [1, 2].into_iter().for_each(|number| cosigned(&other, number, 7));
    let foreign = fs::read(format!("{}/checkpoint", other.site)).unwrap();
    fs::write(&path, [foreign, kept.clone()].concat()).unwrap();
    assert!(audited(&event, &policy, 100_000, &[]).0.contains("FORKED"));
    // Without the file the last checkpoint alone vouches, hours later than it promises for the first leaf.
    fs::remove_file(&path).unwrap();
    let (faults, report) = audited(&event, &policy, 100_000, &[]);
    assert_eq!(faults, set(&["TIME"]), "{report}");
    fs::write(&path, kept).unwrap();
    assert_eq!(audited(&event, &policy, 100_000, &[]).0, set(&[]));
}

/// Checks JDG-5: openings behind the cards, heads that stand still, no heads at all, and a publisher who stops.
#[test]
fn openings_and_heads_are_held_to_the_letter() {
    let heads = "[tree]\nheads_every = { records = 40 }";
    let event = Event::new("times-late", 1);
    let records = frames(&event.logs[0]).len() - 1;
    event.table(0, records - 1);
    event.watch(0);
    event.whole(0);
    event.watch(60);
    let (faults, report) = audited(&event, "[tree]\nopened_before = \"deal\"", 60, &[]);
    assert_eq!(faults, set(&["NOT_FIXED"]), "{report}");
    assert!(
        report["faults"][0]["detail"].as_str().unwrap().contains(&format!("after {} records", records - 1))
    );
    assert_eq!(audited(&event, "[tree]\nopened = true", 60, &[]).0, set(&[]), "it is opened");
    let ran = ran_at(START_MS, &["audit-tournament", &event.site, "--key", &event.public]);
    let text = String::from_utf8(ran.out).unwrap();
    assert!(
        text.contains("before the first card: 0 games") && text.contains("not begun several times"),
        "{text}"
    );
    // The same head four times, and then the whole game.
    let event = Event::new("times-still", 1);
    for look in 0..4 {
        event.table(0, 2);
        event.watch(look * 60);
    }
    event.whole(0);
    event.watch(240);
    let (faults, report) = audited(&event, heads, 240, &[]);
    assert_eq!(faults, set(&["HEADS"]), "{report}");
    assert_eq!(audited(&event, "[tree]\nheads_every = { seconds = 60 }", 240, &[]).0, set(&[]));
    // A head that moves too far between two looks.
    let event = Event::new("times-jump", 1);
    for (look, records) in [2, 30, 60, 110].into_iter().enumerate() {
        event.table(0, records);
        event.watch(look as i64 * 60);
    }
    let (faults, report) = audited(&event, heads, 180, &[]);
    assert_eq!(faults, set(&["HEADS"]), "{report}");
    assert!(report["faults"][0]["detail"].as_str().unwrap().contains("50 at once"), "{report}");
    // That is late already, and no reason to sign nothing.
    event.whole(0);
    let policy = event.policy(heads);
    let ran = event.publish(240, &["--watch", "--once", event.tables.to_str().unwrap(), "--policy", &policy]);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Clean, ""));
    // A publisher who stops for ever: on the clock of whoever audits.
    let promises = "[tree]\nheads_within = 90\nclose_within = 10\ncheckpoint_within = 90";
    let event = Event::new("times-stopped", 1);
    event.table(0, 30);
    event.watch(180);
    assert_eq!(audited(&event, promises, 200, &[]).0, set(&[]));
    let (faults, report) = audited(&event, promises, 1_800, &[]);
    assert_eq!(faults, set(&["GAME_OPEN", "TIME"]), "{report}");
}

/// Checks JDG-6: voids are counted and bounded, printed with reason and progress, and a player of a voided game is told so.
#[test]
fn voids_have_a_price() {
    let event = Event::new("times-voids", 3);
    for part in [2, 90] {
        (0..3).for_each(|game| event.table(game, part));
        event.watch(part as i64);
    }
    let ids: Vec<String> = (1..3)
        .map(|game| {
            let head = event::head_of(&event, game);
            base16ct::lower::encode_string(&head.game_id)
        })
        .collect();
    let voids: Vec<String> = ids.iter().map(|id| format!("{id}:power cut")).collect();
    event.publish(120, &["--void", &voids[0], "--void", &voids[1]]);
    let most = |text: &str| audited(&event, &format!("[tree]\n{text}"), 120, &[]).0;
    assert_eq!(most("max_voided_games = 2\nvoids_after = 90"), set(&[]));
    assert_eq!(most("max_voided_games = 1"), set(&["PROMISE"]));
    assert_eq!(most("voids_after = 89"), set(&["PROMISE"]));
    let own = event.place.join("own.clog");
    fs::write(&own, &event.logs[1]).unwrap();
    let args = ["audit-tournament", &event.site, own.to_str().unwrap(), "--key", &event.public];
    let ran = ran_at(START_MS, &args);
    let text = String::from_utf8(ran.out).unwrap();
    assert_eq!(ran.exit, Exit::Clean, "{text}");
    assert!(text.contains(&format!("voided: {} t1 after 90 records: power cut", ids[0])), "{text}");
    assert!(text.contains(&format!("your game {} is voided", ids[0])), "{text}");
    // A copy that is not what was signed.
    fs::write(&own, &event.logs[1][..event.logs[1].len() / 2]).unwrap();
    let other = fs::read(&own).unwrap();
    fs::write(&own, other.iter().map(|byte| byte ^ u8::from(*byte == 0x77)).collect::<Vec<u8>>()).unwrap();
    let report = event.audit(&[own.to_str().unwrap()]).1;
    assert!(!report.to_string().contains("GAME_MISSING"), "{report}");
}

/// Checks that a list of tables which comes after play is named, and what --strict makes of it.
#[test]
fn an_announcement_after_play_is_named() {
    let event = played("times-announced", None);
    let id = event.audit(&[]).1["games"][0]["game_id"].as_str().unwrap().to_owned();
    let event = Event::new("times-announced", 1);
    event.whole(0);
    event.watch(0);
    let list = event.place.join("list");
    fs::write(&list, format!("{id} table 1\n")).unwrap();
    assert_eq!(event.publish(60, &["--announce", list.to_str().unwrap()]).exit, Exit::Clean);
    let (faults, report) = event.audit(&[]);
    assert_eq!((faults, report["announced_late"][0]["game_id"].as_str()), (set(&[]), Some(&*id)));
    assert!(report["not_proven"].to_string().contains("announced before play"), "{report}");
}
