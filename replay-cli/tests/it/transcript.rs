//! Transcripts as in docs/judge/TRANSCRIPT.md: written, judged, shown, exported, packed.

use crate::common::{Ran, command, directory, logs};
use canasta_engine::archive::{pack, unpack};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::Verdict;
use canasta_replay::Exit;
use serde_json::Value;
use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../../../docs/judge/TRANSCRIPT.md");

/// Returns the first block of the page in this language.
fn block(language: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```{language}\n")).expect("a block");
    rest.split_once("```").expect("the end of a block").0
}

fn import(text: &str, log: &Path) -> Ran {
    command(&["import", "-", "-o", log.to_str().expect("text"), "--force"], text.as_bytes())
}

fn text(ran: &Ran) -> String {
    String::from_utf8(ran.out.clone()).expect("text")
}

#[test]
fn the_example_of_the_page_holds() {
    let place = directory("transcript-page");
    let log = place.join("table.clog");
    let ran = import(block("text"), &log);
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
    let page = block("text");
    for (old, new, expected) in [
        (
            "draw 6h",
            "draw 6h 6d",
            "line 7, column 4: draw_stock: 2 received cards are named, the action brought 1",
        ),
        (
            "upcards 9d",
            "upcards 2d",
            "line 6, column 1: deal: SETUP_START_CARD: the pile starts with the first card that needs no cover, and 2d \
             does not fit",
        ),
        (
            " upcards 9d",
            "",
            "line 6, column 1: deal: the deal must say with which card the pile begins (upcards)",
        ),
        (
            "discard 4d",
            "discard As",
            "line 7, column 35: discard: TURN_CARD_NOT_IN_HAND: As is not in the hand as often as named (0 held)",
        ),
        ("dealer W", "dealer 7", "line 5, column 16: expected a seat, found 7"),
        ("E: draw", "S: draw", "line 8, column 4: draw_stock: TURN_NOT_YOURS: seat 1 is to act"),
        (
            "classic-4p",
            "classic-9p",
            "line 1, column 7: expected a preset such as classic-4p, found classic-9p",
        ),
        (
            "cards transcribed",
            "cards seeded",
            "line 6, column 1: deal: the cards of this round are not known",
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

/// Checks that the end of a round which is not over says who still holds how many cards.
#[test]
fn a_round_that_is_not_over_says_who_holds_cards() {
    let place = directory("transcript-open");
    let log = place.join("t.clog");
    let game = |rules: &str, more: &str| {
        format!("rules {rules}\nround 1 dealer W\ndeal upcards 9d\nN: draw, discard 4d\n{more}\n")
    };
    let next = "round 2 dealer N\ndeal upcards 9d";
    for more in ["end went_out", "end went_out\nscore NS 100: going_out 100", "end", next] {
        let ran = import(&game("classic-4p", more), &log);
        let said = "the round is not over: N still has 11 cards, E still has 11 cards, S still has 11 cards";
        assert!(ran.exit == Exit::Findings && ran.err.contains(said), "{more}: {}", ran.err);
        assert!(!ran.err.contains("digest"), "{}", ran.err);
    }
    let ran = import(&game("hand-and-foot-4p", "end went_out"), &log);
    assert!(ran.err.contains("E still has 13 cards and the foot"), "{}", ran.err);
    assert!(ran.err.contains("a red three of a foot is not named (gets 3d)"), "{}", ran.err);
    let ran = import("rules classic-4p\ncards transcribed\nend went_out\n", &log);
    assert!(ran.err.contains("no round is being played here"), "{}", ran.err);
}

/// Checks that a name which two players have stands for no seat, wherever a seat may stand.
#[test]
fn a_name_of_two_players_is_refused_with_that_reason() {
    let place = directory("transcript-names");
    let log = place.join("t.clog");
    let page = block("text").replace("seats North, East, South, West", "seats Ann, ann, Cleo, Dee");
    assert_eq!(import(&page, &log).exit, Exit::Clean);
    for (old, new) in [
        ("N: draw", "Ann: draw"),
        ("N: draw", "Ann draw"),
        ("dealer W", "dealer Ann"),
        ("hands N=", "hands ann="),
        ("cards transcribed\n", &format!("key Ann {}\ncards transcribed\n", "11".repeat(32))),
    ] {
        let ran = import(&page.replacen(old, new, 1), &place.join("u.clog"));
        assert!(
            ran.exit == Exit::Findings && ran.err.contains("because two players have this name"),
            "{new}: {}",
            ran.err
        );
    }
}

/// Returns a played game as somebody at the table could have written it down; nothing is known about South's
/// cards.
fn written_down(exported: &str) -> String {
    let mut written = String::new();
    for line in exported.lines() {
        let line = match line {
            "cards seeded" => "cards transcribed".to_owned(),
            line if line.starts_with("winner ") => continue,
            line if line.starts_with("deal ") => {
                let words = line.split(' ').map(|word| match word.strip_prefix("S=") {
                    // Red threes lie on the table.
                    Some(hand) => format!("S={}", unknown(hand)),
                    None => word.to_owned(),
                });
                words.collect::<Vec<_>>().join(" ")
            }
            line => line.to_owned(),
        };
        written += &format!("{line}\n");
    }
    written
}

fn unknown(hand: &str) -> String {
    let cards = hand.replace('X', "X ");
    let pairs = cards.as_bytes().chunks(2);
    pairs
        .map(|card| if card == b"3h" || card == b"3d" { String::from_utf8_lossy(card) } else { "??".into() })
        .collect()
}

#[test]
fn a_whole_game_is_written_judged_shown_and_packed() {
    let place = directory("transcript-game");
    let [played] = &logs(&place, 1)[..] else { panic!("one log") };
    let exported = command(&["export", played.to_str().expect("text"), "--format", "notation"], &[]);
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

    let packed = pack(&[&bytes]);
    assert_eq!(unpack(&packed.body, &packed.sizes), Ok(vec![bytes]));
    let proof = text(&command(&["verify-deal", path], &[]));
    assert!(proof.contains("transcribed"), "{proof}");
}

/// A table where nobody recorded the hands: an initial meld of 30 points (below the minimum of 50, CL-058) that nobody
/// challenged stands (IR-023). What everybody saw is in the position; 9 cards of North are not known.
const STOOD: &str = "\
rules classic-4p
seats Anna, Boris, Cyril, Diana
cards transcribed
round 1 dealer W
deal hands N=11 E=11 S=11 W=11 upcards 9d
N: draw
director: ruling IR-023 0 NS N effect stand \"meld KsKhKd\" position \"classic-4p; to move N; drew; melded; first; hand N 9; hand E 11; hand S 11; hand W 11; melds NS KsKhKd; pile 9d\"
N: discard 4d
E: draw, discard 8c
S: draw, meld Kc, discard 5c
";

/// Checks a ruling `stand` whose position leaves the hands open: play is judged on from there, and the verdict says that
/// cards are unknown. The position must say what all players see.
#[test]
fn a_ruling_lets_stand_with_unknown_cards() {
    let place = directory("transcript-stand");
    let log = place.join("table.clog");
    let path = log.to_str().expect("text");
    let ran = import(STOOD, &log);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Clean, ""));
    let ran = command(&["audit", path, "--live", "--format", "json"], &[]);
    let report: Value = serde_json::from_slice(&ran.out).expect("JSON");
    assert_eq!(ran.exit, Exit::Clean, "{report}");
    assert_eq!(report["logs"][0]["verdict"], "CONDITIONAL", "{report}");
    let shown = text(&command(&["export", path, "--format", "notation"], &[]));
    assert_eq!(import(&shown, &place.join("again.clog")).exit, Exit::Clean);
    assert_eq!(fs::read(&log).unwrap(), fs::read(place.join("again.clog")).unwrap());

    for (old, new, expected) in [
        // What all players see must be said: the pile, the numbers of cards, and no three that nobody laid.
        ("; pile 9d", "", "RULING_EFFECT_NOT_APPLICABLE"),
        ("; hand E 11", "", "RULING_EFFECT_NOT_APPLICABLE"),
        ("pile 9d\"", "pile ??\"", "RULING_EFFECT_NOT_APPLICABLE"),
        ("pile 9d\"", "pile 9d; stock 58\"", "RULING_EFFECT_NOT_APPLICABLE"),
        // What the judge says is known binds later play: North has no 4d, and South has the only kings of clubs.
        ("hand N 9;", "hand N 5d5h6d6h7d7h8d8h9h;", "TURN_CARD_NOT_IN_HAND"),
        ("hand E 11;", "hand E KcKc?????????????????? ;", "every Kc of the pack has been seen elsewhere"),
        // Later play is judged: South adds to a meld that has two kings left of eight.
        ("S: draw, meld Kc, discard 5c", "S: draw, meld Qc, discard 5c", "MELD_TOO_SMALL"),
        ("S: draw, meld Kc, discard 5c", "S: draw, draw", "TURN_"),
    ] {
        assert!(STOOD.contains(old), "{old}");
        let ran = import(&STOOD.replacen(old, new, 1), &log);
        assert!(ran.exit != Exit::Clean && ran.err.contains(expected), "{new}: {}", ran.err);
    }
}
