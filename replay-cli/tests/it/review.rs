//! `review`: its sums, its bytes, and logs that tell too little.

use crate::common::{command, directory, frames};
use canasta_replay::Exit;
use serde_json::Value;
use std::fs;

/// Plays a game by bots of level 2 for one test, and returns the path of its log.
fn game(test: &str, preset: &str) -> String {
    let place = directory(&format!("review-{test}"));
    let out = place.to_str().expect("text");
    command(&["simulate", "--ruleset", preset, "--seed", "9", "--out", out], b"");
    format!("{out}/game-000000.clog")
}

fn text(args: &[&str], exit: Exit) -> String {
    let ran = command(args, b"");
    assert_eq!(ran.exit, exit, "{}", ran.err);
    String::from_utf8(ran.out).expect("text")
}

/// Reviews a round twice. The bytes do not hang on the number of threads; every decision is the recorded action of its seat; a slip
/// is at least three errors; and the sums of the players are those of the decisions.
#[test]
fn a_review_adds_up_and_is_the_same_again() {
    let log = game("sums", "hoyle-2p");
    let json = |threads| {
        text(&["review", &log, "--round", "2", "--threads", threads, "--format", "json"], Exit::Clean)
    };
    let one = json("1");
    assert_eq!(one, json("3"));
    let review: Value = serde_json::from_str(&one).expect("JSON");
    let exported = text(&["export", &log], Exit::Clean);
    let records: Vec<Value> =
        exported.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let number = |value: &Value| value.as_i64().unwrap_or_default();
    let decisions = review["decisions"].as_array().expect("a list");
    assert!(decisions.len() > 20, "{decisions:?}");
    let (mut lost, mut slips) = ([0; 2], [0; 2]);
    for decision in decisions {
        let record = &records[number(&decision["record"]) as usize];
        assert_eq!((&record["kind"], &record["seat"]), (&Value::from("action"), &decision["seat"]));
        assert_eq!((record["round"].as_i64(), decision["round"].as_i64()), (Some(2), Some(2)));
        let (points, error) = (number(&decision["lost"]), number(&decision["error"]));
        let is_slip = decision["slip"].is_string();
        assert!(!is_slip || points > 0 && points >= 3 * error, "{decision}");
        assert!(decision["best"] != decision["played"] || decision.get("lost").is_none(), "{decision}");
        // What is lost twice in a turn counts once, and is no slip the second time.
        if is_slip || points < 3 * error || points <= 0 {
            lost[number(&decision["seat"]) as usize] += points;
        }
        slips[number(&decision["seat"]) as usize] += i64::from(is_slip);
    }
    for (player, (lost, slips)) in
        review["players"].as_array().expect("a list").iter().zip(lost.iter().zip(slips))
    {
        let named: i64 = ["inaccuracy", "mistake", "blunder"].map(|slip| number(&player[slip])).iter().sum();
        assert_eq!((number(&player["lost"]), named), (*lost, slips), "{player}");
    }
    let round = &review["rounds"][0];
    assert_eq!(number(&round["ahead"][0]), -number(&round["ahead"][1]), "{round}");
    assert_eq!(number(&round["luck"][0]), -number(&round["luck"][1]), "{round}");
    assert_eq!(review["rounds"].as_array().map(Vec::len), Some(1));
}

/// Checks that a seat that seldom plays as the bot loses more than one that does: random players against bots.
#[test]
fn whoever_plays_at_random_loses_more() {
    let place = directory("review-random");
    let out = place.to_str().expect("text");
    command(&["simulate", "--ruleset", "hoyle-2p", "--bots", "random", "--seed", "9", "--out", out], b"");
    let log = format!("{out}/game-000000.clog");
    let lost = |log: &str| -> i64 {
        let json = text(&["review", log, "--round", "1", "--format", "json"], Exit::Clean);
        let review: Value = serde_json::from_str(&json).expect("JSON");
        let players = review["players"].as_array().expect("a list");
        players.iter().filter_map(|player| player["lost"].as_i64()).sum()
    };
    let (random, bots) = (lost(&log), lost(&game("bots", "hoyle-2p")));
    assert!(random > 5 * bots.max(100), "{random} {bots}");
}

/// Checks that a round that nobody has revealed is not reviewed, that a round which there is not is named, and that both
/// languages say the same decisions.
#[test]
fn what_cannot_be_reviewed_is_said() {
    let log = game("said", "classic-2p");
    let bytes = fs::read(&log).expect("a log");
    let cut = directory("review-cut").join("cut.clog");
    fs::write(&cut, &bytes[..frames(&bytes)[20]]).expect("a file");
    let ran = command(&["review", cut.to_str().expect("text")], b"");
    assert_eq!(ran.exit, Exit::Findings, "{}", ran.err);
    assert!(ran.err.contains("no round is revealed"), "{}", ran.err);
    let ran = command(&["review", &log, "--round", "99"], b"");
    assert!(ran.err.contains("round 99: expected 1 to"), "{}", ran.err);
    let spoken =
        |language: &str| text(&["--lang", language, "review", &log, "--round", "1", "--all"], Exit::Clean);
    let (english, german) = (spoken("en"), spoken("de"));
    assert!(
        german.starts_with("Rückschau · classic-2p · Stufe 4") && german.contains("\nRunde 1\n"),
        "{german}"
    );
    assert_eq!(english.lines().count(), german.lines().count());
    for word in ["points", "lost", "instead", "level"] {
        assert!(!german.contains(word), "{word}: {german}");
    }
}
