//! A TCP connection that must begin to speak in time, and is closed when it has nothing more to ask.
//!
//! hyper's keepalive starts only after the client's preface, and its graceful shutdown waits for one that
//! never comes (hyper#4170): a silent client would hold a connection for ever and stall the drain. A client that
//! answers pings and asks nothing would hold its place for ever too.

use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;
use tonic::transport::server::Connected;

use crate::config::Config;
use crate::identity::Names;
use crate::tls::Transport;

/// Bytes of the HTTP/2 client connection preface.
const PREFACE: usize = 24;

/// In how many looks a connection must be found idle before it is closed.
const IDLE_LOOKS: u32 = 4;

/// The places that connections take: so many in all, and so many a peer.
#[derive(Clone)]
pub struct Places {
    all: Arc<Semaphore>,
    peers: Arc<Mutex<BTreeMap<IpAddr, u16>>>,
    a_peer: u16,
}

impl Places {
    pub fn new(config: &Config) -> Self {
        let all = Arc::new(Semaphore::new(usize::from(config.max_connections)));
        Self { all, peers: Arc::default(), a_peer: config.max_peer_connections }
    }

    /// A place for a connection of `peer`; `None` if there is none left.
    pub fn take(&self, peer: IpAddr) -> Option<Place> {
        let all = Arc::clone(&self.all).try_acquire_owned().ok()?;
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        let count = peers.entry(peer).or_default();
        if *count >= self.a_peer {
            return None;
        }
        *count += 1;
        Some(Place { _all: all, peers: Arc::clone(&self.peers), peer })
    }
}

/// A place that is given back when it is dropped.
pub struct Place {
    _all: OwnedSemaphorePermit,
    peers: Arc<Mutex<BTreeMap<IpAddr, u16>>>,
    peer: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        match peers.get_mut(&self.peer) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = peers.remove(&self.peer),
        }
    }
}

/// How many requests a connection has begun and ended, and who is at its other end: tonic hands it on with each of
/// them.
#[derive(Clone, Default)]
pub struct Traffic {
    /// The names in the client's certificate, if it has shown one.
    pub names: Arc<OnceLock<Names>>,
    begun: Arc<AtomicU64>,
    ended: Arc<AtomicU64>,
}

/// A request under way.
pub struct UnderWay(Traffic);

impl Traffic {
    pub fn begin(&self) -> UnderWay {
        self.begun.fetch_add(1, Ordering::Relaxed);
        UnderWay(self.clone())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// See the module.
pub struct Connection {
    stream: Transport,
    /// Also bounds the handshake of TLS, which comes before the preface. `None` once the preface is complete.
    silent_until: Option<Pin<Box<Sleep>>>,
    received: usize,
    idle: Idle,
    /// Frees the connection's place when it is dropped.
    _place: Place,
}

/// Looks now and then whether requests come.
struct Idle {
    traffic: Traffic,
    between: Duration,
    next: Pin<Box<Sleep>>,
    /// How many requests had begun at the last look.
    begun: u64,
    looks: u32,
}

impl Idle {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.next.as_mut().poll(cx).is_ready() {
            let begun = self.traffic.begun.load(Ordering::Relaxed);
            let is_idle = begun == self.begun && begun == self.traffic.ended.load(Ordering::Relaxed);
            (self.begun, self.looks) = (begun, if is_idle { self.looks + 1 } else { 0 });
            if self.looks == IDLE_LOOKS {
                return Poll::Ready(());
            }
            let next = self.next.deadline() + self.between;
            self.next.as_mut().reset(next);
        }
        Poll::Pending
    }
}

impl Connection {
    pub fn new(stream: TcpStream, tls: Option<Arc<ServerConfig>>, config: &Config, place: Place) -> Self {
        let between = (config.idle / IDLE_LOOKS).max(Duration::from_millis(1));
        let next = Box::pin(tokio::time::sleep(between));
        let idle = Idle { traffic: Traffic::default(), between, next, begun: 0, looks: 0 };
        let deadline = tokio::time::sleep(config.preface_deadline);
        let stream = Transport::new(stream, tls, Arc::clone(&idle.traffic.names));
        Self { stream, silent_until: Some(Box::pin(deadline)), received: 0, idle, _place: place }
    }
}

impl Connection {
    /// Fails a write too: the handshake of TLS waits in whichever comes first.
    fn poll_silence(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        match self.silent_until.as_mut().map(|deadline| deadline.as_mut().poll(cx)) {
            Some(Poll::Ready(())) => Err(io::ErrorKind::TimedOut.into()),
            _ => Ok(()),
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
            if read.is_pending() && self.idle.poll(cx).is_ready() {
                // The end of the stream: as if the client had closed it.
                return Poll::Ready(Ok(()));
            }
            return read;
        }
        self.poll_silence(cx)?;
        self.received += buf.filled().len() - before;
        if self.received >= PREFACE {
            self.silent_until = None;
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_silence(cx)?;
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_silence(cx)?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_silence(cx)?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

impl Connected for Connection {
    type ConnectInfo = Traffic;

    fn connect_info(&self) -> Traffic {
        self.idle.traffic.clone()
    }
}
