//! Commitments, which are published before the first card so that no secret can be changed afterwards.

use super::{DealError, DealId, GameId, GameSecret, RoundSecret, WallSalt};
use alloc::string::ToString;
use alloc::vec::Vec;
use canasta_rules::card::{CARDS_MAX, Card};
use canasta_rules::hex::hex;
use canasta_rules::seat::Seat;
use core::fmt;
use sha2::{Digest, Sha256};

/// SHA-256 over a secret and its purpose; in text 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Commitment(pub [u8; 32]);

/// Stands in place of a seat's number in commitments that belong to no seat.
const NO_SEAT: u8 = 0xff;

impl Commitment {
    /// Returns C_G, the commitment to the secret of a game.
    pub fn game(id: GameId, secret: &GameSecret) -> Self {
        Self::of("game", &id.to_string(), NO_SEAT, &secret.0)
    }

    /// Returns C_d, the dealer's commitment to the secret of a round.
    pub fn dealer(deal: &DealId, secret: &RoundSecret) -> Self {
        Self::of("dealer", deal.as_str(), NO_SEAT, &secret.0)
    }

    /// Returns C_w, the commitment to a given wall, first card dealt first.
    ///
    /// # Errors
    /// [`DealError::WallSize`] if the wall has more than 324 cards.
    pub fn wall(deal: &DealId, salt: &WallSalt, wall: &[Card]) -> Result<Self, DealError> {
        if wall.len() > CARDS_MAX {
            return Err(DealError::WallSize { found: wall.len() });
        }
        let mut value = Vec::with_capacity(salt.0.len() + wall.len());
        value.extend_from_slice(&salt.0);
        value.extend(wall.iter().map(|card| card.kind()));
        Ok(Self::of("wall", deal.as_str(), NO_SEAT, &value))
    }

    /// Returns C_k, the commitment to the value V_k that `seat` contributes.
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

/// Returns the 16-bit length that stands before a field: the `u16be` of `lp` in docs/DEALING.md.
///
/// # Panics
/// If the field has more than 65,535 bytes. Texts have at most 255 bytes and walls at most 324 cards, so such
/// a field is our bug.
pub(super) fn length(field: &[u8]) -> [u8; 2] {
    u16::try_from(field.len()).expect("fields are bounded by their types").to_be_bytes()
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}
