//! Journals with faults, what all journals must do, and a recorder with its client.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod board;
pub mod changed;
#[path = "../../../../tests/it/support/codec.rs"]
pub mod codec;
pub mod cut;
pub mod entries;
pub mod game;
pub mod kept;
pub mod links;
pub mod machine;
pub mod memory;
pub mod methods;
pub mod program;
pub mod queue;
pub mod random;
#[path = "../../../../tests/it/support/raw.rs"]
pub mod raw;
pub mod rights;
pub mod s3;
pub mod server;
pub mod suite;
pub mod walk;
pub mod watching;
