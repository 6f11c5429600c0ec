//! Results for programs: one document on one line, with its format's name in `format`.

use serde::Serialize;
use std::io::Write;

/// Writes the document.
///
/// # Errors
/// If writing fails.
pub fn write(value: &impl Serialize, out: &mut dyn Write) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}
