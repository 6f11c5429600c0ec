//! The rulebook's cases: the files of `tests/data/rules`, one per book, with one case per row.

use canasta_engine::rulebook;
use canasta_engine::rules::PRESETS;
use canasta_engine::violations::{ALL, Code};
use harness::{Case, book, play};
use std::collections::BTreeSet;

pub mod harness;
mod values;

#[test]
fn every_case_holds() {
    let (later, played): (Vec<_>, Vec<_>) = book().iter().partition(|case| case.status.is_some());
    let failures: Vec<String> = played
        .iter()
        .filter_map(|case| play(case).err().map(|error| format!("{}: {error}", case.id)))
        .collect();
    println!("{} cases played, {} later", played.len(), later.len());
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), played.len(), failures.join("\n"));
}

/// Codes of the event layer, which is not modelled.
const NOT_MODELLED_CODES: &[(&str, &str)] = &[
    ("GAME_CLOCK", "no clock: the schedule of an event starts and ends play"),
    ("EVENT_REPEAT_OPPONENTS", "a warning of the pairing of an event"),
];

fn precedence(name: &str) -> usize {
    Code::from_name(name).unwrap_or_else(|| panic!("{name} is a code")).entry().precedence()
}

#[test]
fn every_code_is_produced() {
    // A rule set that cannot be played is SETUP_KNOBS, with the fault as its detail.
    let knobs = book().iter().any(|case| case.fault.as_deref().is_some_and(|detail| detail != "none"));
    let produced: BTreeSet<&str> =
        book().iter().flat_map(Case::codes).chain(knobs.then_some("SETUP_KNOBS")).collect();
    let listed: BTreeSet<&str> = NOT_MODELLED_CODES.iter().map(|(name, _)| *name).collect();
    let all: BTreeSet<&str> = ALL.iter().map(|entry| entry.name).collect();
    assert_eq!(listed.intersection(&produced).count(), 0, "a code that is produced is not listed");
    let missing: Vec<_> =
        all.iter().filter(|name| !produced.contains(*name) && !listed.contains(*name)).collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
}

#[test]
fn codes_stand_in_the_order_of_checks() {
    for case in book() {
        let codes: Vec<&str> = case.codes().collect();
        assert!(codes.is_sorted_by(|a, b| precedence(a) <= precedence(b)), "{}: {codes:?}", case.id);
    }
}

/// Rules that the rulebook's model leaves out on purpose, and rules of its event layer. No other rule may stand here.
const NOT_MODELLED: &[(&str, &str)] = &[
    ("WK-001", "information"),
    ("WK-002", "information"),
    ("WK-003", "information"),
    ("WK-005", "information"),
    ("SH-001", "information"),
    ("SH-002", "information"),
    ("SH-003", "information"),
    ("SH-004", "information"),
    ("HF-038", "who keeps the laid cards is for the table"),
    ("HF-087", "what players say is for the table"),
    ("S3-041", "the source has lost its text: no preset"),
    ("S3-042", "the source has lost its text: no preset"),
    ("AMB-S3-11", "the source has lost its text: no preset"),
    ("IR-008", "a ruling under house:IR-008: the table of irregularities has its cases"),
    ("IR-009", "a ruling under house:IR-009: the table of irregularities has its cases"),
    ("IR-034", "a ruling under house:IR-034: the table of irregularities has its cases"),
    ("IR-035", "a ruling under house:IR-035: the table of irregularities has its cases"),
    ("IR-036", "a ruling under house:IR-036: the table of irregularities has its cases"),
    ("IR-043", "a ruling under house:IR-043: the table of irregularities has its cases"),
    ("IR-075", "a ruling under house:IR-075: the table of irregularities has its cases"),
    ("IR-080", "a ruling under house:IR-080: the table of irregularities has its cases"),
    ("IR-081", "a ruling under house:IR-081: the table of irregularities has its cases"),
    ("IR-082", "a ruling under house:IR-082: the table of irregularities has its cases"),
    ("IR-083", "a ruling under house:IR-083: the table of irregularities has its cases"),
    ("IR-084", "a ruling under house:IR-084: the table of irregularities has its cases"),
    ("IR-085", "a ruling under house:IR-085: the table of irregularities has its cases"),
    ("IR-071", "the event layer"),
    ("IR-072", "the event layer: clocks"),
    ("IR-073", "the event layer: clocks"),
    ("TF-001", "the event layer: who plays which preset"),
    ("TF-002", "the event layer: schedule"),
    ("TF-004", "the event layer: clocks"),
    ("TF-005", "the event layer: seating"),
    ("TF-006", "the event layer: movement (EVENT_REPEAT_OPPONENTS)"),
    ("TF-007", "the event layer: clocks (GAME_CLOCK)"),
    ("TF-008", "the event layer: score sheets"),
    ("TF-009", "the event layer: equipment"),
    ("TF-010", "the event layer: ranking"),
    ("TF-011", "the event layer: clocks (GAME_CLOCK)"),
    ("TF-012", "the event layer: clocks (GAME_CLOCK)"),
    ("TF-020", "the event layer: classes"),
    ("TF-021", "the event layer: ranking"),
    ("TF-022", "the event layer: forfeits"),
    ("TF-023", "the event layer: the jury"),
    ("TF-025", "the event layer: another game"),
    ("TF-030", "the event layer: clocks"),
    ("TF-031", "the event layer: who plays which preset"),
    ("TF-032", "the event layer: seating"),
    ("TF-033", "the event layer: clocks"),
    ("TF-040", "the event layer: which switches a club takes"),
    ("TF-041", "the event layer: leagues"),
];

#[test]
fn every_rule_has_a_case() {
    let shown: BTreeSet<&str> = book().iter().flat_map(Case::rules).collect();
    let left_out: BTreeSet<&str> = NOT_MODELLED.iter().map(|(id, _)| *id).collect();
    for id in &shown {
        assert!(rulebook::rule(id).is_some(), "{id} is no rule");
    }
    assert_eq!(shown.intersection(&left_out).count(), 0, "a rule that is shown is not left out");
    let missing: Vec<&str> = rulebook::all()
        .map(|rule| rule.id)
        .filter(|id| !shown.contains(id) && !left_out.contains(id))
        .collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
}

#[test]
fn ids_are_unique() {
    let ids: BTreeSet<&str> = book().iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids.len(), book().len());
    assert!(book().iter().all(|case| case.status.is_some() || !case.position.is_empty()));
}

#[test]
fn every_preset_has_a_case() {
    let bases: BTreeSet<&str> =
        book().iter().filter_map(|case| case.position.split([' ', ';']).next()).collect();
    let missing: Vec<&&str> = PRESETS.iter().filter(|name| !bases.contains(*name)).collect();
    assert!(missing.is_empty(), "no case is played with {missing:?}");
}

#[test]
fn every_value_of_a_knob_matters_to_a_case() {
    let missing = values::not_shown(book());
    assert!(missing.is_empty(), "no case fails without {missing:#?}");
}
