//! The recorder: games by id. It keeps state and log of every game in a journal.
//!
//! The modules stand in layers; a module uses only modules before it.
//!
//! 1. [`entry`]: the bytes of a journal's entry.
//! 2. [`journal`]: where entries are kept, and who wins among rivals.

pub mod entry;
pub mod journal;
