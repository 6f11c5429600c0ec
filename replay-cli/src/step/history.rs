//! A log that was read once: its records, their consequences, and the position at any of them.
//!
//! The audit executes the log a single time. Positions are kept at intervals; a position between two of them
//! is computed by playing the few actions from the earlier one again.

use crate::io::Io;
use crate::paths;
use crate::record_context::{RecordAsked, RecordContext, RecordVerdict, RoundCourse, acting, asked, no_game};
use crate::show::{RecordOutcome, why_unknown};
use crate::text::{PlayerNames, melds_of, number, rules_of};
use anyhow::{Context, anyhow};
use canasta_engine::action::As;
use canasta_engine::apply::act;
use canasta_engine::event::Event;
use canasta_engine::known::Known;
use canasta_engine::log::audit::{Auditor, Expect, Report};
use canasta_engine::log::record::Genesis;
use canasta_engine::log::replay::{Step, What};
use canasta_engine::log::{LogError, Reader, Record};
use canasta_engine::rules::Rules;
use canasta_engine::table::Table;
use std::path::Path;

/// Maximum number of records: the longest games have some thousands.
const RECORDS_MAX: usize = 200_000;
/// Maximum size of a log, in bytes.
const BYTES_MAX: u64 = 64 << 20;
/// Maximum number of positions that are kept.
const KEPT_MAX: usize = 20_000;
/// Maximum number of records between two positions that are kept.
const INTERVAL: u64 = 64;

/// The reason why nothing that is typed is judged in a position with unknown cards.
pub const UNKNOWN_CARDS: &str =
    "some cards of this round are not known here: canasta-replay what-if judges with unknown cards";

/// A log and all that follows from it.
pub struct History {
    pub genesis: Genesis,
    pub rules: Rules,
    pub report: Report,
    pub entries: Vec<HistoryEntry>,
    /// The place and the reason if reading stopped before the end of the file, or at a torn end.
    pub stop: Option<String>,
    /// The names in the genesis record.
    players: PlayerNames,
    kept: Vec<KeptPosition>,
}

/// A record and its consequences.
pub struct HistoryEntry {
    pub record: Record,
    /// Byte of the file at which the record begins.
    pub offset: u64,
    pub told: RecordOutcome,
    /// The round to which the record belongs.
    pub round: Option<u32>,
    /// Whether the audit reached the record, and executed or refused it.
    executed: bool,
    /// Whether the record is an action that leads from the position before to the position after it.
    plays: bool,
}

/// A position that is kept; it holds after record `n`.
struct KeptPosition {
    n: u64,
    state: Table,
    known: Option<Known>,
}

/// The table at a record.
pub struct TablePosition {
    pub state: Table,
    /// The known cards of a transcript; other cards only stand for unknown cards.
    pub known: Option<Known>,
}

impl History {
    /// Reads and audits a log.
    ///
    /// # Errors
    /// If the log cannot be read, or holds no game that this version plays. A log that is damaged later is
    /// kept up to the damage.
    pub fn read(log: &Path, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let name = log.display().to_string();
        let mut reading = HistoryReader::default();
        let mut auditor = Auditor::new(Expect { live: true, ..Expect::default() });
        let source = paths::open(log, io)?;
        paths::feed(source, |piece| {
            reading.take(piece);
            auditor.feed_watched(piece, &mut |step| reading.watch(step));
            reading.stop.is_none()
        })
        .with_context(|| name.clone())?;
        auditor.follow_open_round(None, &mut |step| reading.watch(step));
        reading.of(auditor.finish()).with_context(|| name)
    }

    /// Returns the number of the last record.
    pub fn last(&self) -> u64 {
        self.entries.len().saturating_sub(1) as u64
    }

    /// Returns a record and its consequences.
    pub fn entry(&self, n: u64) -> Option<&HistoryEntry> {
        self.entries.get(usize::try_from(n).ok()?)
    }

    /// Returns the number of the first record for which `is` returns `true`.
    pub fn first(&self, is: impl Fn(&HistoryEntry) -> bool) -> Option<u64> {
        (0..).zip(&self.entries).find(|(_, entry)| is(entry)).map(|(n, _)| n)
    }

    /// Returns the position after record `n` and before the next record.
    pub fn after(&self, n: u64) -> Option<TablePosition> {
        let kept = &self.kept[self.kept.partition_point(|kept| kept.n <= n).checked_sub(1)?];
        let mut state = kept.state.clone();
        for m in kept.n + 1..=n {
            let Some(HistoryEntry { record: Record::Action(record), plays: true, .. }) = self.entry(m) else {
                continue;
            };
            act(&mut state, acting(record.actor, &record.action), &record.action).ok()?;
        }
        Some(TablePosition { state, known: kept.known.clone() })
    }

    /// Returns the table that is shown at record `n`: the table after it, but at the end of a round the last
    /// table of that round with its score.
    pub fn shown(&self, n: u64) -> Option<TablePosition> {
        let books = self.entry(n).is_some_and(|entry| matches!(entry.record, Record::RoundEnd(_)));
        match n.checked_sub(1).filter(|_| books).and_then(|before| self.after(before)) {
            Some(position) => Some(position),
            None => self.after(n),
        }
    }

    /// Returns the position before record `n`; `None` if it is unknown.
    pub fn before(&self, n: u64) -> Option<TablePosition> {
        let entry = self.entry(n).filter(|_| self.unknown_before(n).is_none())?;
        let unchanged = matches!(entry.record, Record::Refusal(_)) || entry.told.illegal.is_some();
        if unchanged { self.after(n) } else { self.after(n.checked_sub(1)?) }
    }

    /// Returns the reason why [`History::shown`] does not return the table at record `n`; `None` if it does.
    pub fn unknown(&self, n: u64) -> Option<String> {
        self.moved(n).filter(|entry| !entry.executed).map(|_| self.why_unknown(n))
    }

    /// Returns the reason why the position before record `n` is unknown; `None` if it is known.
    pub fn unknown_before(&self, n: u64) -> Option<String> {
        let moved = self.moved(n.checked_sub(1)?)?;
        (!moved.executed || moved.told.illegal.is_some()).then(|| self.why_unknown(n))
    }

    fn why_unknown(&self, n: u64) -> String {
        why_unknown(&self.report, self.entry(n).and_then(|entry| entry.round), n)
    }

    /// Returns the last record up to `n` that changed the cards, or claims that it did.
    fn moved(&self, n: u64) -> Option<&HistoryEntry> {
        let moves = |entry: &&HistoryEntry| matches!(entry.record, Record::Action(_) | Record::RoundEnd(_));
        (0..=n).rev().filter_map(|n| self.entry(n)).find(moves)
    }

    /// Returns the names of the players as they sit in a position.
    pub fn names(&self, state: Option<&Table>) -> PlayerNames {
        let players = self.players.clone();
        match state {
            Some(state) => players.seated(state.seating(), state.lone()).with_melds(melds_of(state)),
            None => players,
        }
    }

    /// Returns the course of the round before record `n`.
    pub fn course(&self, n: u64) -> RoundCourse {
        let before = &self.entries[..usize::try_from(n).map_or(0, |n| n.min(self.entries.len()))];
        let registers = |entry: &HistoryEntry| matches!(entry.record, Record::Register(_));
        let first = before.iter().rposition(registers).unwrap_or(0);
        let mut course = RoundCourse::default();
        for (n, entry) in (0..).zip(before).skip(first) {
            course.follow(n, entry.events());
        }
        course
    }

    /// Returns record `n` as `explain` and `what-if` judge it.
    ///
    /// # Errors
    /// If the record is neither an action nor a refusal, or cannot be judged.
    pub fn context(&self, n: u64) -> anyhow::Result<RecordContext> {
        let entry = self.entry(n).ok_or_else(|| anyhow!("there is no record {n}"))?;
        let RecordOutcome { events, refused, illegal, .. } = &entry.told;
        let verdict = match (refused, illegal) {
            (Some((_, rejection)), _) => Some(RecordVerdict::Refused(rejection.clone())),
            (None, Some(rejection)) => Some(RecordVerdict::Illegal(rejection.clone())),
            (None, None) => events.as_ref().map(|_| RecordVerdict::Done),
        };
        let tried = refused.as_ref().map(|(action, _)| action.clone());
        let (actor, action, verdict) = asked(&entry.record, tried, verdict, n)?;
        let (before, known) =
            self.before(n).map_or((None, None), |position| (Some(position.state), position.known));
        Ok(RecordContext {
            genesis: self.genesis.clone(),
            names: self.names(before.as_ref()),
            before,
            known,
            asked: RecordAsked::Action { action, actor, verdict },
            course: self.course(n),
            at: n,
            last: self.last(),
            fault: None,
        })
    }
}

impl HistoryEntry {
    /// Returns the events of the record, if it was executed.
    pub fn events(&self) -> &[Event] {
        self.told.events.as_deref().unwrap_or_default()
    }
}

/// The state of reading a log beside its audit.
#[derive(Default)]
struct HistoryReader {
    reader: Reader,
    entries: Vec<HistoryEntry>,
    kept: Vec<KeptPosition>,
    stop: Option<String>,
    round: Option<u32>,
}

impl HistoryReader {
    fn take(&mut self, mut piece: &[u8]) {
        while self.stop.is_none() {
            match self.next(&mut piece) {
                Ok(Some((offset, record))) => self.keep(offset, record),
                Ok(None) => return,
                Err(error) => self.stop = Some(error.to_string()),
            }
        }
    }

    fn next(&mut self, piece: &mut &[u8]) -> Result<Option<(u64, Record)>, LogError> {
        self.reader.next(piece)?.map(|frame| Ok((frame.offset, frame.record()?))).transpose()
    }

    fn keep(&mut self, offset: u64, record: Record) {
        if let Record::Register(register) = &record {
            self.round = Some(register.round);
        }
        if self.entries.len() == RECORDS_MAX || offset > BYTES_MAX || self.kept.len() >= KEPT_MAX {
            let held = number(self.entries.len() as i64);
            self.stop = Some(format!("the log is too long to walk: the first {held} records are held"));
            return;
        }
        let (round, told) = (self.round, RecordOutcome::default());
        self.entries.push(HistoryEntry { record, offset, told, round, executed: false, plays: false });
    }

    fn watch(&mut self, step: &Step<'_>) {
        let Some(entry) = usize::try_from(step.n).ok().and_then(|n| self.entries.get_mut(n)) else { return };
        entry.told.take(step);
        let moves = matches!(step.what, What::Acted(_) | What::Booked { .. } | What::GameEnd(_));
        let shows = matches!(step.what, What::Refused { .. } | What::Illegal(_));
        entry.executed |= moves || matches!(step.what, What::Illegal(_));
        // Only actions of seats can be played again: those of the table and the director depend on more than the position.
        let seats = match &entry.record {
            Record::Action(record) => record.actor.is_some() && acting(None, &record.action) != As::Director,
            _ => false,
        };
        let last = self.kept.last().map(|kept| kept.n);
        let near = last.is_some_and(|last| step.n - last < INTERVAL);
        if moves && seats && near && step.known.is_none() {
            entry.plays = true;
        } else if moves || (shows && self.is_first_of_register(step.n)) {
            self.kept.push(KeptPosition { n: step.n, state: step.table.clone(), known: step.known.cloned() });
        }
    }

    /// Returns whether the record is the first with a position since a deal was registered.
    fn is_first_of_register(&self, n: u64) -> bool {
        let last = self.kept.last().map_or(0, |kept| kept.n);
        let since = self.entries.get(last as usize..n as usize).unwrap_or_default();
        let dealt = self.entries.get(last as usize).is_some_and(|entry| entry.plays || entry.executed);
        !dealt || since.iter().any(|entry| matches!(entry.record, Record::Register(_)))
    }

    fn of(self, report: Report) -> anyhow::Result<History> {
        let Self { reader, entries, kept, stop, .. } = self;
        let stop = stop.or_else(|| reader.finish().err().map(|error| error.to_string()));
        let unplayed = || no_game(&report);
        let genesis = report.genesis.clone().filter(|_| !entries.is_empty()).ok_or_else(unplayed)?;
        let rules = rules_of(&genesis).ok_or_else(unplayed)?;
        let players = PlayerNames::of(&genesis);
        Ok(History { genesis, rules, report, entries, stop, players, kept })
    }
}
