//! `stats`: counts over many games.

mod balance;
mod chance;
mod german;
mod html;
mod json;
mod luck;
pub(crate) mod review;
mod sections;
mod sorts;
mod spread;
mod tally;
mod text;
mod watcher;

use crate::auditing::audit::Audited;
use crate::auditing::audit::games::{CountedGame, GameOfLog};
use crate::auditing::audit::one_log::LogAudit;
use crate::auditing::audit::summary::game_key;
use crate::auditing::diff::copy::LogCopy;
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::output::OutputFile;
use crate::shared::parallel;
use crate::shared::paths::{self, Failure, LogPaths};
use crate::shared::text::{levels, rules_of};
use canasta_engine::bot::Level;
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::Verdict;
use canasta_engine::log::record::DealMode;
use canasta_engine::rules::Rules;
use chance::Hypergeometric;
use sorts::SORTS;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use tally::{GameStats, Sort};
use watcher::StatsWatcher;

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
    format: OutputFormat,
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
    /// The level of these bots, 1 to 6 (docs/play/BOT.md); with --luck
    #[arg(long, value_name = "N", default_value = "2", requires = "luck", value_parser = levels(1))]
    level: Level,
    /// Number of logs read at once; 0 means one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
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
    /// Path and reason of each log that does not count, by the number of the log.
    pub left_out: BTreeMap<u64, (String, String)>,
    /// Number of further logs that do not count.
    pub more_left_out: u64,
}

pub struct RuleSetGames {
    pub rules: Rules,
    pub tally: GameStats,
}

impl RuleSetGames {
    /// Returns each sort of which the pack has cards: its name, its distribution in an honest deal, and what was dealt.
    fn sorts(&self) -> impl Iterator<Item = (&'static str, Hypergeometric, &Sort)> {
        let (set, dealt) = (self.rules.set(), &self.tally.fairness);
        let sorts = SORTS.iter().zip(dealt).map(|((name, is), dealt)| {
            let sort = set.deck().iter().filter(|&card| is(card)).count() as u32;
            (*name, Hypergeometric { pack: set.deck_size(), sort, hand: set.hand_size.into() }, dealt)
        });
        sorts.filter(|(_, law, _)| law.sort > 0)
    }
}

struct CountedLog {
    number: u64,
    path: String,
    /// Key of the game, and what tells its logs apart.
    game: Option<([u8; 16], GameOfLog)>,
    outcome: Result<Box<RuleSetGames>, String>,
}

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    io.speak(args.format);
    let (mut logs, mut failures) = LogPaths::find(&args.paths, paths::LIST_MEMORY)?;
    paths::named_once(&args.paths)?;
    let page = args.html.as_ref().map(|file| OutputFile::new(file, args.force, &args.paths)).transpose()?;
    let mut stats = Stats::default();
    // Which of several logs of one game counts is known at the end.
    let (repeated, is_any) = repeated(&mut logs)?;
    let mut held: BTreeMap<[u8; 16], Vec<CountedLog>> = BTreeMap::new();
    let mut numbers = 0u64..;
    let size = |counted: &CountedLog| counted.path.len() + RESULT_BYTES;
    let level = args.luck.then_some(args.level);
    let count =
        |path: &Path, reader: &mut dyn Read, tap: &mut dyn FnMut(&[u8])| count(path, reader, tap, level);
    parallel::each(&mut logs, args.threads, io, &count, size, |_, outcome| {
        match outcome.map(|counted| CountedLog { number: numbers.next().unwrap_or_default(), ..counted }) {
            Ok(counted) => match counted.game.as_ref().map(|(id, _)| *id) {
                Some(id) if is_any || repeated.contains(&id) => held.entry(id).or_default().push(counted),
                _ => stats.add(counted),
            },
            Err(failure) => failures.add(&failure)?,
        }
        Ok(())
    })?;
    held.into_values().for_each(|logs| stats.add_game(logs));
    match args.format {
        OutputFormat::Text => text::write(&stats, io.language, &mut io.out)?,
        OutputFormat::Json => io.write_value(&json::value(&stats))?,
    }
    if let Some(page) = page {
        page.write(html::page(&stats, io.language).as_bytes(), &mut io.out)?;
    }
    failures.report(io)?;
    Ok(if failures.count() > 0 { Exit::Failure } else { Exit::clean_if(stats.left_out.is_empty()) })
}

/// Counts one log. Memory is bounded by one round, however long the log.
fn count(
    path: &Path,
    reader: &mut dyn Read,
    tap: &mut dyn FnMut(&[u8]),
    luck: Option<Level>,
) -> Result<CountedLog, Failure> {
    let audit = LogAudit::default();
    let mut watcher = StatsWatcher::new(luck);
    let audited = audit.run(path, reader, tap, Some(&mut watcher))?;
    let game = GameOfLog::of(&audited);
    let Audited { path, report, .. } = audited;
    let outcome = match (left_out(&report), report.genesis.as_ref().and_then(rules_of)) {
        (None, Some(rules)) => Ok(Box::new(RuleSetGames { rules, tally: watcher.finish(&report) })),
        (reason, _) => Err(reason.unwrap_or_else(|| "no rule set that this version plays".into())),
    };
    Ok(CountedLog { number: 0, path, game, outcome })
}

/// Returns the keys of games that several of the logs have, and whether any key may be one: pipes can be read only once.
fn repeated(logs: &mut LogPaths) -> std::io::Result<(BTreeSet<[u8; 16]>, bool)> {
    let (mut seen, mut repeated, mut is_any) = (BTreeSet::new(), BTreeSet::new(), false);
    let is_one = logs.count() == 1;
    for path in logs.iter()?.filter(|_| !is_one) {
        let path = path?;
        if !path.is_file() {
            is_any = true;
            continue;
        }
        // A log that cannot be read is a failure of its own.
        let Ok(mut log) = LogCopy::open(&path, &[]) else { continue };
        let id = log.next().ok().and_then(|_| Some(game_key(log.genesis.as_ref()?)));
        repeated.extend(id.filter(|id| !seen.insert(*id)));
    }
    Ok((repeated, is_any))
}

/// Returns the reason why a log does not count, if it does not.
fn left_out(report: &Report) -> Option<String> {
    if let Some(reason) = report.uncounted() {
        return Some(reason);
    }
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
    /// Adds the logs of one game, of which one counts at most.
    fn add_game(&mut self, mut logs: Vec<CountedLog>) {
        let mut told = logs.iter_mut().filter_map(|log| Some((log.number, log.game.take()?.1)));
        let Some((first, log)) = told.next() else { return };
        let mut game = CountedGame::new(first, log);
        told.for_each(|(number, log)| drop(game.add(number, log)));
        for mut log in logs {
            if !game.counts() || log.number != game.number {
                let reason = match game.contested {
                    true => "FORKED: another log of its game goes another way",
                    false => "its game is counted already",
                };
                log.outcome = log.outcome.and(Err(reason.into()));
            }
            self.add(log);
        }
    }

    fn add(&mut self, counted: CountedLog) {
        self.logs += 1;
        match counted.outcome {
            Ok(group) => {
                let key = (group.rules.id().to_owned(), *group.rules.digest());
                match self.groups.get_mut(&key) {
                    Some(all) => all.tally.merge(&group.tally),
                    None => {
                        self.groups.insert(key, *group);
                    }
                }
            }
            Err(reason) if self.left_out.len() < NAMED_MAX => {
                self.left_out.insert(counted.number, (counted.path, reason));
            }
            Err(_) => self.more_left_out += 1,
        }
    }

    /// Returns the number of games that count.
    pub fn games(&self) -> u64 {
        self.groups.values().map(|group| group.tally.games).sum()
    }
}
