//! Tests of the table of causes.

use super::*;
use crate::citation::cite;
use crate::rules::{PRESETS, PresetId};
use crate::violations::{ALL, FactKind};

#[test]
fn every_rule_told_apart_is_one_of_its_code() {
    for cause in CAUSES {
        for id in cause.rules.split(' ') {
            assert!(cause.code.entry().rules().any(|rule| rule == id), "{} has no {id}", cause.code);
        }
    }
}

#[test]
fn every_cause_asks_for_facts_of_its_code() {
    for (code, when) in CAUSES.iter().flat_map(|cause| cause.when.iter().map(|when| (cause.code, when))) {
        let (name, kinds) = match *when {
            When::Word(name, _) => (name, &[FactKind::Word, FactKind::Words][..]),
            When::Number(name, ..) => (name, &[FactKind::Int][..]),
            When::Class(name, _) => (name, &[FactKind::Card][..]),
            When::Rank(name, _) => (name, &[FactKind::Rank][..]),
            When::Has(name, _) => {
                assert!(code.entry().fact(name).is_some_and(|row| row.absent.is_some()), "{code} {name}");
                continue;
            }
            _ => continue,
        };
        let row = code.entry().fact(name).unwrap_or_else(|| panic!("{code} has no fact {name}"));
        assert!(kinds.contains(&row.kind), "{code}: {name} has another type");
    }
}

/// Codes for which one book names several rules that always apply together, or that no fact tells apart. The list was
/// reviewed by hand.
const TOGETHER: &[&str] = &[
    "GAME_DISPUTE_OPEN",
    "GAME_CLOCK",
    "TURN_OVER",
    "SPECIAL_NOT_AGREED",
    "SETUP_PLAYER_COUNT",
    "SETUP_SIDES",
    "SETUP_KNOBS",
    "SETUP_DRAW_TIED",
    "PILE_RESTORE_FORBIDDEN",
    "THREE_LAY_WRONG_TIME",
    "THREE_MUST_BE_LAID",
    "PILE_TOP_WILD",
    "PILE_TOP_BLACK_THREE",
    "PILE_MELD_TOO_FULL",
    "MELD_NOT_OWN_SIDE",
    "MELD_MIXED_RANKS",
    "PILE_INITIAL_MELD_FIRST",
    "MELD_LEAVES_TOO_FEW_CARDS",
    "MELD_LEAVES_NO_FINISH",
    "DISCARD_WILD_FORBIDDEN",
    "ASK_CANNOT_GO_OUT",
    "REVEAL_NOT_AVAILABLE",
];

#[test]
fn codes_that_name_several_rules_are_reviewed() {
    for entry in ALL {
        let several = PRESETS.iter().any(|preset| {
            let base = PresetId::from_name(preset).expect("a preset");
            cite(entry.code, &base.rule_set().books(base)).count() > 1
        });
        let told = CAUSES.iter().any(|cause| cause.code == entry.code);
        let together = TOGETHER.contains(&entry.name);
        assert!(
            !several || told != together,
            "{}: rules told apart {told}, listed as together {together}",
            entry.name
        );
    }
}
