//! The recorder's own key: ids of games that callers do not name, ids of links, and tokens of pages.

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use ring::hmac;

use crate::entry::actor_number;

/// Length of the key, in bytes.
pub const KEY_BYTES: usize = 32;

/// The recorder's own key. It protects no card: whoever knows the key can foresee ids and invent page tokens.
pub struct RecorderKey(hmac::Key);

impl RecorderKey {
    /// Returns the key with these bytes.
    pub fn new(bytes: &[u8; KEY_BYTES]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA512, bytes))
    }

    /// Derives the id of a game whose creator names none, so that a retry creates the same game.
    pub fn game_id(&self, creator: As, request_id: &[u8; 16]) -> GameId {
        GameId(self.derive(&[b"canasta-create/1\0", &[actor_number(creator)], request_id]))
    }

    /// Derives the id of a link's token, so that equal requests get equal tokens.
    pub fn link_id(&self, game: GameId, actor: As, is_host: bool, expires_at_ms: i64) -> [u8; 16] {
        let flags = [actor_number(actor), is_host.into()];
        self.derive(&[b"canasta-link/1\0", &game.0, &flags, &expires_at_ms.to_be_bytes()])
    }

    /// Derives the number of a room from the request for it: 40 bits. Another attempt gives another number.
    pub fn room_number(&self, request_id: &[u8; 16], attempt: u8) -> u64 {
        let drawn = self.derive(&[b"canasta-room-number/1\0", request_id, &[attempt]]);
        u64::from_be_bytes(*drawn.first_chunk().expect("16 bytes")) >> 24
    }

    /// Derives the id of a room, or of one of its games by its number from 1.
    pub fn room_game(&self, room: u64, number: u64) -> GameId {
        GameId(self.derive(&[b"canasta-room/1\0", &room.to_be_bytes(), &number.to_be_bytes()]))
    }

    /// Derives the key of the codes of rooms.
    pub fn room_codes(&self) -> [u8; 16] {
        self.derive(&[b"canasta-room-codes/1\0"])
    }

    /// Derives what binds a page token to its list.
    pub fn page(&self, list: &[u8]) -> [u8; 16] {
        self.derive(&[b"canasta-page/1\0", list])
    }

    /// Derives the name under which recorders with this key share a journal.
    pub fn fleet(&self) -> [u8; 16] {
        self.derive(&[b"canasta-fleet/1\0"])
    }

    fn derive(&self, parts: &[&[u8]]) -> [u8; 16] {
        let tag = hmac::sign(&self.0, &parts.concat());
        *tag.as_ref().first_chunk().expect("a tag has 64 bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::seat::Seat;

    /// Compares an id with HMAC-SHA-512 by Python's `hmac`.
    #[test]
    fn ids_are_those_of_another_implementation() {
        let key = RecorderKey::new(&[1; KEY_BYTES]);
        let id = key.game_id(As::Table, &[2; 16]);
        assert_eq!(canasta_engine::hex::hex(&id.0), "5a7b42174603d8f4bad324b62247fba3");
        assert_ne!(key.game_id(As::Seat(Seat(0)), &[2; 16]), id);
        assert_ne!(key.game_id(As::Table, &[3; 16]), id);
        assert_ne!(key.page(&[2; 16]), id.0);
        let link = |is_host| key.link_id(GameId([3; 16]), As::Seat(Seat(2)), is_host, 1_700_000_000_000);
        assert_eq!(canasta_engine::hex::hex(&link(true)), "548bfe8834bf6b001fbd086a7179a413");
        assert_ne!(link(true), link(false));
    }
}
