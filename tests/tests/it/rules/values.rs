//! The values of knobs that matter to some case.
//!
//! A case shows a value of a knob if the case is played with that value and has another outcome with another value.
//! The other value also changes what [`ALONG`] lists for it, and knobs that lose their effect return to their
//! defaults.

use super::harness::{Case, play};
use canasta_engine::notation::Position;
use canasta_engine::rules::{HouseError, KNOBS, Knob, KnobFault, PRESETS, PresetId, RuleSet, Rules, preset};
use canasta_tests::variations::offered;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Knobs on which no play depends, or none unless cards are drawn: cases show them by stating the value of the knob.
const DISPLAYED: &[&str] = &["stock_marker", "draw_ranking"];

/// Knobs that decide which positions are possible: a case also shows them if its position is impossible with another
/// value.
const SHAPING: &[&str] = &["seats", "side_count", "side_formation", "score_unit"];

/// A knob, and its value.
type Change = (&'static str, &'static str);

/// Further changes without which a value gives no valid rule set.
const ALONG: &[(&str, &str, &[Change])] = &[
    ("seats", "4", &[("side_count", "4")]),
    ("side_count", "3", &[("seats", "3")]),
    ("side_formation", "\"lone_taker\"", &[("score_unit", "\"seat\""), ("three_unit", "\"seat\"")]),
    ("laid_threes", "\"red\"", &[("discard_threes", "\"black\""), ("three_table", EIGHT)]),
    ("three_table", FOUR, &[("discard_threes", "\"black\""), ("laid_threes", "\"red\"")]),
    ("laid_threes", "\"both\"", &[("three_table", EIGHT), ("black_three_meld", "\"never\"")]),
    ("three_table_unit", "\"colour\"", &[("three_table", "[100,300,500,1000]")]),
    ("side_formation", "\"fixed\"", &[("ask", "\"off\"")]),
    (
        "score_unit",
        "\"side\"",
        &[("side_formation", "\"fixed\""), ("ask", "\"off\""), ("initial_key", "\"side_score\"")],
    ),
    ("packs", "2", &[("three_table", FOUR)]),
    ("pile_restore", "false", &[("pile_steps", "\"one\"")]),
    ("pile_restore", "true", &[("pile_steps", "\"two\"")]),
    ("pile_steps", "\"two\"", &[("pile_restore", "true"), ("pass_discard", "true"), ("undo_meld", "true")]),
    ("pass_discard", "false", &[("pile_steps", "\"one\""), ("pile_restore", "false")]),
    (
        "undo_meld",
        "false",
        &[("pile_steps", "\"one\""), ("pile_restore", "false"), ("meld_check", "\"immediate\"")],
    ),
    ("wild_cap_scope", "\"always\"", &[("take_canasta_rank", "\"never\"")]),
    ("melds_per_rank", "\"one\"", &[("merge", "\"none\"")]),
    ("merge", "\"sets\"", &[("melds_per_rank", "\"many\"")]),
    ("sequences", "true", &[("sequence_max", "7"), ("canasta_accepts", "\"naturals\"")]),
    ("initial_key", "\"round\"", &[("initial_bands", "[50,90,120,150]"), ("rounds", "4")]),
    ("initial_key", "\"side_score\"", &[("initial_bands", BANDS)]),
    ("rounds", "0", &[("target", "5000"), ("initial_key", "\"side_score\""), ("initial_bands", BANDS)]),
    ("rounds", "3", &[("initial_bands", "[50,90,120]")]),
    ("target", "0", &[("rounds", "4")]),
    ("three_table_unit", "\"all\"", &[("three_table", EIGHT)]),
    ("cut_bonus", "100", &[("cut_ways", r#"["hands","hands_plus_one"]"#)]),
];
const FOUR: &str = "[100,200,300,800]";
const EIGHT: &str = "[100,200,300,400,500,600,700,800]";
const BANDS: &str =
    r#"[{"below":0,"minimum":15},{"below":1500,"minimum":50},{"below":3000,"minimum":90},{"minimum":120}]"#;

/// Returns, for each knob, the values that no case shows, of all its words and of the values that presets have or
/// offer by name.
pub fn not_shown(book: &[Case]) -> BTreeMap<&'static str, Vec<String>> {
    let played: Vec<Played> = book.iter().filter_map(Played::of).collect();
    let mut missing = BTreeMap::new();
    for knob in &KNOBS {
        let values = values(knob);
        let shown =
            |value: &&String| is_shown(knob, value, &values, &played) || is_idle(knob, value, &values);
        let silent: Vec<String> = values.iter().filter(|value| !shown(value)).cloned().collect();
        if !silent.is_empty() {
            missing.insert(knob.name, silent);
        }
    }
    missing
}

fn values(knob: &Knob) -> BTreeSet<String> {
    let of_presets = PRESETS.iter().filter_map(|id| preset(id)).map(|set| knob.value(&set));
    let of_variations = offered().into_iter().flat_map(|(_, one)| one.knobs);
    let of_variations = of_variations.filter(|(name, _)| *name == knob.name).map(|(_, value)| value.into());
    of_presets.chain(of_variations).chain(knob.values()).collect()
}

/// Returns the value with all its numbers a little higher, so that a value that is the only one can be compared with
/// another.
fn raised(knob: &Knob, value: &str) -> Option<String> {
    let (mut text, mut number) = (String::new(), String::new());
    for c in value.chars().chain([' ']) {
        if c.is_ascii_digit() && !text.ends_with('"') {
            number.push(c);
            continue;
        }
        if let Ok(found) = number.parse::<i32>() {
            text += &(found + if knob.holds_points { 5 } else { 1 }).to_string();
            number.clear();
        }
        text.push(c);
    }
    (text.trim() != value).then(|| text.trim().into())
}

/// A case that is played, with its rules.
struct Played<'a> {
    case: &'a Case,
    rules: Arc<Rules>,
}

impl<'a> Played<'a> {
    fn of(case: &'a Case) -> Option<Self> {
        if case.status.is_some() || case.fault.is_some() {
            return None;
        }
        // A game that is not created may have a rule set that contradicts itself.
        let position = Position::parse(header(&case.position)).ok()?;
        Some(Self { case, rules: position.rules().clone() })
    }

    /// Whether the case names the knob or one of its rules, so that it is tried first.
    fn is_about(&self, knob: &Knob) -> bool {
        self.case.rules().any(|id| knob.rule_ids.contains(&id))
            || header(&self.case.position).contains(knob.name)
    }

    /// Returns the case with another value, in every way that gives a valid rule set.
    fn with(&self, knob: &Knob, value: &str) -> Vec<Case> {
        otherwise(&self.rules, knob, value).iter().map(|rules| self.under(rules, knob)).collect()
    }

    fn under(&self, rules: &Rules, knob: &Knob) -> Case {
        let base = rules.base().rule_set();
        let mut head = String::from(rules.base().name());
        for knob in rules.set().differences(&base) {
            head += &format!(" {}={}", knob.name, knob.value(rules.set()));
        }
        let under = |text: &String| text.replacen(header(text), &head, 1);
        let mut case = self.case.clone();
        case.position = under(&case.position);
        case.twin = case.twin.as_ref().map(under);
        case.knobs = case.knobs.filter(|_| DISPLAYED.contains(&knob.name));
        case
    }
}

fn header(position: &str) -> &str {
    position.split(';').next().unwrap_or_default()
}

/// Returns valid rules with another value of the knob: with this change alone, and with the changes of [`ALONG`].
fn otherwise(rules: &Rules, knob: &Knob, value: &str) -> Vec<Rules> {
    let mut set = rules.set().clone();
    if set.change(knob.name, value).is_err() {
        return Vec::new();
    }
    let along = ALONG.iter().find(|(name, to, _)| (*name, *to) == (knob.name, value));
    let with_others = || {
        let mut set = set.clone();
        for (name, value) in along?.2 {
            set.change(name, value).expect("a value of this knob");
        }
        settled(rules.base(), set, knob)
    };
    [settled(rules.base(), set.clone(), knob), with_others()].into_iter().flatten().collect()
}

/// Sets every knob that has lost its effect to its default. Returns the rules, or `None` if they are still invalid.
fn settled(base: PresetId, mut set: RuleSet, kept: &Knob) -> Option<Rules> {
    for _ in 0..4 {
        let faults = match Rules::house(base, set.clone(), None) {
            Ok(rules) => return Some(rules),
            Err(HouseError::Knobs(faults)) => faults,
            Err(_) => return None,
        };
        for fault in faults {
            let idle = without_effect(&fault).and_then(Knob::named).filter(|knob| knob.name != kept.name)?;
            set.change(idle.name, &idle.value(&RuleSet::defaults())).expect("a default is a value");
        }
    }
    None
}

/// Returns the knob that has no effect: the first that the fault names. The other named knobs are the cause.
fn without_effect(fault: &KnobFault) -> Option<&'static str> {
    (fault.detail() == "NO_EFFECT").then(|| fault.knobs()[0])
}

/// Whether the value occurs only where the knob has no effect: presets have it, and each of them refuses every other
/// value.
fn is_idle(knob: &Knob, value: &str, values: &BTreeSet<String>) -> bool {
    let mut with_it =
        PRESETS.iter().filter_map(|id| preset(id)).filter(|set| knob.value(set) == value).peekable();
    with_it.peek().is_some()
        && with_it.all(|set| {
            values.iter().filter(|other| *other != value).all(|other| {
                let mut set = set.clone();
                set.change(knob.name, other).expect("a value of this knob");
                let faults = set.validate().err().unwrap_or_default();
                faults.iter().any(|fault| without_effect(fault) == Some(knob.name))
            })
        })
}

fn is_shown(knob: &Knob, value: &str, values: &BTreeSet<String>, played: &[Played<'_>]) -> bool {
    let others: Vec<String> =
        values.iter().filter(|other| *other != value).cloned().chain(raised(knob, value)).collect();
    let with_it = || played.iter().filter(|played| knob.value(played.rules.set()) == value);
    let (first, then): (Vec<_>, Vec<_>) = with_it().partition(|played| played.is_about(knob));
    first
        .into_iter()
        .chain(then)
        .any(|played| others.iter().flat_map(|other| played.with(knob, other)).any(|case| fails(&case, knob)))
}

/// Whether the case has another outcome. A position that cannot be set up counts only for the knobs of [`SHAPING`];
/// another repair does not count, because it depends on other rules.
fn fails(case: &Case, knob: &Knob) -> bool {
    let no_outcome = ["position", "twin: ", "repair: "];
    let outcome = |error: &str| !no_outcome.iter().any(|start| error.starts_with(start));
    play(case).is_err_and(|error| SHAPING.contains(&knob.name) || outcome(&error))
}
