//! The audit: a log is read and executed again, and everything that it declares is compared.
//!
//! [`reader`] splits a file into frames, [`audit`] judges them, [`finding`] is what it finds, [`replay`] lets a caller
//! watch, [`tally`] counts a round a second time, [`Salvager`] goes on behind faults, [`follow`] executes a game beside
//! records that are left out. The audit shares no code with the writer of logs except formats.
#![no_std]

extern crate alloc;

pub mod audit;
pub mod finding;
pub mod follow;
pub mod reader;
pub mod replay;
mod salvage;
pub mod tally;

pub use reader::{Frame, Reader};
pub use salvage::Salvager;
