//! Actions as JSON.

use super::coder::Json;
use super::json::Read;
use canasta_log::fields;
use canasta_rules::action::Action;
use serde_json::Value;

/// Parses an action.
pub(super) fn from_value(value: &Value) -> Read<Action> {
    Json::read(value.clone(), |f| {
        let mut action = Action::default();
        fields::action(f, &mut action)?;
        Ok(action)
    })
}
