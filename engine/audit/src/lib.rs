//! The audit, which reads a log, executes it again and compares everything that the log declares.
//!
//! [`reader`] splits a file into frames, [`audit`] judges the frames, [`finding`] defines the faults that an
//! audit reports, [`replay`] tells a caller every step, [`outcome`] joins the steps with their records, [`tally`] counts a round a second time, [`Salvager`]
//! reads on after a fault, [`follow`] executes a game for formats that omit records. The audit shares no code
//! with the writer of logs except formats.
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

pub mod audit;
pub mod finding;
pub mod follow;
pub mod outcome;
pub mod reader;
pub mod replay;
mod salvage;
pub mod tally;

pub use reader::{Frame, Reader};
pub use salvage::Salvager;
