//! Notation of whole games: written and read again, byte for byte, for every rule set, at any moment of a
//! game.

use crate::common::{Extras, Ran, Rng, command, directory, frames, play, play_explicit, short};
use canasta_engine::action::Action;
use canasta_engine::card::Card;
use canasta_engine::log::{Chain, HEADER, Reader, Record};
use canasta_engine::rules::PRESETS;
use canasta_engine::text::{from_text, from_text_as_recorded, to_text};
use canasta_replay::Exit;
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn records(log: &[u8]) -> Vec<Record> {
    let (mut reader, mut piece, mut records) = (Reader::new(), log, Vec::new());
    while let Some(frame) = reader.next(&mut piece).expect("a log") {
        records.push(frame.record().expect("a record"));
    }
    records
}

fn bytes(records: &[Record]) -> Vec<u8> {
    let (mut log, mut chain) = (HEADER.to_vec(), Chain::START);
    for record in records {
        chain.append(&record.encode().expect("a record"), &mut log);
    }
    log
}

/// Checks that a log comes back byte for byte from its text, and returns the text.
fn check(log: &[u8], what: &str) -> String {
    let text = to_text(&records(log)).unwrap_or_else(|error| panic!("{what}: {error}"));
    let back = from_text(&text).unwrap_or_else(|error| panic!("{what}: {error}\n{text}"));
    assert!(bytes(&back) == log, "{what}: other bytes");
    text
}

fn golden() -> Vec<PathBuf> {
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/logs/v2");
    let sets = fs::read_dir(logs).unwrap().map(|set| set.unwrap().path());
    let mut files: Vec<PathBuf> =
        sets.flat_map(|set| fs::read_dir(set).unwrap().map(|file| file.unwrap().path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "clog"));
    files.sort();
    files
}

/// Checks that the text of a finished game comes back, and that the game's one secret is all that nobody could type.
#[test]
fn golden_logs_come_back() {
    let files = golden();
    assert!(files.len() >= 22 * 20, "{} logs", files.len());
    for (at, file) in files.iter().enumerate() {
        // Of each rule set two: a release build takes seconds for all, a debug build minutes.
        if cfg!(debug_assertions) && at % 10 != 0 {
            continue;
        }
        let log = fs::read(file).unwrap();
        let text = check(&log, &file.display().to_string());
        assert!(!text.contains("state ") && !text.contains("commitment "), "{}", file.display());
        assert_eq!(text.matches("secret ").count(), 1);
        assert!(text.len() < 6 * log.len(), "{} bytes of text for {}", text.len(), log.len());
    }
}

/// Compares the text in docs/formats/NOTATION.md with the text of a golden log.
#[test]
fn the_page_shows_a_golden_log() {
    let page = include_str!("../../../docs/formats/NOTATION.md");
    let start = page.find("canasta-game/1\n").expect("a game");
    let shown = page[start..].split("```").next().expect("the end of the block");
    let file =
        golden().into_iter().find(|file| file.ends_with("classic-4p/game-000000.clog")).expect("a log");
    let text = check(&fs::read(file).unwrap(), "classic-4p");
    for line in shown.lines().filter(|line| !line.starts_with('#')) {
        assert!(text.lines().any(|found| found == line), "{line}");
    }
}

#[test]
fn games_with_everything_come_back() {
    let (mut refusals, mut notes) = (0, 0);
    for preset in [
        "classic-2p",
        "classic-3p",
        "classic-6p-3x2",
        "classic-6p-2x3",
        "miller-6p-2x3",
        "wahhi-6p",
        "gr-4p",
        "classic-4p",
    ] {
        let text = check(&play(&short(preset, 5), 0, Extras::All), preset);
        // What was refused is in clear after the reveal, and its mask follows.
        refusals += text.matches("refused ").count();
        notes += text.matches(": note ").count();
        assert!(!text.contains("masked") && text.contains("house short"), "{text}");
    }
    assert!(refusals > 10 && notes > 2, "{refusals} refusals, {notes} notes");
    for game in 0..3 {
        let text = check(&play_explicit(&short("classic-4p", 100_000), game), "explicit");
        assert!(text.contains(" salt 0707"), "{text}");
    }
}

/// Checks that a log that is cut anywhere has a text that comes back, and that shows only cards of revealed rounds.
#[test]
fn live_logs_come_back_and_show_no_more_than_they_hold() {
    for preset in ["classic-4p", "classic-2p", "gr-4p"] {
        let log = play(&short(preset, 1500), 0, Extras::All);
        for &end in frames(&log).iter().skip(1).step_by(97) {
            let text = check(&log[..end], preset);
            let open = text.rfind("\nround ").map_or("", |at| &text[at..]);
            if open.contains("\nend ") {
                continue;
            }
            for line in open.lines() {
                assert!(
                    !line.contains("hands ") && !line.contains("draw X") && !line.contains(" gets "),
                    "{line}"
                );
                for part in line.split(", ") {
                    let part = part.split_once(": ").map_or(part, |(_, part)| part);
                    assert!(
                        !part.starts_with("draw ")
                            || part.starts_with("draw state ")
                            || part.starts_with("draw @"),
                        "{part}"
                    );
                }
            }
        }
    }
}

/// Checks that the text has every digest from an illegal action to the next round.
#[test]
fn illegal_games_come_back() {
    let mut records = records(&play(&short("classic-4p", 1500), 2, Extras::None));
    let discards: Vec<usize> = (0..records.len())
        .filter(|&at| {
            matches!(&records[at], Record::Action(record)
                if matches!(record.action, Action::Discard(_)))
        })
        .collect();
    let Record::Action(record) = &mut records[discards[5]] else { unreachable!("a discard") };
    // A red three is laid at once, so it is in nobody's hand.
    record.action = Action::Discard(Card::parse("3h").expect("a card"));
    let text = check(&bytes(&records), "illegal");
    let rounds: Vec<&str> = text.split("\nround ").skip(1).collect();
    assert!(rounds[0].contains("discard 3h state "), "{}", rounds[0]);
    assert!(
        rounds[1..].iter().all(|round| !round.contains("state ")),
        "play goes on from the declared scores"
    );
}

#[test]
fn commands_go_out_and_back() {
    let place = directory("notation");
    let log = play(&short("classic-4p", 5), 1, Extras::All);
    let (path, again) = (place.join("game.clog"), place.join("again.clog"));
    fs::write(&path, &log).unwrap();
    let Ran { exit, out, err } = command(&["export", path.to_str().unwrap(), "--format", "notation"], &[]);
    assert_eq!((exit, err.as_str()), (Exit::Clean, ""));
    let ran = command(&["import", "-", "-o", again.to_str().unwrap()], &out);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Clean, ""));
    assert!(fs::read(&again).unwrap() == log);
    // Damage is refused, and nothing is written.
    let mut damaged = log.clone();
    damaged[log.len() / 2] ^= 1;
    for bad in [&damaged[..], &log[..log.len() - 3]] {
        let Ran { exit, out, err } = command(&["export", "-", "--format", "notation"], bad);
        assert_eq!((exit, out.len()), (Exit::Findings, 0));
        assert!(err.contains("nothing was written"), "{err}");
    }
    let Ran { exit, err, .. } = command(&["import", "-", "-o", "-"], &log);
    assert_eq!(exit, Exit::Findings);
    assert!(err.contains("this is a log already"), "{err}");
    let ran = command(&["import", "-", "-o", "-", "--as-recorded"], &out);
    assert!(ran.exit == Exit::Clean && ran.out == log, "{}", ran.err);
    let Ran { exit, err, .. } = command(&["import", "-", "-o", "-", "--fill"], &out);
    assert_eq!(exit, Exit::Findings);
    assert!(err.contains("notation is filled in without --fill"), "{err}");
}

/// Scores and a winner that do not follow, for example after a ruling, are refused except with
/// `--as-recorded`.
#[test]
fn scores_that_do_not_follow_are_named() {
    let text = check(&play(&short("classic-4p", 5), 3, Extras::None), "a game");
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.iter().position(|line| line.starts_with("end ")).expect("a round that ends");
    let ruling = "director: ruling IR-033 -100 NS N";
    let mut ruled = lines.clone();
    ruled.insert(end - 1, ruling);
    let ruled = ruled.join("\n") + "\n";
    let wrong = |text: &str| from_text(text).expect_err("a score that does not follow");
    let error = wrong(&ruled);
    // The ruling moves all lines by one, lines count from 1, and the score of NS follows the line `end`.
    assert_eq!(error.line as usize, end + 3, "{error}");
    assert!(error.reason.starts_with("score NS: the text says "), "{error}");
    assert!(error.reason.contains("adjustments -100"), "{error}");
    let taken = from_text_as_recorded(&ruled).expect("as somebody wrote it");
    let ran = command(&["import", "-", "-o", "-"], ruled.as_bytes());
    assert!(ran.exit == Exit::Findings && ran.out.is_empty(), "{}", ran.err);
    assert_eq!(command(&["import", "--as-recorded", "-", "-o", "-"], ruled.as_bytes()).out, bytes(&taken));
    // The text without the scores and the winner can be read.
    let bare: Vec<String> = ruled
        .lines()
        .filter(|line| !line.starts_with("score "))
        .map(|line| line.replace("winner NS", "game over").replace("winner EW", "game over"))
        .collect();
    from_text(&(bare.join("\n") + "\n")).expect("what is left out follows");
    let winner = text.replace("winner NS", "winner -").replace("winner EW", "winner -");
    assert!(wrong(&winner).reason.starts_with("winner: the text says nobody, "), "{}", wrong(&winner));
    let reason = text.replacen(lines[end], "end last_three", 1);
    assert!(wrong(&reason).reason.starts_with("end: the text says last_three, "), "{}", wrong(&reason));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Writes and reads the text of any game under any rule set, with any way to deal, cut anywhere.
    #[test]
    fn any_game_comes_back(
        preset in proptest::sample::select(PRESETS),
        mode in proptest::sample::select(&["seeded", "committed", "explicit"]),
        seed in any::<u64>(),
        cut in 0usize..10_000,
    ) {
        let place = directory("notation-any");
        let (seed, place) = (seed.to_string(), place.to_str().unwrap().to_owned());
        let ran = command(
            &["simulate", "--ruleset", preset, "--mode", mode, "--seed", &seed, "--out", &place],
            &[],
        );
        prop_assert_eq!(ran.exit, Exit::Clean, "{}", ran.err);
        let log = fs::read(Path::new(&place).join("game-000000.clog")).unwrap();
        let what = format!("{preset} {mode} {seed}");
        check(&log, &what);
        let frames = frames(&log);
        check(&log[..frames[1 + cut % (frames.len() - 1)]], &what);
    }

    /// Checks that mistyped text is refused with a place, or is another game that has a text of its own.
    #[test]
    fn changed_texts_are_read_or_refused(seed in any::<u64>(), changes in 1usize..4) {
        let mut rng = Rng(seed);
        let log = play(&short("classic-4p", 5), (seed % 50) as u32, Extras::All);
        let text = to_text(&records(&log)).expect("a text");
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..changes {
            let at = rng.below(chars.len());
            let others = ['\n', '"', ',', ':', '#', '@', '?', '-', 'X', '9', ' ', '\u{202e}', 'é'];
            match rng.below(3) {
                0 => drop(chars.remove(at)),
                1 => chars.insert(at, others[rng.below(others.len())]),
                _ => chars[at] = chars[rng.below(chars.len())],
            }
        }
        let changed: String = chars.into_iter().collect();
        match from_text(&changed) {
            Err(error) => {
                let line = changed.lines().nth(error.line as usize - 1).unwrap_or("");
                prop_assert!(error.column as usize <= line.chars().count() + 1, "{}", error);
            }
            Ok(records) => {
                if let Ok(strict) = to_text(&records) {
                    prop_assert_eq!(from_text(&strict), Ok(records));
                }
            }
        }
    }
}
