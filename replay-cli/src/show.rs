//! `show`: shows the table after a record of a log.

pub(crate) mod happened;
mod json;
pub(crate) mod table;

use crate::io::{Exit, Io, OutputFormat, Wrong};
use crate::paths;
use crate::record_context::{absent, warn};
use crate::text::{self, PlayerNames, hex, number};
use anyhow::{Context, anyhow};
use canasta_engine::action::Action;
use canasta_engine::action::As;
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
use std::path::PathBuf;

/// The arguments of `show`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Number of the record, from 0, as findings print it
    #[arg(long, value_name = "N")]
    at: u64,
    /// Show what this seat sees: the number or the name of a player
    #[arg(long, value_name = "S", conflicts_with = "judge")]
    seat: Option<String>,
    /// Show every card
    #[arg(long)]
    judge: bool,
    /// Format of the output
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Shows the record, and the table after it as everyone, one seat or a judge sees it. For a refused or \
illegal action, shows the table before it, and why it was refused. The cards of a round are known after \
its secret is revealed, at the end of the round.

Examples:
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
}

impl RecordOutcome {
    /// Stores what a step says about its record.
    pub fn take(&mut self, what: &What<'_>) {
        match *what {
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
struct ShownRecord {
    record: Option<(u64, Record)>,
    /// Number of the last record.
    last: Option<u64>,
    seq: u64,
    round: Option<u32>,
    /// Number of the last record that changed the cards.
    moved: Option<u64>,
    /// The position, and number of the record after which it holds.
    position: Option<(u64, Table)>,
    /// The known cards of a transcript; other cards only stand for unknown cards.
    known: Option<Known>,
    told: RecordOutcome,
}

/// Shows one record.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = args.log.display().to_string();
    let (at_record, report, broken) = read(args, io)?;
    let Some((offset, record)) = &at_record.record else {
        return Err(absent(args.at, at_record.last, broken.as_ref()).context(name));
    };
    let genesis = report
        .genesis
        .clone()
        .ok_or_else(|| Wrong(format!("{name}: the game cannot be read: {}", first_finding(&report))))?;
    let names = PlayerNames::of(&genesis);
    let names = match &at_record.position {
        Some((_, state)) => names.seated(state.seating(), state.lone()),
        None => names,
    };
    let viewer = viewer(args, &names)?;
    if args.format == OutputFormat::Json {
        let shown = shown(args, &at_record, &report, &genesis, &names, viewer)?;
        crate::json::write(&shown, &mut io.out)?;
        return findings(&report, args, broken.as_ref(), io);
    }
    let out = &mut io.out;
    write!(out, "game {} · {} · record {}", hex(&genesis.game_id), genesis.rule_set_id, number(args.at))?;
    write!(out, " of {} (byte {})", number(at_record.last.unwrap_or(args.at)), number(*offset))?;
    if let Some(round) = at_record.round {
        write!(out, " · round {round}")?;
    }
    writeln!(
        out,
        "{}",
        if at_record.seq > 0 { format!(" · action {}", number(at_record.seq)) } else { String::new() }
    )?;
    for line in happened::lines(record, &at_record.told, &genesis, &names, viewer) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    match (&at_record.position, unknown(&at_record, &report, args.at)) {
        (_, Some(reason)) => writeln!(out, "{reason}")?,
        (Some((_, state)), None) => {
            table::write(state, at_record.known.as_ref(), viewer, &names, out)?;
            if viewer == As::Judge {
                writeln!(out, "position: {}", position(state, at_record.known.as_ref()))?;
            }
        }
        (None, None) => writeln!(out, "no card is dealt yet")?,
    }
    findings(&report, args, broken.as_ref(), io)
}

/// Writes the findings up to the record, and the fault that ends the log.
fn findings(
    report: &Report,
    args: &Args,
    broken: Option<&LogError>,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    for finding in report.findings.iter().filter(|finding| finding.record <= args.at) {
        let detail = finding.detail.escape_debug();
        writeln!(
            io.err,
            "canasta-replay: finding {} at record {}: {detail}",
            finding.kind.name(),
            finding.record
        )?;
    }
    Ok(warn(&args.log, broken, io)?)
}

/// Returns the document for programs.
fn shown(
    args: &Args,
    at_record: &ShownRecord,
    report: &Report,
    genesis: &Genesis,
    names: &PlayerNames,
    viewer: As,
) -> anyhow::Result<json::ShownJson> {
    let (offset, record) = at_record.record.as_ref().context("there is a record")?;
    let unknown = unknown(at_record, report, args.at);
    let state = at_record.position.as_ref().map(|(_, state)| state).filter(|_| unknown.is_none());
    let known = at_record.known.as_ref();
    Ok(json::ShownJson {
        format: "canasta-show/1",
        game_id: hex(&genesis.game_id),
        ruleset: genesis.rule_set_id.clone(),
        record: args.at,
        last: at_record.last.unwrap_or(args.at),
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

fn viewer(args: &Args, names: &PlayerNames) -> anyhow::Result<As> {
    match &args.seat {
        Some(seat) => named(seat, names),
        None => Ok(if args.judge { As::Judge } else { As::Table }),
    }
}

/// Parses the seat of an argument.
pub(crate) fn named(seat: &str, names: &PlayerNames) -> anyhow::Result<As> {
    let seats =
        || names.seats().map(|seat| format!("{seat} {}", names.seat(seat))).collect::<Vec<_>>().join(", ");
    names.find(seat).map(As::Seat).ok_or_else(|| anyhow!("no seat {seat:?}; the seats are: {}", seats()))
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

/// Reads the whole log: a round is executed only after its end has been read.
fn read(args: &Args, io: &mut Io<'_>) -> anyhow::Result<(ShownRecord, Report, Option<LogError>)> {
    let mut at_record = ShownRecord::default();
    let mut auditor = Auditor::new(Expect { live: true, ..Expect::default() });
    let mut reader = Reader::new();
    let mut broken = None;
    let name = args.log.display().to_string();
    let source = paths::open(&args.log, io)?;
    paths::feed(source, |mut piece| {
        auditor.feed_watched(piece, &mut |step| at_record.watch(step, args.at));
        while broken.is_none() {
            match reader.next(&mut piece) {
                Ok(None) => break,
                Ok(Some(frame)) => match frame.record() {
                    Ok(record) => at_record.take(frame.n, frame.offset, record, args.at),
                    Err(error) => broken = Some(error),
                },
                Err(error) => broken = Some(error),
            }
        }
        broken.is_none()
    })
    .with_context(|| name)?;
    if broken.is_none() {
        broken = reader.finish().err();
    }
    Ok((at_record, auditor.finish(), broken))
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
        if n == at {
            self.record = Some((offset, record));
        }
    }

    fn watch(&mut self, step: &Step<'_>, at: u64) {
        if step.n > at {
            return;
        }
        let here = step.n == at;
        if here {
            self.told.take(&step.what);
        }
        // The last table of the round is shown with its score, not the empty one after booking.
        let booked = matches!(step.what, What::Booked { .. } | What::GameEnd(_));
        if !(booked && here && self.position.is_some()) {
            self.position = Some((step.n, step.table.clone()));
            self.known = step.known.cloned();
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
