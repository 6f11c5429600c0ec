//! Rule sets as data.
//!
//! [`RuleSet`] holds the knobs; code reads knobs, never a preset's name.

mod knobs;
mod rule_set;
mod values;

pub use knobs::*;
pub use rule_set::RuleSet;
pub use values::*;
