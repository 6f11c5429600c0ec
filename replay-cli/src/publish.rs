//! `publish`: puts games into a tournament's tree, signs its new head, and writes a proof for every game.
//!
//! The checkpoint is what publishes: it is written when everything it is over has reached the disk, and proofs,
//! which carry it, only after it has. Whatever a crash leaves, the tree that was signed last is whole, and the
//! same command again finishes the work.

use crate::io::{Exit, Io, progress_bar};
use crate::keygen::read_private;
use crate::note::Signer;
use crate::paths;
use crate::text::{count, entries, hex, quoted};
use crate::tournament::checkpoint::{self, Checkpoint, check_origin};
use crate::tournament::entry::{Entry, has_record, judge};
use crate::tournament::fault::Fault;
use crate::tournament::files::{Directory, Files};
use crate::tournament::merkle::leaf_hash;
use crate::tournament::proof::{self, Proof};
use crate::tournament::site::{self, Site, check_signatures};
use crate::tournament::tiles::{Tile, WIDTH, bundle};
use anyhow::{Context, ensure};
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::Verdict;
use canasta_engine::log::{Head, Reader};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The arguments of `publish`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Logs, and directories, searched for *.clog; what is published already is left as it is
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The directory to publish in, made if it does not exist
    #[arg(short, long, value_name = "SITE")]
    out: PathBuf,
    /// The file of the private key, as keygen makes it
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// What the tournament is called, best its address without https://; never changes. Without it: the key's name
    #[arg(long, value_name = "NAME")]
    origin: Option<String>,
    /// A checkpoint of this tournament, kept elsewhere: nothing is signed that does not go on from it
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    /// Publish games with findings too: the entry says the verdict
    #[arg(long)]
    with_findings: bool,
    /// How many logs are judged at once; 0 = one a processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

const EXAMPLES: &str = "\
Every log is audited first; if one has findings nothing is published. What is published cannot be taken back or
changed; a game whose log went on (an appeal after its end) is published again behind it. SITE can be served as it
is by any web server.

Exit codes: 0 published, 1 refused and nothing published, 2 something could not be read or written: the same command
again finishes the work.

Example:
  canasta-replay publish tables --key event.key --origin open-2026.example -o site";

/// The most bytes of a log, or of the note beside it, that is published.
const LOG_MAX: u64 = 1 << 28;

/// A game to publish, and its log.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// What the tree will say.
    pub entry: Entry,
    /// Where its log is now.
    pub log: PathBuf,
}

/// Publishes.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let signer = read_private(&args.key)?;
    if let Some(origin) = &args.origin {
        check_origin(origin).with_context(|| format!("--origin {origin:?}"))?;
    }
    for path in &args.paths {
        paths::named_file(path, "a log from standard input has no name")?;
    }
    let (logs, failures) = paths::logs(&args.paths);
    if !failures.is_empty() {
        paths::report(&failures, io)?;
        return Ok(Exit::Failure);
    }
    let name = || args.out.display().to_string();
    let mut files = Directory::locked(&args.out).with_context(name)?;
    let mut refused = Vec::new();
    let before = published(&files, &signer, args, &mut refused)?;
    let games = match refused[..] {
        [] => new_games(args, &logs, before.as_ref(), &files, &mut refused, io)?,
        _ => Vec::new(),
    };
    if !refused.is_empty() {
        for why in refused {
            writeln!(io.err, "canasta-replay: {why}")?;
        }
        writeln!(io.err, "canasta-replay: nothing was published")?;
        return Ok(Exit::Findings);
    }
    ensure!(before.is_some() || !games.is_empty(), "there are no games to publish");
    let new = games.len() as u64;
    let site =
        before.unwrap_or_else(|| Site::new(args.origin.as_deref().unwrap_or(signer.verifier().name())));
    let after = extend(&mut files, &signer, site, &games).with_context(name)?;
    let done = if new == 0 { "nothing new".into() } else { format!("published {}", count(new, "game")) };
    writeln!(io.out, "{done} in {}: {}, root {}", after.origin, entries(after.size), hex(&after.root))?;
    Ok(Exit::Clean)
}

/// What is published already, if it holds; what does not is said in `refused`.
fn published(
    files: &impl Files,
    signer: &Signer,
    args: &Args,
    refused: &mut Vec<String>,
) -> anyhow::Result<Option<Site>> {
    let since = args.since.as_deref().map(read_since).transpose()?;
    let is_new = files.read(site::CHECKPOINT, 0)?.is_none();
    if is_new && since.is_none() {
        return Ok(None);
    }
    let mut faults = Vec::new();
    let site = site::load(files, &mut faults)?;
    if let Some(site) = &site {
        check_signatures(&site.note, &[signer.verifier()], site::CHECKPOINT, &mut faults);
        let origin = &site.checkpoint.origin;
        if let Some(wanted) = args.origin.as_ref().filter(|&wanted| wanted != origin) {
            refused.push(format!("expected a tournament called {wanted}, found {origin}"));
        }
        faults
            .extend(since.iter().filter_map(|since| site.goes_on_from(&since.checkpoint, &since.file).err()));
    }
    refused.extend(faults.iter().map(|fault| format!("what is published does not hold\n{}", trimmed(fault))));
    Ok(site)
}

fn trimmed(fault: &Fault) -> String {
    fault.to_text().trim_end().to_owned()
}

/// A checkpoint that somebody kept.
pub struct Since {
    /// The file.
    pub file: String,
    /// The signed note.
    pub note: String,
    /// What it says.
    pub checkpoint: Checkpoint,
}

/// Reads a checkpoint that somebody kept.
///
/// # Errors
/// If it cannot be read, or is none.
pub fn read_since(file: &Path) -> anyhow::Result<Since> {
    let name = file.display().to_string();
    let mut note = String::new();
    let opened = File::open(file).with_context(|| name.clone())?;
    opened.take(checkpoint::BYTES_MAX).read_to_string(&mut note).with_context(|| name.clone())?;
    let checkpoint = Checkpoint::parse(&note).with_context(|| name.clone())?;
    Ok(Since { file: name, note, checkpoint })
}

/// Judges the logs; the games among them that are not in the tree. Why one cannot be published is said in `refused`.
fn new_games(
    args: &Args,
    logs: &[PathBuf],
    site: Option<&Site>,
    files: &impl Files,
    refused: &mut Vec<String>,
    io: &Io<'_>,
) -> anyhow::Result<Vec<NewGame>> {
    let bar = progress_bar(logs.len() as u64, "{pos} of {len} logs", io.progress);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build().context("threads")?;
    let judge_log = |log: &PathBuf| {
        let report = judge(log).with_context(|| log.display().to_string());
        bar.inc(1);
        report
    };
    let reports: Vec<anyhow::Result<Report>> = pool.install(|| logs.par_iter().map(judge_log).collect());
    bar.finish_and_clear();
    let mut published: BTreeMap<[u8; 16], Vec<(u64, Head)>> = BTreeMap::new();
    for entry in site.iter().flat_map(|site| site.entries.iter().flatten()) {
        published.entry(entry.game_id).or_default().push((entry.records, entry.head));
    }
    let mut taken: BTreeMap<[u8; 16], &PathBuf> = BTreeMap::new();
    let mut games = Vec::new();
    for (log, report) in logs.iter().zip(reports) {
        let report = report?;
        let name = quoted(&log.display().to_string());
        let Some(entry) = Entry::of(&report, label(log, &args.paths)?) else {
            refused.push(format!("{name}: no log of a game\n    -> canasta-replay audit {name}"));
            continue;
        };
        let heads = published.get(&entry.game_id).map_or(&[][..], Vec::as_slice);
        if heads.contains(&(entry.records, entry.head)) {
            continue;
        }
        let clean = matches!(report.verdict, Verdict::Clean | Verdict::Ruled);
        if !clean && !args.with_findings {
            refused.push(format!("{name}: {}\n    -> canasta-replay audit {name}", entry.verdict));
            continue;
        }
        if let Some(other) = taken.insert(entry.game_id, log) {
            refused.push(format!("{name}: the same game as {}", other.display()));
            continue;
        }
        match heads.last() {
            Some((records, head)) if !has_record(log, records - 1, head)? => {
                let (game, last) = (hex(&entry.game_id), records - 1);
                refused.push(format!(
                    "{name}: game {game} is published up to record {last}, and this log does not have that record"
                ));
            }
            None if files.read(&proof_path(&entry), 0)?.is_some() => refused.push(format!(
                "{name}: there is a proof that it is published, but the tree does not have it: is the checkpoint lost?"
            )),
            _ => games.push(NewGame { entry, log: log.clone() }),
        }
    }
    Ok(games)
}

/// What a log is called: its path below the directory that was named, without its ending.
fn label(log: &Path, paths: &[PathBuf]) -> anyhow::Result<String> {
    let below = paths.iter().filter_map(|path| log.strip_prefix(path).ok());
    let below =
        below.filter(|below| !below.as_os_str().is_empty()).min_by_key(|below| below.as_os_str().len());
    let below = below.unwrap_or(log.file_name().map_or(log, Path::new)).with_extension("");
    let label = below.to_str().context("expected a file name in UTF-8").map(str::to_owned);
    let label = label.with_context(|| log.display().to_string())?;
    ensure!(
        label.len() <= 200 && !label.contains(char::is_control),
        "{}: expected a name of at most 200 bytes without control characters",
        log.display()
    );
    Ok(label)
}

fn proof_path(entry: &Entry) -> String {
    format!("{}.{}", entry.place(), proof::EXTENSION)
}

/// Writes the games behind those of `site`, then the signed head, then every proof that is missing. What is
/// published in the end.
///
/// # Errors
/// Those of the disk, or of a log that has changed since it was judged.
pub fn extend(
    files: &mut impl Files,
    signer: &Signer,
    mut site: Site,
    games: &[NewGame],
) -> anyhow::Result<Checkpoint> {
    if !games.is_empty() {
        for game in games {
            let log = read_log(game).with_context(|| game.log.display().to_string())?;
            files.put(&format!("{}.{}", game.entry.place(), paths::EXTENSION), &log)?;
            if let Some(note) = read_note(&game.log)? {
                files.put(&format!("{}.{}.note", game.entry.place(), paths::EXTENSION), &note)?;
            }
        }
        let old = site.tree.size();
        site.entries.extend(games.iter().map(|game| Some(game.entry.clone())));
        let leaves: Vec<Vec<u8>> = site.entries.iter().flatten().map(Entry::to_bytes).collect();
        leaves[old as usize..].iter().for_each(|leaf| site.tree.push(leaf_hash(leaf)));
        let size = site.tree.size();
        for tile in Tile::all(size).filter(|tile| !tile.is_in(old)) {
            files.put(&tile.path(), tile.hashes(&site.tree).as_flattened())?;
            if tile.level == 0 {
                let first = (tile.index * WIDTH) as usize;
                let leaves = &leaves[first..first + tile.width as usize];
                files.put(&tile.bundle_path(), &bundle(leaves.iter().map(Vec::as_slice)))?;
            }
        }
        files.settle()?;
        site.checkpoint.size = size;
        site.checkpoint.root = site.tree.root(size);
        site.note = signer.sign(&site.checkpoint.body());
        files.put(site::CHECKPOINT, site.note.as_bytes())?;
        files.settle()?;
    }
    write_proofs(files, &site)?;
    files.settle()?;
    Ok(site.checkpoint)
}

/// Writes the proofs that are missing. One that is there stays: it goes to an earlier head of the same tree.
fn write_proofs(files: &mut impl Files, site: &Site) -> anyhow::Result<()> {
    for (index, entry) in (0..).zip(&site.entries) {
        let entry = entry.as_ref().context("an entry cannot be read")?;
        let path = proof_path(entry);
        if files.read(&path, 0)?.is_some() {
            continue;
        }
        let leaf = entry.to_bytes();
        let way = site.tree.inclusion(index, site.checkpoint.size);
        let proof = Proof { leaf, index, path: way, note: site.note.clone() };
        files.put(&path, proof.to_text().as_bytes())?;
    }
    Ok(())
}

/// The bytes of a log, which must be those that were judged.
fn read_log(game: &NewGame) -> anyhow::Result<Vec<u8>> {
    let bytes = read_bounded(&game.log)?;
    let (mut reader, mut piece) = (Reader::new(), bytes.as_slice());
    let mut last = None;
    while let Ok(Some(frame)) = reader.next(&mut piece) {
        last = Some((frame.n + 1, frame.head));
    }
    ensure!(last == Some((game.entry.records, game.entry.head)), "it has changed since it was judged");
    Ok(bytes)
}

/// The note beside a log, if there is one.
fn read_note(log: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    let mut name = log.as_os_str().to_owned();
    name.push(".note");
    let name = Path::new(&name);
    if !name.exists() {
        return Ok(None);
    }
    read_bounded(name).map(Some).with_context(|| name.display().to_string())
}

fn read_bounded(file: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(LOG_MAX + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= LOG_MAX, "expected at most {LOG_MAX} bytes");
    Ok(bytes)
}
