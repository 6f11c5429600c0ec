//! Slips of the pen in transcripts and on score sheets are found: they are made from played games of all rule sets.

use crate::common::transcripts::{Item, golden, items, sheet, transcript};
use crate::common::{Rng, command};
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::{Chain, HEADER};
use canasta_engine::rules::{HeldThreesAsLaid, PRESETS, RuleSet, Rules, ScoreUnit, ThreeSign};
use canasta_engine::text::{draft, from_text, from_text_as_recorded, score_text};
use canasta_replay::Exit;
use canasta_tournament::scores::count;
use serde_json::Value;
use std::collections::BTreeMap;

fn score_line(unit: &str, items: &[Item]) -> String {
    let total: i64 = items.iter().map(|(.., points)| points).sum();
    let item = |(item, count, points): &Item| match count {
        Some(count) => format!("{item} ({count}) {points}"),
        None => format!("{item} {points}"),
    };
    format!("score {unit} {total}: {}", items.iter().map(item).collect::<Vec<_>>().join(", "))
}

/// Returns the score as a scorer may write it by mistake: every item in several ways, and items that were not earned.
fn slips(items: &[Item]) -> Vec<(String, Vec<Item>)> {
    let mut all = Vec::new();
    for (at, (item, count, points)) in items.iter().enumerate() {
        let mut with = |count: Option<i64>, points: i64| {
            let mut changed = items.to_vec();
            changed[at] = (item.clone(), count, points);
            all.push((item.clone(), changed));
        };
        for by in [1, 50, -100, -2 * points] {
            with(*count, points + by);
        }
        if let Some(count) = count.filter(|count| *count > 0) {
            with(Some(count + 1), points + points / count);
            with(Some(count + 1), *points);
        }
        let mut without = items.to_vec();
        without.remove(at);
        all.push((item.clone(), without));
    }
    for (item, count, points) in [
        ("melded_cards", None, 500),
        ("natural_canastas", Some(1), 500),
        ("mixed_canastas", Some(1), 300),
        ("wild_canastas", Some(1), 1000),
        ("threes", Some(1), 100),
        ("going_out", None, 100),
        ("concealed", None, 100),
        ("special_hand", None, 2000),
        ("adjustments", None, -100),
    ] {
        if items.iter().all(|(other, ..)| other != item) {
            all.push((item.to_owned(), [items, &[(item.to_owned(), count, points)]].concat()));
        }
    }
    all
}

/// Returns the items that may hang on cards which nobody has shown.
fn may_hang(item: &str, set: &RuleSet) -> bool {
    let threes = set.held_threes_as_laid != HeldThreesAsLaid::Never;
    matches!(item, "hand_cards" | "foot_cards" | "held_trios" | "no_canasta" | "special_hand")
        || item == "threes" && threes
}

/// Returns the audit of a text with its slips; `None` if play does not go on from them.
fn report(text: &str) -> Option<Report> {
    let records = from_text_as_recorded(text).ok()?;
    let (mut bytes, mut chain) = (HEADER.to_vec(), Chain::START);
    records.iter().for_each(|record| chain.append(&record.encode().unwrap(), &mut bytes));
    Some(audit(&bytes, Expect::default()))
}

/// Writes games of every rule set down as a scorer would, without hands and draws. The right text is accepted; each slip in
/// an item that follows is refused at its line, and the audit never calls it altered.
#[test]
fn slips_in_transcripts_are_refused_with_their_line() {
    let mut rng = Rng(7);
    for preset in PRESETS {
        let rules = Rules::preset(preset).unwrap();
        // Special hands and questions that hang on unknown cards are not judged.
        let text = (3..9).map(|game| transcript(&golden(preset, game), rules.set()));
        let text = { text }.find(|text| from_text(text).is_ok()).unwrap_or_else(|| panic!("{preset}"));
        assert!(draft(&text).faults.is_empty(), "{preset}");
        let lines: Vec<&str> = text.lines().collect();
        let scores: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("score ")).collect();
        let mut tried: BTreeMap<String, u32> = BTreeMap::new();
        for n in 0..30 {
            let at = scores[rng.below(scores.len())];
            let (unit, right) = items(lines[at]);
            let mut wrong = slips(&right);
            wrong.retain(|(item, _)| !may_hang(item, rules.set()) && tried.get(item) != Some(&2));
            if wrong.is_empty() {
                continue;
            }
            let (item, wrong) = &wrong[rng.below(wrong.len())];
            *tried.entry(item.clone()).or_default() += 1;
            let wrong = score_line(&unit, wrong);
            let mut changed = lines.clone();
            changed[at] = &wrong;
            let changed = changed.join("\n") + "\n";
            let fault =
                from_text(&changed).err().unwrap_or_else(|| panic!("{preset}: {wrong}, was {}", lines[at]));
            assert!(fault.line as usize == at + 1 && fault.reason.contains("the rules give"), "{fault}");
            if n % 10 == 0 {
                assert_eq!(draft(&changed).faults, [fault], "{preset}");
            }
            let Some(report) = report(&changed) else { continue };
            assert_eq!(report.verdict, Verdict::Clerical, "{preset}, {wrong}: {:?}", report.findings.last());
            assert!(report.findings.iter().all(|finding| finding.kind == FindingKind::Clerical));
            let (right, said) = (score_line(&unit, &right), &report.findings[0].detail);
            assert!(said.contains(right.split_once(": ").unwrap().1), "{said}");
        }
        assert!(tried.len() > 5, "{preset}: {tried:?}");
    }
}

/// Checks lines that hang on unknown cards: any order, missing counts and lines of no points are right; points that no cards
/// can cost are not.
#[test]
fn points_of_unseen_cards_must_be_possible() {
    let text = transcript(&golden("classic-4p", 3), Rules::preset("classic-4p").unwrap().set());
    let lines: Vec<&str> = text.lines().collect();
    let at = (0..lines.len())
        .find(|&at| lines[at].starts_with("score ") && lines[at].contains("hand_cards"))
        .unwrap();
    let (unit, right) = items(lines[at]);
    let with = |items: &[Item]| {
        let line = score_line(&unit, items);
        let mut changed = lines.clone();
        changed[at] = &line;
        from_text(&(changed.join("\n") + "\n"))
    };
    let records = from_text(&text).unwrap();
    let reversed: Vec<Item> =
        right.iter().rev().map(|(item, _, points)| (item.clone(), None, *points)).collect();
    let same = with(&reversed).unwrap();
    assert_eq!(same.len(), records.len());
    assert!(
        same.iter().skip(1).eq(records.iter().skip(1)),
        "the order and the counts are those of the rules"
    );
    let idle = with(&[&right[..], &[("cut".to_owned(), None, 0)]].concat()).unwrap();
    assert!(idle.iter().skip(1).eq(records.iter().skip(1)));
    for points in [1, 0, 60, -3, -2000] {
        let mut wrong = right.clone();
        wrong.iter_mut().filter(|(item, ..)| item == "hand_cards").for_each(|item| item.2 = points);
        let fault = with(&wrong).err().unwrap_or_else(|| panic!("{points}"));
        assert!(fault.line as usize == at + 1, "{fault}");
    }
}

/// Checks that an end and a winner that somebody wrote down wrongly are no alteration either.
#[test]
fn a_wrong_end_or_winner_is_clerical() {
    let text = transcript(&golden("classic-4p", 3), Rules::preset("classic-4p").unwrap().set());
    let other =
        if text.contains("winner NS") { ("winner NS", "winner EW") } else { ("winner EW", "winner NS") };
    for (from, to) in [other, ("end went_out", "end stock_exhausted")] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        assert!(from_text(&changed).is_err());
        let report = report(&changed).expect("records");
        assert_eq!(report.verdict, Verdict::Clerical, "{:?}", report.findings);
    }
}

fn faults(text: &str) -> Vec<String> {
    let sheet = score_text(text).unwrap_or_else(|faults| panic!("{text}: {}", faults[0]));
    count(&sheet).faults.into_iter().map(|fault| format!("line {}: {}", fault.line, fault.detail)).collect()
}

/// Checks the sheets of games of every rule set: each holds.
#[test]
fn sheets_of_played_games_hold() {
    for preset in PRESETS {
        for game in 0..8 {
            let text = sheet(&golden(preset, game));
            assert_eq!(faults(&text), [""; 0], "{preset} {game}: {text}");
        }
    }
}

/// Changes each entry of sheets of every rule set to one that no round pays: each is found, at its line or at the end of the
/// round.
#[test]
fn entries_that_no_round_pays_are_found() {
    for preset in PRESETS {
        let rules = Rules::preset(preset).unwrap();
        let set = rules.set();
        let text = sheet(&golden(preset, 1));
        let lines: Vec<&str> = text.lines().collect();
        let check = |at: usize, line: &str, what: &str| {
            let mut changed = lines.clone();
            changed[at] = line;
            let end = lines[..=at].iter().rposition(|line| line.starts_with("end")).unwrap();
            let found = faults(&(changed.join("\n") + "\n"));
            let is_there =
                |fault: &String| [at, end].iter().any(|at| fault.starts_with(&format!("line {}:", at + 1)));
            assert!(found.iter().any(is_there), "{preset}: {what}: {line}, was {}: {found:?}", lines[at]);
        };
        for at in (0..lines.len()).filter(|&at| lines[at].starts_with("score ")) {
            let (unit, right) = items(lines[at]);
            for (place, (item, count, points)) in right.iter().enumerate() {
                let with = |what: &str, count: Option<i64>, points: i64| {
                    let mut changed = right.clone();
                    changed[place] = (item.clone(), count, points);
                    check(at, &score_line(&unit, &changed), what);
                };
                with("no multiple", *count, points + 3);
                with("beyond the pack", *count, points + 1_000_000);
                match item.as_str() {
                    "melded_cards" | "hand_cards" | "foot_cards" | "no_canasta" | "natural_canastas"
                    | "mixed_canastas" | "wild_canastas" | "sequence_canastas" => {
                        with("sign", *count, -points);
                    }
                    "threes" if set.three_sign != ThreeSign::ByCanastas => {
                        with("sign", *count, -points);
                        with("number", count.map(|count| count + 40), *points);
                    }
                    "going_out" => {
                        with("amount", None, points * 2);
                        // Of three players, a pair may have gone out.
                        if set.score_unit == ScoreUnit::Side {
                            with("nobody goes out", None, 0);
                        }
                    }
                    "concealed" => with("amount", None, points * 2),
                    _ => {}
                }
                if item.ends_with("_canastas") {
                    with("number", count.map(|count| count + 1), *points);
                    with("amount", None, 20);
                }
            }
            let none = |item: &str| right.iter().all(|(other, ..)| other != item);
            let added = |what: &str, item: &str, count: Option<i64>, points: i32| {
                let more = (item.to_owned(), count, i64::from(points));
                check(at, &score_line(&unit, &[&right[..], &[more]].concat()), what);
            };
            if none("going_out") && set.score_unit == ScoreUnit::Side {
                added("both go out, or nobody may", "going_out", None, set.bonus_out);
                added("without going out", "concealed", None, set.bonus_concealed.max(100));
            }
            if none("special_hand") {
                added("together with others", "special_hand", None, 2000);
            }
            if none("melded_cards") && none("no_canasta") {
                added("nothing melded", "natural_canastas", Some(1), set.bonus_natural);
            }
        }
    }
}

/// Checks totals alone: sums, minimums, the end and the winner are told as far as they follow.
#[test]
fn totals_alone_are_read_as_far_as_they_go() {
    let sheet = "rules classic-4p\nround 1\nend went_out\nscore NS 1295\nscore EW: melded_cards 305, mixed_canastas (1) 300, \
                 going_out 100, hand_cards -25\nround 2\nend\nscore NS 4005\nscore EW -200\nwinner NS\n";
    let ran = command(&["sheet", "--check", "-", "--format", "json"], sheet.as_bytes());
    let value: Value = serde_json::from_slice(&ran.out).unwrap();
    assert_eq!((ran.exit, &value["totals"]), (Exit::Clean, &serde_json::json!([5300, 480])), "{value}");
    assert_eq!(value["rounds"][1]["minimums"], serde_json::json!([50, 50]));
    assert_eq!(value["result"]["winner"], 0);
    for (from, to, expected) in [
        ("score EW -200", "score EW -203", "line 9: expected a multiple of 5"),
        ("winner NS", "winner EW", "line 10: winner"),
        ("score EW -200\n", "", "line 7: the score of EW is missing"),
        ("score EW -200", "score EW minus", "expected a total, or a colon"),
        ("score EW -200", "score EW", "expected whose score, a colon and its lines"),
    ] {
        let ran = command(&["sheet", "--check", "-"], sheet.replacen(from, to, 1).as_bytes());
        let said = String::from_utf8(ran.out).unwrap() + &ran.err;
        assert!(ran.exit != Exit::Clean && said.contains(expected), "{expected}: {said}");
    }
    // A game needs the items.
    let game = "rules classic-4p\ncards transcribed\nround 1 dealer W\ndeal upcards 9d\nend went_out\nscore NS 100\n";
    assert!(from_text(game).err().unwrap().reason.contains("a total stands alone on a score sheet only"));
}
