//! `publish --watch`: games in progress, opened, signed every minute, and closed when they end.

use super::{OpenSite, head_in_words, to_text};
use crate::shared::io::{Exit, Io, in_words};
use crate::shared::paths;
use crate::shared::text::{count, quoted};
use crate::tournament::looks;
use canasta_tournament::fault::SiteFault;
use canasta_tournament::forecast::ReadTree;
use canasta_tournament::growing::GrowingLog;
use canasta_tournament::leaf::Leaf;
use canasta_tournament::note::NoteSigner;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::publish::{NewGames, NewLogs, Obstacle, UnpublishedLeaf};
use canasta_tournament::timeline::Timeline;
use canasta_tournament::watch::News;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

/// The logs and the tree as the look before has left them.
#[derive(Default)]
struct LastLook {
    logs: BTreeMap<PathBuf, GrowingLog>,
    tree: ReadTree,
}

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

pub fn run(args: &super::Args, signer: &NoteSigner, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (policy, mut known) = (args.witnesses.policy()?, LastLook::default());
    looks::repeat(args.watch.every, args.watch.once, io, |now_ms, io| {
        look(args, signer, policy.as_ref(), (now_ms, &mut known), io)
    })
}

/// Looks at all logs once, and signs a checkpoint.
fn look(
    args: &super::Args,
    signer: &NoteSigner,
    policy: Option<&TournamentPolicy>,
    (now_ms, known): (i64, &mut LastLook),
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let open = match args.open(signer)? {
        Ok(open) => open,
        Err(obstacles) => return super::refuse(&obstacles, io),
    };
    open.read_on(&mut known.tree, policy)?;
    let timeline = &known.tree.timeline;
    if timeline.ended.is_some() {
        return io.finding("the tournament has ended: nothing was published");
    }
    let at_ms = timeline.not_before(now_ms);
    let mut logs = growing(args, timeline, &mut known.logs, io)?;
    let (news, leaves) = loop {
        let news = News::of(&logs, &args.paths, timeline, at_ms)?;
        let mut obstacles = Vec::new();
        let (leaves, faults) = leaves(args, &open, &news, (&known.tree, policy), &mut obstacles)?;
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
    let in_progress = news.in_progress.len() as u64 - news.closed(&leaves);
    let (head, exit) = args.extend(open, signer, &leaves, policy, io)?;
    let games = count(in_progress, "game");
    writeln!(io.out, "opened {opened}, closed {closed}, {games} in progress {}", head_in_words(&head))?;
    // A witness that does not answer is named, and asked again with the next checkpoint, if there is one.
    Ok(if args.watch.once { exit } else { Exit::Clean })
}

fn name(obstacles: &[Obstacle], what: &str, io: &mut Io<'_>) -> std::io::Result<()> {
    obstacles.iter().try_for_each(|obstacle| io.remark(format_args!("{}: {what}", to_text(obstacle))))
}

/// Reads what is new in the logs, and reports those that cannot be read, or must not be signed.
fn growing<'a>(
    args: &super::Args,
    timeline: &Timeline,
    known: &'a mut BTreeMap<PathBuf, GrowingLog>,
    io: &mut Io<'_>,
) -> anyhow::Result<Vec<&'a GrowingLog>> {
    let (paths, failures) = paths::logs(&args.paths)?;
    paths::report(&failures, io)?;
    let mut before = std::mem::take(known);
    for path in paths {
        match before.remove(&path).map_or_else(|| GrowingLog::read(&path), GrowingLog::again) {
            Ok(log) => known.extend(log.map(|log| (path, log))),
            Err(error) => io.remark(in_words(&error))?,
        }
    }
    let mut growing = Vec::new();
    for (path, log) in known {
        match log.refusal(timeline)? {
            Some(why) => {
                let log = quoted(&path.display().to_string());
                io.remark(format_args!("{log}: {why}: no record of it is signed"))?;
            }
            None => growing.push(&*log),
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
    (known, policy): (&ReadTree, Option<&TournamentPolicy>),
    obstacles: &mut Vec<Obstacle>,
) -> anyhow::Result<(Vec<UnpublishedLeaf>, Vec<SiteFault>)> {
    let (with_findings, threads) = (args.with_findings, args.threads);
    let ended = NewLogs { logs: &news.ended, named: &args.paths, with_findings, threads, policy };
    let NewGames { games, mut faults } =
        ended.audit(open.site.as_ref(), &open.files, &known.timeline, &|| (), obstacles)?;
    let closed: Vec<[u8; 16]> = games.iter().map(|game| game.entry.game_id).collect();
    let (heads, list) = news.heads(&closed);
    let openings = news.openings.iter().cloned();
    let openings = openings.map(|leaf: Leaf| UnpublishedLeaf::Milestone(leaf, None));
    let games = games.into_iter().map(UnpublishedLeaf::from);
    let leaves =
        openings.chain(games).chain([UnpublishedLeaf::Milestone(heads, Some(list))]).collect::<Vec<_>>();
    faults.extend(open.forecast(known, &leaves, policy)?);
    Ok((leaves, faults))
}
