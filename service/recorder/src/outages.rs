//! The times at which the recorder was down, which are charged to no clock.
//!
//! The lock file tells them: the running recorder touches it each second, and the next one adds a line with the two times
//! between which nobody ran, in ms since 1970.

use canasta_serve::outside::lock;
use std::fs::{File, FileTimes};
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::Mutex;
use std::time::{Duration, UNIX_EPOCH};

/// Interval at which a running recorder touches the file.
pub const TOUCH: Duration = Duration::from_secs(1);
/// Shortest time without a touch that counts as an outage, in ms.
pub const OUTAGE_MS_MIN: i64 = 2_000;
/// Maximum number of outages that are remembered; reads of the file find fewer.
const KNOWN_MAX: usize = 10_000;
/// Maximum length of what is read of the file, from its end, in bytes.
const READ_MAX: u64 = 65_536;

pub struct Outages {
    file: File,
    /// Begin and end of each, in ms since 1970.
    known: Mutex<Vec<(i64, i64)>>,
}

impl Outages {
    /// Reads the outages of earlier starts, and adds the one that ends now.
    ///
    /// # Errors
    /// If the file cannot be read, or its time cannot be set.
    pub fn open(file: File, now_ms: i64) -> std::io::Result<Self> {
        let metadata = file.metadata()?;
        let Self { mut file, known } = Self::beside(file)?;
        let alive = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let alive_ms = i64::try_from(alive).unwrap_or(i64::MAX);
        // A new file has just been made.
        if now_ms.saturating_sub(alive_ms) >= OUTAGE_MS_MIN {
            // On a full disk it is known to this recorder alone.
            if let Err(error) = writeln!(file, "{alive_ms} {now_ms}") {
                tracing::warn!("the time without a recorder is not written down: {error}");
            }
            lock(&known).push((alive_ms, now_ms));
        }
        let outages = Self { file, known };
        outages.touch(now_ms)?;
        Ok(outages)
    }

    /// Reads the outages of earlier starts, for a program beside a recorder.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn beside(mut file: File) -> std::io::Result<Self> {
        file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(READ_MAX)))?;
        let mut text = String::new();
        Read::by_ref(&mut file).take(READ_MAX).read_to_string(&mut text)?;
        Ok(Self { known: Mutex::new(text.lines().filter_map(read).collect()), file })
    }

    /// Adds a time during which this recorder could not reach the journal. It is not written down: the next recorder
    /// starts with its own.
    pub fn add(&self, begin_ms: i64, end_ms: i64) {
        let mut known = lock(&self.known);
        if known.len() == KNOWN_MAX {
            known.remove(0);
        }
        known.push((begin_ms, end_ms));
    }

    /// Notes that the recorder runs.
    ///
    /// # Errors
    /// If the file's time cannot be set.
    pub fn touch(&self, now_ms: i64) -> std::io::Result<()> {
        let now = UNIX_EPOCH + Duration::from_millis(now_ms.unsigned_abs());
        self.file.set_times(FileTimes::new().set_modified(now))
    }

    /// Returns the time between two moments during which no recorder ran, in ms.
    pub fn between(&self, from_ms: i64, to_ms: i64) -> u32 {
        let shared = |(begin, end): &(i64, i64)| to_ms.min(*end).saturating_sub(from_ms.max(*begin)).max(0);
        let known = lock(&self.known);
        let sum = known.iter().map(shared).fold(0, i64::saturating_add);
        u32::try_from(sum).unwrap_or(u32::MAX)
    }
}

/// Reads a line; `None` if it is not whole.
fn read(line: &str) -> Option<(i64, i64)> {
    let (begin, end) = line.split_once(' ')?;
    Some((begin.parse().ok()?, end.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts three recorders: the first two run for some seconds, and 60 s and 1 s pass between them.
    #[test]
    fn each_start_finds_the_time_without_a_recorder() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("recorder.lock");
        let open = |now_ms| {
            let mut options = File::options();
            let file = options.read(true).append(true).create(true).open(&path).expect("a file");
            Outages::open(file, now_ms).expect("the file's time can be set")
        };
        // The file's first time is the machine's, which is later.
        let first = open(1_000_000);
        first.touch(1_005_000).expect("a time");
        let second = open(1_065_000);
        assert_eq!(second.between(1_000_000, 1_100_000), 60_000);
        assert_eq!(second.between(1_010_000, 1_020_000), 10_000);
        assert_eq!(second.between(1_065_000, 1_100_000), 0);
        second.touch(1_070_000).expect("a time");
        let third = open(1_071_000);
        assert_eq!(
            third.between(0, i64::MAX),
            60_000,
            "a second is no outage, and the first one is remembered"
        );
    }
}
