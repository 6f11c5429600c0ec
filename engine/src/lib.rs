//! The rules of the Canasta family as a pure library.
//!
//! Modules in reading order: [`card`], [`seat`].
#![no_std]

extern crate alloc;

pub mod card;
pub mod rules;
pub mod seat;
