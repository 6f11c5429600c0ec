//! The stored form of an action, which a seat signs.

use super::bytes::{RecordBytes, checked};
use super::error::{DecodeError, FieldError};
use alloc::vec::Vec;
use canasta_rules::action::Action;

pub use super::fields::{BEACON_SIGNATURE_MAX, GROUPS_MAX, REASON_MAX, RULE_MAX};

/// Encodes an action, as in the action field of its record.
///
/// # Errors
/// The first field whose value a log cannot hold.
pub fn action_bytes(action: &Action) -> Result<Vec<u8>, FieldError> {
    RecordBytes::write(action, checked)
}

/// Decodes an action.
///
/// # Errors
/// If the bytes are not the encoding of an action, or a field has a value that a log cannot hold.
pub fn action_from_bytes(bytes: &[u8]) -> Result<Action, DecodeError> {
    RecordBytes::read(bytes, Action::default(), checked)
}
