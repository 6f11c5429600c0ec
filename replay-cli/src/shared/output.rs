//! The files that commands write. None is written over unless that was asked for, and none ever that the command reads.

use crate::shared::paths;
use anyhow::{Context, ensure};
use canasta_tournament::durable::NewFile;
use canasta_tournament::{log_file, proof};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that a command may write, or standard output.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    force: bool,
}

impl OutputFile {
    /// Returns the file `path`, or standard output for `-`. `inputs` are the files and directories that the command
    /// reads.
    ///
    /// # Errors
    /// If the file exists and is not to be replaced by `force`, or is one of the inputs under whatever name.
    pub fn new<I: AsRef<Path>>(
        path: &Path,
        force: bool,
        inputs: impl IntoIterator<Item = I>,
    ) -> anyhow::Result<Self> {
        let output = Self { path: path.to_owned(), force };
        if output.is_stdout() || path.symlink_metadata().is_err() || output.is_device() {
            return Ok(output);
        }
        let name = path.display();
        ensure!(!path.is_dir(), "{name}: a directory, expected a file");
        let is_input = |input: I| reads(input.as_ref(), path);
        ensure!(!inputs.into_iter().any(is_input), "{name}: this command reads it, and never writes over it");
        ensure!(force, "{name}: exists already (--force overwrites it)");
        Self::in_place(path)
    }

    /// Returns a file that may be replaced: a link stays, and what it leads to is replaced.
    ///
    /// # Errors
    /// If a link leads to a directory that does not exist.
    pub fn in_place(path: &Path) -> anyhow::Result<Self> {
        let path = if path.is_symlink() {
            fs::canonicalize(path).with_context(|| path.display().to_string())?
        } else {
            path.to_owned()
        };
        Ok(Self { path, force: true })
    }

    pub fn is_stdout(&self) -> bool {
        paths::is_stdin(&self.path)
    }

    /// Whether it is a pipe or a device, of which nothing is lost.
    fn is_device(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|found| !found.is_file() && !found.is_dir())
    }

    /// Writes the whole file.
    ///
    /// # Errors
    /// If it cannot be written, or exists by now and is not to be replaced.
    pub fn write(&self, bytes: &[u8], out: &mut dyn Write) -> anyhow::Result<()> {
        if self.is_stdout() {
            return Ok(out.write_all(bytes)?);
        }
        let name = || self.path.display().to_string();
        if self.is_device() {
            let device = File::options().write(true).open(&self.path);
            return device.and_then(|mut device| device.write_all(bytes)).with_context(name);
        }
        let mut file = self.create()?;
        file.write_all(bytes).and_then(|()| file.finish()).with_context(name)
    }

    /// Begins the file, which has another name until it is finished.
    ///
    /// # Errors
    /// If it exists by now and is not to be replaced, or the directory cannot be written.
    pub fn create(&self) -> anyhow::Result<NewFile> {
        NewFile::create(&self.path, self.force).with_context(|| self.path.display().to_string())
    }
}

/// Whether a command that is given `input` reads `file`, which exists.
fn reads(input: &Path, file: &Path) -> bool {
    if paths::is_stdin(input) {
        return same(Path::new("/dev/stdin"), file);
    }
    if input.is_dir() {
        // Pages may lie beside the logs: no command reads them.
        let is_page = file.extension().is_some_and(|extension| extension == "html");
        let below = fs::canonicalize(input).and_then(|input| Ok(fs::canonicalize(file)?.starts_with(input)));
        let logs = || {
            paths::logs(&[input.to_owned()]).is_ok_and(|(logs, _)| logs.iter().any(|log| reads(log, file)))
        };
        return below.unwrap_or(false) && !is_page || logs();
    }
    // Notes and proofs are read beside their logs.
    let beside = [log_file::note_path(input), input.with_extension(proof::EXTENSION)];
    same(input, file) || beside.iter().any(|beside| same(beside, file))
}

/// Whether two names are of one file, also by links.
#[cfg(unix)]
fn same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
    matches!((place(one), place(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(not(unix))]
fn same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}
