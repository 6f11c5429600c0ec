//! The JSON of every command: one document whose format is named and described.

use crate::common::{command, directory};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Runs a command and parses its document, whatever the exit code.
fn json(args: &[&str]) -> Value {
    let ran = command(&[args, &["--format", "json"]].concat(), b"");
    serde_json::from_slice(&ran.out).unwrap_or_else(|error| panic!("{args:?}: {error}: {}", ran.err))
}

fn docs() -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let pages =
        ["formats/JSON.md", "judge/CLI.md", "judge/STATS.md", "play/HOUSE_RULES.md", "audit.schema.json"];
    pages.map(|page| fs::read_to_string(docs.join(page)).expect(page)).concat()
}

/// Collects all keys of an object and of the values in it.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            found.insert(key.clone());
            // Facts go by the names that the page of their code lists, requests by those of the interface, and
            // answers by the keys of their questions.
            if !["facts", "request", "answers"].contains(&key.as_str()) {
                keys(value, found);
            }
        }),
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn every_document_names_its_shape_and_its_fields_are_described() {
    let place = directory("json");
    let path = |name: &str| place.join(name).to_str().expect("text").to_owned();
    let (games, key, archive) = (path("games"), path("a.key"), path("a.carc"));
    let simulated = json(&["simulate", "--games", "1", "--seed", "3", "--out", &games]);
    let log = format!("{games}/game-000000.clog");
    command(&["keygen", "referee.example", "-o", &key], b"");
    command(&["pack", &games, "-o", &archive], b"");
    let position =
        "classic-4p; score 1620 980; to move N; hand N 7h X Kd 4c 4d; melds NS 7s7c7d; pile 5h 2c Js 7d";
    let documents = [
        ("canasta-simulation/1", simulated),
        ("canasta-sign/1", json(&["sign", &log, "--key", &key])),
        ("canasta-archive/2", json(&["unpack", &archive, "--list"])),
        ("canasta-audit/1", json(&["audit", &log])),
        ("canasta-show/1", json(&["show", &log, "--at", "40"])),
        ("canasta-show/1", json(&["show", &log, "--at", "40", "--judge"])),
        ("canasta-stats/1", json(&["stats", &log])),
        ("canasta-explain/1", json(&["explain", "PILE_EMPTY"])),
        ("canasta-explain/1", json(&["explain", "CL-050"])),
        ("canasta-explain/1", json(&["explain", "IR-021"])),
        ("canasta-rule/1", json(&["rule", position, "--what", "take 7h X"])),
        ("canasta-rule/1", json(&["rule", "--what", "partner said go out, then he could not"])),
        ("canasta-rule/1", json(&["rule", "--what", "zzz"])),
        ("canasta-search/1", json(&["rules", "search", "exposed", "card"])),
        ("canasta-penalties/1", json(&["rules", "penalties"])),
        ("canasta-explain-record/1", json(&["explain", &log, "--at", "40"])),
        ("canasta-what-if/1", json(&["what-if", &log, "--at", "40", "--action", "draw"])),
        ("canasta-check/1", json(&["check", position, "--action", "take 7h X"])),
        ("canasta-deal-proof/1", json(&["verify-deal", &log])),
        ("canasta-diff/1", json(&["diff", &log, &log])),
        ("canasta-rules/1", json(&["rules", "list"])),
        ("canasta-arena/1", json(&["arena", "level:2", "random", "--deals", "1"])),
    ];
    let docs = docs();
    for (format, document) in &documents {
        assert_eq!(document["format"], *format);
        assert!(docs.contains(&format!("`{format}`")), "{format}");
        // Fields of what is counted or set by name have their names elsewhere.
        let mut names = BTreeSet::new();
        match *format {
            "canasta-stats/1" => continue,
            "canasta-rules/1" => names.insert("format".to_owned()),
            _ => {
                keys(document, &mut names);
                true
            }
        };
        for name in names {
            let told = docs.contains(&format!("`{name}`")) || docs.contains(&format!("\"{name}\""));
            assert!(told, "{format}: {name}");
        }
    }
}

/// Checks that a seat sees only what it may see: its own hand, and the sizes of all other hands.
#[test]
fn a_seat_is_shown_its_own_cards_only() {
    let place = directory("json-show");
    let games = place.to_str().expect("text");
    command(&["simulate", "--games", "1", "--seed", "3", "--out", games], b"");
    let log = format!("{games}/game-000000.clog");
    let show = |more: &[&str]| json(&[&["show", log.as_str(), "--at", "40"], more].concat());
    let judge = show(&["--judge"]);
    let cards = |of: &Value| of["cards"].as_array().map(Vec::len);
    let melded: usize = judge["table"]["melds"].as_array().expect("melds").iter().filter_map(&cards).sum();
    let seats = judge["table"]["seats"].as_array().expect("seats").clone();
    let hands: usize = seats.iter().filter_map(|seat| cards(&seat["hand"])).sum();
    let laid: usize = seats.iter().filter_map(|seat| seat["laid"].as_array().map(Vec::len)).sum();
    let [stock, pile] = ["stock", "pile"].map(|zone| cards(&judge["table"][zone]).expect("a judge sees it"));
    assert_eq!(stock + pile + hands + laid + melded, 108, "CL-001: every card lies somewhere");
    for own in 0..4 {
        let table = &show(&["--seat", &own.to_string()])["table"];
        for (seat, of) in seats.iter().enumerate() {
            let hand = &table["seats"][seat]["hand"];
            assert_eq!(hand["size"], of["hand"]["size"]);
            assert_eq!(hand["cards"].is_array(), seat == own, "seat {seat} for {own}");
        }
        assert!(table["stock"]["cards"].is_null() && table["pile"]["cards"].is_null());
        assert_eq!(table["seats"][own]["hand"], seats[own]["hand"]);
    }
    assert!(show(&[])["position"].is_null() && judge["position"].is_string());
}
