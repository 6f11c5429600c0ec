//! A proposed action as a line: what `judge` reads.

use super::{action, json, values};
use canasta_engine::action::{Action, As};

/// An action somebody might have tried.
#[derive(Clone, PartialEq, Debug)]
pub struct TriedAction {
    /// It is tried in the position before the action with this number.
    pub seq: u64,
    /// By whom; the table where no seat is named.
    pub actor: As,
    /// What is tried.
    pub action: Action,
}

impl TriedAction {
    /// Reads `{"seq":N,"seat":S,"action":{...}}`; `why` may say why it is tried and is not looked at.
    ///
    /// # Errors
    /// Where the line is wrong, and what was expected.
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
