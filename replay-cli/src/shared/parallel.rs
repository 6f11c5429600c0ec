//! Reading many logs at once, with a progress bar.

mod queue;

use crate::shared::io::Io;
use crate::shared::paths::{self, Failure, LogPaths};
use anyhow::Context;
pub use canasta_tournament::log_file::pool;
use indicatif::ProgressBar;
use queue::LogQueue;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Mutex;
use std::thread;

/// A function that processes one log: its path, its reader, and a callback for every chunk read (progress).
pub type Job<'a, T> = dyn Fn(&Path, &mut dyn Read, &mut dyn FnMut(&[u8])) -> Result<T, Failure> + Sync + 'a;

/// Processes every log, several at once (`threads` of 0 means one per processor). `size` returns the size of a result
/// in bytes; `take` gets the results in the order of the logs.
///
/// Each thread begins the next log as soon as it has finished one, so that a long log holds up no other. One thread is the
/// calling one.
///
/// # Errors
/// If the threads cannot be started, the list of logs cannot be read, or `take` returns an error.
pub fn each<T: Send>(
    logs: &mut LogPaths,
    threads: usize,
    io: &mut Io<'_>,
    job: &Job<'_, T>,
    size: fn(&T) -> usize,
    mut take: impl FnMut(&mut Io<'_>, Result<T, Failure>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    logs.tell_archives(io)?;
    let bar = progress_bar(logs, io.progress)?;
    let run =
        |path: &Path, reader: &mut dyn Read| job(path, reader, &mut |piece| bar.inc(piece.len() as u64));
    // Threads cannot share standard input: it is read here, before they start.
    let stdin = Mutex::new(logs.has_stdin().then(|| run(Path::new(paths::STDIN), &mut io.input)));
    let process = |path: &Path| {
        if paths::is_stdin(path) {
            return stdin.lock().ok().and_then(|mut stdin| stdin.take()).expect("it is named once");
        }
        match File::open(path) {
            Ok(mut reader) => run(path, &mut reader),
            Err(error) => Err(paths::failure(path, &error)),
        }
    };
    let available = || thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { available() } else { threads };
    if threads == 1 {
        for path in logs.iter()? {
            take(io, process(&path?))?;
        }
        bar.finish_and_clear();
        return Ok(());
    }
    let queue = LogQueue::new(logs.iter()?, size);
    thread::scope(|scope| {
        let _stop = queue.stop_on_drop(true);
        for _ in 0..threads {
            let work = || {
                let _stop = queue.stop_on_drop(false);
                while let Some((number, path)) = queue.next() {
                    queue.put(number, process(&path));
                }
            };
            thread::Builder::new().spawn_scoped(scope, work).context("cannot start threads")?;
        }
        while let Some(result) = queue.take()? {
            take(io, result)?;
        }
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    Ok(())
}

/// Returns a progress bar over the bytes of all logs.
fn progress_bar(logs: &mut LogPaths, shown: bool) -> io::Result<ProgressBar> {
    let mut total = 0;
    if shown {
        for path in logs.iter()? {
            total += fs::metadata(path?).map_or(0, |metadata| metadata.len());
        }
    }
    Ok(crate::shared::io::progress_bar(total, "{bytes} of {total_bytes}", shown))
}
