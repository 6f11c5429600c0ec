//! The records of a log, each with what follows from it: `export` writes these facts, `import` compares them.

use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::record::{EndReason, Reveal};
use canasta_engine::log::replay::{Step, What};
use canasta_engine::log::{LogError, Reader, Record};
use canasta_engine::text::interchange::Derived;
use std::collections::{BTreeMap, VecDeque};

/// A reader of a log, chunk by chunk. What follows from a record is known once its round is executed, which needs
/// the round's reveal. Records are therefore kept until their round ends.
pub struct Derivation {
    reader: Reader,
    auditor: Auditor,
    waiting: VecDeque<(u64, Record)>,
    found: BTreeMap<u64, Derived>,
    error: Option<LogError>,
}

/// A record about which no later record says more.
#[derive(Debug)]
pub struct Settled {
    /// The number of the record.
    pub n: u64,
    /// The record.
    pub record: Record,
    /// The facts that follow from the record; `None` if its round cannot be executed.
    pub derived: Option<Derived>,
}

impl Default for Derivation {
    fn default() -> Self {
        Self::new()
    }
}

impl Derivation {
    /// Returns a derivation at the beginning of a log.
    pub fn new() -> Self {
        Self {
            reader: Reader::new(),
            auditor: Auditor::new(Expect { live: true, ..Expect::default() }),
            waiting: VecDeque::new(),
            found: BTreeMap::new(),
            error: None,
        }
    }

    /// Takes the next chunk of the log and returns the records that are settled now.
    pub fn feed(&mut self, mut piece: &[u8]) -> Vec<Settled> {
        if self.error.is_some() {
            return Vec::new();
        }
        let found = &mut self.found;
        // Findings are ignored: export and import accept every log that can be read.
        self.auditor.feed_watched(piece, &mut |step| note(found, step));
        let mut settled = 0;
        loop {
            match self
                .reader
                .next(&mut piece)
                .and_then(|frame| frame.map(|f| Ok((f.n, f.record()?))).transpose())
            {
                Ok(None) => break,
                Ok(Some((n, record))) => {
                    let ends_round = matches!(record, Record::RoundEnd(_) | Record::GameEnd(_));
                    self.waiting.push_back((n, record));
                    settled = if ends_round { self.waiting.len() } else { settled };
                }
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        self.settle(settled)
    }

    /// Returns whether the rest of the log cannot be read.
    pub fn is_broken(&self) -> bool {
        self.error.is_some()
    }

    /// Returns the remaining records, and the fault with which the log ends, if any.
    pub fn finish(mut self) -> (Vec<Settled>, Option<LogError>) {
        let rest = self.settle(self.waiting.len());
        let error = self.error.or_else(|| self.reader.finish().err());
        (rest, error)
    }

    fn settle(&mut self, count: usize) -> Vec<Settled> {
        let mut executed = false;
        let mut settled: Vec<Settled> = Vec::with_capacity(count);
        // Backwards: the end of a round says whether the records before it were executed.
        for (n, record) in self.waiting.drain(..count).rev() {
            let derived = self.found.remove(&n);
            if matches!(record, Record::RoundEnd(_) | Record::GameEnd(_) | Record::Register(_)) {
                executed = derived.is_some();
            }
            let derived = derived.or_else(|| executed.then(Derived::default));
            settled.push(Settled { n, record, derived });
        }
        settled.reverse();
        settled
    }
}

/// Stores what a step says about its record.
fn note(found: &mut BTreeMap<u64, Derived>, step: &Step<'_>) {
    let state = step.table;
    let cumulative = || (0..).zip(state.scores().iter().copied()).collect();
    match step.what {
        // Events would show cards that only stand for unknown cards.
        What::Acted(_) if step.known.is_some() => {
            found.entry(step.n).or_default();
        }
        What::Acted(events) => {
            found.entry(step.n).or_default().events = Some(events.to_vec());
        }
        What::Stood { position } => {
            found.entry(step.n).or_default().position = Some(String::from_utf8_lossy(position).into_owned());
        }
        What::Refused { action, .. } => {
            found.insert(step.n, Derived { attempt: Some(action.clone()), ..Derived::default() });
        }
        What::Illegal(_) => {}
        What::RoundEnd { over, wall } => {
            let derived = Derived {
                seat: over.and_then(|over| over.seat),
                concealed: over.filter(|over| over.reason == EndReason::WentOut).map(|over| over.concealed),
                // Round 0 has no dealer.
                dealer: (state.round_number() > 0).then(|| state.dealer()),
                wall: wall.map(<[_]>::to_vec),
                start_scores: Some(state.scores().to_vec()),
                ..Derived::default()
            };
            found.insert(step.n, derived);
        }
        What::Checkpoint { .. } => {}
        What::Booked { .. } => {
            found.entry(step.n).or_default().cumulative = Some(cumulative());
        }
        What::GameEnd(result) => {
            let derived =
                Derived { margin: Some(result.margin), cumulative: Some(cumulative()), ..Derived::default() };
            found.insert(step.n, derived);
        }
    }
}

/// Returns the derived facts that the text form keeps for a record: the wall of an explicit deal is stored in
/// the record itself.
pub fn in_form(record: &Record, mut derived: Derived) -> Derived {
    if let Record::RoundEnd(end) = record {
        if matches!(end.reveal, Reveal::Wall { .. }) {
            derived.wall = None;
        }
        if end.scores.is_empty() {
            derived.cumulative = None;
        }
    }
    derived
}
