//! Parsers of settings' values.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// Parses an address to listen on: `ADDR:PORT`, or `localhost:PORT`, which is always this machine (RFC 6761).
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let local = text.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    let local = local.map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    local.or_else(|| text.parse().ok()).ok_or_else(|| {
        "expected ADDR:PORT (127.0.0.1:50051, [::]:50051) or localhost:PORT; other names are not resolved"
            .into()
    })
}

pub fn ms(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_millis)
}

/// Parses milliseconds, and refuses 0.
pub fn some_ms(text: &str) -> Result<Duration, String> {
    let time = ms(text).map_err(|error| error.to_string())?;
    if time.is_zero() { Err("expected at least 1".into()) } else { Ok(time) }
}

/// Parses a share, 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "expected a number from 0 to 1")?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("expected a number from 0 to 1".into()) }
}

/// Parses the URL of an OTLP collector: plain HTTP with a port, and no path.
pub fn endpoint(text: &str) -> Result<String, String> {
    let expected = || String::from("expected http://HOST:PORT");
    let uri: http::Uri = text.parse().map_err(|_| expected())?;
    let is_plain =
        uri.scheme_str() == Some("http") && matches!(uri.path(), "" | "/") && uri.query().is_none();
    if is_plain && uri.port().is_some() { Ok(text.to_owned()) } else { Err(expected()) }
}

/// Parses an origin as browsers write it: `https://table.example` or `http://table.example:8080`.
pub fn origin(text: &str) -> Result<String, String> {
    let expected =
        || String::from("expected http://HOST or https://HOST in lower case, with an optional :PORT");
    let uri: http::Uri = text.parse().map_err(|_| expected())?;
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let is_web = matches!(uri.scheme_str(), Some("http" | "https")) && !authority.contains('@');
    let written = format!("{}://{authority}", uri.scheme_str().unwrap_or_default());
    if is_web && written == text && text == text.to_ascii_lowercase() { Ok(written) } else { Err(expected()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_numbers_or_this_machine() {
        for (text, expected) in
            [("localhost:7", "127.0.0.1:7"), ("[::1]:7", "[::1]:7"), ("0.0.0.0:7", "0.0.0.0:7")]
        {
            assert_eq!(address(text).map(|address| address.to_string()).as_deref(), Ok(expected));
        }
        for text in
            ["localhost", "localhost:", "localhost:70000", "example.org:7", "127.0.0.1", ":7", "localhost.:7"]
        {
            assert!(address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn origins_are_written_as_browsers_do() {
        for text in ["https://table.example", "http://table.example:8080", "http://[::1]:5"] {
            assert_eq!(origin(text).as_deref(), Ok(text));
        }
        let table =
            ["*", "table.example", "https://table.example/", "https://Table.example", "https://a@b", ""];
        for text in table {
            assert!(origin(text).is_err(), "{text}");
        }
    }
}
