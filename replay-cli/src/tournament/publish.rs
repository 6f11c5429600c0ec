//! `publish`: publishes games of a tournament, with a proof for every game, and games in progress.

mod milestones;
mod watch;
mod witnesses;

use crate::shared::io::{Exit, Io, OutputFormat, progress_bar};
use crate::shared::paths;
use crate::shared::text::{count, entries, hex, quoted};
use crate::tournament::audit_tournament::fault_text;
use anyhow::{Context, ensure};
use canasta_tournament::audit::KeptCheckpoint;
use canasta_tournament::checkpoint::{Checkpoint, check_origin};
use canasta_tournament::fault::SiteFault;
use canasta_tournament::files::Directory;
use canasta_tournament::forecast::{ReadTree, forecast};
use canasta_tournament::key_file;
use canasta_tournament::leaf::{Leaf, Milestone};
use canasta_tournament::note::NoteSigner;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::publish::{NewGames, NewLogs, Obstacle, UnpublishedLeaf, extend, load_published};
use canasta_tournament::site::Site;
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `publish`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Logs, and directories (searched for *.clog); games that are published already are left as they are
    #[arg(required_unless_present = "milestone", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The directory to publish in; it is created if it does not exist
    #[arg(short, long, value_name = "SITE")]
    out: PathBuf,
    /// The file of the private key, as keygen writes it
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Name of the tournament, best its address without https://; it can never change [default: the name of
    /// the key]
    #[arg(long, value_name = "NAME")]
    origin: Option<String>,
    /// A checkpoint of this tournament, kept elsewhere: the published tree must extend it, otherwise nothing
    /// is signed
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    /// Also publish games with findings: their entries contain the verdict
    #[arg(long)]
    with_findings: bool,
    /// Publish although an audit of the site would find faults for ever: a leaf before the others says so, with REASON
    /// or else the kinds of the faults
    #[arg(long, value_name = "REASON", num_args = 0..=1, require_equals = true, conflicts_with = "watch", value_parser = milestones::checked)]
    anyway: Option<Option<String>>,
    #[command(flatten)]
    milestones: milestones::MilestoneArgs,
    #[command(flatten)]
    watch: watch::WatchArgs,
    #[command(flatten)]
    witnesses: witnesses::WitnessArgs,
    /// Number of logs audited at once; 0 means one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Every log is audited first; if a log has findings, nothing is published. Nor is what an audit of the site, with \
--policy if it is given, would find for ever, and never a branch. What is published cannot be taken back or changed. A game whose log has grown (an appeal after its end) gets a further entry. Any web \
server can serve SITE as it is.

With --watch, games are fixed in public while they are played: a game that begins is opened, the heads of all \
games in progress are signed at least every minute, a game that has ended is audited and closed. A log with \
findings is named and stays open; the others are published.

Exit codes: 0 published; 1 refused, and nothing was published, or a witness did not cosign; 2 a file could not be read or written, and \
the same command again finishes the work.

Examples:
  canasta-replay publish tables --key event.key --origin open-2026.example -o site
  canasta-replay publish --watch tables --key event.key -o site
  canasta-replay publish --announce tables.txt --key event.key -o site";

/// A published tree that is open for writing.
struct OpenSite {
    files: Directory,
    /// The tree so far; `None` if nothing is published yet.
    site: Option<Site>,
}

impl Args {
    /// Opens the published tree and checks it. Returns what prevents publishing if it does not hold.
    fn open(&self, signer: &NoteSigner) -> anyhow::Result<Result<OpenSite, Vec<Obstacle>>> {
        let files = Directory::locked(&self.out).with_context(|| self.out.display().to_string())?;
        let since = self.since.as_deref().map(KeptCheckpoint::read).transpose()?;
        let mut obstacles = Vec::new();
        let site = load_published(&files, signer, self.origin.as_deref(), since.as_ref(), &mut obstacles)?;
        Ok(if obstacles.is_empty() { Ok(OpenSite { files, site }) } else { Err(obstacles) })
    }

    /// Adds leaves to the tree. Returns its new head, and whether all witnesses cosigned it.
    fn extend(
        &self,
        open: OpenSite,
        signer: &NoteSigner,
        news: &[UnpublishedLeaf],
        policy: Option<&TournamentPolicy>,
        io: &mut Io<'_>,
    ) -> anyhow::Result<(Checkpoint, Exit)> {
        let OpenSite { mut files, site } = open;
        let origin = || self.origin.as_deref().unwrap_or(signer.verifier().name()).to_owned();
        let site = site.unwrap_or_else(|| Site::new(&origin()));
        let witnesses = self.witnesses.open(policy);
        let mut missing = Vec::new();
        let mut cosign = |site: &Site, old| {
            let (lines, failures) = witnesses.ask(site, old);
            missing = failures;
            lines
        };
        let after = extend(&mut files, signer, site, news, &mut cosign)
            .with_context(|| self.out.display().to_string())?;
        for failure in &missing {
            io.remark(format_args!("published, and not cosigned by {failure}"))?;
        }
        Ok((after, Exit::clean_if(missing.is_empty())))
    }
}

impl OpenSite {
    /// Reads the tree on from what is known of it.
    fn read_on(&self, known: &mut ReadTree, policy: Option<&TournamentPolicy>) -> std::io::Result<()> {
        known.read_on(self.site.as_ref().unwrap_or(&Site::new("")), &self.files, policy)
    }

    /// Returns the faults that leaves would add to the tree.
    fn forecast(
        &self,
        known: &ReadTree,
        news: &[UnpublishedLeaf],
        policy: Option<&TournamentPolicy>,
    ) -> anyhow::Result<Vec<SiteFault>> {
        let empty = Site::new("");
        forecast(self.site.as_ref().unwrap_or(&empty), known, &self.files, news, policy)
    }
}

/// Returns a leaf that says that those behind it have faults.
fn anyway(reason: Option<&str>, faults: &[SiteFault], at_ms: i64) -> UnpublishedLeaf {
    let kinds: BTreeSet<String> = faults.iter().map(|fault| fault.kind.to_string()).collect();
    let kinds = || kinds.into_iter().collect::<Vec<_>>().join(", ");
    let reason = reason.map_or_else(kinds, str::to_owned);
    UnpublishedLeaf::Milestone(Leaf::Milestone(Milestone::Anyway { at_ms, reason }), None)
}

/// Returns the head of a tree in words.
fn head_in_words(head: &Checkpoint) -> String {
    format!("in {}: {}, root {}", head.origin, entries(head.size), hex(&head.root))
}

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let signer = key_file::read(&args.key)?;
    if let Some(origin) = &args.origin {
        check_origin(origin).with_context(|| format!("--origin {origin:?}"))?;
    }
    for path in &args.paths {
        paths::named_file(path, "a log from standard input has no name")?;
    }
    if args.watch.watch {
        return watch::run(args, &signer, io);
    }
    let (logs, failures) = paths::logs(&args.paths)?;
    if !failures.is_empty() {
        paths::report(&failures, io)?;
        return Ok(Exit::Failure);
    }
    let policy = args.witnesses.policy()?;
    let open = match args.open(&signer)? {
        Ok(open) => open,
        Err(obstacles) => return refuse(&obstacles, io),
    };
    let mut known = ReadTree::default();
    open.read_on(&mut known, policy.as_ref())?;
    let at_ms = known.timeline.not_before((io.clock.now_ms)());
    let mut news = args.milestones.leaves(at_ms)?;
    let milestones = news.len() as u64;
    let bar = progress_bar(logs.len() as u64, "{pos} of {len} logs", io.progress);
    let (with_findings, threads) = (args.with_findings, args.threads);
    let new = NewLogs { logs: &logs, named: &args.paths, with_findings, threads, policy: policy.as_ref() };
    let mut obstacles = Vec::new();
    let audited = || bar.inc(1);
    let NewGames { games, mut faults } =
        new.audit(open.site.as_ref(), &open.files, &known.timeline, &audited, &mut obstacles)?;
    bar.finish_and_clear();
    if !obstacles.is_empty() {
        return refuse(&obstacles, io);
    }
    let number = games.len() as u64;
    // Games come first, so that the end of a tournament stands behind them.
    news.splice(0..0, games.into_iter().map(UnpublishedLeaf::from));
    ensure!(open.site.is_some() || !news.is_empty(), "there are no games to publish");
    faults.extend(open.forecast(&known, &news, policy.as_ref())?);
    match &args.anyway {
        _ if faults.is_empty() => {}
        Some(reason) => news.insert(0, anyway(reason.as_deref(), &faults, at_ms)),
        None => return refuse(&faults.into_iter().map(Obstacle::Forecast).collect::<Vec<_>>(), io),
    }
    let (after, exit) = args.extend(open, &signer, &news, policy.as_ref(), io)?;
    if args.format == OutputFormat::Json {
        io.write_value(&json!({
            "format": "canasta-publish/1",
            "origin": after.origin,
            "published": number,
            "milestones": milestones,
            "size": after.size,
            "root": hex(&after.root),
        }))?;
        return Ok(exit);
    }
    let done = match (number, milestones) {
        (0, 0) => "nothing new".to_owned(),
        (_, 0) => format!("published {}", count(number, "game")),
        (0, _) => format!("published {}", count(milestones, "milestone")),
        _ => format!("published {} and {}", count(number, "game"), count(milestones, "milestone")),
    };
    writeln!(io.out, "{done} {}", head_in_words(&after))?;
    Ok(exit)
}

fn refuse(obstacles: &[Obstacle], io: &mut Io<'_>) -> anyhow::Result<Exit> {
    for obstacle in obstacles {
        io.remark(to_text(obstacle))?;
    }
    io.finding("nothing was published")
}

/// Returns the text of an obstacle, and the command that explains it.
fn to_text(obstacle: &Obstacle) -> String {
    let with_fault = |text: &str, fault| format!("{text}\n{}", fault_text(fault).trim_end());
    match obstacle {
        Obstacle::Origin { expected, found } => {
            format!("expected a tournament called {expected}, found {found}")
        }
        Obstacle::Damage(fault) => with_fault("what is published does not hold", fault),
        Obstacle::Forecast(fault) => {
            with_fault("an audit would find for ever (--anyway publishes it)", fault)
        }
        Obstacle::Log(log, reason) => format!("{}: {reason}", quoted(&log.display().to_string())),
        Obstacle::Audited(log, reason) => {
            let log = quoted(&log.display().to_string());
            format!("{log}: {reason}\n    -> canasta-replay audit {log}")
        }
    }
}
