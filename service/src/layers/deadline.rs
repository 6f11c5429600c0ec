//! How long a request may take, from its head to the head of its answer: bounds a body that trickles in, too.

use std::future::Future;
use std::time::Duration;

use http::HeaderMap;

use crate::config::Config;

/// tonic answers CANCELLED when the client's own time is over. Ours ends before, for it says what happened.
const MARGIN: Duration = Duration::from_millis(5);

/// The server's limit.
pub struct Deadline(Duration);

/// The time was over.
pub struct Passed;

impl Deadline {
    pub fn new(config: &Config) -> Self {
        Self(config.deadline)
    }

    /// The server's limit, or the client's if that is shorter.
    pub fn of(&self, headers: &HeaderMap) -> Duration {
        let client = headers.get("grpc-timeout").and_then(|value| parse(value.as_bytes()));
        let client = client.map(|limit| limit.saturating_sub(MARGIN).max(limit / 2));
        client.map_or(self.0, |limit| limit.min(self.0))
    }
}

pub async fn kept<F: Future>(limit: Duration, future: F) -> Result<F::Output, Passed> {
    tokio::time::timeout(limit, future).await.map_err(|_| Passed)
}

/// `grpc-timeout`: at most 8 digits and a unit.
fn parse(text: &[u8]) -> Option<Duration> {
    let (&unit, digits) = text.split_last()?;
    if !(1..=8).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let count: u64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    match unit {
        b'H' => Some(Duration::from_secs(count * 3600)),
        b'M' => Some(Duration::from_secs(count * 60)),
        b'S' => Some(Duration::from_secs(count)),
        b'm' => Some(Duration::from_millis(count)),
        b'u' => Some(Duration::from_micros(count)),
        b'n' => Some(Duration::from_nanos(count)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_as_grpc_writes_them() {
        let table = [
            ("1H", Some(Duration::from_secs(3600))),
            ("2M", Some(Duration::from_secs(120))),
            ("99999999S", Some(Duration::from_secs(99_999_999))),
            ("250m", Some(Duration::from_millis(250))),
            ("7u", Some(Duration::from_micros(7))),
            ("0n", Some(Duration::ZERO)),
            ("", None),
            ("S", None),
            ("1", None),
            ("1s", None),
            ("+1S", None),
            ("100000000S", None),
        ];
        for (text, expected) in table {
            assert_eq!(parse(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn the_shorter_deadline_counts_and_ends_before_the_clients_own() {
        let of = |timeout: &str| {
            let headers = HeaderMap::from_iter([(
                "grpc-timeout".parse().expect("a name"),
                timeout.parse().expect("text"),
            )]);
            Deadline(Duration::from_secs(2)).of(&headers)
        };
        assert_eq!(of("1S"), Duration::from_millis(995));
        assert_eq!(of("4m"), Duration::from_millis(2));
        assert_eq!(of("1H"), Duration::from_secs(2), "the server's");
        assert_eq!(of("soon"), Duration::from_secs(2), "none is given");
    }
}
