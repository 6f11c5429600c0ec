//! Games from positions: `import` and `simulate --position`, and what they are worth (IR-113).

use crate::common::{command, directory};
use canasta_replay::Exit;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A saved game as another program writes it: all 108 cards, the top of the pile first.
const SAVED: &str = "\
Round: 2

Computer:
   Score: 640
   Hand: AS AD XH J1
   Melds: [4H 4C 4S 4D] [6H 6C 6S 2D] [3D] [3H]

Human:
   Points: 1610
   Hand: XS XD 2D 3C
   Melds: [5H 5C 5S 5D] [7H 7C 7S J2] [3D 3H]

Stock: 3S KD
Discard Pile: 6D AH AC AS AD 9H 9C 9S 9D 6H 6C 6S 2H 2C 2S JH JC JS JD 8H 8C 8S 8D 2H 2C 2S QH QC QS QD 5H 5C 5S 5D 3S 7H \
7C 7S 7D KH KC KS KD AH AC XH XC XS XD 4H 4C 4S 4D KH KC KS XC 3C J3 J4 6D 7D 8H 8C 8S 8D 9H 9C 9S 9D JH JC JS JD QH QC \
QS QD

Next Player: Human
";

fn import(place: &Path, text: &str) -> (Exit, String, String) {
    let log = place.join("game.clog");
    let ran = command(&["import", "-", "-o", log.to_str().unwrap(), "--force"], text.as_bytes());
    (ran.exit, ran.err, log.to_str().unwrap().into())
}

fn said(args: &[&str]) -> String {
    String::from_utf8(command(args, b"").out).unwrap()
}

#[test]
fn a_saved_game_of_another_program_is_played_on_by_hand_and_by_bots() {
    let place = directory("saved_game");
    let (exit, err, log) = import(&place, SAVED);
    assert_eq!((exit, err.as_str()), (Exit::Clean, ""));
    let shown = said(&["show", &log]);
    for fact in [
        "round 2, Computer deals; Human to draw or to take the pile",
        "Computer: 640 points",
        "Human: 1,610 points",
        "Computer   4 in hand   laid 3d 3h",
        "stock 2 · pile 78 cards, 6d on top",
        "IR-113",
        "play goes on from a given position",
    ] {
        assert!(shown.contains(fact), "{fact}: {shown}");
    }
    // Play is typed on where the position ends.
    let mut text = said(&["export", &log, "--format", "notation"]);
    text += "Human: draw, discard 3c\n...\n";
    let (exit, err, log) = import(&place, &text);
    assert_eq!((exit, err.as_str()), (Exit::Clean, ""), "{text}");
    let audit: Value = serde_json::from_str(&said(&["audit", &log, "--format", "json", "--live"])).unwrap();
    let audited = &audit["logs"][0];
    assert_eq!(
        (audited["taken_up"].as_bool(), audited["actions"].as_u64()),
        (Some(true), Some(3)),
        "{audit}"
    );
    let file = place.join("saved.txt");
    fs::write(&file, SAVED).unwrap();
    let out = place.join("games");
    let ran = command(
        &["simulate", "--position", file.to_str().unwrap(), "--games", "3", "--out", out.to_str().unwrap()],
        b"",
    );
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Clean, ""));
    let audited = said(&["audit", out.to_str().unwrap(), "--standings"]);
    assert!(audited.contains("3 clean with rulings"), "{audited}");
    assert!(audited.contains("3 games not counted"), "{audited}");
    assert_eq!(audited.matches("taken up from a position, and not dealt (IR-113)").count(), 3, "{audited}");
}

#[test]
fn what_is_missing_or_unclear_is_said() {
    let place = directory("saved_faults");
    for (text, reason) in [
        (SAVED.replace("KH KC KS XC 3C J3 J4", "KH KC"), "103 cards, the pack has 108: five are missing"),
        (SAVED.replace("Computer", "Human"), "Next Player: expected the name of one player, found \"Human\""),
        (SAVED.replace("AS AD XH", "AS AD 1H"), "expected cards such as 7H, XC or J1, found \"1H\""),
        (SAVED.replace("Stock", "Talon"), "line 13: expected a part of a saved game"),
        (SAVED.replace("3C J3", "6D J3"), "expected a card that the pack still has, found 6d"),
        ("classic-4p; hand N Kd 7h".into(), "with the pile and all laid threes named"),
        ("classic-4p; round 3; to register".into(), "a round that is dealt or about to be dealt"),
        ("classic-4p; hand N Kd; hand E 4c; hand S 5c; hand W 6c; pile 5h; stock 7c".into(), "are missing"),
    ] {
        let (exit, err, _) = import(&place, &text);
        assert_ne!(exit, Exit::Clean, "{text}");
        assert!(err.contains(reason), "{text}\n{err}");
    }
}

/// Checks that a file is read whole or not at all, also where what lies beyond the maximum would change nothing.
#[test]
fn what_is_longer_than_the_maximum_is_refused_and_not_cut() {
    let place = directory("too_long");
    let file = place.join("long.txt");
    fs::write(&file, format!("{SAVED}{}", "\n".repeat(1 << 16))).unwrap();
    let (file, out) = (file.to_str().unwrap(), place.join("games"));
    let ran = command(&["simulate", "--position", file, "--out", out.to_str().unwrap()], b"");
    assert_eq!(ran.exit, Exit::Failure);
    assert!(ran.err.contains("long.txt: expected at most 65536 bytes, found more"), "{}", ran.err);
    // For check, findings are steps that are not legal.
    let ran = command(&["check", "-", "--action", "draw"], " ".repeat(8193).as_bytes());
    assert_eq!(ran.exit, Exit::Failure);
    assert!(ran.err.contains("standard input: expected at most 8192 bytes, found more"), "{}", ran.err);
}

#[test]
fn a_game_that_was_taken_up_is_published_nowhere_and_has_no_statistics() {
    let place = directory("taken_up");
    let position = place.join("position.txt");
    fs::write(&position, "classic-4p; score 4400 4300; round 7; hand N Kd 7h X; pile 5h 2c 7d").unwrap();
    let games = place.join("games");
    let (position, games) = (position.to_str().unwrap(), games.to_str().unwrap());
    assert_eq!(command(&["simulate", "--position", position, "--out", games], b"").exit, Exit::Clean);
    let (key, _) = crate::common::key(&place, "event.example", 1);
    let site = place.join("site");
    let refused = command(&["publish", games, "--key", &key, "-o", site.to_str().unwrap()], b"");
    assert_ne!(refused.exit, Exit::Clean);
    assert!(refused.err.contains("taken up from a position, and not dealt (IR-113)"), "{}", refused.err);
    let stats = command(&["stats", games], b"");
    let told = String::from_utf8(stats.out).unwrap() + &stats.err;
    assert!(told.contains("taken up from a position"), "{told}");
}
