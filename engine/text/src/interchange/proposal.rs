//! An action that was tried, as one line: the input of `judge`.

use super::{action, json, values};
use alloc::string::String;
use alloc::string::ToString;
use canasta_rules::action::{Action, As};

/// An action that was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct TriedAction {
    /// The number of an action: the attempt is judged in the position before that action.
    pub seq: u64,
    /// The actor; the table if no seat is named.
    pub actor: As,
    /// The action that was tried.
    pub action: Action,
}

impl TriedAction {
    /// Parses `{"seq":N,"seat":S,"action":{...}}`. The key `why` is allowed and ignored.
    ///
    /// # Errors
    /// The place in the line, and what was expected.
    pub fn read(line: &str) -> Result<Self, String> {
        let read = || {
            let mut fields = json::Fields::of(&json::parse(line)?)?;
            let seq = fields.get("seq", json::integer)?;
            let seat = fields.maybe("seat", values::seat)?;
            let action = fields.get("action", action::from_value)?;
            fields.maybe("why", json::string)?;
            fields.done()?;
            Ok(Self { seq, actor: seat.map_or(As::Table, As::Seat), action })
        };
        read().map_err(|fault: json::ValueFault| fault.to_string())
    }
}
