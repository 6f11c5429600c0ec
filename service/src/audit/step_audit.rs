//! An audit that keeps the facts of some records.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use canasta_engine::action::Action;
use canasta_engine::event::Event;
use canasta_engine::log::audit::{Auditor, Expect, Report};
use canasta_engine::log::error::LogError;
use canasta_engine::log::finding::FindingKind;
use canasta_engine::log::replay::{Step, What};
use canasta_engine::log::{Frame, Head, Reader, Record};
use canasta_engine::rejection::Rejection;
use canasta_engine::rules::ScoreUnit;
use canasta_engine::scoring::{GameResult, RoundScore};
use canasta_engine::table::{Phase, Table};
use canasta_proto::v1::Unknown;

use crate::convert::field::{Read, fault};
use crate::status::RequestFault;

/// An audit of a log, and the search for some of its records.
pub struct StepAudit {
    auditor: Auditor,
    sought: Option<RecordSearch>,
}

/// The facts that an audit keeps of the records that it seeks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StepDetail {
    /// Events, refusals and scores.
    Events,
    /// The same, and the positions before and after the records.
    Positions,
}

/// The search for records, with a reader of its own: the audit does not pass on what records hold. It is one pass for all
/// records, and the audit follows the reader by up to a round.
struct RecordSearch {
    reader: Reader,
    damage: Option<LogError>,
    kept: StepDetail,
    /// The facts of the sought records, by number.
    facts: Vec<RecordFacts>,
    /// The number of sought records that the reader has passed, and that the audit has passed.
    read: usize,
    audited: usize,
    /// The facts that go from one record to the next.
    place: RecordPlace,
    /// Number of the last record that could be read.
    last: Option<u64>,
    /// The last known position, and the number of the record that it follows.
    position: Option<(u64, Table)>,
}

/// The place of a record in the game.
#[derive(Clone, Copy, Default)]
pub struct RecordPlace {
    /// Number of accepted actions up to the record.
    pub seq: u64,
    /// Number of the record's round.
    pub round: Option<u32>,
    /// Numbers of the last record that moved cards and of the last register, up to the record.
    moved: Option<u64>,
    registered: Option<u64>,
}

/// The facts about one record.
#[derive(Default)]
pub struct RecordFacts {
    pub n: u64,
    pub place: RecordPlace,
    /// The record; `None` until it has been read.
    record: Option<FoundRecord>,
    /// The positions before and after the record, and the numbers of the records that they follow.
    before: Option<(u64, Table)>,
    position: Option<(u64, Table)>,
    pub events: Option<Vec<Event>>,
    /// The refused action, and the rejection; the rejection is `None` if the action was legal.
    pub refused: Option<(Action, Option<Rejection>)>,
    pub illegal: Option<Rejection>,
    pub score: Option<RoundScore>,
    /// Whether each seat has a score, not each side.
    pub by_seat: bool,
    pub result: Option<GameResult>,
    /// The totals with the result.
    pub totals: Vec<i32>,
}

/// A record with its place in the log.
pub struct FoundRecord {
    pub record: Record,
    pub offset: u64,
    pub head: Head,
}

/// The report on a log, and the sought records that it has.
pub struct FoundRecords {
    pub report: Report,
    /// Number of the log's last record.
    pub last: Option<u64>,
    facts: Vec<(RecordFacts, FoundRecord)>,
}

impl FoundRecords {
    /// Returns the sought records, by number.
    pub fn all(&self) -> &[(RecordFacts, FoundRecord)] {
        &self.facts
    }

    /// Returns a sought record; a fault of its number if the log ends before it.
    pub fn of(&self, n: u64) -> Read<&(RecordFacts, FoundRecord)> {
        let at = self.facts.binary_search_by_key(&n, |(facts, _)| facts.n);
        at.map(|at| &self.facts[at]).map_err(|_| {
            let known = self.last.map_or("there is none".into(), |last| format!("expected 0 to {last}"));
            fault(format!("{n}, {known}"))
        })
    }
}

impl StepAudit {
    /// Begins an audit.
    pub fn new(expect: Expect) -> Self {
        Self { auditor: Auditor::new(expect), sought: None }
    }

    /// Begins an audit of a log, whose game may be in progress, that keeps the facts of these records.
    pub fn of_records(records: BTreeSet<u64>, kept: StepDetail) -> Self {
        let facts = records.into_iter().map(|n| RecordFacts { n, ..RecordFacts::default() });
        let sought = RecordSearch {
            reader: Reader::new(),
            damage: None,
            kept,
            facts: facts.collect(),
            read: 0,
            audited: 0,
            place: RecordPlace::default(),
            last: None,
            position: None,
        };
        Self { sought: Some(sought), ..Self::new(Expect { live: true, ..Expect::default() }) }
    }

    pub fn until(self, cancelled: Arc<AtomicBool>) -> Self {
        Self { auditor: self.auditor.until(cancelled), ..self }
    }

    pub fn records(&self) -> u64 {
        self.auditor.records()
    }

    pub fn feed(&mut self, piece: &[u8]) {
        let Some(sought) = &mut self.sought else {
            self.auditor.feed(piece);
            return;
        };
        sought.read(piece);
        self.auditor.feed_watched(piece, &mut |step| sought.watch(step));
    }

    /// Finishes the audit and returns its report.
    pub fn report(self) -> Report {
        self.auditor.finish()
    }

    /// Finishes the audit and returns its report and the sought records.
    ///
    /// # Errors
    /// If the log is damaged before the last of them.
    pub fn find(self) -> Result<FoundRecords, RequestFault> {
        let mut sought = self.sought.ok_or(RequestFault::Internal)?;
        sought.audited_up_to(u64::MAX);
        let RecordSearch { reader, damage, facts, last, .. } = sought;
        let damage = damage.or_else(|| reader.finish().err());
        let is_whole = facts.last().is_none_or(|facts| facts.record.is_some());
        if let Some(LogError { record, offset, kind }) = damage.filter(|_| !is_whole) {
            return Err(RequestFault::LogCorrupt { record, offset, problem: kind.to_string() });
        }
        let facts = facts.into_iter().filter_map(|mut facts| {
            let record = facts.record.take()?;
            Some((facts, record))
        });
        Ok(FoundRecords { facts: facts.collect(), last, report: self.auditor.finish() })
    }
}

impl RecordSearch {
    fn read(&mut self, mut piece: &[u8]) {
        while self.damage.is_none() {
            match self.reader.next(&mut piece) {
                Ok(None) => return,
                Ok(Some(frame)) => {
                    let sought = self.facts.get_mut(self.read).filter(|facts| facts.n == frame.n);
                    match self.place.take(&frame, sought) {
                        Ok(is_sought) => self.read += usize::from(is_sought),
                        Err(error) => {
                            self.damage = Some(error);
                            return;
                        }
                    }
                    self.last = Some(frame.n);
                }
                Err(error) => self.damage = Some(error),
            }
        }
    }

    /// Notes a step of the audit.
    fn watch(&mut self, step: &Step<'_>) {
        // The cards of a transcript may stand for unknown cards, so its positions are not shown.
        if step.known.is_some() {
            return;
        }
        self.audited_up_to(step.n);
        let Some(facts) = self.facts.get_mut(self.audited) else { return };
        if facts.n == step.n {
            facts.watch(step);
            if facts.before.is_none() {
                facts.before = self.position.clone().filter(|(n, _)| *n < step.n);
            }
        }
        if self.kept == StepDetail::Events {
            return;
        }
        // The last table of a round is shown with the round's score, not as the empty table after booking.
        // The last table of a round that broke off is unknown.
        let is_shown = self.position.as_ref().is_some_and(|(n, _)| *n == step.n);
        match step.what {
            What::RoundEnd { over: None, .. } => {}
            What::Booked { .. } if is_shown => {}
            _ => self.position = Some((step.n, step.table.clone())),
        }
    }

    /// Gives the last position to the sought records before record `n`: no step follows about them.
    fn audited_up_to(&mut self, n: u64) {
        while let Some(facts) = self.facts.get_mut(self.audited).filter(|facts| facts.n < n) {
            facts.position.clone_from(&self.position);
            self.audited += 1;
        }
    }
}

impl RecordPlace {
    /// Goes on to the record of a frame. Returns whether the record is `sought`, which then has it.
    fn take(&mut self, frame: &Frame<'_>, sought: Option<&mut RecordFacts>) -> Result<bool, LogError> {
        let record = frame.record()?;
        match &record {
            Record::Register(register) => {
                self.round = Some(register.round);
                self.registered = Some(frame.n);
            }
            Record::Action(_) => {
                self.seq += 1;
                self.moved = Some(frame.n);
            }
            Record::RoundEnd(_) => self.moved = Some(frame.n),
            _ => {}
        }
        let Some(facts) = sought else { return Ok(false) };
        facts.record = Some(FoundRecord { record, offset: frame.offset, head: frame.head });
        facts.place = *self;
        Ok(true)
    }
}

impl RecordFacts {
    fn watch(&mut self, step: &Step<'_>) {
        match step.what {
            What::Acted(events) => self.events = Some(events.to_vec()),
            What::Illegal(rejection) => self.illegal = Some(rejection.clone()),
            What::Refused { action, rejection } => {
                self.refused = Some((action.clone(), rejection.cloned()));
            }
            What::Booked { score, result } => {
                (self.score, self.result) = (score.cloned(), result);
                self.by_seat = step.table.set().score_unit == ScoreUnit::Seat;
            }
            What::GameEnd(result) => self.result = Some(result),
            _ => {}
        }
        if self.result.is_some() {
            // These are the totals after the round that this record books.
            let booked =
                self.score.as_ref().map(|score| score.accounts.iter().map(|all| all.cumulative).collect());
            self.totals = booked.unwrap_or_else(|| step.table.scores().to_vec());
        }
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
