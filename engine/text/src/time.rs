//! Times of day as text: `2026-01-31T12:00:00.000Z`.

use alloc::format;
use alloc::string::String;

const DAY_MS: i64 = 86_400_000;

/// Returns the text of a time in the years 0000 to 9999, given in milliseconds since 1970.
pub fn to_text(ms: i64) -> String {
    let (year, month, day) = date(ms.div_euclid(DAY_MS));
    let rest = ms.rem_euclid(DAY_MS);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1000)
}

/// Parses such a text. `None` for every other spelling and for impossible dates.
pub fn from_text(text: &str) -> Option<i64> {
    parse(text).filter(|&ms| to_text(ms) == text)
}

/// Parses the numbers; the characters between the numbers are not checked.
fn parse(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| {
        let digits = text.get(from..to).filter(|digits| digits.bytes().all(|c| c.is_ascii_digit()))?;
        digits.parse::<i64>().ok()
    };
    let days = days(number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let seconds = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
    Some(days * DAY_MS + seconds * 1000 + number(20, 23)?)
}

/// Returns year, month and day of a day, given in days since 1970. Years begin in March here, so that the
/// leap day is the last day of its year (H. Hinnant, "chrono-compatible low-level date algorithms").
fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// Returns the number of days since 1970 for a date: the inverse of [`date`].
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let from_march = (month + 9) % 12;
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    era * 146_097 + of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the seconds of `date -u -d ... +%s`.
    #[test]
    fn times_have_the_calendars_text() {
        let known = [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_769_860_800_000, "2026-01-31T12:00:00.000Z"),
            (951_782_400_001, "2000-02-29T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
        ];
        for (ms, text) in known {
            assert_eq!(to_text(ms), text);
            assert_eq!(from_text(text), Some(ms));
        }
    }

    #[test]
    fn every_day_has_its_own_date() {
        for day in -719_528..2_932_897 {
            let (year, month, of_month) = date(day);
            assert_eq!(days(year, month, of_month), day);
        }
    }

    #[test]
    fn other_spellings_are_refused() {
        for bad in [
            "",
            "2026-01-31",
            "2026-01-31T12:00:00Z",
            "2026-02-29T12:00:00.000Z",
            "2026-01-31T24:00:00.000Z",
            "2026-01-31t12:00:00.000Z",
            "2026-01-31T12:00:00.000+00:00",
            "-026-01-31T12:00:00.000Z",
            "２026-01-31T12:00:00.000Z",
        ] {
            assert!(from_text(bad).is_none(), "{bad:?}");
        }
    }
}
