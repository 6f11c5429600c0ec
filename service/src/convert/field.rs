//! Faults of fields, and the reading of plain ones.
//!
//! A fault starts where it is found and learns its path on the way out: each caller adds its own step with
//! [`within`] or [`item`], so nothing is written out for requests that are well formed.

use canasta_engine::action::MeldId;
use canasta_engine::seat::{MAX_SEATS, Seat, Side};

use crate::status::FieldFault;

/// Highest id of a meld.
const MAX_MELD_ID: u32 = 127;

/// A field that was read, or what is wrong with it.
pub type Read<T> = Result<T, FieldFault>;

/// A fault of the value at hand; its path is still empty.
pub fn fault(problem: impl Into<String>) -> FieldFault {
    FieldFault { path: String::new(), problem: problem.into() }
}

/// A required field that is not there.
pub fn missing() -> FieldFault {
    fault("is required")
}

/// Adds the field `name` in front of a fault's path.
pub fn within(name: &'static str) -> impl Fn(FieldFault) -> FieldFault {
    move |inner| prefixed(name, inner)
}

/// Adds the place in a list in front of a fault's path.
pub fn item(index: usize) -> impl Fn(FieldFault) -> FieldFault {
    move |inner| prefixed(&format!("[{index}]"), inner)
}

fn prefixed(step: &str, FieldFault { path, problem }: FieldFault) -> FieldFault {
    let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
    FieldFault { path: format!("{step}{dot}{path}"), problem }
}

/// A message that must be there.
pub fn required<T>(value: Option<T>) -> Read<T> {
    value.ok_or_else(missing)
}

/// A seat that must be there.
pub fn seat(value: Option<u32>) -> Read<Seat> {
    match required(value)? {
        seat if (seat as usize) < MAX_SEATS => Ok(Seat(seat as u8)),
        other => Err(fault(format!("{other} is not a seat (0 to 5)"))),
    }
}

/// A seat that may be absent.
pub fn seat_opt(value: Option<u32>) -> Read<Option<Seat>> {
    value.map(|_| seat(value)).transpose()
}

/// A side that must be there.
pub fn side(value: Option<u32>) -> Read<Side> {
    match required(value)? {
        side if (side as usize) < MAX_SEATS => Ok(Side(side as u8)),
        other => Err(fault(format!("{other} is not a side (0 to 5)"))),
    }
}

/// A side that may be absent.
pub fn side_opt(value: Option<u32>) -> Read<Option<Side>> {
    value.map(|_| side(value)).transpose()
}

/// A meld's id, which must be there.
pub fn meld_id(value: Option<u32>) -> Read<MeldId> {
    match required(value)? {
        id if id <= MAX_MELD_ID => Ok(MeldId(id as u8)),
        other => Err(fault(format!("{other} is not a meld's id (0 to {MAX_MELD_ID})"))),
    }
}

/// Text of at most `max` bytes.
pub fn text(value: String, max: usize) -> Read<String> {
    if value.len() > max {
        return Err(fault(format!("{} bytes, at most {max}", value.len())));
    }
    Ok(value)
}

/// Exactly `N` bytes.
pub fn bytes<const N: usize>(value: &[u8]) -> Read<[u8; N]> {
    value.try_into().map_err(|_| fault(format!("{} bytes, expected {N}", value.len())))
}

/// Exactly `N` bytes, or none.
pub fn bytes_opt<const N: usize>(value: &[u8]) -> Read<Option<[u8; N]>> {
    if value.is_empty() {
        return Ok(None);
    }
    bytes(value).map(Some)
}

/// An enum's value; 0 counts as absent. `E` is the message's enum.
pub fn word<E: TryFrom<i32>>(value: i32) -> Read<E> {
    if value == 0 {
        return Err(missing());
    }
    E::try_from(value).map_err(|_| fault(format!("{value} is not a value of this enum")))
}

/// Refuses lists longer than `max`.
pub fn at_most<T>(list: &[T], max: usize) -> Read<()> {
    if list.len() > max {
        return Err(fault(format!("{} entries, at most {max}", list.len())));
    }
    Ok(())
}
