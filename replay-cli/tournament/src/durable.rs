//! Files that a crash leaves as they were or whole: written beside, synced, renamed, and the folder synced.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file that is being written; it has another name until it is whole.
#[derive(Debug)]
pub struct NewFile {
    file: BufWriter<File>,
    partial: PathBuf,
    path: PathBuf,
    replaces: bool,
}

/// A function that waits until a file or a folder has reached the disk. Tests hand in others.
type Sync<'a> = &'a mut dyn FnMut(&File) -> io::Result<()>;

impl NewFile {
    /// Begins a file that will have this name; `replaces` takes the name from a file that has it.
    ///
    /// # Errors
    /// If the name is taken or names a directory, or the directory cannot be written.
    pub fn create(path: &Path, replaces: bool) -> io::Result<Self> {
        if path.file_name().is_none() {
            return Err(io::Error::other("expected the name of a file"));
        }
        check_free(path, replaces)?;
        let mut partial = path.as_os_str().to_owned();
        partial.push(format!(".partial-{}", std::process::id()));
        let partial = PathBuf::from(partial);
        let file = OpenOptions::new().write(true).create_new(true).open(&partial)?;
        Ok(Self { file: BufWriter::new(file), partial, path: path.to_owned(), replaces })
    }

    /// Waits until the bytes have reached the disk, gives the file its name, and waits until the name has reached it.
    ///
    /// # Errors
    /// If the disk fails, or the name is taken.
    pub fn finish(&mut self) -> io::Result<()> {
        self.finish_by(&mut File::sync_all)
    }

    fn finish_by(&mut self, sync: Sync<'_>) -> io::Result<()> {
        self.name_by(sync)?;
        sync_folder_by(self.path.parent().unwrap_or(Path::new("")), sync)
    }

    fn name_by(&mut self, sync: Sync<'_>) -> io::Result<()> {
        self.file.flush()?;
        if let Ok(old) = fs::symlink_metadata(&self.path)
            && old.is_file()
        {
            self.file.get_ref().set_permissions(old.permissions())?;
        }
        sync(self.file.get_ref())?;
        check_free(&self.path, self.replaces)?;
        fs::rename(&self.partial, &self.path)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    /// Removes an unfinished file; after [`NewFile::finish`] there is no file of that name.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.partial);
    }
}

/// Writes a whole file, and waits until file and name have reached the disk.
///
/// # Errors
/// As [`NewFile::create`] and [`NewFile::finish`].
pub fn write(path: &Path, bytes: &[u8], replaces: bool) -> io::Result<()> {
    let mut file = NewFile::create(path, replaces)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Writes or replaces a whole file. Its name may reach the disk later: [`sync_folder`] waits for it.
///
/// # Errors
/// As [`write()`].
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path, true)?;
    file.write_all(bytes)?;
    file.name_by(&mut File::sync_all)
}

/// Waits until all names in a folder have reached the disk; an empty path is the current folder.
///
/// # Errors
/// If the disk fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    sync_folder_by(folder, &mut File::sync_all)
}

fn sync_folder_by(folder: &Path, sync: Sync<'_>) -> io::Result<()> {
    // Other systems open no folders.
    if !cfg!(unix) {
        return Ok(());
    }
    let named = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    sync(&File::open(named)?)
}

/// Checks that no file has the name, or one that may be replaced.
fn check_free(path: &Path, replaces: bool) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(_) => Ok(()),
        Ok(found) if replaces && (found.is_file() || found.is_symlink()) => Ok(()),
        Ok(_) if replaces => Err(io::Error::other("expected a file, found a device or a directory")),
        Ok(_) => Err(io::Error::new(ErrorKind::AlreadyExists, "exists already")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the bytes are synced before they get the name, and the folder after it.
    #[test]
    fn bytes_are_synced_before_the_name_and_the_name_after_it() {
        let folder = std::env::temp_dir().join(format!("canasta-durable-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("file");
        for old in [None, Some("old")] {
            let mut new = NewFile::create(&path, true).expect("a file");
            new.write_all(b"new bytes").expect("bytes");
            let mut seen = Vec::new();
            let mut sync = |file: &File| {
                let metadata = file.metadata()?;
                let length = metadata.is_file().then_some(metadata.len());
                seen.push((length, fs::read_to_string(&path).ok()));
                Ok(())
            };
            new.finish_by(&mut sync).expect("a whole file");
            let old = old.map(str::to_owned);
            assert_eq!(seen, [(Some(9), old), (None, Some("new bytes".to_owned()))]);
            fs::write(&path, "old").expect("the old file");
        }
        assert_eq!(write(&path, b"", false).expect_err("it exists").kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
        fs::remove_dir_all(&folder).expect("a folder");
    }
}
