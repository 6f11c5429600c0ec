//! HTTP as far as the tool needs it: a bounded request, by a library, and a bounded server for witnesses. The server has no
//! TLS: what witnesses exchange is public and signed. The auditor shares no transport with the service.

use crate::shared::clock::Interrupts;
use anyhow::{Context, bail, ensure};
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;
use ureq::Agent;
use ureq::http::Uri;
use ureq::tls::{RootCerts, TlsConfig};

/// Maximum number of connections at once.
const CONNECTIONS_MAX: usize = 64;
/// Maximum time of one read or write. A request has a bounded number of them.
const STEP: Duration = Duration::from_secs(5);
/// Maximum time from a connection to its end.
const CONNECTION_TIME: Duration = Duration::from_secs(30);
/// Maximum number of reads for a request, so that nobody holds a place by sending byte by byte.
const READS_MAX: usize = 256;
/// Maximum size of the head of a request, in bytes.
const HEAD_MAX: usize = 16 * 1024;
const LINES_MAX: usize = 64;
/// Time between two looks for a signal.
const PIECE: Duration = Duration::from_millis(50);

/// The address of a server: `http://HOST[:PORT][/PATH]`, or `https://`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpAddress(String);

pub struct HttpAnswer {
    pub status: u16,
    pub body: Vec<u8>,
}

/// The reply of a server: status, type of the content, and content.
pub type Reply = (u16, &'static str, String);

/// A request that was read: path, method, body, and the sender of its reply.
type Asked = (String, String, Vec<u8>, Sender<Reply>);

impl FromStr for HttpAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let uri = text.parse::<Uri>().ok().filter(|uri| {
            let authority = uri.authority().map_or("", |authority| authority.as_str());
            let port = authority.strip_prefix(uri.host().unwrap_or_default());
            matches!(uri.scheme_str(), Some("http" | "https"))
                && port.is_some_and(|port| port.is_empty() || uri.port_u16().is_some())
                && uri.query().is_none()
                && !text.contains('#')
        });
        match uri.filter(|_| text.len() <= 2_000) {
            Some(_) => Ok(Self(text.trim_end_matches('/').to_owned())),
            None => Err(format!("expected http://HOST[:PORT][/PATH] or https://..., found {text:?}")),
        }
    }
}

impl fmt::Display for HttpAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Asks all addresses at once, and returns the answers in their order. An answer that is not there after `patience` is an
/// error; its thread ends by itself.
pub fn together<T: Send + 'static>(
    patience: Duration,
    addresses: &[HttpAddress],
    ask: impl Fn(&HttpAddress) -> anyhow::Result<T> + Send + Sync + 'static,
) -> Vec<anyhow::Result<T>> {
    let ask = Arc::new(ask);
    let (sender, receiver) = channel();
    for (place, address) in addresses.iter().enumerate() {
        let (ask, sender, address) = (ask.clone(), sender.clone(), address.clone());
        thread::spawn(move || {
            // Nobody listens any longer to an answer that comes late.
            let _ = sender.send((place, ask(&address)));
        });
    }
    let mut answers: Vec<Option<anyhow::Result<T>>> = addresses.iter().map(|_| None).collect();
    let mut left = patience;
    while answers.iter().any(Option::is_none) && !left.is_zero() {
        let piece = left.min(PIECE);
        match receiver.recv_timeout(piece) {
            Ok((place, answer)) => answers[place] = Some(answer),
            Err(RecvTimeoutError::Timeout) => left -= piece,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let late = || Err(anyhow::anyhow!("no answer within {} s", patience.as_secs()));
    answers.into_iter().map(|answer| answer.unwrap_or_else(late)).collect()
}

/// Returns a client whose requests take at most `most_time`. It goes to no other server than the one that is asked.
pub fn client(most_time: Duration) -> Agent {
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let config = Agent::config_builder()
        .timeout_global(Some(most_time))
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .tls_config(tls.build());
    config.build().into()
}

/// Sends a POST request with these headers, and reads at most `most` bytes of the answer's body.
pub fn post(
    client: &Agent,
    url: &str,
    headers: &[(&str, &str)],
    body: &str,
    most: usize,
) -> anyhow::Result<HttpAnswer> {
    let request =
        headers.iter().fold(client.post(url), |request, (name, value)| request.header(*name, *value));
    let mut answer = request.send(body).map_err(|error| match error {
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::Io(_) => {
            anyhow::Error::new(error).context("cannot connect")
        }
        other => other.into(),
    })?;
    let body = answer.body_mut().with_config().limit(most as u64).read_to_vec().context("the answer")?;
    Ok(HttpAnswer { status: answer.status().as_u16(), body })
}

/// Answers requests on an address until a signal ends the program. `listening` gets the address; `reply` gets the path,
/// the method and the body, which has at most `most` bytes.
pub fn serve(
    address: &str,
    most: usize,
    listening: impl FnOnce(SocketAddr) -> io::Result<()>,
    mut reply: impl FnMut(&str, &str, &[u8]) -> Reply,
) -> anyhow::Result<()> {
    let interrupts = Interrupts::new();
    let listener = TcpListener::bind(address).with_context(|| address.to_owned())?;
    listening(listener.local_addr()?)?;
    let (asking, asked): (Sender<Asked>, Receiver<Asked>) = channel();
    thread::spawn(move || accept(&listener, most, &asking));
    // Replies are made one after another here: they share the state of the witness.
    while !interrupts.has_come() {
        match asked.recv_timeout(PIECE) {
            Ok((path, method, body, sender)) => {
                // A client that breaks off has no answer to get.
                let _ = sender.send(reply(&path, &method, &body));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("{address}: no connection can be accepted"),
        }
    }
    Ok(())
}

/// Accepts connections, each in a thread of its own; those beyond the maximum are closed at once.
fn accept(listener: &TcpListener, most: usize, asking: &Sender<Asked>) {
    let places = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().flatten() {
        if places.fetch_add(1, Ordering::SeqCst) >= CONNECTIONS_MAX {
            places.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let (places, asking) = (places.clone(), asking.clone());
        thread::spawn(move || {
            let (done, end) = channel::<()>();
            if let Ok(other) = stream.try_clone() {
                thread::spawn(move || {
                    // A client that sends byte by byte does not hold its place for longer.
                    if end.recv_timeout(CONNECTION_TIME) == Err(RecvTimeoutError::Timeout) {
                        let _ = other.shutdown(Shutdown::Both);
                    }
                });
                let _ = answer(stream, most, &asking);
            }
            drop(done);
            places.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

/// Reads one request, and writes its reply.
fn answer(mut stream: TcpStream, most: usize, asking: &Sender<Asked>) -> anyhow::Result<()> {
    stream.set_read_timeout(Some(STEP))?;
    stream.set_write_timeout(Some(STEP))?;
    let (status, kind, text) = match read_request(&mut stream, most) {
        Ok((path, method, body)) => {
            let (sender, receiver) = channel();
            asking.send((path, method, body, sender)).ok().context("the program ends")?;
            receiver.recv()?
        }
        Err(error) => {
            let status = if error.is::<TooLong>() { 413 } else { 400 };
            (status, "text/plain; charset=utf-8", format!("{error:#}\n"))
        }
    };
    let length = text.len();
    let head = format!(
        "HTTP/1.1 {status} {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(text.as_bytes())?;
    // What a client still sends is read, so that the reply is not lost with the connection.
    stream.shutdown(Shutdown::Write)?;
    let _ = io::copy(&mut (&stream).take(1 << 20), &mut io::sink());
    Ok(())
}

/// A request whose body is too long.
#[derive(Debug)]
struct TooLong(usize);

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected at most {} bytes", self.0)
    }
}

impl std::error::Error for TooLong {}

fn read_request(stream: &mut TcpStream, most: usize) -> anyhow::Result<(String, String, Vec<u8>)> {
    let (head, mut body) = read_head(stream)?;
    let mut lines = [httparse::EMPTY_HEADER; LINES_MAX];
    let mut request = httparse::Request::new(&mut lines);
    ensure!(request.parse(&head)?.is_complete(), "expected a complete head of a request");
    let (path, method) =
        (request.path.unwrap_or_default().to_owned(), request.method.unwrap_or_default().to_owned());
    let length = content_length(request.headers)?.unwrap_or(0);
    if length > most {
        return Err(TooLong(most).into());
    }
    let expects = |line: &httparse::Header<'_>| line.name.eq_ignore_ascii_case("expect");
    if request.headers.iter().any(expects) {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    read_body(stream, &mut body, length)?;
    Ok((path, method, body))
}

/// Reads up to the empty line behind the head. Returns the head, and what was read behind it.
fn read_head(stream: &mut TcpStream) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let (mut read, mut chunk) = (Vec::new(), [0; 4096]);
    for _ in 0..READS_MAX {
        let end = read.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            let rest = read.split_off(end + 4);
            return Ok((read, rest));
        }
        ensure!(read.len() <= HEAD_MAX, "expected a head of at most {HEAD_MAX} bytes");
        match stream.read(&mut chunk)? {
            0 => break,
            length => read.extend_from_slice(&chunk[..length]),
        }
    }
    bail!("expected a head that ends with an empty line")
}

/// Reads until the body has `length` bytes.
fn read_body(stream: &mut TcpStream, body: &mut Vec<u8>, length: usize) -> anyhow::Result<()> {
    let mut chunk = [0; 16 * 1024];
    for _ in 0..READS_MAX {
        if body.len() >= length {
            break;
        }
        match stream.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => body.extend_from_slice(&chunk[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    ensure!(body.len() == length, "expected a body of {length} bytes, found {}", body.len());
    Ok(())
}

/// Returns the length of the body that the head names. Other ways to send a body are not spoken.
fn content_length(lines: &[httparse::Header<'_>]) -> anyhow::Result<Option<usize>> {
    let mut named = lines.iter().filter(|line| line.name.eq_ignore_ascii_case("content-length"));
    let is_chunked = lines.iter().any(|line| line.name.eq_ignore_ascii_case("transfer-encoding"));
    let (first, second) = (named.next(), named.next());
    ensure!(!is_chunked && second.is_none(), "expected one content-length, and no transfer-encoding");
    let number = |line: &httparse::Header<'_>| std::str::from_utf8(line.value).ok()?.trim().parse().ok();
    first.map(|line| number(line).context("content-length: expected a number")).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_written() {
        for (text, shown) in [
            ("http://w.example", "http://w.example"),
            ("http://127.0.0.1:8123/", "http://127.0.0.1:8123"),
            ("http://[::1]:9/a/b/", "http://[::1]:9/a/b"),
            ("https://w.example/canasta", "https://w.example/canasta"),
        ] {
            assert_eq!(text.parse::<HttpAddress>().expect(text).to_string(), shown);
        }
        for bad in [
            "ftp://w.example",
            "w.example",
            "http://",
            "http://a b",
            "http://a:x",
            "http://u@a",
            "http://a?b",
            "http://a#b",
        ] {
            assert!(bad.parse::<HttpAddress>().is_err(), "{bad}");
        }
    }
}
