//! The streams that a listener accepts until the server stops, those included that wait to be accepted then.
//!
//! A client whose connection waits in the system's queue is connected as far as it can see, and may have sent a request. When
//! the listener is closed, the system resets such connections. A proxy cannot send that request to another server, since it
//! may have been taken here.

use std::future::Future;
use std::io;
use std::net;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::{Sleep, sleep};
use tokio_stream::Stream;
use tonic::transport::server::TcpIncoming;

/// The time between TCP keepalive probes.
const KEEPALIVE: Duration = Duration::from_secs(60);

/// The time that the last connections have to send the first bytes of a request. Until hyper has seen the version of HTTP, it
/// closes a connection at once when the server stops (hyper-util, `server::conn::auto`).
const FIRST_BYTES: Duration = Duration::from_millis(200);

/// Maximum number of streams that are accepted before other tasks run: among these are the connections that give their places
/// to the new ones, and hold a file each until they have ended.
const IN_A_ROW: u8 = 16;

/// The accepted streams; see the module. It ends after the stop.
pub struct AcceptedStreams {
    /// The listener, as tonic's stream and as the socket itself; `None` once it is closed.
    listening: Option<(TcpIncoming, net::TcpListener)>,
    /// The stop, and then the rest of the time of the last connections.
    stopped: Result<Pin<Box<Sleep>>, oneshot::Receiver<()>>,
    /// Number of streams that were accepted since other tasks ran.
    in_a_row: u8,
}

impl AcceptedStreams {
    /// Returns the streams of a listener until `stopped`.
    ///
    /// # Errors
    /// If the system has no second handle for the socket.
    pub fn new(listener: TcpListener, stopped: oneshot::Receiver<()>) -> io::Result<Self> {
        let listener = listener.into_std()?;
        let incoming = TcpIncoming::from(TcpListener::from_std(listener.try_clone()?)?)
            .with_nodelay(Some(true))
            .with_keepalive(Some(KEEPALIVE));
        Ok(Self { listening: Some((incoming, listener)), stopped: Err(stopped), in_a_row: 0 })
    }
}

impl Stream for AcceptedStreams {
    type Item = io::Result<TcpStream>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { listening, stopped, in_a_row } = &mut *self;
        if let Some((incoming, listener)) = listening {
            if let Err(stop) = stopped {
                if Pin::new(stop).poll(cx).is_pending() {
                    let is_yielding = *in_a_row == IN_A_ROW;
                    let next = if is_yielding { Poll::Pending } else { Pin::new(incoming).poll_next(cx) };
                    *in_a_row = if next.is_ready() { *in_a_row + 1 } else { 0 };
                    if is_yielding {
                        cx.waker().wake_by_ref();
                    }
                    return next;
                }
                *stopped = Ok(Box::pin(sleep(FIRST_BYTES)));
            }
            // Not through tokio, which may not have heard yet that a connection waits.
            if let Ok((stream, _)) = listener.accept() {
                return Poll::Ready(Some(last(stream)));
            }
            *listening = None;
        }
        match stopped {
            Ok(rest) => rest.as_mut().poll(cx).map(|()| None),
            Err(_) => Poll::Ready(None),
        }
    }
}

/// Returns a stream that was accepted at the end.
fn last(stream: net::TcpStream) -> io::Result<TcpStream> {
    stream.set_nonblocking(true)?;
    stream.set_nodelay(true)?;
    TcpStream::from_std(stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_stream::StreamExt;

    #[tokio::test]
    async fn what_waits_at_the_stop_is_accepted_and_nothing_later() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("it is bound");
        let (stop, stopped) = oneshot::channel();
        let mut streams = AcceptedStreams::new(listener, stopped).expect("two handles");
        let first = TcpStream::connect(address).await.expect("it listens");
        let accepted = streams.next().await.expect("a stream").expect("accepted");
        assert_eq!(accepted.peer_addr().ok(), first.local_addr().ok());
        // In the system's queue: nobody polls.
        let waiting = [TcpStream::connect(address).await, TcpStream::connect(address).await];
        stop.send(()).expect("it is heard");
        for stream in waiting {
            let accepted = streams.next().await.expect("a stream").expect("accepted");
            assert_eq!(accepted.peer_addr().ok(), stream.expect("it listens").local_addr().ok());
        }
        assert!(streams.next().await.is_none());
        TcpStream::connect(address).await.expect_err("it no longer listens");
    }
}
