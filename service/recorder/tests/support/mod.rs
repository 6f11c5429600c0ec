//! Journals with faults, and what all journals must do.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod memory;
pub mod random;
pub mod suite;
