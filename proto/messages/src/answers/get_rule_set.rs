//! Method GetRuleSet.

use canasta_engine::rules::Variation;
use canasta_proto::v1::{self as pb, GetRuleSetRequest, GetRuleSetResponse, RuleSet, RuleSetSummary};

use super::list_rule_sets::summary;
use crate::convert::new_game::{NotRead, house_rules, preset};
use crate::fault::OrFault;

/// Answers a preset, or house rules made from it, with the canonical form and the preset's variations.
pub fn answer(request: GetRuleSetRequest) -> OrFault<GetRuleSetResponse> {
    let preset = preset(request.id, "id")?;
    let rules = match house_rules(preset, request.house_rules)? {
        Ok(rules) => rules,
        Err(NotRead::Fault(fault)) => return Err(fault),
        Err(NotRead::Rejected(rejected)) => {
            return Ok(GetRuleSetResponse { rule_set: None, rejected: Some(*rejected) });
        }
    };
    let canonical = String::from_utf8_lossy(rules.canonical()).into_owned();
    let variations = preset.variations().into_iter().map(variation).collect();
    let summary = Some(RuleSetSummary { id: rules.id().into(), ..summary(preset, rules.set()) });
    Ok(GetRuleSetResponse { rule_set: Some(RuleSet { summary, canonical, variations }), rejected: None })
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
