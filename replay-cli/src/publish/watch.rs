//! `publish --watch`: games in progress, opened, signed every minute, and closed when they end.

use super::{OpenSite, to_text};
use crate::io::{Exit, Io};
use crate::paths;
use crate::text::count;
use canasta_tournament::leaf::Leaf;
use canasta_tournament::note::NoteSigner;
use canasta_tournament::publish::{NewLogs, UnpublishedLeaf};
use canasta_tournament::timeline::Timeline;
use canasta_tournament::watch::{GrowingLog, News};
use std::io::Write;
use std::time::Duration;

/// The arguments of `publish` about games in progress.
#[derive(clap::Args, Debug)]
#[group(id = "watching")]
pub struct WatchArgs {
    /// Publish games while they are played, until interrupted: PATHs are logs that grow, and directories of them
    #[arg(long)]
    pub watch: bool,
    /// Look once and end, for a program that starts this command every minute
    #[arg(long, requires = "watch")]
    once: bool,
    /// Seconds between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "watch", value_parser = clap::value_parser!(u32).range(1..=60))]
    every: u32,
}

/// Publishes at intervals until the clock says that the command must end. A failure of one look is reported, and the
/// next look tries again; alone, or as the first, it ends the command.
pub fn run(args: &super::Args, signer: &NoteSigner, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let mut has_looked = false;
    loop {
        let began = (io.clock.now_ms)();
        match look(args, signer, began, io) {
            Ok(Exit::Clean) => has_looked = true,
            Ok(exit) => return Ok(exit),
            Err(error) if has_looked && !args.watch.once => {
                writeln!(io.err, "canasta-replay: {}", crate::io::in_words(&error))?;
            }
            Err(error) => return Err(error),
        }
        io.out.flush()?;
        let every = Duration::from_secs(args.watch.every.into());
        let took = u64::try_from((io.clock.now_ms)().saturating_sub(began)).unwrap_or(0);
        if args.watch.once || !(io.clock.wait)(every.saturating_sub(Duration::from_millis(took))) {
            return Ok(Exit::Clean);
        }
    }
}

/// Looks at all logs once, and signs a checkpoint.
fn look(args: &super::Args, signer: &NoteSigner, now_ms: i64, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let open = match args.open(signer)? {
        Ok(open) => open,
        Err(obstacles) => return super::refuse(&obstacles, io),
    };
    let timeline = match &open.site {
        Some(site) => Timeline::read(site, &open.files, None, &mut Vec::new())?,
        None => Timeline::default(),
    };
    if timeline.ended.is_some() {
        writeln!(io.err, "canasta-replay: the tournament has ended: nothing was published")?;
        return Ok(Exit::Findings);
    }
    // A clock that was set back must not contradict what is signed.
    let at_ms = timeline.latest_ms.map_or(now_ms, |latest| latest.max(now_ms));
    let news = News::of(&growing(args, io)?, &args.paths, &timeline, at_ms)?;
    let leaves = leaves(args, &open, &news, at_ms, io)?;
    let closed = leaves.iter().filter(|of| matches!(of, UnpublishedLeaf::Game(_))).count() as u64;
    let opened = news.openings.len() as u64;
    let in_progress = news.in_progress.len() as u64 - closed;
    let head = args.extend(open, signer, &leaves)?;
    let games = count(in_progress, "game");
    writeln!(io.out, "opened {opened}, closed {closed}, {games} in progress {head}")?;
    Ok(Exit::Clean)
}

/// Reads the logs, and reports those that cannot be read.
fn growing(args: &super::Args, io: &mut Io<'_>) -> anyhow::Result<Vec<GrowingLog>> {
    let (logs, failures) = paths::logs(&args.paths)?;
    paths::report(&failures, io)?;
    let mut growing = Vec::new();
    for log in logs {
        match GrowingLog::read(&log) {
            Ok(log) => growing.extend(log),
            Err(error) => writeln!(io.err, "canasta-replay: {}", crate::io::in_words(&error))?,
        }
    }
    Ok(growing)
}

/// Returns the leaves of one look: openings, games that have ended, the heads of those in progress.
fn leaves(
    args: &super::Args,
    open: &OpenSite,
    news: &News,
    at_ms: i64,
    io: &mut Io<'_>,
) -> anyhow::Result<Vec<UnpublishedLeaf>> {
    let (with_findings, threads) = (args.with_findings, args.threads);
    let ended = NewLogs { logs: &news.ended, named: &args.paths, with_findings, threads };
    let mut obstacles = Vec::new();
    let games = ended.audit(open.site.as_ref(), &open.files, &|| (), &mut obstacles)?;
    for obstacle in &obstacles {
        writeln!(io.err, "canasta-replay: {}: stays open", to_text(obstacle))?;
    }
    let closed: Vec<[u8; 16]> = games.iter().map(|game| game.entry.game_id).collect();
    let (heads, list) = news.heads(&closed, at_ms);
    let openings = news.openings.iter().cloned();
    let openings = openings.map(|leaf: Leaf| UnpublishedLeaf::Milestone(leaf, None));
    let games = games.into_iter().map(UnpublishedLeaf::from);
    Ok(openings.chain(games).chain([UnpublishedLeaf::Milestone(heads, Some(list))]).collect())
}
