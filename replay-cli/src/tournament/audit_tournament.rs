//! `audit-tournament`: checks what is published of a tournament, or the proof of one game.

mod json;
mod text;

use crate::shared::io::{Exit, Io, OutputFormat, progress_bar};
use crate::shared::paths;
use crate::shared::text::{hex, parse_key, quoted};
use anyhow::{Context, bail};
use canasta_engine::text::time;
use canasta_tournament::audit::{
    Announced, Evidence, KeptCheckpoint, TournamentReport, audit_proof, audit_site,
};
use canasta_tournament::fault::{FAULTS_MAX, FaultKind, SiteFault};
use canasta_tournament::note::NoteVerifier;
use canasta_tournament::paper::PublishedPaper;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::site::CHECKPOINT;
use std::fs;
use std::path::PathBuf;

/// The arguments of `audit-tournament`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The published directory, or the proof of one game (*.tlog-proof)
    #[arg(value_name = "SITE")]
    site: PathBuf,
    /// Your own copies of logs: each must be in the tree unchanged
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// A public key, as keygen prints it, obtained from elsewhere than the site: the key must have signed the
    /// checkpoint and every proof. May be given several times
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Vec<NoteVerifier>,
    /// A checkpoint that you kept: the tree must extend it
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    /// A list of games that must be in the tree: each line begins with a game id, 32 lower-case hex digits
    #[arg(long, value_name = "FILE")]
    announced: Option<PathBuf>,
    /// The promises of the tournament (TOML, docs/TOURNAMENT.md): the tree and every log are held to them, and its keys
    /// count as --key
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Report what is not proven as a finding
    #[arg(long)]
    strict: bool,
    /// The time at which the site is judged, 2026-01-31T12:00:00Z or with .000 before the Z [default: now]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    now: Option<i64>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
    /// Number of logs audited at once; 0 means one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

const EXAMPLES: &str = "\
The tree is computed again from every entry and compared with the tiles and the signed checkpoint. Every \
log is audited and compared with its entry, every proof is followed, and tiles of earlier checkpoints are \
compared. Files that none of these checks covers are named. docs/TOURNAMENT.md explains each kind of \
fault.

Exit codes: 0 everything holds; 1 findings; 2 a file could not be read.

Examples:
  canasta-replay audit-tournament site --key \"$(cat event.pub)\"
  canasta-replay audit-tournament site my-table.clog --since checkpoint-of-saturday
  canasta-replay audit-tournament my-table.tlog-proof my-table.clog --key \"$(cat event.pub)\"";

/// The name and version of the format for programs.
const FORMAT: &str = "canasta-tournament/1";

/// Maximum number of uncovered files that a text names.
const NAMED_MAX: usize = 20;

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    for log in &args.logs {
        paths::named_file(log, "a copy may be read twice")?;
    }
    let policy = TournamentPolicy::named(args.policy.as_deref())?;
    let keys = crate::auditing::audit::keys(&args.key, policy.as_ref());
    let mut report = match fs::metadata(&args.site) {
        Ok(metadata) if metadata.is_dir() => {
            let evidence = Evidence {
                keys: &keys,
                logs: &args.logs,
                since: args.since.as_deref().map(KeptCheckpoint::read).transpose()?,
                announced: args.announced.as_deref().map(Announced::read).transpose()?,
                policy: policy.as_ref(),
                now_ms: args.now.unwrap_or_else(|| (io.clock.now_ms)()),
            };
            let bar = progress_bar(0, "{pos} of {len} logs", io.progress);
            let audited = |logs: u64| {
                bar.set_length(logs);
                bar.inc(1);
            };
            let report = audit_site(&args.site, &evidence, args.threads, &audited)?;
            bar.finish_and_clear();
            report
        }
        Ok(_) if args.since.is_some() || args.announced.is_some() => {
            bail!("--since and --announced need the published directory: a proof shows one game")
        }
        Ok(_) => audit_proof(&args.site, &keys, policy.as_ref(), &args.logs)?,
        Err(error) => return Err(error).context(args.site.display().to_string()),
    };
    if args.strict {
        insist(&mut report);
    }
    match args.format {
        OutputFormat::Text => text::write_text(&report, args, &mut io.out)?,
        OutputFormat::Json => io.write_value(&json::JsonReport { report: &report, args })?,
    }
    Ok(Exit::clean_if(report.faults.is_empty()))
}

/// Turns what is not proven into faults.
fn insist(report: &mut TournamentReport) {
    let fault = |left: &String| SiteFault::new(FaultKind::Unproven, CHECKPOINT, left.as_str());
    report.faults.extend(report.games.reservations.keys().map(fault));
    report.faults.truncate(FAULTS_MAX);
}

fn parse_time(text: &str) -> Result<i64, String> {
    let whole = text.strip_suffix('Z').filter(|text| !text.contains('.')).map(|text| format!("{text}.000Z"));
    let ms = time::from_text(whole.as_deref().unwrap_or(text));
    ms.ok_or_else(|| format!("expected a time as 2026-01-31T12:00:00Z, found {text:?}"))
}

/// Returns the players whose signatures of a sheet count.
fn signed_by(paper: &PublishedPaper) -> Vec<&str> {
    let players = &paper.sheet.scores.players;
    paper.signers.iter().map(|seat| players[seat.index()].name.as_str()).collect()
}

/// Returns a time in seconds since 1970 as text.
pub fn time_text(seconds: u64) -> String {
    // The last second of the year 9999; later times have no text form.
    match i64::try_from(seconds).ok().filter(|&seconds| seconds <= 253_402_300_799) {
        Some(seconds) => time::to_text(seconds * 1_000),
        None => format!("{seconds} s since 1970"),
    }
}

/// Returns the text of a fault: the place on the first line, the damage on the next.
pub fn fault_text(fault: &SiteFault) -> String {
    let mut text = format!("  {} in {}", fault.kind, fault.file.escape_debug());
    if let Some(index) = fault.index {
        text += &format!(", entry {index}");
    }
    if let Some(game_id) = fault.game_id {
        text += &format!(", game {}", hex(&game_id));
    }
    text += &format!("\n    {}\n", fault.detail.escape_debug());
    if let Some(command) = explaining(fault) {
        text += &format!("    -> {command}\n");
    }
    text
}

/// Returns the command that shows more of a fault.
fn explaining(fault: &SiteFault) -> Option<String> {
    fault.is_audited_log.then(|| format!("canasta-replay audit {}", quoted(&fault.file)))
}
