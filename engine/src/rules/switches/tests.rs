use alloc::format;
use alloc::string::{String, ToString};

use super::super::canonical::Reader;
use super::super::*;
use super::*;
use crate::card::Class;

type Row = (&'static str, fn(&mut RuleSet), &'static [&'static str]);

/// What is wrong and with which knobs, without the reason.
fn named(fault: &KnobFault) -> String {
    match fault {
        KnobFault::Forbidden { detail, knobs, .. } => format!("{detail}: {}", knobs.join(", ")),
        fault => fault.to_string(),
    }
}

fn check(rows: &[Row]) {
    for (base, change, expected) in rows {
        let id = PresetId::from_name(base).expect("a preset");
        let mut set = id.rule_set();
        change(&mut set);
        let faults = set.is_offered_by(id).err().unwrap_or_default();
        let found: Vec<String> = faults.iter().map(named).collect();
        assert_eq!(found, *expected, "{base}");
    }
}

#[test]
fn every_line_names_a_preset_a_knob_and_values_of_it() {
    for switch in SWITCHES {
        let knob = Knob::named(switch.knob).expect(switch.knob);
        let mut is_new = switch.values.is_empty();
        for name in switch.presets {
            let base = preset(name).expect(name);
            let own = knob.value(&base);
            for value in switch.values {
                let plain = value.replace('*', "1000");
                let quoted = format!("\"{plain}\"");
                let mut set = base.clone();
                let reads = |text: &str, set: &mut RuleSet| {
                    (knob.read)(set, &mut Reader::new(text.as_bytes())).is_ok() && knob.value(set) == text
                };
                assert!(reads(&quoted, &mut set) || reads(&plain, &mut set), "{}: {value}", switch.knob);
            }
            is_new |= switch.values.iter().any(|value| own.trim_matches('"') != *value);
        }
        assert!(is_new, "{}", switch.knob);
    }
    for bundle in BUNDLES {
        assert!(bundle.knobs.iter().all(|knob| SWITCHES.iter().any(|switch| switch.knob == *knob)));
    }
}

#[test]
fn every_preset_offers_itself() {
    for id in PresetId::all() {
        assert_eq!(id.rule_set().is_offered_by(id), Ok(()), "{}", id.name());
    }
}

/// Model 5.4, the rows of the table.
#[test]
fn offered_switches() {
    check(&[
        ("classic-4p", |s| s.take_natural_wild = TakeNaturalWild::Never, &[]),
        (
            "classic-6p-2x3",
            |s| {
                s.take_layoff = TakeLayoff::Incomplete;
                s.take_canasta_rank = TakeCanastaRank::UnlessWildsFull;
            },
            &[],
        ),
        (
            "classic-4p",
            |s| {
                s.wild_melds = true;
                s.wild_lock = true;
                s.bonus_wild = 2000;
                s.penalty_incomplete = RankMap::NONE.with_wild(1000);
            },
            &[],
        ),
        ("classic-3p", |s| s.go_out_total = 2, &[]),
        ("miller-6p-2x3", |s| s.wild_lock = true, &[]),
        ("american-4p", |s| s.special_hands = Set::of(&[SpecialHand::Pairs]), &[]),
        (
            "american-4p",
            |s| {
                s.initial_key = InitialKey::Round;
                s.initial_bands = Bands::ByRound(alloc::vec![125, 155, 180]);
                s.rounds = 3;
                s.target = 0;
            },
            &[],
        ),
        (
            // The question is off, so its knobs go back to their defaults.
            "hand-and-foot-4p",
            |s| {
                s.ask = Ask::Off;
                s.ask_window = AskWindow::BeforeMelds;
                s.ask_check = AskCheck::Strict;
            },
            &[],
        ),
        (
            "samba-4p",
            |s| {
                s.threes_drawn = ThreesDrawn::Choice;
                s.discard_threes = DiscardThrees::Any;
            },
            &[],
        ),
        ("gr-4p", |s| s.start_freezes = Set::of(&[Class::Wild, Class::RedThree]), &[]),
        ("wahhi-6p", |s| s.ask_whom = AskWhom::Any, &[]),
        ("s3-4p", |s| s.bonus_concealed = 0, &[]),
    ]);
}

#[test]
fn what_is_not_offered_is_named() {
    check(&[
        ("classic-4p", |s| s.hand_size = 13, &["hand_size: 13 is not offered by the preset"]),
        ("classic-4p", |s| s.go_out_total = 2, &["go_out_total: 2 is not offered by the preset"]),
        ("wahhi-4p", |s| s.ask_whom = AskWhom::Any, &["ask_whom: \"any\" is not offered by the preset"]),
        ("manzana-2p", |s| s.tie = Tie::PlayOn, &["tie: \"play_on\" is not offered by the preset"]),
        (
            "samba-4p",
            |s| s.threes_drawn = ThreesDrawn::Choice,
            &["BUNDLE_IN_PART: threes_drawn, discard_threes"],
        ),
    ]);
}

/// Combination 1 at the switch layer (CV-005, T-144).
#[test]
fn a_collision_rule_needs_a_collision() {
    check(&[
        (
            "classic-4p",
            |s| s.melds_per_rank = MeldsPerRank::OneOpen,
            &["COLLISION_UNUSED: melds_per_rank, take_layoff, take_natural_wild"],
        ),
        (
            "classic-4p",
            |s| {
                s.take_layoff = TakeLayoff::Incomplete;
                s.take_natural_wild = TakeNaturalWild::Never;
                s.take_canasta_rank = TakeCanastaRank::Never;
            },
            &["COLLISION_UNUSED: take_canasta_rank, take_layoff, take_natural_wild"],
        ),
        (
            "classic-4p",
            |s| {
                s.take_layoff = TakeLayoff::Incomplete;
                s.melds_per_rank = MeldsPerRank::OneOpen;
                s.wild_cap_scope = WildCapScope::ToCanasta;
            },
            &["COLLISION_UNUSED: melds_per_rank, wild_cap_scope, take_layoff, take_natural_wild"],
        ),
    ]);
}
