//! `arena` and `player`: programs on duplicate deals, and programs that fail.
#![cfg(unix)] // players are scripts

use crate::common::{Ran, command, directory};
use canasta_replay::Exit;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the command line of the bot as a program.
fn program(level: u8) -> String {
    format!("{} player --level {level}", env!("CARGO_BIN_EXE_canasta-replay"))
}

/// Returns the command line of the sample player in Python.
fn greedy() -> String {
    format!("python3 {}/../docs/quickstart/players/greedy.py", env!("CARGO_MANIFEST_DIR"))
}

fn arena(players: &[&str], options: &str, out: &Path) -> Ran {
    let out = out.to_str().unwrap();
    let options: Vec<&str> = options.split_whitespace().collect();
    command(&[&["arena"], players, &options, &["--out", out]].concat(), b"")
}

/// Returns the points of each result of a file.
fn points(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["points"].clone()).collect()
}

/// Checks that the bot as a program plays as the bot in the arena: the protocol tells all that it knows. Among the rule sets are
/// ones with three players, who form sides or not, with six, with second hands, with sequences, and house rules.
#[test]
fn the_protocol_tells_all_that_the_bot_knows() {
    let place = directory("arena-bots");
    let house = place.join("house.toml");
    fs::write(&house, "base = \"classic-4p\"\n[knobs]\ndraw_count = 2\n").unwrap();
    let house = house.to_str().unwrap();
    let sets = ["classic-4p", "hoyle-2p", "classic-3p", "wahhi-3p", "wahhi-6p", "hand-and-foot-4p"];
    for set in sets.iter().chain(&["samba-4p", "american-4p", house]) {
        let (own, programs) = (place.join("own.jsonl"), place.join("programs.jsonl"));
        let options = format!("--ruleset {set} --deals 2 --seed 9");
        let ran = arena(&["level:3", "level:2"], &options, &own);
        assert_eq!(ran.exit, Exit::Clean, "{}", ran.err);
        let ran = arena(&[&program(3), &program(2)], &options, &programs);
        assert_eq!(ran.exit, Exit::Clean, "{set}: {}", ran.err);
        assert_eq!(points(&own), points(&programs), "{set}");
        [own, programs].iter().for_each(|file| fs::remove_file(file).unwrap());
    }
}

#[test]
fn whole_games_are_played_to_their_end() {
    let place = directory("arena-whole");
    let (own, programs) = (place.join("own"), place.join("programs"));
    arena(&["level:2", "random"], "--whole --deals 1", &own);
    arena(&[&program(2), "random"], "--whole --deals 1", &programs);
    assert_eq!(points(&own), points(&programs));
    let winner =
        |points: &Value| points.as_array().unwrap().iter().map(|total| total.as_i64().unwrap()).max();
    assert!(points(&own)[0].as_array().unwrap().iter().all(|seating| winner(seating) >= Some(5000)));
}

/// Checks that a run that has stopped in the middle of a line goes on to the same bytes, by whatever number of threads, and
/// that results of another question are left alone.
#[test]
fn results_are_resumed() {
    let place = directory("arena-resumed");
    let (once, resumed) = (place.join("once"), place.join("resumed"));
    let players = ["level:2", "random", "level:1"];
    let ran = arena(&players, "--deals 7 --threads 1", &once);
    let whole = fs::read(&once).unwrap();
    assert_eq!(whole.iter().filter(|&&byte| byte == b'\n').count(), 21);
    for length in [whole.len() / 3, whole.len() - 1, whole.len()] {
        fs::write(&resumed, &whole[..length]).unwrap();
        let again = arena(&players, "--deals 7 --threads 3", &resumed);
        assert_eq!((again.exit, &again.out), (Exit::Clean, &ran.out));
        assert!(fs::read(&resumed).unwrap() == whole);
    }
    // More deals go on behind those that are there; fewer are compared without the rest.
    arena(&players, "--deals 8", &resumed);
    assert!(fs::read(&resumed).unwrap().starts_with(&whole));
    arena(&players, "--deals 2", &resumed);
    assert_eq!(points(&resumed).len(), 24);
    for (players, options) in [
        (players, "--deals 7 --seed 1"),
        (players, "--deals 7 --whole"),
        (players, "--deals 7 --ruleset samba-4p"),
        (["level:2", "level:1", "random"], "--deals 7"),
    ] {
        let ran = arena(&players, options, &once);
        assert_eq!(ran.exit, Exit::Failure);
        assert!(ran.err.contains("once: line 1: expected {"), "{}", ran.err);
        assert!(fs::read(&once).unwrap() == whole);
    }
    fs::write(&resumed, "{}\n").unwrap();
    assert!(arena(&players, "--deals 7", &resumed).err.contains("resumed: line 1: expected {"));
    assert_eq!(fs::read(&resumed).unwrap(), b"{}\n");
}

/// A player that plays its first two games, and then does something else with a question to choose.
const BAD: &str = r#"
import json, sys, time
games = 0
for line in sys.stdin:
    question = json.loads(line)
    games += question["op"] == "game"
    if question["op"] == "choose" and games > 1:
        FAULT
    print(json.dumps({"protocol": "canasta-player/1", "action": 0}), flush=True)
"#;

fn bad(place: &Path, name: &str, fault: &str) -> String {
    let path: PathBuf = place.join(format!("{name}.py"));
    fs::write(&path, BAD.replace("FAULT", fault)).unwrap();
    format!("python3 {}", path.to_str().unwrap())
}

/// Checks that a program that fails ends the arena with the reason, and that the deal before stays.
#[test]
fn a_player_that_fails_is_named() {
    let place = directory("arena-bad");
    for (name, fault, expected) in [
        ("ended", "sys.exit(3)", "expected an answer, found the end of the program's output"),
        ("late", "time.sleep(60)", "expected an answer within 3000 ms, found none"),
        ("garbage", "print('7h', flush=True); continue", "expected `action`, a number from 0 to "),
        (
            "range",
            "print('{\"action\": 999}', flush=True); continue",
            "expected `action`, a number from 0 to ",
        ),
        ("none", "print('{}', flush=True); continue", "expected `action`, a number from 0 to "),
        (
            "error",
            "print('{\"error\": \"no idea\"}', flush=True); continue",
            "found {\"error\": \"no idea\"}",
        ),
        ("long", "print(' ' * 70000, flush=True); continue", "expected less than 65536 bytes"),
    ] {
        let (out, player) = (place.join(name), bad(&place, name, fault));
        let ran =
            arena(&["level:2", &player], "--ruleset classic-2p --deals 5 --move-ms 3000 --threads 1", &out);
        assert_eq!(ran.exit, Exit::Failure, "{name}");
        let begin = format!("deal 1: player `{player}`: ");
        assert!(ran.err.starts_with(&begin) && ran.err.contains(expected), "{name}: {}", ran.err);
        assert!(
            ran.err.contains("question: {\"op\":\"choose\",\"clock_ms\":3000,\"position\":\"classic-2p;")
        );
        assert_eq!(points(&out).len(), 1, "{name}");
    }
    for (player, expected) in [
        ("/no/such/program", "player `/no/such/program`: No such file or directory"),
        ("echo {}", "expected \"protocol\":\"canasta-player/1\", found {}"),
        ("level:9", "expected level:1 to level:6"),
        ("", "expected a player, found no word"),
        ("cat", "expected"),
    ] {
        let ran = command(&["arena", player, "random", "--deals", "1"], b"");
        assert_eq!(ran.exit, Exit::Failure);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}

#[test]
fn the_sample_in_python_beats_random_players() {
    let ran = command(&["arena", &greedy(), "random", "--deals", "10", "--format", "json"], b"");
    let found: Value = serde_json::from_slice(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
    let won = found["pairs"][0]["won"]["value"].as_f64().unwrap();
    assert!(won > 0.8, "{found}");
}

#[test]
fn the_bot_says_which_question_it_cannot_answer() {
    let questions = [
        json!({"op": "hello", "protocol": "canasta-player/1"}),
        json!({"op": "fold"}),
        json!({"op": "choose", "clock_ms": 1, "position": "classic-4p", "held": [], "since": [], "actions": ["fold"]}),
        json!({"op": "choose", "clock_ms": 1, "position": "", "held": [], "since": [], "actions": ["draw"]}),
        json!({"op": "choose", "clock_ms": 1, "position": "classic-4p", "held": [], "since": [], "actions": ["draw"]}),
    ];
    let input: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let ran = command(&["player"], input.as_bytes());
    let lines = String::from_utf8(ran.out).unwrap();
    let answers: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["protocol"], "canasta-player/1");
    assert!(answers[1]["error"].as_str().unwrap().contains("fold"));
    assert_eq!(
        answers[2],
        json!({"error": "actions: byte 0: expected an action such as draw, take, meld, discard, ask or answer, found fold"})
    );
    assert!(answers[3]["error"].as_str().unwrap().starts_with("position: "));
    assert_eq!(answers[4], json!({"action": 0}));
}

/// Checks that the bot answers the questions of the page's session as the page says.
#[test]
fn the_session_of_the_page_is_played() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/play/PLAYERS.md");
    let page = fs::read_to_string(page).unwrap();
    let session = page.split("## A session").nth(1).and_then(|part| part.split("```text\n").nth(1)).unwrap();
    let lines = session.lines().take_while(|line| !line.starts_with("```"));
    let (asked, answered): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("{\"op\""));
    assert!(asked.len() > 5 && asked.len() == answered.len());
    let ran = command(&["player"], (asked.join("\n") + "\n").as_bytes());
    assert_eq!(String::from_utf8(ran.out).unwrap().lines().collect::<Vec<_>>(), answered);
}

/// A player that writes down seat and seed of each game, in a file of its process, and plays the first action.
const NOTING: &str = r#"
import json, os, sys
notes = open("FOLDER/%d" % os.getpid(), "w")
for line in sys.stdin:
    question = json.loads(line)
    if question["op"] == "game":
        print(question["seat"], question["seed"], file=notes, flush=True)
    print(json.dumps({"protocol": "canasta-player/1", "action": 0}), flush=True)
"#;

/// Plays six deals by two programs and a bot. The seed of a game tells its deal: equal seats have equal seeds in equal deals only.
#[test]
fn no_process_plays_a_deal_twice() {
    let place = directory("arena-deals");
    let (notes, script) = (place.join("notes"), place.join("noting.py"));
    fs::create_dir(&notes).unwrap();
    fs::write(&script, NOTING.replace("FOLDER", notes.to_str().unwrap())).unwrap();
    let player = format!("python3 {}", script.to_str().unwrap());
    let options = "--ruleset classic-2p --deals 6 --threads 2";
    let ran = arena(&[&player, &player, "random"], options, &place.join("out"));
    assert_eq!(ran.exit, Exit::Clean, "{}", ran.err);
    let (mut games, mut deals) = (0, [BTreeSet::new(), BTreeSet::new()]);
    for file in fs::read_dir(&notes).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let played: Vec<(usize, &str)> = text
            .lines()
            .map(|line| line.split_once(' ').map(|(seat, seed)| (seat.parse().unwrap(), seed)).unwrap())
            .collect();
        let different: BTreeSet<_> = played.iter().collect();
        assert_eq!(different.len(), played.len(), "a deal twice: {text}");
        assert!(played.iter().all(|(seat, _)| *seat == played[0].0), "another seat: {text}");
        games += played.len();
        played.iter().for_each(|&(seat, seed)| deals[seat].extend([seed.to_owned()]));
    }
    // Each deal with both seatings: the programs sit at both sides against each other, and once each against the third.
    assert_eq!(games, 6 * 2 * (2 + 1 + 1));
    assert_eq!(deals.map(|seeds| seeds.len()), [6, 6], "deals by seat");
}
