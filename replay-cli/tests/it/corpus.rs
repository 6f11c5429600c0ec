//! The bad archives and sites that ship for other readers, held against their lists. The lists were written from what was
//! done to each; `tests/interop/verify_site.py --bad` judges the same sites.

use crate::common::command;
use canasta_replay::Exit;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/conformance/bad")
}

/// Returns the rows of a list: a name, what must be found, and what was done.
fn rows(folder: &str) -> Vec<[String; 3]> {
    let list = fs::read_to_string(corpus().join(folder).join("expected.tsv")).expect("a list");
    let row = |line: &str| {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        cells.try_into().expect("three cells")
    };
    list.lines().skip(1).map(row).collect()
}

#[test]
fn bad_sites_are_found_as_listed() {
    let key = fs::read_to_string(corpus().join("sites/key.pub")).expect("a key");
    let rows = rows("sites");
    let mut kinds = BTreeSet::new();
    for [name, faults, done] in &rows {
        let site = corpus().join("sites").join(name);
        let args = ["audit-tournament", site.to_str().unwrap(), "--key", key.trim(), "--format", "json"];
        let ran = command(&args, b"");
        let report: Value = serde_json::from_slice(&ran.out).expect("JSON");
        let found =
            report["faults"].as_array().unwrap().iter().map(|of| of["kind"].as_str().unwrap().to_owned());
        let expected: BTreeSet<String> = faults.split(' ').map(str::to_owned).collect();
        assert_eq!(found.collect::<BTreeSet<String>>(), expected, "{name}: {done}");
        assert_eq!(ran.exit, Exit::Findings, "{name}");
        kinds.extend(expected);
    }
    assert!(rows.len() >= 40 && kinds.len() >= 16, "{kinds:?}");
}

#[test]
fn bad_archives_are_found_as_listed() {
    let words = [
        ("NOT_AN_ARCHIVE", "this is not an archive of logs"),
        ("UNSUPPORTED_VERSION", "UNSUPPORTED_VERSION"),
        ("LENGTH", "does not fit its length"),
        ("INDEX_DAMAGED", "the index is damaged"),
        ("INDEX", "the index is malformed"),
        ("BLOCK_DAMAGED", "its check is not the one in the index"),
        ("BLOCK", "come out with another digest"),
    ];
    let rows = rows("archives");
    for [name, finding, done] in &rows {
        let archive = corpus().join("archives").join(name);
        let ran = command(&["unpack", "--test", archive.to_str().unwrap()], b"");
        let said = String::from_utf8_lossy(&ran.out).into_owned() + &ran.err;
        let (_, expected) = words.iter().find(|(word, _)| word == finding).expect("a known finding");
        assert!(said.contains(expected), "{name}: {done}: {said}");
        assert_ne!(ran.exit, Exit::Clean, "{name}");
    }
    assert!(rows.len() >= 14);
}

/// Counts the corpus: at least sixty logs, archives and sites.
#[test]
fn the_corpus_is_large() {
    let logs = fs::read_to_string(corpus().join("logs/expected.tsv")).expect("a list").lines().count() - 1;
    assert!(logs + rows("sites").len() + rows("archives").len() >= 60);
}
