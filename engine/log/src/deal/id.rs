//! Names of games and of deals.

use super::DealError;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt;

/// The 16 bytes that name a game; in text 32 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub [u8; 16]);

/// The text that names one deal, as hashed into its commitments and context.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DealId(String);

impl GameId {
    /// Reads exactly 32 lower-case hex digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: &[u8; 32] = text.as_bytes().try_into().ok()?;
        let mut id = [0; 16];
        for (byte, pair) in id.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = hex_digit(pair[0])? << 4 | hex_digit(pair[1])?;
        }
        Some(Self(id))
    }
}

impl DealId {
    /// `<game id>/r<round>/<attempt>`. `round` 0 is the draw for seats and dealer, otherwise rounds
    /// count from 1; `attempt` is 1, and one more for each voided deal of that round.
    pub fn new(game: GameId, round: u32, attempt: u32) -> Self {
        Self(format!("{game}/r{round}/{attempt}"))
    }

    /// Any other text, for deals named by someone else (the published vectors, boards of a tournament).
    ///
    /// # Errors
    /// [`DealError::Text`] unless `text` is ASCII of 1 to 255 bytes.
    pub fn from_text(text: &str) -> Result<Self, DealError> {
        check_text(text)?;
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Refuses what is not ASCII of 1 to 255 bytes.
pub(super) fn check_text(text: &str) -> Result<(), DealError> {
    if text.is_ascii() && (1..=255).contains(&text.len()) {
        return Ok(());
    }
    Err(DealError::Text { length: text.len() })
}

fn hex_digit(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// Writes `bytes` as lower-case hex.
pub(super) fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

impl fmt::Display for DealId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
