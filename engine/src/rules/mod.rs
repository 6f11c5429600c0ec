//! Rule sets as data.
//!
//! [`RuleSet`] holds the knobs; code reads knobs, never a preset's name.

mod canonical;
mod knobs;
mod presets;
mod rule_set;
mod spelling;
mod table;
mod values;

pub use canonical::{KnobError, KnobErrorKind, MAX_CANONICAL_BYTES};
pub use knobs::*;
pub use presets::{PRESETS, PresetId, preset};
pub use rule_set::RuleSet;
pub use table::{KNOBS, Knob};
pub use values::*;
