//! Numbers and durations in sentences.

use canasta_engine::explanation::grouped;
use canasta_engine::violations::template::Language;

/// Returns the number with commas between groups of three digits.
pub fn number(value: impl Into<i128>) -> String {
    grouped(&value.into().to_string(), Language::English)
}

/// Returns a count with its noun: `1 game`, `2 games`.
pub fn count(value: impl Into<i128> + Copy, singular: &str) -> String {
    let plural = if value.into() == 1 { "" } else { "s" };
    format!("{} {singular}{plural}", number(value))
}

/// Returns a duration in words, in hours and minutes from two minutes on: `4 h 58 min`, `34 min`, `90 s`.
pub fn duration(ms: i64) -> String {
    match (ms / 3_600_000, ms / 60_000 % 60) {
        (0, 0 | 1) => format!("{} s", ms / 1_000),
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}
