use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::*;

/// The bytes and digests of all presets, computed apart from this crate.
const PUBLISHED: &str = include_str!("../../../../../tests/data/rules/presets.json");

fn published() -> serde_json::Map<String, Value> {
    serde_json::from_str(PUBLISHED).expect("the published presets are JSON")
}

fn hex(digest: [u8; 32]) -> String {
    digest.iter().map(|byte| alloc::format!("{byte:02x}")).collect()
}

#[test]
fn names_are_published_in_the_order_of_numbers() {
    let names: Vec<String> = published().keys().cloned().collect();
    assert_eq!(names, PRESETS);
    for (number, name) in PRESETS.iter().enumerate() {
        let id = PresetId::from_name(name).expect("a listed name");
        assert_eq!((usize::from(id.number()), id.name()), (number, *name));
        assert_eq!(PresetId::from_number(id.number()), Some(id));
    }
    assert_eq!(PresetId::from_number(22), None);
    assert_eq!(PresetId::from_name("classic"), None);
}

/// Checks the bytes and digest of every preset (model 5.5).
#[test]
fn every_preset_has_the_published_bytes_and_digest() {
    for (name, entry) in published() {
        let set = preset(&name).expect("a published preset");
        let canonical = set.to_canonical();
        // The published knobs are in canonical order and spelling, so their text is the canonical form.
        assert_eq!(String::from_utf8_lossy(&canonical), entry["knobs"].to_string(), "{name}");
        assert!(PUBLISHED.as_bytes().windows(canonical.len()).any(|text| text == canonical), "{name}");
        assert_eq!(hex(set.digest()), entry["digest"], "{name}");
        assert_eq!(RuleSet::from_canonical(&canonical), Ok(set), "{name}");
    }
}

#[test]
fn digest_of_classic_is_the_one_printed_in_the_rulebook() {
    let digest = PresetId::from_number(0).map(|id| hex(id.rule_set().digest()));
    let printed = "f580b4de7b5ce3e7c2e909fd328733250da65bdf0d672ba0f06c31cbaf821bfd";
    assert_eq!(digest.as_deref(), Some(printed));
}

/// Checks that only Manzana has guessed knobs: those that the readable part of its text does not confirm (family
/// book, section 3).
#[test]
fn guessed_knobs_exist_and_only_manzana_has_them() {
    for preset in PresetId::all() {
        assert_eq!(preset.guessed().is_empty(), preset.name() != "manzana-2p", "{}", preset.name());
        assert!(preset.guessed().iter().all(|name| crate::rules::Knob::named(name).is_some()));
    }
    let table = |name| KNOBS.iter().position(|knob| knob.name == name);
    let manzana = PresetId::from_name("manzana-2p").expect("a preset");
    assert!(manzana.guessed().is_sorted_by_key(|name| table(*name)), "in the order of the knobs");
}
