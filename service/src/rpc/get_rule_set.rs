//! GetRuleSet.

use canasta_proto::v1::{GetRuleSetRequest, GetRuleSetResponse, RuleSet};

use super::list_rule_sets::summary;
use crate::convert::new_game::preset;
use crate::status::Fault;

/// One preset with its canonical form.
pub fn answer(request: GetRuleSetRequest) -> Result<GetRuleSetResponse, Fault> {
    let preset = preset(request.id, "id")?;
    let canonical = String::from_utf8_lossy(&preset.rule_set().to_canonical()).into_owned();
    Ok(GetRuleSetResponse { rule_set: Some(RuleSet { summary: Some(summary(preset)), canonical }) })
}
