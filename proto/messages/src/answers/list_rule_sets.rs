//! Method ListRuleSets.

use canasta_engine::rules::{PresetId, RuleSet};
use canasta_proto::v1::{ListRuleSetsRequest, ListRuleSetsResponse, RuleSetSummary};

use super::page::ListPage;
use crate::fault::OrFault;

/// Maximum number of rule sets on a page.
const RULE_SETS_MAX: usize = 100;

/// Answers a page of the presets, in the order of the rulebook.
pub fn answer(request: &ListRuleSetsRequest) -> OrFault<ListRuleSetsResponse> {
    let page = ListPage::read(request.page_size, &request.page_token, RULE_SETS_MAX, &[b"ListRuleSets"])?;
    let (presets, next_page_token) = page.cut(&PresetId::all().collect::<Vec<_>>());
    let rule_sets = presets.into_iter().map(|preset| summary(preset, &preset.rule_set())).collect();
    Ok(ListRuleSetsResponse { rule_sets, next_page_token })
}

/// Describes the rule set `set`, which is made from `preset` and has its texts.
pub(super) fn summary(preset: PresetId, set: &RuleSet) -> RuleSetSummary {
    RuleSetSummary {
        id: preset.name().into(),
        digest: set.digest().into(),
        seats: set.seats.into(),
        sides: set.side_count.into(),
        playable: set.validate().is_ok(),
        title: preset.title().into(),
        description: preset.sentence().into(),
        packs: set.packs.into(),
        jokers: set.jokers.into(),
        target: set.target,
        rounds: set.rounds.into(),
        dealer_required: set.leaves_dealer_to_table(),
    }
}
