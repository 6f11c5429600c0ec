//! `pack`: packs many logs into one file, from which each comes back byte for byte.

mod place;

use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::output::OutputFile;
use crate::shared::parallel;
use crate::shared::paths;
use crate::shared::text::{count, number};
use anyhow::{Context, bail, ensure};
use canasta_engine::archive::{
    ARCHIVE_HEADER, ArchiveBlock, Content, LOG_MAX, LOGS_MAX, NAMES_MAX, Packed, closing, has_room,
    is_entry_name,
};
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use place::{ArchiveFiles, NewFile};

/// The arguments of `pack`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Logs, and directories whose *.clog are packed under their paths below the directory
    #[arg(required = true, value_name = "LOG")]
    paths: Vec<PathBuf>,
    /// The archive to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite an existing archive
    #[arg(long)]
    force: bool,
    /// Number of blocks of 64 logs packed at once; 0 means one per processor. Does not change the archive
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Every log is unpacked again and compared before it is stored, so any file comes back unchanged, even a \
damaged one: what does not follow from the rules is stored as it is. The archive appears as a whole or \
not at all. It contains the reveals of finished games, as their logs do: pack only what may be published. \
docs/formats/ARCHIVE.md describes the format.

Examples:
  canasta-replay pack tables -o open-2026.carc
  canasta-replay pack a.clog b.clog -o two.carc";

/// The subject of an error that is not about a log.
const WRITING: &str = "writing the archive";

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let files = named(&args.paths)?;
    let mut out = OutputFile::new(&args.out, args.force, files.iter().map(|(_, path)| path))?.create()?;
    let pool = parallel::pool(args.threads)?;
    let sums = write_all(&mut out, &files, &pool)?;
    match args.format {
        OutputFormat::Text => report(&sums, io)?,
        OutputFormat::Json => io.write_value(&json!({
            "format": "canasta-pack/1",
            "path": args.out.display().to_string(),
            "logs": sums.games,
            "actions": sums.actions,
            "bytes": sums.bytes,
            "packed": sums.archive,
        }))?,
    }
    Ok(Exit::Clean)
}

/// The sums over all logs.
#[derive(Default)]
struct PackedSums {
    games: u64,
    bytes: u64,
    actions: u64,
    archive: u64,
    content: Content,
}

/// Packs logs, each with its name, into an archive on any files.
///
/// # Errors
/// If a log cannot be read, or the archive cannot be written. Then no file has the archive's name unless it
/// is whole.
pub fn pack_files(out: &mut impl ArchiveFiles, files: &[(String, PathBuf)]) -> anyhow::Result<()> {
    let pool = parallel::pool(1)?;
    write_all(out, files, &pool).map(|_| ())
}

fn write_all(
    out: &mut impl ArchiveFiles,
    files: &[(String, PathBuf)],
    pool: &rayon::ThreadPool,
) -> anyhow::Result<PackedSums> {
    let mut sums = PackedSums::default();
    let mut blocks = Vec::new();
    let mut offset = ARCHIVE_HEADER.len() as u64;
    out.write(&ARCHIVE_HEADER).context(WRITING)?;
    let mut files = files.iter().peekable();
    let mut next = None;
    while files.peek().is_some() || next.is_some() {
        let read: Vec<LogGroup> = (0..pool.current_num_threads())
            .map(|_| group(&*out, &mut files, &mut next))
            .filter(|group| !matches!(group, Ok(group) if group.logs.is_empty()))
            .collect::<anyhow::Result<_>>()?;
        let pack = |group: &LogGroup| canasta_engine::archive::pack(&group.logs);
        let packed: Vec<Packed> = pool.install(|| read.par_iter().map(pack).collect());
        for (group, packed) in read.into_iter().zip(packed) {
            out.write(&packed.body).context(WRITING)?;
            let block = ArchiveBlock::new(offset, group.names, &group.logs, &packed);
            offset += u64::from(block.packed);
            sums.add(&packed);
            blocks.push(block);
        }
    }
    let closing = closing(&blocks);
    out.write(&closing).context(WRITING)?;
    out.finish().context(WRITING)?;
    sums.archive = offset + closing.len() as u64;
    Ok(sums)
}

#[derive(Default)]
struct LogGroup {
    names: Vec<String>,
    logs: Vec<Vec<u8>>,
}

/// Reads the logs of the next block. The first log that has no room in the block becomes `next`.
fn group<'f>(
    place: &impl ArchiveFiles,
    files: &mut impl Iterator<Item = &'f (String, PathBuf)>,
    next: &mut Option<(String, Vec<u8>)>,
) -> anyhow::Result<LogGroup> {
    let (mut group, mut bytes) = (LogGroup::default(), 0);
    loop {
        let (name, log) = match next.take() {
            Some(read) => read,
            None => {
                let Some((name, path)) = files.next() else { return Ok(group) };
                (name.clone(), read(place, path).with_context(|| path.display().to_string())?)
            }
        };
        if !has_room(group.logs.len(), bytes, log.len() as u64) {
            *next = Some((name, log));
            return Ok(group);
        }
        bytes += log.len() as u64;
        group.names.push(name);
        group.logs.push(log);
    }
}

fn read(place: &impl ArchiveFiles, path: &Path) -> anyhow::Result<Vec<u8>> {
    let log = place.read(path, LOG_MAX as u64 + 1)?;
    ensure!(
        log.len() <= LOG_MAX,
        "longer than {} bytes, which is the most that is packed",
        number(LOG_MAX as u64)
    );
    Ok(log)
}

impl PackedSums {
    fn add(&mut self, packed: &Packed) {
        let (sum, of) = (&mut self.content, &packed.content);
        sum.play += of.play;
        sum.times += of.times;
        sum.text += of.text;
        sum.plain += of.plain;
        sum.frame += of.frame;
        for size in &packed.sizes {
            self.games += 1;
            self.bytes += u64::from(size.length);
            self.actions += u64::from(size.actions);
        }
    }
}

fn report(sums: &PackedSums, io: &mut Io<'_>) -> std::io::Result<()> {
    let PackedSums { games, bytes, actions, archive, content } = sums;
    let heads = [count(*games, "log"), count(*actions, "action"), count(*bytes, "byte")];
    let ratio = *bytes as f64 / *archive as f64;
    writeln!(io.out, "{} · packed to {}, 1 in {ratio:.1}", heads.join(" · "), count(*archive, "byte"))?;
    let known = content.play + content.times + content.text + content.plain + content.frame;
    let an_action = |bytes: u64| match actions {
        0 => String::new(),
        _ => format!("   {:.3} an action", bytes as f64 / *actions as f64),
    };
    let columns = [
        ("actions", content.play),
        ("times", content.times),
        ("names, notes, what was not foretold", content.text),
        ("ids, secrets, signatures", content.plain),
        ("frames and index", archive - known + content.frame),
        ("all", *archive),
    ];
    for (name, bytes) in columns {
        writeln!(io.out, "  {name:36} {:>12}{}", number(bytes), an_action(bytes))?;
    }
    Ok(())
}

/// Returns the logs with their names in the archive: file names, or paths below the directories that were
/// named.
fn named(paths: &[PathBuf]) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let mut by_name = BTreeMap::new();
    for path in paths {
        paths::named_file(path, "a log from standard input has no name")?;
        let (files, failures) = paths::logs(std::slice::from_ref(path))?;
        if let Some(failure) = failures.first() {
            bail!("{}: {}", failure.path, failure.error);
        }
        for file in files {
            let below = match file.strip_prefix(path) {
                Ok(below) if !below.as_os_str().is_empty() => below,
                _ => Path::new(file.file_name().unwrap_or_default()),
            };
            let name = entry_name(below).with_context(|| file.display().to_string())?;
            if let Some(first) = by_name.insert(name.clone(), file.clone()).filter(|first| *first != file) {
                bail!(
                    "{} and {} would both have the name {name:?} in the archive",
                    first.display(),
                    file.display()
                );
            }
        }
    }
    ensure!(
        by_name.len() as u64 <= LOGS_MAX.into(),
        "expected at most {LOGS_MAX} logs, found {}",
        by_name.len()
    );
    let names: usize = by_name.keys().map(String::len).sum();
    ensure!(names <= NAMES_MAX, "expected names of at most {NAMES_MAX} bytes in all, found {names}");
    Ok(by_name.into_iter().collect())
}

fn entry_name(path: &Path) -> anyhow::Result<String> {
    let parts: Option<Vec<&str>> = path.components().map(|part| part.as_os_str().to_str()).collect();
    let name = parts.map(|parts| parts.join("/"));
    name.filter(|name| is_entry_name(name)).context(
        "a name that an archive cannot hold: expected UTF-8 without control or bidirectional characters and \
         backslashes, at most 255 bytes a part",
    )
}
