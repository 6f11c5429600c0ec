//! The command `backup`: copies the journal, the keys and the archive into a folder, while the recorder runs or while it does not.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

use anyhow::anyhow;
use rusqlite::{Connection, OpenFlags};

use crate::folder::{ARCHIVE, KEY_FILES};

/// Copies the files of a recorder's folder into another folder, which may hold an older backup. The journal is copied first: the
/// archive then has every log that the journal counts as archived. Marks are not copied, since they tell of later records.
///
/// # Errors
/// If a file cannot be copied. An older copy of the journal stays until the new one is whole.
pub fn backup(data: &Path, to: &Path) -> anyhow::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(to).map_err(at(to))?;
    let (new, journal) = (to.join("journal.new"), to.join("journal.sqlite"));
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&new)(error)),
        _ => {}
    }
    let from = data.join("journal.sqlite");
    let copied = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .and_then(|connection| connection.execute("VACUUM INTO ?1", [new.to_string_lossy()]));
    copied.map_err(|error| anyhow!("the journal: {error}"))?;
    fs::set_permissions(&new, Permissions::from_mode(0o600)).map_err(at(&new))?;
    fs::File::open(&new).and_then(|file| file.sync_all()).map_err(at(&new))?;
    fs::rename(&new, &journal).map_err(at(&journal))?;
    for name in KEY_FILES {
        let (from, to) = (data.join(name), to.join(name));
        if from.exists() {
            fs::copy(&from, &to).map_err(at(&to))?;
        }
    }
    let archive = data.join(ARCHIVE);
    if archive.is_dir() { copy_new(&archive, &to.join(ARCHIVE)) } else { Ok(()) }
}

/// Names the path in the error of a file.
fn at(path: &Path) -> impl FnOnce(io::Error) -> anyhow::Error {
    move |error| anyhow!("{}: {error}", path.display())
}

/// Copies the objects that the other folder lacks: none ever changes.
fn copy_new(from: &Path, to: &Path) -> anyhow::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(to).map_err(at(to))?;
    for entry in fs::read_dir(from).map_err(at(from))? {
        let entry = entry.map_err(at(from))?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            let is_of_marks = entry.file_name() == "marks";
            if !is_of_marks {
                copy_new(&path, &copy)?;
            }
        } else if !copy.exists() {
            fs::copy(&path, &copy).map_err(at(&copy))?;
        }
    }
    Ok(())
}
