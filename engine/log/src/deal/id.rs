//! Names of games and of deals.

use super::DealError;
use alloc::borrow::ToOwned;
use alloc::string::String;
use canasta_rules::hex::{hex, unhex};
use core::fmt::{self, Write};

/// The 16 bytes that name a game; in text 32 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub [u8; 16]);

/// The text that names one deal, as hashed into its commitments and context.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DealId(String);

impl GameId {
    /// Parses exactly 32 lower-case hex digits.
    pub fn parse(text: &str) -> Option<Self> {
        unhex(text).map(Self)
    }
}

impl DealId {
    /// Returns the id `<game id>/r<round>/<attempt>`. `round` 0 is the draw for seats and dealer, otherwise
    /// rounds count from 1; `attempt` is 1, and one more for each voided deal of that round.
    pub fn new(game: GameId, round: u32, attempt: u32) -> Self {
        let mut text = hex(&game.0);
        write!(text, "/r{round}/{attempt}").expect("a string takes all text");
        Self(text)
    }

    /// Returns an id with another text, for deals that someone else names (the published vectors, boards of a
    /// tournament).
    ///
    /// # Errors
    /// [`DealError::Text`] unless `text` is ASCII of 1 to 255 bytes.
    pub fn from_text(text: &str) -> Result<Self, DealError> {
        check_text(text)?;
        Ok(Self(text.to_owned()))
    }

    /// Returns the text of the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Checks that `text` is ASCII of 1 to 255 bytes.
pub(super) fn check_text(text: &str) -> Result<(), DealError> {
    if text.is_ascii() && (1..=255).contains(&text.len()) {
        return Ok(());
    }
    Err(DealError::Text { length: text.len() })
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Display for DealId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
