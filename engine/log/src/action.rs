//! The stored form of an action, which a seat signs.

use super::bytes::{Bytes, Stored};
use super::error::{DecodeError, FieldError};
use super::fields;
use alloc::vec::Vec;
use canasta_rules::action::{About, Action, Effect, EffectKind, MeldId, Onto};
use canasta_rules::notation::POSITION_BYTES_MAX;
use canasta_rules::seat::{SEATS_MAX, Side};
use canasta_rules::table::POINTS_MAX;

/// Maximum number of groups per action.
pub const GROUPS_MAX: usize = 128;
/// Maximum number of bytes of a beacon's signature.
pub const BEACON_SIGNATURE_MAX: usize = 96;
/// Maximum number of bytes of a rule's id in a ruling.
pub const RULE_MAX: usize = 32;
/// Maximum number of bytes of the reason of a ruling or of a dispute.
pub const REASON_MAX: usize = 1024;
/// Maximum number of bytes of a masked position: a tag of 16, and the position with its padding.
pub const MASKED_POSITION_MAX: usize = 16 + POSITION_BYTES_MAX + 64;

/// Encodes an action, as in the action field of its record.
///
/// # Errors
/// The first field whose value a log cannot hold.
pub fn action_bytes(action: &Action) -> Result<Vec<u8>, FieldError> {
    Bytes::write(action, checked)
}

/// Decodes an action.
///
/// # Errors
/// If the bytes are not the encoding of an action, or a field has a value that a log cannot hold.
pub fn action_from_bytes(bytes: &[u8]) -> Result<Action, DecodeError> {
    Bytes::read(bytes, Action::default(), checked)
}

/// Codes an action, and checks that its fields go together.
pub(super) fn checked(f: &mut Bytes<'_>, action: &mut Action) -> Stored {
    fields::action(f, action)?;
    match action {
        Action::Ask { about: About::Courtesy, with: Some(_), .. } => {
            Err(FieldError::misplaced("with", "only a question about going out names a way out"))?
        }
        Action::Ruling(ruling) => Ok(side_points(&ruling.effect)?),
        _ => Ok(()),
    }
}

/// Checks points by side: only `adjust` has them, and each is at most [`POINTS_MAX`] up or down.
fn side_points(effect: &Effect) -> Result<(), FieldError> {
    if effect.kind != EffectKind::Adjust && !effect.points.is_empty() {
        return Err(FieldError::misplaced("effect.points", "only adjust changes points by side"));
    }
    let max = u64::from(POINTS_MAX.unsigned_abs());
    effect
        .points
        .iter()
        .try_for_each(|points| FieldError::range("effect.points", points.unsigned_abs().into(), max))
}

/// Added to the kind of a group if the taken top is part of the group.
pub(super) const TOP: u8 = 4;

/// Encodes a target: 0 auto, 1 new, 2 + id own meld, 258 + 256 * side + id meld of that side.
pub fn onto_to_wire(onto: Onto) -> Result<u16, FieldError> {
    Ok(match onto {
        Onto::Auto => 0,
        Onto::New => 1,
        Onto::Meld { side: None, id } => 2 + u16::from(id.0),
        Onto::Meld { side: Some(Side(side)), id } => {
            FieldError::range("onto", u64::from(side), SEATS_MAX as u64 - 1)?;
            258 + 256 * u16::from(side) + u16::from(id.0)
        }
    })
}

/// Decodes the target of a group.
///
/// # Errors
/// If the number does not stand for a target.
pub fn onto_from_wire(onto: u16) -> Result<Onto, FieldError> {
    FieldError::range("onto", u64::from(onto), 257 + 256 * SEATS_MAX as u64)?;
    Ok(match onto {
        0 => Onto::Auto,
        1 => Onto::New,
        2..258 => Onto::Meld { side: None, id: MeldId((onto - 2) as u8) },
        _ => {
            let [side, id] = (onto - 258).to_be_bytes();
            Onto::Meld { side: Some(Side(side)), id: MeldId(id) }
        }
    })
}
