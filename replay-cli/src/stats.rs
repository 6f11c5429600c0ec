//! `stats`: counts over many games.

mod balance;
mod chance;
mod html;
mod json;
mod luck;
mod sections;
mod spread;
mod tally;
mod text;
mod watcher;

use crate::audit::Audited;
use crate::audit::batch::LogAudit;
use crate::audit::summary::genesis_hash;
use crate::io::{Exit, Io};
use crate::output::OutputFile;
use crate::parallel;
use crate::paths::{self, Failure, LogPaths};
use crate::text::rules_of;
use anyhow::bail;
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::Verdict;
use canasta_engine::log::record::DealMode;
use canasta_engine::log::replay::Step;
use canasta_engine::rules::Rules;
use clap::ValueEnum;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use tally::GameStats;
use watcher::{Records, StatsWatcher};

/// Maximum number of left-out logs that are named; further ones are only counted.
const NAMED_MAX: usize = 1000;

/// Size of the counts of one game in memory, in bytes, most of it the sums of each group of hands. Results that wait for
/// those before them take no more than the queue allows.
const RESULT_BYTES: usize = 128 << 10;

/// The arguments of `stats`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Logs, directories (searched for *.clog), or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: StatsFormat,
    /// Also write the result as a page: one file that loads nothing
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite FILE if it exists; a file that is read is never written over
    #[arg(long, requires = "html")]
    force: bool,
    /// Also let bots play every deal again from each rotation of the seats, and judge the luck of the deals: some
    /// thousand rounds per minute
    #[arg(long)]
    luck: bool,
    /// Number of logs read at once; 0 means one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// The format of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum StatsFormat {
    /// For people
    #[default]
    Text,
    /// For programs: canasta-stats/1, described in docs/STATS.md
    Json,
    /// For spreadsheets: one row per number
    Csv,
}

const EXAMPLES: &str = "\
Every log is audited first. A game counts once, if it has ended and its verdict is CLEAN or RULED; all \
other logs are named with the reason and left out. Each rule set has its own counts.

Exit codes: 0 every log counts; 1 some logs are left out; 2 a file could not be read or found.

Examples:
  canasta-replay stats games
  canasta-replay stats season/*.clog --html season.html
  canasta-replay stats season --luck
  canasta-replay stats games --format json > stats.json";

/// The result over all logs.
#[derive(Default)]
pub struct Stats {
    /// Number of logs that were read.
    pub logs: u64,
    pub groups: BTreeMap<(String, [u8; 32]), RuleSetGames>,
    /// Path and reason of each log that does not count.
    pub left_out: Vec<(String, String)>,
    /// Number of further logs that do not count.
    pub more_left_out: u64,
}

/// The games of one rule set.
pub struct RuleSetGames {
    pub rules: Rules,
    pub tally: GameStats,
}

/// The counts of one log.
struct CountedLog {
    path: String,
    /// The first bytes of the first record's hash, which tell games apart.
    game: Option<[u8; 16]>,
    outcome: Result<Box<RuleSetGames>, String>,
}

/// Counts, and writes the counts.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (mut logs, mut failures) = LogPaths::find(&args.paths, paths::LIST_MEMORY)?;
    if args.paths.iter().filter(|path| paths::is_stdin(path)).count() > 1 {
        bail!("standard input can be read only once, found - twice");
    }
    let page = args.html.as_ref().map(|file| OutputFile::new(file, args.force, &args.paths)).transpose()?;
    let mut stats = Stats::default();
    let mut seen = BTreeSet::new();
    let size = |counted: &CountedLog| counted.path.len() + RESULT_BYTES;
    let count =
        |path: &Path, reader: &mut dyn Read, tap: &mut dyn FnMut(&[u8])| count(path, reader, tap, args.luck);
    parallel::each(&mut logs, args.threads, io, &count, size, |_, outcome| {
        match outcome {
            Ok(counted) => stats.add(counted, &mut seen),
            Err(failure) => failures.add(&failure)?,
        }
        Ok(())
    })?;
    match args.format {
        StatsFormat::Text => text::write(&stats, &mut io.out)?,
        StatsFormat::Json => json::write(&stats, &mut io.out)?,
        StatsFormat::Csv => json::write_csv(&stats, &mut io.out)?,
    }
    if let Some(page) = page {
        page.write(html::page(&stats).as_bytes(), &mut io.out)?;
    }
    let mut failures = failures.finish();
    failures.report(io)?;
    Ok(if failures.count() > 0 {
        Exit::Failure
    } else if stats.left_out.is_empty() {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

/// Counts one log. Memory is bounded by one round, however long the log.
fn count(
    path: &Path,
    reader: &mut dyn Read,
    tap: &mut dyn FnMut(&[u8]),
    luck: bool,
) -> Result<CountedLog, Failure> {
    let audit = LogAudit::default();
    let (mut records, mut watcher) = (Records::default(), StatsWatcher::new(luck));
    let mut take = |piece: &[u8]| {
        tap(piece);
        records.take(piece);
    };
    let mut watch = |step: &Step<'_>| watcher.watch(step);
    let Audited { path, report, .. } = audit.run(path, reader, &mut take, Some(&mut watch))?;
    let game = report.genesis.as_ref().and_then(genesis_hash);
    let game = game.and_then(|hash| hash.first_chunk().copied());
    let outcome = match (left_out(&report), report.genesis.as_ref().and_then(rules_of)) {
        (None, Some(rules)) => Ok(Box::new(RuleSetGames { rules, tally: watcher.finish(&report, records) })),
        (reason, _) => Err(reason.unwrap_or_else(|| "no rule set that this version plays".into())),
    };
    Ok(CountedLog { path, game, outcome })
}

/// Returns the reason why a log does not count, if it does not.
fn left_out(report: &Report) -> Option<String> {
    let finding = report.findings.first();
    let found = finding.map(|found| format!("{} at record {}", found.kind.name(), found.record));
    match report.verdict {
        Verdict::Clean | Verdict::Ruled => {
            let transcribed =
                report.genesis.as_ref().is_some_and(|genesis| genesis.mode == DealMode::Transcribed);
            transcribed.then(|| "transcribed: not every card is known".into())
        }
        Verdict::NotALog => finding.map(|found| format!("{}: {}", report.verdict.name(), found.detail)),
        verdict => Some(match found {
            Some(found) => format!("{}: {found}", verdict.name()),
            None => format!("{}: not all of it can be judged", verdict.name()),
        }),
    }
}

impl Stats {
    fn add(&mut self, counted: CountedLog, seen: &mut BTreeSet<[u8; 16]>) {
        self.logs += 1;
        let outcome = counted.outcome.and_then(|group| {
            let new = counted.game.is_none_or(|game| seen.insert(game));
            if new { Ok(group) } else { Err("its game is counted already".into()) }
        });
        match outcome {
            Ok(group) => {
                let key = (group.rules.id().to_owned(), *group.rules.digest());
                match self.groups.get_mut(&key) {
                    Some(all) => all.tally.merge(&group.tally),
                    None => {
                        self.groups.insert(key, *group);
                    }
                }
            }
            Err(reason) if self.left_out.len() < NAMED_MAX => self.left_out.push((counted.path, reason)),
            Err(_) => self.more_left_out += 1,
        }
    }

    /// Returns the number of games that count.
    pub fn games(&self) -> u64 {
        self.groups.values().map(|group| group.tally.games).sum()
    }
}
