//! The position at a record of a log, and what led to it: the input of `explain` and `what-if`.

use crate::judging::as_known::TableAsKnown;
use crate::judging::disclosure::Disclosure;
use crate::shared::io::{Exit, Io, Wrong, in_words};
use crate::shared::paths::{self, LIVE};
use crate::shared::text::{PlayerNames, rules_of};
use anyhow::{Context, anyhow, bail, ensure};
use canasta_engine::action::{Action, As};
use canasta_engine::event::Event;
use canasta_engine::known::Known;
use canasta_engine::log::audit::{Auditor, Report};
use canasta_engine::log::finding::FindingKind;
use canasta_engine::log::outcome::{Collector, Outcome, ReachedPosition, Replay, ReplayedLog};
use canasta_engine::log::record::{Attempt, Genesis, Reveal};
use canasta_engine::log::{LogError, Record};
use canasta_engine::rejection::Rejection;
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_engine::table::Table;
use canasta_engine::view::{self, EventView};
use canasta_engine::violations::template::Language;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};

/// The arguments that name a record of a log.
#[derive(clap::Args, Debug)]
pub struct LogRecord {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    pub log: PathBuf,
    /// Number of the record, from 0, as `log` and findings print it
    #[arg(long, value_name = "N")]
    pub at: Option<u64>,
}

/// The arguments that say whose knowledge is shown; without them that of the whole table.
#[derive(clap::Args, Debug)]
pub struct Eyes {
    /// Show what this seat sees: the letter, the number or the name of a player
    #[arg(long, value_name = "S", conflicts_with = "judge")]
    pub seat: Option<String>,
    /// Show every card that the log reveals
    #[arg(long)]
    pub judge: bool,
}

impl Eyes {
    /// Returns whose knowledge is shown; `usual` without an option.
    ///
    /// # Errors
    /// If no seat has the name.
    pub fn viewer(&self, names: &PlayerNames, usual: As) -> anyhow::Result<As> {
        match &self.seat {
            Some(seat) => names.parse_seat(seat).map(As::Seat),
            None => Ok(if self.judge { As::Judge } else { usual }),
        }
    }
}

/// A record, and the table before it.
pub struct RecordContext {
    pub genesis: Genesis,
    pub rules: Rules,
    pub names: PlayerNames,
    /// The position before the record; `None` before the first deal.
    pub before: Option<TableAsKnown>,
    /// The action that was done or tried.
    pub asked: RecordAsked,
    pub course: RoundCourse,
    pub at: u64,
    /// Number of the last record of the log.
    pub last: u64,
    /// The fault after the record that ends the log, if any.
    pub fault: Option<LogError>,
}

/// The action that was done or tried at a record, if any.
pub enum RecordAsked {
    Action(JudgedAction),
    /// Something else than an action, or nothing yet: the record would be the next one.
    Nothing,
    /// An action of which nothing is known, for this reason.
    Unknown(String),
}

/// An action that was done or tried, and the verdict of the log on it.
pub struct JudgedAction {
    /// The action: unmasked, also if the log masks it.
    pub action: Action,
    pub actor: As,
    pub verdict: RecordVerdict,
    /// The broken rules; `None` if the action was legal. A refusal of a legal action is a finding.
    pub rejection: Option<Rejection>,
}

/// Facts about the course of a round that no position contains.
#[derive(Clone, Default)]
pub struct RoundCourse {
    /// Number of the turn within the round, from 1; 0 before the deal.
    pub turn: u32,
    /// Number of the record since which the pile is frozen, and the event that says which card froze it.
    pub frozen_since: Option<(u64, EventView)>,
}

/// The verdict of the log on an action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RecordVerdict {
    Done,
    Refused,
    /// The action was recorded as done, against the rules.
    Illegal,
}

/// The requested record, and the state before it.
#[derive(Default)]
struct FoundRecord {
    at: u64,
    record: Option<Outcome>,
    before: Option<ReachedPosition>,
    /// Number of the last record that was executed.
    reached: Option<u64>,
    course: RoundCourse,
}

/// Reads a log to its end; `take` gets the outcomes of its records, as far as the cards are known: also those of the
/// round that has not ended, which `reveal` may disclose. Returns the end of the log, and whether `reveal` is of that
/// round.
pub fn replay(
    log: &Path,
    source: impl Read,
    reveal: Option<&Reveal>,
    collector: Collector,
    take: &mut dyn FnMut(Outcome),
) -> anyhow::Result<(ReplayedLog, bool)> {
    let auditor = Auditor::new(LIVE);
    let mut replay = Replay::new(auditor, collector);
    paths::feed(source, |piece| replay.feed(piece, take)).with_context(|| log.display().to_string())?;
    let fits = replay.follow_open_round(reveal, take);
    Ok((replay.finish(take), fits))
}

/// Reads a log as [`replay`] does up to record `at`, or to its end, with the round that is disclosed.
pub fn replay_to(
    log: &Path,
    at: Option<u64>,
    disclosure: &Disclosure,
    io: &mut Io<'_>,
    take: &mut dyn FnMut(Outcome),
) -> anyhow::Result<(ReplayedLog, bool)> {
    let until = at.unwrap_or(u64::MAX);
    let reveal = disclosure.read()?;
    let source = paths::open(log, &mut io.input)?;
    replay(log, source, reveal.as_ref(), Collector::new(until, move |n| n == until), take)
}

impl RecordContext {
    /// Reads a log up to record `at`, or to its end.
    ///
    /// # Errors
    /// The reason why there is no such position: no such record, or play that cannot be followed.
    pub fn read(
        log: &Path,
        at: Option<u64>,
        disclosure: &Disclosure,
        io: &mut Io<'_>,
    ) -> anyhow::Result<Self> {
        let mut found = FoundRecord { at: at.unwrap_or(u64::MAX), ..FoundRecord::default() };
        let (end, fits) = replay_to(log, at, disclosure, io, &mut |outcome| found.take(outcome))?;
        disclosure.check(&end.report, fits)?;
        Self::of(found, end, at, io.language).with_context(|| log.display().to_string())
    }

    /// Returns the action that was done or tried at the record, if anything is known of it.
    pub fn action(&self) -> Option<&JudgedAction> {
        if let RecordAsked::Action(action) = &self.asked { Some(action) } else { None }
    }

    /// Returns the table before the record.
    pub fn table(&self) -> Option<&Table> {
        self.before.as_ref().map(|before| &before.table)
    }

    /// Returns the known cards, if others of the table only stand for unknown cards.
    pub fn known(&self) -> Option<&Known> {
        self.before.as_ref()?.known.as_ref()
    }

    fn of(found: FoundRecord, end: ReplayedLog, at: Option<u64>, language: Language) -> anyhow::Result<Self> {
        let ReplayedLog { report, fault, last, part } = end;
        let next = last.map_or(0, |last| last + 1);
        let is_end = at.is_none() || (at == Some(next) && fault.is_none());
        let at = at.unwrap_or(next);
        let FoundRecord { record, before, reached, course, .. } = found;
        if record.is_none() && (!is_end || at == 0) {
            return Err(absent(at, last, fault.as_ref()));
        }
        let genesis = report.genesis.ok_or_else(|| Wrong("the game cannot be read".into()))?;
        let rules =
            rules_of(&genesis).ok_or_else(|| Wrong("this version does not play its rule set".into()))?;
        ensure!(
            part.moved_before(at).is_none_or(|moved| reached.is_some_and(|reached| reached >= moved)),
            "record {at}: play before it broke the rules, or its cards are not public: the position is not known"
        );
        let is_asked = |of: &&Outcome| matches!(*of.record, Record::Action(_) | Record::Refusal(_));
        let asked = match record.as_ref().filter(is_asked).map(asked) {
            Some(Ok(action)) => RecordAsked::Action(action),
            Some(Err(reason)) => RecordAsked::Unknown(reason.to_string()),
            None => RecordAsked::Nothing,
        };
        let names = PlayerNames::of(&genesis).speaking(language);
        let acted = record.filter(|record| record.events.is_some()).and_then(|record| record.after);
        let names = match (&before, &acted) {
            (Some(before), _) => names.seated(before.table.seating(), before.table.lone()),
            (None, acted) => names.seated(acted.as_ref().map_or(&[], |after| after.table.seating()), None),
        };
        let before = before.map(TableAsKnown::from);
        Ok(Self { genesis, rules, names, before, asked, course, at, last: last.unwrap_or(at), fault })
    }

    /// Returns the names for an action of this actor, with those of the melds on the table before it.
    pub fn names_for(&self, actor: As) -> PlayerNames {
        self.names.on_table(self.table(), actor)
    }
}

/// Returns the reason why a log has no record `at`: it has too few records, or cannot be read that far.
pub fn absent(at: u64, last: Option<u64>, fault: Option<&LogError>) -> anyhow::Error {
    match (fault, last) {
        (Some(fault), _) if fault.record == at || last.is_none() => Wrong(fault.to_string()).into(),
        (Some(fault), _) => Wrong(format!("{fault}; record {at} would come after it")).into(),
        (None, Some(last)) => anyhow!("record {at}: expected 0 to {last}"),
        (None, None) => Wrong("the log has no record".into()).into(),
    }
}

/// Returns the reason why a log has no game that can be shown.
pub fn no_game(report: &Report) -> Wrong {
    Wrong(match report.findings.first() {
        Some(finding) if finding.kind == FindingKind::NotALog => finding.detail.clone(),
        Some(finding) => format!("there is no game to show: {}", finding.detail.escape_debug()),
        None => "there is no game to show: the log is empty".into(),
    })
}

/// Writes the fault that ends a log, which is a finding.
pub fn warn(log: &Path, fault: Option<&LogError>, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let Some(fault) = fault else { return Ok(Exit::Clean) };
    io.out.flush()?;
    io.finding(format_args!("{}: {}", log.display(), in_words(fault)))
}

/// Returns who did or tried what at a record, and how the rules judge it.
///
/// # Errors
/// If the record is neither an action nor a refusal, or cannot be judged.
pub fn asked(outcome: &Outcome) -> anyhow::Result<JudgedAction> {
    let at = outcome.n();
    let codes = match &*outcome.record {
        Record::Refusal(refusal) => format!(" (refused: {})", refusal.codes.join(" ")),
        _ => String::new(),
    };
    let refused = outcome.refused.as_ref();
    let (actor, recorded) = match &*outcome.record {
        Record::Action(record) => (record.actor, Some(&record.action)),
        Record::Refusal(refusal) => match &refusal.attempt {
            Attempt::Clear(action) => (refusal.actor, Some(action)),
            Attempt::Masked { .. } => (refusal.actor, refused.map(|(action, _)| action)),
        },
        _ => bail!("record {at} is neither an action nor a refusal: canasta-replay show prints it"),
    };
    let judged = match (refused, &outcome.illegal) {
        (Some((_, rejection)), _) => Some((RecordVerdict::Refused, rejection.clone())),
        (None, Some(rejection)) => Some((RecordVerdict::Illegal, Some(rejection.clone()))),
        (None, None) => outcome.events.as_ref().map(|_| (RecordVerdict::Done, None)),
    };
    let (action, (verdict, rejection)) = recorded.zip(judged).with_context(|| {
        format!("record {at}: the cards of its round are unknown, or play before it broke the rules{codes}")
    })?;
    Ok(JudgedAction { actor: action.actor(actor), action: action.clone(), verdict, rejection })
}

/// Returns the seat that a record says has acted, or has tried to.
pub fn seat_of(record: &Record) -> Option<Seat> {
    match record {
        Record::Action(record) => record.actor,
        Record::Refusal(refusal) => refusal.actor,
        _ => None,
    }
}

impl FoundRecord {
    fn take(&mut self, outcome: Outcome) {
        if outcome.is_judged {
            self.reached = Some(outcome.n());
        }
        let is_before = outcome.n() < self.at;
        if let Some(events) = outcome.events.as_ref().filter(|_| is_before) {
            self.course.follow(outcome.n(), events);
        }
        let is_unchanged = outcome.refused.is_some() || outcome.illegal.is_some();
        if outcome.is_booked || if is_before { outcome.events.is_some() } else { is_unchanged } {
            self.before.clone_from(&outcome.after);
        }
        if !is_before {
            self.record = Some(outcome);
        }
    }
}

impl RoundCourse {
    /// Updates the course by the events of the action of record `n`.
    pub fn follow(&mut self, n: u64, events: &[Event]) {
        for event in events {
            match event {
                Event::Dealt { .. } => (self.turn, self.frozen_since) = (1, None),
                Event::TookPile { .. } => self.frozen_since = None,
                Event::Discarded { .. } | Event::Passed { .. } => self.turn += 1,
                Event::Froze { .. } => {
                    // The card that froze the pile was laid before or after this event.
                    let is_laid =
                        |event: &&Event| matches!(event, Event::Discarded { .. } | Event::Upcard { .. });
                    let laid = events.iter().rfind(is_laid).map(std::slice::from_ref).unwrap_or_default();
                    self.frozen_since = view::events(laid, As::Table).pop().map(|laid| (n, laid));
                }
                _ => {}
            }
        }
    }
}
