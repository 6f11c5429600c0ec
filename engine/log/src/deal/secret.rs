//! The secrets that a deal rests on. Their `Debug` output never shows them.

use super::kdf::hmac512;
use core::fmt;

/// The secret G of a game, from which the secret of every round follows. It is revealed at the end of the
/// game.
#[derive(Clone, PartialEq, Eq)]
pub struct GameSecret(pub [u8; 64]);

/// The secret S of one attempt at one round. It is revealed at the end of the round.
#[derive(Clone, PartialEq, Eq)]
pub struct RoundSecret(pub [u8; 64]);

/// The salt that hides an explicit wall until its reveal. A salt is never used for two walls.
#[derive(Clone, PartialEq, Eq)]
pub struct WallSalt(pub [u8; 32]);

impl GameSecret {
    /// Returns the secret of attempt `attempt` (from 1) at round `round` (0 for the draw of seats and
    /// dealer).
    pub fn round(&self, round: u32, attempt: u32) -> RoundSecret {
        RoundSecret(hmac512(&self.0, &[b"canasta-round/1", &round.to_be_bytes(), &attempt.to_be_bytes()]))
    }
}

impl fmt::Debug for GameSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GameSecret(redacted)")
    }
}

impl fmt::Debug for RoundSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RoundSecret(redacted)")
    }
}

impl fmt::Debug for WallSalt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WallSalt(redacted)")
    }
}
