//! The records of a log, each with what follows from it: `export` writes these facts, `import` compares them.

use crate::shared::paths::LIVE;
use canasta_engine::log::audit::Auditor;
use canasta_engine::log::outcome::{Collector, EndedRound, Outcome, Replay};
use canasta_engine::log::record::{EndReason, Reveal};
use canasta_engine::log::{LogError, Record};
use canasta_engine::table::Table;
use canasta_engine::text::interchange::Derived;
use std::sync::Arc;

/// A reader of a log, chunk by chunk. What follows from a record is known once its round is executed, which needs
/// the round's reveal. Records are therefore kept until their round ends.
pub struct Derivation {
    replay: Replay,
    waiting: Vec<Settled>,
    is_broken: bool,
}

/// A record about which no later record says more.
#[derive(Debug)]
pub struct Settled {
    /// The number of the record.
    pub n: u64,
    pub record: Arc<Record>,
    /// The facts that follow from the record; `None` if its round cannot be executed.
    pub derived: Option<Derived>,
}

impl Default for Derivation {
    fn default() -> Self {
        // Findings are ignored: export and import accept every log that can be read.
        let auditor = Auditor::new(LIVE);
        Self { replay: Replay::new(auditor, Collector::all()), waiting: Vec::new(), is_broken: false }
    }
}

impl Derivation {
    /// Takes the next chunk of the log and returns the records that are settled now.
    pub fn feed(&mut self, piece: &[u8]) -> Vec<Settled> {
        if self.is_broken {
            return Vec::new();
        }
        let waiting = &mut self.waiting;
        self.is_broken = !self.replay.feed(piece, &mut |outcome| waiting.push(Settled::of(outcome)));
        let ends_round = |of: &Settled| matches!(*of.record, Record::RoundEnd(_) | Record::GameEnd(_));
        let settled = self.waiting.iter().rposition(ends_round).map_or(0, |end| end + 1);
        settle(self.waiting.drain(..settled).collect())
    }

    /// Returns whether the rest of the log cannot be read.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Returns the remaining records, and the fault with which the log ends, if any.
    pub fn finish(mut self) -> (Vec<Settled>, Option<LogError>) {
        let end = self.replay.finish(&mut |outcome| self.waiting.push(Settled::of(outcome)));
        (settle(self.waiting), end.fault)
    }
}

/// Marks the records of executed rounds, also those from which nothing follows: the end of a round says whether
/// the records before it were executed.
fn settle(mut records: Vec<Settled>) -> Vec<Settled> {
    let mut executed = false;
    for Settled { record, derived, .. } in records.iter_mut().rev() {
        if matches!(**record, Record::RoundEnd(_) | Record::GameEnd(_) | Record::Register(_)) {
            executed = derived.is_some();
        }
        if executed {
            derived.get_or_insert_default();
        }
    }
    records
}

impl Settled {
    fn of(outcome: Outcome) -> Self {
        let derived = (outcome.is_judged && outcome.illegal.is_none()).then(|| derived(&outcome));
        Self { n: outcome.n(), derived, record: outcome.record }
    }
}

/// Returns what follows from a record that was judged.
fn derived(outcome: &Outcome) -> Derived {
    let after = outcome.after.as_ref().map(|after| &*after.table);
    let cumulative = |state: &Table| (0..).zip(state.scores().iter().copied()).collect();
    let is_end = outcome.is_booked || outcome.result.is_some();
    let of_round = outcome.ended.as_ref().map(of_round).unwrap_or_default();
    Derived {
        // Events would show cards that only stand for unknown cards.
        events: outcome.events.clone().filter(|_| !outcome.as_known),
        position: outcome.stood.as_deref().map(|position| String::from_utf8_lossy(position).into_owned()),
        attempt: outcome.refused.as_ref().map(|(action, _)| action.clone()),
        margin: outcome.result.filter(|_| !outcome.is_booked).map(|result| result.margin),
        cumulative: after.filter(|_| is_end).map(cumulative),
        ..of_round
    }
}

fn of_round(EndedRound { over, wall, table }: &EndedRound) -> Derived {
    let went_out = over.filter(|over| over.reason == EndReason::WentOut);
    Derived {
        seat: over.and_then(|over| over.seat),
        concealed: went_out.map(|over| over.concealed),
        // Round 0 has no dealer.
        dealer: (table.round_number() > 0).then(|| table.dealer()),
        wall: wall.clone(),
        start_scores: Some(table.scores().to_vec()),
        ..Derived::default()
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
