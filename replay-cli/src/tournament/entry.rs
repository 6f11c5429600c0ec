//! A leaf of a tournament's tree: one game, its head and what came out.

use crate::paths;
use canasta_engine::log::audit::{Auditor, Expect, Report};
use canasta_engine::log::{Head, Reader};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io;
use std::path::Path;

/// The name of the shape.
const FORMAT: &str = "canasta-game/1";

/// What the tree says of a game, as compact JSON in this order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    format: String,
    /// The game's id.
    #[serde(with = "hexed")]
    pub game_id: [u8; 16],
    /// Number of records.
    pub records: u64,
    /// The last record's head.
    #[serde(with = "hexed")]
    pub head: Head,
    /// What the director calls the log.
    pub label: String,
    /// The rules played.
    pub rule_set: RuleSetName,
    /// Names by place in genesis.
    pub players: Vec<String>,
    /// Rounds that ended.
    pub rounds: u32,
    /// Points by side or seat.
    pub totals: Vec<i64>,
    /// How the game ended, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Outcome>,
    /// The audit's verdict.
    pub verdict: String,
}

/// A rule set by name and digest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSetName {
    /// The id in genesis.
    pub id: String,
    /// SHA-256 of the canonical rule set.
    #[serde(with = "hexed")]
    pub digest: [u8; 32],
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The side or seat with the best total; absent for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    /// Its lead in points.
    pub margin: i32,
}

impl Entry {
    /// The leaf of an audited log; `None` if its genesis could not be read.
    pub fn of(report: &Report, label: String) -> Option<Self> {
        let genesis = report.genesis.as_ref()?;
        let result = report.result;
        Some(Self {
            format: FORMAT.into(),
            game_id: genesis.game_id,
            records: report.records,
            head: report.head,
            label,
            rule_set: RuleSetName { id: genesis.rule_set_id.clone(), digest: genesis.rule_set_digest() },
            players: genesis.players.iter().map(|player| player.name.clone()).collect(),
            rounds: report.rounds,
            totals: report.totals.clone(),
            result: result
                .map(|result| Outcome { winner: result.winner.map(|unit| unit.0), margin: result.margin }),
            verdict: report.verdict.name().into(),
        })
    }

    /// The leaf's content.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("strings and numbers are JSON")
    }

    /// Reads a leaf. One entry has one spelling.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let entry: Self = serde_json::from_slice(bytes).ok()?;
        (entry.format == FORMAT && entry.records > 0 && entry.to_bytes() == bytes).then_some(entry)
    }

    /// Where the game's log stands in a site, without its ending.
    pub fn place(&self) -> String {
        format!("games/{}-{}", crate::text::hex(&self.game_id), self.records)
    }

    /// The names of the fields in which two entries differ.
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

/// Judges a log, piece by piece.
///
/// # Errors
/// If it cannot be read.
pub fn judge(log: &Path) -> io::Result<Report> {
    let mut auditor = Auditor::new(Expect::default());
    paths::feed(File::open(log)?, |piece| auditor.feed(piece))?;
    Ok(auditor.finish())
}

/// Whether a log has a record with this number and head.
///
/// # Errors
/// If it cannot be read.
pub fn has_record(log: &Path, n: u64, head: &Head) -> io::Result<bool> {
    let mut reader = Reader::new();
    let mut found = false;
    paths::feed(File::open(log)?, |mut piece| {
        while let Ok(Some(frame)) = reader.next(&mut piece) {
            if frame.n == n {
                found = frame.head == *head;
                return false;
            }
        }
        true
    })?;
    Ok(found)
}

/// Bytes as lower-case hex.
mod hexed {
    use crate::text::hex;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer, const N: usize>(bytes: &[u8; N], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hex(bytes))
    }

    pub fn deserialize<'d, D: Deserializer<'d>, const N: usize>(from: D) -> Result<[u8; N], D::Error> {
        let text = String::deserialize(from)?;
        super::from_hex(&text).ok_or_else(|| D::Error::custom("expected hex digits"))
    }
}

/// `N` bytes from twice as many hex digits.
pub fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, place) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&text[place..place + 2], 16).ok()?;
    }
    Some(bytes)
}
