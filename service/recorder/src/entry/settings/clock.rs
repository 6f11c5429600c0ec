//! The time limits of a game.

use std::ops::RangeInclusive;

/// Range of `turn_ms`: a second to a day.
pub const TURN_MS: RangeInclusive<u64> = 1_000..=86_400_000;
/// Range of `bank_ms`: a second to a week.
pub const BANK_MS: RangeInclusive<u64> = 1_000..=604_800_000;
/// Maximum of `increment_ms`: an hour.
pub const INCREMENT_MS_MAX: u64 = 3_600_000;
/// Maximum of `warnings`.
pub const WARNINGS_MAX: u8 = 10;
/// Warnings where the game names no number (IR-072).
const WARNINGS_DEFAULT: u8 = 2;

/// The time limits of a game; each is absent unless it was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameClock {
    /// Start of play, in ms since 1970.
    pub starts_at_ms: Option<i64>,
    /// End of play, in ms since 1970.
    pub ends_at_ms: Option<i64>,
    /// Longest turn, in ms.
    pub turn_ms: Option<u64>,
    /// Time of each seat for the whole game, in ms.
    pub bank_ms: Option<u64>,
    /// Time that each turn adds to the bank of its seat, in ms.
    pub increment_ms: Option<u64>,
    /// Number of times that a seat may exceed its turn before its side forfeits the game.
    pub warnings: Option<u8>,
}

impl GameClock {
    /// Whether the game has no time limit.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the number of times that a seat may exceed its turn.
    pub fn warnings_max(&self) -> u8 {
        self.warnings.unwrap_or(WARNINGS_DEFAULT)
    }

    /// Whether each limit is within its range and has the limit that it belongs to.
    pub fn is_valid(&self) -> bool {
        let Self { starts_at_ms, ends_at_ms, turn_ms, bank_ms, increment_ms, warnings } = *self;
        let times = [starts_at_ms, ends_at_ms].into_iter().flatten().all(|time| time >= 0);
        let in_order = starts_at_ms.zip(ends_at_ms).is_none_or(|(start, end)| start < end);
        times
            && in_order
            && turn_ms.is_none_or(|turn| TURN_MS.contains(&turn))
            && bank_ms.is_none_or(|bank| BANK_MS.contains(&bank))
            && increment_ms.is_none_or(|increment| increment <= INCREMENT_MS_MAX && bank_ms.is_some())
            && warnings.is_none_or(|warnings| warnings <= WARNINGS_MAX && turn_ms.is_some())
    }
}
