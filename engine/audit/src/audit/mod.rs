//! The audit: reads a log piece by piece and judges it with nothing but its own bytes.
//!
//! A round can be executed only once its secret is revealed, so its records wait for their round end;
//! memory is bounded by one round. Nothing is skipped silently: after an illegal action legality is not
//! judged for the rest of the round, and the next round goes on from the scores as declared.

use super::finding::{DealVerdict, Finding, FindingKind, Verdict};
use super::reader::{Frame, Reader};
use super::replay::Watch;
use super::salvage::Salvager;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::Head;
use canasta_log::error::LogError;
use canasta_log::frame::Chain;
use canasta_log::record::{Genesis, Record};
use canasta_rules::scoring::GameResult;
use canasta_rules::seat::{MAX_SEATS, Seat};
use core::sync::atomic::{AtomicBool, Ordering};
use game::Game;
pub use game::playable;

mod game;
mod live;
mod official;
mod round;
mod transcribed;

pub use transcribed::Unknown;

/// The most findings that are kept of one log.
const FINDINGS_MAX: usize = 256;
/// How many records are read, or executed, between two looks at whether the audit is still wanted.
const RECORDS_A_LOOK: usize = 256;
/// The size of the pieces in which a salvaging audit takes what it is fed.
const PIECE: usize = 1 << 16;

/// What the caller knows about the log from elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Expect {
    /// The game may still be going on.
    pub live: bool,
    /// The head that the log's last record must have.
    pub head: Option<Head>,
    /// A record that must be there, by its number, and its head.
    pub record: Option<(u64, Head)>,
    /// Go on behind a fault: all that is found there is marked as unproven.
    pub salvage: bool,
}

/// How often a player acted, and signed it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Signed {
    /// Actions of the player.
    pub actions: u64,
    /// Those that carry a signature.
    pub signed: u64,
}

/// What a salvaging audit read behind the first fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Salvaged {
    /// Records that were read there.
    pub records: u64,
    /// Bytes that hold no record.
    pub passed_over: u64,
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
    /// The actions of each player, by place in the genesis.
    pub signed: [Signed; MAX_SEATS],
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
    /// Head of the record that ended the game.
    pub end_head: Option<Head>,
    /// Whether the head was compared with an expected one.
    pub head_checked: bool,
    /// Everything found, in the order of the log; at most 256.
    pub findings: Vec<Finding>,
    /// How many more there were.
    pub left_off: u64,
    /// What follows from the findings.
    pub verdict: Verdict,
    /// What became of the deals.
    pub deal: DealVerdict,
    /// The round whose cards the log does not reveal yet: its play is not judged.
    pub open_round: Option<u16>,
    /// Rounds of a transcript of which not every card is known; at most 256.
    pub unknown: Vec<Unknown>,
    /// How many more of them there were.
    pub unknown_left_off: u32,
    /// What was read behind the first fault, where that was asked for and there is one.
    pub salvaged: Option<Salvaged>,
}

/// An audit under way.
pub struct Auditor {
    source: Source,
    expect: Expect,
    game: Option<Game>,
    /// The first record of a game that cannot be played.
    unplayable: Option<Genesis>,
    tally: Tally,
    head_seen_at: Option<u64>,
    record_seen: bool,
}

impl Report {
    /// Adds what is known from outside the log.
    pub fn find(&mut self, finding: Finding) {
        self.verdict = self.verdict.min(Verdict::of(finding.kind));
        self.findings.push(finding);
    }
}

/// Where frames come from.
enum Source {
    Strict(Reader),
    /// Behind a fault, with the good prefix before it.
    Salvage {
        prefix: (Chain, u64),
        salvager: Salvager,
    },
}

/// What is counted and found on the way.
#[derive(Default)]
struct Tally {
    actions: u64,
    signed_actions: u64,
    signed: [Signed; MAX_SEATS],
    refusals: u64,
    rulings: u64,
    remarks: u64,
    findings: Vec<Finding>,
    left_off: u64,
    unknown: Vec<Unknown>,
    unknown_left_off: u32,
    worst: Option<Verdict>,
    /// Set by a fault after which nothing can be understood.
    stopped: bool,
    /// Faults do not stop the audit.
    salvage: bool,
    /// Set by the first fault that would have.
    unproven: bool,
    /// Set from elsewhere once nobody waits for the outcome.
    cancelled: Option<Arc<AtomicBool>>,
}

impl Tally {
    fn find(&mut self, finding: Finding) {
        let verdict = Verdict::of(finding.kind);
        self.worst = Some(self.worst.map_or(verdict, |worst| worst.min(verdict)));
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(Finding { unproven: self.unproven, ..finding });
        } else {
            self.left_off += 1;
        }
    }

    fn unknown(&mut self, unknown: Unknown) {
        if self.unknown.len() < FINDINGS_MAX {
            self.unknown.push(unknown);
        } else {
            self.unknown_left_off += 1;
        }
    }

    /// Whether nobody waits for the outcome any more; then the audit stops. `at` counts records.
    fn is_given_up(&mut self, at: usize) -> bool {
        let is_cancelled = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        let given_up = at.is_multiple_of(RECORDS_A_LOOK) && self.cancelled.as_ref().is_some_and(is_cancelled);
        self.stopped |= given_up;
        given_up
    }

    /// Reports a fault after which the log cannot be understood as it stands.
    fn fault(&mut self, finding: Finding) {
        self.find(finding);
        self.stopped = !self.salvage;
        self.unproven = self.salvage;
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
        Finding::new(kind, self.record, self.offset, detail)
    }
}

impl Auditor {
    /// An audit at the beginning of a log.
    pub fn new(expect: Expect) -> Self {
        let tally = Tally { salvage: expect.salvage, ..Tally::default() };
        let source = Source::Strict(Reader::new());
        Self { source, expect, game: None, unplayable: None, tally, head_seen_at: None, record_seen: false }
    }

    /// The audit, to be given up once the flag is set: at the latest 256 records later. What it has found until then
    /// says nothing of the log.
    #[must_use]
    pub fn until(mut self, cancelled: Arc<AtomicBool>) -> Self {
        self.tally.cancelled = Some(cancelled);
        self
    }

    /// How many records have been read, their framing and chain being sound.
    pub fn records(&self) -> u64 {
        match &self.source {
            Source::Strict(reader) => reader.chain().next,
            Source::Salvage { salvager, .. } => salvager.records(),
        }
    }

    /// Takes the next piece of the log. `false` once nothing more can be learnt from it.
    pub fn feed(&mut self, piece: &[u8]) -> bool {
        self.feed_watched(piece, &mut |_| ())
    }

    /// As [`Auditor::feed`]; `watch` is told all that is executed on the way.
    pub fn feed_watched(&mut self, mut piece: &[u8], watch: &mut Watch<'_>) -> bool {
        while !self.tally.stopped {
            let Source::Strict(reader) = &mut self.source else { return self.feed_salvager(piece, watch) };
            match reader.next(&mut piece) {
                Ok(None) => return true,
                Ok(Some(frame)) => {
                    if Some(frame.head) == self.expect.head {
                        self.head_seen_at = Some(frame.n);
                    }
                    self.record_seen |= Some((frame.n, frame.head)) == self.expect.record;
                    if self.tally.is_given_up(frame.n as usize) {
                        return false;
                    }
                    take(&mut self.game, &mut self.unplayable, &mut self.tally, frame, watch);
                }
                Err(error) if self.expect.salvage => self.salvage(&error),
                Err(_) => self.tally.stopped = true, // `finish` gives the same error again
            }
        }
        false
    }

    /// Goes on behind the fault that the reader has met.
    fn salvage(&mut self, error: &LogError) {
        let Source::Strict(reader) = core::mem::replace(&mut self.source, Source::Strict(Reader::new()))
        else {
            return;
        };
        let prefix = (reader.chain(), reader.offset());
        self.source = Source::Salvage { prefix, salvager: Salvager::behind(reader) };
        self.tally.fault(Finding::of_error(error));
    }

    fn feed_salvager(&mut self, piece: &[u8], watch: &mut Watch<'_>) -> bool {
        for part in piece.chunks(PIECE) {
            if let Source::Salvage { salvager, .. } = &mut self.source {
                salvager.feed(part);
            }
            self.drain_salvager(false, watch);
        }
        true
    }

    fn drain_salvager(&mut self, is_all: bool, watch: &mut Watch<'_>) {
        let Source::Salvage { salvager, .. } = &mut self.source else { return };
        while let Some((frame, skipped)) = salvager.next(is_all) {
            if self.tally.is_given_up(frame.n as usize) {
                return;
            }
            if skipped > 0 {
                find_gap(&mut self.tally, frame.n, frame.offset - skipped, skipped);
                if let Some(game) = &mut self.game {
                    game.lose();
                }
            }
            take(&mut self.game, &mut self.unplayable, &mut self.tally, frame, watch);
        }
    }

    /// The outcome, once the whole log has been fed.
    pub fn finish(mut self) -> Report {
        self.drain_salvager(true, &mut |_| ());
        let Self { source, expect, mut game, unplayable, mut tally, head_seen_at, record_seen } = self;
        let (chain, offset, salvaged) = match source {
            Source::Strict(reader) => {
                let prefix = (reader.chain(), reader.offset());
                if let Err(error) = reader.finish() {
                    tally.find(Finding::of_error(&error));
                }
                (prefix.0, prefix.1, None)
            }
            Source::Salvage { prefix: (chain, offset), salvager, .. } => {
                let records = salvager.records() - chain.next;
                if let Some(left) = salvager.left() {
                    find_gap(&mut tally, salvager.records(), left.0, left.1);
                }
                (chain, offset, Some(Salvaged { records, passed_over: salvager.passed_over() }))
            }
        };
        let end = Place { record: chain.next, offset };
        let ended = game.as_ref().is_some_and(Game::has_ended);
        if let Some(game) = &mut game {
            game.check_open_round(&mut tally);
            if tally.salvage {
                game.check_adrift(end, &mut tally);
            }
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
                canasta_rules::hex::hex(&head)
            );
            tally.find(end.finding(FindingKind::Head, detail));
        }
        let end_head = game.as_ref().and_then(Game::end_head);
        let open_round = game.as_ref().and_then(Game::open_round);
        let seating = game.as_ref().map_or(Vec::new(), Game::seating);
        let (rounds, voided, conditional_from, totals, result) =
            game.as_ref().map_or((0, 0, None, Vec::new(), None), Game::summary);
        let failed = |f: &Finding| matches!(f.kind, FindingKind::Commitment | FindingKind::Deal);
        let deal = match &game {
            _ if tally.findings.iter().any(failed) => DealVerdict::Failed,
            Some(game) if !tally.stopped && !tally.unproven && game.is_dealt_as_committed() => {
                DealVerdict::AsCommitted
            }
            _ => DealVerdict::NotChecked,
        };
        let held = match (open_round, tally.rulings) {
            (Some(_), _) => Verdict::Conditional,
            _ if !tally.unknown.is_empty() => Verdict::Conditional,
            (None, 0) => Verdict::Clean,
            (None, _) => Verdict::Ruled,
        };
        Report {
            genesis: game.map(Game::into_genesis).or(unplayable),
            records: chain.next,
            bytes: offset,
            head: chain.head,
            actions: tally.actions,
            signed_actions: tally.signed_actions,
            signed: tally.signed,
            refusals: tally.refusals,
            rulings: tally.rulings,
            remarks: tally.remarks,
            rounds,
            voided,
            conditional_from,
            seating,
            totals,
            result,
            end_head,
            head_checked: expect.head.is_some(),
            verdict: tally.worst.map_or(held, |worst| worst.min(held)),
            findings: tally.findings,
            left_off: tally.left_off,
            deal,
            open_round,
            unknown: tally.unknown,
            unknown_left_off: tally.unknown_left_off,
            salvaged,
        }
    }
}

/// Audits a whole log that is in memory.
pub fn audit(log: &[u8], expect: Expect) -> Report {
    let mut auditor = Auditor::new(expect);
    auditor.feed(log);
    auditor.finish()
}

/// A number, or that there is none.
fn or_none(value: Option<impl core::fmt::Display>) -> String {
    value.map_or_else(|| String::from("none"), |value| alloc::format!("{value}"))
}

fn head_finding(expected: Option<Head>, found: Head, seen_at: Option<u64>, end: Place) -> Option<Finding> {
    let expected = expected.filter(|&expected| expected != found)?;
    let detail = match seen_at {
        Some(n) => alloc::format!("the expected head is that of record {n}: records follow it"),
        None => alloc::format!(
            "expected head {}, found {}: the log was cut or rewritten",
            canasta_rules::hex::hex(&expected),
            canasta_rules::hex::hex(&found)
        ),
    };
    Some(end.finding(FindingKind::Head, detail))
}

/// Bytes that hold no frame, and the record before which they stand.
fn find_gap(tally: &mut Tally, record: u64, offset: u64, bytes: u64) {
    let detail = alloc::format!(
        "{bytes} bytes hold no frame and are passed over: how many records are missing is not known"
    );
    tally.fault(Place { record, offset }.finding(FindingKind::Corrupt, detail));
}

fn take(
    game: &mut Option<Game>,
    unplayable: &mut Option<Genesis>,
    tally: &mut Tally,
    frame: Frame<'_>,
    watch: &mut Watch<'_>,
) {
    let place = Place { record: frame.n, offset: frame.offset };
    let record = match frame.record() {
        Ok(record) => record,
        Err(error) => {
            tally.fault(Finding::of_error(&error));
            if let Some(game) = game {
                game.lose();
            }
            return;
        }
    };
    match (game.as_mut(), record) {
        (None, _) if unplayable.is_some() => {}
        (None, Record::Genesis(genesis)) => match Game::open(*genesis, place, tally) {
            Ok(opened) => *game = Some(opened),
            Err(genesis) => *unplayable = Some(*genesis),
        },
        (None, _) if tally.unproven => {}
        (None, _) => {
            tally.fault(
                place.finding(FindingKind::Order, String::from("expected genesis as the first record")),
            );
        }
        (Some(game), record) => game.take(record, &frame, place, tally, watch),
    }
}
