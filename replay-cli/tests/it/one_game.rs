//! One game, one verdict: logs of one id are one game, whatever stands behind its end; other beginnings contradict it; a
//! branch is none; the same play under two ids is remarked.

use crate::common::{command, directory, key};
use canasta_engine::log::record::{Author, Genesis, Player, Record, Remark};
use canasta_engine::log::{Chain, HEADER, Reader, checkpoint};
use canasta_replay::Exit;
use canasta_tournament::note::NoteSigner;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn records(mut log: &[u8]) -> Vec<Record> {
    let mut reader = Reader::new();
    let next = || reader.next(&mut log).expect("a log").map(|frame| frame.record().expect("a record"));
    std::iter::from_fn(next).collect()
}

fn write(path: &Path, records: &[Record]) {
    let (mut log, mut chain) = (HEADER.to_vec(), Chain::START);
    records.iter().for_each(|record| chain.append(&record.encode().expect("a record"), &mut log));
    fs::write(path, log).unwrap();
}

/// Simulates games, and returns the path of the first log.
fn simulate(place: &Path, more: &[&str]) -> PathBuf {
    let out = place.join("games");
    let args =
        ["simulate", "--bots", "random", "--games", "1", "--seed", "5", "--out", out.to_str().unwrap()];
    assert_eq!(command(&[&args, more].concat(), b"").exit, Exit::Clean);
    out.join("game-000000.clog")
}

/// The answers of an audit and of statistics about a directory.
struct Said {
    exit: Exit,
    relations: Vec<String>,
    standings: Vec<(u64, i64)>,
    games: u64,
    left_out: Vec<String>,
}

fn said(place: &Path) -> Said {
    let place = place.to_str().unwrap();
    let ran = command(&["audit", place, "--standings", "--format", "json"], b"");
    let report: Value = serde_json::from_slice(&ran.out).expect("JSON");
    let texts = |list: &Value, field: &str| -> Vec<String> {
        let list = list.as_array().into_iter().flatten();
        list.map(|one| one[field].as_str().unwrap().to_owned()).collect()
    };
    let standings = report["standings"].as_array().unwrap().iter();
    let standings = standings.map(|line| (line["games"].as_u64().unwrap(), line["points"].as_i64().unwrap()));
    let stats: Value =
        serde_json::from_slice(&command(&["stats", place, "--format", "json"], b"").out).expect("JSON");
    for format in ["text", "jsonl"] {
        assert_eq!(command(&["audit", place, "--format", format], b"").exit, ran.exit, "{format}");
    }
    Said {
        exit: ran.exit,
        relations: texts(&report["same_game"], "relation"),
        standings: standings.collect(),
        games: stats["games"].as_u64().unwrap(),
        left_out: texts(&stats["left_out"], "reason"),
    }
}

/// Checks that whatever may stand behind the end of a game, in every order of the files, makes one game, and that the longer
/// log counts.
#[test]
fn what_stands_behind_the_end_makes_no_other_game() {
    let place = directory("one-game-tails");
    let log = simulate(&place, &["--mode", "committed"]);
    let base = records(&fs::read(&log).unwrap());
    let Record::Genesis(genesis) = &base[0] else { panic!("a genesis") };
    let note = |text: &str| Record::Remark(Remark::note(Author::Director, None, text));
    let signer = NoteSigner::new("k.example", &[3; 32]).unwrap();
    let signed = |records: &[Record]| {
        let (mut bytes, mut chain) = (Vec::new(), Chain::START);
        records.iter().for_each(|record| chain.append(&record.encode().unwrap(), &mut bytes));
        let body = checkpoint::body(&genesis.game_id, chain.next - 1, &chain.head);
        Record::Remark(Remark::checkpoint(signer.sign(&body)))
    };
    // Rulings after the end: the score is adjusted, so that the result differs.
    let rulings = |effects: &[&str]| {
        let ruled = place.join("ruled.clog");
        fs::copy(&log, &ruled).unwrap();
        for effect in effects {
            let at = (records(&fs::read(&ruled).unwrap()).len() - 1).to_string();
            let log = ruled.to_str().unwrap();
            let ran =
                command(&["rule", log, "--at", &at, "--law", "IR-070", "--effect", effect, "--append"], b"");
            assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
        }
        records(&fs::read(&ruled).unwrap()).split_off(base.len())
    };
    let (after, other) = (rulings(&["adjust 100 -50"]), rulings(&["adjust 300 0"]));
    let twice = rulings(&["adjust 100 -50", "adjust 100 -50"]);
    let checkpoint = signed(&base);
    let tails: Vec<Vec<Record>> = vec![
        after.clone(),
        vec![note("an appeal")],
        vec![checkpoint.clone()],
        [&after[..], &[note("heard")]].concat(),
        [&[note("an appeal")], &twice[..], &[note("heard")]].concat(),
        (0..1_500).map(|n| note(&n.to_string())).chain(after.clone()).collect(),
    ];
    let total =
        |tail: &[Record]| 100 * tail.iter().filter(|of| matches!(of, Record::Action(_))).count() as i64;
    let alone = said(log.parent().unwrap());
    for (n, tail) in tails.iter().enumerate() {
        // The short log first, last, and both with a copy of a part of the tail.
        for order in [["a", "b", "c"], ["b", "a", "c"], ["c", "b", "a"]] {
            let folder = directory(&format!("one-game-tail-{n}-{}", order.concat()));
            write(&folder.join(format!("{}.clog", order[0])), &base);
            write(&folder.join(format!("{}.clog", order[1])), &[&base[..], tail].concat());
            write(&folder.join(format!("{}.clog", order[2])), &[&base[..], &tail[..tail.len() / 2]].concat());
            let found = said(&folder);
            assert_eq!(
                (found.exit, &found.relations[..]),
                (Exit::Clean, &["same".into(), "same".into()][..]),
                "{n}"
            );
            let points = |all: &[(u64, i64)]| all.iter().map(|(_, points)| points).max().copied().unwrap();
            assert_eq!(found.standings.iter().map(|(games, _)| *games).collect::<Vec<_>>(), [1, 1]);
            let grown = points(&found.standings) - points(&alone.standings);
            assert!(grown == total(tail) || grown == -total(tail) / 2, "{n}: the longer counts, {grown}");
            assert_eq!((found.games, found.left_out.len()), (1, 2));
            assert!(found.left_out.iter().all(|reason| reason == "its game is counted already"));
            if order[0] == "a" && tail.len() < 100 {
                publish_once(&folder, base.len() + tail.len());
            }
        }
    }
    two_copies(&base, [&after, &other, &[checkpoint], &[note("x")]]);
}

/// Checks that two rulings on two copies contradict each other, and that remarks on two copies do not.
fn two_copies(base: &[Record], [after, other, checkpoint, note]: [&[Record]; 4]) {
    let folder = directory("one-game-two-rulings");
    write(&folder.join("a.clog"), base);
    write(&folder.join("b.clog"), &[base, after].concat());
    write(&folder.join("c.clog"), &[base, note, other].concat());
    let found = said(&folder);
    assert_eq!((found.exit, found.games, found.standings.len()), (Exit::Findings, 0, 0));
    assert!(found.left_out.iter().all(|reason| reason.starts_with("FORKED")), "{:?}", found.left_out);
    write(&folder.join("b.clog"), &[base, checkpoint].concat());
    write(&folder.join("c.clog"), &[base, note].concat());
    assert_eq!(said(&folder).exit, Exit::Clean);
}

/// Publishes a folder with several logs of one game: the longest is published, and names the others' game nothing new.
fn publish_once(folder: &Path, records: usize) {
    let (key, public) = key(folder, "k.example", 1);
    let site = folder.join("site");
    let (tables, site) = (folder.to_str().unwrap(), site.to_str().unwrap());
    fs::remove_file(folder.join("c.clog")).unwrap();
    let ran = command(&["publish", tables, "--key", &key, "-o", site], b"");
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    assert!(String::from_utf8_lossy(&ran.out).starts_with("published 1 game"), "{ran:?}");
    let games: Vec<_> =
        fs::read_dir(folder.join("site/games")).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(
        games.iter().any(|path| path.to_str().unwrap().ends_with(&format!("-{records}.clog"))),
        "{games:?}"
    );
    assert_eq!(command(&["audit-tournament", site, "--key", &public], b"").exit, Exit::Clean);
}

/// Checks that each other first record under one id contradicts the game, whichever field differs: neither log counts.
#[test]
fn one_id_has_one_beginning() {
    let place = directory("one-game-beginnings");
    let log = simulate(&place, &[]);
    let base = records(&fs::read(&log).unwrap());
    let Record::Genesis(genesis) = &base[0] else { panic!("a genesis") };
    type Change = fn(&mut Genesis);
    let changes: [(&str, &str, Change); 7] = [
        ("name", "players", |of| of.players[0].name = "Eve".into()),
        ("names", "players", |of| of.players.iter_mut().for_each(|player| player.name += "x")),
        ("key", "players", |of| of.players[1].key = Some([9; 32])),
        ("director", "director", |of| of.director = Some([8; 32])),
        ("engine", "versions", |of| of.engine = "9.9.9".into()),
        ("started", "time", |of| of.started_at_ms = Some(1)),
        ("penalties", "versions", |of| of.penalties = Some(1)),
    ];
    for (name, part, change) in changes {
        let mut other = genesis.clone();
        change(&mut other);
        let folder = directory(&format!("one-game-beginning-{name}"));
        let (a, b) = (folder.join("a.clog"), folder.join("b.clog"));
        fs::copy(&log, &a).unwrap();
        write(&b, &[&[Record::Genesis(other)], &base[1..]].concat());
        let found = said(&folder);
        assert_eq!((found.exit, &found.relations[..]), (Exit::Findings, &["forked".into()][..]), "{name}");
        assert_eq!((found.standings.len(), found.games), (0, 0), "{name}: neither counts");
        assert!(found.left_out.iter().all(|reason| reason.starts_with("FORKED")), "{:?}", found.left_out);
        let [a, b] = [&a, &b].map(|path| path.to_str().unwrap());
        let ran = command(&["diff", a, b], b"");
        let text = String::from_utf8(ran.out).unwrap();
        assert!(
            text.starts_with("a fork: game ") && text.contains(&format!("with {part} that differ")),
            "{text}"
        );
        let json: Value =
            serde_json::from_slice(&command(&["diff", a, b, "--format", "json"], b"").out).unwrap();
        assert_eq!(json["relation"], "fork");
        let (key, _) = key(&folder, "k.example", 1);
        let site = folder.join("site");
        let ran =
            command(&["publish", folder.to_str().unwrap(), "--key", &key, "-o", site.to_str().unwrap()], b"");
        assert!(ran.exit == Exit::Findings && ran.err.contains("the same game as"), "{ran:?}");
    }
    // Three logs of one id: none counts.
    let folder = directory("one-game-three");
    for n in 0..3 {
        let mut other = genesis.clone();
        other.players[0] = Player { name: format!("Eve {n}"), key: None };
        write(&folder.join(format!("{n}.clog")), &[&[Record::Genesis(other)], &base[1..]].concat());
    }
    let found = said(&folder);
    assert_eq!((found.relations.len(), found.standings.len(), found.games), (2, 0, 0));
}

/// Checks that a branch is called one by every reader, and counts nowhere.
#[test]
fn a_branch_is_no_game() {
    let place = directory("one-game-branch");
    let log = simulate(&place, &[]);
    let folder = log.parent().unwrap();
    let branch = folder.join("branch.clog");
    let [log, path] = [&log, &branch].map(|path| path.to_str().unwrap());
    let ran = command(&["explain", log, "--at", "31", "--format", "json"], b"");
    let possible: Value = serde_json::from_slice(&ran.out).unwrap();
    let action = possible["possible"]["actions"][0].as_str().unwrap();
    let args = ["what-if", log, "--at", "31", "--action", action, "--play", "-o", path];
    assert_eq!(command(&args, b"").exit, Exit::Clean);
    let id = &serde_json::from_slice::<Value>(&command(&["audit", log, "--format", "json"], b"").out)
        .unwrap()["logs"][0]["game_id"];
    let mark =
        format!("a branch: played on from record 30 of game {}, and not that game", id.as_str().unwrap());
    let found = said(folder);
    assert_eq!((found.exit, found.relations.len(), found.games), (Exit::Clean, 0, 1));
    assert_eq!(found.standings.iter().map(|(games, _)| *games).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(found.left_out, std::slice::from_ref(&mark));
    let folder = folder.to_str().unwrap();
    for args in [
        &["audit", folder][..],
        &["audit", path],
        &["log", path],
        &["show", path],
        &["stats", folder],
        &["diff", log, path],
    ] {
        let out = String::from_utf8(command(args, b"").out).unwrap();
        assert!(out.contains(&mark), "{args:?}: {out}");
    }
    let report: Value =
        serde_json::from_slice(&command(&["audit", folder, "--format", "json"], b"").out).unwrap();
    assert_eq!(report["counts"]["branches"], 1);
    for args in [&["audit", path][..], &["log", path], &["show", path], &["diff", log, path]] {
        let ran = command(&[args, &["--format", "json"]].concat(), b"");
        let value: Value = serde_json::from_slice(&ran.out).unwrap();
        let of = [&value["branch_of"], &value["logs"][0]["branch_of"], &value["copies"][1]["branch_of"]];
        let of = of.into_iter().find(|of| !of.is_null()).unwrap_or_else(|| panic!("{args:?}: {value}"));
        assert_eq!((&of["game_id"], of["record"].as_u64()), (id, Some(30)));
    }
    let report = command(&["report", path, "-o", place.join("page.html").to_str().unwrap()], b"");
    assert_eq!(report.exit, Exit::Clean, "{report:?}");
    never_published(&place, &branch, &mark);
}

/// Checks that a branch is never published, whatever is said; nor signed, which would prove a fork against the signer; and
/// that an operator who published one nevertheless is found.
fn never_published(place: &Path, branch: &Path, mark: &str) {
    let path = branch.to_str().unwrap();
    let (key, public) = key(place, "k.example", 1);
    let site = place.join("site");
    let publish = ["publish", path, "--key", &key, "-o", site.to_str().unwrap()];
    for more in [&[][..], &["--with-findings"], &["--watch", "--once"]] {
        let ran = command(&[&publish[..], more].concat(), b"");
        assert!(ran.err.contains(mark), "{more:?}: {ran:?}");
        assert!(!site.join("games").exists(), "{more:?}");
    }
    let ran = command(&["sign", path, "--key", &key], b"");
    assert!(ran.exit == Exit::Findings && ran.err.contains(mark), "{ran:?}");
    let file = place.join("forged");
    let files = canasta_tournament::files::Directory::locked(&file).unwrap();
    let report = canasta_tournament::log_file::audit(branch).unwrap();
    let entry = canasta_tournament::entry::GameEntry::of(&report, "t".into()).unwrap();
    let game = canasta_tournament::publish::UnpublishedGame { entry, log: branch.to_owned() };
    let signer = NoteSigner::new("k.example", &[1; 32]).unwrap();
    let site = canasta_tournament::site::Site::new("k.example");
    canasta_tournament::publish::extend(&mut { files }, &signer, site, &[game.into()], &mut |_, _| {
        Vec::new()
    })
    .unwrap();
    let ran = command(&["audit-tournament", file.to_str().unwrap(), "--key", &public], b"");
    let out = String::from_utf8(ran.out).unwrap();
    assert!(ran.exit == Exit::Findings && out.contains(mark), "{out}");
}

/// Checks that the same cards and the same play under two ids are remarked, and that other games are not.
#[test]
fn the_same_play_under_two_ids_is_remarked() {
    let place = directory("one-game-same-play");
    let log = simulate(&place, &["--mode", "explicit"]);
    let folder = directory("one-game-same-play-copies");
    fs::copy(&log, folder.join("a.clog")).unwrap();
    let export = command(&["export", log.to_str().unwrap()], b"");
    let text = String::from_utf8(export.out).unwrap();
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let id = first["game_id"].as_str().unwrap();
    let copied = folder.join("b.clog");
    let other = text.replace(id, "00112233445566778899aabbccddeeff");
    let ran = command(&["import", "-", "--fill", "-o", copied.to_str().unwrap()], other.as_bytes());
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    let found = command(&["audit", folder.to_str().unwrap(), "--format", "json"], b"");
    let report: Value = serde_json::from_slice(&found.out).unwrap();
    assert_eq!(
        (found.exit, report["same_play"].as_array().map(Vec::len)),
        (Exit::Clean, Some(1)),
        "{report}"
    );
    assert_eq!(report.get("same_game"), None);
    let text = String::from_utf8(command(&["audit", folder.to_str().unwrap()], b"").out).unwrap();
    assert!(text.contains("two games with the same cards and the same play: "), "{text}");
    // Eight other games: no remark.
    let many = place.join("many");
    let many = many.to_str().unwrap();
    command(&["simulate", "--games", "8", "--seed", "6", "--out", many], b"");
    let report: Value =
        serde_json::from_slice(&command(&["audit", many, "--format", "json"], b"").out).unwrap();
    assert_eq!(report.get("same_play"), None);
}
