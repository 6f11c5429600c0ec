//! Results for programs: one document on one line, with its format's name in `format`.

use canasta_engine::hex::hex;
use canasta_engine::log::record::Fork;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::Write;

/// Writes the document.
///
/// # Errors
/// If writing fails.
pub fn write(value: &impl Serialize, out: &mut dyn Write) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// Returns the record that a branch goes on from.
pub fn branch(fork: &Fork) -> Value {
    json!({"game_id": hex(&fork.game_id), "record": fork.n, "head": hex(&fork.head)})
}
