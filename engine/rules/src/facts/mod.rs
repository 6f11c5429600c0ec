//! Predicates about a table and its melds under its rules: facts, not verdicts.
//!
//! The checks, the search for a way out and all modules above them share these functions. No function here
//! judges an action. Only a [`Requirement`] knows the code of its own violation.

mod ask;
mod discard;
mod initial;
mod out;
mod shape;
mod special;
mod take;
mod threes;

pub(crate) use ask::*;
pub(crate) use discard::*;
#[doc(hidden)]
pub use initial::points;
pub(crate) use initial::*;
pub use out::Requirement;
pub use out::*;
#[doc(hidden)]
pub use shape::may_grow;
pub(crate) use shape::*;
pub(crate) use special::*;
pub(crate) use take::*;
#[doc(hidden)]
pub use take::{entitles, is_barred, picked_up_count};
#[doc(hidden)]
pub use threes::must_lay;
pub(crate) use threes::*;
