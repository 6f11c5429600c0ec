//! `audit-tournament`: checks what is published of a tournament, or the proof of one game.

use crate::shared::io::{Exit, Io, OutputFormat, progress_bar};
use crate::shared::json::{present, some};
use crate::shared::paths;
use crate::shared::text::{count, entries, hex, list, number, parse_key, quoted};
use anyhow::{Context, bail};
use canasta_engine::text::time;
use canasta_tournament::audit::{
    Announced, Evidence, KeptCheckpoint, TournamentReport, audit_proof, audit_site,
};
use canasta_tournament::checkpoint::Checkpoint;
use canasta_tournament::fault::SiteFault;
use canasta_tournament::note::NoteVerifier;
use canasta_tournament::paper::PublishedPaper;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::scores::VERDICT;
use canasta_tournament::timeline::Timeline;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
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
const NOT_COVERED_MAX: usize = 20;

impl Args {
    fn has_no_key(&self) -> bool {
        self.key.is_empty() && self.policy.is_none()
    }
}

/// Audits and reports.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    for log in &args.logs {
        paths::named_file(log, "a copy may be read twice")?;
    }
    let policy = args.policy.as_deref().map(TournamentPolicy::read).transpose()?;
    let keys = crate::auditing::audit::keys(&args.key, policy.as_ref());
    let report = match fs::metadata(&args.site) {
        Ok(metadata) if metadata.is_dir() => {
            let evidence = Evidence {
                keys: &keys,
                logs: &args.logs,
                since: args.since.as_deref().map(KeptCheckpoint::read).transpose()?,
                announced: args.announced.as_deref().map(Announced::read).transpose()?,
                policy: policy.as_ref(),
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
    match args.format {
        OutputFormat::Text => write_text(&report, args, &mut io.out)?,
        OutputFormat::Json => writeln!(io.out, "{}", to_value(&report, args))?,
    }
    Ok(Exit::clean_if(report.faults.is_empty()))
}

fn write_text(report: &TournamentReport, args: &Args, out: &mut dyn Write) -> std::io::Result<()> {
    if let Some(Checkpoint { origin, size, root }) = &report.checkpoint {
        writeln!(out, "{} · {} · root {}", origin.escape_debug(), entries(*size), hex(root))?;
        match &report.signed_by[..] {
            [] if args.has_no_key() => writeln!(out, "  signatures were not checked: no --key")?,
            [] => {}
            names => writeln!(out, "  signed by {}", names.join(", "))?,
        }
    }
    for (name, time) in &report.cosigned_by {
        writeln!(out, "  cosigned by {name} at {}", time_text(*time))?;
    }
    if let Some(size) = report.since {
        writeln!(out, "  goes on from the checkpoint of {}", entries(size))?;
    }
    if let Some((index, entry)) = &report.proven {
        let players = entry.players.join(", ");
        let (label, totals) =
            (entry.label.escape_debug(), list(entry.totals.iter().map(|&total| number(total))));
        writeln!(
            out,
            "  entry {index}: {label} · game {} · {}",
            hex(&entry.game_id),
            players.escape_debug()
        )?;
        writeln!(
            out,
            "  {} · points {totals} · {}",
            count(entry.rounds, "round"),
            entry.verdict.escape_debug()
        )?;
    }
    if !report.verdicts.is_empty() {
        let counted = report.verdicts.iter().map(|(verdict, games)| format!("{} {verdict}", number(*games)));
        writeln!(out, "  {}", counted.collect::<Vec<_>>().join(" · "))?;
    }
    if !args.logs.is_empty() {
        let all = args.logs.len() as i64;
        writeln!(out, "  own logs published as they are: {} of {}", number(report.own), number(all))?;
    }
    for paper in &report.papers {
        writeln!(out, "  {}", paper_text(paper))?;
    }
    write_history(&report.timeline, out)?;
    if let Some(games) = report.announced {
        writeln!(out, "  announced and published: {}", count(games, "game"))?;
    }
    for path in report.not_covered.iter().take(NOT_COVERED_MAX) {
        writeln!(out, "  not covered: {}", path.escape_debug())?;
    }
    if let Some(more) = report.not_covered.len().checked_sub(NOT_COVERED_MAX).filter(|more| *more > 0) {
        writeln!(out, "  not covered: {} more", count(more as u64, "file"))?;
    }
    for fault in &report.faults {
        write!(out, "{}", fault_text(fault))?;
    }
    match report.proven {
        _ if !report.faults.is_empty() => Ok(()),
        Some(_) => writeln!(out, "  proven: the entry is in the tree of this checkpoint"),
        None => writeln!(
            out,
            "  proven: the tree, every entry against its log, every log by its audit, every proof"
        ),
    }
}

/// Returns the text of a signed sheet of a game without a log.
fn paper_text(paper: &PublishedPaper) -> String {
    let (signed_by, totals) =
        (signed_by(paper), list(paper.counted.totals.iter().map(|&total| number(total))));
    let (index, rounds) = (paper.index, count(paper.counted.rounds.len() as u64, "round"));
    let names = if signed_by.is_empty() { "nobody".into() } else { signed_by.join(", ") };
    format!("entry {index}: {VERDICT} · {rounds} · points {totals} · as signed by {}", names.escape_debug())
}

fn signed_by(paper: &PublishedPaper) -> Vec<&str> {
    let players = &paper.sheet.scores.players;
    paper.signers.iter().map(|seat| players[seat.index()].name.as_str()).collect()
}

/// Returns a signed sheet of a game without a log in the format for programs.
fn paper_value(paper: &PublishedPaper) -> Value {
    let PublishedPaper { index, sheet, counted, .. } = paper;
    present(json!({
        "index": index, "verdict": VERDICT, "sha256": hex(&sheet.digest()), "rounds": counted.rounds.len(),
        "totals": counted.totals, "signed_by": signed_by(paper),
        "game_id": sheet.scores.game_id.map(|game_id| hex(&game_id)),
    }))
}

/// Writes the games that were fixed in public while they were played.
fn write_history(history: &Timeline, out: &mut dyn Write) -> std::io::Result<()> {
    let [opened, late, voided] = history.numbers();
    if opened > 0 {
        let late = match late {
            0 => String::new(),
            late => format!(", {late} of them after their first deal"),
        };
        writeln!(out, "  opened before they ended: {}{late}", count(opened, "game"))?;
    }
    if voided > 0 {
        writeln!(out, "  voided: {}", count(voided, "game"))?;
    }
    for (game_id, game) in history.open().take(NOT_COVERED_MAX) {
        writeln!(out, "  in progress: {} {}", hex(game_id), game.label().escape_debug())?;
    }
    if let Some(more) = history.open().count().checked_sub(NOT_COVERED_MAX).filter(|more| *more > 0) {
        writeln!(out, "  in progress: {} more", count(more as u64, "game"))?;
    }
    for (index, reason) in history.anyway.iter().take(NOT_COVERED_MAX) {
        writeln!(out, "  published anyway, from entry {index} on: {}", reason.escape_debug())?;
    }
    if history.ended.is_some() { writeln!(out, "  the tournament has ended") } else { Ok(()) }
}

fn to_value(report: &TournamentReport, args: &Args) -> Value {
    let checkpoint = report.checkpoint.as_ref();
    let cosigned = report.cosigned_by.iter().map(|(name, time)| json!({"name": name, "time": time}));
    let history = &report.timeline;
    let [opened, late, voided] = history.numbers();
    let open = history.open().map(|(game_id, game)| json!({"game_id": hex(game_id), "label": game.label()}));
    let anyway = history.anyway.iter().map(|(index, reason)| json!({"index": index, "reason": reason}));
    present(json!({
        "format": FORMAT,
        "site": args.site.display().to_string(),
        "origin": checkpoint.map(|of| &of.origin),
        "size": checkpoint.map(|of| of.size),
        "root": checkpoint.map(|of| hex(&of.root)),
        "signed_by": report.signed_by,
        "cosigned_by": some(cosigned.collect::<Vec<_>>()),
        "since": report.since,
        "index": report.proven.as_ref().map(|(index, _)| index),
        "entry": report.proven.as_ref().map(|(_, entry)| entry),
        "verdicts": report.verdicts,
        "own": (!args.logs.is_empty()).then_some(report.own),
        "opened": some(opened),
        "opened_late": (opened > 0).then_some(late),
        "voided": some(voided),
        "open": some(open.collect::<Vec<_>>()),
        "anyway": some(anyway.collect::<Vec<_>>()),
        "ended": some(history.ended.is_some()),
        "announced": report.announced,
        "not_covered": some(&report.not_covered[..]),
        "papers": some(report.papers.iter().map(paper_value).collect::<Vec<_>>()),
        "faults": report.faults.iter().map(fault_value).collect::<Vec<_>>(),
    }))
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
    let mut text = format!("  {} in {}", fault.kind.name(), fault.file.escape_debug());
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

/// Returns a fault in the format for programs.
fn fault_value(fault: &SiteFault) -> Value {
    present(json!({
        "kind": fault.kind.name(),
        "file": fault.file,
        "index": fault.index,
        "game_id": fault.game_id.map(|game_id| hex(&game_id)),
        "detail": fault.detail,
        "show": explaining(fault),
    }))
}

/// Returns the command that shows more of a fault.
fn explaining(fault: &SiteFault) -> Option<String> {
    fault.is_audited_log.then(|| format!("canasta-replay audit {}", quoted(&fault.file)))
}
