//! Archives: logs packed so that they come back byte for byte.
//!
//! Most of a log follows from the rest of it: heads from payloads, digests and scores from the cards and what was
//! done, commitments and walls from secrets. What is left are decisions: which record comes, and what was done of
//! all that could have been. Each is coded by how likely it was (`coder`, `model`), in what the position shows
//! (`scene`, `action`); `walk` goes through the records. docs/ARCHIVE.md has every number of it.
#![no_std]

extern crate alloc;

mod action;
mod body;
mod coder;
mod container;
mod error;
mod fields;
mod genesis;
mod model;
mod scene;
mod walk;

pub use body::{Bounds, Content, LOG_MAX, Packed, pack, unpack};
pub use container::{
    ARCHIVE_HEADER, ENTRY_NAME_MAX, Entry, FOOTER, Footer, GAMES_MAX, body_check, closing, is_entry_name,
    log_digest,
};
pub use error::{ArchiveError, ArchiveErrorKind, Fault};
