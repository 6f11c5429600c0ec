//! The facts of a game in the archive besides its log: an object that is a protobuf message.

use canasta_engine::deal::GameId;
use canasta_proto::v1::{GameSummary, GameVerdict};
use prost::Message;

use super::digest;

/// Key of the message's last field, and the length of its value: field 15 has the SHA-256 of all bytes before it, so that a
/// flipped bit is found without another object.
const CHECK: [u8; 2] = [15 << 3 | 2, 32];

/// The digests of the two other objects of a judged log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectDigests {
    /// SHA-256 of the packed log.
    pub log: [u8; 32],
    /// SHA-256 of the verdict in JSON.
    pub verdict: [u8; 32],
}

/// A judged log of a game, as the archive tells it.
#[derive(Clone, PartialEq, Debug)]
pub struct ArchivedGame {
    pub game: GameId,
    /// Head of the judged log.
    pub head: [u8; 32],
    /// The summary after the last entry of the judged log, with the status of an archived game.
    pub summary: GameSummary,
    pub digests: ObjectDigests,
    /// The verdict, as the director sees it.
    pub verdict: GameVerdict,
    /// The games that play the game's board; empty if it plays none.
    pub tables: Vec<GameId>,
}

/// The message: fields 1 to 5, before field 15.
#[derive(Clone, PartialEq, Message)]
struct ArchivedGameMessage {
    #[prost(message, optional, tag = "1")]
    summary: Option<GameSummary>,
    #[prost(bytes = "vec", tag = "2")]
    packed_sha256: Vec<u8>,
    #[prost(bytes = "vec", tag = "3")]
    verdict_sha256: Vec<u8>,
    #[prost(message, optional, tag = "4")]
    verdict: Option<GameVerdict>,
    #[prost(bytes = "vec", repeated, tag = "5")]
    tables: Vec<Vec<u8>>,
}

impl ArchivedGame {
    /// Returns the number of the judged log's last record.
    pub fn n(&self) -> u64 {
        self.summary.log_end.as_ref().map_or(0, |end| end.n)
    }

    /// Returns the verdict as a journal keeps it: the two digests, then the message.
    pub fn kept_verdict(&self) -> Vec<u8> {
        let ObjectDigests { log, verdict } = self.digests;
        [&log[..], &verdict, &self.verdict.encode_to_vec()].concat()
    }

    /// Returns the bytes of the object.
    pub fn encode(&self) -> Vec<u8> {
        let message = ArchivedGameMessage {
            summary: Some(self.summary.clone()),
            packed_sha256: self.digests.log.into(),
            verdict_sha256: self.digests.verdict.into(),
            verdict: Some(self.verdict.clone()),
            tables: self.tables.iter().map(|table| table.0.into()).collect(),
        };
        let bytes = message.encode_to_vec();
        let check = digest(&bytes);
        [&bytes[..], &CHECK, &check].concat()
    }

    /// Reads the bytes of an object; `None` if they are none, or damaged.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (rest, check) = bytes.split_last_chunk::<32>()?;
        let rest = rest.strip_suffix(&CHECK)?;
        let message = ArchivedGameMessage::decode(rest).ok().filter(|_| digest(rest) == *check)?;
        let summary = message.summary?;
        let tables = message.tables.iter().map(|table| table[..].try_into().map(GameId));
        Some(Self {
            game: GameId(summary.game_id[..].try_into().ok()?),
            head: summary.log_end.as_ref()?.head[..].try_into().ok()?,
            digests: ObjectDigests {
                log: message.packed_sha256[..].try_into().ok()?,
                verdict: message.verdict_sha256[..].try_into().ok()?,
            },
            verdict: message.verdict?,
            summary,
            tables: tables.collect::<Result<_, _>>().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use canasta_proto::v1::LogEnd;

    use super::*;

    fn archived() -> ArchivedGame {
        ArchivedGame {
            game: GameId([1; 16]),
            head: [2; 32],
            summary: GameSummary {
                game_id: vec![1; 16],
                log_end: Some(LogEnd { n: 7, seq: 6, head: vec![2; 32] }),
                label: "round 3".into(),
                ..Default::default()
            },
            digests: ObjectDigests { log: [3; 32], verdict: [4; 32] },
            verdict: GameVerdict { judged_at_ms: 5, ..Default::default() },
            tables: vec![GameId([1; 16]), GameId([6; 16])],
        }
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_found() {
        let bytes = archived().encode();
        assert_eq!(ArchivedGame::decode(&bytes), Some(archived()));
        for at in 0..bytes.len() {
            assert_eq!(ArchivedGame::decode(&bytes[..at]), None, "cut off at {at}");
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                assert_eq!(ArchivedGame::decode(&flipped), None, "bit {bit} of byte {at}");
            }
        }
    }

    /// Reads the object as any protobuf library does: the check is a field that is skipped.
    #[test]
    fn the_object_is_one_message() {
        let read = ArchivedGameMessage::decode(&archived().encode()[..]).expect("a message");
        assert_eq!(read.summary, Some(archived().summary));
        assert_eq!((read.packed_sha256, read.verdict_sha256), (vec![3; 32], vec![4; 32]));
    }
}
