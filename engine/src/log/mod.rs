//! The log: what happened in one game, in a form that cannot be changed unseen.
//!
//! From the outside in: [`frame`] (header, frames, hash chain), [`reader`] (a file piece by piece),
//! [`record`] (what a frame holds), how long a round may become ([`ROUND_RECORDS_MAX`]), [`action`] (the field that seats sign), [`codes`] (the number of
//! every choice), [`checkpoint`] (what officials sign), [`audit`] (judging a log) and [`replay`] (watching
//! it do so), [`known`] (what a transcript knows), [`error`]. docs/LOG_FORMAT.md has the bytes.

pub mod action;
pub mod audit;
pub mod checkpoint;
mod codec;
pub mod codes;
mod convert;
pub mod digest;
pub mod error;
pub mod finding;

pub(crate) mod follow;
mod foreign;
pub mod frame;
pub mod known;
mod limits;
pub mod reader;
pub mod record;
pub mod replay;
mod salvage;
pub mod tally;
mod wire;
pub mod writer;

pub use action::{action_bytes, action_from_bytes, is_signed, seat_message};

pub use error::{DecodeError, FieldError, FieldErrorKind, LogError, LogErrorKind};
pub use foreign::Foreign;
pub use frame::{Chain, HEAD_START, HEADER, Head};
pub use limits::{ROUND_BYTES_MAX, ROUND_RECORDS_MAX};
pub use reader::{Frame, Reader};
pub use record::Record;
pub use salvage::Salvager;
