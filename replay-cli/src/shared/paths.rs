//! The logs that the arguments of a command name.

use crate::shared::io::{Io, in_words, read_whole};
use crate::shared::sorted::RecordSorter;
use crate::shared::text::count;
use anyhow::Context;
use canasta_engine::log::{Foreign, Frame, HEADER, LogError, Reader};
pub use canasta_tournament::log_file::{CHUNK, EXTENSION, LIVE, feed};
#[cfg(unix)]
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The path, as it was given or found.
    pub path: String,
    pub error: String,
}

/// Memory of a list of paths in bytes, unless told otherwise.
pub const LIST_MEMORY: usize = 4 << 20;

/// The logs that the arguments of a command name, in order: files themselves, and for directories every `*.clog` below
/// them, sorted by name.
pub struct LogPaths {
    /// Number of the argument, then the path with [`SEPARATED`] for each separator.
    sorted: RecordSorter,
    has_stdin: bool,
    /// Number of archives that were found in directories.
    archives: u64,
}

/// The extension of archives, which pack writes.
const ARCHIVE_EXTENSION: &str = "carc";

/// Stands for standard input among the arguments.
pub const STDIN: &str = "-";

/// Stands for the separator of directories in sorted paths, because names within a directory are sorted before paths
/// below them. No path contains this byte.
const SEPARATED: u8 = 0;
/// Number of bytes that a sorted path has before its text.
const ARGUMENT: usize = 4;

impl LogPaths {
    /// Finds the logs that `paths` name. The list takes at most `limit` bytes of memory. A path without any log is a
    /// failure.
    pub fn find(paths: &[PathBuf], limit: usize) -> io::Result<(Self, FailureList)> {
        Self::find_also(paths, limit, &[])
    }

    /// Finds the logs that `paths` name, and in directories also the files with other extensions.
    pub fn find_also(
        paths: &[PathBuf],
        limit: usize,
        others: &'static [&'static str],
    ) -> io::Result<(Self, FailureList)> {
        let mut search = LogSearch {
            argument: 0,
            others,
            archives: 0,
            found: RecordSorter::new(limit),
            failures: FailureList::new(limit),
        };
        for (number, path) in (0..).zip(paths) {
            search.argument = number;
            search.argument(path)?;
        }
        let has_stdin = paths.iter().any(|path| is_stdin(path));
        Ok((Self { sorted: search.found, has_stdin, archives: search.archives }, search.failures))
    }

    pub fn count(&self) -> u64 {
        self.sorted.count()
    }

    /// Tells of the archives in directories, whose logs are not among those found.
    pub fn tell_archives(&self, io: &mut Io<'_>) -> io::Result<()> {
        if self.archives == 0 {
            return Ok(());
        }
        io.remark(format_args!("left out {}", archives(self.archives)))
    }

    pub fn has_stdin(&self) -> bool {
        self.has_stdin
    }

    /// Returns the paths in order.
    pub fn iter(&mut self) -> io::Result<impl Iterator<Item = io::Result<PathBuf>> + Send> {
        let path = |record: Vec<u8>| {
            let separator = |&byte: &u8| if byte == SEPARATED { MAIN_SEPARATOR as u8 } else { byte };
            path_of(record[ARGUMENT..].iter().map(separator).collect())
        };
        Ok(self.sorted.iter()?.map(move |record| record.map(path)))
    }
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    <OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Returns why a file that begins like this is no text, and what reads it; `None` if it may be text.
pub fn not_text(start: &[u8]) -> Option<String> {
    let head = &start[..start.len().min(HEADER.len())];
    if head.starts_with(&HEADER[..8]) {
        return Some("this is a log already, not the text of one".into());
    }
    if [[0xff, 0xfe], [0xfe, 0xff]].iter().any(|mark| head.starts_with(mark)) {
        return Some("expected UTF-8 text, found UTF-16: save the file as UTF-8".into());
    }
    match Foreign::of(head) {
        Foreign::Gzip => {
            Some("expected text, found gzip data: give - for the file, behind gzip -dc FILE |".into())
        }
        found @ (Foreign::Compressed | Foreign::Archive) => Some(format!("expected text: {found}")),
        _ => None,
    }
}

pub fn in_utf8(bytes: &[u8]) -> Result<&str, String> {
    if let Some(why) = not_text(bytes) {
        return Err(why);
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line}: not UTF-8 text")
    })
}

struct LogSearch {
    argument: u32,
    /// The extensions of files in directories besides logs.
    others: &'static [&'static str],
    /// Number of archives, of all directories so far.
    archives: u64,
    found: RecordSorter,
    failures: FailureList,
}

impl LogSearch {
    fn argument(&mut self, path: &Path) -> io::Result<()> {
        if is_stdin(path) {
            return self.add(path);
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let (before, packed) = ((self.found.count(), self.failures.count()), self.archives);
                self.directory(path)?;
                if before != (self.found.count(), self.failures.count()) {
                    return Ok(());
                }
                // The reason names them, so that the answer need not.
                let but = match std::mem::replace(&mut self.archives, packed) - packed {
                    0 => String::new(),
                    found => format!(", but {}", archives(found)),
                };
                self.fail(path, &format!("no *.{EXTENSION} below this directory{but}"))
            }
            Ok(_) => self.add(path),
            Err(error) => self.fail(path, &error),
        }
    }

    /// Searches one directory. The names in it are not collected, because the paths are sorted later.
    fn directory(&mut self, directory: &Path) -> io::Result<()> {
        let entries = match fs::read_dir(directory) {
            Ok(entries) => entries,
            Err(error) => return self.fail(directory, &error),
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => return self.fail(directory, &error),
            };
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.directory(&path)?,
                Ok(_) if path.extension().is_some_and(|extension| extension == ARCHIVE_EXTENSION) => {
                    self.archives += 1;
                }
                Ok(_) if !self.takes(&path) => {}
                Ok(kind) if kind.is_file() => self.add(&path)?,
                Ok(_) => match fs::metadata(&path) {
                    // Links to directories are not followed: they may form a cycle.
                    Ok(metadata) if metadata.is_dir() => {}
                    // Reading a pipe or a device could block.
                    Ok(metadata) if !metadata.is_file() => self.fail(&path, &"not a regular file")?,
                    Ok(_) | Err(_) => self.add(&path)?,
                },
                Err(error) => self.fail(&path, &error)?,
            }
        }
        Ok(())
    }

    /// Whether a file in a directory is one of those that are searched.
    fn takes(&self, path: &Path) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extension == EXTENSION || self.others.contains(&extension))
    }

    fn add(&mut self, path: &Path) -> io::Result<()> {
        self.found.push(&self.key(path))
    }

    fn fail(&mut self, path: &Path, error: &dyn std::fmt::Display) -> io::Result<()> {
        let key = self.key(path);
        self.failures.push(&key, &failure(path, error))
    }

    fn key(&self, path: &Path) -> Vec<u8> {
        let mut key = self.argument.to_be_bytes().to_vec();
        let separated = |&byte: &u8| if byte == MAIN_SEPARATOR as u8 { SEPARATED } else { byte };
        key.extend(path.as_os_str().as_encoded_bytes().iter().map(separated));
        key
    }
}

/// Returns a number of archives in words, and the command that reads them.
fn archives(found: u64) -> String {
    format!("{} (canasta-replay unpack takes out the logs)", count(found, "archive"))
}

/// The paths that could not be read: first those of the search for logs, then those of reading.
pub struct FailureList(RecordSorter);

impl FailureList {
    /// Returns a list without failures. It takes at most `limit` bytes of memory.
    pub fn new(limit: usize) -> Self {
        Self(RecordSorter::new(limit))
    }

    pub fn count(&self) -> u64 {
        self.0.count()
    }

    /// Adds the failure of a log behind all failures so far.
    pub fn add(&mut self, failure: &Failure) -> io::Result<()> {
        // No argument has this number, so that the failure comes behind those of the search.
        let key = [&u32::MAX.to_be_bytes()[..], &self.count().to_be_bytes()].concat();
        self.push(&key, failure)
    }

    fn push(&mut self, key: &[u8], Failure { path, error }: &Failure) -> io::Result<()> {
        let text = serde_json::to_vec(&(path, error))?;
        self.0.push(&[key, &[SEPARATED], &text].concat())
    }

    /// Returns the failures in order.
    pub fn iter(&mut self) -> io::Result<impl Iterator<Item = io::Result<Failure>>> {
        let failure = |record: Vec<u8>| {
            // JSON has no zero byte, so the text begins behind the last of them.
            let text = record.rsplit(|&byte| byte == SEPARATED).next().unwrap_or_default();
            let (path, error) = serde_json::from_slice(text)?;
            Ok(Failure { path, error })
        };
        Ok(self.0.iter()?.map(move |record| record.and_then(failure)))
    }

    /// Writes the failures to `err`.
    pub fn report(&mut self, io: &mut Io<'_>) -> io::Result<()> {
        for failure in self.iter()? {
            report(&[failure?], io)?;
        }
        Ok(())
    }
}

/// Returns the files that `paths` name as [`LogPaths`] does, as lists in memory.
pub fn logs(paths: &[PathBuf]) -> io::Result<(Vec<PathBuf>, Vec<Failure>)> {
    let (mut logs, mut failures) = LogPaths::find(paths, usize::MAX)?;
    let logs = logs.iter()?.collect::<io::Result<_>>()?;
    Ok((logs, failures.iter()?.collect::<io::Result<_>>()?))
}

/// Returns whether the path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == STDIN
}

/// Refuses standard input if only a file will do.
///
/// # Errors
/// If the path is `-`; the text contains `why`.
pub fn named_file(path: &Path, why: &str) -> anyhow::Result<()> {
    anyhow::ensure!(!is_stdin(path), "-: {why}: expected a file (./- is a file called -)");
    Ok(())
}

/// Refuses standard input that is named twice.
pub fn named_once(paths: &[PathBuf]) -> anyhow::Result<()> {
    let times = paths.iter().filter(|path| is_stdin(path)).count();
    anyhow::ensure!(times <= 1, "standard input can be read only once, found - twice");
    Ok(())
}

pub fn failure(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure { path: path.display().to_string(), error: in_words(error) }
}

pub fn report(failures: &[Failure], io: &mut Io<'_>) -> io::Result<()> {
    let tell = |Failure { path, error }: &Failure| io.remark(format_args!("{path}: {error}"));
    failures.iter().try_for_each(tell)
}

/// Reads a file of at most `most` bytes, or standard input for `-`.
///
/// # Errors
/// If the file is longer or cannot be read, with its name.
pub fn read(path: &Path, most: u64, input: &mut dyn Read) -> anyhow::Result<Vec<u8>> {
    read_whole(open(path, input)?, most).with_context(|| path.display().to_string())
}

/// Opens a file, or standard input, which is `input`, for `-`.
///
/// # Errors
/// If the file cannot be opened, with its name.
pub fn open<'a>(path: &Path, input: &'a mut dyn Read) -> anyhow::Result<Box<dyn Read + 'a>> {
    if is_stdin(path) {
        return Ok(Box::new(input));
    }
    Ok(Box::new(File::open(path).with_context(|| path.display().to_string())?))
}

/// Reads the frames of a log in their order, until `take` returns `false` or a fault. Returns the fault that ends the log.
pub fn frames(
    source: impl Read,
    take: &mut dyn FnMut(&Frame<'_>) -> Result<bool, LogError>,
) -> io::Result<Option<LogError>> {
    let mut reader = Reader::new();
    let mut end = None;
    feed(source, |mut piece| {
        while end.is_none() {
            let taken = match reader.next(&mut piece) {
                Ok(None) => return true,
                Ok(Some(frame)) => take(&frame),
                Err(fault) => Err(fault),
            };
            end = match taken {
                Ok(true) => None,
                Ok(false) => Some(None),
                Err(fault) => Some(Some(fault)),
            };
        }
        false
    })?;
    Ok(end.unwrap_or_else(|| reader.finish().err()))
}
