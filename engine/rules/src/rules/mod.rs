//! Rule sets as data.
//!
//! [`RuleSet`] holds the knobs; code reads knobs, never a preset's name. Anything can be written
//! down as a `RuleSet`; [`Rules`] is one that can be played.

mod canonical;
mod derived;
mod forbidden;
mod knobs;
mod presets;
mod rule_set;
mod spelling;
mod table;
mod validate;
mod values;
mod variations;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub use canonical::{ChangeError, KnobError, KnobErrorKind, MAX_CANONICAL_BYTES};
pub use knobs::*;
pub use presets::{PRESETS, PresetId, preset};
pub use rule_set::RuleSet;
pub use table::{KNOBS, Knob};
pub use validate::KnobFault;
pub use values::*;
pub use variations::{ChangeFault, Variation, VariationFault};

use crate::card::{Card, KINDS};

/// The longest name of a house rule, in bytes.
pub const MAX_NAME_BYTES: usize = 64;

/// Characters that change the direction of the text around them.
pub const BIDIRECTIONAL: [char; 12] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// A validated rule set with its name and digest, made ready for play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    id: String,
    base: PresetId,
    set: RuleSet,
    canonical: Vec<u8>,
    digest: [u8; 32],
    card_points: [i32; KINDS],
}

/// Why a house rule cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HouseError {
    /// The knobs do not fit together.
    Knobs(Vec<KnobFault>),
    /// The name is empty, over [`MAX_NAME_BYTES`], or has control or bidirectional characters.
    Name,
}

impl Rules {
    /// The preset called `id`; `None` if there is none, or this engine does not play it yet: then
    /// `preset(id)` has its knobs, and [`RuleSet::validate`] the reasons.
    pub fn preset(id: &str) -> Option<Self> {
        let base = PresetId::from_name(id)?;
        Self::house(base, base.rule_set(), None).ok()
    }

    /// A house rule made from `base`. Its id is the preset's name if no knob differs from `base`,
    /// else `<base>+<name>`, or the first 8 hex digits of the digest without a name.
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
        Ok(Self { id, base, set, canonical, digest, card_points })
    }

    /// The name of the rules: a preset's, or `<base>+<house rule>`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether a knob differs from the preset.
    pub fn is_house(&self) -> bool {
        self.id.len() > self.base.name().len()
    }

    /// The name that a house rule was given; `None` for a preset or a house rule known by its digest.
    pub fn house_name(&self) -> Option<&str> {
        let name = self.id.get(self.base.name().len() + 1..)?;
        (name != short_digest(&self.digest)).then_some(name)
    }

    /// The preset that the rules are made from; its books are cited.
    pub fn base(&self) -> PresetId {
        self.base
    }

    /// The knobs.
    pub fn set(&self) -> &RuleSet {
        &self.set
    }

    /// The canonical form of the knobs.
    pub fn canonical(&self) -> &[u8] {
        &self.canonical
    }

    /// The digest of the canonical form.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The points of `card`: melded, or off when held; 0 for a red three.
    pub fn card_points(&self, card: Card) -> i32 {
        self.card_points[card.index()]
    }
}

/// The first 8 hex digits: the name of a house rule that was given none.
fn short_digest(digest: &[u8; 32]) -> String {
    crate::hex::hex(&digest[..4])
}

fn is_name(name: &str) -> bool {
    let is_forbidden = |c: char| c.is_control() || BIDIRECTIONAL.contains(&c);
    (1..=MAX_NAME_BYTES).contains(&name.len()) && !name.chars().any(is_forbidden)
}

impl fmt::Display for HouseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => write!(f, "expected a name of 1 to {MAX_NAME_BYTES} bytes of printable text"),
            Self::Knobs(faults) => {
                for (index, fault) in faults.iter().enumerate() {
                    write!(f, "{}{fault}", if index > 0 { "; " } else { "" })?;
                    if !fault.remedy().is_empty() {
                        write!(f, " ({})", fault.remedy())?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl core::error::Error for HouseError {}

#[cfg(test)]
mod tests;
