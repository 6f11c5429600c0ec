//! An audit that keeps the facts of one record.

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
use canasta_engine::scoring::{GameResult, RoundScore};
use canasta_engine::table::{Phase, Table};
use canasta_proto::v1::Unknown;

use crate::convert::field::{fault, within};
use crate::status::RequestFault;

/// An audit of a log, and the search for one of its records.
pub struct StepAudit {
    auditor: Auditor,
    sought: Option<RecordSearch>,
}

/// The search for one record, with a reader of its own: the audit does not pass on what records hold.
struct RecordSearch {
    reader: Reader,
    damage: Option<LogError>,
    facts: RecordFacts,
}

/// The facts about one record.
#[derive(Default)]
pub struct RecordFacts {
    pub n: u64,
    /// The record; `None` until it has been read.
    pub record: Option<FoundRecord>,
    /// Number of the last record that could be read.
    last: Option<u64>,
    /// Number of accepted actions up to the record.
    pub seq: u64,
    /// Number of the record's round.
    pub round: Option<u32>,
    /// Numbers of the last record that moved cards and of the last register, up to the record.
    moved: Option<u64>,
    registered: Option<u64>,
    /// The last known position, and the number of the record that it follows.
    position: Option<(u64, Table)>,
    /// The position before the record, and the number of the record that it follows.
    before: Option<(u64, Table)>,
    pub events: Option<Vec<Event>>,
    /// The refused action, and the rejection; the rejection is `None` if the action was legal.
    pub refused: Option<(Action, Option<Rejection>)>,
    pub illegal: Option<Rejection>,
    pub score: Option<RoundScore>,
    pub result: Option<GameResult>,
}

/// A record with its place in the log.
pub struct FoundRecord {
    pub record: Record,
    pub offset: u64,
    pub head: Head,
}

impl StepAudit {
    /// Begins an audit. If `n` is set, the facts of record `n` are kept.
    pub fn new(expect: Expect, n: Option<u64>) -> Self {
        let sought = |n| RecordSearch {
            reader: Reader::new(),
            damage: None,
            facts: RecordFacts { n, ..RecordFacts::default() },
        };
        Self { auditor: Auditor::new(expect), sought: n.map(sought) }
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
        self.auditor.feed_watched(piece, &mut |step| sought.facts.watch(step));
    }

    /// Finishes the audit and returns its report.
    pub fn report(self) -> Report {
        self.auditor.finish()
    }

    /// Finishes the audit and returns its report and the facts of the sought record.
    pub fn find(self) -> Result<(Report, RecordFacts, FoundRecord), RequestFault> {
        let RecordSearch { reader, damage, mut facts } = self.sought.ok_or(RequestFault::Internal)?;
        let damage = damage.or_else(|| reader.finish().err());
        let found = match (facts.record.take(), damage) {
            (Some(found), _) => found,
            (None, Some(LogError { record, offset, kind })) => {
                return Err(RequestFault::LogCorrupt { record, offset, problem: kind.to_string() });
            }
            (None, None) => {
                let last = facts.last.map_or("there is none".into(), |last| format!("expected 0 to {last}"));
                return Err(within("question")(within("n")(fault(format!("{}, {last}", facts.n)))).into());
            }
        };
        Ok((self.auditor.finish(), facts, found))
    }
}

impl RecordSearch {
    fn read(&mut self, mut piece: &[u8]) {
        while self.damage.is_none() {
            match self.reader.next(&mut piece) {
                Ok(None) => return,
                Ok(Some(frame)) => self.damage = self.facts.take(&frame).err(),
                Err(error) => self.damage = Some(error),
            }
        }
    }
}

impl RecordFacts {
    fn take(&mut self, frame: &Frame<'_>) -> Result<(), LogError> {
        let record = frame.record()?;
        self.last = Some(frame.n);
        if frame.n > self.n {
            return Ok(());
        }
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
        if frame.n == self.n {
            self.record = Some(FoundRecord { record, offset: frame.offset, head: frame.head });
        }
        Ok(())
    }

    fn watch(&mut self, step: &Step<'_>) {
        // The cards of a transcript may stand for unknown cards, so its positions are not shown.
        if step.n > self.n || step.known.is_some() {
            return;
        }
        let here = step.n == self.n;
        match step.what {
            What::Acted(events) if here => self.events = Some(events.to_vec()),
            What::Illegal(rejection) if here => self.illegal = Some(rejection.clone()),
            What::Refused { action, rejection } if here => {
                self.refused = Some((action.clone(), rejection.cloned()));
            }
            What::Booked { score, result } if here => {
                (self.score, self.result) = (score.cloned(), result);
            }
            What::GameEnd(result) if here => self.result = Some(result),
            _ => {}
        }
        if here && self.before.is_none() {
            self.before = self.position.take();
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

    /// Returns the position after the record; after an action that was not carried out, the position in which
    /// it was tried. `None` if the position is unknown.
    pub fn after(&self) -> Option<Table> {
        let (n, state) = self.position.as_ref()?;
        let known = self.illegal.is_some() || self.moved.is_none_or(|moved| *n >= moved);
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
        let registered = self.registered.is_some_and(|registered| registered > n && registered <= up_to);
        if registered && state.phase() == Phase::Setup {
            state.register(state.dealer());
        }
        state
    }

    /// Returns why the position is unknown.
    pub fn unknown(&self, report: &Report) -> Unknown {
        let stops = |kind| matches!(kind, FindingKind::RuleSet | FindingKind::NotJudged);
        let of_round = |round: Option<u16>| round.map(u32::from) == self.round;
        let illegal = |finding: &&canasta_engine::log::finding::Finding| {
            of_round(finding.round) && !finding.codes.is_empty() && finding.record < self.n
        };
        if report.findings.iter().any(|finding| finding.record == 0 && stops(finding.kind)) {
            Unknown::NotPlayed
        } else if report.findings.iter().any(|finding| illegal(&finding)) {
            Unknown::AfterIllegal
        } else if self.moved.is_none() {
            Unknown::NotDealt
        } else {
            Unknown::Hidden
        }
    }
}
