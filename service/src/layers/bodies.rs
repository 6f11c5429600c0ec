//! How much of unfinished requests may lie in memory.
//!
//! A limit a request and one of requests do not bound memory well: their product is large. So beyond its first bytes,
//! which are free, a body draws on what all bodies share. An ordinary request never does.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use crate::status::Fault;

/// What every body may bring: far more than an ordinary request.
const FREE: usize = 4096;

/// What all bodies share.
pub struct Bodies(Arc<AtomicUsize>);

impl Bodies {
    pub fn new(most: u32) -> Self {
        Self(Arc::new(AtomicUsize::new(most as usize)))
    }

    /// The body, counted while it arrives.
    pub fn counted(&self, body: Body) -> Body {
        Body::new(Counted { body, received: 0, drawn: 0, shared: Arc::clone(&self.0) })
    }
}

struct Counted {
    body: Body,
    received: usize,
    drawn: usize,
    shared: Arc<AtomicUsize>,
}

impl Counted {
    fn draw(&mut self, length: usize) -> Result<(), Fault> {
        self.received += length;
        let more = self.received.saturating_sub(FREE + self.drawn);
        let taken =
            self.shared.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(more));
        taken.map_err(|_| Fault::Overloaded)?;
        self.drawn += more;
        Ok(())
    }
}

impl http_body::Body for Counted {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(data) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()) {
            self.draw(data.remaining())?;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.shared.fetch_add(self.drawn, Ordering::Relaxed);
    }
}
