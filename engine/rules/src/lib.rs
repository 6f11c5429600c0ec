//! The rules of the Canasta family, as a pure library.
//!
//! Modules in reading order: [`card`], [`seat`], [`rules`], [`action`], [`event`], [`table`], [`violations`],
//! [`rejection`], [`citation`], `facts`, `way_out`, [`check`], [`apply`], [`check::legal`], [`scoring`], [`view`],
//! [`known`], [`rulebook`], [`irregularity`], [`explain`], [`explanation`], [`invariant`], [`notation`], [`pack`].
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

pub mod action;
pub mod apply;
pub mod card;
pub mod check;
pub mod citation;
pub mod event;
pub mod explain;
pub mod explanation;
pub mod facts;
pub mod hex;
pub mod invariant;
pub mod irregularity;
pub mod known;
pub mod nodes;
pub mod notation;
pub mod pack;
pub mod rejection;
pub mod rulebook;
pub mod rules;
pub mod scoring;
pub mod seat;
pub mod sequence;
pub mod table;
pub mod view;
pub mod violations;
mod way_out;
