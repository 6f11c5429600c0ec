//! The round that has not ended, executed for a watcher.

use super::super::super::replay::Watch;
use super::super::Tally;
use super::super::round::Judge;
use super::{GameAudit, Stage};
use canasta_log::record::Reveal;

impl GameAudit {
    /// Executes the round that has not ended for a watcher ([`Judge::follow_open`]); `reveal` is known to an official.
    /// Returns `false` if that is not the reveal of the round, or no round is open. The audit itself is not changed: what
    /// follows here is no verdict on the log.
    pub(in super::super) fn follow_open_round(&self, reveal: Option<&Reveal>, watch: &mut dyn Watch) -> bool {
        let Stage::Round(round) = &self.stage else { return false };
        let mut tally = Tally { tells_actions: true, ..Tally::default() };
        let (mut table, mut dealing) = (self.table.clone(), self.dealing.clone());
        let mut judge = Judge::new(&mut table, &mut dealing, &self.genesis, &mut tally, watch);
        !round.lost && judge.follow_open(round, reveal)
    }
}
