//! Conversion of faults that only the log format has.

use canasta_engine::log::FieldError;

use crate::fault::{FieldFault, FieldFaults};

/// Converts the fault of a field that no log can hold; the path is the field's path in requests.
pub fn fault(error: FieldError) -> FieldFaults {
    let path = match error.field {
        "seats[].name" => "players[].name",
        "started_at" => "started_at_ms",
        other => other,
    };
    FieldFault { path: path.into(), problem: error.kind.to_string() }.into()
}
