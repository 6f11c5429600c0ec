//! Method ListRuleSets.

use canasta_engine::rules::PresetId;
use canasta_proto::v1::{ListRuleSetsResponse, RuleSetSummary};

/// Answers all presets, in the order of the rulebook.
pub fn answer() -> ListRuleSetsResponse {
    ListRuleSetsResponse { rule_sets: PresetId::all().map(summary).collect() }
}

pub(super) fn summary(preset: PresetId) -> RuleSetSummary {
    let set = preset.rule_set();
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
