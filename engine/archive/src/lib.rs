//! Archives: packed logs that unpack byte for byte.
//!
//! Most of a log follows from the rest: heads follow from payloads, digests and scores from the cards and the
//! actions, commitments and walls from secrets. What remains are decisions: which record comes next, and
//! which of the possible actions was done. Each decision is coded by its probability (`coder`, `model`), in
//! contexts that the position gives (`scene`, `action`); `walk` goes through the records. docs/formats/ARCHIVE.md
//! defines every number of the format.
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

mod action;
mod block;
mod coder;
mod container;
mod error;
mod fields;
mod frames;
mod genesis;
mod link;
mod log;
mod model;
mod prior;
mod scene;
mod varint;
mod walk;

pub use block::{
    BLOCK_BYTES, BLOCK_LOGS, Content, LOG_MAX, LogSize, Packed, has_room, pack, train, unpack, work_of,
};
pub use container::{
    ARCHIVE_HEADER, ArchiveBlock, ArchiveEntry, ENTRY_NAME_MAX, FOOTER, Footer, LOGS_MAX, NAMES_MAX, closing,
    is_entry_name,
};
pub use error::{ArchiveError, ArchiveErrorKind, Fault};
pub use link::{LinkError, LinkedLog, of_link, to_link};
