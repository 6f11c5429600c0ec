//! Records that are not allowed where they stand, and the part of a salvaging audit that judges a game with missing records.

use super::super::super::finding::{Finding, FindingKind};
use super::super::super::replay::Place;
use super::super::{Tally, round};
use super::{GameAudit, Stage};
use alloc::format;
use canasta_log::HEAD_START;
use canasta_log::record::{EndReason, Record};

impl GameAudit {
    /// Reports a game end that is not allowed here. In a transcript an end of the game that comes too early is what
    /// somebody wrote down, from wrong scores.
    pub(super) fn misplaced_end(&mut self, place: Place, tally: &mut Tally) {
        let early = matches!(self.stage, Stage::Register(_));
        let kind = if early { FindingKind::Order.as_written(self.genesis.mode) } else { FindingKind::Order };
        self.report_misplaced(kind, "a game end", place, tally);
    }

    /// Reports a record of another kind that is not allowed here.
    pub(super) fn misplaced(&mut self, found: &str, place: Place, tally: &mut Tally) {
        self.report_misplaced(FindingKind::Order, found, place, tally);
    }

    fn report_misplaced(&mut self, kind: FindingKind, found: &str, place: Place, tally: &mut Tally) {
        let expected = match self.stage {
            Stage::Register(_) => "a register",
            Stage::Round(_) => "an action of the round, or its end",
            Stage::GameEnd => "the game end",
            Stage::Ended => {
                "nothing but rulings, disputes, signatures, notes and checkpoints after the game end"
            }
            Stage::Adrift => "nothing that is known",
        };
        let happened = match self.stage {
            _ if kind == FindingKind::Clerical => "with the scores before it, the game is not over",
            Stage::Ended => "this record was put in, or moved here",
            _ => "this record was put in, or what belongs before it was taken out, or they were moved",
        };
        let detail = format!("expected {expected}, found {found}: {happened}");
        tally.fault(place.finding(kind, detail));
        self.lose();
    }

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
                tally.report.rounds += u32::from(number > 0);
                tally.report.conditional_from.get_or_insert(number + 1);
                tally.report.result = round::book_declared(&mut self.table, end);
                if tally.report.result.is_some() {
                    self.stage = Stage::GameEnd;
                }
            }
            Record::Action(_) => tally.report.actions += 1,
            Record::Refusal(_) => tally.report.refusals += 1,
            Record::Remark(_) => tally.report.remarks += 1,
            _ => {}
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
