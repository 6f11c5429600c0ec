//! Signed checkpoints under an audit: those in the log, and the note beside it.

use crate::note::{self, Opened, Verifier};
use anyhow::Context;
use base64ct::{Base64, Encoding};
use canasta_engine::log::Head;
use canasta_engine::log::audit::Report;
use canasta_engine::log::checkpoint;
use canasta_engine::log::finding::{Finding, FindingKind, Verdict};
use canasta_engine::log::replay::{Step, What};
use std::fs;
use std::path::Path;

/// What the keys said of the checkpoints of one log.
#[derive(Default)]
pub struct Signatures {
    /// Checkpoints that a key signed: the record signed, and the key's place.
    signed: Vec<(u64, usize)>,
    /// Signatures that do not verify: record and byte of the checkpoint, and the key's place.
    forged: Vec<(u64, u64, usize)>,
    /// The note beside the log.
    beside: Option<Note>,
}

/// A note beside a log.
struct Note {
    text: String,
    /// The record it is over, and that record's head.
    over: Option<(u64, Head)>,
}

impl Signatures {
    /// Reads the note that stands beside the log, `LOG.note`, if there is one.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub fn beside(log: &Path) -> anyhow::Result<Self> {
        let mut path = log.as_os_str().to_owned();
        path.push(".note");
        let path = Path::new(&path);
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let over = over(&text);
        Ok(Self { beside: Some(Note { text, over }), ..Self::default() })
    }

    /// The record that must be in the log for the note beside it to hold.
    pub fn expected(&self) -> Option<(u64, Head)> {
        self.beside.as_ref()?.over
    }

    /// Looks at a checkpoint in the log.
    pub fn watch(&mut self, step: &Step<'_>, keys: &[Verifier]) {
        let What::Checkpoint { note, offset } = step.what else { return };
        for (place, key) in keys.iter().enumerate() {
            match key.open(note) {
                Opened::Signed => self.signed.push((step.n - 1, place)),
                Opened::Forged => self.forged.push((step.n, offset, place)),
                Opened::Unsigned => {}
            }
        }
    }

    /// Adds what was found to the report, and says what is signed.
    pub fn close(mut self, report: &mut Report, keys: &[Verifier]) -> Vec<String> {
        let mut found = Vec::new();
        let finding = |kind, (record, offset), detail: String| Finding {
            kind,
            record,
            offset,
            round: None,
            seat: None,
            codes: Vec::new(),
            detail,
        };
        let end = (report.records, report.bytes);
        for &(record, offset, place) in &self.forged {
            let detail = format!("the checkpoint's signature by {} does not verify", keys[place].name());
            found.push(finding(FindingKind::Signature, (record, offset), detail));
        }
        if let Some(note) = self.beside.take() {
            let of_game = report.genesis.as_ref().zip(note.over).is_some_and(|(genesis, (n, head))| {
                note.text.starts_with(&checkpoint::body(&genesis.game_id, n, &head))
            });
            if !of_game {
                let detail = "the note beside the log is no checkpoint of this game".to_owned();
                found.push(finding(FindingKind::Checkpoint, end, detail));
            }
            for (place, key) in keys.iter().enumerate() {
                match (key.open(&note.text), note.over) {
                    (Opened::Signed, Some((n, _))) if of_game => self.signed.push((n, place)),
                    (Opened::Forged, _) => {
                        let detail =
                            format!("the signature by {} beside the log does not verify", key.name());
                        found.push(finding(FindingKind::Signature, end, detail));
                    }
                    _ => {}
                }
            }
        }
        for (place, key) in keys.iter().enumerate() {
            if !self.signed.iter().any(|&(_, signer)| signer == place) {
                let detail = format!("no checkpoint is signed by {}", key.name());
                found.push(finding(FindingKind::Checkpoint, end, detail));
            }
        }
        report.findings.extend(found);
        report.verdict = Verdict::of(&report.findings, report.rulings > 0);
        let by_key = |(place, key): (usize, &Verifier)| {
            let records = self.signed.iter().filter(|&&(_, signer)| signer == place).map(|&(n, _)| n);
            let (count, last) = (records.clone().count(), records.max()?);
            let of = if count > 1 { format!(", the last of {count}") } else { String::new() };
            Some(format!("{} over record {last}{of}", key.name()))
        };
        keys.iter().enumerate().filter_map(by_key).collect()
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
