//! What is true of a table and of a meld under its rules: predicates, not verdicts.
//!
//! The search for a way out, the checks and everything above them share these; they break no rule and name no
//! violation, except that a [`Requirement`] knows the code of its own.

mod ask;
mod initial;
mod out;
mod shape;
mod special;
mod take;

pub(crate) use ask::*;
pub(crate) use initial::*;
pub use out::Requirement;
pub use out::*;
pub(crate) use shape::*;
pub(crate) use special::*;
pub(crate) use take::*;
