//! The signed note beside a log, `LOG.note`, as `sign` writes it.

use crate::note;
use anyhow::{Context, ensure};
use base64ct::{Base64, Encoding};
use canasta_engine::log::Head;
use canasta_engine::log::record::CHECKPOINT_MAX;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A note beside a log.
pub struct Beside {
    /// The whole note.
    pub text: String,
    /// The record it is over, and that record's head, if it is a checkpoint.
    pub over: Option<(u64, Head)>,
}

impl Beside {
    /// Reads the note beside the log, if there is one.
    ///
    /// # Errors
    /// If it is there and cannot be read, or is longer than a checkpoint can be.
    pub fn read(log: &Path) -> anyhow::Result<Option<Self>> {
        let mut path = log.as_os_str().to_owned();
        path.push(".note");
        let path = Path::new(&path);
        if !path.exists() {
            return Ok(None);
        }
        let name = || path.display().to_string();
        let mut bytes = Vec::new();
        let most = CHECKPOINT_MAX as u64 + 1;
        File::open(path).with_context(name)?.take(most).read_to_end(&mut bytes).with_context(name)?;
        ensure!(bytes.len() <= CHECKPOINT_MAX, "{}: expected at most {CHECKPOINT_MAX} bytes", name());
        let text = String::from_utf8(bytes).with_context(name)?;
        let over = over(&text);
        Ok(Some(Self { text, over }))
    }
}

/// The record and the head that a checkpoint is over.
fn over(note: &str) -> Option<(u64, Head)> {
    let mut lines = note.lines().skip(1);
    let n = lines.next()?.parse().ok()?;
    let head = Base64::decode_vec(lines.next()?).ok()?;
    note::split(note)?;
    Some((n, head.try_into().ok()?))
}
