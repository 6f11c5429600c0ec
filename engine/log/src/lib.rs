//! The log format: what happened in one game, in a form that cannot be changed unseen.
//!
//! From the outside in: [`frame`] (header, frames, hash chain), [`record`] (the content of a frame), the length that a
//! round may have ([`ROUND_RECORDS_MAX`]), [`action`] (the field that seats sign), [`codes`] (the number of every
//! choice), [`checkpoint`] (what officials sign), [`digest`] (the digest of a table), [`error`]; then the cards of a
//! game: [`deal`] (from secrets to walls), [`dealing`] (registers, deals and reveals of one game), [`derive`] (fields
//! that follow from the table). docs/LOG_FORMAT.md and docs/DEALING.md have the bytes.
#![no_std]

extern crate alloc;

pub mod action;
pub mod checkpoint;
mod codec;
pub mod codes;
mod convert;
pub mod deal;
pub mod dealing;
pub mod derive;
pub mod digest;
pub mod error;
mod foreign;
pub mod frame;
pub mod limits;
pub mod record;
mod wire;

pub use action::{action_bytes, action_from_bytes, is_signed, seat_message};
pub use convert::time as check_time;
pub use error::{DecodeError, FieldError, FieldErrorKind, LogError, LogErrorKind};
pub use foreign::Foreign;
pub use frame::{Chain, HEAD_START, HEADER, Head};
pub use limits::{Length, ROUND_BYTES_MAX, ROUND_RECORDS_MAX, has_room};
pub use record::Record;

/// The version that stands in every genesis that is written.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");
