//! A TCP connection that must begin to speak in time, and is closed when it has nothing more to ask.
//!
//! hyper's keepalive starts only after the client's preface, and its graceful shutdown waits for one that
//! never comes (hyper#4170): a silent client would hold a connection for ever and stall the drain. A client that
//! answers pings and asks nothing would hold its place for ever too, and one that does not take its answers would hold
//! these in memory.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;
use tonic::transport::server::Connected;

use crate::config::Config;
use crate::identity::Names;
use crate::shares::{Share, Shares};
use crate::telemetry::counts::{Closed, Counts};
use crate::telemetry::method::METHODS;
use crate::tls::Transport;

/// Bytes of the HTTP/2 client connection preface.
const PREFACE: usize = 24;

/// What ends the head of an HTTP/1.1 request; the preface has it too.
const HEAD_END: [u8; 4] = *b"\r\n\r\n";

/// In how many looks an answer must be found untaken before its connection is closed.
const LOOKS: u32 = 4;

/// Answers are counted by the look before which they were given; one more than are looked back at, and a spare.
const SLOTS: u32 = 8;

/// The places that connections take: so many in all, and so many a peer.
#[derive(Clone)]
pub struct Places {
    all: Arc<Semaphore>,
    peers: Shares<IpAddr>,
    counts: Arc<Counts>,
}

impl Places {
    pub fn new(config: &Config, counts: Arc<Counts>) -> Self {
        let all = Arc::new(Semaphore::new(usize::from(config.max_connections)));
        Self { all, peers: Shares::new(config.max_peer_connections), counts }
    }

    /// A place for a connection of `peer`; `None` if there is none left.
    pub fn take(&self, peer: IpAddr) -> Option<Place> {
        let Ok(all) = Arc::clone(&self.all).try_acquire_owned() else {
            self.counts.closed(Closed::Full);
            return None;
        };
        let Some(of_peer) = self.peers.take(peer) else {
            self.counts.closed(Closed::PeerFull);
            return None;
        };
        self.counts.connection(1);
        Some(Place { _of_all: all, _of_peer: of_peer, counts: Arc::clone(&self.counts) })
    }
}

/// A place that is given back when it is dropped.
pub struct Place {
    _of_all: OwnedSemaphorePermit,
    _of_peer: Share<IpAddr>,
    counts: Arc<Counts>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.counts.connection(-1);
    }
}

/// How long, and for how many bytes, a connection that has ended is still read: closed with unread bytes, TCP would
/// take back what was sent last, which is answers and the word that the server goes.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: usize = 256 * 1024;

/// Most requests of one connection at once that wait for their answer or have it lie untaken. Streams that are open
/// are bounded by HTTP/2 itself.
const MOST_AT_WORK: u32 = 32;

/// What a connection and its requests tell each other: tonic hands it on with each request.
#[derive(Clone)]
pub struct Traffic(Arc<Shared>);

struct Shared {
    peer: IpAddr,
    /// The names in the client's certificate, if it has shown one.
    names: Arc<OnceLock<Names>>,
    begun: AtomicU64,
    ended: AtomicU64,
    /// Requests that wait for their answer or have not taken it; of streams, those that wait to be opened.
    at_work: AtomicU32,
    look: AtomicU32,
    /// Answers that are not taken yet, by the look before which they were given.
    untaken: [AtomicU32; SLOTS as usize],
    counts: Arc<Counts>,
}

impl Traffic {
    fn new(peer: IpAddr, counts: Arc<Counts>) -> Self {
        let (names, begun, ended, at_work, look, untaken) = Default::default();
        Self(Arc::new(Shared { peer, names, begun, ended, at_work, look, untaken, counts }))
    }

    /// The address at the other end.
    pub fn peer(&self) -> IpAddr {
        self.0.peer
    }

    /// The names in the client's certificate, if it has shown one.
    pub fn names(&self) -> Option<&Names> {
        self.0.names.get()
    }

    /// An answer is there that the client is to take soon.
    pub fn answered(self) -> Untaken {
        let slot = (self.0.look.load(Ordering::Relaxed) % SLOTS) as usize;
        self.0.untaken[slot].fetch_add(1, Ordering::Relaxed);
        Untaken { traffic: self, slot }
    }
}

/// An answer that the client is to take soon.
pub struct Untaken {
    traffic: Traffic,
    slot: usize,
}

impl Drop for Untaken {
    fn drop(&mut self) {
        self.traffic.0.untaken[self.slot].fetch_sub(1, Ordering::Relaxed);
    }
}

/// A request under way, until its answer has been taken.
pub struct UnderWay {
    traffic: Traffic,
    method: usize,
    stage: Stage,
}

enum Stage {
    AtWork,
    Untaken { _answer: Untaken },
    Open,
}

impl UnderWay {
    pub fn begin(traffic: &Traffic, method: usize) -> Self {
        traffic.0.begun.fetch_add(1, Ordering::Relaxed);
        traffic.0.at_work.fetch_add(1, Ordering::Relaxed);
        traffic.0.counts.request(method, 1);
        Self { traffic: traffic.clone(), method, stage: Stage::AtWork }
    }

    /// Whether its connection has more at work than it may have.
    pub fn is_too_much(&self) -> bool {
        self.traffic.0.at_work.load(Ordering::Relaxed) > MOST_AT_WORK
    }

    /// Its answer is there: if it is one message, the client is to take it soon.
    pub fn answered(&mut self) {
        self.stage = if METHODS[self.method].answers_once {
            Stage::Untaken { _answer: self.traffic.clone().answered() }
        } else {
            self.traffic.0.at_work.fetch_sub(1, Ordering::Relaxed);
            Stage::Open
        };
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let shared = &self.traffic.0;
        if !matches!(self.stage, Stage::Open) {
            shared.at_work.fetch_sub(1, Ordering::Relaxed);
        }
        shared.counts.request(self.method, -1);
        shared.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// See the module.
pub struct Connection {
    stream: Transport,
    /// Also bounds the handshake of TLS, which comes before the preface. `None` once the preface, or the head of an
    /// HTTP/1.1 request, is complete.
    silent_until: Option<Pin<Box<Sleep>>>,
    received: usize,
    /// How much of the end of a head the last bytes are.
    of_end: usize,
    watch: Watch,
    /// Once nothing more is sent: until when, and for how many bytes, it is still read.
    linger: Option<(Pin<Box<Sleep>>, usize)>,
    /// Frees the connection's place when it is dropped.
    _place: Place,
}

/// Looks now and then whether requests come and answers are taken.
struct Watch {
    traffic: Traffic,
    between: Duration,
    next: Pin<Box<Sleep>>,
    /// How many requests had begun at the last look.
    begun: u64,
    /// For how many looks nothing has been asked, and after how many that is too long.
    idle: u32,
    most_idle: u32,
}

impl Watch {
    fn new(traffic: Traffic, config: &Config) -> Self {
        let between = (config.idle.min(config.take_deadline) / LOOKS).max(Duration::from_millis(1));
        let most_idle = config.idle.as_nanos().div_ceil(between.as_nanos());
        let next = Box::pin(tokio::time::sleep(between));
        Self {
            traffic,
            between,
            next,
            begun: 0,
            idle: 0,
            most_idle: most_idle.try_into().unwrap_or(u32::MAX),
        }
    }

    /// Ready when the connection is to be closed.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Closed> {
        while self.next.as_mut().poll(cx).is_ready() {
            let next = self.next.deadline() + self.between;
            self.next.as_mut().reset(next);
            if let Some(why) = self.look() {
                return Poll::Ready(why);
            }
        }
        Poll::Pending
    }

    fn look(&mut self) -> Option<Closed> {
        let shared = &self.traffic.0;
        let begun = shared.begun.load(Ordering::Relaxed);
        let is_idle = begun == self.begun && begun == shared.ended.load(Ordering::Relaxed);
        (self.begun, self.idle) = (begun, if is_idle { self.idle + 1 } else { 0 });
        if self.idle >= self.most_idle {
            return Some(Closed::Idle);
        }
        let look = shared.look.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        // Given before the look so many ago: at least so many whole times between looks have passed.
        let slot = (look.wrapping_sub(LOOKS + 1) % SLOTS) as usize;
        (shared.untaken[slot].load(Ordering::Relaxed) > 0).then_some(Closed::Stalled)
    }
}

impl Connection {
    pub fn new(
        stream: TcpStream,
        tls: Option<Arc<ServerConfig>>,
        peer: IpAddr,
        config: &Config,
        place: Place,
    ) -> Self {
        let traffic = Traffic::new(peer, Arc::clone(&place.counts));
        let stream = Transport::new(stream, tls, Arc::clone(&traffic.0.names));
        let watch = Watch::new(traffic, config);
        let deadline = tokio::time::sleep(config.preface_deadline);
        Self {
            stream,
            silent_until: Some(Box::pin(deadline)),
            received: 0,
            of_end: 0,
            watch,
            linger: None,
            _place: place,
        }
    }

    /// Whether it is to be closed while it waits for the client.
    fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        let Poll::Ready(why) = self.watch.poll(cx) else { return false };
        self.watch.traffic.0.counts.closed(why);
        true
    }

    /// Takes note of the first bytes: a client that sends only a part of what it must say first is silent, too.
    fn hear(&mut self, bytes: &[u8]) {
        self.received += bytes.len();
        for byte in bytes {
            self.of_end = match self.of_end {
                4 => break,
                matched if *byte == HEAD_END[matched] => matched + 1,
                _ => usize::from(*byte == HEAD_END[0]),
            };
        }
        if self.received >= PREFACE && self.of_end == HEAD_END.len() {
            self.silent_until = None;
        }
    }

    /// Whether it has been silent for too long.
    fn is_silent(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(deadline) = self.silent_until.as_mut() else { return false };
        let is_silent = deadline.as_mut().poll(cx).is_ready();
        if is_silent {
            self.watch.traffic.0.counts.closed(Closed::Silent);
        }
        is_silent
    }

    /// A client that takes no bytes is not read from either, so it is looked at here too; and the handshake of TLS
    /// waits in whichever comes first, reading or writing.
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
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if self.silent_until.is_none() {
            if read.is_pending() && self.is_over(cx) {
                // The end of the stream: as if the client had closed it.
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

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.unless_over(cx, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.unless_over(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
            self.linger = Some((Box::pin(tokio::time::sleep(LINGER)), LINGER_BYTES));
        }
        let Self { stream, linger: Some((until, left)), .. } = &mut *self else { return Poll::Ready(Ok(())) };
        let mut unread = [0; 4096];
        while *left > 0 && until.as_mut().poll(cx).is_pending() {
            let mut buf = ReadBuf::new(&mut unread);
            match ready!(Pin::new(&mut *stream).poll_read(cx, &mut buf)) {
                Ok(()) if !buf.filled().is_empty() => *left = left.saturating_sub(buf.filled().len()),
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.unless_over(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

impl Connected for Connection {
    type ConnectInfo = Traffic;

    fn connect_info(&self) -> Traffic {
        self.watch.traffic.clone()
    }
}
