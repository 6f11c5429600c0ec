//! The rules of the Canasta family as a pure library.
//!
//! Modules in reading order: [`card`], [`seat`], [`action`], [`event`], [`log`].
#![no_std]

extern crate alloc;

pub mod action;
pub mod card;
pub mod event;
pub mod log;
pub mod seat;
