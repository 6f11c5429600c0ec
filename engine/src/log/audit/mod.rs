//! The audit: reads a log piece by piece and judges it with nothing but its own bytes.
//!
//! A round can be executed only once its secret is revealed, so its records wait for their round end;
//! memory is bounded by one round. Nothing is skipped silently: after an illegal action legality is not
//! judged for the rest of the round, and the next round goes on from the scores as declared.

use super::error::LogError;
use super::finding::{Finding, FindingKind, Verdict};
use super::reader::{Frame, Reader};
use super::record::{Genesis, Record};
use super::replay::Watch;
use super::{Head, frame};
use crate::scoring::GameResult;
use crate::seat::Seat;
use alloc::string::String;
use alloc::vec::Vec;
use game::Game;
pub(crate) use game::playable;

mod game;
mod live;
mod official;
mod round;

/// The most findings that are kept of one log.
const FINDINGS_MAX: usize = 256;

/// What the caller knows about the log from elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Expect {
    /// The game may still be going on.
    pub live: bool,
    /// The head that the log's last record must have.
    pub head: Option<Head>,
    /// A record that must be there, by its number, and its head.
    pub record: Option<(u64, Head)>,
}

/// The outcome of an audit.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The first record, if it could be read.
    pub genesis: Option<Genesis>,
    /// Records whose framing and chain hold.
    pub records: u64,
    /// Bytes of that good prefix.
    pub bytes: u64,
    /// Head of its last record.
    pub head: Head,
    /// Accepted actions.
    pub actions: u64,
    /// Actions that carry a seat's signature.
    pub signed_actions: u64,
    /// Recorded refusals.
    pub refusals: u64,
    /// Rulings, those of the rules themselves not counted.
    pub rulings: u64,
    /// Notes and checkpoints.
    pub remarks: u64,
    /// Rounds that ended, voided deals not counted.
    pub rounds: u32,
    /// Voided deals.
    pub voided: u32,
    /// Rounds from which on legality is judged from scores as declared.
    pub conditional_from: Option<u32>,
    /// The player on each seat, by place in the genesis.
    pub seating: Vec<Seat>,
    /// Totals by side (or seat) at the end.
    pub totals: Vec<i64>,
    /// The result, where the game has ended.
    pub result: Option<GameResult>,
    /// Whether the head was compared with an expected one.
    pub head_checked: bool,
    /// Everything found, in the order of the log; at most 256.
    pub findings: Vec<Finding>,
    /// What follows from the findings.
    pub verdict: Verdict,
}

/// An audit under way.
pub struct Auditor {
    reader: Reader,
    expect: Expect,
    game: Option<Game>,
    tally: Tally,
    head_seen_at: Option<u64>,
    record_seen: bool,
}

/// What is counted and found on the way.
#[derive(Default)]
struct Tally {
    actions: u64,
    signed_actions: u64,
    refusals: u64,
    rulings: u64,
    remarks: u64,
    findings: Vec<Finding>,
    /// Set by a fault after which nothing can be understood.
    stopped: bool,
}

impl Tally {
    fn find(&mut self, finding: Finding) {
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(finding);
        }
    }
}

/// The place of a record, for findings.
#[derive(Clone, Copy, Debug)]
struct Place {
    record: u64,
    offset: u64,
}

impl Place {
    fn finding(self, kind: FindingKind, detail: String) -> Finding {
        let Self { record, offset } = self;
        Finding { kind, record, offset, round: None, seat: None, codes: Vec::new(), detail }
    }
}

impl Auditor {
    /// An audit at the beginning of a log.
    pub fn new(expect: Expect) -> Self {
        let (reader, tally) = (Reader::new(), Tally::default());
        Self { reader, expect, game: None, tally, head_seen_at: None, record_seen: false }
    }

    /// Takes the next piece of the log. `false` once nothing more can be learnt from it.
    pub fn feed(&mut self, piece: &[u8]) -> bool {
        self.feed_watched(piece, &mut |_| ())
    }

    /// As [`Auditor::feed`]; `watch` is told all that is executed on the way.
    pub fn feed_watched(&mut self, mut piece: &[u8], watch: &mut Watch<'_>) -> bool {
        while !self.tally.stopped {
            match self.reader.next(&mut piece) {
                Ok(None) => return true,
                Ok(Some(frame)) => {
                    if Some(frame.head) == self.expect.head {
                        self.head_seen_at = Some(frame.n);
                    }
                    self.record_seen |= Some((frame.n, frame.head)) == self.expect.record;
                    take(&mut self.game, &mut self.tally, frame, watch);
                }
                Err(_) => self.tally.stopped = true, // `finish` gives the same error again
            }
        }
        false
    }

    /// The outcome, once the whole log has been fed.
    pub fn finish(self) -> Report {
        let Self { reader, expect, game, mut tally, head_seen_at, record_seen } = self;
        let (chain, offset) = (reader.chain(), reader.offset());
        let end = Place { record: chain.next, offset };
        if let Err(error) = reader.finish() {
            tally.find(Finding::of_error(&error));
        }
        let ended = game.as_ref().is_some_and(Game::has_ended);
        if let Some(game) = &game {
            game.check_open_round(&mut tally);
        }
        if !ended && !expect.live && tally.findings.is_empty() {
            tally.find(
                end.finding(
                    FindingKind::Incomplete,
                    String::from("the log stops before the end of the game"),
                ),
            );
        }
        if let Some(finding) = head_finding(expect.head, chain.head, head_seen_at, end) {
            tally.find(finding);
        }
        if let Some((n, head)) = expect.record.filter(|_| !record_seen) {
            let detail = alloc::format!(
                "expected record {n} with head {}: the log was cut before it or rewritten",
                frame::hex(&head)
            );
            tally.find(end.finding(FindingKind::Head, detail));
        }
        let verdict = Verdict::of(&tally.findings, tally.rulings > 0);
        let seating = game.as_ref().map_or(Vec::new(), Game::seating);
        let (rounds, voided, conditional_from, totals, result) =
            game.as_ref().map_or((0, 0, None, Vec::new(), None), Game::summary);
        Report {
            genesis: game.map(Game::into_genesis),
            records: chain.next,
            bytes: offset,
            head: chain.head,
            actions: tally.actions,
            signed_actions: tally.signed_actions,
            refusals: tally.refusals,
            rulings: tally.rulings,
            remarks: tally.remarks,
            rounds,
            voided,
            conditional_from,
            seating,
            totals,
            result,
            head_checked: expect.head.is_some(),
            findings: tally.findings,
            verdict,
        }
    }
}

/// Audits a whole log that is in memory.
pub fn audit(log: &[u8], expect: Expect) -> Report {
    let mut auditor = Auditor::new(expect);
    auditor.feed(log);
    auditor.finish()
}

fn head_finding(expected: Option<Head>, found: Head, seen_at: Option<u64>, end: Place) -> Option<Finding> {
    let expected = expected.filter(|&expected| expected != found)?;
    let detail = match seen_at {
        Some(n) => alloc::format!("the expected head is that of record {n}: records follow it"),
        None => alloc::format!(
            "expected head {}, found {}: the log was cut or rewritten",
            frame::hex(&expected),
            frame::hex(&found)
        ),
    };
    Some(end.finding(FindingKind::Head, detail))
}

fn take(game: &mut Option<Game>, tally: &mut Tally, frame: Frame<'_>, watch: &mut Watch<'_>) {
    let place = Place { record: frame.n, offset: frame.offset };
    let record = match frame.record() {
        Ok(record) => record,
        Err(error) => return stop(tally, &error),
    };
    match (game.as_mut(), record) {
        (None, Record::Genesis(genesis)) => *game = Game::open(*genesis, place, tally),
        (None, _) => {
            tally.find(
                place.finding(FindingKind::Order, String::from("expected genesis as the first record")),
            );
            tally.stopped = true;
        }
        (Some(game), record) => game.take(record, &frame, place, tally, watch),
    }
}

fn stop(tally: &mut Tally, error: &LogError) {
    tally.find(Finding::of_error(error));
    tally.stopped = true;
}
