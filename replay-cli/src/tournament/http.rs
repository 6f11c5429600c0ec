//! HTTP as far as the tool needs it: a bounded request, and a bounded server for witnesses. The server has no TLS: what
//! witnesses exchange is public and signed.

use crate::shared::clock::Interrupts;
use anyhow::Context;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::header::CONTENT_TYPE;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::cell::RefCell;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime;
use tokio::time::{sleep, timeout};
use ureq::Agent;
use ureq::http::Uri;
use ureq::tls::{RootCerts, TlsConfig};

/// The type of the content of replies for people.
pub const TEXT: &str = "text/plain; charset=utf-8";
/// Maximum number of connections at once.
const CONNECTIONS_MAX: usize = 64;
/// Maximum time from a connection to the end of its request's head.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Maximum time from a connection to its end, so that nobody holds a place by sending byte by byte.
const CONNECTION_TIME: Duration = Duration::from_secs(15);
/// Maximum size of the head of a request, in bytes.
const HEAD_MAX: usize = 16 * 1024;
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
    reply: impl FnMut(&str, &str, &[u8]) -> Reply,
) -> anyhow::Result<()> {
    let interrupts = Interrupts::new();
    // One thread: replies are made one after another, since they share the state of the witness.
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await.with_context(|| address.to_owned())?;
        listening(listener.local_addr()?)?;
        let reply = RefCell::new(reply);
        let mut connections = FuturesUnordered::new();
        while !interrupts.has_come() {
            tokio::select! {
                Some(()) = connections.next() => {}
                accepted = listener.accept() => match accepted {
                    // Those beyond the maximum are closed at once.
                    Ok((stream, _)) if connections.len() < CONNECTIONS_MAX => {
                        connections.push(answered(stream, most, &reply));
                    }
                    Ok(_) => {}
                    Err(_) => sleep(PIECE).await,
                },
                () = sleep(PIECE) => {}
            }
        }
        Ok(())
    })
}

/// Answers the one request of a connection.
async fn answered(stream: TcpStream, most: usize, reply: &RefCell<impl FnMut(&str, &str, &[u8]) -> Reply>) {
    let service = service_fn(|request: Request<Incoming>| async move {
        let (head, mut body) = request.into_parts();
        let (status, kind, text) = match Limited::new(&mut body, most).collect().await {
            Ok(read) => (reply.borrow_mut())(head.uri.path(), head.method.as_str(), &read.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => {
                // What a client still sends is read, so that the reply is not lost with the connection.
                let mut rest = Limited::new(body, 1 << 20);
                while let Some(Ok(_)) = rest.frame().await {}
                (413, TEXT, format!("expected at most {most} bytes\n"))
            }
            Err(error) => (400, TEXT, format!("{error}\n")),
        };
        Response::builder().status(status).header(CONTENT_TYPE, kind).body(Full::new(Bytes::from(text)))
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).keep_alive(false).max_buf_size(HEAD_MAX);
    // A client that breaks off has no answer to get.
    let _ = timeout(CONNECTION_TIME, server.serve_connection(TokioIo::new(stream), service)).await;
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
