//! The audit of a log that keeps the facts of the records that are asked for.

use std::collections::BTreeSet;
use std::ops::{Deref, RangeInclusive};
use std::sync::Arc;

use canasta_engine::log::audit::{Auditor, Expect, IsOver, Report};
use canasta_engine::log::error::LogError;
use canasta_engine::log::finding::FindingKind;
use canasta_engine::log::outcome::{Collector, Outcome, ReachedPosition, Replay};
use canasta_engine::log::record::Genesis;
use canasta_engine::table::{Phase, Table};
use canasta_proto::v1::Unknown;

use crate::convert::field::fault;
use crate::fault::{OrFault, RequestFault};

/// The audits that answer the questions about a log, fed while the log arrives.
pub struct OpenAudit {
    /// The audit that is reported, as its question expects the log.
    reported: Option<Auditor>,
    searched: Option<RecordSearch>,
}

/// The search for records, on an audit of its own: a game may still be going on.
struct RecordSearch {
    replay: Replay,
    wanted: Arc<BTreeSet<u64>>,
    found: Vec<RecordFacts>,
}

/// The facts about one record: its outcome, of which no card is shown that may only stand for an unknown card.
pub struct RecordFacts(Outcome);

impl Deref for RecordFacts {
    type Target = Outcome;

    fn deref(&self) -> &Outcome {
        &self.0
    }
}

/// A log that has been read to its end.
pub struct FinishedAudit {
    pub report: Option<Report>,
    /// The records that were asked for, and the report on the log that may still go on.
    pub records: Option<(Report, FoundRecords)>,
}

pub struct FoundRecords {
    found: Vec<RecordFacts>,
    damage: Option<LogError>,
    /// Number of the last record that could be read.
    last: Option<u64>,
}

impl OpenAudit {
    /// Begins the audits: one to report if its expectations are given, and one to find the records of these numbers if
    /// there are any.
    pub fn new(report: Option<Expect>, wanted: BTreeSet<u64>) -> Self {
        let searched = wanted.last().map(|&last| RecordSearch::new(last, Arc::new(wanted.clone())));
        Self { reported: report.map(Auditor::new), searched }
    }

    pub fn until(self, is_over: &IsOver) -> Self {
        let until = |auditor: Auditor| auditor.until(Arc::clone(is_over));
        let searched = self.searched.map(|mut search| {
            search.replay.auditor = until(search.replay.auditor);
            search
        });
        Self { reported: self.reported.map(until), searched }
    }

    /// Returns the number of records that were read.
    pub fn records(&self) -> u64 {
        let auditors = self.reported.iter().chain(self.searched.iter().map(|search| &search.replay.auditor));
        auditors.map(Auditor::records).max().unwrap_or(0)
    }

    pub fn feed(&mut self, piece: &[u8]) {
        if let Some(auditor) = &mut self.reported {
            auditor.feed(piece);
        }
        if let Some(RecordSearch { replay, wanted, found }) = &mut self.searched {
            replay.feed(piece, &mut |outcome| keep(found, wanted, outcome));
        }
    }

    pub fn finish(self) -> FinishedAudit {
        FinishedAudit {
            report: self.reported.map(Auditor::finish),
            records: self.searched.map(RecordSearch::finish),
        }
    }
}

impl FinishedAudit {
    /// Returns the first record of the log; `None` if it cannot be read.
    pub fn genesis(&self) -> Option<&Genesis> {
        let report = self.report.as_ref().or(self.records.as_ref().map(|(report, _)| report))?;
        report.genesis.as_ref()
    }
}

impl FoundRecords {
    /// Returns the wanted records of this range, at least the first of them.
    ///
    /// # Errors
    /// If the first is behind the end of the log, or behind damage.
    pub fn range(&self, range: &RangeInclusive<u64>) -> OrFault<&[RecordFacts]> {
        let first = self.found.partition_point(|facts| facts.n() < *range.start());
        let end = self.found.partition_point(|facts| facts.n() <= *range.end());
        match (self.found.get(first..end), &self.damage) {
            (Some(found), _) if found.first().is_some_and(|facts| facts.n() == *range.start()) => Ok(found),
            (_, Some(LogError { record, offset, kind })) => {
                Err(RequestFault::LogCorrupt { record: *record, offset: *offset, problem: kind.to_string() })
            }
            (_, None) => {
                let last = self.last.map_or("there is none".into(), |last| format!("expected 0 to {last}"));
                Err(fault(format!("{}, {last}", range.start())).into())
            }
        }
    }

    /// Whether anything follows record `n`, if only damage.
    pub fn goes_on_after(&self, n: u64) -> bool {
        self.damage.is_some() || self.last.is_some_and(|last| last > n)
    }
}

impl RecordSearch {
    fn new(last: u64, wanted: Arc<BTreeSet<u64>>) -> Self {
        let live = Expect { live: true, ..Expect::default() };
        let is_wanted = Arc::clone(&wanted);
        let collector = Collector::new(last, move |n| is_wanted.contains(&n));
        Self { replay: Replay::new(Auditor::new(live), collector), wanted, found: Vec::new() }
    }

    fn finish(self) -> (Report, FoundRecords) {
        let Self { replay, wanted, mut found } = self;
        let end = replay.finish(&mut |outcome| keep(&mut found, &wanted, outcome));
        (end.report, FoundRecords { found, damage: end.fault, last: end.last })
    }
}

fn keep(found: &mut Vec<RecordFacts>, wanted: &BTreeSet<u64>, outcome: Outcome) {
    if wanted.contains(&outcome.n()) {
        found.push(RecordFacts::of(outcome));
    }
}

/// Returns the table of a position, if all its cards are known: the last table of a round is shown with the round's
/// score, not as the empty table after booking.
fn shown(position: &Option<ReachedPosition>) -> Option<(u64, &Table)> {
    let position = position.as_ref().filter(|position| position.known.is_none())?;
    Some((position.n, position.last.as_ref().unwrap_or(&position.table)))
}

impl RecordFacts {
    pub fn of(outcome: Outcome) -> Self {
        match outcome.as_known {
            true => Self(Outcome::new(outcome.place, outcome.record, outcome.part)),
            false => Self(outcome),
        }
    }

    /// Returns the position after the record; after an action that was not carried out, the position in which
    /// it was tried. `None` if the position is unknown.
    pub fn table_after(&self) -> Option<Table> {
        let (n, state) = shown(&self.after)?;
        let known = self.illegal.is_some() || self.part.moved.is_none_or(|moved| n >= moved);
        known.then(|| self.prepared(n, state, self.n()))
    }

    /// Returns the position before an action. `None` if the position is unknown, and before the first deal.
    pub fn table_before(&self) -> Option<Table> {
        if self.illegal.is_some() || self.refused.is_some() {
            return self.table_after();
        }
        let (n, state) = shown(&self.before)?;
        Some(self.prepared(n, state, self.n().saturating_sub(1)))
    }

    /// Returns the position of record `n` with the round registered, if a register follows up to record
    /// `up_to`. A register moves no card, so the audit passes on no step for it.
    fn prepared(&self, n: u64, state: &Table, up_to: u64) -> Table {
        let mut state = state.clone();
        let registered = self.part.registered.is_some_and(|registered| registered > n && registered <= up_to);
        if registered && state.phase() == Phase::Setup {
            state.register(state.dealer());
        }
        state
    }

    /// Returns why the position is unknown.
    pub fn unknown(&self, report: &Report) -> Unknown {
        let stops = |kind| matches!(kind, FindingKind::RuleSet | FindingKind::NotJudged);
        let of_round = |round: Option<u16>| round.map(u32::from) == self.part.round;
        let illegal = |finding: &&canasta_engine::log::finding::Finding| {
            of_round(finding.round) && !finding.codes.is_empty() && finding.record < self.n()
        };
        if report.findings.iter().any(|finding| finding.record == 0 && stops(finding.kind)) {
            Unknown::NotPlayed
        } else if report.findings.iter().any(|finding| illegal(&finding)) {
            Unknown::AfterIllegal
        } else if self.part.moved.is_none() {
            Unknown::NotDealt
        } else {
            Unknown::Hidden
        }
    }
}
