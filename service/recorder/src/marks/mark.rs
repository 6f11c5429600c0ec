//! A mark: the position that a shard had reached at a time, and the games that had changed since the mark before. It is a
//! signed note, so that nobody else can write one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use canasta_engine::hex::{hex, unhex};
use canasta_serve::signer::{CheckpointSigner, SignedNoteKey, signed_text};

use crate::journal::{At, PlacedEnd};

/// The first line of a mark.
const FORMAT: &str = "canasta-mark/1";
/// Maximum length of a mark, in bytes.
pub const MARK_BYTES_MAX: usize = 16 << 20;
/// Maximum number of games in one mark. A line of a game has fewer than 128 bytes.
pub const GAMES_MAX: usize = 100_000;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ShardMark {
    pub shard: u16,
    /// Number of the mark, from 1. Each shard counts its own.
    pub number: u64,
    /// SHA-256 of the mark before; zeros in the first one.
    pub previous: [u8; 32],
    /// The recorder's time, in ms since 1970.
    pub time_ms: i64,
    /// The last position that had been read.
    pub position: At,
    /// Whether an operator has accepted that earlier marks are no longer true.
    pub accepts_loss: bool,
    /// The games that changed since the mark before, by id, each with its last entry.
    pub games: BTreeMap<[u8; 16], PlacedEnd>,
}

impl ShardMark {
    /// Returns the path of a mark in the archive.
    pub fn path(shard: u16, number: u64) -> String {
        format!("{}/{number:012}", Self::folder(shard))
    }

    /// Returns the folder of a shard's marks in the archive.
    pub fn folder(shard: u16) -> String {
        format!("marks/{shard:02}")
    }

    pub fn number_of(path: &str) -> Option<u64> {
        path.rsplit('/').next().filter(|name| name.len() == 12)?.parse().ok()
    }

    /// Returns the mark as a note that the recorder's key has signed.
    pub fn sign(&self, signer: &CheckpointSigner) -> String {
        let mut text = format!(
            "{FORMAT}\nshard {}\nnumber {}\nprevious {}\ntime {}\nposition {}\n",
            self.shard,
            self.number,
            hex(&self.previous),
            self.time_ms,
            self.position.0
        );
        if self.accepts_loss {
            text.push_str("accepts-loss\n");
        }
        for (id, game) in &self.games {
            let PlacedEnd { at, n, head, game_over } = game;
            let end = if *game_over { " over" } else { "" };
            let written = writeln!(text, "game {} {} {n} {}{end}", hex(id), at.0, hex(head));
            written.expect("a text grows");
        }
        signer.note(&text)
    }

    /// Reads a mark that one of the keys has signed; `None` if the bytes are none.
    pub fn read(bytes: &[u8], keys: &[SignedNoteKey]) -> Option<Self> {
        let note = std::str::from_utf8(bytes).ok().filter(|note| note.len() <= MARK_BYTES_MAX)?;
        let mut lines = signed_text(note, keys)?.lines().peekable();
        let is_format = lines.next() == Some(FORMAT);
        let mut field =
            |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ').filter(|_| is_format);
        let mut mark = Self {
            shard: field("shard")?.parse().ok()?,
            number: field("number")?.parse().ok()?,
            previous: unhex(field("previous")?)?,
            time_ms: field("time")?.parse().ok()?,
            position: At(field("position")?.parse().ok()?),
            accepts_loss: false,
            games: BTreeMap::new(),
        };
        mark.accepts_loss = lines.next_if_eq(&"accepts-loss").is_some();
        for line in lines {
            let mut words = line.split(' ');
            let mut word = || words.next();
            let (_, id) = (word().filter(|word| *word == "game")?, unhex(word()?)?);
            let at = At(word()?.parse().ok()?);
            let (n, head, end) = (word()?.parse().ok()?, unhex(word()?)?, word());
            let game_over = match end {
                None => false,
                Some("over") => true,
                Some(_) => return None,
            };
            mark.games.insert(id, PlacedEnd { at, n, head, game_over });
        }
        Some(mark)
    }
}
