//! A leaf of a tournament's tree: one game, its head and its result.

use canasta_engine::hex::hex;
use canasta_engine::log::Head;
use canasta_engine::log::audit::Report;
use canasta_engine::log::record::Genesis;
use canasta_engine::scoring::GameResult;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The name and version of an entry's format.
const FORMAT: &str = "canasta-game/1";

/// The folder of the logs and their proofs below a site.
pub(crate) const FOLDER: &str = "games";

/// Returns the path of the log with so many records of a game below the site, without its extension.
pub(crate) fn place(game_id: &[u8; 16], records: u64) -> String {
    format!("{FOLDER}/{}-{records}", hex(game_id))
}

/// The entry of one game in the tree: compact JSON with the fields in this order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameEntry {
    format: String,
    #[serde(with = "hexed")]
    pub game_id: [u8; 16],
    pub records: u64,
    /// The last record's head.
    #[serde(with = "hexed")]
    pub head: Head,
    /// The director's name for the log.
    pub label: String,
    /// The rules played.
    pub rule_set: RuleSetName,
    /// Names of the players, in the order of the genesis record.
    pub players: Vec<String>,
    /// Number of rounds that ended.
    pub rounds: u32,
    /// Total points by side or seat.
    pub totals: Vec<i64>,
    /// The result of the game, if it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<EntryResult>,
    pub verdict: String,
}

/// A rule set by name and digest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSetName {
    /// The id in the genesis record.
    pub id: String,
    /// SHA-256 of the canonical rule set.
    #[serde(with = "hexed")]
    pub digest: [u8; 32],
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryResult {
    /// The side or seat with the best total; absent for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    /// The winner's lead in points.
    pub margin: i32,
}

impl RuleSetName {
    pub fn of(genesis: &Genesis) -> Self {
        Self { id: genesis.rule_set_id.clone(), digest: genesis.rule_set_digest() }
    }
}

impl From<GameResult> for EntryResult {
    fn from(result: GameResult) -> Self {
        Self { winner: result.winner.map(|unit| unit.0), margin: result.margin }
    }
}

impl GameEntry {
    /// Returns the entry of an audited log, or `None` if its genesis record could not be read.
    pub fn of(report: &Report, label: String) -> Option<Self> {
        let genesis = report.genesis.as_ref()?;
        Some(Self {
            format: FORMAT.into(),
            game_id: genesis.game_id,
            records: report.records,
            head: report.head,
            label,
            rule_set: RuleSetName::of(genesis),
            players: genesis.players.iter().map(|player| player.name.clone()).collect(),
            rounds: report.rounds,
            totals: report.totals.clone(),
            result: report.result.map(EntryResult::from),
            verdict: report.verdict.name().into(),
        })
    }

    /// Returns the content of the leaf.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("strings and numbers are JSON")
    }

    /// Parses a leaf. Each entry has one spelling.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let entry: Self = serde_json::from_slice(bytes).ok()?;
        (entry.format == FORMAT && entry.records > 0 && entry.to_bytes() == bytes).then_some(entry)
    }

    /// Returns the path of the game's log below the site, without its extension.
    pub fn place(&self) -> String {
        place(&self.game_id, self.records)
    }

    /// Returns the names of the fields in which two entries differ.
    pub fn differing(&self, other: &Self) -> Vec<String> {
        let fields = |entry| match serde_json::to_value(entry) {
            Ok(Value::Object(fields)) => fields,
            _ => unreachable!("an entry is an object"),
        };
        let (mine, others) = (fields(self), fields(other));
        let names = mine.keys().chain(others.keys().filter(|name| !mine.contains_key(*name)));
        names.filter(|name| mine.get(*name) != others.get(*name)).cloned().collect()
    }
}

/// Bytes as lower-case hex digits.
pub(crate) mod hexed {
    use canasta_engine::hex::{hex, unhex};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer, const N: usize>(bytes: &[u8; N], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hex(bytes))
    }

    pub fn deserialize<'d, D: Deserializer<'d>, const N: usize>(from: D) -> Result<[u8; N], D::Error> {
        let bytes = unhex(&String::deserialize(from)?);
        bytes.ok_or_else(|| D::Error::custom(format!("expected {N} bytes in lower-case hex")))
    }
}
