//! Signed checkpoints in the audit of a log: those in the log, and the note beside it.

use crate::shared::text::{count, number};
use canasta_engine::log::Head;
use canasta_engine::log::audit::{Report, Signed};
use canasta_engine::log::finding::{Finding, FindingKind};
use canasta_engine::log::replay::{Step, What};
use canasta_tournament::log_file::{LogNote, LogProof, has_record};
use canasta_tournament::note::{NoteVerifier, Opened};
use canasta_tournament::reserve::Outside;
use std::collections::BTreeMap;
use std::path::Path;

/// Maximum number of forged checkpoints that are named per log.
const FORGED_MAX: usize = 256;

/// The signatures on the checkpoints of one log.
#[derive(Default)]
pub struct Signatures {
    /// Number of checkpoints signed, and number of the last record so signed, by index of the key.
    signed: BTreeMap<usize, (u64, u64)>,
    /// Signatures that do not verify: record and byte of the checkpoint, and index of the key.
    forged: Vec<(u64, u64, usize)>,
    /// Number of checkpoints in the log that were not verified because no key was given.
    unread: u64,
    beside: Option<LogNote>,
    /// The proof beside the log, and whether the log has the record that the proof is about.
    proof: Option<(LogProof, bool)>,
}

/// The records that somebody outside the log vouches for.
pub struct Vouched {
    /// The signatures by the given keys, one phrase per key.
    pub said: Vec<String>,
    /// Number of the last such record.
    pub up_to: Option<u64>,
}

impl Vouched {
    /// Adds the signed actions of players whose keys are known from outside the log.
    pub fn by_players(&mut self, report: &Report, outside: Outside<'_>) {
        let Some(genesis) = &report.genesis else { return };
        for (player, signed) in genesis.players.iter().zip(&report.signed) {
            if player.key.is_some_and(|key| outside.knows(&player.name, &key)) {
                self.up_to = self.up_to.max(signed.last);
            }
        }
    }
}

impl Signatures {
    /// Reads the note beside the log, `LOG.note`, and the proof of its entry in a tournament's tree, if there are any.
    pub fn beside(log: &Path) -> anyhow::Result<Self> {
        let proof = LogProof::read(log)?.map(|proof| {
            let (n, head) = (proof.entry.records - 1, &proof.entry.head);
            has_record(log, n, head).map(|has| (proof, has))
        });
        Ok(Self { beside: LogNote::read(log)?, proof: proof.transpose()?, ..Self::default() })
    }

    /// Returns number and head of the record that the note beside the log signs.
    pub fn expected(&self) -> Option<(u64, Head)> {
        self.beside.as_ref()?.over
    }

    /// Verifies a checkpoint in the log.
    pub fn watch(&mut self, step: &Step<'_>, keys: &[NoteVerifier]) {
        let What::Checkpoint(note) = step.what else { return };
        self.unread += u64::from(keys.is_empty());
        for (place, key) in keys.iter().enumerate() {
            match key.open(note) {
                Opened::Signed => self.sign(step.place.n - 1, place),
                Opened::Forged if self.forged.len() < FORGED_MAX => {
                    self.forged.push((step.place.n, step.place.offset, place));
                }
                Opened::Forged | Opened::Unsigned => {}
            }
        }
    }

    /// Returns the number of checkpoints that were not verified because no key was given.
    pub fn unread(&self) -> u64 {
        self.unread
    }

    /// Adds findings about signatures to the report, and returns what the keys and an expected head vouch for.
    pub fn close(&mut self, report: &mut Report, outside: Outside<'_>) -> Vouched {
        let keys = outside.keys;
        let end = (report.records, report.bytes);
        let mut found = Vec::new();
        let mut find = |kind, (record, offset), detail: String| {
            found.push(Finding::new(kind, record, offset, detail));
        };
        for &(record, offset, place) in &self.forged {
            let detail = format!("the checkpoint's signature by {} does not verify", keys[place].name());
            find(FindingKind::Signature, (record, offset), detail);
        }
        if let Some(note) = self.beside.take() {
            let of_game = note.is_of(report.genesis.as_ref());
            if !of_game {
                let detail = "the note beside the log is no checkpoint of this game".to_owned();
                find(FindingKind::Checkpoint, end, detail);
            }
            for (place, key) in keys.iter().enumerate() {
                match (key.open(&note.text), note.over) {
                    (Opened::Signed, Some((n, _))) if of_game => self.sign(n, place),
                    (Opened::Forged, _) => {
                        let detail =
                            format!("the signature by {} beside the log does not verify", key.name());
                        find(FindingKind::Signature, end, detail);
                    }
                    _ => {}
                }
            }
        }
        if let Some((LogProof { note, entry }, has_record)) = self.proof.take() {
            let of_game = report.genesis.as_ref().is_some_and(|genesis| genesis.game_id == entry.game_id);
            for (place, key) in keys.iter().enumerate() {
                match key.open(&note) {
                    Opened::Signed if of_game && has_record => self.sign(entry.records - 1, place),
                    Opened::Signed => {
                        let detail = "the proof beside the log proves another log".to_owned();
                        find(FindingKind::Head, end, detail);
                    }
                    Opened::Forged | Opened::Unsigned => {}
                }
            }
        }
        let is_whole = report.head_checked && report.findings.iter().all(|of| of.kind != FindingKind::Head);
        let mut up_to = is_whole.then(|| report.records.saturating_sub(1));
        let mut said = Vec::new();
        for (place, key) in keys.iter().enumerate() {
            let signed = self.signed.get(&place);
            let player = player_of(report, key);
            if place < outside.demanded && signed.is_none() && player.is_none() {
                let detail = format!("no checkpoint is signed by {}", key.name());
                find(FindingKind::Checkpoint, end, detail);
            }
            up_to = up_to.max(signed.map(|&(_, last)| last));
            if let Some(&(count, last)) = signed {
                let of = if count > 1 { format!(", the last of {count}") } else { String::new() };
                said.push(format!("{} over record {last}{of}", key.name()));
            }
            if let Some((name, Signed { actions, signed, .. })) = player {
                let of = format!("{} of {}", number(signed), count(actions as i64, "action"));
                said.push(format!("{} as player {}: {of}", key.name(), name.escape_debug()));
            }
        }
        found.into_iter().for_each(|finding| report.find(finding));
        Vouched { said, up_to }
    }

    fn sign(&mut self, n: u64, place: usize) {
        let (count, last) = self.signed.entry(place).or_default();
        *count += 1;
        *last = n.max(*last);
    }
}

/// Returns the name of the player whose key this is, and what the player signed.
fn player_of<'r>(report: &'r Report, key: &NoteVerifier) -> Option<(&'r str, Signed)> {
    let players = report.genesis.as_ref()?.players.iter().zip(&report.signed);
    let mut named = players.filter(|(player, _)| player.key.as_ref() == Some(key.bytes()));
    named.next().map(|(player, &signed)| (player.name.as_str(), signed))
}
