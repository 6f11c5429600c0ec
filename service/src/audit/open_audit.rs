//! The audit of a log that keeps the facts of the records that are asked for.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use canasta_engine::action::Action;
use canasta_engine::event::Event;
use canasta_engine::log::audit::{Auditor, Expect, Report};
use canasta_engine::log::error::LogError;
use canasta_engine::log::finding::FindingKind;
use canasta_engine::log::record::Genesis;
use canasta_engine::log::replay::{Step, What};
use canasta_engine::log::{Head, Reader, Record};
use canasta_engine::rejection::Rejection;
use canasta_engine::scoring::{GameResult, RoundScore};
use canasta_engine::table::{Phase, Table};
use canasta_proto::v1::Unknown;

use crate::convert::field::fault;
use crate::status::RequestFault;

/// The audits that answer the questions about a log, fed while the log arrives.
pub struct OpenAudit {
    /// The audit that is reported, as its question expects the log.
    reported: Option<Auditor>,
    /// The audit of a game that may still be going on, and the search for its records.
    searched: Option<(Auditor, RecordSearch)>,
}

/// The search for records, with a reader of its own: the audit does not pass on what records hold.
struct RecordSearch {
    reader: Reader,
    damage: Option<LogError>,
    /// Numbers of the records, ascending.
    wanted: Vec<u64>,
    found: Vec<RecordFacts>,
    /// Number of found records that no step follows any more.
    settled: usize,
    so_far: RecordPlace,
    /// The last known position, and the number of the record that it follows.
    position: Option<KnownPosition>,
}

/// A position, and the number of the record that it follows.
type KnownPosition = (u64, Arc<Table>);

/// Facts about the part of a log up to a record.
#[derive(Clone, Copy, Default)]
pub struct RecordPlace {
    /// Number of the record.
    n: Option<u64>,
    /// Number of accepted actions.
    seq: u64,
    /// Number of the round.
    round: Option<u32>,
    /// Numbers of the last record that moved cards and of the last register.
    moved: Option<u64>,
    registered: Option<u64>,
}

/// The facts about one record.
pub struct RecordFacts {
    /// Number of the record.
    pub n: u64,
    /// The content.
    pub record: Record,
    /// Offset of its frame in the log, in bytes.
    pub offset: u64,
    /// Head of the log's chain after it.
    pub head: Head,
    place: RecordPlace,
    /// The last known position up to the record.
    position: Option<KnownPosition>,
    /// The position before the record.
    before: Option<KnownPosition>,
    /// The events of an action that was carried out.
    pub events: Option<Vec<Event>>,
    /// The refused action, and the rejection; the rejection is `None` if the action was legal.
    pub refused: Option<(Action, Option<Rejection>)>,
    /// The rejection of an action that breaks rules.
    pub illegal: Option<Rejection>,
    /// The score of the round that the record ends.
    pub score: Option<RoundScore>,
    /// The result of the game that the record ends.
    pub result: Option<GameResult>,
}

/// A log that has been read to its end.
pub struct FinishedAudit {
    /// The report that was asked for.
    pub report: Option<Report>,
    /// The records that were asked for, and the report on the log that may still go on.
    pub records: Option<(Report, FoundRecords)>,
}

/// The records that a search has found.
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
        let live = Expect { live: true, ..Expect::default() };
        let is_searched = !wanted.is_empty();
        let search = || (Auditor::new(live), RecordSearch::new(wanted));
        Self { reported: report.map(Auditor::new), searched: is_searched.then(search) }
    }

    pub fn until(self, cancelled: &Arc<AtomicBool>) -> Self {
        let until = |auditor: Auditor| auditor.until(Arc::clone(cancelled));
        Self {
            reported: self.reported.map(until),
            searched: self.searched.map(|(auditor, search)| (until(auditor), search)),
        }
    }

    /// Returns the number of records that were read.
    pub fn records(&self) -> u64 {
        let auditors = self.reported.iter().chain(self.searched.iter().map(|(auditor, _)| auditor));
        auditors.map(Auditor::records).max().unwrap_or(0)
    }

    pub fn feed(&mut self, piece: &[u8]) {
        if let Some(auditor) = &mut self.reported {
            auditor.feed(piece);
        }
        if let Some((auditor, search)) = &mut self.searched {
            search.read(piece);
            auditor.feed_watched(piece, &mut |step| search.watch(step));
        }
    }

    /// Finishes the audits.
    pub fn finish(self) -> FinishedAudit {
        FinishedAudit {
            report: self.reported.map(Auditor::finish),
            records: self.searched.map(|(auditor, search)| (auditor.finish(), search.finish())),
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
    pub fn range(&self, range: &RangeInclusive<u64>) -> Result<&[RecordFacts], RequestFault> {
        let first = self.found.partition_point(|facts| facts.n < *range.start());
        let end = self.found.partition_point(|facts| facts.n <= *range.end());
        match (self.found.get(first..end), &self.damage) {
            (Some(found), _) if found.first().is_some_and(|facts| facts.n == *range.start()) => Ok(found),
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
    fn new(wanted: BTreeSet<u64>) -> Self {
        Self {
            reader: Reader::new(),
            damage: None,
            wanted: wanted.into_iter().collect(),
            found: Vec::new(),
            settled: 0,
            so_far: RecordPlace::default(),
            position: None,
        }
    }

    fn read(&mut self, mut piece: &[u8]) {
        while self.damage.is_none() {
            match self.reader.next(&mut piece) {
                Ok(None) => return,
                Ok(Some(frame)) => match frame.record() {
                    Ok(record) => {
                        self.so_far.pass(frame.n, &record);
                        if self.wanted.get(self.found.len()) == Some(&frame.n) {
                            self.found.push(RecordFacts::new(
                                self.so_far,
                                (frame.offset, frame.head),
                                record,
                            ));
                        }
                    }
                    Err(error) => self.damage = Some(error),
                },
                Err(error) => self.damage = Some(error),
            }
        }
    }

    /// Takes the facts of a step. Steps come in the order of the log, those of a round when its end has been read.
    fn watch(&mut self, step: &Step<'_>) {
        // The cards of a transcript may stand for unknown cards, so its positions are not shown. A checkpoint moves no
        // card, and its step comes before those of the open round.
        if step.known.is_some() || matches!(step.what, What::Checkpoint { .. }) {
            return;
        }
        self.settle(step.n);
        if self.wanted.last().is_none_or(|last| step.n > *last) {
            return;
        }
        if let Some(facts) = self.found.get_mut(self.settled).filter(|facts| facts.n == step.n) {
            facts.watch(&step.what, &self.position);
        }
        // The last table of a round is shown with the round's score, not as the empty table after booking.
        // The last table of a round that broke off is unknown.
        let is_shown = self.position.as_ref().is_some_and(|(n, _)| *n == step.n);
        match step.what {
            What::RoundEnd { over: None, .. } => {}
            What::Booked { .. } if is_shown => {}
            _ => self.position = Some((step.n, Arc::new(step.table.clone()))),
        }
    }

    /// Gives the last known position to the found records before record `n`: no step follows for them.
    fn settle(&mut self, n: u64) {
        while let Some(facts) = self.found.get_mut(self.settled).filter(|facts| facts.n < n) {
            facts.position.clone_from(&self.position);
            self.settled += 1;
        }
    }

    fn finish(mut self) -> FoundRecords {
        self.settle(u64::MAX);
        let damage = self.damage.or_else(|| self.reader.finish().err());
        FoundRecords { found: self.found, damage, last: self.so_far.n }
    }
}

impl RecordPlace {
    /// Passes a record.
    pub fn pass(&mut self, n: u64, record: &Record) {
        self.n = Some(n);
        match record {
            Record::Register(register) => {
                self.round = Some(register.round);
                self.registered = Some(n);
            }
            Record::Action(_) => {
                self.seq += 1;
                self.moved = Some(n);
            }
            Record::RoundEnd(_) => self.moved = Some(n),
            _ => {}
        }
    }
}

impl RecordFacts {
    /// Returns the facts about the record at a place whose position is known without an audit: `position` is the last
    /// known one up to the record, with the number of the record that it follows.
    pub fn known(
        place: RecordPlace,
        record: Record,
        offset: u64,
        head: Head,
        position: Option<(u64, Arc<Table>)>,
    ) -> Self {
        Self { position, ..Self::new(place, (offset, head), record) }
    }

    fn new(place: RecordPlace, (offset, head): (u64, Head), record: Record) -> Self {
        Self {
            n: place.n.unwrap_or_default(),
            record,
            offset,
            head,
            place,
            position: None,
            before: None,
            events: None,
            refused: None,
            illegal: None,
            score: None,
            result: None,
        }
    }

    /// Takes a step of this record; `position` is the one before the step.
    fn watch(&mut self, what: &What<'_>, position: &Option<KnownPosition>) {
        if self.before.is_none() {
            self.before.clone_from(position);
        }
        match what {
            What::Acted(events) => self.events = Some(events.to_vec()),
            What::Illegal(rejection) => self.illegal = Some((*rejection).clone()),
            What::Refused { action, rejection } => {
                self.refused = Some(((*action).clone(), rejection.cloned()));
            }
            What::Booked { score, result } => (self.score, self.result) = (score.cloned(), *result),
            What::GameEnd(result) => self.result = Some(*result),
            _ => {}
        }
    }

    /// Returns the number of accepted actions up to the record.
    pub fn seq(&self) -> u64 {
        self.place.seq
    }

    /// Returns the number of the record's round.
    pub fn round(&self) -> Option<u32> {
        self.place.round
    }

    /// Returns the position after the record; after an action that was not carried out, the position in which
    /// it was tried. `None` if the position is unknown.
    pub fn after(&self) -> Option<Table> {
        let (n, state) = self.position.as_ref()?;
        let known = self.illegal.is_some() || self.place.moved.is_none_or(|moved| *n >= moved);
        known.then(|| self.prepared(*n, state, self.n))
    }

    /// Returns the position before an action. `None` if the position is unknown, and before the first deal.
    pub fn before(&self) -> Option<Table> {
        if self.illegal.is_some() || self.refused.is_some() {
            return self.after();
        }
        let (n, state) = self.before.as_ref()?;
        Some(self.prepared(*n, state, self.n.saturating_sub(1)))
    }

    /// Returns the position of record `n` with the round registered, if a register follows up to record
    /// `up_to`. A register moves no card, so the audit passes on no step for it.
    fn prepared(&self, n: u64, state: &Table, up_to: u64) -> Table {
        let mut state = state.clone();
        let registered =
            self.place.registered.is_some_and(|registered| registered > n && registered <= up_to);
        if registered && state.phase() == Phase::Setup {
            state.register(state.dealer());
        }
        state
    }

    /// Returns why the position is unknown.
    pub fn unknown(&self, report: &Report) -> Unknown {
        let stops = |kind| matches!(kind, FindingKind::RuleSet | FindingKind::NotJudged);
        let of_round = |round: Option<u16>| round.map(u32::from) == self.place.round;
        let illegal = |finding: &&canasta_engine::log::finding::Finding| {
            of_round(finding.round) && !finding.codes.is_empty() && finding.record < self.n
        };
        if report.findings.iter().any(|finding| finding.record == 0 && stops(finding.kind)) {
            Unknown::NotPlayed
        } else if report.findings.iter().any(|finding| illegal(&finding)) {
            Unknown::AfterIllegal
        } else if self.place.moved.is_none() {
            Unknown::NotDealt
        } else {
            Unknown::Hidden
        }
    }
}
