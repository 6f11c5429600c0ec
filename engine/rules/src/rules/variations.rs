//! The variations that presets offer by name (model 5.4), read from `variations.txt`.
//!
//! A variation is only a name for values of knobs. A rule set that is made with variations is the rule set that the
//! same knobs make, with the same canonical form and digest.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::validate::KnobFault;
use super::{ChangeError, Knob, PresetId, RuleSet};
use thiserror::Error;

/// The variations, after a head that describes the form.
const TEXT: &str = include_str!("variations.txt");

/// A variation as one preset offers it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The id: the id of a rule (`CV-001`), with a further word if the rule leaves several choices (`MV-009-none`).
    /// An id is never reused for another variation.
    pub id: &'static str,
    /// The title, without full stop.
    pub title: &'static str,
    /// The rule that then holds, in one sentence.
    pub sentence: &'static str,
    /// The ids of the rules that the variation comes from.
    pub rule_ids: Vec<&'static str>,
    /// Whether the text names the choice without its rules, so that these rules are our reading.
    pub is_ours: bool,
    /// The variations of which one must be chosen with this variation; empty if it needs no other.
    pub needs: Vec<&'static str>,
    /// The variations that cannot be chosen with this variation.
    pub excludes: Vec<&'static str>,
    /// The knobs that the variation sets, each with its value as the canonical form spells it.
    pub knobs: Vec<(&'static str, &'static str)>,
}

/// A fault in the variations that a house rule chooses.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum VariationFault {
    /// There is no such variation.
    #[error("variation {id}: there is no such variation")]
    Unknown {
        /// The id that was chosen.
        id: String,
    },
    /// The variation is offered by other presets only.
    #[error("variation {}: {base} does not offer it; {} do", Named(.id), .presets.join(", "))]
    OfOthers {
        /// The id that was chosen.
        id: &'static str,
        /// The preset.
        base: &'static str,
        /// The presets that offer it.
        presets: Vec<&'static str>,
    },
    /// Two chosen variations set one knob differently.
    #[error("variations {} and {}: they set {knob} differently; choose one", Named(.ids[0]), Named(.ids[1]))]
    Conflict {
        /// The ids of the two variations. The variation that was chosen first is in front.
        ids: [&'static str; 2],
        /// The knob.
        knob: &'static str,
    },
    /// A knob is set together with a variation that sets it.
    #[error("knob {knob}: the variation {} sets it; leave out the knob or the variation", Named(.id))]
    Beside {
        /// The id of the variation.
        id: &'static str,
        /// The knob.
        knob: &'static str,
    },
    /// The variation needs one of several others, and none of these holds.
    #[error("variation {}: it needs another; choose {}", Named(.id), choice(.one_of))]
    Needs {
        /// The id of the variation.
        id: &'static str,
        /// The variations of which one is needed.
        one_of: Vec<&'static str>,
    },
    /// Two chosen variations exclude each other.
    #[error("variations {} and {}: they exclude each other; choose one", Named(.ids[0]), Named(.ids[1]))]
    Excluded {
        /// The ids of the two variations. The variation that was chosen first is in front.
        ids: [&'static str; 2],
    },
}

impl VariationFault {
    /// Returns the stable name of a fault between choices; `None` if the preset does not offer the variation.
    pub fn detail(&self) -> Option<&'static str> {
        match self {
            Self::Unknown { .. } | Self::OfOthers { .. } => None,
            Self::Conflict { .. } => Some("VARIATIONS_DIFFER"),
            Self::Beside { .. } => Some("VARIATION_AND_KNOB"),
            Self::Needs { .. } => Some("VARIATION_NEEDS"),
            Self::Excluded { .. } => Some("VARIATIONS_EXCLUDE"),
        }
    }

    /// Returns the knob that two choices set.
    pub fn knob(&self) -> Option<&'static str> {
        match self {
            Self::Conflict { knob, .. } | Self::Beside { knob, .. } => Some(knob),
            _ => None,
        }
    }
}

/// A change of a preset that is not possible.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ChangeFault {
    /// A variation cannot be chosen.
    #[error("{0}")]
    Variation(VariationFault),
    /// A knob cannot be set.
    #[error("knob {knob} = {value}: {error}")]
    Knob {
        /// The name of the knob, as it was given.
        knob: String,
        /// The value that was given.
        value: String,
        /// The fault of the name or the value.
        error: ChangeError,
    },
}

impl PresetId {
    /// Returns the variations that the preset offers, in the order of the table.
    pub fn variations(self) -> Vec<Variation> {
        blocks().filter_map(|block| read(block, self.name())).collect()
    }

    /// Returns the preset with variations chosen and knobs set, each value spelled as in the canonical form, and all
    /// choices that are not possible. The order of variations and of knobs does not matter.
    /// [`Rules::house`](super::Rules::house) says whether the knobs fit together.
    pub fn changed<'a>(
        self,
        chosen: &[impl AsRef<str>],
        knobs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> (RuleSet, Vec<ChangeFault>) {
        let mut set = self.rule_set();
        let mut faults = Vec::new();
        let chosen = self.found(chosen, &mut faults);
        for (index, one) in chosen.iter().enumerate() {
            one.set_in(&mut set);
            let others = chosen[..index].iter();
            faults.extend(others.flat_map(|earlier| between(earlier, one)).map(ChangeFault::Variation));
        }
        for (knob, value) in knobs {
            let beside = |one: &&Variation| one.knobs.iter().any(|(own, _)| *own == knob);
            if let Some(one) = chosen.iter().find(beside) {
                let knob = Knob::named(knob).expect("variations set knobs that exist").name;
                faults.push(ChangeFault::Variation(VariationFault::Beside { id: one.id, knob }));
            } else if let Err(error) = set.change(knob, value) {
                faults.push(ChangeFault::Knob { knob: knob.into(), value: value.into(), error });
            }
        }
        let offered = self.variations();
        let holds = |id: &&str| offered.iter().any(|one| one.id == *id && one.holds_in(&set));
        for one in chosen.iter().filter(|one| !one.needs.is_empty() && !one.needs.iter().any(holds)) {
            let missing = VariationFault::Needs { id: one.id, one_of: one.needs.clone() };
            faults.push(ChangeFault::Variation(missing));
        }
        (set, faults)
    }

    /// Returns the variations with these ids, each once, and adds a fault for each id that the preset does not offer.
    fn found(self, ids: &[impl AsRef<str>], faults: &mut Vec<ChangeFault>) -> Vec<Variation> {
        let offered = self.variations();
        let mut found: Vec<Variation> = Vec::new();
        for id in ids.iter().map(AsRef::as_ref) {
            match offered.iter().find(|one| one.id == id) {
                Some(one) if found.contains(one) => {}
                Some(one) => found.push(one.clone()),
                None => faults.push(ChangeFault::Variation(self.not_offered(id))),
            }
        }
        found
    }

    fn not_offered(self, id: &str) -> VariationFault {
        let offers = |preset: PresetId| preset.variations().into_iter().find(|one| one.id == id);
        let by: Vec<(PresetId, Variation)> =
            PresetId::all().filter_map(|preset| Some((preset, offers(preset)?))).collect();
        match by.first() {
            None => VariationFault::Unknown { id: id.into() },
            Some((_, known)) => VariationFault::OfOthers {
                id: known.id,
                base: self.name(),
                presets: by.iter().map(|(preset, _)| preset.name()).collect(),
            },
        }
    }

    /// Adds to each fault of `set` the variations that would remove the fault. Only variations are added that cause
    /// no other fault and change no knob in which the set differs from the preset.
    pub(super) fn advise(self, set: &RuleSet, faults: &mut [KnobFault]) {
        let base = self.rule_set();
        let before = faults.to_vec();
        for variation in self.variations() {
            let mut mended = set.clone();
            variation.set_in(&mut mended);
            let kept = |knob: &Knob| knob.is_same(&mended, set);
            let is_brought = |fault: &KnobFault| !before.contains(fault);
            let left = mended.validate().err().unwrap_or_default();
            if set.differences(&base).all(kept) && !left.iter().any(is_brought) {
                let before = before.iter().zip(faults.iter_mut());
                before
                    .filter(|(was, _)| !left.contains(was))
                    .for_each(|(_, fault)| fault.mended_by(variation.id, variation.title));
            }
        }
    }
}

impl Variation {
    /// Sets the knobs of the variation in `set`.
    fn set_in(&self, set: &mut RuleSet) {
        for (knob, value) in &self.knobs {
            set.change(knob, value).expect("the table's values are those of its knobs");
        }
    }

    /// Whether all knobs of the variation have its values in `set`.
    fn holds_in(&self, set: &RuleSet) -> bool {
        self.knobs.iter().all(|(knob, value)| Knob::named(knob).is_some_and(|knob| knob.value(set) == *value))
    }
}

/// Returns the faults between two chosen variations.
fn between(one: &Variation, other: &Variation) -> Vec<VariationFault> {
    let ids = [one.id, other.id];
    if one.excludes.contains(&other.id) || other.excludes.contains(&one.id) {
        return [VariationFault::Excluded { ids }].into();
    }
    let differs =
        |(knob, value): (&str, &str)| other.knobs.iter().any(|(own, other)| *own == knob && *other != value);
    let differing = one.knobs.iter().filter(|pair| differs(**pair));
    differing.map(|(knob, _)| VariationFault::Conflict { ids, knob }).collect()
}

/// Returns the text of each variation, without the opening bracket of its head.
fn blocks() -> impl Iterator<Item = &'static str> {
    TEXT.split("\n[").skip(1)
}

/// Parses one variation as `preset` offers it. Returns `None` if `preset` does not offer the variation.
fn read(block: &'static str, preset: &str) -> Option<Variation> {
    let (head, offers) = block.split_once("\nfor ")?;
    let is_named = |name: &str| match name.strip_suffix('*') {
        Some(beginning) => preset.starts_with(beginning),
        None => preset == name,
    };
    let is_for = |offer: &&str| offer.lines().next().is_some_and(|names| names.split(' ').any(is_named));
    let offer = offers.split("\nfor ").find(is_for)?;
    let after = |text: &'static str, word: &str, between: &str| -> Vec<&'static str> {
        let words = text.lines().find_map(|line| line.strip_prefix(word));
        words.map(|words| words.split(between).collect()).unwrap_or_default()
    };
    let mut lines = head.lines();
    let (id, title) = lines.next()?.split_once("] ")?;
    Some(Variation {
        id,
        title,
        sentence: lines.next()?,
        rule_ids: after(head, "rules ", " "),
        is_ours: lines.any(|line| line == "ours"),
        needs: after(offer, "needs ", " | "),
        excludes: after(offer, "not ", " "),
        knobs: offer.lines().filter_map(|line| line.split_once(" = ")).collect(),
    })
}

/// The id of a variation, displayed with its title.
struct Named<'a>(&'a str);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut heads = blocks().filter_map(|block| block.lines().next()?.split_once("] "));
        let title = heads.find(|(id, _)| *id == self.0).map_or("", |(_, title)| title);
        write!(f, "{} ({title})", self.0)
    }
}

/// Returns ids with their titles: `A (..), B (..) or C (..)`.
fn choice(ids: &[&str]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| Named(id).to_string()).collect();
    match ids.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => ids.concat(),
    }
}

#[cfg(test)]
mod tests;
