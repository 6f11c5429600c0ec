//! The part of a salvaging audit that judges a game with missing records.

use super::super::super::finding::{Finding, FindingKind};
use super::super::{Place, Tally, round};
use super::{GameAudit, Stage};
use alloc::format;
use canasta_log::HEAD_START;
use canasta_log::record::{EndReason, Record};

impl GameAudit {
    /// Marks that records are missing here, or damaged. The round that they belong to is not judged.
    pub(in super::super) fn lose(&mut self) {
        match &mut self.stage {
            Stage::Round(round) => round.lost = true,
            Stage::Register(_) | Stage::GameEnd => self.stage = Stage::Adrift,
            Stage::Ended | Stage::Adrift => {}
        }
    }

    /// Continues where it is unknown which records are missing: a register or a round end is accepted if it has the
    /// number of the current round.
    pub(super) fn drift(&mut self, record: &Record, place: Place, tally: &mut Tally) {
        let number = u32::from(self.table.round_number());
        match record {
            Record::Register(register) if register.round == number => {
                self.stage = Stage::Register(register.attempt);
                // No signature is verified behind a break of the chain, so the head does not matter.
                self.register(register, &HEAD_START, place, tally);
            }
            Record::RoundEnd(end) if end.round == number && end.reason != EndReason::Voided => {
                self.rounds += u32::from(number > 0);
                self.conditional_from.get_or_insert(number + 1);
                self.result = round::book_declared(&mut self.table, end);
                if self.result.is_some() {
                    self.stage = Stage::GameEnd;
                }
            }
            Record::Action(_) => tally.actions += 1,
            Record::Refusal(_) => tally.refusals += 1,
            Record::Note(_) | Record::Checkpoint(_) => tally.remarks += 1,
            Record::Genesis(_) | Record::Register(_) | Record::RoundEnd(_) | Record::GameEnd(_) => {}
        }
    }

    /// Reports that play cannot be judged because it does not follow from the records that could be read.
    pub(in super::super) fn check_adrift(&self, end: Place, tally: &mut Tally) {
        if let Stage::Adrift = self.stage {
            let round = self.table.round_number();
            let detail =
                format!("round {round} and what follows it are not judged: records before are missing");
            tally.find(Finding { round: Some(round), ..end.finding(FindingKind::NotJudged, detail) });
        }
    }
}
