//! The auditor: it reads a log piece by piece and judges the log by nothing but its own bytes.
//!
//! A round can be executed only when its secret is revealed, so the records of a round are held until its round end;
//! memory is bounded by one round. Nothing is skipped silently. After an illegal action the legality of the rest of
//! the round is not judged, and the next round continues from the scores as declared.

use super::finding::{Finding, FindingKind};
use super::reader::{Frame, Reader};
use super::replay::{Place, Step, Watch};
use super::salvage::Salvager;
use alloc::string::String;
use alloc::sync::Arc;
use canasta_log::error::LogError;
use canasta_log::frame::Chain;
use canasta_log::record::{Record, Reveal};
use canasta_rules::action::Ruling;
use canasta_rules::nodes::Nodes;
use canasta_rules::rules::Rules;
use core::cell::Cell;
use game::GameAudit;

mod acted;
mod finish;
mod game;
mod held;
mod official;
mod open;
mod prepared;
mod report;
mod round;
mod salvaging;
mod transcribed;

pub use prepared::{PreparedRules, playable};
pub use report::{DealOrigins, Expect, Owed, Report, Salvaged, Signed};
pub use transcribed::Unknown;

/// Maximum number of findings that are kept per log.
const FINDINGS_MAX: usize = 256;
/// Work of reading a record, and of executing one, in units of a search node.
const RECORD_UNITS: u32 = 16;
/// Work between two questions to the caller of the audit, in units of a search node: about half a millisecond.
const WORK_A_LOOK: u32 = 4096;

/// A question to the caller of an audit: whether nobody waits for the outcome any longer.
pub type IsOver = Arc<dyn Fn() -> bool + Send + Sync>;

/// An audit in progress.
pub struct Auditor {
    source: FrameSource,
    expect: Expect,
    game: Option<GameAudit>,
    tally: Tally,
    head_seen_at: Option<u64>,
    record_seen: bool,
    /// The end of the good prefix, if a record in it stopped the audit: a watched audit reads on.
    stopped_at: Option<(Chain, u64)>,
}

/// The source of frames.
enum FrameSource {
    Strict(Reader),
    /// A salvager after a fault, with the good prefix before the fault.
    Salvage {
        prefix: (Chain, u64),
        salvager: Salvager,
    },
}

/// The report as far as the log has been read, and the state of the audit besides the game.
#[derive(Default)]
struct Tally {
    /// The counts and findings so far. What only the end of the log says is added there.
    report: Report,
    /// Set by a fault after which no record can be understood.
    stopped: bool,
    /// The first record that cannot be decoded.
    undecodable: Option<LogError>,
    /// Whether faults do not stop the audit.
    salvage: bool,
    /// Set by the first fault that would have stopped a strict audit.
    unproven: bool,
    /// Whether the caller watches records and executed actions: only then are all records decoded at once, and
    /// events made.
    tells_actions: bool,
    /// Asks the caller of the audit whether nobody waits for the outcome any longer.
    is_over: Option<IsOver>,
    /// Work since the caller was asked.
    work: Cell<u32>,
    /// Rule sets of earlier logs.
    prepared: PreparedRules,
}

impl Tally {
    fn find(&mut self, finding: Finding) {
        self.report.find(Finding { unproven: self.unproven, ..finding });
        if self.report.findings.len() > FINDINGS_MAX {
            self.report.findings.pop();
            self.report.left_off += 1;
        }
    }

    /// Counts a ruling, and keeps it without a position.
    fn ruled(&mut self, record: u64, ruling: &Ruling) {
        self.report.rulings += 1;
        if self.report.ruled.len() < FINDINGS_MAX {
            let mut kept = ruling.clone();
            kept.effect.position = None;
            self.report.ruled.push((record, kept));
        }
    }

    fn unknown(&mut self, unknown: Unknown) {
        if self.report.unknown.len() < FINDINGS_MAX {
            self.report.unknown.push(unknown);
        } else {
            self.report.unknown_left_off += 1;
        }
    }

    /// Counts work. Whether the audit is cancelled, which stops it: the caller is asked after [`WORK_A_LOOK`].
    fn is_given_up(&mut self, units: u32) -> bool {
        self.work.set(self.work.get().saturating_add(units));
        if self.work.get() < WORK_A_LOOK {
            return false;
        }
        self.work.set(0);
        let given_up = self.is_over.as_ref().is_some_and(|is_over| is_over());
        self.stopped |= given_up;
        given_up
    }

    /// Counts the work of judging a record.
    fn count(&self, nodes: &Nodes) {
        let units = if self.tells_actions { nodes.work() } else { nodes.spent() };
        self.work.set(self.work.get().saturating_add(units));
    }

    /// Returns the count for judging a record. Repairs of a refused action are looked for only if somebody watches.
    fn nodes(&self) -> Nodes {
        if self.tells_actions { Nodes::default() } else { Nodes::without_work() }
    }

    /// Decodes the record in a frame, and passes it to a caller that watches records. Reports a record that cannot be
    /// decoded, unless the audit has stopped.
    fn decode(&mut self, frame: &Frame<'_>, watch: &mut dyn Watch) -> Option<Arc<Record>> {
        match frame.record() {
            Ok(record) => {
                let record = Arc::new(record);
                if self.tells_actions && !self.unproven {
                    watch.read(frame.place(), &record);
                }
                Some(record)
            }
            Err(error) => {
                if !self.stopped {
                    self.fault(Finding::of_error(&error));
                }
                self.undecodable.get_or_insert(error);
                None
            }
        }
    }

    /// Reports a fault after which the log cannot be understood as it stands.
    fn fault(&mut self, finding: Finding) {
        self.find(finding);
        self.stopped = !self.salvage;
        self.unproven = self.salvage;
    }
}

impl Place {
    fn finding(self, kind: FindingKind, detail: impl Into<String>) -> Finding {
        Finding::new(kind, self.n, self.offset, detail)
    }
}

impl Auditor {
    /// Returns an audit at the beginning of a log.
    pub fn new(expect: Expect) -> Self {
        let tally = Tally { salvage: expect.salvage, ..Tally::default() };
        let source = FrameSource::Strict(Reader::new());
        Self { source, expect, game: None, tally, head_seen_at: None, record_seen: false, stopped_at: None }
    }

    /// Sets the question that is asked again and again during the audit, at the latest after 256 records and after the
    /// record whose work exceeds some milliseconds. The audit is cancelled once the answer is yes; the findings of a
    /// cancelled audit say nothing about the log.
    #[must_use]
    pub fn until(mut self, is_over: IsOver) -> Self {
        self.tally.is_over = Some(is_over);
        self
    }

    /// Sets the rule sets of earlier logs, which this audit need not prepare again. The outcome is the same.
    #[must_use]
    pub fn with_rules(mut self, prepared: PreparedRules) -> Self {
        self.tally.prepared = prepared;
        self
    }

    /// Returns the rules of the log's game, once genesis has been read; `None` also if they cannot be played.
    pub fn rules(&self) -> Option<&Arc<Rules>> {
        self.game.as_ref().map(GameAudit::rules)
    }

    /// Returns the number of records that have been read.
    pub fn records(&self) -> u64 {
        match &self.source {
            FrameSource::Strict(reader) => reader.chain().next,
            FrameSource::Salvage { salvager, .. } => salvager.records(),
        }
    }

    /// Reads the next piece of the log. Returns `false` if further pieces cannot change the outcome.
    pub fn feed(&mut self, piece: &[u8]) -> bool {
        self.feed_without_actions(piece, &mut |_: &Step<'_>| ())
    }

    /// Reads as [`Auditor::feed`] does; `watch` receives every step on the way, except [`What::Acted`], and no
    /// record. Nearly all steps are of that kind, and they cost time.
    ///
    /// [`What::Acted`]: super::replay::What::Acted
    pub fn feed_without_actions(&mut self, piece: &[u8], watch: &mut dyn Watch) -> bool {
        self.tally.tells_actions = false;
        self.feed_frames(piece, watch)
    }

    /// Reads as [`Auditor::feed`] does; `watch` receives every record, and every step that is executed on the way.
    pub fn feed_watched(&mut self, piece: &[u8], watch: &mut dyn Watch) -> bool {
        self.tally.tells_actions = true;
        self.feed_frames(piece, watch)
    }

    fn feed_frames(&mut self, mut piece: &[u8], watch: &mut dyn Watch) -> bool {
        while !self.tally.stopped || self.reads_on() {
            let FrameSource::Strict(reader) = &mut self.source else {
                return self.feed_salvager(piece, watch);
            };
            match reader.next(&mut piece) {
                Ok(None) => return !self.tally.stopped,
                Ok(Some(frame)) if self.tally.stopped => {
                    self.tally.decode(&frame, watch);
                }
                Ok(Some(frame)) => {
                    if Some(frame.head) == self.expect.head {
                        self.head_seen_at = Some(frame.n);
                    }
                    self.record_seen |= Some((frame.n, frame.head)) == self.expect.record;
                    if self.tally.is_given_up(RECORD_UNITS) {
                        return false;
                    }
                    take(&mut self.game, &mut self.tally, &frame, watch);
                    if self.tally.stopped {
                        self.stopped_at = Some((reader.chain(), reader.offset()));
                    }
                }
                // What another version means by its bytes is not known: nothing in them is damage.
                Err(error) if self.expect.salvage && !error.is_of_another_version() => self.salvage(&error),
                // `finish` gives the same error again.
                Err(_) => {
                    self.tally.stopped = true;
                    return false;
                }
            }
        }
        false
    }

    /// Whether a watcher gets the records behind one that stopped the audit.
    fn reads_on(&self) -> bool {
        self.tally.tells_actions && self.tally.undecodable.is_none()
    }

    /// Whether a fault ends the records of the log, whatever follows it.
    pub fn is_broken(&self) -> bool {
        let in_frames = match &self.source {
            FrameSource::Strict(reader) => reader.fault().is_some(),
            FrameSource::Salvage { .. } => false,
        };
        in_frames || self.tally.undecodable.is_some()
    }

    /// Returns the fault that ends the records of the log as fed so far: a fault in a frame, a record that cannot be
    /// decoded, or an end inside a frame. An audit that nobody watches need not find the second kind.
    pub fn fault(&self) -> Option<LogError> {
        let in_frames = || match &self.source {
            FrameSource::Strict(reader) => reader.finish().err(),
            FrameSource::Salvage { .. } => None,
        };
        self.tally.undecodable.clone().or_else(in_frames)
    }

    /// Executes the round that has not ended for `watch`, after the whole log has been fed: with `reveal`, which an
    /// official may know, as of any round; without it as far as its cards are public, with the knowledge of the cards in
    /// [`Step::known`]. Returns whether there is such a round, and `reveal` is that of it. The audit is not changed.
    ///
    /// [`Step::known`]: super::replay::Step::known
    pub fn follow_open_round(&mut self, reveal: Option<&Reveal>, watch: &mut dyn Watch) -> bool {
        self.drain_salvager(true, &mut |_: &Step<'_>| ());
        self.game.as_ref().is_some_and(|game| game.follow_open_round(reveal, watch))
    }
}

/// Audits a whole log that is in memory.
pub fn audit(log: &[u8], expect: Expect) -> Report {
    let mut auditor = Auditor::new(expect);
    auditor.feed(log);
    auditor.finish()
}

/// Returns the value as text, or "none".
fn or_none(value: Option<impl core::fmt::Display>) -> String {
    value.map_or_else(|| String::from("none"), |value| alloc::format!("{value}"))
}

fn take(game: &mut Option<GameAudit>, tally: &mut Tally, frame: &Frame<'_>, watch: &mut dyn Watch) {
    let place = frame.place();
    if !tally.tells_actions && game.as_mut().is_some_and(|game| game.take_frequent(frame, place, tally)) {
        return;
    }
    let Some(record) = tally.decode(frame, watch) else {
        if let Some(game) = game {
            game.lose();
        }
        return;
    };
    if let Some(game) = game {
        return game.take(record, frame, place, tally, watch);
    }
    match Arc::unwrap_or_clone(record) {
        // The first record of a game that cannot be played.
        _ if tally.report.genesis.is_some() => {}
        Record::Genesis(genesis) => match GameAudit::open(*genesis, place, tally) {
            Ok(opened) => *game = Some(opened),
            Err(genesis) => tally.report.genesis = Some(*genesis),
        },
        _ if tally.unproven => {}
        _ => {
            tally.fault(place.finding(FindingKind::Order, "expected genesis as the first record"));
        }
    }
}
