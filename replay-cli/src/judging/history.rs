//! A log that was read once: its records, their consequences, and the position at any of them.
//!
//! The audit executes the log a single time. Positions are kept at intervals; a position between two of them
//! is computed by playing the few actions from the earlier one again.

use crate::judging::as_known::TableAsKnown;
use crate::judging::record_context::{RecordAsked, RecordContext, RoundCourse, asked, no_game, replay};
use crate::judging::show::{happened, why_unknown};
use crate::shared::io::Io;
use crate::shared::paths;
use crate::shared::text::{PlayerNames, number, rules_of};
use anyhow::{Context, anyhow};
use canasta_engine::action::As;
use canasta_engine::apply::act;
use canasta_engine::log::Record;
use canasta_engine::log::audit::Report;
use canasta_engine::log::outcome::{Collector, Outcome, ReachedPosition, ReplayedLog};
use canasta_engine::log::record::Genesis;
use canasta_engine::rules::Rules;
use canasta_engine::table::Table;
use canasta_engine::view::EventView;
use canasta_engine::violations::template::Language;
use std::io::Read;
use std::path::Path;

/// Maximum number of records: the longest games have some thousands.
const RECORDS_MAX: usize = 200_000;
/// Maximum size of a log, in bytes.
const BYTES_MAX: u64 = 64 << 20;
/// Maximum number of positions that are kept.
const KEPT_MAX: usize = 20_000;
/// Maximum number of records between two positions that are kept.
const INTERVAL: u64 = 64;

/// A log and all that follows from it.
pub struct History {
    pub genesis: Genesis,
    pub rules: Rules,
    pub report: Report,
    pub entries: Vec<Outcome>,
    /// The place and the reason if reading stopped before the end of the file, or at a torn end.
    pub stop: Option<String>,
    /// The names in the genesis record.
    players: PlayerNames,
    kept: Vec<ReachedPosition>,
}

impl History {
    /// Reads and audits a log.
    ///
    /// # Errors
    /// If the log cannot be read, or holds no game that this version plays. A log that is damaged later is
    /// kept up to the damage.
    pub fn read(log: &Path, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let mut reading = HistoryReader::default();
        let collector = Collector::new(u64::MAX, |n| n <= RECORDS_MAX as u64);
        let source = paths::open(log, &mut io.input)?.take(2 * BYTES_MAX);
        let (end, _) = replay(log, source, None, collector, &mut |outcome| reading.take(outcome))?;
        reading.of(end, io.language).with_context(|| log.display().to_string())
    }

    /// Returns the number of the last record.
    pub fn last(&self) -> u64 {
        self.entries.len().saturating_sub(1) as u64
    }

    /// Returns a record and its consequences.
    pub fn entry(&self, n: u64) -> Option<&Outcome> {
        self.entries.get(usize::try_from(n).ok()?)
    }

    /// Returns the number of the last round.
    pub fn last_round(&self) -> u32 {
        self.entries.iter().filter_map(|entry| entry.part.round).max().unwrap_or_default()
    }

    /// Returns the position after record `n` and before the next record.
    pub fn after(&self, n: u64) -> Option<TableAsKnown> {
        let kept = &self.kept[self.kept.partition_point(|kept| kept.n <= n).checked_sub(1)?];
        let mut table = Table::clone(&kept.table);
        for m in kept.n + 1..=n {
            let Some((Record::Action(record), true)) =
                self.entry(m).map(|entry| (&*entry.record, entry.events.is_some()))
            else {
                continue;
            };
            act(&mut table, record.action.actor(record.actor), &record.action).ok()?;
        }
        Some(TableAsKnown { table, known: kept.known.clone() })
    }

    /// Returns the table that is shown at record `n`: the table after it, but at the end of a round the last
    /// table of that round with its score.
    pub fn shown(&self, n: u64) -> Option<TableAsKnown> {
        let books = self.entry(n).is_some_and(|entry| matches!(*entry.record, Record::RoundEnd(_)));
        match n.checked_sub(1).filter(|_| books).and_then(|before| self.after(before)) {
            Some(position) => Some(position),
            None => self.after(n),
        }
    }

    /// Returns the position before record `n`; `None` if it is unknown.
    pub fn before(&self, n: u64) -> Option<TableAsKnown> {
        let entry = self.entry(n).filter(|_| self.unknown_before(n).is_none())?;
        let unchanged = matches!(*entry.record, Record::Refusal(_)) || entry.illegal.is_some();
        if unchanged { self.after(n) } else { self.after(n.checked_sub(1)?) }
    }

    /// Returns the reason why [`History::shown`] does not return the table at record `n`; `None` if it does.
    pub fn unknown(&self, n: u64) -> Option<String> {
        self.moved(n).filter(|entry| !is_executed(entry)).map(|_| self.why_unknown(n))
    }

    /// Returns the reason why the position before record `n` is unknown; `None` if it is known.
    pub fn unknown_before(&self, n: u64) -> Option<String> {
        let moved = self.moved(n.checked_sub(1)?)?;
        (!is_executed(moved) || moved.illegal.is_some()).then(|| self.why_unknown(n))
    }

    fn why_unknown(&self, n: u64) -> String {
        why_unknown(&self.report, self.entry(n).and_then(|entry| entry.part.round), n, &self.players)
    }

    /// Returns the last record up to `n` that changed the cards, or claims that it did.
    fn moved(&self, n: u64) -> Option<&Outcome> {
        let moves = |entry: &&Outcome| matches!(*entry.record, Record::Action(_) | Record::RoundEnd(_));
        (0..=n).rev().filter_map(|n| self.entry(n)).find(moves)
    }

    /// Returns the names of the players as they sit in a position.
    pub fn names(&self, state: Option<&Table>) -> PlayerNames {
        state.map_or_else(|| self.players.clone(), |state| self.players.at_table(state))
    }

    /// Returns the course of the round before record `n`.
    pub fn course(&self, n: u64) -> RoundCourse {
        let before = &self.entries[..usize::try_from(n).map_or(0, |n| n.min(self.entries.len()))];
        let registers = |entry: &Outcome| matches!(*entry.record, Record::Register(_));
        let first = before.iter().rposition(registers).unwrap_or(0);
        let mut course = RoundCourse::default();
        for (n, entry) in (0..).zip(before).skip(first) {
            course.follow(n, entry.events.as_deref().unwrap_or_default());
        }
        course
    }

    /// Returns record `n` as `explain` and `what-if` judge it.
    ///
    /// # Errors
    /// If the record is neither an action nor a refusal, or cannot be judged.
    pub fn context(&self, n: u64) -> anyhow::Result<RecordContext> {
        let entry = self.entry(n).ok_or_else(|| anyhow!("there is no record {n}"))?;
        let (asked, before) = (asked(entry)?, self.before(n));
        Ok(RecordContext {
            genesis: self.genesis.clone(),
            rules: self.rules.clone(),
            names: self.names(before.as_ref().map(|position| &position.table)),
            before,
            asked: RecordAsked::Action(asked),
            course: self.course(n),
            at: n,
            last: self.last(),
            fault: None,
        })
    }
}

/// Returns the action of record `n` and its events, as `viewer` may know them, without the events that `is_left_out` names.
pub fn narration_by(
    history: &History,
    n: u64,
    viewer: As,
    names: &PlayerNames,
    is_left_out: fn(&EventView) -> bool,
) -> Vec<String> {
    let Some(entry) = history.entry(n) else { return Vec::new() };
    let lines = happened::lines(entry, &history.genesis, names, viewer, is_left_out);
    lines.iter().flat_map(|line| line.split('\n')).map(str::to_owned).collect()
}

/// Returns why a record was refused, or should have been; `None` for any other record.
pub fn refusal(entry: &Outcome) -> Option<String> {
    match (&*entry.record, &entry.illegal) {
        (Record::Refusal(refusal), _) => Some(format!("REFUSED {}", refusal.codes.join(" "))),
        (_, Some(rejection)) => Some(format!("ILLEGAL {}", rejection.code().name())),
        _ => None,
    }
}

/// Whether the audit reached the record, and executed it or found it illegal.
fn is_executed(entry: &Outcome) -> bool {
    moves(entry) || entry.illegal.is_some()
}

/// Whether the record led to another position.
fn moves(entry: &Outcome) -> bool {
    entry.events.is_some() || entry.is_booked || entry.result.is_some()
}

/// The state of reading a log.
#[derive(Default)]
struct HistoryReader {
    entries: Vec<Outcome>,
    kept: Vec<ReachedPosition>,
    stop: Option<String>,
}

impl HistoryReader {
    fn take(&mut self, outcome: Outcome) {
        let is_full = self.entries.len() == RECORDS_MAX || self.kept.len() >= KEPT_MAX;
        if self.stop.is_none() && (is_full || outcome.place.offset > BYTES_MAX) {
            let held = number(self.entries.len() as i64);
            self.stop = Some(format!("the log is too long to walk: the first {held} records are held"));
        }
        if self.stop.is_some() {
            return;
        }
        let n = outcome.n();
        // Only actions of seats can be played again: those of the table and the director depend on more than the position.
        let seats = match &*outcome.record {
            Record::Action(record) => record.actor.is_some() && record.action.actor(None) != As::Director,
            _ => false,
        };
        let near = self.kept.last().is_some_and(|last| n - last.n < INTERVAL);
        let shows = outcome.refused.is_some() || outcome.illegal.is_some();
        let plays = seats && near && !outcome.as_known;
        let is_kept = if moves(&outcome) { !plays } else { shows && self.is_first_of_register(n) };
        self.kept.extend(outcome.after.clone().filter(|_| is_kept));
        self.entries.push(Outcome { before: None, after: None, ..outcome });
    }

    /// Returns whether the record is the first with a position since a deal was registered.
    fn is_first_of_register(&self, n: u64) -> bool {
        let last = self.kept.last().map_or(0, |kept| kept.n);
        let since = self.entries.get(last as usize..n as usize).unwrap_or_default();
        let dealt = self.entries.get(last as usize).is_some_and(is_executed);
        !dealt || since.iter().any(|entry| matches!(*entry.record, Record::Register(_)))
    }

    fn of(self, end: ReplayedLog, language: Language) -> anyhow::Result<History> {
        let Self { entries, kept, stop } = self;
        let ReplayedLog { report, fault, .. } = end;
        let stop = stop.or_else(|| fault.map(|error| error.to_string()));
        let unplayed = || no_game(&report);
        let genesis = report.genesis.clone().filter(|_| !entries.is_empty()).ok_or_else(unplayed)?;
        let rules = rules_of(&genesis).ok_or_else(unplayed)?;
        let players = PlayerNames::of(&genesis).speaking(language);
        Ok(History { genesis, rules, report, entries, stop, players, kept })
    }
}
