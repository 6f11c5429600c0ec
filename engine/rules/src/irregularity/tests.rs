//! The table of irregularities against the rulebook, the table of penalties and the codes; the search against words
//! of people.

use super::search::{Index, Subject};
use super::words::Synonyms;
use super::*;
use crate::action::choices::{self, EFFECTS};
use crate::rulebook;
use crate::violations::ALL;
use alloc::collections::BTreeSet;

/// Phrasings of people; the heads of the files say more.
const PHRASINGS: [&str; 6] = [
    include_str!("../../../../tests/data/irregularities/phrasings.txt"),
    include_str!("../../../../tests/data/irregularities/club_talk.txt"),
    include_str!("../../../../tests/data/irregularities/voices.txt"),
    include_str!("../../../../tests/data/irregularities/voices_2.txt"),
    include_str!("../../../../tests/data/irregularities/voices_3.txt"),
    include_str!("../../../../tests/data/irregularities/voices_4.txt"),
];

/// Returns the laws of the first three irregularities that the words find, with the answers that the words give.
fn laws(index: &Index, words: &str) -> Vec<Remedy> {
    let hits = index.find(words, 3).into_iter();
    let rows = hits.filter_map(|hit| match hit.subject {
        Subject::Irregularity(row) => Some(row),
        _ => None,
    });
    rows.map(|row| row.remedy(&row.answers(&[], words))).collect()
}

#[test]
fn every_row_holds_to_the_table_of_penalties() {
    let mut ids = BTreeSet::new();
    for row in all() {
        assert!(ids.insert(row.id), "{} twice", row.id);
        assert!(row.said().next().is_some() && row.cases().next().is_some(), "{}", row.id);
        assert!(row.remedies().last().is_some_and(|remedy| remedy.answers.is_empty()), "{}", row.id);
        for question in row.questions() {
            assert!(
                question.text.ends_with('?') && question.answers.len() >= 2,
                "{} {}",
                row.id,
                question.key
            );
        }
        for remedy in row.remedies() {
            assert!(rulebook::rule(remedy.law).is_some(), "{} {}", row.id, remedy.law);
            let sanction = sanction(remedy.law).unwrap_or_else(|| panic!("{} {}", row.id, remedy.law));
            let (low, high) = sanction.penalty.points;
            assert!(
                (low..=high).contains(&remedy.points) && remedy.points % 5 == 0,
                "{} {}",
                row.id,
                remedy.law
            );
            let effect = remedy.effect.split(' ').next().and_then(|word| choices::from_word(&EFFECTS, word));
            assert!(
                effect.is_some_and(|effect| sanction.penalty.allows(effect)),
                "{} {}",
                row.id,
                remedy.effect
            );
            for (key, answer) in &remedy.answers {
                let question = row.questions().find(|question| question.key == *key);
                let known =
                    question.is_some_and(|question| question.answers.iter().any(|(a, _)| a == answer));
                assert!(known, "{} {key}={answer}", row.id);
            }
        }
    }
    assert!(sanctions().all(|sanction| sanction.recorded().len() <= 32));
    assert!(sanctions().filter(|sanction| sanction.is_house).all(|sanction| penalty(sanction.law).is_none()));
}

/// Checks that each rule of the book of irregularities with a ruling is the law of a row. IR-001 and IR-100 to IR-112
/// are about rulings themselves, IR-063 is a limit on melds whose breach is an illegal meld (IR-022).
#[test]
fn every_law_is_reached() {
    let reached: BTreeSet<&str> = all().flat_map(|row| row.remedies().map(|remedy| remedy.law)).collect();
    let missing: Vec<&str> = rulebook::all()
        .map(|rule| rule.id)
        .filter(|id| id.starts_with("IR-0") && !["IR-001", "IR-063"].contains(id) && !reached.contains(id))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_code_shows_an_irregularity_or_says_why_none() {
    for entry in ALL {
        let plain = entry.shows.iter().filter(|(_, kinds)| kinds.is_empty()).count();
        assert_eq!(plain, 1, "{}", entry.name);
        for (shown, kinds) in entry.shows {
            let is_reason = shown.starts_with("none ") && reason_for_none(entry.code).is_some();
            assert!(irregularity(shown).is_some() || is_reason, "{} shows {shown}", entry.name);
            let mut kinds = kinds.split_whitespace();
            assert!(kinds.all(|kind| ActionKind::from_name(kind).is_some()), "{} {shown}", entry.name);
        }
    }
}

/// Checks the cases that stand in the table: their words find their law first.
#[test]
fn the_words_of_a_case_find_its_law() {
    let index = Index::of_irregularities();
    let mut failed = Vec::new();
    for row in all() {
        for case in row.cases() {
            let found = laws(&index, case.words);
            if found.first().is_none_or(|remedy| (remedy.law, remedy.effect) != (case.law, case.effect)) {
                failed.push((
                    case.words,
                    case.law,
                    found.iter().map(|remedy| remedy.law).collect::<Vec<_>>(),
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

/// Checks each file of forty phrasings: at least 36 find their law among the first three.
#[test]
fn phrasings_of_people_find_their_law() {
    let index = Index::of_irregularities();
    for phrasings in PHRASINGS {
        let lines = phrasings.lines().filter(|line| !line.starts_with('#'));
        let cases: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(" | ")).collect();
        assert_eq!(cases.len(), 40);
        let found = |law: &str, words: &str| laws(&index, words).iter().any(|remedy| remedy.law == law);
        let missed: Vec<&str> =
            cases.iter().filter(|(law, words)| !found(law, words)).map(|(_, words)| *words).collect();
        assert!(missed.len() <= 4, "{missed:#?}");
    }
}

/// Checks words as a search compares them, each counted by hand.
#[test]
fn words_are_compared_without_endings_as_phrases_and_as_cards() {
    let synonyms = Synonyms::new();
    let words = |text: &str| synonyms.words(text).collect::<Vec<_>>().join(" ");
    let same = [
        ("red threes", "a red three"),
        ("he got rid of it", "he discards it"),
        ("she wasn't asked", "she was not asked"),
        ("a five", "a queen"),
        ("two fives, sixes", "two kings, aces"),
        ("it was his go", "it was her move"),
        ("took 2 from stock", "took two from the deck"),
        ("exposed the Kd, 10c", "exposed a king and tens"),
        ("2h on a 3c", "a joker on a three"),
    ];
    for (one, other) in same {
        assert_eq!(words(one), words(other), "{one}");
    }
    assert_ne!(words("five points"), words("queen points"));
    assert_eq!(words("I'd she's n't ''"), "no");
}

/// Checks that a word with one wrong letter finds what the right one finds, and that short words are left alone.
#[test]
fn slips_of_the_fingers_are_mended() {
    let index = Index::of_irregularities();
    let first = |words: &str| index.find(words, 1).first().map(|hit| alloc::format!("{:?}", hit.subject));
    for (slip, right) in [
        ("dealr", "dealer"),
        ("dsicarded twice", "discarded twice"),
        ("canastaa short", "canasta short"),
        ("kibitxer", "kibitzer"),
    ] {
        assert!(first(slip).is_some() && first(slip) == first(right), "{slip}");
    }
    assert_eq!(first("ralon"), None, "the first letter is not mended");
    assert_eq!(first("bel"), None, "a short word is not mended");
}

/// Checks that a search does not depend on case or on repetitions, and that nothing is found for nothing.
#[test]
fn a_search_is_bounded_and_finds_nothing_for_nothing() {
    let index = Index::of_everything();
    assert!(index.find("", 5).is_empty() && index.find("the of ~~ \u{202e}", 5).is_empty());
    let first = |words: &str| index.find(words, 1).first().map(|hit| alloc::format!("{:?}", hit.subject));
    assert_eq!(first("Exposed CARD"), first("exposed cards"));
    let long = "exposed card ".repeat(10_000);
    assert!(index.find(&long, 3).len() == 3);
    assert_eq!(index.find("card", 7).len(), 7);
}
