//! The log format: its bytes, its damage, its limits.
//!
//! Allocation has a binary of its own (`log_alloc`), since it replaces the allocator.

mod arbitrary;
mod caps;
mod damage;
mod document;
mod golden;
mod golden_actions;
mod roundtrip;
pub mod sample;
