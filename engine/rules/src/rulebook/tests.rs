//! Tests of the rulebook.

use super::*;

/// Checks the number of rules against the counts in the rulebook's own table of contents.
#[test]
fn every_rule_is_here() {
    let count = |book: &str| all().filter(|rule| rule.id.split_once('-').unwrap().0 == book).count();
    let books = ["CL", "CV", "P2", "P3", "P6", "ML", "AMB", "CLAR"];
    // Readings of other books begin with AMB too.
    assert_eq!(books.map(count), [117, 16, 7, 16, 11, 6, 58 + 21 + 18 + 23 + 31 + 38, 30]);
    assert_eq!(count("HN"), 69);
    assert_eq!(["WH", "S3", "GR", "SH", "WK"].map(count), [103, 42, 47, 4, 5]);
    // 53 of the rulebook, and 14 that were decided for what it does not speak of.
    assert_eq!(["IR", "TF"].map(count), [53 + 14, 24]);
    assert_eq!(["SA", "SAD", "BO", "BOD", "MZ", "MZD"].map(count), [55, 14, 15, 8, 25, 8]);
}

#[test]
fn ids_are_unique_and_found() {
    for (place, rule_here) in all().enumerate() {
        assert_eq!(rule(rule_here.id), Some(rule_here));
        assert!(all().skip(place + 1).all(|other| other.id != rule_here.id), "{} twice", rule_here.id);
    }
    assert_eq!(rule("CL-118"), None);
    assert_eq!(rule(""), None);
    assert_eq!(rule("CL-05"), None);
}

#[test]
fn fields_are_filled_and_lines_are_lines() {
    for rule in all() {
        assert!(!rule.section.is_empty() && rule.text.len() >= 3, "{}", rule.id);
        assert_eq!(rule.text.trim(), rule.text, "{}", rule.id);
        let cites_keys = rule.book.sources().next().is_some();
        for key in rule.lines.split_whitespace().filter(|_| cites_keys) {
            assert!(rule.book.sources().any(|source| source.key == key), "{} {key}", rule.id);
        }
        let numbers = rule.lines.split([' ', '-']).filter(|number| !cites_keys && !number.is_empty());
        for number in numbers {
            assert!((1..=285).contains(&number.parse::<u16>().unwrap()), "{} line {number}", rule.id);
        }
        let reading = is_reading(rule.id);
        assert_eq!(rule.decision.is_some(), reading, "{}", rule.id);
        assert_eq!(rule.question.is_some(), reading || rule.id.starts_with("CLAR-"), "{}", rule.id);
        let decided = rule.decision.is_none_or(|d| ["text", "us", "text, us"].contains(&d.by));
        assert!(decided, "{}", rule.id);
    }
}
