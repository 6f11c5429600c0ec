//! All values that a simulated game needs, computed from one seed. They are predictable on purpose: never use
//! them for play.

use super::kdf::hmac512;
use super::{GameId, GameSecret, WallSalt};
use canasta_rules::seat::Seat;
use sha2::{Digest, Sha256};

/// Returns the secret of game number `game` (from 0) of the simulation with this seed.
pub fn game_secret(seed: u64, game: u32) -> GameSecret {
    GameSecret(hmac512(b"canasta-simulate/1", &[&seed.to_be_bytes(), &game.to_be_bytes()]))
}

/// Returns the id of the simulated game with this secret.
pub fn game_id(secret: &GameSecret) -> GameId {
    let mut hash = Sha256::new();
    hash.update(b"canasta-simulate/1/id\0");
    hash.update(secret.0);
    let hash: [u8; 32] = hash.finalize().into();
    GameId(*hash.first_chunk().expect("a hash is longer than an id"))
}

/// Returns V_k of `seat` in a committed deal, and whether the seat reveals V_k. On average one value of 16 is
/// kept back, which voids the deal.
pub fn contribution(secret: &GameSecret, round: u32, attempt: u32, seat: Seat) -> ([u8; 32], bool) {
    let label = b"canasta-simulate-seat/1";
    let hash = hmac512(&secret.0, &[label, &round.to_be_bytes(), &attempt.to_be_bytes(), &[seat.0]]);
    let value = *hash.first_chunk().expect("a hash is longer than a contribution");
    (value, hash[32] >= 16)
}

/// Returns the salt of an explicit wall.
pub fn salt(secret: &GameSecret, round: u32, attempt: u32) -> WallSalt {
    let label = b"canasta-simulate-salt/1";
    let hash = hmac512(&secret.0, &[label, &round.to_be_bytes(), &attempt.to_be_bytes()]);
    WallSalt(*hash.first_chunk().expect("a hash is longer than a salt"))
}

/// Returns the Ed25519 secret key of `seat` in all games of the simulation with this seed.
pub fn seat_key(seed: u64, seat: Seat) -> [u8; 32] {
    let hash = hmac512(b"canasta-simulate-key/1", &[&seed.to_be_bytes(), &[seat.0]]);
    *hash.first_chunk().expect("a hash is longer than a key")
}

/// Returns the seed of the bot in `seat`.
pub fn bot_seed(secret: &GameSecret, seat: Seat) -> u64 {
    let hash = hmac512(&secret.0, &[b"canasta-bot/1", &[seat.0]]);
    u64::from_be_bytes(*hash.first_chunk().expect("a hash is longer than a seed"))
}
