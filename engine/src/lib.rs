//! The rules of the Canasta family as a pure library.
//!
//! Modules in reading order: [`card`], [`seat`], [`violations`], [`rulebook`].
#![no_std]

extern crate alloc;

pub mod card;
pub mod rulebook;
pub mod seat;
pub mod violations;
