//! The place of a game in an event, and the id that follows from the place before the game is played.

use sha2::{Digest, Sha256};

/// The place of a game in an event. A table that plays one game in a round has board 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TablePlace {
    pub round: u32,
    pub table: u32,
    pub board: u32,
}

/// Separates these ids from everything else that is hashed.
const DOMAIN: &[u8] = b"canasta-event/1 game\0";

impl TablePlace {
    /// Returns what all tables with the same cards have in common: the board, or the round if boards have no number.
    pub fn cards(self) -> (u32, u32) {
        (if self.board == 0 { self.round } else { 0 }, self.board)
    }

    /// Returns the id of the game: the first 16 bytes of the SHA-256 of the domain, the length of the event's name in
    /// bytes, the name, the round, the table and the board, each number as four bytes, the highest first.
    pub fn game_id(self, event: &str) -> [u8; 16] {
        let hash = Sha256::new()
            .chain_update(DOMAIN)
            .chain_update((event.len() as u32).to_be_bytes())
            .chain_update(event)
            .chain_update([self.round, self.table, self.board].map(u32::to_be_bytes).concat())
            .finalize();
        *hash.first_chunk().expect("a hash is longer")
    }
}
