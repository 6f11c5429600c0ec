//! Score sheets that players sign, in a tournament's tree.

mod common;

use canasta_replay::Exit;
use canasta_tournament::files::{Directory, SiteFiles};
use canasta_tournament::note::NoteSigner;
use common::{command, directory, key};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn set(kinds: &[&str]) -> BTreeSet<String> {
    kinds.iter().map(|kind| (*kind).to_owned()).collect()
}

/// Score sheets: signed by a player of each side with the keys of the log, with the totals of the log.
#[test]
fn score_sheets_are_signed_by_both_sides() {
    let place = directory("history-sheets");
    let out = place.join("games").to_str().unwrap().to_owned();
    command(&["simulate", "--bots", "random", "--signed", "--games", "1", "--seed", "3", "--out", &out], b"");
    let log = format!("{out}/game-000000.clog");
    let player = |seat: u8| {
        let secret = canasta_engine::deal::simulate::seat_key(3, canasta_engine::seat::Seat(seat));
        let signer = NoteSigner::new(&format!("player-{seat}.example"), &secret).unwrap();
        let path = place.join(format!("player-{seat}.key"));
        canasta_tournament::key_file::write_new(&path, &signer).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (key, public) = key(&place, "open-2026.example", 1);
    let sheet = place.join("t.sheet").to_str().unwrap().to_owned();
    let (north, east) = (player(0), player(1));
    let sign = |key: &str| command(&["sign", &log, "--key", key, "--sheet", &sheet], b"");
    assert_eq!(sign(&north).exit, Exit::Clean);
    let kinds = |site: &str| {
        let ran = command(&["audit-tournament", site, "--key", &public, "--format", "json"], b"");
        let report: Value = serde_json::from_slice(&ran.out).expect("JSON");
        let kinds =
            report["faults"].as_array().unwrap().iter().map(|of| of["kind"].as_str().unwrap().to_owned());
        kinds.collect::<BTreeSet<String>>()
    };
    let publish = |site: &str| {
        let ran = command(&["publish", &log, "--sheet", &sheet, "--key", &key, "-o", site], b"");
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    };
    let site = |name: &str| place.join(name).to_str().unwrap().to_owned();
    publish(&site("one"));
    assert_eq!(kinds(&site("one")), set(&["SHEET"]), "one side alone has signed");
    assert_eq!(sign(&east).exit, Exit::Clean);
    publish(&site("both"));
    assert_eq!(kinds(&site("both")), set(&[]));
    // Other totals, rightly signed: the log decides, and the sheet is named.
    let text = fs::read_to_string(&sheet).unwrap();
    let totals = text.lines().nth(3).unwrap().to_owned();
    fs::write(&sheet, text.replace(&totals, "5 5")).unwrap();
    publish(&site("other"));
    assert_eq!(kinds(&site("other")), set(&["SHEET"]));
    assert_eq!(sign(&east).exit, Exit::Findings, "other totals are not signed");
    let files = Directory::new(Path::new(&site("both")));
    assert!(files.read("tile/entries/000.p/2", 1 << 20).unwrap().is_some(), "a game and a sheet");
}
