//! `audit-tournament`: checks what is published of a tournament, or the proof of one game.

mod games;

use crate::io::{Exit, Format, Io};
use crate::note::{Verifier, parse_key};
use crate::paths;
use crate::publish::{Since, read_since};
use crate::text::{count, entries, hex, list, number, quoted};
use crate::tournament::checkpoint::Checkpoint;
use crate::tournament::entry::{Entry, from_hex};
use crate::tournament::fault::{FAULTS_MAX, Fault, FaultKind};
use crate::tournament::files::Directory;
use crate::tournament::proof::{self, Proof};
use crate::tournament::rest;
use crate::tournament::site::{self, check_signatures};
use anyhow::{Context, bail};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `audit-tournament`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The published directory, or the proof of one game (*.tlog-proof)
    #[arg(value_name = "SITE")]
    site: PathBuf,
    /// Your own copies of logs: each must be in the tree as it is
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// A public key, as keygen prints it, got from elsewhere than the site: it must have signed the checkpoint and
    /// every proof. May be given several times
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Vec<Verifier>,
    /// A checkpoint that you kept: the tree must go on from it
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    /// A list of games that must be in the tree: lines that begin with a game id
    #[arg(long, value_name = "FILE")]
    announced: Option<PathBuf>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// How many logs are judged at once; 0 = one a processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

const EXAMPLES: &str = "\
The tree is computed again from every entry and compared with the tiles and the signed checkpoint; every log is
audited and compared with its entry; every proof is followed; tiles of earlier checkpoints are compared too. Files that
none of this covers are named. What is wrong has a name: docs/TOURNAMENT.md.

Exit codes: 0 all holds, 1 findings, 2 something could not be read.

Examples:
  canasta-replay audit-tournament site --key \"$(cat event.pub)\"
  canasta-replay audit-tournament site my-table.clog --since checkpoint-of-saturday
  canasta-replay audit-tournament my-table.tlog-proof my-table.clog --key \"$(cat event.pub)\"";

/// The name of the shape for programs.
const FORMAT: &str = "canasta-tournament/1";

/// How many files that are not covered are named in a text.
const NOT_COVERED_MAX: usize = 20;

/// What was checked, and what does not hold.
#[derive(Default)]
struct Outcome {
    checkpoint: Option<Checkpoint>,
    /// Names of the keys that signed.
    signed_by: Vec<String>,
    /// The size of the tree that this one goes on from.
    since: Option<u64>,
    /// What is proven, where one game's proof was looked at: its place and its entry.
    proven: Option<(u64, Entry)>,
    /// How many logs have which verdict, by their audit.
    verdicts: BTreeMap<&'static str, u64>,
    /// Own logs that are in the tree.
    own: u64,
    /// Announced games that are in the tree.
    announced: Option<u64>,
    /// Files under the site that nothing checks.
    not_covered: Vec<String>,
    faults: Vec<Fault>,
}

/// Checks and reports.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    for log in &args.logs {
        paths::named_file(log, "a copy may be read twice")?;
    }
    let mut outcome = match fs::metadata(&args.site) {
        Ok(metadata) if metadata.is_dir() => check_site(args, io)?,
        Ok(_) => check_proof(args)?,
        Err(error) => return Err(error).context(args.site.display().to_string()),
    };
    outcome.faults.truncate(FAULTS_MAX);
    match args.format {
        Format::Text => write_text(&outcome, args, &mut io.out)?,
        Format::Json => writeln!(io.out, "{}", to_value(&outcome, args))?,
    }
    Ok(if outcome.faults.is_empty() { Exit::Clean } else { Exit::Findings })
}

fn check_site(args: &Args, io: &Io<'_>) -> anyhow::Result<Outcome> {
    let since = args.since.as_deref().map(read_since).transpose()?;
    let announced = args.announced.as_deref().map(read_announced).transpose()?;
    let files = Directory::new(&args.site);
    let mut outcome = Outcome::default();
    let loaded = site::load(&files, &mut outcome.faults).with_context(|| args.site.display().to_string())?;
    let Some(site) = loaded else { return Ok(outcome) };
    let faults = &mut outcome.faults;
    check_signatures(&site.note, &args.key, site::CHECKPOINT, faults);
    outcome.signed_by = signers(&site.note, &args.key);
    if let Some(Since { file, note, checkpoint }) = &since {
        check_signatures(note, &args.key, file, faults);
        match site.goes_on_from(checkpoint, file) {
            Ok(holds) => outcome.since = holds.then_some(checkpoint.size),
            Err(fault) => faults.push(fault),
        }
    }
    let bench = games::Bench { root: &args.site, site: &site, keys: &args.key };
    outcome.verdicts = bench.check_all(&files, args.threads, io, faults)?;
    outcome.not_covered =
        rest::check(&args.site, &site, faults).with_context(|| args.site.display().to_string())?;
    for log in &args.logs {
        outcome.own += u64::from(bench.check_own(log, faults).with_context(|| log.display().to_string())?);
    }
    if let (Some(games), Some(file)) = (announced, &args.announced) {
        let missing = |id: &&[u8; 16]| !bench.has(id);
        let lacking = games.iter().filter(missing).map(|&id| {
            let detail = "it was announced and is not published";
            Fault::new(FaultKind::GameMissing, file.display().to_string(), detail).of_game(id)
        });
        let lacking: Vec<Fault> = lacking.collect();
        outcome.announced = Some((games.len() - lacking.len()) as u64);
        faults.extend(lacking);
    }
    outcome.checkpoint = Some(site.checkpoint);
    Ok(outcome)
}

/// Checks the proof of one game, and that the logs given are what it proves.
fn check_proof(args: &Args) -> anyhow::Result<Outcome> {
    if args.since.is_some() || args.announced.is_some() {
        bail!("--since and --announced need the published directory: a proof shows one game");
    }
    let file = args.site.display().to_string();
    let bytes = fs::File::open(&args.site).and_then(|opened| {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::Read::take(opened, proof::BYTES_MAX), &mut bytes)?;
        Ok(bytes)
    });
    let text = String::from_utf8(bytes.with_context(|| file.clone())?).unwrap_or_default();
    let mut outcome = Outcome::default();
    let faults = &mut outcome.faults;
    let (proof, checkpoint) = match Proof::parse(&text) {
        Ok(read) => read,
        Err(bad) => {
            faults.push(Fault::new(FaultKind::Proof, file, bad.to_string()));
            return Ok(outcome);
        }
    };
    check_signatures(&proof.note, &args.key, &file, faults);
    outcome.signed_by = signers(&proof.note, &args.key);
    outcome.checkpoint = Some(checkpoint);
    let Some(entry) = Entry::from_bytes(&proof.leaf) else {
        faults.push(Fault::new(FaultKind::Entry, file, "it proves something that is no entry of a game"));
        return Ok(outcome);
    };
    for log in &args.logs {
        let path = log.display().to_string();
        let judged = games::judge_against(log, &entry).with_context(|| path.clone())?;
        *outcome.verdicts.entry(judged.verdict).or_default() += 1;
        outcome.own += u64::from(judged.faults.is_empty());
        faults.extend(judged.faults.into_iter().map(|fault| fault.at(proof.index)));
    }
    outcome.proven = Some((proof.index, entry));
    Ok(outcome)
}

/// The keys that signed a note.
fn signers(note: &str, keys: &[Verifier]) -> Vec<String> {
    let signed = keys.iter().filter(|key| key.open(note) == crate::note::Opened::Signed);
    signed.map(|key| key.name().to_owned()).collect()
}

/// The games that were announced: the first word of every line that is not empty and no remark (#).
fn read_announced(file: &Path) -> anyhow::Result<Vec<[u8; 16]>> {
    let name = || file.display().to_string();
    let text = fs::read_to_string(file).with_context(name)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let id = |(number, line): (usize, &str)| {
        let word = line.split_whitespace().next().unwrap_or_default();
        from_hex(word)
            .with_context(|| format!("{} line {number}: expected a game id of 32 hex digits", name()))
    };
    lines.map(id).collect()
}

fn write_text(outcome: &Outcome, args: &Args, out: &mut dyn Write) -> std::io::Result<()> {
    if let Some(Checkpoint { origin, size, root }) = &outcome.checkpoint {
        writeln!(out, "{} · {} · root {}", origin.escape_debug(), entries(*size), hex(root))?;
        match &outcome.signed_by[..] {
            [] if args.key.is_empty() => writeln!(out, "  signatures were not checked: no --key")?,
            [] => {}
            names => writeln!(out, "  signed by {}", names.join(", "))?,
        }
    }
    if let Some(size) = outcome.since {
        writeln!(out, "  goes on from the checkpoint of {}", entries(size))?;
    }
    if let Some((index, entry)) = &outcome.proven {
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
    if !outcome.verdicts.is_empty() {
        let counted = outcome.verdicts.iter().map(|(verdict, games)| format!("{} {verdict}", number(*games)));
        writeln!(out, "  {}", counted.collect::<Vec<_>>().join(" · "))?;
    }
    if !args.logs.is_empty() {
        let all = args.logs.len() as i64;
        writeln!(out, "  own logs published as they are: {} of {}", number(outcome.own), number(all))?;
    }
    if let Some(games) = outcome.announced {
        writeln!(out, "  announced and published: {}", count(games, "game"))?;
    }
    for path in outcome.not_covered.iter().take(NOT_COVERED_MAX) {
        writeln!(out, "  not covered: {}", path.escape_debug())?;
    }
    if let Some(more) = outcome.not_covered.len().checked_sub(NOT_COVERED_MAX).filter(|more| *more > 0) {
        writeln!(out, "  not covered: {} more", count(more as u64, "file"))?;
    }
    for fault in &outcome.faults {
        write!(out, "{}", fault.to_text())?;
    }
    match outcome.proven {
        _ if !outcome.faults.is_empty() => Ok(()),
        Some(_) => writeln!(out, "  proven: the entry is in the tree of this checkpoint"),
        None => writeln!(
            out,
            "  proven: the tree, every entry against its log, every log by its audit, every proof"
        ),
    }
}

fn to_value(outcome: &Outcome, args: &Args) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("format", FORMAT.into());
    put("site", args.site.display().to_string().into());
    if let Some(Checkpoint { origin, size, root }) = &outcome.checkpoint {
        put("origin", origin.as_str().into());
        put("size", (*size).into());
        put("root", hex(root).into());
    }
    put("signed_by", outcome.signed_by.clone().into());
    if let Some(size) = outcome.since {
        put("since", size.into());
    }
    if let Some((index, entry)) = &outcome.proven {
        put("index", (*index).into());
        put("entry", json!(entry));
    }
    put("verdicts", json!(outcome.verdicts));
    if !args.logs.is_empty() {
        put("own", outcome.own.into());
    }
    if let Some(games) = outcome.announced {
        put("announced", games.into());
    }
    if !outcome.not_covered.is_empty() {
        put("not_covered", outcome.not_covered.clone().into());
    }
    put("faults", outcome.faults.iter().map(Fault::to_value).collect());
    object.into()
}

/// The command that judges a log.
fn show(path: &str) -> Option<String> {
    Some(format!("canasta-replay audit {}", quoted(path)))
}
