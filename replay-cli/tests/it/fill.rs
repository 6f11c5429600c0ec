//! `import --fill`: games that other programs recorded become logs that audit clean and say the same, and the
//! first line that differs from the rules is named.

use crate::common::{Ran, command, directory};
use canasta_engine::rules::PRESETS;
use canasta_replay::Exit;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Keys that no foreign record has.
const OWN: [&str; 7] = ["engine", "state", "secret", "salt", "commitment", "sig", "beacon"];

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn fill(text: &str) -> Ran {
    command(&["import", "--fill", "-", "-o", "-"], text.as_bytes())
}

/// Fills a record, checks that the log audits clean, and returns the log as lines.
fn filled(text: &str, what: &str) -> Vec<Value> {
    let Ran { exit, out, err } = fill(text);
    assert_eq!((exit, err.as_str()), (Exit::Clean, ""), "{what}");
    let audited = command(&["audit", "-"], &out);
    assert_eq!(audited.exit, Exit::Clean, "{what}: {}", String::from_utf8_lossy(&audited.out));
    lines(&String::from_utf8(command(&["export", "-"], &out).out).expect("text"))
}

/// Returns the number of the line at which a record is refused, and the reason.
fn refused(text: &str, what: &str) -> (usize, String) {
    let Ran { exit, out, err } = fill(text);
    assert_eq!((exit, out.len()), (Exit::Findings, 0), "{what}: {err}");
    let (_, found) = err.split_once("line ").unwrap_or_else(|| panic!("{what}: {err}"));
    let (line, reason) = found.split_once(": ").expect("a reason");
    (line.parse().expect("a number"), reason.to_owned())
}

fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(folder)
}

/// Returns the cards that an action names, without a pending top.
fn named(action: &Value) -> Vec<String> {
    let groups = ["groups", "also"].iter().flat_map(|key| action[key].as_array().into_iter().flatten());
    let lists = groups.map(|group| &group["cards"]).chain([&action["with"], &action["cards"]]);
    let mut cards: Vec<String> =
        lists.flat_map(|list| list.as_array().into_iter().flatten()).map(Value::to_string).collect();
    cards.extend(action.get("card").map(Value::to_string));
    cards.sort();
    cards
}

fn top_is_pending(action: &Value) -> bool {
    action["groups"].as_array().into_iter().flatten().any(|group| group["top"] == true)
}

/// Compares the facts that no convention changes.
fn compare(theirs: &Value, ours: &Value, what: &str) {
    for key in ["kind", "round", "seat", "reason", "dealer", "wall", "start_scores", "winner", "margin"] {
        // Some programs record the seat that ended a round only if it went out.
        if theirs.get(key).is_some() || (key != "seat" && key != "dealer" && ours["kind"] != "action") {
            assert_eq!(theirs[key], ours[key], "{what}: {key}");
        }
    }
    if theirs["kind"] == "action" {
        let (theirs, ours) = (&theirs["action"], &ours["action"]);
        assert_eq!(theirs["type"], ours["type"], "{what}");
        for key in ["lifted", "foot_lifted", "about", "to", "yes", "kind", "hand"] {
            assert_eq!(theirs[key], ours[key], "{what}: {key}");
        }
        let (mut theirs_named, ours_named) = (named(theirs), named(ours));
        if top_is_pending(ours) && !top_is_pending(theirs) {
            let at = theirs_named.iter().zip(&ours_named).position(|(a, b)| a != b);
            theirs_named.remove(at.unwrap_or(ours_named.len()));
        }
        assert_eq!(theirs_named, ours_named, "{what}");
    }
    let scores = |line: &Value| {
        let of = |side: &Value| json!([side["total"], side["cumulative"], items(side)]);
        line["sides"].as_array().into_iter().flatten().map(of).collect::<Vec<_>>()
    };
    assert_eq!(scores(theirs), scores(ours), "{what}: scores");
}

fn items(side: &Value) -> Vec<String> {
    let lines = side["lines"].as_array().into_iter().flatten();
    let mut items: Vec<String> = lines.map(|line| format!("{} {}", line["item"], line["points"])).collect();
    items.sort();
    items
}

#[test]
fn games_played_elsewhere_become_logs() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(data("foreign")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 21);
    for file in files {
        let what = file.display().to_string();
        let record = fs::read_to_string(&file).unwrap();
        let theirs = lines(&record);
        // Clarification 29 refuses a wild card in the take that closes a canasta; these games are older.
        let illegal =
            [("samba-4p", 104), ("bolivia-4p", 32)].into_iter().find(|(name, _)| what.contains(name));
        if let Some((_, line)) = illegal {
            let (found, reason) = refused(&record, &what);
            assert!(
                found == line && reason.contains("MELD_CANASTA_CLOSED [SA-024]"),
                "{what}: {found}: {reason}"
            );
            continue;
        }
        let ours = filled(&record, &what);
        // The records lack the draw for the first dealer, which has three lines: a register, the draw and its end.
        let drawn = if ours[1]["round"] == 0 { 3 } else { 0 };
        assert_eq!(theirs.len() + drawn, ours.len(), "{what}");
        for (at, (theirs, ours)) in theirs[1..].iter().zip(&ours[1 + drawn..]).enumerate() {
            compare(theirs, ours, &format!("{what} line {}", at + 2));
        }
        let without_wall: Vec<Value> = theirs.iter().map(|line| without(line, &["wall"])).collect();
        if what.contains("hand-and-foot") {
            let (_, reason) = refused(&text(&without_wall), &what);
            assert!(reason.contains("feet"), "{reason}");
        } else {
            filled(&text(&without_wall), &what);
        }
    }
}

fn without(line: &Value, keys: &[&str]) -> Value {
    let mut line = line.clone();
    keys.iter().for_each(|key| drop(line.as_object_mut().expect("an object").shift_remove(*key)));
    line
}

/// Returns the line as another program might write it.
fn as_foreign(line: &Value) -> Value {
    let mut line = without(line, &OWN);
    if line["kind"] == "game" {
        line["deal"] = json!({ "mode": "explicit" });
    }
    line
}

/// Plays a game of bots, and returns it as lines; `of` names the test.
fn simulated(of: &str, preset: &str) -> Vec<Value> {
    let place = directory(&format!("fill-{of}-{preset}"));
    let ran = command(
        &["simulate", "--ruleset", preset, "--games", "1", "--seed", "3", "--out", place.to_str().unwrap()],
        b"",
    );
    assert_eq!(ran.exit, Exit::Clean, "{preset}: {}", ran.err);
    let log = fs::read(place.join("game-000000.clog")).unwrap();
    lines(&String::from_utf8(command(&["export", "-"], &log).out).unwrap())
}

#[test]
fn a_log_of_every_preset_comes_back_without_what_is_its_own() {
    for preset in PRESETS {
        let ours: Vec<Value> = simulated("presets", preset).iter().map(as_foreign).collect();
        // An explicit game states the picks that a wall gave, but not the wall of the draw.
        let plain = |line: &Value| match (line["action"]["type"].as_str(), line["reason"].as_str()) {
            (Some("draw_cards"), _) => without(line, &["action"]),
            (_, Some("drawn")) => without(line, &["wall"]),
            _ => line.clone(),
        };
        for kept in [true, false] {
            let what = format!("{preset}, wall kept: {kept}");
            let keys: &[&str] = if kept { &[] } else { &["wall"] };
            let record: Vec<Value> = ours.iter().map(|line| without(line, keys)).collect();
            if !kept && preset.starts_with("hand-and-foot") {
                assert!(refused(&text(&record), &what).1.contains("feet"));
                continue;
            }
            let back = filled(&text(&record), &what);
            assert_eq!(record.len(), back.len(), "{what}");
            for (at, (line, back)) in record.iter().zip(&back).enumerate() {
                let back = without(&as_foreign(back), keys);
                assert_eq!(plain(line), plain(&back), "{what}: line {}", at + 1);
            }
        }
    }
}

/// A change of a record: its name, the line that it changes, and the change.
type Change = (&'static str, fn(&Value) -> bool, fn(&mut Value));

fn is(line: &Value, kind: &str) -> bool {
    line["kind"] == kind
}

fn does(line: &Value, action: &str) -> bool {
    line["action"]["type"] == action
}

fn scores(line: &Value) -> bool {
    is(line, "round_end") && line["round"] != 1
}

/// Replaces a card by another card.
fn other(card: &mut Value) {
    *card = if *card == "X" { "4c".into() } else { "X".into() };
}

fn more(number: &mut Value) {
    *number = (number.as_i64().expect("a number") + 1).into();
}

/// Changes that must each be found in the line that was changed.
const CHANGES: [Change; 22] = [
    ("lines.", scores, |line| more(&mut line["sides"][0]["lines"][0]["points"])),
    ("lines.", scores, |line| line["sides"][0]["lines"][0]["item"] = "restores".into()),
    ("total", scores, |line| more(&mut line["sides"][1]["total"])),
    ("cumulative", scores, |line| more(&mut line["sides"][1]["cumulative"])),
    ("start_scores", scores, |line| more(&mut line["start_scores"][0])),
    ("reason", scores, |line| line["reason"] = "last_three".into()),
    ("dealer", scores, |line| line["dealer"] = ((line["dealer"].as_u64().unwrap() + 1) % 2).into()),
    ("wall", scores, |line| other(&mut line["wall"][7])),
    ("round", |line| is(line, "register") && line["round"] == 2, |line| more(&mut line["round"])),
    ("seq", |line| does(line, "discard"), |line| more(&mut line["seq"])),
    ("round", |line| does(line, "discard"), |line| more(&mut line["round"])),
    ("seat", |line| does(line, "discard"), |line| line["seat"] = 9.into()),
    (
        "TURN_NOT_YOURS [",
        |line| does(line, "discard"),
        |line| {
            line["seat"] = ((line["seat"].as_u64().unwrap() + 1) % 2).into();
        },
    ),
    ("TURN_CARD_NOT_IN_HAND [", |line| does(line, "discard"), |line| other(&mut line["action"]["card"])),
    ("events[0].card", |line| does(line, "discard"), |line| other(&mut line["events"][0]["card"])),
    ("events[0].cards", |line| does(line, "draw_stock"), |line| other(&mut line["events"][0]["cards"][0])),
    ("events: ", |line| does(line, "draw_stock"), |line| line["events"] = json!([])),
    (
        "events[0].colour: unknown key",
        |line| does(line, "draw_stock"),
        |line| {
            line["events"][0]["colour"] = 1.into();
        },
    ),
    ("events[0]: ", |line| does(line, "draw_stock"), |line| line["events"][0]["type"] = "dreamt".into()),
    (
        "winner",
        |line| is(line, "game_end"),
        |line| line["winner"] = (1 - line["winner"].as_u64().unwrap()).into(),
    ),
    ("margin", |line| is(line, "game_end"), |line| more(&mut line["margin"])),
    ("cumulative", |line| is(line, "game_end"), |line| more(&mut line["sides"][1]["cumulative"])),
];

#[test]
fn the_first_line_that_differs_is_named() {
    for preset in ["classic-4p", "hoyle-2p"] {
        let record: Vec<Value> = simulated("changes", preset).iter().map(as_foreign).collect();
        for (said, line_is, change) in CHANGES {
            let at =
                record.iter().rposition(line_is).unwrap_or_else(|| panic!("{preset}: no line for {said}"));
            let mut changed = record.clone();
            change(&mut changed[at]);
            let (line, reason) = refused(&text(&changed), &format!("{preset}: {said}"));
            assert_eq!(line, at + 1, "{preset}: {said}: {reason}");
            assert!(reason.contains(said), "{preset}: {said}: {reason}");
        }
        // A missing line is found at the next line, a missing last line at the end.
        for kind in ["register", "action", "game_end"] {
            let at = record.iter().rposition(|line| is(line, kind)).expect("a line");
            let mut shorter = record.clone();
            shorter.remove(at);
            assert_eq!(refused(&text(&shorter), kind).0, at + 1, "{preset}: {kind}");
        }
        // Two cards of a wall that change places are found where they are dealt.
        let end = record.iter().position(|line| is(line, "round_end") && line["round"] == 1).expect("an end");
        let dealt = record.iter().position(|line| does(line, "deal")).expect("a deal");
        let mut swapped = record.clone();
        let wall = swapped[end]["wall"].as_array_mut().expect("a wall");
        let place = wall.iter().position(|card| *card != wall[0]).expect("two cards");
        wall.swap(0, place);
        assert_eq!(refused(&text(&swapped), "wall").0, dealt + 1, "{preset}");
    }
}

#[test]
fn another_dealer_is_named_with_the_one_who_is_due() {
    let mut record: Vec<Value> = simulated("dealer", "classic-4p").iter().map(as_foreign).collect();
    let at = record.iter().rposition(|line| is(line, "register")).expect("a register");
    let due = record[at]["dealer"].as_u64().expect("a dealer");
    record[at]["dealer"] = ((due + 1) % 4).into();
    let (line, reason) = refused(&text(&record), "dealer");
    assert_eq!(line, at + 1);
    let (other, due) = ((due + 1) % 4, due);
    assert!(
        reason.starts_with(&format!("dealer: the record says {other}, the rules give {due} ")),
        "{reason}"
    );
}

#[test]
fn a_pending_top_is_no_card_of_its_group() {
    let record = fs::read_to_string(data("foreign/hoyle-2p.jsonl")).unwrap();
    let line = record.lines().position(|line| line.contains(r#""cards":["Ks","Kd","Kh"]"#)).expect("a top");
    // Clarification 21: `top`, and in `cards` those from the hand.
    let as_form = record.replacen(r#""cards":["Ks","Kd","Kh"]}]"#, r#""top":true,"cards":["Kd","Kh"]}]"#, 1);
    assert_eq!(fill(&as_form).out, fill(&record).out);
    let twice =
        record.replacen(r#""cards":["Ks","Kd","Kh"]}]"#, r#""top":true,"cards":["Ks","Kd","Kh"]}]"#, 1);
    let (found, reason) = refused(&twice, "a top named twice");
    assert_eq!(found, line + 1);
    assert!(reason.contains("without the pending top"), "{reason}");
}

/// Returns a whole record from the page for writers of records.
fn example() -> String {
    let page = fs::read_to_string(data("../../docs/formats/INTERCHANGE.md")).unwrap();
    let (_, block) = page.split_once("```json\n").expect("a record in the page");
    block.split_once("```").expect("its end").0.to_owned()
}

#[test]
fn the_record_of_the_page_is_one() {
    let Ran { exit, out, err } = fill(&example());
    assert_eq!((exit, err.as_str()), (Exit::Clean, ""));
    let audited = command(&["audit", "-", "--live"], &out);
    assert_eq!(audited.exit, Exit::Clean, "{}", String::from_utf8_lossy(&audited.out));
    assert_eq!(fill(&example()).out, out, "the same record gives the same log");
    assert_eq!(fs::read_to_string(data("../fuzz/seeds/fill/page.jsonl")).unwrap(), example());
}

#[test]
fn keys_that_nobody_knows_or_that_stand_twice_are_named() {
    let example = example();
    let cases = [
        (r#""kind":"register""#, r#""kind":"register","colour":1"#, 2, "colour: unknown key"),
        (r#""round":1,"dealer""#, r#""round":1,"round":1,"dealer""#, 2, "round: the key stands twice"),
        (r#""seats":[{"#, r#""seats":[{"seat":0,"#, 1, "seats[0].seat: the key stands twice"),
        (r#""type":"deal","#, r#""type":"deal","cut":1,"#, 3, "action.cut: unknown key"),
        (r#"["Ks","Kh","Kd"]"#, r#"["Ks","Kq","Kd"]"#, 5, r#"action.groups[0].cards[1]: "Kq" is not a card"#),
        (
            r#""seat":0,"action":{"type":"draw_stock"}"#,
            r#""seat":1e999,"action":{}"#,
            4,
            "seat: number out of range",
        ),
        (r#""seat":0,"action":{"type":"draw_stock"}"#, r#""seat":NaN,"action":{}"#, 4, "seat: expected"),
        (r#""seat":0,"action":{"type":"draw_stock"}"#, r#""seat":0.5,"action":{}"#, 4, "seat: invalid type"),
        (
            r#""seat":0,"action":{"type":"draw_stock"}"#,
            r#""seat":-1,"action":{}"#,
            4,
            "seat: -1 is out of range",
        ),
    ];
    for (from, to, at, said) in cases {
        let (line, reason) = refused(&example.replacen(from, to, 1), said);
        assert_eq!(line, at, "{reason}");
        assert!(reason.contains(said), "expected {said}, found {reason}");
    }
    // The plain import names them too.
    let log = text(&simulated("keys", "classic-4p"));
    for (to, said) in [
        (r#""type":"draw_stock","type":"pass""#, "line 4: action.type: the key stands twice"),
        (r#""type":"draw_stock","card":"Ks""#, "line 4: action.card: unknown key"),
    ] {
        let changed = log.replacen(r#""type":"draw_stock""#, to, 1);
        let Ran { exit, err, .. } = command(&["import", "-", "-o", "-"], changed.as_bytes());
        assert!(exit == Exit::Findings && err.contains(said), "{err}");
    }
}

#[test]
fn hostile_texts_are_refused_in_time() {
    let nested = format!("{}{}\n", r#"{"kind":"#, "[".repeat(100_000));
    assert!(refused(&nested, "nested").1.contains("recursion limit"));
    let long = format!(
        "{}\n{{\"kind\":\"note\",\"text\":\"{}\"}}\n",
        example().lines().next().unwrap(),
        "a".repeat(1 << 20)
    );
    assert!(refused(&long, "a long line").1.starts_with("expected at most 1048576 bytes"));
    let padded = format!("{}{}\n", example().lines().next().unwrap(), " ".repeat(1 << 19));
    let endless = padded.repeat(130);
    for options in
        [&["import", "--fill", "-", "-o", "-"][..], &["import", "--as-recorded", "-", "-o", "-"][..]]
    {
        let Ran { exit, err, out } = command(options, endless.as_bytes());
        assert_eq!((exit, out.len()), (Exit::Findings, 0), "{err}");
    }
    assert!(fill(&endless).err.contains("expected at most 67108864 bytes"));
    for text in ["", "\n", "{}", "[]", "null", "{\"kind\":\"game\"}", "{\"kind\":\"action\"}"] {
        assert_eq!(fill(text).exit, Exit::Findings, "{text:?}");
    }
}

#[test]
fn no_log_is_left_behind() {
    let place = directory("fill-none");
    let (record, log) = (place.join("record.jsonl"), place.join("game.clog"));
    fs::write(&record, example().replacen("\"Ks\",\"Kh\",\"Kd\"", "\"Ks\",\"Kh\",\"Kc\"", 1)).unwrap();
    let ran = command(&["import", "--fill", record.to_str().unwrap(), "-o", log.to_str().unwrap()], b"");
    assert_eq!(ran.exit, Exit::Findings, "{}", ran.err);
    assert!(!log.exists());
}
