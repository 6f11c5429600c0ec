//! `publish --watch`: games in progress, opened, signed every minute, and closed when they end.

use super::{OpenSite, head_in_words, to_text};
use crate::shared::io::{Exit, Io};
use crate::shared::paths;
use crate::shared::text::{count, quoted};
use canasta_tournament::fault::SiteFault;
use canasta_tournament::leaf::Leaf;
use canasta_tournament::note::NoteSigner;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::publish::{NewGames, NewLogs, Obstacle, UnpublishedLeaf};
use canasta_tournament::timeline::Timeline;
use canasta_tournament::watch::{GrowingLog, News};
use std::collections::BTreeSet;
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
                writeln!(io.err, "canasta-replay: {}", crate::shared::io::in_words(&error))?;
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
    let (timeline, policy) = (open.timeline()?, args.witnesses.policy()?);
    if timeline.ended.is_some() {
        writeln!(io.err, "canasta-replay: the tournament has ended: nothing was published")?;
        return Ok(Exit::Findings);
    }
    let at_ms = timeline.not_before(now_ms);
    let mut logs = growing(args, &timeline, io)?;
    let (news, leaves) = loop {
        let news = News::of(&logs, &args.paths, &timeline, at_ms)?;
        let mut obstacles = Vec::new();
        let (leaves, faults) = leaves(args, &open, &news, (&timeline, policy.as_ref()), &mut obstacles)?;
        let refused: BTreeSet<[u8; 16]> = faults.iter().filter_map(|fault| fault.game_id).collect();
        if faults.is_empty() {
            name(&obstacles, "stays open", io)?;
            break (news, leaves);
        }
        let faults: Vec<Obstacle> = faults.into_iter().map(Obstacle::Forecast).collect();
        let number = logs.len();
        logs.retain(|log| !refused.contains(&log.genesis.game_id));
        if logs.len() == number {
            return super::refuse(&faults, io);
        }
        name(&faults, "left out", io)?;
    };
    let closed = leaves.iter().filter(|of| matches!(of, UnpublishedLeaf::Game(_))).count() as u64;
    let opened = news.openings.len() as u64;
    let in_progress = news.in_progress.len() as u64 - closed;
    let (head, exit) = args.extend(open, signer, &leaves, policy.as_ref(), io)?;
    let games = count(in_progress, "game");
    writeln!(io.out, "opened {opened}, closed {closed}, {games} in progress {}", head_in_words(&head))?;
    // A witness that does not answer is named, and asked again with the next checkpoint, if there is one.
    Ok(if args.watch.once { exit } else { Exit::Clean })
}

/// Names what is not published.
fn name(obstacles: &[Obstacle], what: &str, io: &mut Io<'_>) -> std::io::Result<()> {
    obstacles
        .iter()
        .try_for_each(|obstacle| writeln!(io.err, "canasta-replay: {}: {what}", to_text(obstacle)))
}

/// Reads the logs, and reports those that cannot be read, or must not be signed.
fn growing(args: &super::Args, timeline: &Timeline, io: &mut Io<'_>) -> anyhow::Result<Vec<GrowingLog>> {
    let (logs, failures) = paths::logs(&args.paths)?;
    paths::report(&failures, io)?;
    let mut growing = Vec::new();
    for log in logs {
        let read = GrowingLog::read(&log);
        let refusal = read.and_then(|read| {
            let refusal = read.as_ref().map(|log| log.refusal(timeline)).transpose()?;
            Ok((read, refusal.flatten()))
        });
        match refusal {
            Ok((_, Some(why))) => {
                let log = quoted(&log.display().to_string());
                writeln!(io.err, "canasta-replay: {log}: {why}: no record of it is signed")?;
            }
            Ok((log, None)) => growing.extend(log),
            Err(error) => writeln!(io.err, "canasta-replay: {}", crate::shared::io::in_words(&error))?,
        }
    }
    Ok(growing)
}

/// Returns the leaves of one look: openings, games that have ended, the heads of those in progress; and what an audit
/// would find in them.
fn leaves(
    args: &super::Args,
    open: &OpenSite,
    news: &News,
    (timeline, policy): (&Timeline, Option<&TournamentPolicy>),
    obstacles: &mut Vec<Obstacle>,
) -> anyhow::Result<(Vec<UnpublishedLeaf>, Vec<SiteFault>)> {
    let (with_findings, threads) = (args.with_findings, args.threads);
    let ended = NewLogs { logs: &news.ended, named: &args.paths, with_findings, threads, policy };
    let NewGames { games, mut faults } =
        ended.audit(open.site.as_ref(), &open.files, timeline, &|| (), obstacles)?;
    let closed: Vec<[u8; 16]> = games.iter().map(|game| game.entry.game_id).collect();
    let (heads, list) = news.heads(&closed);
    let openings = news.openings.iter().cloned();
    let openings = openings.map(|leaf: Leaf| UnpublishedLeaf::Milestone(leaf, None));
    let games = games.into_iter().map(UnpublishedLeaf::from);
    let leaves =
        openings.chain(games).chain([UnpublishedLeaf::Milestone(heads, Some(list))]).collect::<Vec<_>>();
    faults.extend(open.forecast(&leaves, policy)?);
    Ok((leaves, faults))
}
