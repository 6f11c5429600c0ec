//! Tests of the grammar, of the check and of the renderer. Sources: the ICU message format for what both have, and the
//! page of this module for what differs.

use super::*;
use crate::action::MeldId;
use crate::seat::Seat;
use crate::violations::ALL;
use crate::violations::fact::{FactKind, FactRow};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

const FACTS: &[FactRow] = &[
    FactRow::new("count", FactKind::Int),
    FactRow::new("word", FactKind::Word),
    FactRow::new("seat", FactKind::Seat),
    FactRow { name: "seats", kind: FactKind::Seats, absent: Some("nobody is left over") },
    FactRow { name: "search", kind: FactKind::Word, absent: Some("the search has ended") },
];

fn assert_renders(template: &'static str, facts: &[(&'static str, Fact)], expected: &str) {
    assert!(fits(template, FACTS), "{template}");
    assert_eq!(Filled { language: Language::English, template, facts }.to_string(), expected);
}

#[test]
fn a_plural_prefers_the_exact_number_and_knows_one() {
    let template = "{count, plural, =0 {no card} one {a card} other {{count} cards}}.";
    for (count, expected) in
        [(0, "no card."), (1, "a card."), (-1, "a card."), (2, "2 cards."), (-7, "-7 cards.")]
    {
        assert_renders(template, &[("count", Fact::Int(count))], expected);
    }
}

#[test]
fn a_select_chooses_by_the_whole_word() {
    let template = "{word, select, TOP {top} TOPMOST {topmost} other {{word}?}}";
    for (word, expected) in [("TOP", "top"), ("TOPMOST", "topmost"), ("TO", "TO?"), ("", "?")] {
        assert_renders(template, &[("word", Fact::Word(word))], expected);
    }
}

#[test]
fn an_absent_fact_is_the_word_none() {
    let template = "{search, select, none {ended} UNDECIDED {undecided} other {{search}}}";
    assert_renders(template, &[], "ended");
    assert_renders(template, &[("search", Fact::Word("UNDECIDED"))], "undecided");
    assert_renders("{seats, select, none {all fit} other {left over: {seats}}}", &[], "all fit");
    assert_renders(template, &[("search", Fact::Text("none".into()))], "none");
}

#[test]
fn the_language_writes_seats_and_melds() {
    let facts = [("seat", Fact::Seat(Seat(2))), ("seats", Fact::Seats(vec![Seat(0), Seat(3)]))];
    assert_renders("{seat}: {seats, select, none {} other {{seats}}}", &facts, "seat 2: seat 0, seat 3");
    let facts = [("meld", Fact::Meld(MeldId(7)))];
    let german = Filled { language: Language::German, template: "an {meld}", facts: &facts };
    assert_eq!(german.to_string(), "an Meldung 7");
}

#[test]
fn a_template_that_does_not_fit_its_facts_is_found() {
    for template in [
        "{unknown}",
        "{Count}",
        "{count }",
        "{word, plural, one {a} other {b}}",
        "{count, select, KING {a} other {b}}",
        "{count, plural, few {a} other {b}}",
        "{count, plural, one {a}}",
        "{count, plural, other {a} one {b}}",
        "{word, select, A {{unknown}} other {}}",
        "{search}",
        "{search, select, UNDECIDED {{search}} other {{search}}}",
        "{search, select, none {{search}} other {}}",
        "{seats, select, none {} other {{search}}}",
        "number # one",
        "a <b> tag",
        "an apostrophe before a brace '{count}",
        "two '' apostrophes",
        "{count, number}",
        "{word, select, A {{word, select, A {{word, select, A {{word, select, A {{word, select, A {5} other {}}} \
            other {}}} other {}}} other {}}} other {}}",
    ] {
        assert!(!fits(template, FACTS), "{template}");
    }
    assert!(fits("this turn's {count} cards", FACTS));
}

#[test]
#[should_panic(expected = "a brace closes")]
fn an_open_brace_stops_the_build() {
    fits("{count", FACTS);
}

/// Facts whose word is a name that a reader types or looks up, or a sentence of its own.
const SPOKEN: &[&str] = &[
    "action", "knob", "knobs", "range", "rule", "problem", "suits", "ranks", "effect", "kind", "target",
    "teams",
];

/// Whether a place of a template lies in an arm of a plural or a select over this fact.
fn is_chosen(template: &str, at: usize, name: &str) -> bool {
    let before = &template[..at];
    let opens = [format!("{{{name}, plural,"), format!("{{{name}, select,")];
    opens.iter().filter_map(|open| before.rfind(open)).any(|from| {
        let depth = |c: char| before[from..].matches(c).count();
        depth('{') > depth('}')
    })
}

/// Checks that no sentence counts one thing in the plural, or speaks in names of constants: both are chosen by templates.
#[test]
fn sentences_know_singular_and_plural_and_no_constants() {
    let mut faults = Vec::new();
    let sentences =
        ALL.iter().flat_map(|entry| Language::ALL.map(|language| (entry, entry.template(language))));
    for (entry, template) in sentences {
        for fact in entry.facts {
            let bare = format!("{{{}}}", fact.name);
            for (at, _) in
                template.match_indices(&bare).filter(|(at, _)| !is_chosen(template, *at, fact.name))
            {
                let rest = template[at + bare.len()..].trim_start_matches(' ');
                let noun = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
                let plural = ["Karten", "Canastas", "wilde", "natürliche"].contains(&noun)
                    || noun.ends_with('s') && !["points", "is", "has"].contains(&noun);
                let constant =
                    matches!(fact.kind, FactKind::Word | FactKind::Words) && !SPOKEN.contains(&fact.name);
                if fact.kind == FactKind::Int && plural || constant {
                    faults.push(format!("{}: {bare} {noun}", entry.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
