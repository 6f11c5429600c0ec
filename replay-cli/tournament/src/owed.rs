//! The values that players owed to committed deals, summed over games.

use canasta_engine::log::audit::Report;
use std::collections::BTreeMap;

/// The numbers of values that players owed to deals, and of those that they kept back, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OwedByPlayer(pub BTreeMap<String, [u64; 2]>);

impl OwedByPlayer {
    /// Adds what the players of an audited game owed.
    pub fn add(&mut self, report: &Report) {
        let players = report.genesis.iter().flat_map(|genesis| &genesis.players);
        for (player, owed) in players.zip(&report.origins.owed).filter(|(_, owed)| owed.values > 0) {
            self.add_one(&player.name, [owed.values.into(), owed.kept_back.into()]);
        }
    }

    /// Adds what the players of other games owed.
    pub fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|(player, more)| self.add_one(player, *more));
    }

    fn add_one(&mut self, player: &str, more: [u64; 2]) {
        let sums = self.0.entry(player.to_owned()).or_default();
        *sums = [sums[0] + more[0], sums[1] + more[1]];
    }
}
