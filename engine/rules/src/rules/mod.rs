//! Rule sets as data.
//!
//! [`RuleSet`] holds the knobs. Code reads knobs, never the name of a preset. Any combination of knobs can be written
//! as a `RuleSet`; a [`Rules`] is a rule set that can be played.

mod canonical;
mod catalogue;
mod derived;
mod forbidden;
mod knob_text;
mod knobs;
mod presets;
mod rule_set;
mod spelling;
mod table;
mod validate;
mod values;
mod variations;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub use canonical::{ChangeError, KnobError};
pub use catalogue::{KnobConflict, knobs_by_group};
pub use knob_text::{CANONICAL_BYTES_MAX, KnobErrorKind, KnobForm};
pub use knobs::*;
pub use presets::{PRESETS, PresetId, preset};
pub use table::{KNOBS, Knob, RuleSet};
pub(crate) use validate::FEET_MAX;
pub use validate::KnobFault;
pub use values::*;
pub use variations::{ChangeFault, Variation, VariationFault};

use crate::card::{Card, KINDS};
use thiserror::Error;

/// The maximum length of the name of a house rule, in bytes.
pub const NAME_BYTES_MAX: usize = 64;

/// The characters that change the direction of the text around them.
pub const BIDIRECTIONAL: [char; 12] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// A validated rule set, prepared for play, with its name and digest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    id: String,
    base: PresetId,
    set: RuleSet,
    canonical: Vec<u8>,
    digest: [u8; 32],
    /// The digest as hex digits, which every deal hashes.
    digest_text: String,
    card_points: [i32; KINDS],
}

/// The reason why a house rule cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HouseError {
    /// The knobs contradict each other, or a value is out of range.
    #[error("{}", listed(.0))]
    Knobs(Vec<KnobFault>),
    /// The name is empty, longer than [`NAME_BYTES_MAX`], or has control or bidirectional characters.
    #[error("expected a name of 1 to {NAME_BYTES_MAX} bytes of printable text")]
    Name,
}

impl Rules {
    /// Returns the rules of the preset called `id`. Returns `None` if there is no such preset, or if this engine
    /// cannot play it yet: then `preset(id)` has its knobs, and [`RuleSet::validate`] the reasons.
    pub fn preset(id: &str) -> Option<Self> {
        let base = PresetId::from_name(id)?;
        Self::house(base, base.rule_set(), None).ok()
    }

    /// Returns the rules with the knobs of `set`, as a house rule made from `base`. If no knob differs from `base`,
    /// the id is the preset's name. Otherwise the id is `<base>+<name>`, where the first 8 hex digits of the digest
    /// stand for a missing name.
    ///
    /// # Errors
    /// All faults of the knobs, or a bad name.
    pub fn house(base: PresetId, set: RuleSet, name: Option<&str>) -> Result<Self, HouseError> {
        if !name.is_none_or(is_name) {
            return Err(HouseError::Name);
        }
        set.validate().map_err(|mut faults| {
            base.advise(&set, &mut faults);
            HouseError::Knobs(faults)
        })?;
        let canonical = set.to_canonical();
        let digest = canonical::digest_of(&canonical);
        let mut id = String::from(base.name());
        if set != base.rule_set() {
            id.push('+');
            match name {
                Some(name) => id.push_str(name),
                None => id.push_str(&short_digest(&digest)),
            }
        }
        let card_points = core::array::from_fn(|kind| {
            let card = Card::from_kind(kind as u8).expect("an index of the kinds is a kind");
            set.card_points.of(card)
        });
        let digest_text = crate::hex::hex(&digest);
        Ok(Self { id, base, set, canonical, digest, digest_text, card_points })
    }

    /// Returns the name of the rules: a preset's name, or `<base>+<house rule>`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether a knob differs from the preset.
    pub fn is_house(&self) -> bool {
        self.id.len() > self.base.name().len()
    }

    /// Returns the name that a house rule was given. Returns `None` for a preset, or for a house rule that is named
    /// after its digest.
    pub fn house_name(&self) -> Option<&str> {
        let name = self.id.get(self.base.name().len() + 1..)?;
        (name != short_digest(&self.digest)).then_some(name)
    }

    /// Returns the preset that the rules are made from. Refusals cite its books.
    pub fn base(&self) -> PresetId {
        self.base
    }

    /// Returns the knobs.
    pub fn set(&self) -> &RuleSet {
        &self.set
    }

    /// Returns the canonical form of the knobs.
    pub fn canonical(&self) -> &[u8] {
        &self.canonical
    }

    /// Returns the digest of the canonical form.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Returns the points of `card`, which are added if it is melded and subtracted if it is held; 0 for a red three.
    pub fn card_points(&self, card: Card) -> i32 {
        self.card_points[card.index()]
    }
}

/// Returns the first 8 hex digits of the digest, which name a house rule that was given no name.
fn short_digest(digest: &[u8; 32]) -> String {
    crate::hex::hex(&digest[..4])
}

fn is_name(name: &str) -> bool {
    let is_forbidden = |c: char| c.is_control() || BIDIRECTIONAL.contains(&c);
    (1..=NAME_BYTES_MAX).contains(&name.len()) && !name.chars().any(is_forbidden)
}

/// Returns the faults with their remedies: `FAULT (REMEDY); FAULT`.
fn listed(faults: &[KnobFault]) -> String {
    let said = |fault: &KnobFault| match fault.remedy() {
        "" => fault.to_string(),
        remedy => format!("{fault} ({remedy})"),
    };
    faults.iter().map(said).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests;
