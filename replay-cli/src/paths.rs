//! The logs that the arguments of a command name.

use crate::io::{Io, in_words};
use anyhow::Context;
pub use canasta_tournament::log_file::{CHUNK, EXTENSION, feed};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A path that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The path, as it was given or found.
    pub path: String,
    /// The text of the error.
    pub error: String,
}

/// Returns the files that `paths` name: files themselves, and for directories every `*.clog` below them,
/// sorted by name. A path without any log is a failure.
pub fn logs(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Failure>) {
    let (mut files, mut failures) = (Vec::new(), Vec::new());
    for path in paths {
        if is_stdin(path) {
            files.push(path.clone());
            continue;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let before = files.len();
                let failed = failures.len();
                walk(path, &mut files, &mut failures);
                if files.len() == before && failures.len() == failed {
                    failures.push(failure(path, &format!("no *.{EXTENSION} below this directory")));
                }
            }
            Ok(_) => files.push(path.clone()),
            Err(error) => failures.push(failure(path, &error)),
        }
    }
    (files, failures)
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>, failures: &mut Vec<Failure>) {
    let entries = match fs::read_dir(directory).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(error) => return failures.push(failure(directory, &error)),
    };
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        // Links to directories are not followed: they may form a cycle.
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => walk(&path, files, failures),
            Ok(_) if path.extension().is_none_or(|extension| extension != EXTENSION) || path.is_dir() => {}
            // Reading a pipe or a device could block.
            Ok(_) if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) => {
                failures.push(failure(&path, &"not a regular file"));
            }
            Ok(_) => files.push(path),
            Err(error) => failures.push(failure(&path, &error)),
        }
    }
}

/// Returns whether the path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses standard input if only a file will do.
///
/// # Errors
/// If the path is `-`; the text contains `why`.
pub fn named_file(path: &Path, why: &str) -> anyhow::Result<()> {
    anyhow::ensure!(!is_stdin(path), "-: {why}: expected a file (./- is a file called -)");
    Ok(())
}

/// Returns the failure of a path.
pub fn failure(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure { path: path.display().to_string(), error: in_words(error) }
}

/// Writes the failures to `err`.
pub fn report(failures: &[Failure], io: &mut Io<'_>) -> std::io::Result<()> {
    failures
        .iter()
        .try_for_each(|Failure { path, error }| writeln!(io.err, "canasta-replay: {path}: {error}"))
}

/// Opens a file, or standard input for `-`.
///
/// # Errors
/// If the file cannot be opened, with its name.
pub fn open<'a>(path: &Path, io: &'a mut Io<'_>) -> anyhow::Result<Box<dyn Read + 'a>> {
    if is_stdin(path) {
        return Ok(Box::new(&mut io.input));
    }
    Ok(Box::new(File::open(path).with_context(|| path.display().to_string())?))
}
