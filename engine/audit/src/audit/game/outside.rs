//! Records outside rounds, and checkpoints.

use super::super::Tally;
use super::super::held::HeldRecord;
use super::super::round::Judge;
use super::GameAudit;
use crate::finding::FindingKind;
use crate::reader::Frame;
use crate::replay::{Place, Step, Watch, What};
use alloc::sync::Arc;
use canasta_log::checkpoint;
use canasta_log::record::Record;
use canasta_rules::scoring;

impl GameAudit {
    /// Judges an official action between rounds, or after the game's end, when a ruling may still change the result.
    pub(super) fn official(
        &mut self,
        record: &Arc<Record>,
        place: Place,
        tally: &mut Tally,
        watch: &mut dyn Watch,
    ) {
        let mut judge = Judge::new(&mut self.table, &mut self.dealing, &self.genesis, tally, watch);
        judge.take(&HeldRecord::Shared(record), place);
        if tally.report.result.is_some() {
            tally.report.result = Some(scoring::standing(&self.table));
        }
    }

    /// Checks that a checkpoint is about the record before it. Its signatures are verified by those who have the keys.
    pub(super) fn checkpoint(
        &self,
        note: &str,
        record: &Arc<Record>,
        frame: &Frame<'_>,
        tally: &mut Tally,
        watch: &mut dyn Watch,
    ) {
        let body = checkpoint::body(&self.genesis.game_id, frame.n.saturating_sub(1), &frame.before);
        let rest = note.strip_prefix(body.as_str());
        if rest.is_some_and(|rest| rest.starts_with('\n')) {
            self.tell(What::Checkpoint(note), record, frame.place(), watch);
        } else {
            let detail = "expected a note over the record before, its number and its head";
            tally.find(frame.place().finding(FindingKind::Checkpoint, detail));
        }
    }

    /// Reports a step outside rounds.
    pub(super) fn tell(&self, what: What<'_>, record: &Arc<Record>, place: Place, watch: &mut dyn Watch) {
        let (table, dealing) = (&self.table, &self.dealing);
        watch.step(&Step { place, record, table, dealing, known: None, what });
    }
}
