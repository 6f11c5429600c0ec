//! Values from files that are read again when the bytes of the files change: keys, identities and
//! certificates.
//!
//! Bytes are compared and not times: a mounted secret is swapped by a link, and two changes may fall into one
//! clock tick. If the new files are invalid, an error is logged and the old value stays in use.

use std::convert::Infallible;
use std::fmt::Display;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Maximum number of bytes that are compared per file; every file of ours is shorter.
const FILE_MAX: u64 = 1 << 21;

/// A value that is replaced as a whole.
#[derive(Debug)]
pub struct Reloaded<T>(RwLock<Arc<T>>);

impl<T> Reloaded<T> {
    pub fn get(&self) -> Arc<T> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The files of a value, the digest of their bytes, and the function that reads them again.
struct WatchedFiles {
    /// Lists the files, of which some may be named by others.
    list: Box<dyn Fn() -> Vec<PathBuf> + Send>,
    files: Vec<PathBuf>,
    seen: [u8; 32],
    renew: Box<dyn Fn() -> Result<(), String> + Send>,
}

#[derive(Default)]
pub struct FileWatcher(Vec<WatchedFiles>);

impl FileWatcher {
    /// Reads a value and watches its files: the value is replaced when a file changes. Returns `None` if
    /// `read` does.
    pub fn read<T: Send + Sync + 'static, E: Display>(
        &mut self,
        files: &[&Option<PathBuf>],
        read: impl Fn() -> Result<Option<T>, E> + Send + 'static,
    ) -> Result<Option<Arc<Reloaded<T>>>, E> {
        let files: Vec<PathBuf> = files.iter().filter_map(|&file| file.clone()).collect();
        self.read_listed(move || files.clone(), read)
    }

    /// Does the same as [`Self::read`] with files that are listed anew whenever one of them changes.
    pub fn read_listed<T: Send + Sync + 'static, E: Display>(
        &mut self,
        list: impl Fn() -> Vec<PathBuf> + Send + 'static,
        read: impl Fn() -> Result<Option<T>, E> + Send + 'static,
    ) -> Result<Option<Arc<Reloaded<T>>>, E> {
        let files = list();
        // The digest is taken before the files are read, so that the first check finds a change in between.
        let seen = digest(&files);
        let Some(value) = read()? else { return Ok(None) };
        let reload = Arc::new(Reloaded(RwLock::new(Arc::new(value))));
        let renewed = Arc::clone(&reload);
        let renew = Box::new(move || {
            let value = read().map_err(|error| error.to_string())?;
            if let Some(value) = value {
                *renewed.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
            }
            Ok(())
        });
        self.0.push(WatchedFiles { list: Box::new(list), files, seen, renew });
        Ok(Some(reload))
    }

    /// Checks the files once per period, for ever; a period of zero means never.
    pub async fn run(mut self, period: Duration) -> Infallible {
        if period.is_zero() {
            return std::future::pending().await;
        }
        loop {
            tokio::time::sleep(period).await;
            // The files are small, but a mount may hang.
            let looked = tokio::task::spawn_blocking(move || {
                self.look();
                self
            });
            match looked.await {
                Ok(watch) => self = watch,
                Err(_) => return std::future::pending().await,
            }
        }
    }

    fn look(&mut self) {
        for watched in &mut self.0 {
            if digest(&watched.files) == watched.seen {
                continue;
            }
            watched.files = (watched.list)();
            watched.seen = digest(&watched.files);
            let names =
                watched.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ");
            match (watched.renew)() {
                Ok(()) => tracing::info!("read again: {names}"),
                Err(error) => {
                    tracing::error!(
                        "{names}: the new content is invalid, the old content stays in use: {error}"
                    );
                }
            }
        }
    }
}

/// Returns the digest of all bytes of all files and of their lengths. A file that cannot be read has a length of
/// its own.
fn digest(files: &[PathBuf]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for file in files {
        let length = digest_one(file, &mut digest).unwrap_or(u64::MAX);
        digest.update(length.to_be_bytes());
    }
    digest.finalize().into()
}

/// Adds the bytes of a file, which may be secret, to the digest. Returns their number.
fn digest_one(file: &Path, digest: &mut Sha256) -> std::io::Result<u64> {
    let mut file = std::fs::File::open(file)?.take(FILE_MAX);
    let (mut buffer, mut length) = (Zeroizing::new([0; 4096]), 0);
    loop {
        let read = file.read(&mut *buffer)?;
        if read == 0 {
            return Ok(length);
        }
        digest.update(&buffer[..read]);
        length += read as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_is_read_again_and_what_cannot_be_read_changes_nothing() {
        let file = std::env::temp_dir().join(format!("canasta-reload-{}", std::process::id()));
        std::fs::write(&file, "1").expect("a directory for files");
        let mut watch = FileWatcher::default();
        let of = file.clone();
        let read = move || -> Result<Option<u32>, String> {
            let text = std::fs::read_to_string(&of).map_err(|error| error.to_string())?;
            text.parse().map(Some).map_err(|_| "no number".to_owned())
        };
        let reload = watch.read(&[&Some(file.clone()), &None], read).expect("a number").expect("a value");
        assert_eq!(*reload.get(), 1);
        for (text, expected) in [("1", 1), ("2", 2), ("two", 2), ("3", 3)] {
            std::fs::write(&file, text).expect("our file");
            watch.look();
            assert_eq!(*reload.get(), expected, "{text}");
        }
        std::fs::remove_file(&file).expect("our file");
        watch.look();
        assert_eq!(*reload.get(), 3);
    }

    /// Checks that a file which another file names is watched from the moment that it is named.
    #[test]
    fn files_that_files_name_are_watched_too() {
        let place =
            |name: &str| std::env::temp_dir().join(format!("canasta-reload-{name}-{}", std::process::id()));
        let (list, one, two) = (place("list"), place("one"), place("two"));
        let named = |list: &Path| std::fs::read_to_string(list).map(PathBuf::from).unwrap_or_default();
        for (file, text) in [(&one, "1"), (&two, "2"), (&list, one.to_str().expect("a path"))] {
            std::fs::write(file, text).expect("a directory for files");
        }
        let (of_list, of_read) = (list.clone(), list.clone());
        let mut watch = FileWatcher::default();
        let read = move || std::fs::read_to_string(named(&of_read)).map(Some);
        let reload = watch.read_listed(move || vec![of_list.clone(), named(&of_list)], read);
        let reload = reload.expect("a text").expect("a value");
        for (file, text, expected) in [
            (&one, "11", "11"),
            (&list, two.to_str().expect("a path"), "2"),
            (&two, "22", "22"),
            (&one, "3", "22"),
        ] {
            std::fs::write(file, text).expect("our file");
            watch.look();
            assert_eq!(*reload.get(), expected, "{text}");
        }
        [list, one, two].iter().for_each(|file| std::fs::remove_file(file).expect("our file"));
    }

    #[test]
    fn what_cannot_be_read_at_first_is_an_error_and_none_stays_none() {
        let mut watch = FileWatcher::default();
        assert!(watch.read(&[], || Err::<Option<u32>, _>("no number")).is_err());
        assert!(watch.read(&[], || Ok::<Option<u32>, &str>(None)).expect("nothing").is_none());
        assert!(watch.0.is_empty());
    }
}
