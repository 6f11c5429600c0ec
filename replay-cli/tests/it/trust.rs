//! Demands of `audit --strict` and of a policy, and the attacks of an operator that they find.

use crate::common::{command, directory};
use canasta_engine::log::checkpoint;
use canasta_engine::log::record::{Record, Remark};
use canasta_engine::log::{Chain, HEADER, Reader};
use canasta_replay::Exit;
use canasta_tournament::cosign::WitnessKey;
use canasta_tournament::note::NoteSigner;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Simulates games, and returns the path of the first log.
fn simulate(place: &Path, more: &[&str]) -> String {
    let out = place.join("games");
    let out = out.to_str().unwrap();
    let args = ["simulate", "--bots", "random", "--games", "8", "--seed", "3", "--out", out];
    assert_eq!(command(&[&args, more].concat(), b"").exit, Exit::Clean);
    format!("{out}/game-000000.clog")
}

/// Writes a policy: the keys of the simulated players, and `more`.
fn policy(place: &Path, name: &str, more: &str) -> String {
    let players = fs::read_to_string(place.join("games/players.toml")).unwrap();
    let path = place.join(name);
    fs::write(&path, format!("format = \"canasta-policy/1\"\n{more}\n{players}")).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Audits one log. Returns the exit code, the log's part of the report, and the details of the findings.
fn audit(log: &str, more: &[&str]) -> (Exit, Value, Vec<String>) {
    let ran = command(&[&["audit", log, "--format", "json"], more].concat(), b"");
    let report: Value = serde_json::from_slice(&ran.out).expect("JSON");
    let log = report["logs"][0].clone();
    let details =
        log["findings"].as_array().unwrap().iter().map(|one| one["detail"].as_str().unwrap().to_owned());
    let details = details.collect();
    (ran.exit, log, details)
}

fn records(mut log: &[u8]) -> Vec<Record> {
    let mut reader = Reader::new();
    let next = || reader.next(&mut log).expect("a log").map(|frame| frame.record().expect("a record"));
    std::iter::from_fn(next).collect()
}

/// Checks the attack of an operator who signs record 2, and plays the rest as it pleases: one early signature is not
/// enough for --strict, and the report says how far it reaches.
#[test]
fn an_early_signature_vouches_for_its_record_alone() {
    let place = directory("trust-early");
    let path = simulate(&place, &["--mode", "committed", "--signed"]);
    let operator = NoteSigner::new("op.example", &[3; 32]).unwrap();
    let sound = records(&fs::read(&path).unwrap());
    let (mut log, mut chain) = (HEADER.to_vec(), Chain::START);
    let Record::Genesis(genesis) = &sound[0] else { panic!("a genesis") };
    for (n, record) in sound.iter().enumerate() {
        let record = match record {
            // Whoever owns the log has no signatures of the players.
            Record::Action(action) => {
                let mut action = action.clone();
                action.signature = None;
                Record::Action(action)
            }
            record => record.clone(),
        };
        chain.append(&record.encode().unwrap(), &mut log);
        if n == 2 {
            let note = operator.sign(&checkpoint::body(&genesis.game_id, 2, &chain.head));
            chain.append(&Record::Remark(Remark::checkpoint(note)).encode().unwrap(), &mut log);
        }
    }
    fs::write(&path, log).unwrap();
    let (_, log, details) = audit(&path, &["--strict", "--key", &operator.verifier().to_string()]);
    assert_eq!(log["vouched_up_to"], 2);
    let rewritten = details.iter().find(|detail| detail.contains("behind record 2")).expect("a finding");
    // The last record that decides anything is the last action: a round end and the game end follow it.
    let last = log["records"].as_u64().unwrap() - 3;
    assert!(rewritten.contains(&format!("record {last}")), "{rewritten}");
    // A signature over the last record vouches for the whole log.
    let note = operator.sign(&checkpoint::body(&genesis.game_id, chain.next - 1, &chain.head));
    fs::write(format!("{path}.note"), note).unwrap();
    let (_, log, details) = audit(&path, &["--strict", "--key", &operator.verifier().to_string()]);
    assert_eq!(log["vouched_up_to"], last + 2);
    assert!(details.iter().all(|detail| !detail.contains("behind record")), "{details:?}");
}

/// Checks what --strict says of each mode about the cards, and that a game in which all sign is strictly clean.
#[test]
fn strict_names_whoever_may_have_chosen_the_cards() {
    for (mode, said) in [
        ("seeded", Some("may have tried many")),
        ("explicit", Some("how they were shuffled")),
        ("committed", None),
    ] {
        let place = directory(&format!("trust-mode-{mode}"));
        let path = simulate(&place, &["--mode", mode, "--signed"]);
        let policy = policy(&place, "policy.toml", "");
        let (exit, log, details) = audit(&path, &["--strict", "--policy", &policy]);
        match said {
            Some(said) => assert!(matches!(&details[..], [one] if one.contains(said)), "{mode}: {details:?}"),
            None => assert_eq!((exit, details), (Exit::Clean, vec![])),
        }
        // The last action is signed, so the players vouch for all that decides.
        assert_eq!(
            log["vouched_up_to"].as_u64(),
            log["records"].as_u64().map(|records| records - 3),
            "{mode}"
        );
        // Unsigned, the same contributions may be the writer's own.
        let place = directory(&format!("trust-mode-{mode}-unsigned"));
        let path = simulate(&place, &["--mode", mode]);
        let (_, _, details) = audit(&path, &["--strict"]);
        let is_named =
            details.iter().any(|detail| detail.contains("the writer of the log may have made them"));
        assert_eq!(is_named, mode == "committed", "{details:?}");
    }
}

#[test]
fn a_policy_holds_the_log_to_its_promises() {
    let place = directory("trust-policy");
    let path = simulate(&place, &["--mode", "committed", "--signed"]);
    let kept = "[deals]\nmodes = [\"committed\"]\ncontributions = \"signed\"\nmax_voided = 4\n";
    let (exit, _, details) = audit(&path, &["--policy", &policy(&place, "kept.toml", kept)]);
    assert_eq!((exit, details), (Exit::Clean, vec![]));
    let key = NoteSigner::new("event.example", &[3; 32]).unwrap().verifier();
    for (name, promise, said) in [
        (
            "modes",
            "[deals]\nmodes = [\"explicit\"]".to_owned(),
            "promises explicit deals, found committed deals",
        ),
        (
            "beacons",
            format!("[deals]\nbeacons = [\"{}\"]", "ab".repeat(32)),
            "promises a beacon in every deal",
        ),
    ] {
        let (exit, log, details) = audit(&path, &["--policy", &policy(&place, name, &promise)]);
        assert_eq!(exit, Exit::Findings, "{name}");
        assert!(details.iter().any(|detail| detail.contains(said)), "{name}: {details:?}");
        assert!(["CONDITIONAL", "ALTERED"].contains(&log["verdict"].as_str().unwrap()));
    }
    // What only a tree can keep is not judged of a log that somebody holds alone, and is named.
    let tree = format!(
        "[tree]\norigin = \"open.example\"\nkeys = [\"{key}\"]\nopened = true\nheads_within = 90\nclose_within = 240"
    );
    let witness = WitnessKey::of(&NoteSigner::new("w.example", &[4; 32]).unwrap());
    let tree = format!("{tree}\n[witnesses]\nkeys = [\"{witness}\"]\nquorum = 1");
    let tree = policy(&place, "tree.toml", &tree);
    let (exit, log, details) = audit(&path, &["--policy", &tree]);
    assert_eq!((exit, details, log["verdict"].as_str()), (Exit::Clean, vec![], Some("CLEAN")));
    let all = [
        "origin = open.example",
        "keys = event.example",
        "opened = true",
        "heads_within = 90",
        "close_within = 240",
        "quorum = 1",
    ];
    let games = place.join("games");
    for paths in [&[path.as_str()][..], &[games.to_str().unwrap()]] {
        let args = [&["audit", "--policy", &tree], paths].concat();
        let text = String::from_utf8(command(&args, b"").out).unwrap();
        assert!(
            text.contains(&format!("not judged here, but by audit-tournament: {}\n", all.join("; "))),
            "{text}"
        );
        let ran = command(&[&args[..], &["--format", "json"]].concat(), b"");
        let report: Value = serde_json::from_slice(&ran.out).unwrap();
        assert_eq!((ran.exit, &report["not_judged"]), (Exit::Clean, &serde_json::json!(all)));
    }
    // Asked for by name, the key must have signed.
    let (exit, _, details) = audit(&path, &["--policy", &tree, "--key", &key.to_string()]);
    assert!(
        exit == Exit::Findings && details[0].contains("no checkpoint is signed by event.example"),
        "{details:?}"
    );
    // A key in the log that is not the registered one: the operator plays in the name of North.
    let other = policy(&place, "other.toml", "").replace("other", "other-keys");
    let text = fs::read_to_string(place.join("other.toml")).unwrap();
    let first = text.lines().find(|line| line.starts_with("\"North\"")).unwrap();
    fs::write(&other, text.replace(first, &format!("North = [\"{}\"]", "cd".repeat(32)))).unwrap();
    let (_, _, details) = audit(&path, &["--policy", &other]);
    assert!(
        matches!(&details[..], [one] if one.contains("North plays with a registered key")),
        "{details:?}"
    );
}

#[test]
fn voided_deals_have_a_maximum() {
    let place = directory("trust-voided");
    let path = simulate(&place, &["--mode", "committed", "--signed"]);
    let games = (0..8).map(|game| path.replace("000000", &format!("00000{game}")));
    let voided = |path: &String| matches!(audit(path, &[]).1["voided"].as_u64(), Some(1 | 2));
    let path = { games }.find(voided).expect("one value in 16 is kept back");
    let allowed = policy(&place, "allowed.toml", "[deals]\nmax_voided = 2");
    assert_eq!(audit(&path, &["--policy", &allowed]).0, Exit::Clean);
    let none = policy(&place, "none.toml", "[deals]\nmax_voided = 0");
    let (exit, _, details) = audit(&path, &["--policy", &none]);
    assert_eq!(exit, Exit::Findings);
    assert!(details[0].contains("at most 0 voided deals per game"), "{details:?}");
}

/// Checks that policies which promise what cannot be are refused with the field that is wrong.
#[test]
fn bad_policies_name_their_field() {
    let place = directory("trust-bad-policies");
    let path = simulate(&place, &[]);
    let key = WitnessKey::of(&NoteSigner::new("a.example", &[3; 32]).unwrap());
    for (text, said) in [
        ("", "format"),
        ("format = \"canasta-policy/2\"", "canasta-policy/1"),
        ("format = \"canasta-policy/1\"\nsurprise = 1", "surprise"),
        ("format = \"canasta-policy/1\"\n[deals]\nmodes = [\"fair\"]", "deals.modes"),
        ("format = \"canasta-policy/1\"\n[deals]\nbeacons = [\"12\"]", "64 lower-case hex digits"),
        ("format = \"canasta-policy/1\"\n[tree]\nkeys = [\"x\"]", "NAME+HASH+BASE64"),
        ("format = \"canasta-policy/1\"\n[tree]\norigin = \"a b\"", "tree.origin"),
        ("format = \"canasta-policy/1\"\n[witnesses]\nquorum = 1", "witnesses.quorum"),
        (&format!("format = \"canasta-policy/1\"\n[witnesses]\nkeys = [\"{key}\", \"{key}\"]"), "twice"),
        ("format = \"canasta-policy/1\"\n[players]\nNorth = [\"zz\"]", "64 lower-case hex digits"),
        ("format = \"canasta-policy/1\"\nactions = \"some\"", "actions"),
        (
            "format = \"canasta-policy/1\"\n[deals]\nmodes = [\"seeded\"]\ncontributions = \"given\"",
            "deals.modes",
        ),
        ("format = \"canasta-policy/1\"\n[tree]\nopened_before = \"lunch\"", "opened_before"),
        ("format = \"canasta-policy/1\"\n[tree]\nheads_every = { records = 0 }", "tree.heads_every.records"),
        (
            "format = \"canasta-policy/1\"\n[tree]\nheads_within = 9\nheads_every = { seconds = 9 }",
            "tree.heads_within",
        ),
        ("format = \"canasta-policy/1\"\n[tree]\nmax_voided_games = 0\nvoids_after = 9", "tree.voids_after"),
        ("format = \"canasta-policy/1\"\n[witnesses]\ncosigned_within = 9", "witnesses.cosigned_within"),
        ("format = \"canasta-policy/1\"\n[director]\nrulings = \"signed\"", "director.rulings"),
    ] {
        let file = place.join("policy.toml");
        fs::write(&file, text).unwrap();
        let ran = command(&["audit", &path, "--policy", file.to_str().unwrap()], b"");
        assert_eq!(ran.exit, Exit::Failure, "{text}");
        assert!(ran.err.contains(said), "{text}: {}", ran.err);
    }
}

/// Checks `verify-deal --mine`: all own values, one of them missing, another's value, and a game without values.
#[test]
fn own_values_are_looked_for_in_every_deal() {
    let place = directory("trust-mine");
    let path = simulate(&place, &["--mode", "committed", "--signed"]);
    let values = |seat: usize| -> Vec<String> {
        let deals = records(&fs::read(&path).unwrap()).into_iter().filter_map(|record| match record {
            Record::Action(action) => match action.action {
                canasta_engine::action::Action::Deal(deal) => deal.contributions[seat],
                _ => None,
            },
            _ => None,
        });
        deals.map(|value| format!("{seat}:{}", base16ct::lower::encode_string(&value))).collect()
    };
    let verify = |mine: &[String]| {
        let mine = mine.iter().flat_map(|value| ["--mine", value]);
        let args: Vec<&str> = ["verify-deal", &path].into_iter().chain(mine).collect();
        let ran = command(&args, b"");
        (ran.exit, String::from_utf8(ran.out).unwrap())
    };
    let (exit, out) = verify(&values(2));
    assert_eq!(exit, Exit::Clean);
    assert!(out.contains("seat 2: yours went into every deal"), "{out}");
    let (exit, out) = verify(&values(2)[1..]);
    assert_eq!(exit, Exit::Findings);
    assert!(out.contains("none of your values went into round 1 attempt 1"), "{out}");
    let others: Vec<String> = values(1).iter().map(|value| value.replacen('1', "2", 1)).collect();
    assert_eq!(verify(&others).0, Exit::Findings, "another seat's values are not mine");
}
