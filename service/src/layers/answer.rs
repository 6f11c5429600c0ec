//! The body of an answer, with all that lasts until the caller has taken it.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use super::Place;
use crate::connection::UnderWay;
use crate::telemetry::watch::Watch;

/// What is given back when the answer has been taken, or never will be.
pub struct Kept {
    /// An answer of one message keeps its place: one that nobody takes is not for nothing.
    _place: Option<Place>,
    _under_way: Option<UnderWay>,
}

impl Kept {
    pub fn new(place: Option<Place>, mut under_way: Option<UnderWay>) -> Self {
        if let Some(under_way) = &mut under_way {
            under_way.answered();
        }
        Self { _place: place, _under_way: under_way }
    }
}

/// See the module.
pub struct Answer {
    body: Body,
    watch: Option<Watch>,
    kept: Option<Kept>,
    /// There is one piece of data, and the trailers say nothing that is worth to wait for.
    is_one: bool,
}

/// The data of an answer while it lies in a buffer of the transport's. The body itself is over as soon as the client
/// takes one byte of it.
struct Held {
    data: Bytes,
    _kept: Kept,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

impl Answer {
    pub fn around(body: Body, watch: Option<Watch>, kept: Option<Kept>, is_one: bool) -> Body {
        Body::new(Self { body, watch, kept, is_one })
    }

    /// The data with what is kept until it is taken.
    fn held(&mut self, data: Bytes) -> Bytes {
        match self.kept.take_if(|_| self.is_one) {
            Some(kept) => Bytes::from_owner(Held { data, _kept: kept }),
            None => data,
        }
    }
}

impl http_body::Body for Answer {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(trailers) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.trailers_ref())
            && let Some(watch) = &mut self.watch
        {
            watch.trailed(trailers);
        }
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(|data| self.held(data)))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
