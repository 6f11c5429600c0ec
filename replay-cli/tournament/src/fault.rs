//! The kinds of damage that an audit of a published tournament names.

use serde::Serialize;
use serde_json::json;
use std::fmt;

/// The maximum number of faults that an audit keeps.
pub const FAULTS_MAX: usize = 256;
/// The folder of the leaves below a site, which is the file of faults that one of them shows.
pub(crate) const ENTRIES: &str = "tile/entries";

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{kind} in {file}: {detail}")]
pub struct SiteFault {
    pub kind: FaultKind,
    /// The file that shows the damage.
    pub file: String,
    /// The index of the entry concerned, from 0.
    pub index: Option<u64>,
    pub game_id: Option<[u8; 16]>,
    /// The text of what was expected and what was found.
    pub detail: String,
    /// Whether `file` is a log that was audited: its own audit shows more.
    pub is_audited_log: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FaultKind {
    /// The checkpoint is missing, cannot be parsed, or belongs to another tournament.
    Checkpoint,
    /// A checkpoint is not signed by a given key.
    Signature,
    /// The tree is smaller than a tree that was signed.
    RolledBack,
    /// The tree does not extend a tree that was signed.
    Forked,
    /// The hashes do not lead to the signed root.
    Root,
    /// A tile or a bundle of entries is missing.
    TileMissing,
    /// A tile holds other hashes than those its entries lead to.
    Tile,
    /// An entry cannot be parsed, or is not the entry that the tree has.
    Entry,
    /// A game is in the tree under two heads, and the second does not extend the first.
    GameTwice,
    /// A game that must be in the tree is missing.
    GameMissing,
    /// A log is not the log that the tree has.
    GameChanged,
    /// A log lies among the published logs and is not in the tree.
    GameUnlisted,
    /// The audit of a published game has findings.
    Verdict,
    /// The proof of a game is missing, or does not prove it.
    Proof,
    /// A game was opened, and has neither a result nor a void when it should.
    GameOpen,
    /// A game was not announced or opened before it was played.
    NotFixed,
    /// A head that was signed during play is not a head of the log, or the list of heads is wrong.
    Heads,
    /// A time goes back, or is later than the policy promises.
    Time,
    /// Fewer witnesses have signed the checkpoint than the policy promises, or a signature of one does not verify.
    Witness,
    /// A game breaks another promise of the policy.
    Promise,
    /// A score sheet is not signed by both sides, or has other totals than the log.
    Sheet,
    /// The cards of a board were shown before its last table had finished, or a table has others.
    Board,
    /// Nothing is wrong, and something is not proven: a fault of a strict audit only.
    Unproven,
}

/// Writes the name of the kind (`ROLLED_BACK`).
impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(json!(self).as_str().expect("a kind is a word"))
    }
}

impl SiteFault {
    /// Returns a fault that a file shows.
    pub fn new(kind: FaultKind, file: impl Into<String>, detail: impl Into<String>) -> Self {
        let (file, detail) = (file.into(), detail.into());
        Self { kind, file, index: None, game_id: None, detail, is_audited_log: false }
    }

    /// Returns a fault that the leaf with this index shows.
    pub(crate) fn of_leaf(kind: FaultKind, index: u64, detail: impl Into<String>) -> Self {
        Self::new(kind, ENTRIES, detail).at(index)
    }

    /// Returns a fault that the audit of a log shows.
    pub fn of_log(kind: FaultKind, log: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { is_audited_log: true, ..Self::new(kind, log, detail) }
    }

    /// Sets the index of the entry concerned.
    pub fn at(self, index: u64) -> Self {
        Self { index: Some(index), ..self }
    }

    pub fn of_game(self, game_id: [u8; 16]) -> Self {
        Self { game_id: Some(game_id), ..self }
    }
}
