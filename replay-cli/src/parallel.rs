//! Reading many logs at once, with a progress bar.

use crate::io::Io;
use crate::paths::{self, Failure};
use anyhow::Context;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Maximum number of logs whose results wait in memory.
const BATCH: usize = 1024;

/// A function that processes one log: its path, its reader, and a callback for every chunk read (progress).
pub type Job<'a, T> = dyn Fn(&Path, &mut dyn Read, &mut dyn FnMut(&[u8])) -> Result<T, Failure> + Sync + 'a;

/// Processes every file, several at once (`threads` of 0 means one per processor). `take` gets the results in
/// the order of the files.
///
/// # Errors
/// If the threads cannot be started.
pub fn each<T: Send>(
    files: &[PathBuf],
    threads: usize,
    io: &mut Io<'_>,
    job: &Job<'_, T>,
    mut take: impl FnMut(Result<T, Failure>),
) -> anyhow::Result<()> {
    let bar = progress_bar(files, io.progress);
    let run =
        |path: &Path, reader: &mut dyn Read| job(path, reader, &mut |piece| bar.inc(piece.len() as u64));
    // Threads cannot share standard input: it is read here, before they start.
    let stdin = files.iter().find(|file| paths::is_stdin(file));
    let mut stdin = stdin.map(|path| run(path, &mut io.input));
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    for batch in files.chunks(BATCH) {
        let one = |file: &PathBuf| match File::open(file) {
            _ if paths::is_stdin(file) => None,
            Ok(mut reader) => Some(run(file, &mut reader)),
            Err(error) => Some(Err(paths::failure(file, &error))),
        };
        let outcomes: Vec<_> = pool.install(|| batch.par_iter().map(one).collect());
        outcomes.into_iter().filter_map(|outcome| outcome.or_else(|| stdin.take())).for_each(&mut take);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Returns a progress bar over the bytes of all files.
fn progress_bar(files: &[PathBuf], shown: bool) -> ProgressBar {
    let size = |file: &PathBuf| fs::metadata(file).map_or(0, |metadata| metadata.len());
    let total = if shown { files.iter().map(size).sum() } else { 0 };
    crate::io::progress_bar(total, "{bytes} of {total_bytes}", shown)
}
