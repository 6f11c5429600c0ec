//! The words in which commands speak of seats and melds: by their names, not by their numbers.

use crate::common::{command, directory};
use canasta_engine::irregularity;
use canasta_engine::violations::template::Language;
use canasta_replay::{Cli, Exit};
use clap::Parser;
use std::path::{Path, PathBuf};

/// The rule sets of the games that are looked at: melds that are taken back, merged, and sequences among them.
const GAMES: [&str; 6] =
    ["classic-4p", "american-4p", "bolivia-4p", "hand-and-foot-4p", "samba-4p", "wahhi-4p"];

fn log_of(rule_set: &str, game: u32) -> PathBuf {
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/logs/v2");
    logs.join(rule_set).join(format!("game-{game:06}.clog"))
}

/// Runs a command and checks that what it says to people has no number of a meld or of a seat.
fn say(args: &[&str]) -> String {
    let ran = command(args, b"");
    let said = String::from_utf8_lossy(&ran.out).into_owned() + &ran.err;
    for word in ["meld ", "seat ", "side "] {
        for (at, _) in said.match_indices(word) {
            let rest = &said[at + word.len()..];
            let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            // `meld 2h` is a card.
            let is_number = after.len() < rest.len() && !after.starts_with(['s', 'h', 'd', 'c']);
            let line = said[..at].rsplit('\n').next().unwrap_or_default();
            assert!(!is_number, "{args:?}: {line}{word}{}", rest.lines().next().unwrap_or_default());
        }
    }
    said
}

#[test]
fn commands_about_a_log_name_seats_and_melds() {
    let mut said = String::new();
    for rule_set in GAMES {
        let (log, other) = (log_of(rule_set, 0), log_of(rule_set, 1));
        let (log, other) = (log.to_str().expect("text"), other.to_str().expect("text"));
        let listed = say(&["log", log, "--judge"]);
        let last = listed.lines().count();
        said += &listed;
        for at in (1..last).step_by(last / 6) {
            let at = at.to_string();
            for args in [
                &["show", log, "--at", &at, "--judge"][..],
                &["show", log, "--at", &at, "--seat", "North"],
                &["explain", log, "--at", &at],
                &["what-if", log, "--at", &at, "--action", "draw"],
                &["what-if", log, "--at", &at, "--action", "meld 2h onto 0"],
                &["rule", log, "--at", &at],
                &["rule", log, "--at", &at, "--what", "meld 2h 2d onto 1"],
            ] {
                said += &say(args);
            }
        }
        for args in [&["diff", log, other][..], &["audit", log], &["stats", log], &["verify-deal", log]] {
            said += &say(args);
        }
    }
    // The words are there at all: of melds that were laid, added to and closed.
    for words in ["(the ", "onto the ", "canasta: the ", " now has a "] {
        assert!(said.contains(words), "{words:?}");
    }
}

/// Checks a fork at a record that adds a card to a meld: `diff` tells the record in words, without the table.
#[test]
fn a_fork_names_the_meld() {
    let place = directory("words-fork");
    let copies = [", meld Kc onto 0, discard 4d", ", discard 4d"].map(|rest| {
        let text = format!(
            "rules classic-4p\ngame 00000000000000000000000000000001\nseats North, East, South, West\ncards transcribed\n\nround 1 dealer W\n\
             deal hands N=KsKhKdKcQsQh2c4d5d7h9c E=11 S=11 W=11 upcards 9d\n\
             N: draw 6h, meld KsKhKd / QsQh2c{rest}\n"
        );
        let log = place.join(format!("{}.clog", rest.len())).to_str().expect("text").to_owned();
        let ran = command(&["import", "-", "-o", &log], text.as_bytes());
        assert_eq!(ran.exit, Exit::Clean, "{}", ran.err);
        log
    });
    let said = say(&["diff", &copies[0], &copies[1]]);
    assert!(said.contains("North: meld Kc onto the kings"), "{said}");
}

#[test]
fn refusals_name_seats_and_melds() {
    for (position, action, words) in [
        (
            "classic-4p; to move N; drew; hand N 7h 8h; melds NS 8s8c8d / 7s7c7d",
            "meld 7h onto 5",
            "that meld does not exist",
        ),
        (
            "classic-4p; to move N; drew; hand N 7h 7s 7c; melds NS 7s7c7d",
            "meld 7h 7s 7c onto new",
            "the side has a meld of this rank already",
        ),
        ("classic-4p; to move N; hand E 7h", "E: discard 7h", "North is to act"),
        (
            "classic-4p; players Ann/Bob/Cleo/Dee; to move Ann; hand Bob 7h",
            "Bob: discard 7h",
            "Ann is to act",
        ),
    ] {
        let said = say(&["check", position, "--action", action]);
        assert!(said.contains("NOT LEGAL") && said.contains(words), "{said}");
        let ruled = say(&["rule", position, "--what", action]);
        assert!(ruled.contains(words), "{ruled}");
    }
    let repaired = say(&[
        "check",
        "classic-4p; to move N; drew; hand N 7h 7s 7c 9d; melds NS 7s7c7d",
        "--action",
        "meld 7h 7s 7c onto new",
    ]);
    assert!(repaired.contains("what would do: name the sevens as the target"), "{repaired}");
}

/// Checks that people are spoken to in German, and programs as before: the same exit code, JSON and bytes of a log.
#[test]
fn people_are_spoken_to_in_german_and_programs_are_not() {
    let log = log_of("classic-4p", 0);
    let log = log.to_str().expect("text");
    let position = "classic-4p; to move N; drew; hand N 7h 8h; melds NS 8s8c8d / 7s7c7d";
    for (args, said) in [
        (&["show", log, "--at", "24"][..], "hat jetzt eine gemischte Canasta: die Fünfen"),
        (&["log", log, "--round", "1"], "East: 5d 5h X als neue Meldung melden"),
        (&["explain", log, "--at", "30"], "West: 8c abwerfen"),
        (
            &["what-if", log, "--at", "30", "--action", "discard 7h"],
            "7h ist nicht so oft auf der Hand wie genannt",
        ),
        (&["check", position, "--action", "meld 7h onto 5"], "diese Meldung gibt es nicht"),
        (&["rule", position, "--what", "meld 7h onto 5"], "diese Meldung gibt es nicht"),
        (&["report", log, "-o", "-"], "<html lang=\"de\">"),
    ] {
        let of = |more: &[&str]| command(&[args, more].concat(), b"");
        let (english, german) = (of(&[]), of(&["--lang", "de"]));
        assert_eq!(english.exit, german.exit, "{args:?}");
        assert!(String::from_utf8_lossy(&german.out).contains(said), "{args:?}");
        assert!(!String::from_utf8_lossy(&english.out).contains(said), "{args:?}");
        if args[0] != "report" {
            assert_eq!(
                of(&["--format", "json"]).out,
                of(&["--format", "json", "--lang", "de"]).out,
                "{args:?}"
            );
        }
    }
    let place = directory("words-german");
    let [english, german] = ["en", "de"].map(|language| {
        let copy = place.join(language);
        std::fs::copy(log, &copy).expect("a copy");
        let ruling = ["rule", copy.to_str().expect("text"), "--law", "IR-033", "--seat", "N", "--append"];
        let ran = command(&[&ruling[..], &["--lang", language]].concat(), b"");
        assert_eq!(ran.exit, Exit::Clean, "{}", ran.err);
        std::fs::read(&copy).expect("the log")
    });
    assert_eq!(english, german);
}

#[test]
fn the_language_is_that_of_the_option_or_of_the_environment() {
    let language = |args: &[&str], set: &[(&str, &str)]| {
        let cli = Cli::try_parse_from([&["canasta-replay", "log", "-"], args].concat()).expect("arguments");
        let value = |name: &str| set.iter().find(|(other, _)| *other == name).map(|(_, value)| value.into());
        cli.language(value).map(Language::tag)
    };
    for (args, set, expected) in [
        (&[][..], &[][..], None),
        (&[], &[("LANG", "de_AT.UTF-8")], Some("de")),
        (&[], &[("LANG", "de_DE"), ("LC_ALL", "C")], None),
        (&[], &[("LANG", "en_US"), ("LC_MESSAGES", "de"), ("LC_ALL", "")], Some("de")),
        (&[], &[("LANG", "deadly")], None),
        (&["--lang", "en"], &[("LC_ALL", "de")], Some("en")),
        (&["--lang", "de"], &[("LC_ALL", "fr")], Some("de")),
    ] {
        assert_eq!(language(args, set), expected, "{args:?} {set:?}");
    }
    assert!(Cli::try_parse_from(["canasta-replay", "log", "-", "--lang", "fr"]).is_err());
}

/// Returns the words of a line, except names and numbers.
fn words_of(line: &str) -> Vec<&str> {
    let words = line.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.len() > 2 && word.chars().all(char::is_lowercase)).collect()
}

/// Checks that no line of a command in German has a word that the same line has in English.
fn check_translated(args: &[&str]) {
    let [english, german] = ["en", "de"].map(|language| say(&[args, &["--lang", language]].concat()));
    // Laws, codes and notation are the same in every language.
    let is_law = |line: &str| {
        line.contains('[') || ["position: ", "IR-"].iter().any(|&law| line.trim().starts_with(law))
    };
    for (english, german) in english.lines().zip(german.lines()).filter(|(_, german)| !is_law(german)) {
        let english = words_of(english);
        for word in words_of(german) {
            let is_same =
                word == "canasta" || GAMES.iter().any(|name| name.split('-').any(|part| part == word));
            assert!(is_same || !english.contains(&word), "{args:?}: {word:?} in {german:?}");
        }
    }
}

#[test]
fn no_word_of_a_log_is_left_in_english() {
    for rule_set in GAMES {
        let log = log_of(rule_set, 0);
        let log = log.to_str().expect("text");
        check_translated(&["log", log, "--judge"]);
        let records = say(&["log", log])
            .lines()
            .filter(|line| line.trim().starts_with(|c: char| c.is_ascii_digit()))
            .count();
        for at in (0..records).step_by(records / 12) {
            let at = at.to_string();
            check_translated(&["show", log, "--at", &at, "--judge"]);
            check_translated(&["show", log, "--at", &at, "--seat", "North"]);
        }
    }
}

/// Checks that the answer to every irregularity and every law has no word in German that its line has in English, besides
/// the words of notation and of options.
#[test]
fn no_word_of_a_law_is_left_in_english() {
    let notation: Vec<&str> = irregularity::sanctions()
        .flat_map(|of| of.penalty.authorities().chain(of.penalty.effects()))
        .collect();
    let is_notation = |word: &str| notation.iter().any(|name| name.split('_').any(|part| part == word));
    let keys: Vec<&str> =
        irregularity::all().flat_map(|row| row.questions()).map(|question| question.key).collect();
    let options = ["answer", "effect", "law", "ask", "check", "seat", "cards", "canasta", "warning"];
    // A word of both languages, with two meanings.
    let both = "was";
    let answers = |args: &[&str]| ["en", "de"].map(|tag| say(&[args, &["--lang", tag]].concat()));
    let said = irregularity::all().flat_map(|row| {
        let case = row.cases().next().expect("a case");
        let by_law = row.remedies().map(|remedy| vec!["--seat", "N", "--law", remedy.law]);
        by_law.chain([vec!["--what", case.words]]).collect::<Vec<_>>()
    });
    for args in said {
        let [english, german] = answers(&[&["rule"], &args[..]].concat());
        assert_eq!(english.lines().count(), german.lines().count());
        let lines = english.lines().zip(german.lines()).filter(|(line, _)| !line.starts_with("record "));
        for (english, german) in lines {
            // The words that were typed, and knobs, are the same in both.
            let german = german.split(['"', '`']).step_by(2).collect::<Vec<_>>().join(" ");
            for word in words_of(&german) {
                let is_option = keys.contains(&word) || options.contains(&word);
                let is_same = is_option || is_notation(word) || word == both;
                assert!(is_same || !words_of(english).contains(&word), "{word:?} in {german:?}");
            }
        }
    }
}
