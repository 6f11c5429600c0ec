//! Method GetRuleSet.

use canasta_engine::rules::Variation;
use canasta_proto::v1::{self as pb, GetRuleSetRequest, GetRuleSetResponse, RuleSet};

use super::list_rule_sets::summary;
use crate::convert::new_game::preset;
use crate::fault::RequestFault;

/// Answers a preset with its canonical form and its variations.
pub fn answer(request: GetRuleSetRequest) -> Result<GetRuleSetResponse, RequestFault> {
    let preset = preset(request.id, "id")?;
    let canonical = String::from_utf8_lossy(&preset.rule_set().to_canonical()).into_owned();
    let variations = preset.variations().into_iter().map(variation).collect();
    Ok(GetRuleSetResponse {
        rule_set: Some(RuleSet { summary: Some(summary(preset)), canonical, variations }),
    })
}

fn variation(one: Variation) -> pb::Variation {
    let all = |words: Vec<&str>| words.into_iter().map(String::from).collect();
    pb::Variation {
        id: one.id.into(),
        title: one.title.into(),
        description: one.sentence.into(),
        rule_ids: all(one.rule_ids),
        our_reading: one.is_ours,
        knobs: one.knobs.into_iter().map(|(knob, value)| (knob.into(), value.into())).collect(),
        needs_one_of: all(one.needs),
        excludes: all(one.excludes),
    }
}
