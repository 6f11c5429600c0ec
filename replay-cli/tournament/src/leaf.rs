//! The leaves of a tournament's tree: closed games, and what was fixed in public before and while they were played.

use crate::entry::{GameEntry, RuleSetName, hexed};
use crate::merkle::Hash;
use canasta_engine::hex::{hex, unhex};
use canasta_engine::log::Head;
use canasta_engine::log::codes::{self, DEAL_MODES};
use canasta_engine::log::record::{DealMode, Genesis};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The folder of the lists of heads below a site.
pub(crate) const HEADS: &str = "heads";
/// Maximum size of a list of heads, in bytes: 60,000 games.
pub const LIST_MAX: u64 = 1 << 23;
/// Number of records of a log before the first card: genesis and register.
pub(crate) const UNDEALT: u64 = 2;
/// Maximum number of tables per leaf; a longer list takes several leaves.
pub const TABLES_MAX: usize = 200;
/// Maximum size of a label, a reason or a title, in bytes.
pub const TEXT_MAX: usize = 200;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// A game with its result: the close of a game.
    Game(GameEntry),
    /// Anything else.
    Milestone(Milestone),
}

/// A leaf that is not a game: compact JSON, the format first and then the fields in this order. `at_ms` is the time, in
/// milliseconds since 1970, that the publisher claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "format", deny_unknown_fields)]
pub enum Milestone {
    /// Games that are announced: each will be opened.
    #[serde(rename = "canasta-tables/1")]
    Tables {
        at_ms: i64,
        /// The games, at most [`TABLES_MAX`].
        tables: Vec<AnnouncedTable>,
    },
    #[serde(rename = "canasta-open/1")]
    Open(OpenedGame),
    /// The heads of all games in progress.
    #[serde(rename = "canasta-heads/1")]
    Heads {
        at_ms: i64,
        /// Number of games in progress.
        games: u64,
        /// SHA-256 of the list of their heads.
        #[serde(with = "hexed")]
        list: Hash,
    },
    /// An opened or announced game that will have no result.
    #[serde(rename = "canasta-void/1")]
    Void {
        at_ms: i64,
        #[serde(with = "hexed")]
        game_id: [u8; 16],
        reason: String,
    },
    /// The score sheet of a game, signed by players.
    #[serde(rename = "canasta-sheet/1")]
    Sheet { at_ms: i64, note: String },
    /// The end of the tournament: no game is opened after it.
    #[serde(rename = "canasta-end/1")]
    End { at_ms: i64 },
    /// A board that several tables will play: the commitment to its cards.
    #[serde(rename = "canasta-board/1")]
    Board(AnnouncedBoard),
    /// The secret of a board that all its tables have played.
    #[serde(rename = "canasta-reveal/1")]
    Reveal {
        at_ms: i64,
        #[serde(with = "hexed")]
        board_id: [u8; 16],
        #[serde(with = "hexed")]
        secret: [u8; 64],
    },
    /// The director's word that the leaves behind it were published although an audit finds faults in them.
    #[serde(rename = "canasta-anyway/1")]
    Anyway {
        at_ms: i64,
        /// The reason, or the faults.
        reason: String,
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnouncedTable {
    #[serde(with = "hexed")]
    pub game_id: [u8; 16],
    /// The director's words on the table.
    pub title: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnouncedBoard {
    pub at_ms: i64,
    /// The board's id: that of the seeded game that nobody plays.
    #[serde(with = "hexed")]
    pub board_id: [u8; 16],
    /// The director's name for the board.
    pub name: String,
    /// C_G of that game.
    #[serde(with = "hexed")]
    pub commitment: Hash,
    /// The games that have its cards, at most [`TABLES_MAX`].
    pub tables: Vec<AnnouncedTable>,
}

/// The facts that are fixed when a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenedGame {
    pub at_ms: i64,
    #[serde(with = "hexed")]
    pub game_id: [u8; 16],
    /// The director's name for the log.
    pub label: String,
    pub rule_set: RuleSetName,
    /// The players, in the order of the genesis record.
    pub players: Vec<OpenedPlayer>,
    /// The deal mode, by name.
    pub mode: String,
    /// C_G, if the mode has one.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hexed_option")]
    pub commitment: Option<Hash>,
    /// Number of records that the log had.
    pub records: u64,
    /// Head of the last of these records.
    #[serde(with = "hexed")]
    pub head: Head,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenedPlayer {
    pub name: String,
    /// The Ed25519 key, if the player has one.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hexed_option")]
    pub key: Option<[u8; 32]>,
}

/// The head of a game in progress: one line of a list, `ID RECORDS HEAD`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeadInProgress {
    pub game_id: [u8; 16],
    pub records: u64,
    /// Head of the last of these records.
    pub head: Head,
}

impl Leaf {
    /// Returns the content of the leaf.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Game(entry) => entry.to_bytes(),
            Self::Milestone(milestone) => {
                serde_json::to_vec(milestone).expect("strings and numbers are JSON")
            }
        }
    }

    /// Parses a leaf. Each leaf has one spelling.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if let Some(entry) = GameEntry::from_bytes(bytes) {
            return Some(Self::Game(entry));
        }
        let leaf = Self::Milestone(serde_json::from_slice(bytes).ok()?);
        (leaf.to_bytes() == bytes).then_some(leaf)
    }

    /// Returns the path of the list of heads that the leaf names, below the site.
    pub(crate) fn list_path(&self) -> Option<String> {
        match self {
            Self::Milestone(Milestone::Heads { list, .. }) => Some(list_path(list)),
            _ => None,
        }
    }
}

impl Milestone {
    /// Returns the time that the publisher claims.
    pub fn at_ms(&self) -> i64 {
        match self {
            Self::Open(opened) => opened.at_ms,
            Self::Board(board) => board.at_ms,
            Self::Tables { at_ms, .. }
            | Self::Heads { at_ms, .. }
            | Self::Void { at_ms, .. }
            | Self::Sheet { at_ms, .. }
            | Self::Reveal { at_ms, .. }
            | Self::Anyway { at_ms, .. }
            | Self::End { at_ms } => *at_ms,
        }
    }
}

impl OpenedGame {
    /// Returns the opening of the game with this genesis, whose log has `records` records up to `head`.
    pub fn of(genesis: &Genesis, label: String, at_ms: i64, records: u64, head: Head) -> Self {
        let player = |player: &canasta_engine::log::record::Player| OpenedPlayer {
            name: player.name.clone(),
            key: player.key,
        };
        Self {
            at_ms,
            game_id: genesis.game_id,
            label,
            rule_set: RuleSetName::of(genesis),
            players: genesis.players.iter().map(player).collect(),
            mode: mode(genesis.mode).into(),
            commitment: genesis.commitment,
            records,
            head,
        }
    }

    /// Returns whether cards were dealt when the game was opened.
    pub fn is_late(&self) -> bool {
        self.records > UNDEALT
    }

    /// Returns whether a game with this genesis is the one that was opened.
    pub fn is_of(&self, genesis: &Genesis) -> bool {
        let Self { at_ms, label, records, head, .. } = self;
        *self == Self::of(genesis, label.clone(), *at_ms, *records, *head)
    }
}

pub fn mode(mode: DealMode) -> &'static str {
    codes::word(&DEAL_MODES, mode)
}

/// Returns the path of a list of heads below the site.
pub fn list_path(list: &Hash) -> String {
    format!("{HEADS}/{}", hex(list))
}

/// Returns the list of heads, and the milestone that names it. `heads` must be in the order of the ids.
pub fn heads(at_ms: i64, heads: &[HeadInProgress]) -> (Milestone, Vec<u8>) {
    let line = |of: &HeadInProgress| format!("{} {} {}\n", hex(&of.game_id), of.records, hex(&of.head));
    let list: String = heads.iter().map(line).collect();
    let hash = Sha256::digest(&list).into();
    (Milestone::Heads { at_ms, games: heads.len() as u64, list: hash }, list.into_bytes())
}

/// Parses a list of heads. Each list has one spelling: lines in the order of ids, each id once.
pub fn parse_heads(bytes: &[u8]) -> Option<Vec<HeadInProgress>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let line = |line: &str| {
        let mut words = line.split(' ');
        let game_id = unhex(words.next()?)?;
        let records = words.next()?.parse().ok().filter(|&records: &u64| records > 0)?;
        let head = unhex(words.next()?)?;
        Some(HeadInProgress { game_id, records, head })
    };
    let found: Vec<HeadInProgress> = text.split_terminator('\n').map(line).collect::<Option<_>>()?;
    let is_sorted = found.is_sorted_by(|a, b| a.game_id < b.game_id);
    (is_sorted && heads(0, &found).1 == bytes).then_some(found)
}

/// Bytes as lower-case hex digits, where there are any.
mod hexed_option {
    use crate::entry::hexed;
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &Option<[u8; 32]>, to: S) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => hexed::serialize(bytes, to),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<[u8; 32]>, D::Error> {
        hexed::deserialize(from).map(Some)
    }
}

#[cfg(test)]
mod tests;
