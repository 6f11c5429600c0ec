//! The body of an answer, with the guards that live until the client has read it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use crate::connection::ActiveRequest;
use crate::fairness::SharedPlace;
use crate::identity::CallerKey;
use crate::status::RequestFault;
use crate::telemetry::recorder::RequestRecorder;

/// The guards of an answer.
pub struct ResponseGuards {
    /// An answer of one message keeps its place until it is read, so that unread answers count too.
    place: Option<Arc<SharedPlace<CallerKey>>>,
    _active: Option<ActiveRequest>,
}

impl ResponseGuards {
    pub fn new(place: Option<Arc<SharedPlace<CallerKey>>>, mut active: Option<ActiveRequest>) -> Self {
        if let Some(active) = &mut active {
            active.answered();
        }
        Self { place, _active: active }
    }

    fn is_revoked(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.is_revoked())
    }
}

/// The body of an answer with its recorder and its guards.
pub struct ResponseBody {
    body: Body,
    recorder: Option<RequestRecorder>,
    kept: Option<ResponseGuards>,
    /// Whether the answer is one piece of data, whose trailers need not be waited for.
    is_one: bool,
}

/// The data of an answer in a buffer of the transport. hyper drops the body itself as soon as the client
/// reads the first byte.
struct GuardedBytes {
    data: Bytes,
    _kept: ResponseGuards,
}

impl AsRef<[u8]> for GuardedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

impl ResponseBody {
    pub fn around(
        body: Body,
        recorder: Option<RequestRecorder>,
        kept: Option<ResponseGuards>,
        is_one: bool,
    ) -> Body {
        Body::new(Self { body, recorder, kept, is_one })
    }

    /// Returns the data. The data of an answer of one message takes the guards along.
    fn held(&mut self, data: Bytes) -> Bytes {
        match self.kept.take_if(|_| self.is_one) {
            Some(kept) => Bytes::from_owner(GuardedBytes { data, _kept: kept }),
            None => data,
        }
    }
}

/// Returns the trailers that end an answer with this fault after its head is sent.
pub fn trailers(fault: RequestFault) -> Frame<Bytes> {
    let mut trailers = http::HeaderMap::new();
    // Fails only if the status had bytes that no header may have; then the client sees an answer without a status.
    let _ = Status::from(fault).add_header(&mut trailers);
    Frame::trailers(trailers)
}

impl http_body::Body for ResponseBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        // hyper asks for the data once there is room in the client's window: by then others may have needed the place.
        let frame = if self.is_one && self.kept.take_if(|kept| kept.is_revoked()).is_some() {
            self.body = Body::empty();
            Some(Ok(trailers(RequestFault::Overloaded)))
        } else {
            ready!(Pin::new(&mut self.body).poll_frame(cx))
        };
        if let Some(trailers) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.trailers_ref())
            && let Some(recorder) = &mut self.recorder
        {
            recorder.trailed(trailers);
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
