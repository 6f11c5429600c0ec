//! A TCP connection with limits that hyper lacks: it closes connections that send no request in time, that
//! are idle, that do not read their answers, or that send frames without end; and it reads in slices, between which others
//! are served.
//!
//! hyper's keepalive starts only after the client's preface, and its graceful shutdown waits for a preface
//! that never comes (hyper#4170): a silent client would hold a connection for ever and stall the drain. A
//! client that answers pings and sends no request would hold its place for ever too, and a client that does
//! not read its answers would hold them in memory.

mod frames;
mod monitor;
mod permits;
mod slices;
mod traffic;

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;
use tonic::transport::server::Connected;

use crate::config::Config;
use crate::telemetry::counts::Closed;
use crate::tls::Transport;
use frames::{FrameBudget, GO_AWAY};
use monitor::ActivityMonitor;
pub use permits::{ConnectionPermit, ConnectionPermits};
use slices::ReadSlice;
pub use slices::ReadSlices;
pub use traffic::{ActiveRequest, Traffic};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The bytes that end the head of an HTTP/1.1 request; the preface contains them too.
const HEAD_END: [u8; 4] = *b"\r\n\r\n";

/// Maximum time for which a connection is still read after its end. If a socket is closed with unread bytes,
/// TCP discards what was sent last: answers and the GOAWAY.
const LINGER: Duration = Duration::from_secs(1);
/// Maximum number of bytes that are still read after the connection's end.
const LINGER_BYTES: usize = 256 * 1024;
/// The time for which a connection that has used up its frames keeps its place, unread: a client that connects again at once
/// gains nothing.
const CALM: Duration = Duration::from_secs(5);

/// A connection with its timeouts; see the module.
pub struct Connection {
    stream: Transport,
    /// The deadline of the preface or of the first HTTP/1.1 head, TLS handshake included; `None` once either
    /// is complete.
    silent_until: Option<Pin<Box<Sleep>>>,
    received: usize,
    /// Number of bytes of [`HEAD_END`] that the last bytes received match.
    of_end: usize,
    monitor: ActivityMonitor,
    frames: FrameBudget,
    slice: ReadSlice,
    /// Whether the client has used up its frames.
    is_flooded: bool,
    /// Whether what is to be written has waited for the answers of other requests.
    has_waited: bool,
    /// Once nothing more is sent: the deadline for reading on, and the number of bytes left to read.
    linger: Option<(Pin<Box<Sleep>>, usize)>,
}

impl Connection {
    pub fn new(
        stream: TcpStream,
        tls: Option<Arc<ServerConfig>>,
        peer: IpAddr,
        config: &Config,
        permit: ConnectionPermit,
        slices: &ReadSlices,
    ) -> Self {
        let is_local = stream.peer_addr().is_ok_and(|peer| peer.ip().to_canonical().is_loopback());
        let traffic = Traffic::new(peer, is_local, config.max_age, permit);
        let stream = Transport::new(stream, tls, traffic.names_cell());
        let monitor = ActivityMonitor::new(traffic, config);
        let deadline = tokio::time::sleep(config.preface_deadline);
        Self {
            stream,
            silent_until: Some(Box::pin(deadline)),
            received: 0,
            of_end: 0,
            monitor,
            frames: FrameBudget::new(),
            slice: slices.join(peer),
            is_flooded: false,
            has_waited: false,
            linger: None,
        }
    }

    /// Whether the monitor ends the connection while the connection waits for the client.
    fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        let Poll::Ready(why) = self.monitor.poll(cx) else { return false };
        self.monitor.traffic().closed(why);
        true
    }

    /// Looks for the end of the preface or of the first HTTP/1.1 head in the bytes received. A client that
    /// sends only a part of either still counts as silent.
    fn hear(&mut self, bytes: &[u8]) {
        self.received += bytes.len();
        for byte in bytes {
            self.of_end = match self.of_end {
                4 => break,
                matched if *byte == HEAD_END[matched] => matched + 1,
                _ => usize::from(*byte == HEAD_END[0]),
            };
        }
        if self.received >= PREFACE.len() && self.of_end == HEAD_END.len() {
            self.silent_until = None;
        }
    }

    /// Whether the connection has passed the deadline of its preface, or has lost its place before.
    fn is_silent(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(deadline) = self.silent_until.as_mut() else { return false };
        let traffic = self.monitor.traffic();
        let why = match deadline.as_mut().poll(cx) {
            Poll::Ready(()) => Closed::Silent,
            Poll::Pending if traffic.poll_revoked(cx).is_ready() => Closed::Crowded,
            Poll::Pending => return false,
        };
        traffic.closed(why);
        true
    }

    /// Reads what is left of the slice; pending if others must have their turn before.
    fn read_slice(&mut self, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Some(left) = self.slice.left() else {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        };
        let mut part = ReadBuf::new(buf.initialize_unfilled_to(left.min(buf.remaining())));
        let read = Pin::new(&mut self.stream).poll_read(cx, &mut part);
        let length = part.filled().len();
        buf.advance(length);
        if read.is_pending() {
            self.slice.wait();
        } else {
            self.slice.spend(length);
        }
        read
    }

    /// Tells the client to calm down, if nothing else is being said.
    fn calm(&mut self, cx: &mut Context<'_>) {
        self.is_flooded = true;
        self.monitor.traffic().closed(Closed::Flooded);
        if self.frames.may_end() {
            // A client that does not read is ended without a word.
            let _ = Pin::new(&mut self.stream).poll_write(cx, &GO_AWAY);
            let _ = Pin::new(&mut self.stream).poll_flush(cx);
        }
    }

    /// Returns an error in the place of a pending write if a timeout has passed. hyper does not read from a
    /// client that does not read, so the timeouts are checked on writes too; and the TLS handshake waits in a
    /// read or in a write, whichever comes first.
    fn unless_over<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        match written {
            Poll::Pending if self.is_silent(cx) || self.is_over(cx) => {
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            written => written,
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // Reports the end of the stream, as if the client had closed it.
        if self.is_flooded {
            return Poll::Ready(Ok(()));
        }
        let before = buf.filled().len();
        let read = self.read_slice(cx, buf);
        if !self.frames.receive(&buf.filled()[before..]) {
            self.calm(cx);
            buf.set_filled(before);
            return Poll::Ready(Ok(()));
        }
        if self.silent_until.is_none() {
            if read.is_pending() && self.is_over(cx) {
                // Reports the end of the stream, as if the client had closed it.
                return Poll::Ready(Ok(()));
            }
            return read;
        }
        if self.is_silent(cx) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        self.hear(&buf.filled()[before..]);
        read
    }
}

// Without vectored writes: with them h2 writes each answer of 256 bytes or more by itself, without them only those of
// 1,024 bytes or more. Shorter answers go into one write, trailers and answers to other requests included.
impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        if !std::mem::replace(&mut self.has_waited, true) {
            // Requests that came together are answered one after the other. The connection waits until each of them had its
            // turn, so that their answers share a write: tokio runs a task that wakes itself after those that wait already.
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        if let Poll::Ready(Ok(length)) = written {
            self.frames.send(&buf[..length]);
        }
        self.unless_over(cx, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.has_waited = false;
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        if flushed.is_ready() {
            self.monitor.traffic().written();
        }
        self.unless_over(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
            let (time, bytes) = if self.is_flooded { (CALM, 0) } else { (LINGER, LINGER_BYTES) };
            self.linger = Some((Box::pin(tokio::time::sleep(time)), bytes));
        }
        let is_flooded = self.is_flooded;
        let Self { stream, linger: Some((until, left)), .. } = &mut *self else { return Poll::Ready(Ok(())) };
        let mut unread = [0; 4096];
        while *left > 0 && until.as_mut().poll(cx).is_pending() {
            let mut buf = ReadBuf::new(&mut unread);
            match ready!(Pin::new(&mut *stream).poll_read(cx, &mut buf)) {
                Ok(()) if !buf.filled().is_empty() => *left = left.saturating_sub(buf.filled().len()),
                _ => break,
            }
        }
        if is_flooded {
            ready!(until.as_mut().poll(cx));
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.monitor.traffic().written();
    }
}

impl Connected for Connection {
    type ConnectInfo = Traffic;

    fn connect_info(&self) -> Traffic {
        self.monitor.traffic().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ServiceCli;
    use crate::fairness::Accountant;
    use clap::Parser;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    /// Returns a connection, and the client's end of it.
    async fn connected() -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let client = TcpStream::connect(address).await.expect("the listener listens");
        let (stream, _) = listener.accept().await.expect("the client has connected");
        let config = ServiceCli::parse_from(["canasta-service"]).config;
        let counts = Arc::default();
        let permit = ConnectionPermits::new(Accountant::new(&config, &counts), counts).take(address.ip());
        let permit = permit.expect("the first");
        (Connection::new(stream, None, address.ip(), &config, permit, &ReadSlices::default()), client)
    }

    #[tokio::test]
    async fn answers_of_some_hundred_bytes_share_a_write() {
        assert!(!connected().await.0.is_write_vectored(), "h2 would write each of them by itself");
    }

    /// Runs two tasks that answer at once: the first write waits until the other task has had its turn, and once per flush.
    #[tokio::test]
    async fn a_write_waits_for_the_tasks_that_are_ready() {
        let (mut connection, mut client) = connected().await;
        let order = Arc::new(std::sync::Mutex::new(Vec::new()));
        let noted = Arc::clone(&order);
        let other = tokio::spawn(async move { noted.lock().expect("no panic").push("other") });
        connection.write_all(b"answer").await.expect("the client is there");
        order.lock().expect("no panic").push("written");
        other.await.expect("no panic");
        assert_eq!(*order.lock().expect("no panic"), ["other", "written"]);
        let mut waits = 0;
        std::future::poll_fn(|cx| match Pin::new(&mut connection).poll_write(cx, b" more") {
            Poll::Ready(written) => Poll::Ready(written),
            Poll::Pending => {
                waits += 1;
                Poll::Pending
            }
        })
        .await
        .expect("the client is there");
        assert_eq!(waits, 0, "not twice for one flush");
        connection.flush().await.expect("the client is there");
        let mut read = [0; 11];
        client.read_exact(&mut read).await.expect("all of it");
        assert_eq!(&read, b"answer more");
    }
}
