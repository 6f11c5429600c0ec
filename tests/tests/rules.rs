//! The rulebook's cases: the files of `tests/data/rules`, one a book, one case a row.
//!
//! | field | meaning |
//! | --- | --- |
//! | `id`, `rules` | the vector, or the rule of a case of our own; ids of all rules it shows |
//! | `status` | why it is not played yet; such a row has no other field |
//! | `position` | what is set up (docs/NOTATION.md) |
//! | `wall` | `cards` at place `skip` of the wall to be dealt; the rest of the pack around them, `drop` cards short |
//! | `do` | actions; all but the last are legal, so is the last unless `refused` |
//! | `refused` | every code of the last action, in order, and `facts` of the first |
//! | `hand`, `melds`, `laid` | zones afterwards, by seat or side |
//! | `pile`, `stock`, `stock_top` | the pile bottom to top; the stock top to bottom or its size; its top |
//! | `cut` | the dealer's cuts that were exact; `-` none |
//! | `frozen` | causes that freeze the pile against a side; `-` none |
//! | `to_act`, `phase`, `over` | who must act, the phase, how the round has ended |
//! | `sides` | the side of each seat |
//! | `events` | names of the events of all actions; `canasta` with its grade, `took_pile` with its cards |
//! | `lines`, `totals` | the score lines of a side, all of them, in any order; its total |
//! | `cumulative`, `next_dealer` | totals of the sides and the next dealer once the round is booked |
//! | `deck`, `knobs` | cards of the pack; knobs of the rule set |
//! | `minimums` | initial minimum by score |
//! | `result` | result of the game at these totals |
//! | `no_state` | why the position cannot arise |
//! | `fault` | why the rule set cannot be played; `none` if it can |

use canasta_engine::rulebook;
use canasta_engine::violations::{ALL, Code};
use harness::{Case, book, play};
use std::collections::BTreeSet;

mod harness;

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

/// Codes that no case can show, with the reason.
const UNREACHED: &[(&str, &str)] = &[
    ("SETUP_KNOBS", "a rule set is refused before there is a game: rows with `fault`"),
    ("SETUP_PLAYER_COUNT", "refused with the rule set: rows with `fault`"),
    ("SETUP_SIDES", "refused with the rule set: rows with `fault`"),
    ("SETUP_DEALER", "refused when the game is created: the log's and the service's own tests"),
    ("GAME_CLOCK", "the event layer is not modelled"),
    ("EVENT_REPEAT_OPPONENTS", "the event layer is not modelled"),
];

/// Codes of mechanisms that are not built yet.
const LATER: &[&str] = &["SETUP_START_CARD"];

fn precedence(name: &str) -> usize {
    Code::from_name(name).unwrap_or_else(|| panic!("{name} is a code")).entry().precedence()
}

#[test]
fn every_code_is_produced() {
    let produced: BTreeSet<&str> = book().iter().flat_map(Case::codes).collect();
    let listed: BTreeSet<&str> =
        UNREACHED.iter().map(|(name, _)| *name).chain(LATER.iter().copied()).collect();
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

/// Rules that no case can show, with the reason.
const NOT_SHOWN: &[(&str, &str)] = &[
    ("AMB-35", "every refused action: checking cannot change a state"),
    ("AMB-36", "views have their own tests"),
    ("HN-001", "how gaps are filled"),
    ("HN-005", "views have their own tests"),
    ("HN-036", "views have their own tests"),
    ("S3-041", "the source has lost its text: no preset"),
    ("S3-042", "the source has lost its text: no preset"),
    ("AMB-S3-11", "the source has lost its text: no preset"),
    ("GR-040", "how a paper score card looks"),
    ("GR-047", "the source has no rules for it: no preset"),
    ("AMB-GR-23", "the source has no rules for it: no preset"),
    ("SH-001", "information"),
    ("SH-002", "information"),
    ("SH-003", "information"),
    ("SH-004", "information"),
    ("WK-001", "information"),
    ("WK-002", "information"),
    ("WK-003", "information"),
    ("WK-004", "information"),
    ("WK-005", "information"),
    ("HF-016", "drawn cards have tests of their own"),
    ("HF-017", "drawn cards have tests of their own"),
    ("HF-018", "drawn cards have tests of their own"),
    ("HF-020", "drawn cards have tests of their own"),
    ("HF-021", "drawn cards have tests of their own"),
    ("HF-022", "drawn cards have tests of their own"),
    ("AMB-HF-02", "drawn cards have tests of their own"),
    ("AMB-HF-03", "drawn cards have tests of their own"),
    ("HF-030", "views have their own tests"),
    ("HF-032", "views have their own tests"),
    ("HF-038", "who keeps the laid cards is for the table"),
    ("HF-087", "what players say is for the table"),
    ("AMB-HF-05", "which of the mates deals the feet changes nothing for the referee"),
];

/// Modern American rules without a row of their own: they say what follows from others, name a procedure, or are
/// shown by the games that another implementation played (`foreign.rs`).
const AMERICAN: &[&str] = &[
    "MA-001", "MA-002", "MA-004", "MA-005", "MA-007", "MA-010", "MA-015", "MA-016", "MA-017", "MA-018",
    "MA-019", "MA-020", "MA-021", "MA-023", "MA-024", "MA-025", "MA-026", "MA-027", "MA-041", "MA-044",
    "MA-046", "MA-051", "MA-054", "MA-056", "MA-058", "MA-062", "MA-068", "MA-069", "MA-076", "MA-090",
    "MA-091", "MA-093", "MA-096", "MA-098", "MA-099", "MA-100", "MA-104", "MA-106", "MA-107", "MA-120",
    "MA-129", "MA-130", "MA-144", "MA-190", "MA-191", "MA-192", "MA-193", "MA-194", "AC-06", "AC-13",
    "AC-17", "AC-18", "AC-19", "AC-20", "AC-21", "AC-22", "AC-23", "AC-24", "AC-25", "AC-26", "AC-27",
    "AC-28", "AC-30", "AC-31", "AC-32", "AC-33", "AC-34", "AC-36", "AC-38", "AC-39", "AC-40", "AC-42",
    "AC-43", "AC-44", "AC-45", "AC-48", "AC-68", "AC-50", "AC-55", "AC-56", "AC-58", "AC-59", "AC-60",
    "AC-61", "AC-65", "AC-66", "AC-67", "AC-70", "AC-71", "AC-72", "US-001", "US-002", "US-004", "US-005",
    "US-006", "US-007", "US-008",
];

/// Irregularities and organised play that are not modelled, on purpose, or shown elsewhere, with the reason.
const NOT_MODELLED: &[(&str, &str)] = &[
    ("IR-002", "the engine knows the dealer"),
    ("IR-003", "the engine knows the dealer"),
    ("IR-005", "the engine deals right"),
    ("IR-006", "the engine counts the cards"),
    ("IR-007", "the engine counts the cards"),
    ("IR-023", "a position that stands has no line: engine/tests/log_rulings.rs"),
    ("IR-031", "the action has one card"),
    ("IR-032", "every refusal of a discard"),
    ("IR-040", "the knob held_three_red of rule sets with threes by choice"),
    ("IR-041", "the knob threes_window of rule sets with threes by choice"),
    ("IR-042", "the knob late_three_replaced"),
    ("IR-055", "the knob ask: asking.toml"),
    ("IR-060", "the knob talon_award"),
    ("IR-061", "the knob talon_expires"),
    ("IR-062", "the knob talon_with_pile"),
    ("IR-063", "the knob wild_add_base"),
    ("IR-071", "the event layer"),
    ("IR-072", "the event layer: clocks"),
    ("IR-073", "the event layer: clocks"),
    ("IR-112", "replay is play: engine/tests/log_rulings.rs"),
    ("TF-001", "a preset"),
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
    ("TF-025", "another game"),
    ("TF-030", "the event layer: clocks"),
    ("TF-031", "a preset"),
    ("TF-032", "the event layer: seating"),
    ("TF-033", "the event layer: clocks"),
    ("TF-040", "switches"),
    ("TF-041", "the event layer"),
];

#[test]
fn every_rule_has_a_case() {
    let shown: BTreeSet<&str> = book().iter().flat_map(Case::rules).collect();
    let reasons = NOT_SHOWN.iter().chain(NOT_MODELLED).map(|(id, _)| *id);
    let left_out: BTreeSet<&str> = reasons.chain(AMERICAN.iter().copied()).collect();
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
