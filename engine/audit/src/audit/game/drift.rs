//! A game whose records are not all there: what of it can still be judged when an audit goes on behind a fault.

use super::super::super::finding::{Finding, FindingKind};
use super::super::{Place, Tally, round};
use super::{Game, Stage};
use alloc::format;
use canasta_log::record::{EndReason, Record};

impl Game {
    /// Records may be missing here, or are not what was written: the round they belong to is not judged.
    pub(in super::super) fn lose(&mut self) {
        match &mut self.stage {
            Stage::Round(round) => round.lost = true,
            Stage::Register(_) | Stage::GameEnd => self.stage = Stage::Adrift,
            Stage::Ended | Stage::Adrift => {}
        }
    }

    /// Salvaging, where it is not known what is missing: a register or a round end that follows from what is known
    /// is believed.
    pub(super) fn drift(&mut self, record: &Record, place: Place, tally: &mut Tally) {
        let number = u32::from(self.table.round_number());
        match record {
            Record::Register(register) if register.round == number => {
                self.stage = Stage::Register(register.attempt);
                self.register(register, place, tally);
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

    /// Salvaging: what cannot be judged because it does not follow from what could be read.
    pub(in super::super) fn check_adrift(&self, end: Place, tally: &mut Tally) {
        if let Stage::Adrift = self.stage {
            let round = self.table.round_number();
            let detail =
                format!("round {round} and what follows it are not judged: records before are missing");
            tally.find(Finding { round: Some(round), ..end.finding(FindingKind::NotJudged, detail) });
        }
    }
}
