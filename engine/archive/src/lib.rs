//! Archives: packed logs that unpack byte for byte.
//!
//! Most of a log follows from the rest: heads follow from payloads, digests and scores from the cards and the
//! actions, commitments and walls from secrets. What remains are decisions: which record comes next, and
//! which of the possible actions was done. Each decision is coded by its probability (`coder`, `model`), in
//! contexts that the position gives (`scene`, `action`); `walk` goes through the records. docs/ARCHIVE.md
//! defines every number of the format.
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

pub use body::{Content, LOG_MAX, Packed, UnpackBounds, pack, unpack};
pub use container::{
    ARCHIVE_HEADER, ArchiveEntry, ENTRY_NAME_MAX, FOOTER, Footer, GAMES_MAX, body_check, closing,
    is_entry_name, log_digest,
};
pub use error::{ArchiveError, ArchiveErrorKind, Fault};
