//! Transcripts as docs/TRANSCRIPT.md has them: written, judged, shown, exported, packed.

mod common;

use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::Verdict;
use canasta_replay::Exit;
use common::{Ran, command, directory, logs};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../../docs/TRANSCRIPT.md");

/// The first block of the page in this language.
fn block(language: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```{language}\n")).expect("a block");
    rest.split_once("```").expect("the end of a block").0
}

fn import(text: &str, log: &Path) -> Ran {
    command(&["import", "-", "--transcript", "-o", log.to_str().expect("text"), "--force"], text.as_bytes())
}

fn text(ran: &Ran) -> String {
    String::from_utf8(ran.out.clone()).expect("text")
}

#[test]
fn the_example_of_the_page_holds() {
    let place = directory("transcript-page");
    let log = place.join("table.clog");
    let ran = import(block("jsonl"), &log);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Clean, ""));
    let path = log.to_str().expect("text");
    let ran = command(&["audit", path, "--live"], &[]);
    let (_, report) = block("console").split_once('\n').expect("a command and its report");
    assert_eq!(text(&ran).replace(path, "table.clog"), report);
    assert_eq!(ran.exit, Exit::Clean);
    let ran = command(&["audit", path], &[]);
    assert!(text(&ran).contains("INCOMPLETE"), "{}", text(&ran));
}

#[test]
fn what_cannot_be_is_named_with_its_line() {
    let place = directory("transcript-faults");
    let log = place.join("table.clog");
    let page = block("jsonl");
    for (old, new, expected) in [
        (
            "\"cards\":[\"6h\"]",
            "\"cards\":[\"6h\",\"6d\"]",
            "line 4: draw_stock: 2 received cards are named, the action brought 1",
        ),
        (
            "\"upcards\":[\"9d\"]",
            "\"upcards\":[\"2d\"]",
            "line 3: deal: the pile starts with the first card that needs no cover, and 2d does not fit",
        ),
        (
            ",\"upcards\":[\"9d\"]",
            "",
            "line 3: deal: the deal must say with which card the pile begins (upcards)",
        ),
        (
            "\"card\":\"4d\"",
            "\"card\":\"As\"",
            "line 6: discard: As is not in the hand as often as named (0 held)",
        ),
        ("\"dealer\":3", "\"dealer\":7", "line 1: SETUP_DEALER"),
        (
            "\"seat\":1,\"action\":{\"type\":\"draw_stock\"}",
            "\"seat\":2,\"action\":{\"type\":\"draw_stock\"}",
            "line 7: draw_stock: seat 1 is to act",
        ),
        ("\"classic-4p\"", "\"classic-9p\"", "line 1: ruleset: unknown preset \"classic-9p\""),
        ("\"mode\":\"transcribed\"", "\"mode\":\"seeded\"", "line 1: deal: expected the mode transcribed"),
        (
            "\"seat\":1,\"action\":{\"type\":\"discard\",\"card\":\"8c\"}",
            "\"seat\":1,\"action\":{\"type\":\"discard\",\"card\":\"8c\"},\"state\":\"0000000000000000\"",
            "line 8: state: this is not the digest",
        ),
    ] {
        let changed = page.replacen(old, new, 1);
        assert_ne!(changed, page, "{old}");
        let ran = import(&changed, &log);
        assert_eq!(ran.exit, Exit::Findings, "{expected}");
        assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
        assert!(!log.exists());
    }
}

/// A played game as somebody at the table could have written it down; of South's cards nothing is known.
fn written_down(exported: &str) -> String {
    let mut lines = Vec::new();
    for line in exported.lines() {
        let line: Value = serde_json::from_str(line).expect("a line");
        let events = line["events"].as_array().cloned().unwrap_or_default();
        let of = |kind: &str, key: &str| -> Vec<Value> {
            let found = events.iter().filter(|event| event["type"] == kind);
            found.map(|event| event[key].clone()).collect()
        };
        lines.push(match line["kind"].as_str().expect("a kind") {
            "game" => json!({"kind": "game", "ruleset": line["ruleset"], "seats": line["seats"],
                "game_id": line["game_id"], "deal": {"mode": "transcribed"}}),
            "register" => json!({"kind": "register", "dealer": line["dealer"]}),
            "action" if line["action"]["type"] == "deal" => {
                let mut hands = of("dealt", "hands")[0].clone();
                // Red threes lie on the table.
                for card in hands[2].as_array_mut().expect("a hand") {
                    if *card != "3h" && *card != "3d" {
                        *card = json!("??");
                    }
                }
                json!({"kind": "action", "action": {"type": "deal", "hands": hands, "upcards": of("upcard", "card")},
                    "cards": of("replaced", "card")})
            }
            "action" => {
                let mut kept = json!({"kind": "action", "seat": line["seat"], "action": line["action"], "state": line["state"]});
                let drew = of("drew", "cards").into_iter().flat_map(|cards| cards.as_array().cloned().expect("cards"));
                let cards: Vec<Value> = drew.chain(of("replaced", "card")).collect();
                if !cards.is_empty() {
                    kept["cards"] = json!(cards);
                }
                kept
            }
            "round_end" => json!({"kind": "round_end", "sides": line["sides"]}),
            _ => continue,
        });
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_whole_game_is_written_judged_shown_and_packed() {
    let place = directory("transcript-game");
    let [played] = &logs(&place, 1)[..] else { panic!("one log") };
    let exported = command(&["export", played.to_str().expect("text")], &[]);
    let log = place.join("table.clog");
    let ran = import(&written_down(&text(&exported)), &log);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Clean, ""));
    let bytes = fs::read(&log).expect("the log");
    let report = audit(&bytes, Expect::default());
    assert_eq!((&report.findings[..], report.verdict), (&[][..], Verdict::Conditional));
    let original = audit(&fs::read(played).expect("the log"), Expect::default());
    assert_eq!(
        (report.totals, report.result, report.rounds),
        (original.totals, original.result, original.rounds)
    );

    let path = log.to_str().expect("text");
    let json = command(&["audit", path, "--format", "json"], &[]);
    let json: Value = serde_json::from_slice(&json.out).expect("a report");
    let unknown = &json["logs"][0]["unknown"];
    assert_eq!(unknown.as_array().map(Vec::len), Some(report.rounds as usize), "{json}");
    assert!(unknown[0]["unsure"].as_u64() > Some(0));

    // Nothing that is shown names a card that nobody knows.
    let shown = text(&command(&["show", path, "--at", "2", "--judge"], &[]));
    let hands: Vec<bool> =
        shown.lines().filter(|line| line.contains("in hand")).map(|line| line.contains("??")).collect();
    assert_eq!(hands, [false, false, true, false], "{shown}");
    assert!(shown.contains("hand S 11"), "{shown}");

    let again = command(&["export", path], &[]);
    let copy = place.join("copy.clog");
    let ran = command(&["import", "-", "-o", copy.to_str().expect("text")], &again.out);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Clean, ""));
    assert_eq!(fs::read(&copy).expect("the copy"), bytes);
    assert!(!text(&again).contains("\"events\""));

    let packed = canasta_engine::archive::pack(&bytes);
    assert_eq!(canasta_engine::archive::unpack(&packed.body, bytes.len() as u64).as_ref(), Ok(&bytes));
    let proof = text(&command(&["verify-deal", path], &[]));
    assert!(proof.contains("transcribed"), "{proof}");
}
