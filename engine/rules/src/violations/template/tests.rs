//! Tests of the grammar, of the check and of the renderer. Sources: the ICU message format for what both have, and the
//! page of this module for what differs.

use super::*;
use crate::action::MeldId;
use crate::seat::Seat;
use crate::violations::fact::{FactKind, FactRow};
use alloc::string::ToString;
use alloc::vec;

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
