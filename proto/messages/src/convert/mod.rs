//! Conversion of messages to engine values and back, as plain functions.
//!
//! Readers refuse malformed messages and judge nothing; each fault names its field by path. Writers cannot
//! fail.

pub mod action;
pub mod action_out;
pub mod card;
pub mod choice;
pub mod event;
pub mod field;
pub mod identity;
pub mod log;
pub mod new_game;
pub mod options;
pub mod ruling;
pub mod ruling_out;
pub mod score;
pub mod view;
pub mod violation;
