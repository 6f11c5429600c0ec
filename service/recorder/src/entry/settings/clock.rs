//! The ranges of the time limits of a game.

use std::ops::RangeInclusive;

pub use canasta_proto::v1::Clock as GameClock;

/// Maximum of `turn_ms`: a day.
const TURN_MS_MAX: u64 = 86_400_000;
/// Maximum of `bank_ms`: a week.
const BANK_MS_MAX: u64 = 604_800_000;
/// Maximum of `increment_ms`: an hour.
const INCREMENT_MS_MAX: u64 = 3_600_000;
/// Maximum of `warnings`.
const WARNINGS_MAX: u64 = 10;

/// Returns the fields that no game can have, with their problems: each limit must be within its range and have the limit
/// that it belongs to, and play must end after it begins.
pub fn clock_faults(clock: &GameClock) -> Vec<(&'static str, String)> {
    let GameClock { starts_at_ms, ends_at_ms, turn_ms, bank_ms, increment_ms, warnings } = *clock;
    let range = |field, value: Option<u64>, range: RangeInclusive<u64>| {
        let found = value.filter(|value| !range.contains(value))?;
        Some((field, format!("{found}, expected {} to {}", range.start(), range.end())))
    };
    let time = |field, value: Option<i64>| {
        let found = value.filter(|value| *value < 0)?;
        Some((field, format!("{found}, expected at least 0")))
    };
    let problem = "must be unset: it belongs to a limit that is not set";
    let alone = |field, is_alone: bool| is_alone.then(|| (field, problem.to_owned()));
    let faults = [
        time("starts_at_ms", starts_at_ms),
        time("ends_at_ms", ends_at_ms),
        range("turn_ms", turn_ms, 1_000..=TURN_MS_MAX),
        range("bank_ms", bank_ms, 1_000..=BANK_MS_MAX),
        range("increment_ms", increment_ms, 0..=INCREMENT_MS_MAX),
        range("warnings", warnings.map(u64::from), 0..=WARNINGS_MAX),
        alone("increment_ms", increment_ms.is_some() && bank_ms.is_none()),
        alone("warnings", warnings.is_some() && turn_ms.is_none()),
    ];
    let mut faults: Vec<_> = faults.into_iter().flatten().collect();
    if faults.is_empty() && starts_at_ms.zip(ends_at_ms).is_some_and(|(start, end)| end <= start) {
        faults.push(("ends_at_ms", "must be after the start of play".into()));
    }
    faults
}
