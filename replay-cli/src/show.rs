//! `show`: shows the table after a record of a log.

pub(crate) mod happened;
mod json;
pub(crate) mod table;

use crate::disclosure::Disclosure;
use crate::io::{Exit, Io, OutputFormat, Wrong};
use crate::json::branch;
use crate::paths;
use crate::record_context::{Eyes, LogRecord, absent, warn};
use crate::text::{self, PlayerNames, hex, melds_of, number};
use anyhow::Context;
use canasta_engine::action::{Action, As};
use canasta_engine::event::Event;
use canasta_engine::known::Known;
use canasta_engine::log::audit::{Auditor, Expect, Report};
use canasta_engine::log::record::Genesis;
use canasta_engine::log::replay::{Step, What};
use canasta_engine::log::{LogError, Reader, Record};
use canasta_engine::notation::Position;
use canasta_engine::rejection::Rejection;
use canasta_engine::scoring::RoundScore;
use canasta_engine::table::Table;
use std::io::Write;
use std::path::Path;

/// The arguments of `show`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    record: LogRecord,
    #[command(flatten)]
    eyes: Eyes,
    #[command(flatten)]
    disclosure: Disclosure,
    /// Format of the output
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Without --at, shows the last record. \
Shows the record, and the table after it as everyone, one seat or a judge sees it. For a refused or \
illegal action, shows the table before it, and why it was refused. The cards of a round are known after \
its secret is revealed, at the end of the round; before that, the table shows what is public.

Examples:
  canasta-replay show game.clog
  canasta-replay show game.clog --at 57
  canasta-replay show game.clog --at 57 --seat North
  canasta-replay show game.clog --at 57 --judge
  canasta-replay show game.clog --at 57 --format json";

/// The result of auditing one record.
#[derive(Clone, Default)]
pub(crate) struct RecordOutcome {
    /// The events of an action that was executed.
    pub events: Option<Vec<Event>>,
    /// The action that was refused, unmasked; without a rejection it was legal.
    pub refused: Option<(Action, Option<Rejection>)>,
    /// The rejection of an action that was recorded as done against the rules.
    pub illegal: Option<Rejection>,
    /// The score of the round that ended.
    pub score: Option<RoundScore>,
    /// Whether some of the cards in the events only stand for unknown cards.
    pub as_known: bool,
}

impl RecordOutcome {
    /// Stores what a step says about its record.
    pub fn take(&mut self, step: &Step<'_>) {
        self.as_known |= step.known.is_some();
        match step.what {
            What::Acted(events) => self.events = Some(events.to_vec()),
            What::Illegal(rejection) => self.illegal = Some(rejection.clone()),
            What::Refused { action, rejection } => {
                self.refused = Some((action.clone(), rejection.cloned()));
            }
            What::Booked { score, .. } => self.score = score.cloned(),
            _ => {}
        }
    }
}

/// The facts about the requested record.
#[derive(Default)]
pub(crate) struct ShownRecord {
    /// Number of the record, its byte in the file, and the record.
    record: Option<(u64, u64, Record)>,
    /// Number of the last record.
    last: Option<u64>,
    seq: u64,
    round: Option<u32>,
    /// Number of the last record that changed the cards.
    moved: Option<u64>,
    /// The position, and number of the record after which it holds.
    pub position: Option<(u64, Table)>,
    /// The known cards, if some of the position only stand for unknown cards.
    pub known: Option<Known>,
    /// The outcome of the record as the steps tell it, and number of the record that they are about.
    told: RecordOutcome,
    told_at: Option<u64>,
    /// The position before the last booking, and number of the record that booked.
    booked: Option<(u64, (u64, Table))>,
}

/// Shows one record.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let ShownLog { shown: at_record, report, genesis, names, broken } =
        read(&args.record.log, args.record.at, &args.disclosure, io)?;
    let (n, offset, record) = at_record.record.as_ref().context("a log that was read has a record")?;
    let n = *n;
    let viewer = args.eyes.viewer(&names, As::Table)?;
    if args.format == OutputFormat::Json {
        let shown = shown(&at_record, &report, &genesis, &names, viewer)?;
        crate::json::write(&shown, &mut io.out)?;
        return findings(&report, &args.record.log, n, broken.as_ref(), io);
    }
    let out = &mut io.out;
    write!(out, "game {} · {} · record {}", hex(&genesis.game_id), genesis.rule_set_id, number(n))?;
    write!(out, " of {} (byte {})", number(at_record.last.unwrap_or(n)), number(*offset))?;
    if let Some(round) = at_record.round {
        write!(out, " · round {round}")?;
    }
    writeln!(
        out,
        "{}",
        if at_record.seq > 0 { format!(" · action {}", number(at_record.seq)) } else { String::new() }
    )?;
    if let Some(fork) = &genesis.fork_of {
        writeln!(out, "{fork}")?;
    }
    for line in happened::lines(record, &at_record.told, &genesis, &names, viewer) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    match (&at_record.position, unknown(&at_record, &report, n)) {
        (_, Some(reason)) => writeln!(out, "{reason}")?,
        (Some((_, state)), None) => {
            table::write(state, at_record.known.as_ref(), viewer, &names, out)?;
            if viewer == As::Judge {
                writeln!(out, "position: {}", position(state, at_record.known.as_ref()))?;
            }
        }
        (None, None) => writeln!(out, "no card is dealt yet")?,
    }
    findings(&report, &args.record.log, n, broken.as_ref(), io)
}

/// Writes the findings up to the record, and the fault that ends the log.
fn findings(
    report: &Report,
    log: &Path,
    n: u64,
    broken: Option<&LogError>,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    for finding in report.findings.iter().filter(|finding| finding.record <= n) {
        let detail = finding.detail.escape_debug();
        writeln!(
            io.err,
            "canasta-replay: finding {} at record {}: {detail}",
            finding.kind.name(),
            finding.record
        )?;
    }
    Ok(warn(log, broken, io)?)
}

/// Returns the document for programs.
fn shown(
    at_record: &ShownRecord,
    report: &Report,
    genesis: &Genesis,
    names: &PlayerNames,
    viewer: As,
) -> anyhow::Result<json::ShownJson> {
    let (n, offset, record) = at_record.record.as_ref().context("there is a record")?;
    let unknown = unknown(at_record, report, *n);
    let state = at_record.position.as_ref().map(|(_, state)| state).filter(|_| unknown.is_none());
    let known = at_record.known.as_ref();
    Ok(json::ShownJson {
        format: "canasta-show/1",
        game_id: hex(&genesis.game_id),
        branch_of: genesis.fork_of.as_ref().map(branch),
        ruleset: genesis.rule_set_id.clone(),
        record: *n,
        last: at_record.last.unwrap_or(*n),
        offset: *offset,
        round: at_record.round,
        seq: (at_record.seq > 0).then_some(at_record.seq),
        viewer: json::viewer(viewer),
        happened: happened::lines(record, &at_record.told, genesis, names, viewer),
        unknown,
        table: state.map(|state| json::table(state, known, viewer, names)),
        position: state.filter(|_| viewer == As::Judge).map(|state| position(state, known).to_string()),
    })
}

fn position(state: &Table, known: Option<&Known>) -> Position {
    known.map_or_else(|| Position::of(state), |known| Position::as_known(state, known))
}

fn first_finding(report: &Report) -> &str {
    report.findings.first().map_or("the log is empty", |finding| &finding.detail)
}

/// Returns the reason why the position after the record is unknown; `None` if it is known.
fn unknown(at_record: &ShownRecord, report: &Report, at: u64) -> Option<String> {
    let moved = at_record.moved?;
    let known = at_record.position.as_ref().is_some_and(|(n, _)| *n >= moved);
    (!known && at_record.told.illegal.is_none()).then(|| why_unknown(report, at_record.round, at))
}

/// Returns the reason why the cards of a round are unknown at a record.
pub(crate) fn why_unknown(report: &Report, round: Option<u32>, at: u64) -> String {
    let illegal = report
        .findings
        .iter()
        .find(|finding| finding.round.map(u32::from) == round && !finding.codes.is_empty());
    match illegal {
        Some(finding) if finding.record < at => {
            format!(
                "the table is not known: the action of record {} broke the rules, and what followed is not executed",
                finding.record
            )
        }
        _ => "the cards of this round are not known: this log does not reveal them".into(),
    }
}

/// A log that was read up to its end, and one of its records.
pub(crate) struct ShownLog {
    pub shown: ShownRecord,
    pub report: Report,
    pub genesis: Genesis,
    pub names: PlayerNames,
    /// The fault that ends the log.
    pub broken: Option<LogError>,
}

/// Reads the whole log: a round is executed only after its end has been read. Without `at`, the record is the last one.
///
/// # Errors
/// If the log cannot be read, has no such record, or is no game.
pub(crate) fn read(
    log: &Path,
    at: Option<u64>,
    disclosure: &Disclosure,
    io: &mut Io<'_>,
) -> anyhow::Result<ShownLog> {
    let until = at.unwrap_or(u64::MAX);
    let reveal = disclosure.read(io)?;
    let mut shown = ShownRecord::default();
    let mut auditor = Auditor::new(Expect { live: true, ..Expect::default() });
    let mut reader = Reader::new();
    let mut broken = None;
    let name = log.display().to_string();
    let source = paths::open(log, io)?;
    paths::feed(source, |mut piece| {
        auditor.feed_watched(piece, &mut |step| shown.watch(step, until));
        while broken.is_none() {
            match reader.next(&mut piece) {
                Ok(None) => break,
                Ok(Some(frame)) => match frame.record() {
                    Ok(record) => shown.take(frame.n, frame.offset, record, until),
                    Err(error) => broken = Some(error),
                },
                Err(error) => broken = Some(error),
            }
        }
        broken.is_none()
    })
    .with_context(|| name.clone())?;
    if broken.is_none() {
        broken = reader.finish().err();
    }
    let fits = auditor.follow_open_round(reveal.as_ref(), &mut |step| shown.watch(step, until));
    let report = auditor.finish();
    shown.settle();
    let here = shown.record.as_ref().map(|(n, ..)| *n);
    if here.is_none() || at.is_some_and(|at| here != Some(at)) {
        return Err(absent(at.unwrap_or(0), shown.last, broken.as_ref()).context(name));
    }
    disclosure.check(&report, fits)?;
    let Some(genesis) = report.genesis.clone() else {
        let first = first_finding(&report);
        return Err(Wrong(format!("{name}: the game cannot be read: {first}")).into());
    };
    let names = PlayerNames::of(&genesis);
    let names = match &shown.position {
        Some((_, state)) => names.seated(state.seating(), state.lone()).with_melds(melds_of(state)),
        None => names,
    };
    Ok(ShownLog { shown, report, genesis, names, broken })
}

impl ShownLog {
    /// Returns the number of the record.
    pub fn record(&self) -> u64 {
        self.shown.record.as_ref().map_or(0, |(n, ..)| *n)
    }

    /// Returns the reason why the position after the record is unknown; `None` if it is known.
    pub fn unknown(&self) -> Option<String> {
        unknown(&self.shown, &self.report, self.record())
    }
}

impl ShownRecord {
    fn take(&mut self, n: u64, offset: u64, record: Record, at: u64) {
        self.last = Some(n);
        if n > at {
            return;
        }
        match &record {
            Record::Register(register) => self.round = Some(register.round),
            Record::Action(_) => {
                self.seq += 1;
                self.moved = Some(n);
            }
            Record::RoundEnd(_) => self.moved = Some(n),
            _ => {}
        }
        self.record = Some((n, offset, record));
    }

    fn watch(&mut self, step: &Step<'_>, at: u64) {
        if step.n > at {
            return;
        }
        if self.told_at != Some(step.n) {
            (self.told_at, self.told) = (Some(step.n), RecordOutcome::default());
        }
        self.told.take(step);
        if matches!(step.what, What::Booked { .. } | What::GameEnd(_)) {
            self.booked = self.position.take().map(|position| (step.n, position));
        }
        self.position = Some((step.n, step.table.clone()));
        self.known = step.known.cloned();
    }

    /// Settles what is shown, after the last step: the last table of a round is shown with its score, not the empty one
    /// after booking.
    fn settle(&mut self) {
        let here = self.record.as_ref().map(|(n, ..)| *n);
        if self.told_at != here {
            self.told = RecordOutcome::default();
        }
        if let Some((_, position)) = self.booked.take_if(|(n, _)| Some(*n) == here) {
            self.position = Some(position);
        }
    }
}

/// Returns the text of a note on a line of its own.
fn quoted(text: &str) -> String {
    text.escape_debug().to_string()
}

/// Returns the facts that the genesis record fixes.
fn genesis_lines(genesis: &Genesis, names: &PlayerNames) -> Vec<String> {
    let seats = names.seats().map(|seat| names.seat(seat)).collect::<Vec<_>>().join(", ");
    let mut lines = vec![
        format!("the game begins: {seats}"),
        format!("rule set {} (digest {})", genesis.rule_set_id, hex(&genesis.rule_set_digest())),
    ];
    if let Some(commitment) = genesis.commitment {
        lines.push(format!("commitment to the game's secret {}", hex(&commitment)));
    }
    if let Some(key) = genesis.director {
        lines.push(format!("key of the director {}", hex(&key)));
    }
    if let Some(version) = genesis.penalties {
        lines.push(format!("table of penalties of version {version}"));
    }
    if let Some(rules) = text::rules_of(genesis) {
        lines.push(format!("first to {} points", number(rules.set().target)));
    }
    lines
}
