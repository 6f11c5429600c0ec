//! The rule sets of logs, prepared for play.

use super::super::finding::FindingKind;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use canasta_log::record::Genesis;
use canasta_rules::card::CARDS_MAX;
use canasta_rules::rulebook::penalties::PENALTIES_VERSION;
use canasta_rules::rules::Rules;

/// Maximum number of rule sets that are kept.
const RULE_SETS_MAX: usize = 16;

/// The rule sets of the logs that were audited last, at most 16. The audit of a log with one of these rule sets does not
/// prepare it again.
#[derive(Clone, Default, Debug)]
pub struct PreparedRules(Arc<[Arc<Rules>]>);

impl PreparedRules {
    /// Adds the rules of an audited log, in the place of the oldest if there are too many.
    pub fn add(&mut self, rules: &Arc<Rules>) {
        if !self.0.iter().any(|known| Arc::ptr_eq(known, rules)) {
            self.0 = [rules].into_iter().chain(&*self.0).take(RULE_SETS_MAX).cloned().collect();
        }
    }

    /// Returns the rules that genesis names, if they are known. Base, id and knobs determine rules.
    fn get(&self, genesis: &Genesis) -> Option<Arc<Rules>> {
        let is_named = |rules: &&Arc<Rules>| {
            rules.canonical() == genesis.rule_set
                && rules.id() == genesis.rule_set_id
                && rules.base().name() == genesis.base
        };
        self.0.iter().find(is_named).cloned()
    }

    /// Returns the rules of genesis as [`playable`] does, which are prepared only if they are not known.
    pub(super) fn of(&self, genesis: &Genesis) -> Result<Arc<Rules>, (FindingKind, String)> {
        let rules = self.get(genesis).map_or_else(|| prepare(genesis).map(Arc::new), Ok)?;
        check(genesis, &rules)?;
        Ok(rules)
    }
}

/// Returns the rule set of genesis, prepared for play; an error if it cannot be played or contradicts genesis.
pub fn playable(genesis: &Genesis) -> Result<Rules, (FindingKind, String)> {
    let rules = prepare(genesis)?;
    check(genesis, &rules)?;
    Ok(rules)
}

fn prepare(genesis: &Genesis) -> Result<Rules, (FindingKind, String)> {
    let rule_set = |detail: String| (FindingKind::RuleSet, detail);
    let rules = genesis.rules().map_err(rule_set)?;
    if rules.id() != genesis.rule_set_id {
        return Err(rule_set(format!(
            "the knobs are those of {}, found the id {}",
            rules.id(),
            genesis.rule_set_id
        )));
    }
    Ok(rules)
}

/// Checks the facts of genesis that depend on more than its rule set.
fn check(genesis: &Genesis, rules: &Rules) -> Result<(), (FindingKind, String)> {
    if let Some(version) = genesis.penalties.filter(|&version| version != PENALTIES_VERSION) {
        let expected = format!("expected the table of penalties of version {PENALTIES_VERSION}");
        return Err((FindingKind::RuleSet, format!("{expected}, found version {version}")));
    }
    let (seats, players) = (usize::from(rules.set().seats), genesis.players.len());
    if seats != players {
        return Err((FindingKind::RuleSet, format!("expected {seats} players, found {players}")));
    }
    debug_assert!(usize::from(rules.deck_size()) <= CARDS_MAX);
    Ok(())
}
