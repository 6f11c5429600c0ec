//! Readers of plain fields, and their faults.
//!
//! A fault begins where it is found and gets its path on the way out: each caller adds its own step with
//! [`within`] or [`item`], so requests without faults cost nothing.

use canasta_engine::action::MeldId;
use canasta_engine::seat::{SEATS_MAX, Seat, Side};
use canasta_engine::table::MELDS_MAX;

use crate::status::FieldFault;

/// Highest id of a meld.
const MELD_ID_LAST: u32 = MELDS_MAX as u32 - 1;

/// The value of a field, or its fault.
pub type Read<T> = Result<T, FieldFault>;

/// Returns a fault of the value at hand, with an empty path.
pub fn fault(problem: impl Into<String>) -> FieldFault {
    FieldFault { path: String::new(), problem: problem.into() }
}

/// Returns the fault of a required field that is missing.
pub fn missing() -> FieldFault {
    fault("is required")
}

/// Returns a function that adds the field `name` in front of a fault's path.
pub fn within(name: &'static str) -> impl Fn(FieldFault) -> FieldFault {
    move |inner| prefixed(name, inner)
}

/// Returns a function that adds the place in a list in front of a fault's path.
pub fn item(index: usize) -> impl Fn(FieldFault) -> FieldFault {
    move |inner| prefixed(&format!("[{index}]"), inner)
}

fn prefixed(step: &str, FieldFault { path, problem }: FieldFault) -> FieldFault {
    let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
    FieldFault { path: format!("{step}{dot}{path}"), problem }
}

/// Reads a required value.
pub fn required<T>(value: Option<T>) -> Read<T> {
    value.ok_or_else(missing)
}

/// Reads a required seat.
pub fn seat(value: Option<u32>) -> Read<Seat> {
    match required(value)? {
        seat if (seat as usize) < SEATS_MAX => Ok(Seat(seat as u8)),
        other => Err(fault(format!("{other} is not a seat (0 to 5)"))),
    }
}

/// Reads an optional seat.
pub fn seat_opt(value: Option<u32>) -> Read<Option<Seat>> {
    value.map(|_| seat(value)).transpose()
}

/// Reads a required side.
pub fn side(value: Option<u32>) -> Read<Side> {
    match required(value)? {
        side if (side as usize) < SEATS_MAX => Ok(Side(side as u8)),
        other => Err(fault(format!("{other} is not a side (0 to 5)"))),
    }
}

/// Reads an optional side.
pub fn side_opt(value: Option<u32>) -> Read<Option<Side>> {
    value.map(|_| side(value)).transpose()
}

/// Reads the required id of a meld.
pub fn meld_id(value: Option<u32>) -> Read<MeldId> {
    match required(value)? {
        id if id <= MELD_ID_LAST => Ok(MeldId(id as u8)),
        other => Err(fault(format!("{other} is not a meld's id (0 to {MELD_ID_LAST})"))),
    }
}

/// Reads text of at most `max` bytes.
pub fn text(value: String, max: usize) -> Read<String> {
    if value.len() > max {
        return Err(fault(format!("{} bytes, at most {max}", value.len())));
    }
    Ok(value)
}

/// Reads exactly `N` bytes.
pub fn bytes<const N: usize>(value: &[u8]) -> Read<[u8; N]> {
    value.try_into().map_err(|_| fault(format!("{} bytes, expected {N}", value.len())))
}

/// Reads exactly `N` bytes, or an empty field.
pub fn bytes_opt<const N: usize>(value: &[u8]) -> Read<Option<[u8; N]>> {
    if value.is_empty() {
        return Ok(None);
    }
    bytes(value).map(Some)
}

/// Reads the value of enum `E`; 0 counts as missing.
pub fn word<E: TryFrom<i32>>(value: i32) -> Read<E> {
    if value == 0 {
        return Err(missing());
    }
    E::try_from(value).map_err(|_| fault(format!("{value} is not a value of this enum")))
}

/// Checks that a list has at most `max` entries.
pub fn at_most<T>(list: &[T], max: usize) -> Read<()> {
    if list.len() > max {
        return Err(fault(format!("{} entries, at most {max}", list.len())));
    }
    Ok(())
}
