//! The rulebook's cases: `tests/data/rules/classic.toml`, one case a row.
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
//! | `frozen` | causes that freeze the pile against a side; `-` none |
//! | `to_act`, `phase`, `over` | who must act, the phase, how the round has ended |
//! | `events` | names of the events of all actions; `canasta` with its grade, `took_pile` with its cards |
//! | `lines`, `totals` | the score lines of a side, all of them, in any order; its total |
//! | `cumulative`, `next_dealer` | totals of the sides and the next dealer once the round is booked |
//! | `deck`, `knobs` | cards of the pack; knobs of the rule set |
//! | `minimums` | initial minimum by score |
//! | `result` | result of the game at these totals |
//! | `no_state` | why the position cannot arise |
//! | `fault` | why the rule set cannot be played; `none` if it can |

use canasta_engine::rulebook;
use canasta_engine::violations::Code;
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

/// The codes that the Classic family with fixed sides reaches, its switches included, in the order of checks.
const REACHED: &[&str] = &[
    "GAME_OVER",
    "GAME_ROUND_OVER",
    "SETUP_WRONG_TIME",
    "ASK_PENDING",
    "TURN_NOT_YOURS",
    "ASK_NOTHING_PENDING",
    "ASK_NOT_ADDRESSED",
    "TURN_ACTION_NOT_IN_RULES",
    "ASK_NO_PARTNER",
    "SPECIAL_NOT_AGREED",
    "TURN_DRAW_FIRST",
    "TURN_ALREADY_DREW",
    "TURN_WRONG_PHASE",
    "TURN_EMPTY_ACTION",
    "PILE_BURIED_CARD",
    "TURN_CARD_NOT_IN_HAND",
    "SETUP_DECK",
    "SETUP_DEAL",
    "STOCK_EMPTY",
    "STOCK_NOT_EMPTY",
    "MELD_FIXED",
    "PILE_EMPTY",
    "PILE_TOP_WILD",
    "PILE_TOP_BLACK_THREE",
    "PILE_TOP_RED_THREE",
    "PILE_ONE_CARD",
    "STOCK_MUST_TAKE_PILE",
    "PILE_CANASTA_RANK_FORBIDDEN",
    "PILE_FROZEN_NEEDS_PAIR",
    "PILE_NEEDS_PAIR",
    "PILE_CANASTA_WILDS_FULL",
    "PILE_CANASTA_TARGET_FORBIDDEN",
    "PILE_TOP_NOT_MELDED",
    "THREE_NOT_MELDABLE",
    "MELD_KIND_MISMATCH",
    "MELD_WILD_MELD_OFF",
    "MELD_SEQUENCE_OFF",
    "MELD_NOT_FOUND",
    "MELD_NOT_OWN_SIDE",
    "MELD_MIXED_RANKS",
    "MELD_RANK_DUPLICATE",
    "MELD_TOO_SMALL",
    "MELD_TOO_FEW_NATURALS",
    "MELD_TOO_MANY_WILDS",
    "THREE_BLACK_WILD",
    "THREE_BLACK_COUNT",
    "MELD_WILDS_LOCKED",
    "INITIAL_BELOW_MINIMUM",
    "THREE_BLACK_NOT_GOING_OUT",
    "DISCARD_REQUIRED",
    "GO_OUT_REFUSED",
    "MELD_LEAVES_TOO_FEW_CARDS",
    "GO_OUT_NEEDS_CANASTAS",
    "GO_OUT_NEEDS_CLEAN",
    "GO_OUT_BOUND",
    "ASK_USED_UP",
    "ASK_TOO_LATE",
    "ASK_CANNOT_GO_OUT",
    "ASK_NO_CHOICE",
];

/// Codes that only house rules reach: knobs of other families on a Classic base.
const HOUSE: &[&str] = &[
    "GO_OUT_DISCARD_REQUIRED",
    "MELD_TOO_LARGE",
    "MELD_WILDS_OUTNUMBER",
    "MELD_CANASTA_CLOSED",
    "MELD_RANK_CLOSED_BY_OPPONENTS",
    "PILE_LAYOFF_FORBIDDEN",
    "GO_OUT_NEEDS_WILD",
];

/// Codes of the engine that no case can reach, with the reason.
const UNREACHED: &[(&str, &str)] = &[
    ("SETUP_KNOBS", "a rule set is refused before there is a game: rows with `fault`"),
    ("DISCARD_THREE_FORBIDDEN", "no hand of a state holds a red three (CL-069)"),
];

fn precedence(name: &str) -> usize {
    Code::from_name(name).unwrap_or_else(|| panic!("{name} is a code")).entry().precedence()
}

#[test]
fn every_code_of_the_family_is_produced() {
    let produced: BTreeSet<&str> = book().iter().flat_map(Case::codes).collect();
    let listed: BTreeSet<&str> = REACHED.iter().chain(HOUSE).copied().collect();
    assert_eq!(produced, listed);
    assert!(REACHED.is_sorted_by_key(|name| precedence(name)), "the list is in the order of checks");
    for (name, reason) in UNREACHED {
        assert!(!produced.contains(name), "{name}: {reason}");
    }
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
    ("P2-007", "manzana-2p has a book of its own"),
    ("AMB-35", "every refused action: checking cannot change a state"),
    ("AMB-36", "views have their own tests"),
    ("CLAR-21", "an action of Hoyle's form"),
    ("CLAR-24", "events of talons and feet"),
    ("CLAR-25", "events of special hands"),
];

/// What stands beside three-player sides (P3) and waits for them.
const THREE_PLAYERS: &[&str] = &[
    "P3-001", "P3-002", "P3-006", "P3-007", "P3-008", "P3-009", "P3-011", "P3-012", "P3-014", "P3-015",
    "P3-016", "AMB-21", "AMB-39", "AMB-40", "AMB-41", "AMB-43", "AMB-44", "AMB-45", "AMB-46", "CLAR-16",
];

/// Clarifications about other families.
const OTHER_FAMILIES: &[&str] = &[
    "CLAR-02", "CLAR-03", "CLAR-04", "CLAR-05", "CLAR-07", "CLAR-08", "CLAR-09", "CLAR-10", "CLAR-11",
    "CLAR-13", "CLAR-14", "CLAR-15", "CLAR-19",
];

#[test]
fn every_rule_has_a_case() {
    let shown: BTreeSet<&str> = book().iter().flat_map(Case::rules).collect();
    let left_out: BTreeSet<&str> = NOT_SHOWN
        .iter()
        .map(|(id, _)| *id)
        .chain(THREE_PLAYERS.iter().copied())
        .chain(OTHER_FAMILIES.iter().copied())
        .collect();
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
