//! What can be wrong with a published tournament.

use crate::text::hex;
use serde_json::{Map, Value};

/// The most faults that are kept.
pub const FAULTS_MAX: usize = 256;

/// Something wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What kind.
    pub kind: FaultKind,
    /// The file that shows it.
    pub file: String,
    /// The entry concerned, from 0.
    pub index: Option<u64>,
    /// The game concerned.
    pub game_id: Option<[u8; 16]>,
    /// What was expected and what was found.
    pub detail: String,
    /// The command that shows more.
    pub show: Option<String>,
}

/// The kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum FaultKind {
    /// The checkpoint is missing, or none, or of another tournament.
    Checkpoint,
    /// A checkpoint is not signed by a key that was asked for.
    Signature,
    /// The tree is smaller than one that was signed.
    RolledBack,
    /// The tree does not go on from one that was signed.
    Forked,
    /// The hashes do not lead to the signed root.
    Root,
    /// A tile or a bundle of entries is missing.
    TileMissing,
    /// A tile holds other hashes than those its entries lead to.
    Tile,
    /// An entry is none, or not the one that the tree has.
    Entry,
    /// A game is in the tree under two heads, and the second does not go on from the first.
    GameTwice,
    /// A game that must be there is not.
    GameMissing,
    /// A log is not the one that the tree has.
    GameChanged,
    /// A log stands among the published ones and is not in the tree.
    GameUnlisted,
    /// A published game is not clean.
    Verdict,
    /// A game's proof is missing, or does not prove it.
    Proof,
}

impl FaultKind {
    /// The kind's name (`ROLLED_BACK`).
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 14] = [
            "CHECKPOINT",
            "SIGNATURE",
            "ROLLED_BACK",
            "FORKED",
            "ROOT",
            "TILE_MISSING",
            "TILE",
            "ENTRY",
            "GAME_TWICE",
            "GAME_MISSING",
            "GAME_CHANGED",
            "GAME_UNLISTED",
            "VERDICT",
            "PROOF",
        ];
        NAMES[self as usize]
    }
}

impl Fault {
    /// A fault that a file shows.
    pub fn new(kind: FaultKind, file: impl Into<String>, detail: impl Into<String>) -> Self {
        let (file, detail) = (file.into(), detail.into());
        Self { kind, file, index: None, game_id: None, detail, show: None }
    }

    /// The same, about an entry.
    pub fn at(self, index: u64) -> Self {
        Self { index: Some(index), ..self }
    }

    /// The same, about a game.
    pub fn of_game(self, game_id: [u8; 16]) -> Self {
        Self { game_id: Some(game_id), ..self }
    }

    /// For people: the place on one line, what it is on the next.
    pub fn to_text(&self) -> String {
        let mut text = format!("  {} in {}", self.kind.name(), self.file.escape_debug());
        if let Some(index) = self.index {
            text += &format!(", entry {index}");
        }
        if let Some(game_id) = self.game_id {
            text += &format!(", game {}", hex(&game_id));
        }
        text += &format!("\n    {}\n", self.detail.escape_debug());
        if let Some(show) = &self.show {
            text += &format!("    -> {show}\n");
        }
        text
    }

    /// For programs.
    pub fn to_value(&self) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("kind", self.kind.name().into());
        put("file", self.file.as_str().into());
        if let Some(index) = self.index {
            put("index", index.into());
        }
        if let Some(game_id) = self.game_id {
            put("game_id", hex(&game_id).into());
        }
        put("detail", self.detail.as_str().into());
        if let Some(show) = &self.show {
            put("show", show.as_str().into());
        }
        object.into()
    }
}
