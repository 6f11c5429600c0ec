//! Validation of rule sets: finds all faults at once.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use thiserror::Error;

use super::forbidden::{FORBIDDEN, IDLE};
use super::table::{KNOBS, Knob};
use super::{RuleSet, ThreeTableUnit};

/// The maximum number of bands of the initial meld.
const BANDS_MAX: usize = 16;
/// The maximum number of entries of the three table: one for every three of six packs.
const THREES_MAX: usize = 24;
/// The maximum number of feet of a seat.
pub(crate) const FEET_MAX: usize = 3;
/// The maximum number of talons: one per side.
const TALONS_MAX: usize = 6;

/// The detail of the fault that a knob has no effect under the others.
pub(super) const NO_EFFECT: &str = "NO_EFFECT";
/// The text of this fault.
pub(super) const IDLE_WHY: &str = "under the others the first has no effect, and keeps its default";

/// The knobs that take away the effect of others ([`IDLE`]), each with a value that restores the effect.
const EFFECTS: &[(&str, &str)] = &[
    ("start_card", "\"one\""),
    ("cut_bonus", "100"),
    ("talons", "[4,3]"),
    ("pile_steps", "\"two\""),
    ("pile_restore", "true"),
    ("sequences", "true"),
    ("wild_melds", "true"),
    ("threes_drawn", "\"choice\""),
    ("laid_threes", "\"red\""),
    ("foot_size", "13"),
    ("ask", "\"binding\""),
    ("special_hands", "[\"straight\",\"pairs\",\"garbage\"]"),
];

/// A reason why a rule set cannot be played; SETUP_KNOBS in a rejection.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum KnobFault {
    /// A number is out of the knob's range.
    #[error("{knob}: expected {min} to {max}, found {found}")]
    Range {
        /// The knob.
        knob: &'static str,
        /// The number.
        found: i32,
        /// The smallest number allowed.
        min: i32,
        /// The largest number allowed.
        max: i32,
    },
    /// A list has too few or too many entries.
    #[error("{knob}: expected {min} to {max} entries, found {found}")]
    Entries {
        /// The knob.
        knob: &'static str,
        /// The number of entries.
        found: usize,
        /// The minimum number of entries.
        min: usize,
        /// The maximum number of entries.
        max: usize,
    },
    /// A set or map names a class or rank that it may not hold.
    #[error("{knob}: {found} has no place in it")]
    Member {
        /// The knob.
        knob: &'static str,
        /// The word of the member or key.
        found: &'static str,
    },
    /// Knobs contradict each other (model 5.4), or a knob has no effect under the others.
    #[error("{detail}: {}: {why}", .knobs.join(", "))]
    Forbidden {
        /// The stable name of the contradiction, such as `COLLISION_UNSET`.
        detail: &'static str,
        /// The knobs concerned.
        knobs: Vec<&'static str>,
        /// The text that says what contradicts what.
        why: &'static str,
        /// The changes that would each remove the fault, as text: changes of knobs, then variations to choose, with
        /// `;` between. Empty if no change is known.
        remedy: String,
    },
}

impl KnobFault {
    /// Returns the knobs concerned.
    pub fn knobs(&self) -> &[&'static str] {
        match self {
            Self::Range { knob, .. } | Self::Entries { knob, .. } | Self::Member { knob, .. } => {
                core::slice::from_ref(knob)
            }
            Self::Forbidden { knobs, .. } => knobs,
        }
    }

    /// Returns the stable name of the fault: the `detail` of SETUP_KNOBS.
    pub fn detail(&self) -> &'static str {
        match self {
            Self::Range { .. } => "OUT_OF_RANGE",
            Self::Entries { .. } => "WRONG_NUMBER_OF_ENTRIES",
            Self::Member { .. } => "MEMBER_NOT_ALLOWED",
            Self::Forbidden { detail, .. } => detail,
        }
    }

    /// Returns the changes that would remove the fault; empty if no change is known.
    pub fn remedy(&self) -> &str {
        match self {
            Self::Forbidden { remedy, .. } => remedy,
            _ => "",
        }
    }

    /// Adds to the remedy that choosing the variation of this id and title would remove the fault.
    pub(super) fn mended_by(&mut self, id: &str, title: &str) {
        if let Self::Forbidden { remedy, .. } = self {
            let joint = match remedy.is_empty() {
                true => "choose",
                false if remedy.contains("choose ") => " or",
                false => "; or choose",
            };
            *remedy = format!("{remedy}{joint} {id} ({title})");
        }
    }
}

impl RuleSet {
    /// Checks that this engine can play the rule set.
    ///
    /// # Errors
    /// All faults: first those of single knobs in the order of knobs, then forbidden combinations in the order of the
    /// rulebook.
    pub fn validate(&self) -> Result<(), Vec<KnobFault>> {
        let mut faults = Vec::new();
        push_single(self, &mut faults);
        push_forbidden(self, &mut faults);
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

fn push_single(set: &RuleSet, faults: &mut Vec<KnobFault>) {
    for knob in &KNOBS {
        let (min, max) = knob.range;
        knob.numbers(set, &mut |found| {
            if found < min || found > max {
                faults.push(KnobFault::Range { knob: knob.name, found, min, max });
            }
        });
        let strangers = strangers(knob, set).into_iter();
        faults.extend(strangers.map(|found| KnobFault::Member { knob: knob.name, found }));
        if let Some((found, min, max)) = entries(knob.name, set)
            && (found < min || found > max)
        {
            faults.push(KnobFault::Entries { knob: knob.name, found, min, max });
        }
    }
}

/// Returns the number of entries of the list `knob`, and the minimum and maximum of this number. Returns `None` if
/// the knob is not such a list.
fn entries(knob: &str, set: &RuleSet) -> Option<(usize, usize, usize)> {
    match knob {
        "more_feet" => Some((set.more_feet.len(), 0, FEET_MAX - 1)),
        "talons" => Some((set.talons.len(), 0, TALONS_MAX)),
        "draw_rounds" => Some((set.draw_rounds.len(), 0, BANDS_MAX)),
        "initial_bands" => Some((set.initial_bands.minimums().len(), 1, BANDS_MAX)),
        // No rule says what a three beyond the table would score.
        "three_table" => {
            let most = if set.three_table_unit == ThreeTableUnit::All { 2 } else { 1 };
            let laid = 2 * usize::from(set.packs) * set.laid_classes().take(most).count();
            Some((set.three_table.len(), laid.min(THREES_MAX), THREES_MAX))
        }
        "black_three_table" => {
            let of_pack = if set.black_three_table.is_empty() { 0 } else { 2 * usize::from(set.packs) };
            Some((set.black_three_table.len(), of_pack.min(THREES_MAX), THREES_MAX))
        }
        _ => None,
    }
}

/// Returns the members and keys that a knob has and that the rulebook does not list for it.
fn strangers(knob: &Knob, set: &RuleSet) -> Vec<&'static str> {
    let value = if knob.strangers().is_empty() { String::new() } else { knob.value(set) };
    let has = |word: &str| value.split('"').skip(1).step_by(2).any(|found| found == word);
    knob.strangers().iter().copied().filter(|word| has(word)).collect()
}

fn push_forbidden(set: &RuleSet, faults: &mut Vec<KnobFault>) {
    let forbidden =
        |detail, knobs: Vec<&'static str>, why, remedy| KnobFault::Forbidden { detail, knobs, why, remedy };
    for rule in FORBIDDEN.iter().filter(|rule| (rule.broken)(set)) {
        let remedy = if rule.detail == NO_EFFECT { effect_of(rule.knobs) } else { String::new() };
        faults.push(forbidden(rule.detail, rule.knobs.to_vec(), rule.why, remedy));
    }
    for knob in KNOBS.iter().filter(|knob| knob.holds_points && !all_fives(knob, set)) {
        let why = "points are counted in fives";
        faults.push(forbidden("NOT_MULTIPLE_OF_5", [knob.name].to_vec(), why, String::new()));
    }
    let defaults = RuleSet::defaults();
    for rule in IDLE.iter().filter(|rule| (rule.without_effect)(set)) {
        let idle =
            rule.knobs.iter().filter_map(|name| Knob::named(name)).filter(|knob| !knob.is_default(set));
        for knob in idle {
            let mut knobs = [knob.name].to_vec();
            knobs.extend(rule.because);
            let default = knob.value(&defaults);
            let remedy = format!("{}, or set {} = {default}", effect_of(&knobs), knob.name);
            faults.push(forbidden(NO_EFFECT, knobs, IDLE_WHY, remedy));
        }
    }
}

/// Returns the change of another knob that gives the first of `knobs` an effect; empty if no change is known.
fn effect_of(knobs: &[&str]) -> String {
    let effects = EFFECTS.iter().find(|(because, _)| knobs[1..].contains(because));
    effects.map(|(knob, value)| format!("also set {knob} = {value}")).unwrap_or_default()
}

fn all_fives(knob: &Knob, set: &RuleSet) -> bool {
    let mut fives = true;
    knob.numbers(set, &mut |points| fives &= points % 5 == 0);
    fives
}

#[cfg(test)]
mod tests;
