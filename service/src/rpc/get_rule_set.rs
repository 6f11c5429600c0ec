//! GetRuleSet.

use canasta_engine::rules::PresetId;
use canasta_proto::v1::{GetRuleSetRequest, GetRuleSetResponse, RuleSet};

use super::list_rule_sets::summary;
use crate::convert::field::{missing, text, within};
use crate::status::Fault;

/// Longest id of a rule set, rule or code, in bytes.
pub(super) const MAX_ID: usize = 64;

/// One preset with its canonical form.
pub fn answer(request: GetRuleSetRequest) -> Result<GetRuleSetResponse, Fault> {
    let preset = preset(request.id, "id")?;
    let canonical = String::from_utf8_lossy(&preset.rule_set().to_canonical()).into_owned();
    Ok(GetRuleSetResponse { rule_set: Some(RuleSet { summary: Some(summary(preset)), canonical }) })
}

/// The preset that `field` names.
pub(super) fn preset(id: String, field: &'static str) -> Result<PresetId, Fault> {
    if id.is_empty() {
        return Err(within(field)(missing()).into());
    }
    let id = text(id, MAX_ID).map_err(within(field))?;
    PresetId::from_name(&id).ok_or_else(|| Fault::NotFound(format!("rule set {id:?}")))
}
