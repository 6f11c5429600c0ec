//! The board that a game plays.

use canasta_engine::deal::GameId;

use super::EntryBytes;
use crate::entry::EntryError;

/// Maximum number of games that play a board.
pub const TABLES_MAX: usize = 256;

/// The board that a game plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedBoard {
    /// The board's id and secret, sealed for the game.
    pub sealed: Vec<u8>,
    /// The games that play the board, this one among them.
    pub tables: Vec<GameId>,
}

impl PlayedBoard {
    /// Whether settings can hold the board: no table twice, and not too many.
    pub(super) fn is_valid(&self) -> bool {
        let mut tables = self.tables.clone();
        tables.sort_unstable();
        tables.dedup();
        (1..=TABLES_MAX).contains(&tables.len()) && tables.len() == self.tables.len()
    }
}

/// Encodes a board: the length of its sealed part (2 bytes), that part, and the ids of its tables.
pub(super) fn encode(board: &PlayedBoard) -> Vec<u8> {
    let length = u16::try_from(board.sealed.len()).expect("the sealed part has a fixed length");
    let mut bytes = [&length.to_be_bytes(), &board.sealed[..]].concat();
    board.tables.iter().for_each(|table| bytes.extend(table.0));
    bytes
}

pub(super) fn decode(bytes: &[u8]) -> Result<PlayedBoard, EntryError> {
    let mut bytes = EntryBytes(bytes);
    let sealed = bytes.short()?;
    let (tables, rest) = bytes.0.as_chunks();
    if !rest.is_empty() {
        return Err(EntryError::Field("board"));
    }
    Ok(PlayedBoard { sealed: sealed.to_vec(), tables: tables.iter().copied().map(GameId).collect() })
}
