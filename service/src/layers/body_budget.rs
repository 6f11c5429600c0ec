//! The limit of memory for unfinished requests.
//!
//! A maximum length per request and a maximum number of requests do not limit memory well, since their
//! product is large. So a message that announces a great length draws on a budget that all requests share,
//! from its head until it is complete. An ordinary message never does.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use super::leftover;
use crate::limits::REQUEST_BYTES_MAX;
use crate::status::RequestFault;

/// Length that no message draws on the budget for, in bytes: far more than an ordinary request has.
const FREE: usize = 4096;
/// Length of a message's head, in bytes: a flag of compression, and the message's length.
const HEAD: usize = 5;

/// The bytes left in the budget that all bodies share.
pub struct BodyBudget(Arc<AtomicUsize>);

impl BodyBudget {
    pub fn new(most: u32) -> Self {
        Self(Arc::new(AtomicUsize::new(most as usize)))
    }

    /// Returns the body, which draws on the budget while it arrives.
    pub fn counted(&self, body: Body) -> Body {
        Body::new(BudgetedBody {
            body,
            message: IncomingMessage::default(),
            drawn: 0,
            shared: Arc::clone(&self.0),
        })
    }
}

struct BudgetedBody {
    body: Body,
    message: IncomingMessage,
    drawn: usize,
    shared: Arc<AtomicUsize>,
}

/// The message that is arriving.
#[derive(Default)]
struct IncomingMessage {
    head: [u8; HEAD],
    head_there: usize,
    /// Number of bytes that are still to come after the head; 0 until the head is complete.
    missing: usize,
}

impl IncomingMessage {
    fn arrive(&mut self, mut data: &[u8]) {
        while let Some(&first) = data.first() {
            if self.head_there < HEAD {
                self.head[self.head_there] = first;
                self.head_there += 1;
                data = &data[1..];
                self.missing = self.length();
            } else {
                let taken = data.len().min(self.missing);
                self.missing -= taken;
                data = &data[taken..];
            }
            if self.head_there == HEAD && self.missing == 0 {
                *self = Self::default();
            }
        }
    }

    /// Returns the length that the head announces; 0 until the head is complete.
    fn length(&self) -> usize {
        let [_, length @ ..] = self.head;
        if self.head_there == HEAD { u32::from_be_bytes(length) as usize } else { 0 }
    }
}

impl BudgetedBody {
    /// Draws the announced length of an unfinished message, for which memory is reserved at once, and returns
    /// the length of a finished one. A message that will be refused for its length alone needs no memory.
    fn draw(&mut self, data: &[u8]) -> Result<(), RequestFault> {
        self.message.arrive(data);
        let length = Some(self.message.length()).filter(|&length| length <= REQUEST_BYTES_MAX);
        let wanted = length.unwrap_or_default().saturating_sub(FREE);
        if let Some(more) = wanted.checked_sub(self.drawn) {
            let take = |left: usize| left.checked_sub(more);
            let taken = self.shared.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
            taken.map_err(|_| RequestFault::Overloaded)?;
        } else {
            self.shared.fetch_add(self.drawn - wanted, Ordering::Relaxed);
        }
        self.drawn = wanted;
        Ok(())
    }
}

impl http_body::Body for BudgetedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(data) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()) {
            self.draw(data)?;
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

impl Drop for BudgetedBody {
    fn drop(&mut self) {
        self.shared.fetch_add(self.drawn, Ordering::Relaxed);
        leftover::discard(std::mem::take(&mut self.body));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(length: u32) -> Vec<u8> {
        [&[0][..], &length.to_be_bytes(), &vec![7; length as usize]].concat()
    }

    #[test]
    fn messages_are_told_apart_wherever_they_are_cut() {
        let (two, none) = (message(10), message(0));
        let bytes = [&two[..], &none, &two, &two[..9]].concat();
        for piece in 1..bytes.len() {
            let mut message = IncomingMessage::default();
            bytes.chunks(piece).for_each(|data| message.arrive(data));
            assert_eq!((message.length(), message.missing), (10, 6), "pieces of {piece}");
        }
    }

    #[test]
    fn a_long_message_draws_from_its_head_until_it_is_there() {
        let bodies = BodyBudget::new(10_000);
        let left = || bodies.0.load(Ordering::Relaxed);
        let counted = || BudgetedBody {
            body: Body::empty(),
            message: IncomingMessage::default(),
            drawn: 0,
            shared: Arc::clone(&bodies.0),
        };
        let (mut body, long) = (counted(), message(12_000));
        assert_eq!(body.draw(&message(FREE as u32)[..100]), Ok(()));
        assert_eq!(left(), 10_000, "an ordinary one draws nothing");
        drop(body);
        let mut body = counted();
        assert_eq!(body.draw(&long[..4]), Ok(()));
        assert_eq!(left(), 10_000, "nobody knows yet how long it is");
        assert_eq!(body.draw(&long[4..5]), Ok(()));
        assert_eq!(left(), 10_000 - (12_000 - FREE));
        assert_eq!(counted().draw(&long[..5]), Err(RequestFault::Overloaded), "there is no room for two");
        assert_eq!(body.draw(&long[5..]), Ok(()));
        assert_eq!(left(), 10_000, "it is there as a whole");
        assert_eq!(body.draw(&[0, 0xff, 0xff, 0xff, 0xff]), Ok(()), "refused for its length by another");
        assert_eq!(body.draw(&long[..5_000]), Ok(()));
        assert_eq!(left(), 10_000);
        let mut body = counted();
        assert_eq!(body.draw(&long[..100]), Ok(()));
        drop(body);
        assert_eq!(left(), 10_000, "given up half-way");
    }
}
