//! HTTP as far as witnesses need it: a bounded request, and a bounded server. There is no TLS: what witnesses exchange is
//! public and signed.

use anyhow::{Context, bail};
use futures_util::future::join_all;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderValue;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, client, server};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Maximum number of connections at once.
const CONNECTIONS_MAX: usize = 64;
/// Maximum time from a connection to its end.
const CONNECTION_TIME: Duration = Duration::from_secs(30);
/// Maximum time in which the head of a request must come.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Maximum size of the head of a request or an answer, in bytes.
const HEAD_MAX: usize = 16 * 1024;

/// The address of a server: `http://HOST[:PORT][/PATH]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    host: String,
    port: u16,
    prefix: String,
}

/// The answer to a request.
pub struct HttpAnswer {
    /// The status code.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// The reply of a server: status, type of the content, and content.
pub type Reply = (u16, &'static str, String);

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!("expected http://HOST[:PORT][/PATH] (no https: all is public and signed), found {text:?}")
        };
        let rest = text.strip_prefix("http://").ok_or_else(expected)?;
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let is_ipv6 = authority.ends_with(']');
        let (host, port) = match authority.rsplit_once(':').filter(|_| !is_ipv6) {
            Some((host, port)) => (host, port.parse().map_err(|_| expected())?),
            None => (authority, 80),
        };
        let bad = |c: char| c.is_whitespace() || c.is_control() || "@?#".contains(c);
        if host.is_empty() || text.len() > 2_000 || text.contains(bad) {
            return Err(expected());
        }
        let path = path.trim_end_matches('/');
        let prefix = if path.is_empty() { String::new() } else { format!("/{path}") };
        Ok(Self { host: host.into(), port, prefix })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}:{}{}", self.host, self.port, self.prefix)
    }
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Asks all addresses at once, and returns the answers in their order. An answer that is not there after `patience` is an
/// error.
pub fn together<'a, T, F: Future<Output = anyhow::Result<T>>>(
    patience: Duration,
    addresses: &'a [Address],
    ask: impl Fn(&'a Address) -> F,
) -> Vec<anyhow::Result<T>> {
    let runtime = match runtime() {
        Ok(runtime) => runtime,
        Err(error) => return addresses.iter().map(|_| Err(anyhow::anyhow!("{error}"))).collect(),
    };
    let asked = addresses.iter().map(|address| {
        let answer = ask(address);
        async move {
            let late = || format!("no answer within {} s", patience.as_secs());
            timeout(patience, answer).await.with_context(late)?
        }
    });
    let answers = runtime.block_on(async { join_all(asked).await });
    // A name that is still being looked up does not hold up the end.
    runtime.shutdown_background();
    answers
}

/// Sends a POST request, and reads at most `most` bytes of the answer.
pub async fn post(address: &Address, path: &str, body: String, most: usize) -> anyhow::Result<HttpAnswer> {
    let host = address.host.trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((host, address.port)).await.context("cannot connect")?;
    let mut builder = client::conn::http1::Builder::new();
    let handshake = builder.max_buf_size(HEAD_MAX).handshake(TokioIo::new(stream));
    let (mut sender, connection) = handshake.await.context("cannot speak HTTP")?;
    let request = Request::post(format!("{}/{path}", address.prefix))
        .header("host", format!("{}:{}", address.host, address.port))
        .body(Full::new(Bytes::from(body)))?;
    let answer = async {
        let response = sender.send_request(request).await?;
        let status = response.status().as_u16();
        let body = Limited::new(response.into_body(), most).collect().await;
        let body = body.map_err(|error| anyhow::anyhow!("the answer: {error}"))?;
        anyhow::Ok(HttpAnswer { status, body: body.to_bytes().to_vec() })
    };
    let (mut answer, mut connection) = (std::pin::pin!(answer), std::pin::pin!(connection));
    tokio::select! {
        answer = &mut answer => answer,
        // The last bytes of the answer may come together with the end of the connection.
        end = &mut connection => match end {
            Ok(()) => answer.await,
            Err(error) => bail!("the connection: {error}"),
        }
    }
}

/// Answers requests on an address until a signal ends the program. `listening` gets the address; `reply` gets the path,
/// the method and the body, which has at most `most` bytes.
pub fn serve(
    address: &str,
    most: usize,
    listening: impl FnOnce(SocketAddr) -> io::Result<()>,
    reply: impl FnMut(&str, &str, &[u8]) -> Reply,
) -> anyhow::Result<()> {
    let reply = RefCell::new(reply);
    let serving = async {
        let listener = TcpListener::bind(address).await.with_context(|| address.to_owned())?;
        listening(listener.local_addr()?)?;
        let (mut interrupted, mut terminated) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let connections = Semaphore::new(CONNECTIONS_MAX);
        let mut open = futures_util::stream::FuturesUnordered::new();
        loop {
            let accepting = async {
                let place = connections.acquire().await;
                (listener.accept().await, place)
            };
            tokio::select! {
                (accepted, place) = accepting => {
                    if let (Ok((stream, _)), Ok(place)) = (accepted, place) {
                        let connection = connection(stream, most, &reply);
                        open.push(async move {
                            connection.await;
                            drop(place);
                        });
                    }
                }
                Some(()) = futures_util::StreamExt::next(&mut open), if !open.is_empty() => {}
                _ = interrupted.recv() => return Ok(()),
                _ = terminated.recv() => return Ok(()),
            }
        }
    };
    runtime()?.block_on(serving)
}

/// Serves one connection. A client that breaks off, or is too slow, has no answer to get.
async fn connection(stream: TcpStream, most: usize, reply: &RefCell<impl FnMut(&str, &str, &[u8]) -> Reply>) {
    let served = server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_MAX)
        .serve_connection(TokioIo::new(stream), service_fn(|request| answer(request, most, reply)));
    let _ = timeout(CONNECTION_TIME, served).await;
}

async fn answer(
    request: Request<Incoming>,
    most: usize,
    reply: &RefCell<impl FnMut(&str, &str, &[u8]) -> Reply>,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let (head, body) = request.into_parts();
    let (status, content_type, text) = match Limited::new(body, most).collect().await {
        Ok(body) => (reply.borrow_mut())(head.uri.path(), head.method.as_str(), &body.to_bytes()),
        Err(_) => (413, "text/plain", format!("expected at most {most} bytes\n")),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert("content-type", HeaderValue::from_static(content_type));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_written() {
        for (text, shown) in [
            ("http://w.example", "http://w.example:80"),
            ("http://127.0.0.1:8123/", "http://127.0.0.1:8123"),
            ("http://[::1]:9/a/b/", "http://[::1]:9/a/b"),
            ("http://[::1]", "http://[::1]:80"),
        ] {
            assert_eq!(text.parse::<Address>().expect(text).to_string(), shown);
        }
        for bad in [
            "https://w.example",
            "w.example",
            "http://",
            "http://a b",
            "http://a:x",
            "http://u@a",
            "http://a?b",
        ] {
            assert!(bad.parse::<Address>().is_err(), "{bad}");
        }
    }
}
