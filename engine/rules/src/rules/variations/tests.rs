use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};

use super::super::{HouseError, Rules};
use super::*;
use crate::rulebook;

fn base(name: &str) -> PresetId {
    PresetId::from_name(name).expect("a preset")
}

/// Returns the ids of the variation and of the first variation that it needs.
fn with_needed(one: &Variation) -> Vec<&'static str> {
    [one.id].into_iter().chain(one.needs.first().copied()).collect()
}

fn faults(preset: &str, chosen: &[&str], knobs: &[(&str, &str)]) -> Vec<String> {
    let (_, faults) = base(preset).changed(chosen, knobs.iter().copied());
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn every_variation_is_well_formed_and_played() {
    for preset in PresetId::all() {
        let offered = preset.variations();
        let ids: BTreeSet<&str> = offered.iter().map(|one| one.id).collect();
        assert_eq!(ids.len(), offered.len(), "{}: no id is offered twice", preset.name());
        for one in &offered {
            let name = format!("{}: {}", preset.name(), one.id);
            assert!(one.id.starts_with(one.rule_ids[0]), "{name}: its id begins with that of its first rule");
            for id in &one.rule_ids {
                assert!(rulebook::rule(id).is_some(), "{name}: {id} is no rule");
            }
            assert!(one.sentence.ends_with('.') && one.sentence.len() < 160, "{name}: {}", one.sentence);
            assert!(!one.title.ends_with('.') && (4..70).contains(&one.title.len()), "{name}: {}", one.title);
            assert!(
                one.needs.iter().chain(&one.excludes).all(|id| ids.contains(id)),
                "{name}: needs or excludes"
            );
            // Every value is in canonical spelling, and at least one differs from the preset's value.
            let own = preset.rule_set();
            let mut set = own.clone();
            one.set_in(&mut set);
            assert!(one.holds_in(&set) && !one.holds_in(&own), "{name}: {:?}", one.knobs);
            let (set, faults) = preset.changed(&with_needed(one), []);
            assert_eq!(faults, [], "{name}");
            assert!(Rules::house(preset, set.clone(), None).is_ok(), "{name}: {:?}", set.validate());
        }
    }
}

/// Checks that every line of the file is read: each block has an offer, and each line begins with a known word or
/// knob.
#[test]
fn every_line_of_the_table_means_something() {
    let known = |line: &str| {
        let knob = line.split_once(" = ").is_some_and(|(knob, _)| Knob::named(knob).is_some());
        let word = ["rules ", "for ", "needs ", "not "].iter().any(|word| line.starts_with(word));
        knob || word || line == "ours" || line.is_empty()
    };
    for block in blocks() {
        let mut lines = block.lines();
        let head = lines.next().expect("a head");
        assert!(head.contains("] ") && lines.next().is_some_and(|line| line.ends_with('.')), "{head}");
        lines.for_each(|line| assert!(known(line), "{head}: {line}"));
        assert!(PresetId::all().any(|preset| read(block, preset.name()).is_some()), "{head}");
        let names =
            block.lines().filter_map(|line| line.strip_prefix("for ")).flat_map(|names| names.split(' '));
        for name in names {
            let beginning = name.strip_suffix('*').unwrap_or(name);
            assert!(PresetId::all().any(|preset| preset.name().starts_with(beginning)), "{head}: {name}");
        }
    }
}

/// Checks that two variations that do not go together are refused by name, and that all other pairs can be played.
#[test]
fn every_pair_is_refused_by_name_or_played() {
    for preset in PresetId::all() {
        let offered = preset.variations();
        for (index, one) in offered.iter().enumerate() {
            for other in &offered[..index] {
                let chosen = [with_needed(one), with_needed(other)].concat();
                let backwards: Vec<&str> = chosen.iter().rev().copied().collect();
                let (set, faults) = preset.changed(&chosen, []);
                let (same, as_many) = preset.changed(&backwards, []);
                assert_eq!(faults.len(), as_many.len(), "{}: {chosen:?}", preset.name());
                for fault in &faults {
                    let named = chosen.iter().filter(|id| fault.to_string().contains(**id)).count();
                    assert!(named >= 2, "{}: {chosen:?}: {fault}", preset.name());
                }
                if faults.is_empty() {
                    assert_eq!(set.digest(), same.digest(), "{}: {chosen:?}", preset.name());
                    let played = Rules::house(preset, set, None);
                    assert!(played.is_ok(), "{}: {chosen:?}: {:?}", preset.name(), played.err());
                }
            }
        }
    }
}

/// Checks that each preset offers the variations of its row in model 5.4, in the order of the table. The last rows
/// name those of several presets.
#[test]
fn each_preset_offers_what_the_rulebook_lists() {
    let asking = "IR-050 IR-055";
    let classic = "CV-001 CV-002 CV-006 CV-007 CV-008 CV-009 CV-011";
    let wild = "CV-012 CV-012-unlocked CV-014-twos CV-014-jokers CV-016";
    let table = "AMB-11 AMB-11-stock AMB-34";
    let american = "MV-001 MV-002 MV-003 MV-004 MV-005 MV-006 MV-006-naturals MV-007 MV-008 MV-009-none \
        MV-009-straight MV-009-pairs MV-009-garbage MV-009-straight-pairs MV-009-straight-garbage \
        MV-009-pairs-garbage MA-015 MA-082 AC-02-straight AC-02-never AC-04-never AC-04-always AC-41 AC-44 AC-51 \
        AC-61 US-003 IR-042 IR-060 IR-061 IR-062 IR-063 TF-003 IR-040";
    let wahhi =
        "WH-013-none WH-013-hands WH-013-turn-card WH-076 WH-043 WH-042 AMB-WH-07 WH-087-meld WH-087-on";
    let feet = "HF-019 HF-023 HF-025-none HF-027-none AMB-HF-08 HF-079-choice HF-108 HF-073-request HF-073-consent \
        HF-088-binding HF-088-off HF-044-whole AMB-HF-34 HF-106 HF-106-three HF-107-7 CL-116 HF-109 HF-110 HF-111 \
        HF-112 HF-113 HF-114 HF-115 IR-040";
    let samba =
        "SAD-01 SAD-02 SAD-05 SAD-08 SAD-10 SA-009 SA-009-partners SA-003-2 SA-003-3 SA-003-5 SA-003-6";
    let rows = [
        ("classic-4p", format!("{classic} {wild} {table} CL-116 CL-113 CL-114 CL-117 CL-115 {asking}")),
        ("classic-6p-3x2 classic-6p-2x3", format!("{classic} {wild} {table} {asking}")),
        ("classic-2p", format!("{classic} {wild} {table}")),
        ("classic-3p", format!("{classic} {wild} {table} AMB-44 P3-001 {asking}")),
        ("classic-3p-11", format!("{classic} {wild} {table} AMB-44 {asking}")),
        (
            "miller-6p-2x3",
            format!("{classic} CV-012-off CV-014-twos CV-014-jokers CV-015 CV-016 CV-016-none {table} {asking}"),
        ),
        ("american-4p american-wikipedia-4p", format!("{american} {asking}")),
        (
            "hoyle-2p",
            "HN-022 HN-061 HN-067 HN-066 HN-013 HN-039-off HN-039-free AMB-HN-07 AMB-HN-06 HN-053 HN-044 HN-045 \
             HN-047-pile HN-047-off AMB-HN-02 HN-035 AMB-HN-03 HN-009-loser HN-009-winner HN-009-random \
             HN-009-given IR-040"
                .into(),
        ),
        ("wahhi-2p wahhi-3p wahhi-5p", wahhi.into()),
        ("wahhi-4p", format!("{wahhi} WH-083-off {asking}")),
        ("wahhi-6p", format!("{wahhi} WH-083-off AMB-WH-04-next AMB-WH-04-any {asking}")),
        (
            "s3-4p",
            format!(
                "AMB-S3-02 AMB-S3-03 AMB-S3-06-meld AMB-S3-06-off AMB-S3-01 AMB-S3-07 AMB-S3-10 AMB-S3-09 \
                 AMB-S3-08-meld AMB-S3-08-on S3-041 S3-042 {asking}"
            ),
        ),
        (
            "gr-4p",
            format!(
                "AMB-GR-01 GR-037-black-three GR-037-any AMB-GR-07-red-three AMB-GR-07-none AMB-GR-04 AMB-GR-05 \
                 AMB-GR-10-minus AMB-GR-10-zero AMB-GR-10-four GR-043 AMB-GR-03-none AMB-GR-03-50 AMB-GR-09-advice \
                 AMB-GR-09-off GR-047-2 GR-047-3 GR-047-5 GR-047-6 {asking}"
            ),
        ),
        ("hand-and-foot-4p hand-and-foot-6p", format!("{feet} {asking}")),
        ("samba-4p", format!("{samba} IR-040 {asking}")),
        ("bolivia-4p", format!("{samba} BOD-03-lock BOD-03-penalty IR-040 {asking}")),
        // No variations until the text is confirmed.
        ("manzana-2p", String::new()),
    ];
    let mut seen = 0;
    for (presets, expected) in rows {
        for name in presets.split(' ') {
            let offered = base(name).variations();
            let found: Vec<&str> = offered.iter().map(|one| one.id).collect();
            assert_eq!(found, expected.split_whitespace().collect::<Vec<_>>(), "{name}");
            seen += 1;
        }
    }
    assert_eq!(seen, PresetId::all().count());
}

/// The rules of the rulebook that speak of a choice which is no variation of a preset, with the reason.
const NO_VARIATION: &[(&str, &str)] = &[
    ("CV-010", "says that the choice does not change during the game"),
    ("AMB-22", "says what holds whatever is switched on"),
    ("CLAR-06", "says which cannot go together"),
    ("AMB-HN-31", "says which cannot go together"),
    ("BOD-04", "says what holds with the lock"),
];

/// Checks that a variation cites every rule of the two books of variations, and every rule that speaks of a switch or
/// an option: the rule itself, or a rule that its text names.
#[test]
fn no_choice_of_the_rulebook_is_missing() {
    let cited: BTreeSet<&str> =
        PresetId::all().flat_map(PresetId::variations).flat_map(|one| one.rule_ids).collect();
    for rule in rulebook::all() {
        let is_choice = ["CV-", "MV-"].iter().any(|book| rule.id.starts_with(book));
        let text = format!(
            "{} {} {}",
            rule.question.unwrap_or_default(),
            rule.text,
            rule.decision.map_or("", |decision| decision.why)
        );
        let speaks = ["switch", "Switch", "ption \"", "offered"].iter().any(|word| text.contains(word));
        let is_cited = cited.contains(rule.id) || cited.iter().any(|id| text.contains(id));
        let is_excused = NO_VARIATION.iter().any(|(id, _)| *id == rule.id);
        if is_choice || speaks {
            assert!(is_cited != is_excused, "{}: {text}", rule.id);
        }
    }
}

/// A row: a preset, the variations chosen, the knobs set, and the expected faults.
type Refused =
    (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)], &'static [&'static str]);

/// Checks the refusals of variations that are unknown, of another preset, in conflict, beside a knob that they set,
/// without what they need, or with what they exclude. A refusal of two choices names both.
#[test]
fn what_does_not_go_together_is_refused_naming_both() {
    let rows: &[Refused] = &[
        ("classic-4p", &["CV-099"], &[], &["variation CV-099: there is no such variation"]),
        (
            "classic-4p",
            &["MV-004"],
            &[],
            &["variation MV-004 (No pile in the turn of the initial meld): classic-4p does not offer it; \
               american-4p, american-wikipedia-4p do"],
        ),
        (
            "american-4p",
            &["MV-006", "MV-009-none"],
            &[],
            &[
                "variations MV-006 (Pairs with two jokers) and MV-009-none (No special hands): they set pairs_wilds \
               differently; choose one",
            ],
        ),
        (
            "american-4p",
            &["MV-004"],
            &[("target", "3000"), ("pile_unopened", "\"closed\"")],
            &[
                "knob pile_unopened: the variation MV-004 (No pile in the turn of the initial meld) sets it; leave out \
               the knob or the variation",
            ],
        ),
        (
            "classic-4p",
            &["CV-001"],
            &[],
            &[
                "variation CV-001 (V1: no pile onto a canasta): it needs another; choose CV-006 (S1: a second meld of a \
               rank), CV-007 (S2: no limit of wild cards beyond seven cards), CV-008 (S3: no natural and wild onto a \
               canasta full of wild cards), CV-009 (S4: no pile in the rank of an own canasta) or CV-002 (V2: no pile \
               with a wild card)",
            ],
        ),
        // T-144: a solution without the collision that it solves.
        (
            "classic-4p",
            &["CV-006"],
            &[],
            &[
                "variation CV-006 (S1: a second meld of a rank): it needs another; choose CV-001 (V1: no pile onto a \
               canasta)",
            ],
        ),
        (
            "classic-4p",
            &["CV-008", "CV-001", "CV-006"],
            &[],
            &[
                "variations CV-008 (S3: no natural and wild onto a canasta full of wild cards) and CV-006 (S1: a second \
               meld of a rank): they exclude each other; choose one",
            ],
        ),
    ];
    for (preset, chosen, knobs, expected) in rows {
        assert_eq!(faults(preset, chosen, knobs), *expected, "{preset} {chosen:?} {knobs:?}");
    }
    // The knobs of a needed variation may stand for it.
    assert_eq!(faults("classic-4p", &["CV-008"], &[("take_layoff", "\"incomplete\"")]), [""; 0]);
}

/// Checks that a variation is nothing else than the knobs that it names.
#[test]
fn the_digest_is_that_of_the_equal_knobs() {
    let (named, _) = base("classic-4p").changed(&["CV-008", "CV-001", "CV-008"], [("target", "3000")]);
    let mut equal = base("classic-4p").rule_set();
    equal.take_layoff = crate::rules::TakeLayoff::Incomplete;
    equal.take_canasta_rank = crate::rules::TakeCanastaRank::UnlessWildsFull;
    equal.target = 3000;
    assert_eq!(named, equal);
    assert_eq!(named.digest(), equal.digest());
    // The game for three with eleven cards is also a preset (model 5.3).
    let (eleven, _) = base("classic-3p").changed(&["P3-001"], []);
    assert_eq!(eleven.digest(), base("classic-3p-11").rule_set().digest());
}

/// Checks that the refusal of a house rule made of knobs names the variations that would remove the fault.
#[test]
fn a_refusal_names_the_choice() {
    let refused = |preset: &str, knobs: &[(&str, &str)]| -> Vec<String> {
        let (set, faults) = base(preset).changed(&[""; 0], knobs.iter().copied());
        assert_eq!(faults, [], "{preset}");
        let Err(HouseError::Knobs(faults)) = Rules::house(base(preset), set, None) else {
            panic!("{preset}: {knobs:?} is played")
        };
        faults.iter().map(|fault| format!("{} {}", fault.detail(), fault.remedy())).collect()
    };
    assert_eq!(
        refused("classic-4p", &[("take_layoff", "\"incomplete\"")]),
        [
            "COLLISION_UNSET choose CV-002 (V2: no pile with a wild card) or CV-006 (S1: a second meld of a rank) or \
          CV-007 (S2: no limit of wild cards beyond seven cards) or CV-008 (S3: no natural and wild onto a canasta \
          full of wild cards) or CV-009 (S4: no pile in the rank of an own canasta)"
        ]
    );
    assert_eq!(
        refused("hand-and-foot-4p", &[("ask", "\"binding\"")]),
        [
            "ASK_UNCHECKED choose HF-088-binding (The mates' answer binds) or IR-050 (A penalty for asking without being \
          able to go out)"
        ]
    );
    assert_eq!(
        refused("classic-4p", &[("wild_lock", "true")]),
        ["NO_EFFECT also set wild_melds = true, or set wild_lock = false; or choose CV-012 (Wild melds) or \
          CV-012-unlocked (Wild melds without the lock) or CL-113 (Uruguay) or CL-114 (Cuban Canasta) or \
          CL-115 (Joker Canasta)"]
    );
    for fault in refused("american-4p", &[("special_hands", "[]")]) {
        assert!(fault.contains("choose ") && fault.ends_with("MV-009-none (No special hands)"), "{fault}");
    }
}

#[test]
fn every_preset_has_a_title_and_a_sentence() {
    for preset in PresetId::all() {
        let (title, sentence) = (preset.title(), preset.sentence());
        assert!((5..50).contains(&title.len()) && !title.ends_with('.'), "{title}");
        assert!((30..170).contains(&sentence.len()) && sentence.ends_with('.'), "{sentence}");
    }
    let titles: BTreeSet<&str> = PresetId::all().map(PresetId::title).collect();
    assert_eq!(titles.len(), PresetId::all().count());
}
