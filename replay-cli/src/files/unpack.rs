//! `unpack`: extracts logs from an archive, each checked against the digest in the archive.

use crate::shared::io::{Exit, Io, OutputFormat, read_whole};
use crate::shared::output::OutputFile;
use crate::shared::parallel;
use crate::shared::paths;
use crate::shared::text::{count, hex, number};
use anyhow::{Context, bail};
use canasta_engine::archive::{
    ARCHIVE_HEADER, ArchiveBlock, ArchiveEntry, ArchiveError, ArchiveErrorKind, FOOTER, Footer,
};
use canasta_tournament::durable;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::{self, File};
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
    /// Number of blocks of 64 logs unpacked at once; 0 means one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

const EXAMPLES: &str = "\
Logs are packed in blocks of at most 64. The logs of a damaged block are named and left out, and the others are \
extracted: exit code 1. One log takes the work of its block. An extracted log equals the packed log, but may have findings: audit it. An archive that \
demands far more time or memory than games of its size need is refused, except with --trust.

Examples:
  canasta-replay unpack open-2026.carc -o tables
  canasta-replay unpack open-2026.carc table-17.clog -o .
  canasta-replay unpack open-2026.carc --list
  canasta-replay unpack open-2026.carc --test";

/// Maximum size of an archive on standard input, in bytes.
const STDIN_MAX: u64 = 1 << 30;
/// Maximum number of bytes of logs per byte of an archive. Games have about 40.
const LENGTH_A_BYTE: u64 = 1 << 10;
const LENGTH: u64 = 1 << 26;

/// A block with the logs of it that are wanted: all, or those that were named.
struct Selection {
    block: ArchiveBlock,
    /// The places of the wanted logs in the block.
    places: Vec<usize>,
}

impl Selection {
    fn entries(&self) -> impl Iterator<Item = &ArchiveEntry> {
        self.places.iter().map(|&place| &self.block.entries[place])
    }
}

/// Extracts, lists or checks.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = args.archive.display().to_string();
    let mut file = source(&args.archive, io).with_context(|| name.clone())?;
    let blocks = match open(&mut *file).with_context(|| name.clone())? {
        Ok(blocks) => blocks,
        Err(error) => {
            writeln!(io.out, "{name}: {error}")?;
            return Ok(Exit::Findings);
        }
    };
    let wanted = chosen(blocks, &args.names).with_context(|| name.clone())?;
    if args.list {
        match args.format {
            OutputFormat::Text => list_text(&wanted, io)?,
            OutputFormat::Json => list_json(&wanted, io)?,
        }
        return Ok(Exit::Clean);
    }
    let most = LENGTH + LENGTH_A_BYTE * file.seek(SeekFrom::End(0)).with_context(|| name.clone())?;
    // The whole block of a wanted log is unpacked.
    let entries = wanted.iter().flat_map(|wanted| &wanted.block.entries);
    let length = entries.map(|entry| u64::from(entry.size.length)).sum::<u64>();
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
    unpack(&mut *file, &name, &wanted, args, io)
}

trait ArchiveSource: Read + Seek {}

impl<T: Read + Seek> ArchiveSource for T {}

/// Opens a file, or reads standard input into memory: an archive is read from its end.
fn source(path: &Path, io: &mut Io<'_>) -> anyhow::Result<Box<dyn ArchiveSource>> {
    if !paths::is_stdin(path) {
        return Ok(Box::new(File::open(path)?));
    }
    Ok(Box::new(Cursor::new(read_whole(&mut io.input, STDIN_MAX).context("standard input")?)))
}

/// Returns the blocks of an archive, which its two ends and its index describe.
fn open(file: &mut dyn ArchiveSource) -> anyhow::Result<Result<Vec<ArchiveBlock>, ArchiveError>> {
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
    Ok(footer.blocks(&part(file, footer.offset, footer.index)?))
}

/// Returns all blocks, or those with logs of the given names.
fn chosen(blocks: Vec<ArchiveBlock>, names: &[String]) -> anyhow::Result<Vec<Selection>> {
    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let mut missing = names.clone();
    let mut wanted = Vec::new();
    for block in blocks {
        let entries = block.entries.iter().enumerate();
        let of_names = entries.filter(|(_, entry)| names.is_empty() || missing.remove(entry.name.as_str()));
        let places: Vec<usize> = of_names.map(|(place, _)| place).collect();
        if !places.is_empty() {
            wanted.push(Selection { block, places });
        }
    }
    match missing.first() {
        Some(name) => bail!("no game {name:?} in the archive (--list prints the names)"),
        None => Ok(wanted),
    }
}

fn unpack(
    file: &mut dyn ArchiveSource,
    archive: &str,
    wanted: &[Selection],
    args: &Args,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let pool = parallel::pool(args.threads)?;
    let out = args.out.as_deref();
    let (mut games, mut bytes, mut exit) = (0u64, 0u64, Exit::Clean);
    for batch in wanted.chunks(pool.current_num_threads()) {
        let read: Vec<Vec<u8>> = batch
            .iter()
            .map(|of| part(file, of.block.offset, of.block.packed.into()))
            .collect::<Result<_, _>>()?;
        let done: Vec<_> = pool.install(|| {
            // A damaged block is the archive's fault; what cannot be written ends the command.
            let one = |(wanted, bytes): (&Selection, &Vec<u8>)| -> anyhow::Result<Result<(), ArchiveError>> {
                let logs = match wanted.block.unpack(bytes, args.trust) {
                    Ok(logs) => logs,
                    Err(damage) => return Ok(Err(damage)),
                };
                for (&place, entry) in wanted.places.iter().zip(wanted.entries()) {
                    out.map_or(Ok(()), |out| write(&args.archive, out, entry, &logs[place], args.force))?;
                }
                Ok(Ok(()))
            };
            batch.par_iter().zip(&read).map(one).collect()
        });
        for (wanted, done) in batch.iter().zip(done) {
            match done? {
                Ok(()) => {
                    games += wanted.places.len() as u64;
                    bytes += wanted.entries().map(|entry| u64::from(entry.size.length)).sum::<u64>();
                }
                Err(error) => {
                    for entry in wanted.entries() {
                        writeln!(io.out, "{archive}: {}: {error}", entry.name)?;
                    }
                    exit = Exit::Findings;
                }
            }
        }
    }
    let done = if out.is_some() { "unpacked" } else { "as they were packed" };
    let all = wanted.iter().map(|wanted| wanted.places.len() as u64).sum::<u64>();
    writeln!(io.out, "{} of {} {done} · {}", number(games), count(all, "log"), count(bytes, "byte"))?;
    Ok(exit)
}

/// Reads a part of the archive, as far as the archive has it.
fn part(file: &mut dyn ArchiveSource, offset: u64, length: u64) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    Read::take(&mut *file, length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a log, whole or not at all.
fn write(archive: &Path, out: &Path, entry: &ArchiveEntry, log: &[u8], force: bool) -> anyhow::Result<()> {
    let relative = Path::new(&entry.name);
    let path = out.join(relative);
    let name = || path.display().to_string();
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        bail!("{}: the name leads out of the directory on this system", entry.name);
    }
    fs::create_dir_all(path.parent().unwrap_or(out)).with_context(name)?;
    OutputFile::new(&path, force, [archive])?;
    // A link of this name is replaced itself: it could lead out of the directory.
    durable::write(&path, log, force).with_context(name)
}

fn list_text(wanted: &[Selection], io: &mut Io<'_>) -> std::io::Result<()> {
    writeln!(io.out, "{:>10} {:>10} {:>10} {:>10}  name", "actions", "records", "bytes", "block")?;
    let mut sums = [0u64; 3];
    for wanted in wanted {
        for entry in wanted.entries() {
            let sizes = sizes_of(entry);
            sums = [sums[0] + sizes[0], sums[1] + sizes[1], sums[2] + sizes[2]];
            let [actions, records, bytes] = sizes.map(number);
            let block = number(wanted.block.offset);
            writeln!(io.out, "{actions:>10} {records:>10} {bytes:>10} {block:>10}  {}", entry.name)?;
        }
    }
    let logs = wanted.iter().map(|wanted| wanted.places.len() as u64).sum::<u64>();
    let [actions, records, bytes] = sums.map(number);
    writeln!(io.out, "{actions:>10} {records:>10} {bytes:>10} {:>10}  {}", "", count(logs, "log"))
}

fn sizes_of(entry: &ArchiveEntry) -> [u64; 3] {
    [entry.size.actions, entry.size.records, entry.size.length].map(u64::from)
}

/// Writes the format `canasta-archive/2`, described in docs/judge/CLI.md: one line for the head, one line per log,
/// one line for the end.
fn list_json(wanted: &[Selection], io: &mut Io<'_>) -> std::io::Result<()> {
    writeln!(io.out, "{{\"format\":\"canasta-archive/2\",\"logs\":[")?;
    let mut end = "";
    for wanted in wanted {
        let block = &wanted.block;
        for entry in wanted.entries() {
            let [actions, records, bytes] = sizes_of(entry);
            let of_block = json!({"offset": block.offset, "packed": block.packed, "logs": block.entries.len(), "sha256": hex(&block.digest)});
            let value: Value = json!({
                "name": entry.name, "actions": actions, "records": records, "bytes": bytes, "block": of_block,
            });
            write!(io.out, "{end}{value}")?;
            end = ",\n";
        }
    }
    writeln!(io.out, "{}]}}", end.trim_start_matches(','))
}
