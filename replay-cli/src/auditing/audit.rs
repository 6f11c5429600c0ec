//! `audit`: judges logs with nothing but their own bytes.

mod advice;
pub(crate) mod batch;
mod beacons;
mod csv;
pub(crate) mod games;
mod json;
mod junit;
mod kept;
mod lines;
pub(crate) mod outside;
mod parts;
mod play;
mod report;
pub(crate) mod reserve;
mod resume;
mod signed;
mod standings;
pub(crate) mod summary;
pub(crate) mod text;

use crate::shared::io::{Exit, Io};
use crate::shared::output::OutputFile;
use crate::shared::paths::{self, FailureList, LogPaths, SortedFailures};
use crate::shared::text::{number, parse_head, parse_key, quoted};
use anyhow::bail;
use batch::{BatchAudit, Demands};
use canasta_engine::citation::Books;
use canasta_engine::log::Head;
use canasta_engine::log::audit::{Expect, Report};
use canasta_engine::log::finding::{Finding, FindingKind};
use canasta_engine::log::record::Fork;
use canasta_engine::rules::Rules;
use canasta_tournament::note::NoteVerifier;
use canasta_tournament::policy::TournamentPolicy;
use clap::ValueEnum;
use games::SettledGames;
use kept::AuditOptions;
use outside::Outside;
use parts::{AuditShard, PartWriter};
use report::AuditReport;
use resume::AuditState;
use standings::Ranking;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use summary::{AuditCounts, AuditSummary, AuditedLog};

/// The arguments of `audit`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Logs, directories (searched for *.clog), or - for standard input; with --join the parts of a report
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t)]
    format: AuditFormat,
    /// Games may still be going on: a log without an end is no finding
    #[arg(long)]
    live: bool,
    /// Report everything unproven as a finding: play that is not judged, deals that are not revealed, deals that the
    /// dealer may have chosen, unsigned contributions, unsigned actions of players who have a key, keys of players
    /// that only the log names, and a last deciding record that nothing from outside vouches for (--head, --key)
    #[arg(long)]
    strict: bool,
    /// The promises of the tournament (TOML, docs/TOURNAMENT.md): each that a log does not keep is a finding, and those
    /// that only a published tree can keep are named as not judged. Its keys vouch for what they signed
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Continue after a fault; findings after it are marked as unproven
    #[arg(long)]
    salvage: bool,
    /// The head that the last record of the log must have, 64 lower-case hex digits: detects a log that was
    /// cut. For one log only
    #[arg(long, value_name = "HEX", value_parser = parse_head)]
    head: Option<Head>,
    /// A public key, as keygen prints it: every log must contain a checkpoint signed with it, have such a
    /// checkpoint beside it in LOG.note, be proven by a signed *.tlog-proof beside it, or name it as the key of a player. May be given several times
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Vec<NoteVerifier>,
    /// Standings over all clean games: in the report, or in FILE as CSV
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    standings: Option<Option<PathBuf>>,
    /// Overwrite FILE of the standings if it exists; a file that is read is never written over
    #[arg(long, requires = "standings")]
    force: bool,
    /// Order of the standings
    #[arg(long, value_enum, default_value_t, requires = "standings")]
    ranking: Ranking,
    /// Number of logs audited at once; 0 means one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Keep the result of every log in FILE, and take from it what an earlier run has audited: the same bytes under the
    /// same name, with the same options and the same version of this program. The report is the same
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Audit only part I of N equal parts of the logs, for example 2/4, and write what --join needs. Every run must see
    /// the same logs under the same names
    #[arg(long, value_name = "I/N", value_parser = AuditShard::parse, conflicts_with = "standings")]
    shard: Option<AuditShard>,
    /// Write the report of all logs from their parts, which --shard has written, without the logs
    #[arg(long, conflicts_with_all = ["shard", "resume", "live", "strict", "policy", "salvage", "head", "key", "threads"])]
    join: bool,
    /// KiB of memory for each of the lists that grow with the number of logs (paths, games, teams, reports of
    /// logs); what exceeds it goes to temporary files
    #[arg(long, value_name = "KIB", default_value_t = LIST_KIB, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    buffer: u32,
}

/// The default of `--buffer`.
const LIST_KIB: u32 = (paths::LIST_MEMORY / 1024) as u32;

/// The format of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum AuditFormat {
    /// For people
    #[default]
    Text,
    /// For programs: canasta-audit/1, described by docs/audit.schema.json
    Json,
    /// For programs, while the audit runs: one log per line, then the rest of canasta-audit/1 as the last line
    Jsonl,
    /// For build servers: one test case per log
    Junit,
    /// For spreadsheets: one row per finding, and one row per log without findings
    Csv,
}

impl Args {
    /// Returns the memory of each list in bytes.
    fn limit(&self) -> usize {
        self.buffer as usize * 1024
    }

    /// Returns the file of the standings, if it may be written.
    fn standings_file(&self) -> anyhow::Result<Option<OutputFile>> {
        let file = self.standings.as_ref().and_then(Option::as_ref);
        let inputs = || self.paths.iter().chain(&self.policy).chain(&self.resume);
        file.map(|file| OutputFile::new(file, self.force, inputs())).transpose()
    }
}

impl AuditFormat {
    /// Whether a report begins with counts, and so cannot be written before the last log is audited.
    fn begins_with_counts(self) -> bool {
        matches!(self, Self::Text | Self::Junit)
    }

    /// Whether a report can contain standings.
    fn can_rank(self) -> bool {
        matches!(self, Self::Text | Self::Json | Self::Jsonl)
    }
}

const EXAMPLES: &str = "\
Every log is executed again from its own bytes: framing and hash chain, commitments, deals, the legality \
of every action, digests, scores (counted in two ways), the result. A finding names the record, its byte \
and the rule.

Exit codes: 0 all logs are clean; 1 findings, for example a file that is not a log; 2 a file could not be \
read or found.

Examples:
  canasta-replay audit table-0417.clog
  canasta-replay audit games --format json > report.json
  canasta-replay audit games --strict --key \"$(cat event.pub)\" --standings=standings.csv
  canasta-replay audit games --strict --policy open-2026.toml
  canasta-replay audit --live --head 3c9f...e1 table-0417.clog
  gzip -dc old.clog.gz | canasta-replay audit -
  canasta-replay audit games --resume games.state
  canasta-replay audit games --shard 1/2 > part-1; canasta-replay audit games --shard 2/2 > part-2
  canasta-replay audit --join part-1 part-2 --standings";

/// The result of auditing one log.
pub(crate) struct Audited {
    pub(crate) path: String,
    pub(crate) report: Report,
    /// The rule set of the game, if it can be played.
    pub(crate) rules: Option<Arc<Rules>>,
    /// The books that refusals cite, if there are findings and the rule set is known.
    pub(crate) books: Option<Books>,
    /// The signatures by the given keys, one phrase per key.
    pub(crate) signed: Vec<String>,
    /// Number of the last record that somebody outside the log vouches for.
    pub(crate) vouched_up_to: Option<u64>,
    /// The reservations: facts that are not proven although nothing is wrong with them.
    pub(crate) reservations: Vec<String>,
    /// Digest of what was dealt and played, if a round was.
    pub(crate) play: Option<[u8; 32]>,
}

/// Audits the logs and writes the report.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.standings == Some(None) && !args.format.can_rank() {
        bail!("this format cannot contain standings: use --standings=FILE");
    }
    args.standings_file()?;
    if args.join {
        return parts::join(args, io);
    }
    let (mut logs, mut failures) = LogPaths::find(&args.paths, args.limit())?;
    if args.head.is_some() && logs.count() != 1 {
        bail!("--head needs exactly one log, found {}", logs.count());
    }
    if args.paths.iter().filter(|path| paths::is_stdin(path)).count() > 1 {
        bail!("standard input can be read only once, found - twice");
    }
    let policy = args.policy.as_deref().map(TournamentPolicy::read).transpose()?;
    let options = AuditOptions::of(args, policy.as_ref(), logs.count())?;
    let state = args.resume.as_deref().map(|path| AuditState::open(path, &options)).transpose()?;
    let (mut output, is_only) = (AuditOutput::begin(args, logs.count(), options, io)?, logs.count() == 1);
    if let Some(shard) = args.shard {
        if logs.has_stdin() {
            bail!("-: standard input cannot be split into parts: expected files");
        }
        logs.limit_to(shard.share(logs.count()));
        if !shard.is_first() {
            failures = FailureList::new(args.limit());
        }
    }
    let expect = Expect { live: args.live, head: args.head, record: None, salvage: args.salvage };
    let render = |log: &Audited| match args.format {
        AuditFormat::Text if is_only || !log.report.findings.is_empty() || log.branch().is_some() => {
            text::log(log)
        }
        AuditFormat::Text => String::new(),
        AuditFormat::Json | AuditFormat::Jsonl => json::log(log),
        AuditFormat::Junit => junit::log(log),
        AuditFormat::Csv => csv::log(log),
    };
    let keys = keys(&args.key, policy.as_ref());
    let demanded = args.key.len();
    let outside = Outside { keys: &keys, demanded, policy: policy.as_ref(), names_players: true };
    let demands = Demands { outside, strict: args.strict, beacons: None };
    let state = state.as_ref();
    let batch = BatchAudit { expect, demands, render: &render, state, rules: Mutex::default() };
    let mut summary = AuditSummary::new(args.limit());
    batch.audit_all(&mut logs, args.threads, io, |io, outcome| {
        match outcome {
            Ok(log) => {
                output.log(&log, &mut io.out)?;
                summary.add(log.counted)?;
            }
            Err(failure) => failures.add(&failure)?,
        }
        Ok(())
    })?;
    if let Some(state) = state {
        tell_found(state, logs.count(), args, io)?;
        if let Some(failure) = state.failure() {
            failures.add(&failure)?;
        }
    }
    close(args, summary, output, failures, io)
}

/// Writes the end of the report and the failures, and returns how the audit ended.
fn close(
    args: &Args,
    summary: AuditSummary,
    output: AuditOutput<'_>,
    failures: FailureList,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let ranking = args.standings.as_ref().map(|_| args.ranking);
    let (counts, games) = summary.settle(ranking)?;
    let has_findings = counts.failed > 0 || games.forks > 0;
    let mut failures = failures.finish();
    output.end(&counts, games, &mut failures, &mut io.out)?;
    failures.report(io)?;
    Ok(if failures.count() > 0 {
        Exit::Failure
    } else if has_findings {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

/// Tells how many results came from the state.
fn tell_found(state: &AuditState, logs: u64, args: &Args, io: &mut Io<'_>) -> io::Result<()> {
    let (found, stored) = state.found();
    let name = args.resume.as_deref().map_or_else(String::new, |path| quoted(&path.display().to_string()));
    match (found, stored) {
        (_, 0) => Ok(()),
        (0, _) => writeln!(
            io.err,
            "canasta-replay: {name}: no result in it is of these logs, options and version: all logs were audited"
        ),
        _ => {
            let [found, logs] = [found, logs].map(|count| number(count as i64));
            writeln!(io.err, "canasta-replay: {name}: {found} of {logs} logs were audited before")
        }
    }
}

/// The output of an audit: a report, or a part of one.
enum AuditOutput<'a> {
    Report(AuditReport<'a>),
    Part(PartWriter),
}

impl<'a> From<AuditReport<'a>> for AuditOutput<'a> {
    fn from(report: AuditReport<'a>) -> Self {
        Self::Report(report)
    }
}

impl<'a> AuditOutput<'a> {
    fn begin(args: &'a Args, logs: u64, options: AuditOptions, io: &mut Io<'_>) -> io::Result<Self> {
        match args.shard {
            None => AuditReport::begin(args, options.not_judged, io).map(Self::Report),
            Some(shard) => PartWriter::begin(shard, logs, options, io).map(Self::Part),
        }
    }

    fn log(&mut self, log: &AuditedLog, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Report(report) => report.log(&log.rendered, out),
            Self::Part(part) => part.log(log, out),
        }
    }

    fn end(
        self,
        counts: &AuditCounts,
        games: SettledGames,
        failures: &mut SortedFailures,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        match self {
            Self::Report(report) => report.end(counts, games, failures, out),
            Self::Part(part) => Ok(part.end(failures, out)?),
        }
    }
}

/// Returns the keys that the caller gives, and then those that the policy alone names; each once.
pub fn keys(given: &[NoteVerifier], policy: Option<&TournamentPolicy>) -> Vec<NoteVerifier> {
    let promised = policy.iter().flat_map(|policy| policy.tree.keys.iter().cloned());
    let mut keys: Vec<NoteVerifier> = Vec::new();
    for key in given.iter().cloned().chain(promised) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

impl Audited {
    /// Returns the record that the log is a branch of, if it is one.
    pub(crate) fn branch(&self) -> Option<&Fork> {
        self.report.genesis.as_ref()?.fork_of.as_ref()
    }

    /// Returns the command that shows the record of a finding.
    fn show(&self, finding: &Finding) -> Option<String> {
        if self.path == "-" {
            return None;
        }
        // An unreadable record cannot be shown: the command shows the record before it.
        let malformed = self.report.findings.iter().find(|finding| finding.kind == FindingKind::Malformed);
        let readable =
            malformed.map_or(self.report.records, |finding| finding.record.min(self.report.records));
        let behind = finding.unproven || finding.record >= readable;
        let record = if behind { readable.checked_sub(1)? } else { finding.record };
        let viewer = if finding.position.is_some() && !behind { " --judge" } else { "" };
        Some(format!("canasta-replay show {} --at {record}{viewer}", quoted(&self.path)))
    }
}
