//! The reports of the audit: they match their schemas, and agree with each other.

use crate::common::{Extras, command, directory, frames, play, short};
use canasta_replay::Exit;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes logs of every kind: clean, cut, flipped, not a log, live, one game twice, odd names.
fn logs(name: &str) -> PathBuf {
    let place = directory(name);
    let rules = short("classic-4p", 500);
    let log = play(&rules, 4, Extras::None);
    let frames = frames(&log);
    let cut = frames[frames.len() / 2];
    let mut flipped = log.clone();
    flipped[cut] ^= 4;
    let write = |file: &str, bytes: &[u8]| fs::write(place.join(file), bytes).expect("written");
    write("clean.clog", &play(&rules, 2, Extras::None));
    write("all.clog", &play(&rules, 1, Extras::All));
    write("cut.clog", &log[..cut]);
    write("torn.clog", &log[..cut + 5]);
    write("flipped.clog", &flipped);
    write("=1+1,\"x\"\n<&>.clog", &play(&rules, 3, Extras::None));
    write("none.clog", b"hello");
    write("empty.clog", b"");
    write("notes.txt", b"not asked for");
    place
}

fn json(args: &[&str]) -> Value {
    let ran = command(&[&["audit", "--format", "json"], args].concat(), b"");
    serde_json::from_slice(&ran.out).unwrap_or_else(|error| panic!("{args:?}: {error}: {}", ran.err))
}

fn schema() -> jsonschema::Validator {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/audit.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(file).expect("a schema")).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

#[test]
fn json_is_what_the_schema_says() {
    let place = logs("audit-json");
    let place = place.to_str().expect("text");
    let schema = schema();
    let missing = format!("{place}/missing.clog");
    for args in
        [&[place][..], &[place, "--live", "--standings"], &[place, "--strict", "--salvage"], &[&missing]]
    {
        let report = json(args);
        let faults: Vec<String> =
            schema.iter_errors(&report).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert_eq!(faults, [] as [String; 0], "{args:?}");
    }
    // A schema that takes everything would prove nothing.
    let mut report = json(&[place]);
    report["logs"][0]["verdict"] = "FINE".into();
    assert!(!schema.is_valid(&report));
    let mut report = json(&[place]);
    report["logs"][0]["unheard"] = 1.into();
    assert!(!schema.is_valid(&report));
}

/// Compares the counts of every format with those of the logs named above: 2 clean, of 8.
#[test]
fn every_format_tells_the_same() {
    let place = logs("audit-formats");
    let place = place.to_str().expect("text");
    let report = json(&[place]);
    let verdicts: Vec<&str> =
        report["logs"].as_array().unwrap().iter().map(|log| log["verdict"].as_str().unwrap()).collect();
    // In the order of the names: "=1+1...", all (a signature of it does not verify), clean, cut, empty, flipped,
    // none, torn.
    let expected =
        ["CLEAN", "ALTERED", "CLEAN", "INCOMPLETE", "NOT_A_LOG", "ALTERED", "NOT_A_LOG", "INCOMPLETE"];
    assert_eq!(verdicts, expected);

    let ran = command(&["audit", place], b"");
    assert_eq!(ran.exit, Exit::Findings);
    let text = String::from_utf8(ran.out).expect("text");
    let told = report["logs"].as_array().unwrap().iter().filter_map(|log| {
        let line = format!("\n{}   {}\n", log["path"].as_str().unwrap(), log["verdict"].as_str().unwrap());
        text.find(&line)
    });
    let told: Vec<usize> = told.collect();
    assert!(told.len() == 6 && told.is_sorted(), "the six logs with findings in their order: {told:?}");
    let lines = command(&["audit", "--format", "jsonl", place], b"").out;
    let lines: Vec<Value> =
        lines.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let [first, logs @ .., last] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(first["format"], report["format"]);
    assert_eq!(logs, report["logs"].as_array().unwrap());
    assert_eq!((&last["counts"], &last["failures"]), (&report["counts"], &report["failures"]));
}

#[test]
fn strict_wants_an_anchor() {
    let place = directory("audit-strict");
    let file = place.join("game.clog");
    fs::write(&file, play(&short("classic-4p", 500), 2, Extras::None)).unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(command(&["audit", file], b"").exit, Exit::Clean);
    let details = |more: &[&str]| {
        let report = json(&[&[file, "--strict"], more].concat());
        let log = report["logs"][0].clone();
        let details =
            log["findings"].as_array().unwrap().iter().map(|one| one["detail"].to_string()).collect();
        (log, details)
    };
    let (log, findings): (_, Vec<String>) = details(&[]);
    assert_eq!((log["verdict"].as_str(), findings.len()), (Some("CONDITIONAL"), 2));
    assert_eq!(log.get("vouched_up_to"), None);
    // A head from outside vouches for the whole log; nothing shows that the dealer did not choose the cards.
    let (anchored, findings) = details(&["--head", log["head"].as_str().unwrap()]);
    assert_eq!(anchored["vouched_up_to"].as_u64(), log["records"].as_u64().map(|records| records - 1));
    assert!(matches!(&findings[..], [one] if one.contains("may have tried many")), "{findings:?}");
}

/// Checks that the same bytes from a file and from standard input give the same report, except for the name and the
/// command.
#[test]
fn standard_input_is_judged_like_a_file() {
    let place = logs("audit-stdin");
    for name in ["clean.clog", "flipped.clog", "torn.clog", "empty.clog"] {
        let bytes = fs::read(place.join(name)).unwrap();
        let ran = command(&["audit", "--format", "json", "-"], &bytes);
        let mut stdin: Value = serde_json::from_slice(&ran.out).expect("JSON");
        let mut file = json(&[place.join(name).to_str().unwrap()]);
        for report in [&mut stdin, &mut file] {
            report["logs"][0]["path"].take();
            for finding in report["logs"][0]["findings"].as_array_mut().unwrap() {
                finding.as_object_mut().unwrap().remove("show");
            }
        }
        assert_eq!(stdin, file, "{name}");
    }
    let twice = command(&["audit", "-", "-"], b"");
    assert_eq!(twice.exit, Exit::Failure);
}
