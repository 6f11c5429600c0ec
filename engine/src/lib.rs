//! The rules of the Canasta family as a pure library.
//!
//! Modules in reading order: [`card`], [`seat`], [`rules`], [`action`], [`event`], [`violations`].
#![no_std]

extern crate alloc;

pub mod action;
pub mod card;
pub mod event;
pub mod rules;
pub mod seat;
pub mod violations;
