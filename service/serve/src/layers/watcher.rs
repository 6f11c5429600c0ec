//! The answers of services that anybody may watch without credentials: health and reflection. Their streams end as
//! Play streams do, and do not keep an idle connection open.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use canasta_messages::fault::RequestFault;
use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use super::response::trailers;
use crate::streams::StreamPlace;

/// The body of a watched stream.
pub struct WatchedBody {
    /// The body; `None` once the stream has ended.
    body: Option<Body>,
    end: Pin<Box<dyn Future<Output = RequestFault> + Send>>,
}

impl WatchedBody {
    /// Returns the body, which ends when its place does.
    pub fn around(body: Body, place: StreamPlace) -> Body {
        Body::new(Self { body: Some(body), end: Box::pin(async move { place.end().await }) })
    }
}

impl http_body::Body for WatchedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let Some(body) = &mut this.body else { return Poll::Ready(None) };
        // First, so that a watcher of health hears of the drain before its stream ends.
        if let Poll::Ready(frame) = Pin::new(body).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        let why = ready!(this.end.as_mut().poll(cx));
        this.body = None;
        Poll::Ready(Some(Ok(trailers(why))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(http_body::Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}
