//! Faults that only the log's own forms show.

use canasta_engine::log::FieldError;

use crate::status::FieldFault;

/// A field that no log can hold, under the name it has in requests.
pub fn fault(error: FieldError) -> FieldFault {
    let path = match error.field {
        "seats[].name" => "players[].name",
        "started_at" => "started_at_ms",
        other => other,
    };
    FieldFault { path: path.into(), problem: error.kind.to_string() }
}
