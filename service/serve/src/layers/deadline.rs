//! The deadline of a request, from its head to the head of its answer; it also limits slow bodies.

use std::time::Duration;

use http::HeaderMap;

use crate::config::Config;
use crate::telemetry::method::Method;

/// Time by which our deadline precedes the client's own: after the client's deadline tonic answers CANCELLED,
/// while ours names the reason.
const MARGIN: Duration = Duration::from_millis(5);

/// Deadline of requests about games by id: it leaves time for a journal that does not answer at once.
const RECORDED: Duration = Duration::from_secs(10);

pub struct Deadline {
    all: Duration,
    logs: Duration,
}

impl Deadline {
    pub fn new(config: &Config) -> Self {
        Self { all: config.deadline, logs: config.audit_deadline }
    }

    /// Returns the time limit of a request: the server's, or the client's if that is shorter.
    pub fn of(&self, method: Method, headers: &HeaderMap) -> Duration {
        let server = match method {
            _ if method.takes_in_logs() => self.logs,
            _ if method.is_recorded() => RECORDED,
            _ => self.all,
        };
        let client = headers.get("grpc-timeout").and_then(|value| parse(value.as_bytes()));
        let client = client.map(|limit| limit.saturating_sub(MARGIN).max(limit / 2));
        client.map_or(server, |limit| limit.min(server))
    }
}

/// Parses `grpc-timeout`: at most 8 digits and a unit.
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
            let deadline = Deadline { all: Duration::from_secs(2), logs: Duration::from_secs(30) };
            let of = |path| deadline.of(Method::of_path(path), &headers);
            (of("/canasta.v1.GameService/GetView"), of("/canasta.v1.AuditService/AuditLog"))
        };
        let (ms, s) = (Duration::from_millis, Duration::from_secs);
        assert_eq!(of("1S"), (ms(995), ms(995)));
        assert_eq!(of("4m"), (ms(2), ms(2)));
        assert_eq!(of("1H"), (s(2), s(30)), "the server's");
        let deadline = Deadline { all: s(2), logs: s(30) };
        assert_eq!(deadline.of(const { Method::named("Act") }, &HeaderMap::new()), s(10));
        assert_eq!(of("soon"), (s(2), s(30)), "none is given");
    }
}
