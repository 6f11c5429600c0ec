//! Results for programs: a document on a line of its own, its shape named by `format`.

use serde::Serialize;
use std::io::Write;

/// Writes the document.
///
/// # Errors
/// If `out` takes no more.
pub fn write(value: &impl Serialize, out: &mut dyn Write) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}
