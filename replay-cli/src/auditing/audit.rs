//! `audit`: judges logs with nothing but their own bytes.

mod advice;
mod beacons;
pub(crate) mod games;
pub(crate) mod json;
pub(crate) mod one_log;
mod play;
mod report;
pub(crate) mod signed;
pub(crate) mod standings;
pub(crate) mod summary;
pub(crate) mod text;

use crate::shared::io::{Exit, Io};
use crate::shared::parallel;
use crate::shared::paths::{self, LogPaths};
use crate::shared::text::{parse_head, parse_key, quoted};
use anyhow::bail;
use canasta_engine::citation::Books;
use canasta_engine::log::Head;
use canasta_engine::log::audit::{Expect, PreparedRules, Report};
use canasta_engine::log::finding::{Finding, FindingKind};
use canasta_engine::log::record::Fork;
use canasta_engine::rules::Rules;
use canasta_tournament::note::NoteVerifier;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::promises;
use canasta_tournament::reserve::Outside;
use clap::ValueEnum;
use one_log::{Demands, LogAudit};
use report::AuditReport;
use standings::Ranking;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use summary::{AuditSummary, AuditedLog, LogSummary};

/// The arguments of `audit`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Logs, directories (searched for *.clog), or - for standard input
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
    /// Also rank the teams, over all clean games
    #[arg(long)]
    standings: bool,
    /// Order of the standings
    #[arg(long, value_enum, default_value_t, requires = "standings")]
    ranking: Ranking,
    /// Number of logs audited at once; 0 means one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// KiB of memory for each of the lists that grow with the number of logs (paths, games, reports of
    /// logs); what exceeds it goes to temporary files
    #[arg(long, value_name = "KIB", default_value_t = LIST_KIB, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    buffer: u32,
}

/// The default of `--buffer`.
const LIST_KIB: u32 = (paths::LIST_MEMORY / 1024) as u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum AuditFormat {
    /// For people
    #[default]
    Text,
    /// For programs: canasta-audit/1, described by docs/audit.schema.json
    Json,
    /// For programs, while the audit runs: one log per line, then the rest of canasta-audit/1 as the last line
    Jsonl,
}

impl Args {
    /// Returns the memory of each list in bytes.
    fn limit(&self) -> usize {
        self.buffer as usize * 1024
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
  canasta-replay audit games --strict --key \"$(cat event.pub)\" --standings
  canasta-replay audit games --strict --policy open-2026.toml
  canasta-replay audit --live --head 3c9f...e1 table-0417.clog
  gzip -dc old.clog.gz | canasta-replay audit -";

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
    let (mut logs, mut failures) = LogPaths::find(&args.paths, args.limit())?;
    if args.head.is_some() && logs.count() != 1 {
        bail!("--head needs exactly one log, found {}", logs.count());
    }
    paths::named_once(&args.paths)?;
    let policy = TournamentPolicy::named(args.policy.as_deref())?;
    let keys = keys(&args.key, policy.as_ref());
    let expect = Expect { live: args.live, head: args.head, record: None, salvage: args.salvage };
    let outside =
        Outside { keys: &keys, demanded: args.key.len(), policy: policy.as_ref(), names_players: true };
    let demands = Demands { outside, strict: args.strict, beacons: None };
    let mut report = AuditReport::begin(args.format, args.limit(), io)?;
    let is_only = logs.count() == 1;
    let render = |log: &Audited| match args.format {
        AuditFormat::Text if is_only || log.is_named() => text::log(log),
        AuditFormat::Text => String::new(),
        AuditFormat::Json | AuditFormat::Jsonl => json::log(log),
    };
    // The rule sets of the logs so far.
    let prepared = Mutex::<PreparedRules>::default();
    let prepared = || prepared.lock().unwrap_or_else(PoisonError::into_inner);
    let audit = |path: &Path, reader: &mut dyn Read, tap: &mut dyn FnMut(&[u8])| {
        let rules = prepared().clone();
        let log = LogAudit { expect, demands, rules }.run(path, reader, tap, None)?;
        log.rules.iter().for_each(|rules| prepared().add(rules));
        Ok(AuditedLog { rendered: render(&log), counted: LogSummary::of(&log) })
    };
    let mut summary = AuditSummary::new(args.limit());
    parallel::each(&mut logs, args.threads, io, &audit, AuditedLog::size, |io, outcome| {
        match outcome {
            Ok(log) => {
                report.log(&log.rendered, &mut io.out)?;
                summary.add(log.counted)?;
            }
            Err(failure) => failures.add(&failure)?,
        }
        Ok(())
    })?;
    let (counts, mut games) = summary.settle(args.standings.then_some(args.ranking))?;
    games.not_judged = policy.as_ref().map_or(Vec::new(), promises::of_tree);
    let has_findings = counts.failed > 0 || games.forks > 0;
    report.end(&counts, &mut games, &mut failures, &mut io.out)?;
    failures.report(io)?;
    Ok(if failures.count() > 0 { Exit::Failure } else { Exit::clean_if(!has_findings) })
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
    /// Whether the text of many logs names this one: it has findings, or counts nowhere.
    fn is_named(&self) -> bool {
        !self.report.findings.is_empty() || self.report.uncounted().is_some()
    }

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
