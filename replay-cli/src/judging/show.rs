//! `show`: shows the table after a record of a log.

pub(crate) mod happened;
mod json;
pub(crate) mod table;

use crate::judging::as_known::TableAsKnown;
use crate::judging::disclosure::Disclosure;
use crate::judging::record_context::{Eyes, LogRecord, absent, replay_to, warn};
use crate::shared::io::{Exit, Io, OutputFormat, Wrong};
use crate::shared::text::{self, PlayerNames, hex, some};
use canasta_engine::action::As;
use canasta_engine::log::LogError;
use canasta_engine::log::audit::Report;
use canasta_engine::log::outcome::{EndedRound, Outcome, ReplayedLog};
use canasta_engine::log::record::Genesis;
use canasta_engine::table::Table;
use std::io::Write;

/// The arguments of `show` and `position`: a record, who sees it, and the format.
#[derive(clap::Args, Debug)]
pub struct WantedRecord {
    #[command(flatten)]
    pub record: LogRecord,
    #[command(flatten)]
    pub eyes: Eyes,
    #[command(flatten)]
    disclosure: Disclosure,
    /// Format of the output
    #[arg(long, value_enum, default_value_t)]
    pub format: OutputFormat,
}

pub(crate) const EXAMPLES: &str = "\
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

pub fn run(args: &WantedRecord, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    io.speak(args.format);
    let log = read(args, io)?;
    let viewer = args.eyes.viewer(&log.names, As::Table)?;
    match args.format {
        OutputFormat::Text => write(&log, viewer, &mut io.out)?,
        OutputFormat::Json => io.write_value(&json::shown(&log, viewer))?,
    }
    for finding in log.report.findings.iter().filter(|finding| finding.record <= log.outcome.n()) {
        let (kind, record, detail) = (finding.kind.name(), finding.record, finding.detail.escape_debug());
        io.remark(format_args!("finding {kind} at record {record}: {detail}"))?;
    }
    warn(&args.record.log, log.broken.as_ref(), io)
}

fn write(log: &ShownLog, viewer: As, out: &mut dyn Write) -> std::io::Result<()> {
    let ShownLog { outcome, genesis, names, .. } = log;
    let (n, seq) = (outcome.n(), outcome.part.seq);
    let facts = vec![
        some(hex(&genesis.game_id)),
        some(genesis.rule_set_id.clone()),
        some(names.number(n)),
        some(names.number(log.last)),
        some(names.number(outcome.place.offset)),
        outcome.part.round.map(|round| names.number(round).into()),
        (seq > 0).then(|| names.number(seq).into()),
    ];
    writeln!(out, "{}", names.line("record_heading", facts))?;
    if let Some(fork) = &genesis.fork_of {
        writeln!(out, "{fork}")?;
    }
    for line in happened::lines(outcome, genesis, names, viewer, |_| false) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    match (&log.position, &log.unknown) {
        (_, Some(reason)) => writeln!(out, "{reason}")?,
        (Some(at), None) => {
            table::write(&at.table, at.known.as_ref(), viewer, names, out)?;
            if viewer == As::Judge {
                writeln!(out, "position: {}", at.position())?;
            }
        }
        (None, None) => writeln!(out, "{}", names.line("no_cards", vec![]))?,
    }
    Ok(())
}

/// Returns the reason why the cards of a round are unknown at a record.
pub(crate) fn why_unknown(report: &Report, round: Option<u32>, at: u64, names: &PlayerNames) -> String {
    let illegal = report
        .findings
        .iter()
        .find(|finding| finding.round.map(u32::from) == round && !finding.codes.is_empty());
    match illegal {
        Some(finding) if finding.record < at => {
            names.line("unknown_after", vec![some(names.number(finding.record))])
        }
        _ => names.line("unknown_cards", vec![]),
    }
}

/// A log that was read up to its end, and one of its records.
pub(crate) struct ShownLog {
    pub outcome: Outcome,
    /// The position that is shown: the last table of a round that ends here, not the empty one after booking.
    pub position: Option<TableAsKnown>,
    /// The reason why the position after the record is unknown; `None` if it is known.
    pub unknown: Option<String>,
    /// Number of the last record.
    pub last: u64,
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
pub(crate) fn read(wanted: &WantedRecord, io: &mut Io<'_>) -> anyhow::Result<ShownLog> {
    let WantedRecord { record: LogRecord { log, at }, disclosure, .. } = wanted;
    let (name, mut found) = (log.display().to_string(), None);
    let (end, fits) = replay_to(log, *at, disclosure, io, &mut |outcome| found = Some(outcome))?;
    let ReplayedLog { report, fault: broken, last, .. } = end;
    let Some(outcome) = found.filter(|found| at.is_none_or(|at| found.n() == at)) else {
        return Err(absent(at.unwrap_or(0), last, broken.as_ref()).context(name));
    };
    disclosure.check(&report, fits)?;
    let Some(genesis) = report.genesis.clone() else {
        let first = report.findings.first().map_or("the log is empty", |finding| &finding.detail);
        return Err(Wrong(format!("{name}: the game cannot be read: {first}")).into());
    };
    let (n, Outcome { ended, after, part, illegal, .. }) = (outcome.n(), &outcome);
    let is_known = ended.is_some() || part.moved <= after.as_ref().map(|after| after.n) || illegal.is_some();
    let position = match ended {
        Some(EndedRound { table, .. }) => Some(TableAsKnown {
            table: Table::clone(table),
            known: after.as_ref().and_then(|after| after.known.clone()),
        }),
        None => after.clone().map(TableAsKnown::from),
    };
    let mut names = PlayerNames::of(&genesis).speaking(io.language);
    if let Some(position) = &position {
        names = names.at_table(&position.table);
    }
    let unknown = (!is_known).then(|| why_unknown(&report, part.round, n, &names));
    let last = last.unwrap_or(n);
    Ok(ShownLog { outcome, position, unknown, last, report, genesis, names, broken })
}

/// Returns the text of a note on a line of its own.
fn quoted(text: &str) -> String {
    text.escape_debug().to_string()
}

/// Returns the facts that the genesis record fixes.
fn genesis_lines(genesis: &Genesis, names: &PlayerNames) -> Vec<String> {
    let line = |name: &str, fact: String| names.line(name, vec![some(fact)]);
    let digest = hex(&genesis.rule_set_digest());
    let mut lines = vec![
        line("genesis", names.all()),
        names.line("rule_set", vec![some(genesis.rule_set_id.clone()), some(digest)]),
    ];
    lines.extend(genesis.commitment.map(|commitment| line("committed_secret", hex(&commitment))));
    lines.extend(genesis.director.map(|key| line("director", hex(&key))));
    lines.extend(genesis.penalties.map(|version| line("penalties", version.to_string())));
    let rules = text::rules_of(genesis);
    lines.extend(rules.map(|rules| line("target", names.number(rules.set().target))));
    lines
}
