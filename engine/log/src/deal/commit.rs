//! What is published before the first card, so that no secret can be changed afterwards.

use super::id::write_hex;
use super::{DealError, DealId, GameId, GameSecret, RoundSecret, WallSalt};
use alloc::string::ToString;
use alloc::vec::Vec;
use canasta_rules::card::{Card, MAX_CARDS};
use canasta_rules::seat::Seat;
use core::fmt;
use sha2::{Digest, Sha256};

/// SHA-256 over a secret and what it is for; in text 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Commitment(pub [u8; 32]);

/// Stands where a seat's number would, for commitments that are no seat's.
const NO_SEAT: u8 = 0xff;

impl Commitment {
    /// C_G, to the secret of a game.
    pub fn game(id: GameId, secret: &GameSecret) -> Self {
        Self::of("game", &id.to_string(), NO_SEAT, &secret.0)
    }

    /// C_d, the dealer's, to the secret of a round.
    pub fn dealer(deal: &DealId, secret: &RoundSecret) -> Self {
        Self::of("dealer", deal.as_str(), NO_SEAT, &secret.0)
    }

    /// C_w, to a given wall, first card dealt first.
    ///
    /// # Errors
    /// [`DealError::WallSize`] above 324 cards.
    pub fn wall(deal: &DealId, salt: &WallSalt, wall: &[Card]) -> Result<Self, DealError> {
        if wall.len() > MAX_CARDS {
            return Err(DealError::WallSize { found: wall.len() });
        }
        let mut value = Vec::with_capacity(salt.0.len() + wall.len());
        value.extend_from_slice(&salt.0);
        value.extend(wall.iter().map(|card| card.kind()));
        Ok(Self::of("wall", deal.as_str(), NO_SEAT, &value))
    }

    /// C_k, to the value V_k that `seat` contributes.
    pub fn seat(deal: &DealId, seat: Seat, value: &[u8; 32]) -> Self {
        Self::of("seat", deal.as_str(), seat.0, value)
    }

    fn of(kind: &str, subject: &str, seat: u8, value: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"canasta-deal/1/commit\0");
        for text in [kind, subject] {
            hash.update(length(text.as_bytes()));
            hash.update(text);
        }
        hash.update([seat]);
        hash.update(length(value));
        hash.update(value);
        Self(hash.finalize().into())
    }
}

/// The 16-bit length that stands before a field: the `u16be` of `lp` in docs/DEALING.md.
///
/// # Panics
/// Above 65,535 bytes. Texts are at most 255 bytes, walls 324, so that is our bug.
pub(super) fn length(field: &[u8]) -> [u8; 2] {
    u16::try_from(field.len()).expect("fields are bounded by their types").to_be_bytes()
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}
