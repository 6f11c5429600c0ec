//! explain --at, what-if and check: judgements with their numbers, on logs and on positions known in part. Expected
//! numbers are counted by hand from the rulebook; the rule stands beside them.

use crate::common::{Extras, command, directory, play, short};
use canasta_engine::log::{Reader, Record};
use canasta_replay::Exit;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

fn text(args: &[&str]) -> (String, Exit) {
    let ran = command(args, b"");
    (String::from_utf8(ran.out).expect("text") + &ran.err, ran.exit)
}

fn json(args: &[&str]) -> Value {
    let ran = command(&[args, &["--format", "json"]].concat(), b"");
    serde_json::from_slice(&ran.out).unwrap_or_else(|error| panic!("{args:?}: {error} {}", ran.err))
}

fn check(position: &str, action: &str) -> Value {
    json(&["check", position, "--action", action])
}

/// Judges a take of a pile that a wild card freezes (CL-050): two naturals from the hand are needed (CL-052), and
/// neither a joker nor the sevens on the table stand for one.
#[test]
fn a_frozen_pile_needs_two_naturals_of_the_hand() {
    let position = "classic-4p; score 1620 980; to move N; hand N 7h X Kd 4c 4d; melds NS 7s7c7d; pile 5h 2c Js 7d frozen";
    let (said, exit) = text(&["check", position, "--action", "take 7h X"]);
    assert_eq!(exit, Exit::Findings);
    assert!(said.starts_with("NOT LEGAL\n"), "{said}");
    for part in ["PILE_FROZEN_NEEDS_PAIR", "CL-050", "2 naturals of rank 7", "1 offered", "\n  draw\n"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let value = check(position, "take 7h X");
    assert_eq!(value["answer"], "no");
    assert_eq!(value["violations"][0]["code"], "PILE_FROZEN_NEEDS_PAIR");
}

/// Judges an initial meld: with 1,620 points the minimum is 90 (CL-058). Three aces (20 each) and three fives (5
/// each) are 75.
#[test]
fn a_meld_below_the_minimum_is_told_its_numbers() {
    let position = "classic-4p; score 1620 0; drew; hand N As Ah Ad 5s 5h 5d 2h Kd 9c; pile 4c";
    let (said, _) = text(&["check", position, "--action", "meld As Ah Ad / 5s 5h 5d"]);
    for part in
        ["minimum 90, laid 75: short by 15", "lay 15 more points, for example 2h", "INITIAL_BELOW_MINIMUM"]
    {
        assert!(said.contains(part), "{part} in {said}");
    }
    // With the two (20) it is 95: 5 more than needed.
    let (said, exit) = text(&["check", position, "--action", "meld As Ah Ad 2h / 5s 5h 5d"]);
    assert_eq!(exit, Exit::Clean);
    assert!(
        said.starts_with("LEGAL\n") && said.contains("minimum 90, laid 95: 5 more than needed"),
        "{said}"
    );
}

/// Judges positions in which unknown cards decide nothing, everything, or a question that is then named.
#[test]
fn what_is_not_known_is_yes_no_or_what_it_depends_on() {
    let frozen = "classic-4p; to move N; melds NS QsQhQd; pile 5h 2c Js 7d";
    let with = |hand: &str| format!("{frozen}; hand N {hand}");
    // The pair is there: whatever the others are.
    let value = check(&with("7h 7s ?? ?? Kd"), "take 7h 7s");
    assert_eq!((&value["answer"], &value["all"]), (&"yes".into(), &true.into()), "{value}");
    // A joker never stands for the second seven.
    let value = check(&with("7h X ?? ?? Kd"), "take 7h X");
    assert_eq!((&value["answer"], &value["all"]), (&"no".into(), &true.into()), "{value}");
    assert_eq!(value["violations"][0]["code"], "PILE_FROZEN_NEEDS_PAIR");
    // The second seven may be among the unknown cards.
    let value = check(&with("7h ?? ?? Kd"), "take 7h 7s");
    assert_eq!(
        (&value["answer"], &value["needs"]),
        (&"depends".into(), &serde_json::json!(["7s"])),
        "{value}"
    );
    assert_eq!(value["violations"][0]["code"], "TURN_CARD_NOT_IN_HAND");
}

/// Judges a take with a natural and a wild, which is legal unless a wild card lies in the pile (CL-047, CL-050).
#[test]
fn unknown_cards_of_the_pile_may_freeze_it() {
    let position = "classic-4p; to move N; melds NS QsQhQd; hand N 7h X Kd 4c 4d; pile ?? ?? 7d";
    let value = check(position, "take 7h X");
    assert_eq!(value["answer"], "depends", "{value}");
    let depends = value["depends_on"].as_str().expect("one thing");
    assert!(depends.contains("not legal if and only if the pile holds wild cards"), "{depends}");
    assert_eq!(value["violations"][0]["code"], "PILE_FROZEN_NEEDS_PAIR");
}

/// Takes a pile with nine unknown cards, of which any wild one freezes it: far more than can be counted.
#[test]
fn of_very_many_hands_the_same_sample_is_judged() {
    let position =
        format!("classic-4p; to move N; melds NS QsQhQd; hand N 7h X Kd 4c 4d; pile{} 7d", " ??".repeat(9));
    let value = check(&position, "take 7h X");
    assert_eq!(value, check(&position, "take 7h X"), "the same every time");
    assert_eq!((&value["answer"], &value["all"]), (&"depends".into(), &false.into()), "{value}");
    let share = |name: &str| value["share"][name].as_f64().expect("a number");
    // Of 4,000 some are no piles that play leads to. Wilson's bounds are the p with |p - k/n| = 1.96 sqrt(p(1 - p)/n).
    let n = value["tried"].as_f64().expect("a number");
    assert!(n > 2_000.0 && n <= 4_000.0, "{value}");
    let part = (share("part") * n).round() / n;
    assert!((part - share("part")).abs() <= 0.00005, "{value}");
    for bound in ["low", "high"].map(share) {
        let apart = (part - bound).abs() - 1.96 * (bound * (1.0 - bound) / n).sqrt();
        assert!(apart.abs() < 0.0001, "{bound}: {value}");
    }
    assert!(share("low") < part && part < share("high"), "{value}");
    // A hand of which nothing is known: all 4,000 are hands.
    let hand =
        format!("classic-4p; to move N; melds NS QsQhQd; hand N{}; pile 5h 2c Js 7d", " ??".repeat(11));
    assert_eq!(check(&hand, "take 7h 7s")["tried"], 4_000);
    let (said, _) = text(&["check", &hand, "--action", "take 7h 7s"]);
    assert!(said.contains("estimated from 4,000 of them, the same every time; 95 % interval "), "{said}");
}

/// Checks that bad input is named and changes nothing.
#[test]
fn what_cannot_be_read_is_named() {
    for (position, action, what) in [
        ("classic-5p; hand N 7h", "draw", "byte 0"),
        ("classic-4p; hand N 7h", "discard 1z", "--action"),
        ("classic-4p; hand Q ??", "draw", "Q"),
        ("classic-4p; melds NS ??", "draw", "expected a card such as Ks or Th, or X for a joker, found ??"),
        (
            "classic-4p; hand N 7h; pile 5h?7d",
            "draw",
            "expected a card such as Ks or Th, or X for a joker, found ?7d",
        ),
    ] {
        let (said, exit) = text(&["check", position, "--action", action]);
        assert_eq!(exit, Exit::Failure, "{position}");
        assert!(said.contains(what), "{what} in {said}");
    }
}

/// Returns a game with refusals, and the numbers of its refused and accepted records.
fn game(name: &str) -> (PathBuf, Vec<u64>, Vec<u64>) {
    let log = play(&short("classic-4p", 1_500), 4, Extras::All);
    let path = directory(name).join("game.clog");
    fs::write(&path, &log).unwrap();
    let (mut reader, mut input, mut refused, mut acted) = (Reader::new(), &log[..], Vec::new(), Vec::new());
    while let Some(frame) = reader.next(&mut input).expect("an intact log") {
        match frame.record().expect("a record") {
            Record::Refusal(_) => refused.push(frame.n),
            Record::Action(_) => acted.push(frame.n),
            _ => {}
        }
    }
    (path, refused, acted)
}

/// Checks that every refusal of a log is explained with the codes that the log has, and that every step that is
/// called possible is legal.
#[test]
fn refusals_are_explained_and_what_is_possible_is_legal() {
    let (path, refused, acted) = game("verdicts-explain");
    let path = path.to_str().expect("text");
    assert!(refused.len() > 3);
    for n in &refused {
        let value = json(&["explain", path, "--at", &n.to_string()]);
        assert_eq!(value["verdict"], "refused", "{value}");
        let (shown, _) = text(&["show", path, "--at", &n.to_string(), "--judge"]);
        for violation in value["violations"].as_array().expect("violations") {
            let code = violation["code"].as_str().expect("a code");
            assert!(shown.contains(code), "{code} in {shown}");
        }
    }
    for n in acted.iter().skip(5).step_by(acted.len() / 6) {
        let value = json(&["explain", path, "--at", &n.to_string()]);
        assert_eq!(value["verdict"], "allowed", "{value}");
        assert_eq!(value["violations"], serde_json::json!([]));
        if value["action"] == "deal" {
            continue;
        }
        let possible = value["possible"]["actions"].as_array().expect("actions");
        assert!(!possible.is_empty(), "{value}");
        for action in possible.iter().take(6).filter_map(Value::as_str) {
            let (said, exit) = text(&["what-if", path, "--at", &n.to_string(), "--action", action]);
            assert_eq!(exit, Exit::Clean, "{action} at {n}: {said}");
            assert!(said.contains("\nLEGAL\n"), "{said}");
        }
    }
}

/// Checks that bots finish the round the same way every time, and that the log is not changed.
#[test]
fn bots_play_on_beside_the_log() {
    let (path, _, acted) = game("verdicts-play");
    let before = fs::read(&path).unwrap();
    let args = [
        "what-if",
        path.to_str().expect("text"),
        "--at",
        &acted[1].to_string(),
        "--action",
        "draw",
        "--play",
    ];
    let value = json(&args);
    let played = value["played"].as_array().expect("actions").len();
    assert!(
        value["legal"] == true && played > 10 && value["scores"].as_array().is_some_and(|s| s.len() == 2),
        "{value}"
    );
    assert_eq!(json(&args), value);
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// Checks that a fork is a whole game that audits clean, names its origin, has the same beginning and no player's
/// key, and is not overwritten.
#[test]
fn a_fork_is_marked_and_clean() {
    let (path, _, acted) = game("verdicts-fork");
    let fork = path.with_file_name("fork.clog");
    let (log, out) = (path.to_str().expect("text"), fork.to_str().expect("text"));
    let at = acted[7].to_string();
    let possible = json(&["explain", log, "--at", &at])["possible"]["actions"][0].clone();
    let args =
        ["what-if", log, "--at", &at, "--action", possible.as_str().expect("an action"), "--play", "-o", out];
    let (said, exit) = text(&args);
    assert_eq!(exit, Exit::Clean, "{said}");
    let audit = json(&["audit", out]);
    assert_eq!(audit["logs"][0]["verdict"], "CLEAN", "{audit}");
    let lines = |path: &str| -> Vec<Value> {
        let ran = command(&["export", path], b"");
        let text = String::from_utf8(ran.out).expect("text");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let (game, forked) = (lines(log), lines(out));
    assert_eq!(forked[0]["fork_of"]["n"], acted[7] - 1);
    assert_eq!(forked[0]["fork_of"]["game_id"], game[0]["game_id"]);
    assert!(forked[0]["seats"].as_array().expect("seats").iter().all(|seat| seat["key"].is_null()));
    let actions = |lines: &[Value]| -> Vec<Value> {
        lines.iter().filter(|line| line["kind"] == "action").map(|line| line["action"].clone()).collect()
    };
    assert_eq!(actions(&forked)[..7], actions(&game)[..7]);
    let (said, exit) = text(&args);
    assert!(exit == Exit::Failure && said.contains("exists already"), "{said}");
}

/// Records without an action, and positions that are unknown, have an error that says so.
#[test]
fn what_has_no_position_is_said() {
    let (path, _, acted) = game("verdicts-none");
    let text_of = |at: u64| text(&["explain", path.to_str().expect("text"), "--at", &at.to_string()]);
    let (said, exit) = text_of(0);
    assert!(exit == Exit::Failure && said.contains("neither an action nor a refusal"), "{said}");
    let (said, exit) = text_of(1_000_000);
    assert!(exit == Exit::Failure && said.contains("expected 0 to"), "{said}");
    let log = fs::read(&path).unwrap();
    let cut = crate::common::frames(&log)[acted[8] as usize];
    fs::write(&path, &log[..cut]).unwrap();
    // The round is not revealed any longer: its records are explained as far as their cards are known.
    let (said, exit) = text_of(acted[4]);
    assert!(exit == Exit::Clean && said.contains("as far as the cards are known"), "{said}");
    let ran =
        command(&["explain", "-", "--at", &acted[4].to_string()], &log[..crate::common::frames(&log)[1]]);
    assert!(ran.exit == Exit::Failure && ran.err.contains("expected 0 to 0"), "{}", ran.err);
}

/// Checks that `explain`, `what-if` and `judge` read a log to its end although a record stops its audit: before, they read
/// up to the next 16 KiB and called the log torn there. The records behind the game end are those of the log again.
#[test]
fn a_record_that_stops_the_audit_does_not_cut_the_log() {
    let log = play(&short("classic-4p", 1_500), 4, Extras::All);
    let (mut reader, mut input, mut payloads) = (Reader::new(), &log[..], Vec::new());
    while let Some(frame) = reader.next(&mut input).expect("an intact log") {
        payloads.push(frame.payload.to_vec());
    }
    let (mut chain, mut long) = (reader.chain(), log.clone());
    while long.len() < 3 * 16_384 {
        payloads[1..].iter().for_each(|payload| chain.append(payload, &mut long));
    }
    let path = directory("verdicts-stopped").join("game.clog");
    fs::write(&path, &long).unwrap();
    let path = path.to_str().expect("text");
    let (explained, exit) = text(&["explain", path, "--at", "2"]);
    let last = chain.next - 1;
    let first = format!("record 2 of {},{:03} ", last / 1_000, last % 1_000);
    assert!(explained.starts_with(&first), "{explained}");
    assert_eq!((exit, explained.contains("torn")), (Exit::Clean, false), "{explained}");
    let tried = text(&["what-if", path, "--at", "3", "--action", "pass"]).0;
    assert!(!tried.contains("torn"), "{tried}");
    let judged = command(&["judge", path], br#"{"seq":2,"seat":0,"action":{"type":"draw_stock"}}"#);
    assert_eq!((judged.exit, &*judged.err), (Exit::Clean, ""));
}
