//! The recorder's own key: ids of games that callers do not name, and tokens of pages.

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

    /// Derives what binds a page token to its list.
    pub fn page(&self, list: &[u8]) -> [u8; 16] {
        self.derive(&[b"canasta-page/1\0", list])
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
    }
}
