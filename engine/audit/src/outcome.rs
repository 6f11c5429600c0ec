//! The records of a log, each with what it led to, from one reading of the log.

use super::audit::{Auditor, Report};
use super::replay::{Place, Step, Watch, What};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::error::LogError;
use canasta_log::record::{Record, Reveal};
use canasta_rules::action::Action;
use canasta_rules::card::Card;
use canasta_rules::event::Event;
use canasta_rules::known::Known;
use canasta_rules::rejection::Rejection;
use canasta_rules::scoring::{GameResult, RoundScore};
use canasta_rules::table::{RoundOver, Table};

/// Facts about the part of a log up to a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PassedRecords {
    /// Number of accepted actions.
    pub seq: u64,
    /// Number of the round.
    pub round: Option<u32>,
    /// Number of the last record that moved cards.
    pub moved: Option<u64>,
    /// Number of the record before it that moved cards.
    moved_earlier: Option<u64>,
    /// Number of the last register.
    pub registered: Option<u64>,
}

impl PassedRecords {
    /// Adds the next record, number `n`.
    pub fn pass(&mut self, n: u64, record: &Record) {
        if let Record::Register(register) = record {
            (self.round, self.registered) = (Some(register.round), Some(n));
        }
        self.seq += u64::from(matches!(record, Record::Action(_)));
        if matches!(record, Record::Action(_) | Record::RoundEnd(_)) {
            (self.moved_earlier, self.moved) = (self.moved, Some(n));
        }
    }

    /// Returns the number of the last record that moved cards before record `n`, which is the last of the part or the
    /// next.
    pub fn moved_before(&self, n: u64) -> Option<u64> {
        self.moved.filter(|&moved| moved < n).or(self.moved_earlier)
    }
}

/// A position that was reached.
#[derive(Clone)]
pub struct ReachedPosition {
    /// Number of the record that the position follows.
    pub n: u64,
    /// The table.
    pub table: Arc<Table>,
    /// The knowledge of the cards, if some of them only stand for unknown cards.
    pub known: Option<Known>,
    /// The last table of the round that the record ended, if every action of it was executed; `table` is that after
    /// the booking.
    pub last: Option<Arc<Table>>,
}

/// The end of a round, before it was booked.
#[derive(Clone)]
pub struct EndedRound {
    /// The end, if every action could be executed.
    pub over: Option<RoundOver>,
    /// The wall, if it is known.
    pub wall: Option<Vec<Card>>,
    /// The last table.
    pub table: Arc<Table>,
}

/// A record, and what it led to.
#[derive(Clone)]
pub struct Outcome {
    /// The place of the record.
    pub place: Place,
    /// The record.
    pub record: Arc<Record>,
    /// The part of the log up to the record, with it.
    pub part: PassedRecords,
    /// Whether the audit executed the record, or judged it.
    pub is_judged: bool,
    /// Whether some of the cards only stand for unknown cards.
    pub as_known: bool,
    /// The events of an action that was executed.
    pub events: Option<Vec<Event>>,
    /// The position that a ruling lets stand, in clear.
    pub stood: Option<Vec<u8>>,
    /// The action that was refused, unmasked, and the rejection; without a rejection it was legal.
    pub refused: Option<(Action, Option<Rejection>)>,
    /// The rejection of an action that was recorded as done against the rules.
    pub illegal: Option<Rejection>,
    /// The round that ended.
    pub ended: Option<EndedRound>,
    /// Whether a round was booked.
    pub is_booked: bool,
    /// The score of the round; `None` if it was booked by the scores as declared.
    pub score: Option<RoundScore>,
    /// The result of the game, if the record ended it.
    pub result: Option<GameResult>,
    /// The last position before a record that was judged.
    pub before: Option<ReachedPosition>,
    /// The last position up to the record. After an action that was not executed it is the position in which the action
    /// was tried.
    pub after: Option<ReachedPosition>,
}

impl Outcome {
    /// Returns the outcome of a record that led to nothing yet.
    pub fn new(place: Place, record: Arc<Record>, part: PassedRecords) -> Self {
        Self {
            place,
            record,
            part,
            is_judged: false,
            as_known: false,
            events: None,
            stood: None,
            refused: None,
            illegal: None,
            ended: None,
            is_booked: false,
            score: None,
            result: None,
            before: None,
            after: None,
        }
    }

    /// Returns the number of the record.
    pub fn n(&self) -> u64 {
        self.place.n
    }

    /// Returns the rejection of an action that was refused, or done against the rules.
    pub fn rejection(&self) -> Option<&Rejection> {
        self.illegal.as_ref().or(self.refused.as_ref().and_then(|(_, rejection)| rejection.as_ref()))
    }

    /// Adds a step of this record.
    fn add(&mut self, step: &Step<'_>, table: &Arc<Table>) {
        self.is_judged = true;
        self.as_known |= step.known.is_some();
        match step.what {
            What::Acted(events) => self.events = Some(events.to_vec()),
            What::Stood { position } => self.stood = Some(position.to_vec()),
            What::Illegal(rejection) => self.illegal = Some(rejection.clone()),
            What::Refused { action, rejection } => {
                self.refused = Some((action.clone(), rejection.cloned()));
            }
            What::RoundEnd { over, wall } => {
                let (wall, table) = (wall.map(<[Card]>::to_vec), Arc::clone(table));
                self.ended = Some(EndedRound { over, wall, table });
            }
            What::Booked { score, result } => {
                (self.is_booked, self.score, self.result) = (true, score.cloned(), result);
            }
            What::GameEnd(result) => self.result = Some(result),
            What::Checkpoint(_) => {}
        }
    }
}

/// A collector of the outcomes of records. Outcomes come in the order of the log: those of a round when its end has been
/// read. Memory is bounded by the wanted records of a round, and one other record.
pub struct Collector {
    until: u64,
    wanted: Box<dyn Fn(u64) -> bool + Send>,
    /// The records that wait for their steps.
    waiting: VecDeque<Outcome>,
    part: PassedRecords,
    last: Option<u64>,
    position: Option<ReachedPosition>,
    /// Whether the last record ends a round or the game: no step of it or of those before it comes later.
    is_at_end: bool,
}

impl Collector {
    /// Returns a collector at the beginning of a log. It passes on the outcomes of records up to number `until`: of
    /// those that are judged, of the `wanted` ones, and of the last. Only wanted ones and the last know their part of
    /// the log.
    pub fn new(until: u64, wanted: impl Fn(u64) -> bool + Send + 'static) -> Self {
        Self {
            until,
            wanted: Box::new(wanted),
            waiting: VecDeque::new(),
            part: PassedRecords::default(),
            last: None,
            position: None,
            is_at_end: false,
        }
    }

    /// Returns a collector of every record.
    pub fn all() -> Self {
        Self::new(u64::MAX, |_| true)
    }

    /// Returns a watcher of an audit; `take` gets the outcomes.
    pub fn watch<'c>(&'c mut self, take: &'c mut dyn FnMut(Outcome)) -> impl Watch + 'c {
        CollectingWatch { collector: self, take }
    }

    /// Passes on the outcomes of the records before record `n`, which get no further step.
    pub fn settle(&mut self, n: u64, take: &mut dyn FnMut(Outcome)) {
        while let Some(mut outcome) = self.waiting.pop_front_if(|outcome| outcome.n() < n) {
            if !outcome.is_judged {
                outcome.after.clone_from(&self.position);
            }
            take(outcome);
        }
    }

    fn read(&mut self, place: Place, record: &Arc<Record>, take: &mut dyn FnMut(Outcome)) {
        if core::mem::take(&mut self.is_at_end) {
            self.settle(place.n, take);
        }
        self.last = Some(place.n);
        if place.n > self.until {
            return;
        }
        // A record that nobody asks for waits only while it is the last.
        self.waiting.pop_back_if(|last| !last.is_judged && !(self.wanted)(last.n()));
        self.part.pass(place.n, record);
        self.waiting.push_back(Outcome::new(place, Arc::clone(record), self.part));
        self.is_at_end = matches!(**record, Record::RoundEnd(_) | Record::GameEnd(_));
    }

    fn step(&mut self, step: &Step<'_>, take: &mut dyn FnMut(Outcome)) {
        let n = step.place.n;
        // The step of a checkpoint comes before those of the open round, and moves no card.
        if n > self.until || matches!(step.what, What::Checkpoint(_)) {
            return;
        }
        self.settle(n, take);
        if self.waiting.front().is_none_or(|outcome| outcome.n() != n) {
            let unasked = Outcome::new(step.place, Arc::clone(step.record), PassedRecords::default());
            self.waiting.push_front(unasked);
        }
        let outcome = self.waiting.front_mut().expect("there is one now");
        if !outcome.is_judged {
            outcome.before.clone_from(&self.position);
        }
        let table = Arc::new(step.table.clone());
        outcome.add(step, &table);
        let ended = outcome.ended.as_ref().filter(|ended| ended.over.is_some());
        let is_end = matches!(step.what, What::RoundEnd { .. });
        if !is_end || ended.is_some() {
            let last = ended.map(|ended| Arc::clone(&ended.table));
            self.position = Some(ReachedPosition { n, table, known: step.known.cloned(), last });
        }
        outcome.after.clone_from(&self.position);
    }
}

/// A collector that watches, and the receiver of its outcomes.
struct CollectingWatch<'c> {
    collector: &'c mut Collector,
    take: &'c mut dyn FnMut(Outcome),
}

impl Watch for CollectingWatch<'_> {
    fn read(&mut self, place: Place, record: &Arc<Record>) {
        self.collector.read(place, record, self.take);
    }

    fn step(&mut self, step: &Step<'_>) {
        self.collector.step(step, self.take);
    }
}

/// An audit and the outcomes of its records.
pub struct Replay {
    /// The audit.
    pub auditor: Auditor,
    collector: Collector,
}

/// A log that was replayed to its end.
pub struct ReplayedLog {
    /// The report of the audit.
    pub report: Report,
    /// The fault that ends the records of the log.
    pub fault: Option<LogError>,
    /// Number of the last record.
    pub last: Option<u64>,
    /// The whole log, up to the last record that was to be read.
    pub part: PassedRecords,
}

impl Replay {
    /// Returns a replay at the beginning of a log.
    pub fn new(auditor: Auditor, collector: Collector) -> Self {
        Self { auditor, collector }
    }

    /// Reads the next piece of the log; `take` gets the outcomes. Returns `false` if no further record can be read.
    pub fn feed(&mut self, piece: &[u8], take: &mut dyn FnMut(Outcome)) -> bool {
        self.auditor.feed_watched(piece, &mut self.collector.watch(take));
        if self.collector.is_at_end {
            self.collector.settle(u64::MAX, take);
        }
        !self.auditor.is_broken()
    }

    /// Executes the round that has not ended, as [`Auditor::follow_open_round`] does.
    pub fn follow_open_round(&mut self, reveal: Option<&Reveal>, take: &mut dyn FnMut(Outcome)) -> bool {
        self.auditor.follow_open_round(reveal, &mut self.collector.watch(take))
    }

    /// Passes on the remaining outcomes after the whole log has been fed, and returns the end of the log.
    pub fn finish(mut self, take: &mut dyn FnMut(Outcome)) -> ReplayedLog {
        self.collector.settle(u64::MAX, take);
        let Collector { last, part, .. } = self.collector;
        let fault = self.auditor.fault();
        ReplayedLog { report: self.auditor.finish(), fault, last, part }
    }
}
