//! `publish`: publishes games of a tournament, with a proof for every game.

use crate::io::{Exit, Io, OutputFormat, progress_bar};
use crate::paths;
use crate::text::{count, entries, hex, quoted};
use anyhow::{Context, ensure};
use canasta_tournament::audit::KeptCheckpoint;
use canasta_tournament::checkpoint::check_origin;
use canasta_tournament::files::Directory;
use canasta_tournament::key_file;
use canasta_tournament::publish::{NewLogs, Obstacle, extend, load_published};
use canasta_tournament::site::Site;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `publish`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Logs, and directories (searched for *.clog); games that are published already are left as they are
    #[arg(required = true, value_name = "PATH")]
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
    /// Number of logs audited at once; 0 means one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Every log is audited first; if a log has findings, nothing is published. What is published cannot be \
taken back or changed. A game whose log has grown (an appeal after its end) gets a further entry. Any web \
server can serve SITE as it is.

Exit codes: 0 published; 1 refused, and nothing was published; 2 a file could not be read or written, and \
the same command again finishes the work.

Example:
  canasta-replay publish tables --key event.key --origin open-2026.example -o site";

/// Publishes the games.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let signer = key_file::read(&args.key)?;
    if let Some(origin) = &args.origin {
        check_origin(origin).with_context(|| format!("--origin {origin:?}"))?;
    }
    for path in &args.paths {
        paths::named_file(path, "a log from standard input has no name")?;
    }
    let (logs, failures) = paths::logs(&args.paths)?;
    if !failures.is_empty() {
        paths::report(&failures, io)?;
        return Ok(Exit::Failure);
    }
    let name = || args.out.display().to_string();
    let mut files = Directory::locked(&args.out).with_context(name)?;
    let since = args.since.as_deref().map(KeptCheckpoint::read).transpose()?;
    let mut obstacles = Vec::new();
    let before = load_published(&files, &signer, args.origin.as_deref(), since.as_ref(), &mut obstacles)?;
    let games = if obstacles.is_empty() {
        let bar = progress_bar(logs.len() as u64, "{pos} of {len} logs", io.progress);
        let (with_findings, threads) = (args.with_findings, args.threads);
        let new = NewLogs { logs: &logs, named: &args.paths, with_findings, threads };
        let games = new.audit(before.as_ref(), &files, &|| bar.inc(1), &mut obstacles)?;
        bar.finish_and_clear();
        games
    } else {
        Vec::new()
    };
    if !obstacles.is_empty() {
        for obstacle in &obstacles {
            writeln!(io.err, "canasta-replay: {}", to_text(obstacle))?;
        }
        writeln!(io.err, "canasta-replay: nothing was published")?;
        return Ok(Exit::Findings);
    }
    ensure!(before.is_some() || !games.is_empty(), "there are no games to publish");
    let new = games.len() as u64;
    let site =
        before.unwrap_or_else(|| Site::new(args.origin.as_deref().unwrap_or(signer.verifier().name())));
    let after = extend(&mut files, &signer, site, &games).with_context(name)?;
    if args.format == OutputFormat::Json {
        let (origin, size, root) = (&after.origin, after.size, hex(&after.root));
        let value = json!({
            "format": "canasta-publish/1",
            "origin": origin,
            "published": new,
            "size": size,
            "root": root,
        });
        writeln!(io.out, "{value}")?;
        return Ok(Exit::Clean);
    }
    let done = if new == 0 { "nothing new".into() } else { format!("published {}", count(new, "game")) };
    writeln!(io.out, "{done} in {}: {}, root {}", after.origin, entries(after.size), hex(&after.root))?;
    Ok(Exit::Clean)
}

/// Returns the text of an obstacle, and the command that explains it.
fn to_text(obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Origin { expected, found } => {
            format!("expected a tournament called {expected}, found {found}")
        }
        Obstacle::Damage(fault) => {
            let fault = crate::audit_tournament::fault_text(fault);
            format!("what is published does not hold\n{}", fault.trim_end())
        }
        Obstacle::Log { log, reason } => {
            let log = quoted(&log.display().to_string());
            let hint = match reason.is_explained_by_audit() {
                true => format!("\n    -> canasta-replay audit {log}"),
                false => String::new(),
            };
            format!("{log}: {reason}{hint}")
        }
    }
}
