//! Files of released versions: every later version reads them as they were (`tests/data/kept/make.sh` has written them).

use crate::common::{command, directory};
use canasta_replay::Exit;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of each version.
fn versions() -> Vec<PathBuf> {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/kept");
    let all = fs::read_dir(kept).expect("files of versions").map(|entry| entry.expect("an entry").path());
    let all: Vec<PathBuf> = all.filter(|path| path.is_dir()).collect();
    assert!(all.iter().any(|path| path.ends_with("0.1.0")), "{all:?}");
    all
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect(name)
}

/// Runs a command on files of a folder, whose names begin with `@`, and returns what it prints.
fn reads(folder: &Path, args: &[&str]) -> String {
    let place = |arg: &&str| match arg.strip_prefix('@') {
        Some(name) => folder.join(name).to_str().expect("a path").to_owned(),
        None => (*arg).to_owned(),
    };
    let args: Vec<String> = args.iter().map(place).collect();
    let ran = command(&args.iter().map(String::as_str).collect::<Vec<_>>(), b"");
    let out = String::from_utf8(ran.out).expect("text");
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Clean, ""), "{args:?}: {out}");
    out
}

/// Unpacks the archive of a version.
fn unpacked(folder: &Path, name: &str) -> PathBuf {
    let place = directory(name).join("logs");
    let out = place.to_str().expect("a path");
    command(&["unpack", folder.join("games.carc").to_str().expect("a path"), "-o", out], b"");
    place
}

#[test]
fn archives_give_the_logs_that_were_packed() {
    for folder in versions() {
        let logs = unpacked(&folder, "kept_archives");
        let sums = text(&folder, "logs.sha256");
        assert!(sums.lines().count() > 22, "each rule set, house rules, each way to deal");
        for line in sums.lines() {
            let (sum, name) = line.split_once(' ').expect("a digest and a name");
            let log = fs::read(logs.join(name.trim())).expect(name);
            assert_eq!(base16ct::lower::encode_string(&Sha256::digest(&log)), sum, "{name}");
        }
        let audit = reads(&folder, &["audit", logs.to_str().expect("a path")]);
        assert!(audit.contains(&format!("{} clean", sums.lines().count())), "{audit}");
    }
}

#[test]
fn links_give_the_logs_that_they_were_made_of() {
    for folder in versions() {
        let logs = unpacked(&folder, "kept_links");
        for line in text(&folder, "links").lines() {
            let (name, link) = line.split_once(' ').expect("a name and a link");
            let out = logs.join(format!("{name}.linked"));
            reads(&folder, &["link", link, "-o", out.to_str().expect("a path")]);
            assert!(fs::read(out).expect("a log") == fs::read(logs.join(name)).expect("a log"), "{name}");
        }
    }
}

#[test]
fn texts_are_read() {
    for folder in versions() {
        let logs = unpacked(&folder, "kept_texts");
        let out = logs.join("imported");
        reads(&folder, &["import", "@house.jsonl", "-o", out.to_str().expect("a path")]);
        let house = fs::read(logs.join("house.clog")).expect("a log");
        assert!(fs::read(out).expect("a log") == house, "text and log differ");
        let rules = reads(&folder, &["rules", "show", "@house.toml", "--format", "json"]);
        let digest = rules.split("\"digest\":\"").nth(1).expect("a digest").split('"').next();
        assert!(text(&folder, "house.jsonl").contains(digest.expect("a digest")), "{rules}");
        let position = text(&folder, "position");
        let checked = reads(&folder, &["check", position.trim(), "--action", "draw"]);
        assert!(checked.starts_with("LEGAL"), "{checked}");
    }
}

#[test]
fn tournaments_and_proofs_hold() {
    for folder in versions() {
        let key = text(&folder, "event.pub");
        let site =
            reads(&folder, &["audit-tournament", "@site", "--key", key.trim(), "--policy", "@policy.toml"]);
        let said = [
            "9 entries",
            "cosigned by club.example",
            "2 CLEAN",
            "voided: d3ecab89fb8a8c0d805ebc5b36b429c9",
            "proven: the tree",
        ];
        assert!(said.iter().all(|said| site.contains(said)), "{site}");
        let proof = reads(&folder, &["verify-proof", "@proof.json", "--key", key.trim()]);
        assert!(proof.contains("HOLDS") && proof.contains("entry 3 of 9 entries"), "{proof}");
    }
}
