//! The rules of the Canasta family as a pure library.
//!
//! Modules in reading order: [`card`], [`seat`], [`rules`], [`deal`], [`action`], [`event`], [`state`],
//! [`check`], [`apply`], [`legal`], [`scoring`], [`view`], [`violations`], [`rejection`], [`rulebook`],
//! [`explain`], [`invariant`], [`token`], [`notation`], [`log`], [`archive`], [`bot`].
#![no_std]

extern crate alloc;

pub mod action;
pub mod apply;
pub mod archive;
pub mod bot;
pub mod card;
pub mod check;
pub mod deal;
pub mod event;
pub mod explain;
pub mod invariant;
pub mod legal;
pub mod log;
pub mod nodes;
pub mod notation;
pub mod rejection;
pub mod rulebook;
pub mod rules;
pub mod scoring;
pub mod seat;
mod sequence;
pub mod state;
pub mod token;
pub mod view;
pub mod violations;
mod way_out;
