//! Keys and identities that change while the server runs: read again whenever their files' bytes have changed.
//!
//! Bytes and not times are compared: a mounted secret is swapped by a link, and two changes may fall into one tick.
//! What cannot be read is reported and changes nothing: what was read before stays in use.

use std::convert::Infallible;
use std::fmt::Display;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use sha2::{Digest, Sha256};

/// No file of ours is longer.
const FILE_MAX: u64 = 1 << 21;

/// A value that is replaced as a whole.
#[derive(Debug)]
pub struct Live<T>(RwLock<Arc<T>>);

impl<T> Live<T> {
    /// It, as it is now.
    pub fn get(&self) -> Arc<T> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn put(&self, value: T) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
    }
}

/// Files, what they had in them, and how to read them again.
struct Watched {
    files: Vec<PathBuf>,
    seen: [u8; 32],
    renew: Box<dyn Fn() -> Result<(), String> + Send>,
}

/// All files that are watched.
#[derive(Default)]
pub struct Watch(Vec<Watched>);

impl Watch {
    /// Reads a value, and reads it again when one of its files has changed. `None` stays `None`.
    ///
    /// # Errors
    /// If it cannot be read now.
    pub fn read<T: Send + Sync + 'static, E: Display>(
        &mut self,
        files: &[&Option<PathBuf>],
        read: impl Fn() -> Result<Option<T>, E> + Send + 'static,
    ) -> Result<Option<Arc<Live<T>>>, E> {
        let files: Vec<PathBuf> = files.iter().filter_map(|&file| file.clone()).collect();
        // Before they are read: a change in between is found at the first look.
        let seen = digest(&files);
        let Some(value) = read()? else { return Ok(None) };
        let live = Arc::new(Live(RwLock::new(Arc::new(value))));
        let renewed = Arc::clone(&live);
        let renew = Box::new(move || {
            let value = read().map_err(|error| error.to_string())?;
            value.into_iter().for_each(|value| renewed.put(value));
            Ok(())
        });
        self.0.push(Watched { files, seen, renew });
        Ok(Some(live))
    }

    /// Looks once a period, for ever; a period of zero is none.
    pub async fn run(mut self, period: Duration) -> Infallible {
        if period.is_zero() {
            return std::future::pending().await;
        }
        loop {
            tokio::time::sleep(period).await;
            // Small files, but a mount may hang.
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
            let now = digest(&watched.files);
            if now == watched.seen {
                continue;
            }
            watched.seen = now;
            let names =
                watched.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ");
            match (watched.renew)() {
                Ok(()) => tracing::info!("read again: {names}"),
                Err(error) => {
                    tracing::error!("{names}: what was read before stays in use: {error}");
                }
            }
        }
    }
}

/// Of all bytes of all files; of one that cannot be read, of nothing.
fn digest(files: &[PathBuf]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for file in files {
        let mut bytes = Vec::new();
        let read = std::fs::File::open(file).and_then(|file| file.take(FILE_MAX).read_to_end(&mut bytes));
        digest.update(read.map_or(u64::MAX, |length| length as u64).to_be_bytes());
        digest.update(&bytes);
    }
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_is_read_again_and_what_cannot_be_read_changes_nothing() {
        let file = std::env::temp_dir().join(format!("canasta-live-{}", std::process::id()));
        std::fs::write(&file, "1").expect("a directory for files");
        let mut watch = Watch::default();
        let of = file.clone();
        let read = move || -> Result<Option<u32>, String> {
            let text = std::fs::read_to_string(&of).map_err(|error| error.to_string())?;
            text.parse().map(Some).map_err(|_| "no number".to_owned())
        };
        let live = watch.read(&[&Some(file.clone()), &None], read).expect("a number").expect("a value");
        assert_eq!(*live.get(), 1);
        for (text, expected) in [("1", 1), ("2", 2), ("two", 2), ("3", 3)] {
            std::fs::write(&file, text).expect("our file");
            watch.look();
            assert_eq!(*live.get(), expected, "{text}");
        }
        std::fs::remove_file(&file).expect("our file");
        watch.look();
        assert_eq!(*live.get(), 3);
    }

    #[test]
    fn what_cannot_be_read_at_first_is_an_error_and_none_stays_none() {
        let mut watch = Watch::default();
        assert!(watch.read(&[], || Err::<Option<u32>, _>("no number")).is_err());
        assert!(watch.read(&[], || Ok::<Option<u32>, &str>(None)).expect("nothing").is_none());
        assert!(watch.0.is_empty());
    }
}
