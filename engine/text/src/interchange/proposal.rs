//! An action that was tried, as one line: the input of `judge`.

use super::coder::Json;
use super::json;
use alloc::string::{String, ToString};
use canasta_log::fields::Fields;
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
        let read = |f: &mut Json<'_>| {
            let (mut seq, mut seat, mut action) = (0, None, Action::default());
            f.number("seq", &mut seq)?;
            f.maybe("seat", &mut seat, Json::seat)?;
            f.inner("action", &mut action)?;
            f.maybe("why", &mut None, |f, name, why| f.text(name, usize::MAX, why))?;
            Ok(Self { seq, actor: seat.map_or(As::Table, As::Seat), action })
        };
        json::parse(line).and_then(|value| Json::read(value, read)).map_err(|fault| fault.to_string())
    }
}
