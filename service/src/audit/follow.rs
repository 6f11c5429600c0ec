//! An audit under way, and what it shows of one record.

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
use canasta_engine::state::{Phase, State};
use canasta_proto::v1::Unknown;

use crate::convert::field::{fault, within};
use crate::status::Fault;

/// Reads a log and judges it.
pub struct Follower {
    auditor: Auditor,
    sought: Option<Sought>,
}

/// One record, and the reader that finds it: the audit does not say what records hold.
struct Sought {
    reader: Reader,
    damage: Option<LogError>,
    moment: Moment,
}

/// What is known about one record.
#[derive(Default)]
pub struct Moment {
    pub n: u64,
    /// The record, once it has been read.
    pub record: Option<Found>,
    /// Number of the last record that could be read.
    last: Option<u64>,
    /// Number of the last accepted action up to it.
    pub seq: u64,
    /// Its round.
    pub round: Option<u32>,
    /// Number of the last record up to it that moved cards, and of the last register.
    moved: Option<u64>,
    registered: Option<u64>,
    /// The position, and the record after which it holds.
    position: Option<(u64, State)>,
    /// The position before the record.
    before: Option<(u64, State)>,
    pub events: Option<Vec<Event>>,
    /// What was tried, and why it is refused; `None` if it was legal.
    pub refused: Option<(Action, Option<Rejection>)>,
    pub illegal: Option<Rejection>,
    pub score: Option<RoundScore>,
    pub result: Option<GameResult>,
}

/// A record and its place.
pub struct Found {
    pub record: Record,
    pub offset: u64,
    pub head: Head,
}

impl Follower {
    /// An audit; of the record with this number all is kept.
    pub fn new(expect: Expect, n: Option<u64>) -> Self {
        let sought =
            |n| Sought { reader: Reader::new(), damage: None, moment: Moment { n, ..Moment::default() } };
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
        self.auditor.feed_watched(piece, &mut |step| sought.moment.watch(step));
    }

    /// The report alone.
    pub fn report(self) -> Report {
        self.auditor.finish()
    }

    /// The report, and what is known about the record sought.
    pub fn find(self) -> Result<(Report, Moment, Found), Fault> {
        let Sought { reader, damage, mut moment } = self.sought.ok_or(Fault::Internal)?;
        let damage = damage.or_else(|| reader.finish().err());
        let found = match (moment.record.take(), damage) {
            (Some(found), _) => found,
            (None, Some(LogError { record, offset, kind })) => {
                return Err(Fault::LogCorrupt { record, offset, problem: kind.to_string() });
            }
            (None, None) => {
                let last = moment.last.map_or("there is none".into(), |last| format!("expected 0 to {last}"));
                return Err(within("question")(within("n")(fault(format!("{}, {last}", moment.n)))).into());
            }
        };
        Ok((self.auditor.finish(), moment, found))
    }
}

impl Sought {
    fn read(&mut self, mut piece: &[u8]) {
        while self.damage.is_none() {
            match self.reader.next(&mut piece) {
                Ok(None) => return,
                Ok(Some(frame)) => self.damage = self.moment.take(&frame).err(),
                Err(error) => self.damage = Some(error),
            }
        }
    }
}

impl Moment {
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
            self.record = Some(Found { record, offset: frame.offset, head: frame.head });
        }
        Ok(())
    }

    fn watch(&mut self, step: &Step<'_>) {
        // A transcript's cards may only stand for unknown ones: nothing is said of them here.
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
        // The last table of a round is shown with its score, not the empty one after booking. Of a round that broke
        // off nobody knows the last table.
        let is_shown = self.position.as_ref().is_some_and(|(n, _)| *n == step.n);
        match step.what {
            What::RoundEnd { over: None, .. } => {}
            What::Booked { .. } if is_shown => {}
            _ => self.position = Some((step.n, step.state.clone())),
        }
    }

    /// The position after the record; of an action that was not carried out, the one at which it was tried.
    pub fn after(&self) -> Option<State> {
        let (n, state) = self.position.as_ref()?;
        let known = self.illegal.is_some() || self.moved.is_none_or(|moved| *n >= moved);
        known.then(|| self.prepared(*n, state, self.n))
    }

    /// The position before an action; `None` before the first deal too.
    pub fn before(&self) -> Option<State> {
        if self.illegal.is_some() || self.refused.is_some() {
            return self.after();
        }
        let (n, state) = self.before.as_ref()?;
        Some(self.prepared(*n, state, self.n.saturating_sub(1)))
    }

    /// A register changes no card, so no step tells of it.
    fn prepared(&self, n: u64, state: &State, up_to: u64) -> State {
        let mut state = state.clone();
        let registered = self.registered.is_some_and(|registered| registered > n && registered <= up_to);
        if registered && state.phase() == Phase::Setup {
            state.register();
        }
        state
    }

    /// Why the position is not known, where it is not.
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
