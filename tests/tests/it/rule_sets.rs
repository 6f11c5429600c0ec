//! Rule sets put together at random: each is refused with named faults, or played soundly.
//!
//! `CANASTA_RULE_SETS` sets the number of playable rule sets (by default as many as take some seconds),
//! `CANASTA_SEED` the seed. A rule set is made from a preset by changing some knobs, or by taking each knob from one
//! of two presets. Knobs that contradict others are changed back until the rule set can be played, or is the preset.

use canasta_engine::rules::{KNOBS, Knob, KnobFault, PresetId, RuleSet, Rules};
use canasta_tests::games::Rng;
use canasta_tests::variations::offered;
use canasta_tests::whole::{GameCounts, GamePlan, TablePlayers, watch};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of rule sets that are played by default.
const DEFAULT: u64 = 400;

/// Numbers that stand for all numbers: those around which something changes, and the ends of every range.
const NUMBERS: [i32; 22] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 15, 20, 50, 60, 99, 100, 300, 1_500, 10_000];

/// Returns the values of every knob that may be tried, in the spelling of the canonical form.
fn values() -> BTreeMap<&'static str, Vec<String>> {
    let presets: Vec<RuleSet> = PresetId::all().map(PresetId::rule_set).collect();
    KNOBS.iter().map(|knob| (knob.name, values_of(knob, &presets))).collect()
}

fn values_of(knob: &Knob, presets: &[RuleSet]) -> Vec<String> {
    let numbers = NUMBERS.iter().map(|number| number.to_string());
    let lists = NUMBERS.iter().map(|number| format!("[{number}]"));
    let varied = offered().into_iter().flat_map(|(_, one)| one.knobs);
    let varied = varied.filter(|(name, _)| *name == knob.name).map(|(_, value)| String::from(value));
    let own: Vec<String> = presets.iter().map(|set| knob.value(set)).collect();
    let members: Vec<String> =
        own.iter().flat_map(|value| value.split('"').skip(1).step_by(2)).map(set_of).collect();
    let extra = EXTRA.iter().filter(|(name, _)| *name == knob.name).map(|(_, value)| String::from(*value));
    let all = knob.values().into_iter().chain(members).chain(numbers).chain(lists).chain(own).chain(extra);
    let all: BTreeSet<String> = all.chain(varied).chain(["[]", "{}"].map(String::from)).collect();
    all.into_iter().filter(|value| presets[0].clone().change(knob.name, value).is_ok()).collect()
}

/// Returns the set of one member.
fn set_of(word: &str) -> String {
    format!("[\"{word}\"]")
}

/// Values that no preset has and no simple pattern gives.
const EXTRA: &[(&str, &str)] = &[
    ("talons", "[4,3,2]"),
    ("talons", "[11,11]"),
    ("initial_bands", "[{\"minimum\":0}]"),
    ("initial_bands", "[{\"minimum\":300}]"),
    ("initial_bands", "[0,0,500]"),
    (
        "card_points",
        concat!(
            "{\"A\":15,\"K\":10,\"Q\":10,\"J\":10,\"T\":10,\"9\":5,\"8\":5,\"7\":5,\"6\":5,\"5\":5,\"4\":5,",
            "\"2\":20,\"X\":25,\"3b\":0}"
        ),
    ),
    ("rank_wilds", "{\"K\":\"never\",\"4\":\"initial_only\"}"),
    ("bonus_rank", "{\"Q\":700}"),
    ("bonus_rank_mixed", "{\"Q\":600}"),
    ("go_out_ranks", "[\"K\",\"7\"]"),
    ("draw_rounds", "[1,10]"),
    ("more_feet", "[2]"),
    ("more_feet", "[7,1]"),
    ("black_three_table", "[5,10,15,100,105,110,115,120,125,130,135,140]"),
    ("penalty_incomplete", "{\"7\":500}"),
    ("penalty_held_trio", "{\"J\":200}"),
    ("special_hands", "[\"straight\",\"garbage\"]"),
];

/// Knobs that belong together and that single changes seldom bring together.
const BUNDLES: &[&[(&str, &str)]] = &[
    &[("undo_meld", "true")],
    &[("undo_meld", "true"), ("meld_check", "\"at_discard\"")],
    &[
        ("undo_meld", "true"),
        ("pile_steps", "\"two\""),
        ("pile_restore", "true"),
        ("pass_discard", "true"),
        ("final_discard", "\"optional\""),
        ("pile_portion", "0"),
    ],
    &[
        ("undo_meld", "true"),
        ("meld_check", "\"at_discard\""),
        ("pile_steps", "\"two\""),
        ("pile_restore", "true"),
        ("pass_discard", "true"),
        ("final_discard", "\"optional\""),
        ("pile_portion", "0"),
    ],
    &[("courtesy", "\"on_request\"")],
    &[("courtesy", "\"with_consent\"")],
    &[("stock_out", "\"play_on\""), ("pile_portion", "0"), ("forced_take", "\"any_legal\"")],
    &[("wild_value", "\"substituted\"")],
    &[("initial_bonus", "true"), ("initial_exempt", "[]")],
    &[("last_three", "\"meld_no_discard\""), ("threes_drawn", "\"choice\"")],
    &[("pass_discard", "true"), ("final_discard", "\"optional\"")],
    &[
        ("sequences", "true"),
        ("sequence_max", "7"),
        ("canasta_accepts", "\"naturals\""),
        ("wild_cap_scope", "\"always\""),
    ],
    &[("next_dealer", "\"loser_leads\"")],
];

/// A rule set and the preset it began as.
struct Made {
    base: PresetId,
    set: RuleSet,
}

fn make(values: &BTreeMap<&'static str, Vec<String>>, rng: &mut Rng) -> Made {
    let presets: Vec<PresetId> = PresetId::all().collect();
    let base = presets[rng.below(presets.len())];
    let mut set = base.rule_set();
    if rng.chance(30) {
        let other = presets[rng.below(presets.len())].rule_set();
        for knob in KNOBS.iter().filter(|_| rng.chance(40)) {
            set.change(knob.name, &knob.value(&other)).expect("a preset's value is a value");
        }
    }
    let most = if rng.chance(50) { 4 } else { 25 };
    let changes = 1 + rng.below(most);
    for _ in 0..changes {
        let knob = &KNOBS[rng.below(KNOBS.len())];
        let of_knob = &values[knob.name];
        set.change(knob.name, &of_knob[rng.below(of_knob.len())]).expect("a value that was tried");
    }
    for _ in 0..rng.below(4) {
        for (knob, value) in BUNDLES[rng.below(BUNDLES.len())] {
            set.change(knob, value).expect("a value of the knob");
        }
    }
    Made { base, set }
}

/// Returns the faults by name, each with every knob that it names. Checks that all these knobs exist.
fn named(faults: &[KnobFault]) -> Vec<(&'static str, &'static str)> {
    assert!(!faults.is_empty(), "refused without a reason");
    let mut named = Vec::new();
    for fault in faults {
        assert!(!fault.detail().is_empty() && !fault.knobs().is_empty(), "{fault:?}");
        for &knob in fault.knobs() {
            assert!(Knob::named(knob).is_some() && fault.to_string().contains(knob), "{fault}");
            named.push((fault.detail(), knob));
        }
    }
    named
}

/// Changes contradicting knobs back to the preset's own values, some at a time, until the rule set can be played.
/// Counts the faults in `refused`.
fn repair(made: &mut Made, rng: &mut Rng, refused: &mut BTreeMap<&'static str, u64>) {
    let original = made.base.rule_set();
    for attempt in 0..60 {
        let Err(faults) = made.set.validate() else { return };
        let named = named(&faults);
        for fault in &faults {
            *refused.entry(fault.detail()).or_default() += 1;
        }
        for (detail, knob) in named {
            let knob = Knob::named(knob).expect("a knob");
            // A knob without effect needs its default, which may not be the preset's value.
            let value = match detail {
                "NO_EFFECT" if rng.chance(70) => knob.value(&RuleSet::defaults()),
                _ if attempt < 40 && rng.chance(50) => continue,
                _ => knob.value(&original),
            };
            made.set.change(knob.name, &value).expect("a value");
        }
    }
    made.set = original;
}

/// Limits most games to few rounds: rounds are tried, not targets.
fn shorten(set: &mut RuleSet, rng: &mut Rng) {
    if rng.chance(60) {
        set.rounds = 1 + rng.below(3) as u8;
    }
}

#[test]
fn every_rule_set_is_refused_by_name_or_played() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (wanted, seed) =
        (number("CANASTA_RULE_SETS").unwrap_or(DEFAULT), number("CANASTA_SEED").unwrap_or(1));
    let only = number("CANASTA_RULE_SET");
    let (values, began) = (values(), Instant::now());
    let (mut seen, mut faults, mut refused) = (GameCounts::default(), Vec::new(), BTreeMap::new());
    let (mut played, mut changed) = (0, BTreeMap::<&str, BTreeSet<String>>::new());
    let mut slowest = (Duration::ZERO, String::new());
    for at in 0..wanted {
        let mut rng = Rng(seed << 32 | at);
        let mut made = make(&values, &mut rng);
        shorten(&mut made.set, &mut rng);
        repair(&mut made, &mut rng, &mut refused);
        if only.is_some_and(|only| only != at) {
            continue;
        }
        let original = made.base.rule_set();
        let changes: Vec<String> =
            made.set.differences(&original).map(|k| format!("{} {}", k.name, k.value(&made.set))).collect();
        for knob in made.set.differences(&original) {
            changed.entry(knob.name).or_default().insert(knob.value(&made.set));
        }
        let rules = Arc::new(Rules::house(made.base, made.set, None).expect("it was validated"));
        let players = if at % 3 == 0 { TablePlayers::Bots } else { TablePlayers::Mixed };
        let plan = GamePlan { seed, players, rounds: 3, every: 5 };
        let start = Instant::now();
        let watched = catch_unwind(AssertUnwindSafe(|| watch(&rules, at as u32, &plan, &mut seen)));
        let name = format!("{at}: {} with {}", made.base.name(), changes.join(", "));
        if let Err(panic) = watched {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| String::from(*text)));
            let text = text.unwrap_or_default();
            println!("{name}: {}", text.lines().take(6).collect::<Vec<_>>().join(" / "));
            faults.push(format!("{name}: {text}"));
        }
        if start.elapsed() > slowest.0 {
            slowest = (start.elapsed(), name);
        }
        played += 1;
    }
    let values: usize = changed.values().map(BTreeSet::len).sum();
    println!(
        "{played} rule sets in {:.1} s, {values} values of {} knobs",
        began.elapsed().as_secs_f64(),
        changed.len()
    );
    println!(
        "{seen:?}\nrefused {refused:?}\nthe slowest took {:.2} s: {}",
        slowest.0.as_secs_f64(),
        slowest.1
    );
    assert!(faults.is_empty(), "{} of {played} rule sets:\n{}", faults.len(), faults.join("\n"));
    assert!(only.is_some() || refused.len() > 15, "{refused:?}");
}
