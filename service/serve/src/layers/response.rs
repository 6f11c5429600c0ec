//! The body of an answer, with the guards that live until the client has read it.
//!
//! An answer of one message is made as a whole before its head is sent, so that what it holds is known and charged for: bytes
//! and not the message that they are made from. Of a stream, a message is made when those before it are sent. A stream that is
//! asked for in JSON is an answer of one message, its first.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker, ready};

use bytes::Bytes;
use canasta_messages::fault::RequestFault;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt as _;
use tonic::Status;
use tonic::body::Body;

use super::json::JsonCall;
use crate::account::RequestPermits;
use crate::connection::{ActiveRequest, Traffic};
use crate::fairness::{Accountant, SharedPlace};
use crate::identity::CallerKey;
use crate::outside::lock;
use crate::telemetry::counts::PlaceKind;
use crate::telemetry::recorder::RequestRecorder;

/// Length up to which data is not charged for, in bytes: the place of its request or stream covers it.
const FREE: usize = 4096;
/// Number of bytes that a stream may have sent to the transport when its next message is made.
const AHEAD: usize = 4096;

/// The caller that bytes of answers are charged to.
pub struct AnswerAccount {
    pub accountant: Accountant,
    pub caller: CallerKey,
    /// The connection; `None` in this process.
    pub traffic: Option<Traffic>,
    /// Whether the connection speaks HTTP/1.1, which copies data before it is written.
    pub copies: bool,
}

/// Closes the connection whose client holds memory that others need.
struct Evictor(Traffic);

impl Wake for Evictor {
    fn wake(self: Arc<Self>) {
        self.0.evict();
    }
}

impl AnswerAccount {
    /// Returns the connection that keeps guards until data is written; `None` if the transport keeps the data itself.
    fn keeper(&self) -> Option<Traffic> {
        self.traffic.clone().filter(|_| self.copies)
    }

    /// Charges for data that the client has not taken yet; `None` if it is short.
    fn charge(&self, length: usize) -> Option<SharedPlace> {
        if length <= FREE {
            return None;
        }
        let place = self.accountant.of(PlaceKind::Answers).charge(&self.caller, length as u64);
        if let Some(traffic) = &self.traffic {
            let evictor = Waker::from(Arc::new(Evictor(traffic.clone())));
            if place.poll_revoked(&mut Context::from_waker(&evictor)).is_ready() {
                traffic.evict();
            }
        }
        Some(place)
    }
}

struct AnswerGuards {
    /// An answer keeps its place until it is read, so that unread answers count too.
    permits: Option<Arc<RequestPermits>>,
    _active: Option<ActiveRequest>,
    _memory: Option<SharedPlace>,
    keeper: Option<Traffic>,
}

/// An answer of one message, which is made.
pub struct OneAnswer {
    data: Option<Bytes>,
    end: Option<Result<Frame<Bytes>, Status>>,
    recorder: Option<RequestRecorder>,
    kept: Option<AnswerGuards>,
    /// Whether the data is JSON, whose length the head of the answer has, and after which no trailers are sent.
    is_json: bool,
}

/// Data of an answer in a buffer of the transport, with the guard of what it holds. hyper drops the body itself as soon
/// as the client reads the first byte.
struct GuardedBytes<G: Send + 'static> {
    data: Bytes,
    guard: Option<G>,
    /// Keeps the guard until the data is written; `None` if the transport keeps the data itself.
    keeper: Option<Traffic>,
}

impl<G: Send + 'static> GuardedBytes<G> {
    fn around(data: Bytes, guard: G, keeper: Option<Traffic>) -> Bytes {
        Bytes::from_owner(Self { data, guard: Some(guard), keeper })
    }
}

impl<G: Send + 'static> Drop for GuardedBytes<G> {
    fn drop(&mut self) {
        if let Some((keeper, guard)) = self.keeper.take().zip(self.guard.take()) {
            keeper.keep_until_written(Box::new(guard));
        }
    }
}

impl<G: Send + 'static> AsRef<[u8]> for GuardedBytes<G> {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

impl OneAnswer {
    pub async fn make(
        mut body: Body,
        recorder: Option<RequestRecorder>,
        (permits, mut active): (Option<Arc<RequestPermits>>, Option<ActiveRequest>),
        account: Option<&AnswerAccount>,
        json: Option<JsonCall>,
    ) -> Body {
        let (mut data, mut end): (Option<Bytes>, _) = (None, None);
        let is_stream = json.as_ref().is_some_and(JsonCall::is_answered_with_a_stream);
        while let Some(frame) = body.frame().await {
            match frame.map(Frame::into_data) {
                Ok(Ok(more)) => data = Some(data.map_or(more.clone(), |all| [all, more].concat().into())),
                Ok(Err(other)) => end = Some(Ok(other)),
                Err(status) => end = Some(Err(status)),
            }
            // tonic hands out whole messages. The stream ends when its body is dropped.
            if is_stream && data.is_some() {
                end = Some(Ok(status_frame(&Status::ok(""))));
            }
            if end.is_some() {
                break;
            }
        }
        let is_json = json.is_some();
        if let Some(answer) = json.zip(data.as_ref()).map(|(call, data)| call.answer(data)) {
            end = answer.as_ref().err().map(|fault| Ok(trailers(fault.clone()))).or(end);
            data = answer.ok();
        }
        // Short data stands in a buffer of 8 kB.
        let data = data.map(|data| if data.len() <= FREE { Bytes::copy_from_slice(&data) } else { data });
        permits.iter().for_each(|permits| permits.made());
        let kept = data.as_ref().map(|data| {
            active.iter_mut().for_each(ActiveRequest::answered);
            let _memory = account.and_then(|account| account.charge(data.len()));
            let keeper = account.and_then(AnswerAccount::keeper);
            AnswerGuards { permits, _active: active, _memory, keeper }
        });
        Body::new(Self { data, end, recorder, kept, is_json })
    }

    fn note_end(&mut self) {
        self.end.iter().for_each(|end| note(&mut self.recorder, end));
    }
}

impl http_body::Body for OneAnswer {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        // hyper asks for the data once there is room in the client's window: by then others may have needed the place.
        let is_revoked = |kept: &mut AnswerGuards| {
            kept.permits.as_ref().is_some_and(|permits| permits.place().is_revoked())
        };
        if self.kept.take_if(is_revoked).is_some() {
            (self.data, self.end) = (None, Some(Ok(trailers(RequestFault::Overloaded))));
            if self.is_json {
                // Its head is sent, and no trailers follow JSON.
                self.note_end();
                self.end = Some(Err(RequestFault::Overloaded.into()));
            }
        }
        if let (Some(data), Some(mut kept)) = (self.data.take(), self.kept.take()) {
            let keeper = kept.keeper.take();
            if self.is_json {
                self.note_end();
                self.end = None;
            }
            return Poll::Ready(Some(Ok(Frame::data(GuardedBytes::around(data, kept, keeper)))));
        }
        self.note_end();
        Poll::Ready(self.end.take())
    }

    fn is_end_stream(&self) -> bool {
        self.data.is_none() && self.end.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let length = self.data.as_ref().map_or(0, Bytes::len);
        if self.is_json { SizeHint::with_exact(length as u64) } else { SizeHint::default() }
    }
}

/// The body of an answer of many messages.
pub struct StreamAnswer {
    body: Body,
    recorder: Option<RequestRecorder>,
    _active: Option<ActiveRequest>,
    account: Option<AnswerAccount>,
    sent: Sent,
}

/// The bytes of a stream that the transport has and has not written yet, and the task that waits for them.
#[derive(Clone, Default)]
struct Sent(Arc<Mutex<(usize, Option<Waker>)>>);

/// The guard of data that is sent and not written yet.
struct SentGuard {
    length: usize,
    sent: Sent,
    _memory: Option<SharedPlace>,
}

impl Drop for SentGuard {
    fn drop(&mut self) {
        let mut sent = lock(&self.sent.0);
        sent.0 -= self.length;
        let waker = sent.1.take();
        drop(sent);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl StreamAnswer {
    pub fn around(
        body: Body,
        recorder: Option<RequestRecorder>,
        mut active: Option<ActiveRequest>,
        account: Option<AnswerAccount>,
    ) -> Body {
        active.iter_mut().for_each(ActiveRequest::answered);
        Body::new(Self { body, recorder, _active: active, account, sent: Sent::default() })
    }

    fn held(&self, data: Bytes) -> Bytes {
        let _memory = self.account.as_ref().and_then(|account| account.charge(data.len()));
        let (length, keeper) = (data.len(), self.account.as_ref().and_then(AnswerAccount::keeper));
        lock(&self.sent.0).0 += length;
        let guard = SentGuard { length, sent: self.sent.clone(), _memory };
        GuardedBytes::around(data, guard, keeper)
    }
}

impl http_body::Body for StreamAnswer {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let mut sent = lock(&self.sent.0);
        if sent.0 >= AHEAD {
            sent.1 = Some(cx.waker().clone());
            return Poll::Pending;
        }
        drop(sent);
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        frame.iter().for_each(|frame| note(&mut self.recorder, frame));
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(|data| self.held(data)))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Records the trailers that end an answer.
fn note(recorder: &mut Option<RequestRecorder>, frame: &Result<Frame<Bytes>, Status>) {
    if let Some(trailers) = frame.as_ref().ok().and_then(Frame::trailers_ref)
        && let Some(recorder) = recorder
    {
        recorder.trailed(trailers);
    }
}

/// Returns the trailers that end an answer with this fault after its head is sent.
pub fn trailers(fault: RequestFault) -> Frame<Bytes> {
    status_frame(&fault.into())
}

fn status_frame(status: &Status) -> Frame<Bytes> {
    let mut trailers = http::HeaderMap::new();
    // Fails only if the status had bytes that no header may have; then the client sees an answer without a status.
    let _ = status.add_header(&mut trailers);
    Frame::trailers(trailers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body::Body as _;
    use http_body_util::StreamBody;

    fn account(accountant: &Accountant, address: u8) -> AnswerAccount {
        let caller = CallerKey::Peer([127, 0, 0, address].into());
        AnswerAccount { accountant: accountant.clone(), caller, traffic: None, copies: false }
    }

    fn body(lengths: &[usize]) -> Body {
        let frames: Vec<_> = lengths
            .iter()
            .map(|&length| Ok::<_, Status>(Frame::data(Bytes::from(vec![7; length]))))
            .collect();
        Body::new(StreamBody::new(tokio_stream::iter(frames)))
    }

    /// Holds answers of 1 MiB of one caller, which takes none of them, and then asks for one of another caller.
    #[tokio::test]
    async fn untaken_answers_are_charged_and_the_largest_caller_makes_room() {
        let accountant = Accountant::of_bytes(1);
        let used = || accountant.of(PlaceKind::Answers).used();
        let make = async |address, length| {
            OneAnswer::make(body(&[length]), None, (None, None), Some(&account(&accountant, address)), None)
                .await
        };
        let mut held = Vec::new();
        for count in 1..=16 {
            held.push(make(1, 1 << 20).await);
            assert_eq!(used(), count << 20);
        }
        let _short = make(1, FREE).await;
        assert_eq!(used(), 16 << 20, "its place covers it");
        let mut other = make(2, 8 << 10).await;
        assert_eq!(used(), (15 << 20) + (8 << 10), "one of the others makes room");
        let data = other.frame().await.expect("data").expect("no fault").into_data().expect("data");
        drop(other);
        assert_eq!(used(), (15 << 20) + (8 << 10), "the transport has it, and has not written it");
        drop(data);
        assert_eq!(used(), 15 << 20);
        drop(held);
        assert_eq!(used(), 0);
    }

    #[tokio::test]
    async fn a_stream_makes_its_next_message_when_the_transport_has_written_the_one_before() {
        let accountant = Accountant::of_bytes(1);
        let used = || accountant.of(PlaceKind::Answers).used() as usize;
        let account = Some(account(&accountant, 1));
        let mut stream = StreamAnswer::around(body(&[100, AHEAD, 5_000, 1]), None, None, account);
        let mut next = || {
            let frame = Pin::new(&mut stream).poll_frame(&mut Context::from_waker(Waker::noop()));
            frame.map(|frame| frame.expect("a frame").expect("no fault").into_data().expect("data"))
        };
        let (Poll::Ready(first), Poll::Ready(second)) = (next(), next()) else {
            panic!("short ones go together")
        };
        assert!(next().is_pending() && used() == 0);
        drop(second);
        let Poll::Ready(long) = next() else { panic!("there is room again") };
        assert!(next().is_pending() && used() == long.len());
        drop((first, long));
        assert!(next().is_ready() && used() == 0);
    }
}
