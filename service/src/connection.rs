//! A TCP connection that must begin to speak in time.
//!
//! hyper's keepalive starts only after the client's preface, and its graceful shutdown waits for one that
//! never comes (hyper#4170): a silent client would hold a connection for ever and stall the drain.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Sleep;
use tonic::transport::server::{Connected, TcpConnectInfo};

/// Bytes of the HTTP/2 client connection preface.
const PREFACE: usize = 24;

/// A connection with a deadline for its first [`PREFACE`] bytes.
pub struct Connection {
    stream: TcpStream,
    /// `None` once the preface is complete.
    silent_until: Option<Pin<Box<Sleep>>>,
    received: usize,
    /// Frees the connection's place when it is dropped.
    _place: OwnedSemaphorePermit,
}

impl Connection {
    pub fn new(stream: TcpStream, preface_deadline: Duration, place: OwnedSemaphorePermit) -> Self {
        let deadline = tokio::time::sleep(preface_deadline);
        Self { stream, silent_until: Some(Box::pin(deadline)), received: 0, _place: place }
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
        let Some(deadline) = self.silent_until.as_mut() else { return read };
        if deadline.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        self.received += buf.filled().len() - before;
        if self.received >= PREFACE {
            self.silent_until = None;
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
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
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}
