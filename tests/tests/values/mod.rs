//! Which values of knobs matter to some case.
//!
//! A case shows a value of a knob if it is played with it and fails with another one, everything else equal; knobs
//! that have no effect without it go back to their defaults.

use super::harness::{Case, play};
use canasta_engine::notation::Position;
use canasta_engine::rules::{HouseError, KNOBS, Knob, KnobFault, PRESETS, RuleSet, Rules, SWITCHES, preset};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Knobs that no play depends on: what a case says of the knob itself shows them.
const DISPLAYED: &[&str] = &["stock_marker"];

/// The values of each knob that no case shows, of all its words, of what presets have and of what they offer by name.
pub fn not_shown(book: &[Case]) -> BTreeMap<&'static str, Vec<String>> {
    let played: Vec<Played> = book.iter().filter_map(Played::of).collect();
    let mut missing = BTreeMap::new();
    for knob in &KNOBS {
        let values = values(knob);
        let silent: Vec<String> =
            values.iter().filter(|value| !is_shown(knob, value, &values, &played)).cloned().collect();
        if !silent.is_empty() {
            missing.insert(knob.name, silent);
        }
    }
    missing
}

fn values(knob: &Knob) -> BTreeSet<String> {
    let spelled = |text: &str| {
        let mut set = RuleSet::defaults();
        let quoted = format!("\"{text}\"");
        let read = set.change(knob.name, text).or_else(|_| set.change(knob.name, &quoted));
        read.is_ok().then(|| knob.value(&set))
    };
    let of_presets = PRESETS.iter().filter_map(|id| preset(id)).map(|set| knob.value(&set));
    let of_switches =
        SWITCHES.iter().filter(|switch| switch.knob == knob.name).flat_map(|switch| switch.values);
    of_presets.chain(of_switches.filter_map(|text| spelled(text))).chain(knob.words()).collect()
}

/// A case that is played, with its rules.
struct Played<'a> {
    case: &'a Case,
    rules: Arc<Rules>,
}

impl<'a> Played<'a> {
    fn of(case: &'a Case) -> Option<Self> {
        if case.status.is_some() || case.fault.is_some() || case.create.is_some() {
            return None;
        }
        let position = Position::parse(header(&case.position)).expect("a rule set stands at the head");
        Some(Self { case, rules: position.rules().clone() })
    }

    /// Whether it speaks of the knob, so that it is worth being asked first.
    fn is_about(&self, knob: &Knob) -> bool {
        self.case.rules().any(|id| knob.rule_ids.contains(&id))
            || header(&self.case.position).contains(knob.name)
    }

    /// The case with another value, if there is such a rule set.
    fn with(&self, knob: &Knob, value: &str) -> Option<Case> {
        let mut set = self.rules.set().clone();
        set.change(knob.name, value).ok()?;
        let rules = settled(&self.rules, set, knob)?;
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
        Some(case)
    }
}

fn header(position: &str) -> &str {
    position.split(';').next().unwrap_or_default()
}

/// The rule set, with every knob that has lost its effect at its default.
fn settled(rules: &Rules, mut set: RuleSet, kept: &Knob) -> Option<Rules> {
    for _ in 0..4 {
        let faults = match Rules::house(rules.base(), set.clone(), None) {
            Ok(rules) => return Some(rules),
            Err(HouseError::Knobs(faults)) => faults,
            Err(_) => return None,
        };
        for fault in faults {
            // The first of the knobs is the one without effect, the others say why.
            let KnobFault::Forbidden { detail: "NO_EFFECT", knobs } = fault else { return None };
            let idle = Knob::named(knobs[0]).filter(|knob| knob.name != kept.name)?;
            set.change(idle.name, &idle.value(&RuleSet::defaults())).expect("a default is a value");
        }
    }
    None
}

fn is_shown(knob: &Knob, value: &str, values: &BTreeSet<String>, played: &[Played<'_>]) -> bool {
    let with_it = || played.iter().filter(|played| knob.value(played.rules.set()) == value);
    let (first, then): (Vec<_>, Vec<_>) = with_it().partition(|played| played.is_about(knob));
    first.into_iter().chain(then).any(|played| {
        let others = values.iter().filter(|other| *other != value);
        others.filter_map(|other| played.with(knob, other)).any(|case| fails(&case))
    })
}

/// Whether something comes out otherwise; that its position cannot be set up is no outcome.
fn fails(case: &Case) -> bool {
    play(case).is_err_and(|error| !error.starts_with("position") && !error.starts_with("twin"))
}
