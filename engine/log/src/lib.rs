//! The log format: the records of one game, in a form in which every change is detected.
//!
//! The modules, from the outside in: [`frame`] (header, frames, hash chain), [`record`] (the content of a
//! frame), [`limits`] (the maximum length of a round, [`ROUND_RECORDS_MAX`]), [`action`] (the field that
//! seats sign), [`fields`] (the fields of actions, for bytes and for JSON), [`codes`] (the number of every
//! choice), [`checkpoint`] (the notes that officials sign), [`digest`] (the digest of a table), [`error`].
//! Then the cards of a game: [`deal`] (from secrets to walls), [`dealing`] (registers, deals and reveals of one
//! game), [`mod@derive`] (fields that follow from the table).
//! docs/LOG_FORMAT.md and docs/DEALING.md define the bytes.
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

pub mod action;
mod bytes;
pub mod checkpoint;
mod codec;
pub mod codes;
mod convert;
pub mod deal;
pub mod dealing;
pub mod derive;
pub mod digest;
pub mod error;
pub mod fields;
mod foreign;
pub mod frame;
mod frequent;
pub mod limits;
pub mod record;
mod remark;
mod short_hash;
mod signing;
pub mod written;

pub use action::{action_bytes, action_from_bytes};
pub use bytes::check_time;
pub use error::{DecodeError, FieldError, FieldErrorKind, LogError, LogErrorKind};
pub use foreign::Foreign;
pub use frame::{Chain, HEAD_START, HEADER, Head, VERSION};
pub use limits::{Length, ROUND_BYTES_MAX, ROUND_RECORDS_MAX, has_room};
pub use record::Record;
pub use signing::{
    contribution_message, is_ruling_signed, is_signature, is_signed, ruling_message, seat_message,
};

/// The version of the engine, which is written to every new genesis.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");
