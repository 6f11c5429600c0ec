//! `pack`: packs many logs into one file, from which each comes back byte for byte.

mod place;

use crate::io::{Exit, Io};
use crate::paths;
use crate::text::{count, number};
use anyhow::{Context, bail, ensure};
use canasta_engine::archive::{
    ARCHIVE_HEADER, ArchiveEntry, Content, GAMES_MAX, LOG_MAX, Packed, closing, is_entry_name,
};
use canasta_engine::legal::{Steps, steps_into};
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::replay::{Step, What};
use rayon::prelude::*;
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
    /// Also print the size of an index among the legal steps, all equally likely, for comparison
    #[arg(long)]
    entropy: bool,
    /// Number of logs packed at once; 0 means one per processor. Does not change the archive
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

const EXAMPLES: &str = "\
Every log is unpacked again and compared before it is stored, so any file comes back unchanged, even a \
damaged one: what does not follow from the rules is stored as it is. The archive appears as a whole or \
not at all. It contains the reveals of finished games, as their logs do: pack only what may be published. \
docs/ARCHIVE.md describes the format.

Examples:
  canasta-replay pack tables -o open-2026.carc
  canasta-replay pack a.clog b.clog -o two.carc --entropy";

/// The subject of an error that is not about a log.
const WRITING: &str = "writing the archive";
/// Number of logs in memory at once.
const BATCH: usize = 32;

/// Packs the logs.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let files = named(&args.paths)?;
    let mut out = NewFile::create(&args.out, args.force).with_context(|| args.out.display().to_string())?;
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(args.threads).build().context("cannot start threads")?;
    let sums = write_all(&mut out, &files, args.entropy, &pool)?;
    report(&sums, io)?;
    Ok(Exit::Clean)
}

/// The sums over all logs.
#[derive(Default)]
struct Sums {
    games: u64,
    bytes: u64,
    archive: u64,
    content: Content,
    bits: Option<f64>,
}

/// Packs logs, each with its name, into an archive on any files.
///
/// # Errors
/// If a log cannot be read, or the archive cannot be written. Then no file has the archive's name unless it
/// is whole.
pub fn pack_files(out: &mut impl ArchiveFiles, files: &[(String, PathBuf)]) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().context("cannot start threads")?;
    write_all(out, files, false, &pool).map(|_| ())
}

fn write_all(
    out: &mut impl ArchiveFiles,
    files: &[(String, PathBuf)],
    entropy: bool,
    pool: &rayon::ThreadPool,
) -> anyhow::Result<Sums> {
    let mut sums = Sums { bits: entropy.then_some(0.0), ..Sums::default() };
    let mut entries = Vec::new();
    let mut offset = ARCHIVE_HEADER.len() as u64;
    out.write(&ARCHIVE_HEADER).context(WRITING)?;
    for batch in files.chunks(BATCH) {
        let packed: Vec<_> = {
            let place = &*out;
            pool.install(|| batch.par_iter().map(|file| pack(place, file, entropy)).collect())
        };
        for result in packed {
            let (name, log, packed, bits) = result?;
            out.write(&packed.body).context(WRITING)?;
            let entry = ArchiveEntry::new(name, offset, &log, &packed);
            offset += u64::from(entry.packed);
            sums.add(&log, &packed, bits);
            entries.push(entry);
        }
    }
    let closing = closing(&entries);
    out.write(&closing).context(WRITING)?;
    out.finish().context(WRITING)?;
    sums.archive = offset + closing.len() as u64;
    Ok(sums)
}

fn pack(
    place: &impl ArchiveFiles,
    (name, path): &(String, PathBuf),
    entropy: bool,
) -> anyhow::Result<(String, Vec<u8>, Packed, f64)> {
    let log = read(place, path).with_context(|| path.display().to_string())?;
    let packed = canasta_engine::archive::pack(&log);
    let bits = if entropy { bits(&log) } else { 0.0 };
    Ok((name.clone(), log, packed, bits))
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

/// Returns the bits of an index among the legal steps, summed over the positions of a log that can be
/// executed.
fn bits(log: &[u8]) -> f64 {
    let (mut bits, mut steps) = (0.0, Steps::default());
    let mut watch = |step: &Step<'_>| {
        if let What::Acted(_) = step.what {
            steps_into(step.table, &mut steps);
            bits += (steps.actions.len().max(1) as f64).log2();
        }
    };
    Auditor::new(Expect::default()).feed_watched(log, &mut watch);
    bits
}

impl Sums {
    fn add(&mut self, log: &[u8], packed: &Packed, bits: f64) {
        let (sum, of) = (&mut self.content, &packed.content);
        sum.records += of.records;
        sum.actions += of.actions;
        sum.play += of.play;
        sum.times += of.times;
        sum.text += of.text;
        sum.plain += of.plain;
        sum.frame += of.frame;
        self.games += 1;
        self.bytes += log.len() as u64;
        self.bits = self.bits.map(|sum| sum + bits);
    }
}

fn report(sums: &Sums, io: &mut Io<'_>) -> std::io::Result<()> {
    let Sums { games, bytes, archive, content, bits } = sums;
    let heads = [count(*games, "log"), count(content.actions, "action"), count(*bytes, "byte")];
    let ratio = *bytes as f64 / *archive as f64;
    writeln!(io.out, "{} · packed to {}, 1 in {ratio:.1}", heads.join(" · "), count(*archive, "byte"))?;
    let known = content.play + content.times + content.text + content.plain + content.frame;
    let an_action = |bytes: f64| match content.actions {
        0 => String::new(),
        actions => format!("   {:.3} an action", bytes / actions as f64),
    };
    let columns = [
        ("actions", content.play),
        ("times", content.times),
        ("names, notes, what was not foretold", content.text),
        ("ids, secrets, signatures", content.plain),
        ("frames and index", archive - known + content.frame),
    ];
    for (name, bytes) in columns {
        writeln!(io.out, "  {name:36} {:>12}{}", number(bytes), an_action(bytes as f64))?;
    }
    if let Some(bits) = bits {
        let bytes = (bits / 8.0).ceil();
        writeln!(
            io.out,
            "  {:36} {:>12}{}",
            "(an index among the legal steps)",
            number(bytes as u64),
            an_action(bytes)
        )?;
    }
    Ok(())
}

/// Returns the logs with their names in the archive: file names, or paths below the directories that were
/// named.
fn named(paths: &[PathBuf]) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let mut by_name = BTreeMap::new();
    for path in paths {
        paths::named_file(path, "a log from standard input has no name")?;
        let (files, failures) = paths::logs(std::slice::from_ref(path));
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
        by_name.len() as u64 <= GAMES_MAX.into(),
        "expected at most {GAMES_MAX} logs, found {}",
        by_name.len()
    );
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
