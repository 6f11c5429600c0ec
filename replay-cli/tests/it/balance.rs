//! The balance of hands in `stats`, compared with a second count.

use crate::common::{command, directory};
use canasta_replay::Exit;
use serde_json::Value;
use std::fs;

/// Runs a command and parses each line of its result.
fn json(args: &[&str]) -> Vec<Value> {
    let ran = command(args, b"");
    let text = String::from_utf8(ran.out).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// Counts wild cards by seat a second time, and holds the figures of the balance against the counts: a seat is expected
/// to get a quarter of the cards dealt, a side a half.
#[test]
fn hands_are_counted_by_seat_and_side() {
    let place = directory("balance");
    let path = place.to_str().expect("text");
    command(&["simulate", "--seed", "7", "--games", "12", "--out", path], b"");
    let balance = json(&["stats", path, "--format", "json"]).remove(0)["rulesets"][0]["balance"].take();
    let (mut deals, mut seats) = (0, [0u64; 4]);
    let logs = fs::read_dir(&place).expect("a folder").map(|entry| entry.expect("a log").path());
    let lines = logs.flat_map(|log| json(&["export", log.to_str().expect("text")]));
    let events = lines.flat_map(|line| line["events"].as_array().cloned().unwrap_or_default());
    for dealt in events.filter(|event| event["type"] == "dealt") {
        deals += 1;
        for (seat, hand) in list(&dealt["hands"]).iter().enumerate() {
            let is_wild =
                |card: &&Value| card.as_str().is_some_and(|card| card == "X" || card.starts_with('2'));
            seats[seat] += list(hand).iter().filter(is_wild).count() as u64;
        }
    }
    let all: u64 = seats.iter().sum();
    let groups = list(&balance["groups"]);
    assert_eq!(balance["figures"], groups.len());
    let names = [("North", seats[0], 4), ("West", seats[3], 4), ("North-South", seats[0] + seats[2], 2)];
    for (name, cards, parts) in names {
        let is_it = |group: &&Value| group["name"] == name && group["sort"] == "wild_cards";
        let found = groups.iter().find(is_it).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((found["cards"].as_u64(), found["deals"].as_u64()), (Some(cards), Some(deals)), "{name}");
        let expected = found["expected"].as_f64().expect("a number");
        assert!((expected - all as f64 / f64::from(parts)).abs() < 1e-6, "{name}");
    }
    // East-West mirrors North-South, and every player sat at one seat only.
    let mirrors = |group: &Value| {
        group["name"] == "East-West" || ["players", "table"].map(Value::from).contains(&group["kind"])
    };
    assert!(!groups.iter().any(mirrors));
    let shares: Vec<f64> = groups.iter().filter_map(|group| group["share"].as_f64()).collect();
    assert!(shares.is_sorted() && shares.iter().all(|share| (0.0..=1.0).contains(share)));
}

/// Counts the scores of North-South beyond those of East-West a second time, from the exported sheets: luck is judged if it
/// is asked for, scores never are.
#[test]
fn luck_is_judged_and_scores_are_only_shown() {
    let place = directory("balance-luck");
    let path = place.to_str().expect("text");
    command(&["simulate", "--seed", "8", "--games", "8", "--out", path], b"");
    let of = |rest: &[&str]| {
        let stats = json(&[&["stats", path, "--format", "json"], rest].concat()).remove(0);
        stats["rulesets"][0]["balance"].clone()
    };
    let (plain, luck) = (of(&[]), of(&["--luck"]));
    let has_luck = |balance: &Value| list(&balance["groups"]).iter().any(|group| group["sort"] == "luck");
    assert!(!has_luck(&plain) && has_luck(&luck));
    assert_eq!(plain["scores"], luck["scores"]);
    let names: Vec<&Value> = list(&luck["groups"])
        .iter()
        .filter(|group| group["sort"] == "luck")
        .map(|group| &group["name"])
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    let side = list(&luck["scores"]).iter().find(|group| group["name"] == "North-South").expect("a side");
    assert!(side["look"].is_null() && side["expected"] == 0.0, "{side}");
    // Each round counts in steps of 25 points, a deal at most 2,500.
    let logs = fs::read_dir(&place).expect("a folder").map(|entry| entry.expect("a log").path());
    let lines = logs.flat_map(|log| json(&["export", log.to_str().expect("text")]));
    let ends: Vec<Value> = lines.filter(|line| line["kind"] == "round_end").collect();
    let total =
        |unit: &Value| list(&unit["lines"]).iter().filter_map(|line| line["points"].as_i64()).sum::<i64>();
    let lead = |end: &Value| {
        let scores = list(&end["sides"]);
        let lead = total(&scores[0]) - total(&scores[1]);
        ((lead + 12).div_euclid(25) * 25).clamp(-2500, 2500)
    };
    assert!(!ends.is_empty());
    assert_eq!(side["points"].as_i64(), Some(ends.iter().map(lead).sum()));
}

/// Judges games of one deal each: twenty are enough, nineteen are not.
#[test]
fn groups_of_fewer_than_20_deals_are_not_judged() {
    let place = directory("balance-few");
    let path = |name: &str| place.join(name).to_str().expect("text").to_owned();
    fs::write(path("one.toml"), "base = \"classic-4p\"\n[knobs]\nrounds = 1\ntarget = 0\n").expect("a file");
    let (rules, games) = (path("one.toml"), path("games"));
    let simulated = ["simulate", "--bots", "random", "--ruleset", &rules, "--games", "20", "--out", &games];
    assert_eq!(command(&simulated, b"").exit, Exit::Clean);
    let of = |games: &str| json(&["stats", games, "--format", "json"])[0]["rulesets"][0]["balance"].clone();
    let twenty = of(&games);
    assert!(list(&twenty["groups"]).len() > 20, "{twenty}");
    for figures in ["groups", "scores"] {
        assert!(list(&twenty[figures]).iter().all(|group| group["deals"] == 20), "{twenty}");
    }
    fs::remove_file(place.join("games/game-000007.clog")).expect("a log");
    let nineteen = of(&games);
    assert_eq!((&nineteen["groups"], &nineteen["scores"]), (&Value::Array(vec![]), &Value::Array(vec![])));
}
