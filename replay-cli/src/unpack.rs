//! `unpack`: extracts logs from an archive, each checked against the digest in the archive.

use crate::io::{Exit, Io, OutputFormat};
use crate::paths;
use crate::text::{count, hex, number};
use anyhow::{Context, bail, ensure};
use canasta_engine::archive::{ARCHIVE_HEADER, ArchiveEntry, ArchiveError, ArchiveErrorKind, FOOTER, Footer};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};

/// The arguments of `unpack`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The archive, or - for standard input
    #[arg(value_name = "FILE")]
    archive: PathBuf,
    /// Only these games, by their names in the archive [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Directory of the logs; it is created if it does not exist
    #[arg(short, long, value_name = "DIR", required_unless_present_any = ["list", "test"])]
    out: Option<PathBuf>,
    /// Only list what is in the archive
    #[arg(long, conflicts_with_all = ["out", "test"])]
    list: bool,
    /// Only check that every game can be extracted unchanged
    #[arg(long, conflicts_with = "out")]
    test: bool,
    /// Format of the list
    #[arg(long, value_enum, default_value_t, requires = "list")]
    format: OutputFormat,
    /// Overwrite existing logs
    #[arg(long)]
    force: bool,
    /// Take as much time and memory as the archive demands; only for an archive whose maker you trust
    #[arg(long)]
    trust: bool,
    /// Number of games unpacked at once; 0 means one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

const EXAMPLES: &str = "\
Each game is read without the others. A damaged game is named and left out, and the others are extracted: \
exit code 1. An extracted log equals the packed log, but may have findings: audit it. An archive that \
demands far more time or memory than games of its size need is refused, except with --trust.

Examples:
  canasta-replay unpack open-2026.carc -o tables
  canasta-replay unpack open-2026.carc table-17.clog -o .
  canasta-replay unpack open-2026.carc --list
  canasta-replay unpack open-2026.carc --test";

/// Maximum size of an archive on standard input, in bytes.
const STDIN_MAX: u64 = 1 << 30;
/// Number of games in memory at once.
const BATCH: usize = 32;
/// Maximum number of bytes of logs per byte of an archive. Games have about 40.
const LENGTH_A_BYTE: u64 = 1 << 10;
const LENGTH: u64 = 1 << 26;

/// The reason why a game could not be extracted.
enum Trouble {
    Damaged(ArchiveError),
    Failed(anyhow::Error),
}

/// Extracts, lists or checks.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = args.archive.display().to_string();
    let mut file = source(&args.archive, io).with_context(|| name.clone())?;
    let entries = match open(&mut *file).with_context(|| name.clone())? {
        Ok(entries) => entries,
        Err(error) => {
            writeln!(io.out, "{name}: {error}")?;
            return Ok(Exit::Findings);
        }
    };
    let entries = chosen(entries, &args.names).with_context(|| name.clone())?;
    if args.list {
        return list(&entries, args.format, io);
    }
    let most = LENGTH + LENGTH_A_BYTE * file.seek(SeekFrom::End(0)).with_context(|| name.clone())?;
    let length = entries.iter().map(|entry| u64::from(entry.length)).sum::<u64>();
    if length > most && !args.trust {
        writeln!(
            io.out,
            "{name}: it declares {} of logs, expected at most {} from an archive of its size: nothing was unpacked \
             (--trust unpacks it)",
            count(length, "byte"),
            number(most)
        )?;
        return Ok(Exit::Findings);
    }
    unpack(&mut *file, &name, &entries, args, io)
}

/// A reader of an archive.
trait ArchiveSource: Read + Seek {}

impl<T: Read + Seek> ArchiveSource for T {}

/// Opens a file, or reads standard input into memory: an archive is read from its end.
fn source(path: &Path, io: &mut Io<'_>) -> anyhow::Result<Box<dyn ArchiveSource>> {
    if !paths::is_stdin(path) {
        return Ok(Box::new(File::open(path)?));
    }
    let mut bytes = Vec::new();
    let read = (&mut io.input).take(STDIN_MAX + 1).read_to_end(&mut bytes)?;
    ensure!(read as u64 <= STDIN_MAX, "expected at most {} bytes on standard input", number(STDIN_MAX));
    Ok(Box::new(Cursor::new(bytes)))
}

/// Returns the entries of an archive, which its two ends and its index describe.
fn open(file: &mut dyn ArchiveSource) -> anyhow::Result<Result<Vec<ArchiveEntry>, ArchiveError>> {
    let length = file.seek(SeekFrom::End(0))?;
    let (mut header, mut footer) = ([0; ARCHIVE_HEADER.len()], [0; FOOTER]);
    if length < (header.len() + footer.len()) as u64 {
        return Ok(Err(ArchiveError { offset: 0, kind: ArchiveErrorKind::NotAnArchive }));
    }
    file.rewind()?;
    file.read_exact(&mut header)?;
    file.seek(SeekFrom::End(-(FOOTER as i64)))?;
    file.read_exact(&mut footer)?;
    let footer = match Footer::read(&header, &footer, length) {
        Ok(footer) => footer,
        Err(error) => return Ok(Err(error)),
    };
    file.seek(SeekFrom::Start(footer.offset))?;
    let mut index = Vec::new();
    Read::take(&mut *file, footer.index).read_to_end(&mut index)?;
    Ok(footer.entries(&index))
}

/// Returns all entries, or those with the given names.
fn chosen(entries: Vec<ArchiveEntry>, names: &[String]) -> anyhow::Result<Vec<ArchiveEntry>> {
    if names.is_empty() {
        return Ok(entries);
    }
    let find = |name: &String| {
        let found = entries.iter().find(|entry| entry.name == *name);
        found.cloned().with_context(|| format!("no game {name:?} in the archive (--list prints the names)"))
    };
    names.iter().map(find).collect()
}

fn unpack(
    file: &mut dyn ArchiveSource,
    archive: &str,
    entries: &[ArchiveEntry],
    args: &Args,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(args.threads).build().context("cannot start threads")?;
    let out = args.out.as_deref();
    let bounds = |entry: &ArchiveEntry| if args.trust { entry.bounds().trusted() } else { entry.bounds() };
    let (mut games, mut bytes, mut exit) = (0u64, 0u64, Exit::Clean);
    for batch in entries.chunks(BATCH) {
        let bodies: Vec<Vec<u8>> = batch.iter().map(|entry| body(file, entry)).collect::<Result<_, _>>()?;
        let done: Vec<Result<(), Trouble>> = pool.install(|| {
            let one = |(entry, body): (&ArchiveEntry, &Vec<u8>)| {
                let log = entry.unpack(body, &bounds(entry)).map_err(Trouble::Damaged)?;
                out.map_or(Ok(()), |out| write(out, entry, &log, args.force)).map_err(Trouble::Failed)
            };
            batch.par_iter().zip(&bodies).map(one).collect()
        });
        for (entry, done) in batch.iter().zip(done) {
            match done {
                Ok(()) => (games, bytes) = (games + 1, bytes + u64::from(entry.length)),
                Err(Trouble::Damaged(error)) => {
                    writeln!(io.out, "{archive}: {}: {error}", entry.name)?;
                    exit = Exit::Findings;
                }
                Err(Trouble::Failed(error)) => return Err(error),
            }
        }
    }
    let done = if out.is_some() { "unpacked" } else { "as they were packed" };
    writeln!(
        io.out,
        "{} of {} {done} · {}",
        number(games),
        count(entries.len() as u64, "log"),
        count(bytes, "byte")
    )?;
    Ok(exit)
}

fn body(file: &mut dyn ArchiveSource, entry: &ArchiveEntry) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(entry.offset))?;
    let mut body = Vec::new();
    Read::take(&mut *file, entry.packed.into()).read_to_end(&mut body)?;
    Ok(body)
}

/// Writes a log under another name first, so that a partial log never has the name.
fn write(out: &Path, entry: &ArchiveEntry, log: &[u8], force: bool) -> anyhow::Result<()> {
    let relative = Path::new(&entry.name);
    let path = out.join(relative);
    let name = || path.display().to_string();
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        bail!("{}: the name leads out of the directory on this system", entry.name);
    }
    fs::create_dir_all(path.parent().unwrap_or(out)).with_context(name)?;
    if !force && path.symlink_metadata().is_ok() {
        bail!("{}: exists already (--force overwrites it)", name());
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".partial-{}", std::process::id()));
    let written = write_new(Path::new(&partial), log).and_then(|()| fs::rename(&partial, &path));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written.with_context(name)
}

fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(bytes)
}

fn list(entries: &[ArchiveEntry], format: OutputFormat, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    match format {
        OutputFormat::Text => list_text(entries, io)?,
        OutputFormat::Json => list_json(entries, io)?,
    }
    Ok(Exit::Clean)
}

fn list_text(entries: &[ArchiveEntry], io: &mut Io<'_>) -> std::io::Result<()> {
    let width = entries.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0).max(4);
    let sum = |of: fn(&ArchiveEntry) -> u32| entries.iter().map(|entry| u64::from(of(entry))).sum::<u64>();
    writeln!(
        io.out,
        "{:>10} {:>10} {:>10} {:>10}  {:width$}  sha256",
        "actions", "records", "bytes", "packed", "name"
    )?;
    for entry in entries {
        let numbers = [entry.actions, entry.records, entry.length, entry.packed].map(number);
        let [actions, records, bytes, packed] = numbers;
        writeln!(
            io.out,
            "{actions:>10} {records:>10} {bytes:>10} {packed:>10}  {:width$}  {}",
            entry.name,
            hex(&entry.digest)
        )?;
    }
    let [actions, records, bytes, packed] =
        [sum(|e| e.actions), sum(|e| e.records), sum(|e| e.length), sum(|e| e.packed)].map(number);
    writeln!(
        io.out,
        "{actions:>10} {records:>10} {bytes:>10} {packed:>10}  {}",
        count(entries.len() as u64, "log")
    )
}

/// Writes the format `canasta-archive/1`, described in docs/CLI.md: one line for the head, one line per game,
/// one line for the end.
fn list_json(entries: &[ArchiveEntry], io: &mut Io<'_>) -> std::io::Result<()> {
    writeln!(io.out, "{{\"format\":\"canasta-archive/1\",\"logs\":[")?;
    for (place, entry) in entries.iter().enumerate() {
        let comma = if place + 1 < entries.len() { "," } else { "" };
        let value: Value = json!({
            "name": entry.name,
            "actions": entry.actions,
            "records": entry.records,
            "bytes": entry.length,
            "packed": entry.packed,
            "offset": entry.offset,
            "sha256": hex(&entry.digest),
        });
        writeln!(io.out, "{value}{comma}")?;
    }
    writeln!(io.out, "]}}")
}
