//! The limit of memory for unfinished requests.
//!
//! A maximum length per request and a maximum number of requests do not limit memory well, since their
//! product is large. So a message that announces a great length draws on a budget that all callers share,
//! from its head until it is complete. An ordinary message never does.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use canasta_messages::fault::RequestFault;
use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use super::leftover;
use super::response::AnswerAccount;
use crate::OrFault;
use crate::account::RequestPermits;
use crate::fairness::{Accountant, SharedPlace};
use crate::identity::CallerKey;
use crate::limits::REQUEST_BYTES_MAX;
use crate::telemetry::counts::PlaceKind;
use crate::telemetry::method::Method;

/// Length that no message draws on the budget for, in bytes: far more than an ordinary request has.
const FREE: usize = 4096;
/// Length of a message's head, in bytes: a flag of compression, and the message's length.
const HEAD: usize = 5;
/// Number of bytes that a decoded message takes for each byte beyond [`FREE`] that it had: a card of two bytes is a string.
const DECODED: usize = 8;

/// A body that draws on the memory of its caller while it arrives, and once it is there until it is answered.
pub struct BudgetedBody {
    body: Body,
    message: IncomingMessage,
    /// Number of bytes that the message draws on the budget.
    drawn: usize,
    /// The place that the message has in the budget; `None` if it draws nothing.
    drawing: Option<SharedPlace>,
    accountant: Accountant,
    caller: CallerKey,
    /// The permits that the request holds until it is answered; `None` if it opens a stream.
    permits: Option<Arc<RequestPermits>>,
    /// Whether the body is a log, which may arrive for long: its bytes show that the request's place is in use.
    is_log: bool,
}

#[derive(Default)]
struct IncomingMessage {
    head: [u8; HEAD],
    head_there: usize,
    /// Number of bytes that are still to come after the head; 0 until the head is complete.
    missing: usize,
}

impl IncomingMessage {
    /// Returns a message without a head, of which at most `length` bytes come.
    fn headless(length: usize) -> Self {
        let [a, b, c, d] = u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
        Self { head: [0, a, b, c, d], head_there: HEAD, missing: length }
    }

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
    /// Returns the body of a request. With a `length`, all of the body is one message without a head, of at most this length.
    pub fn around(
        body: Body,
        account: &AnswerAccount,
        permits: &Arc<RequestPermits>,
        method: Method,
        length: Option<usize>,
    ) -> Body {
        let permits = method.answers_once.then(|| Arc::clone(permits));
        let (accountant, caller) = (account.accountant.clone(), account.caller.clone());
        let mut counted = Self::new(body, accountant, caller, permits, method.takes_in_logs());
        counted.message = length.map(IncomingMessage::headless).unwrap_or_default();
        Body::new(counted)
    }

    fn new(
        body: Body,
        accountant: Accountant,
        caller: CallerKey,
        permits: Option<Arc<RequestPermits>>,
        is_log: bool,
    ) -> Self {
        let (message, drawn, drawing) = Default::default();
        Self { body, message, drawn, drawing, accountant, caller, permits, is_log }
    }

    /// Draws the announced length of an unfinished message, for which memory is reserved at once, and returns
    /// the length of a finished one, which then takes what it takes decoded. A message that will be refused for its length
    /// alone needs no memory.
    fn draw(&mut self, data: &[u8]) -> OrFault<()> {
        self.message.arrive(data);
        let length = Some(self.message.length()).filter(|&length| length <= REQUEST_BYTES_MAX);
        let wanted = length.unwrap_or_default().saturating_sub(FREE);
        if wanted != self.drawn {
            let before = std::mem::replace(&mut self.drawn, wanted);
            self.drawing = None;
            if wanted > 0 {
                let taken = self.accountant.take(PlaceKind::Bytes, &self.caller, wanted as u64)?;
                self.drawing = Some(taken);
            } else if let Some(permits) = self.permits.as_ref().filter(|_| !self.is_log) {
                let decoded = (before * DECODED) as u64;
                permits.hold(self.accountant.take(PlaceKind::Answers, &self.caller, decoded)?);
            }
        }
        self.drawing.iter().for_each(SharedPlace::touch);
        self.permits.iter().filter(|_| self.is_log).for_each(|permits| permits.place().touch());
        Ok(())
    }

    /// Takes what has arrived of a message for all of that message: nobody announces the length of JSON in chunks.
    fn end(&mut self) -> OrFault<()> {
        let arrived = self.message.length() - self.message.missing;
        self.message = IncomingMessage::default();
        self.drawing = None;
        self.drawn = arrived.saturating_sub(FREE);
        self.draw(&[])
    }
}

impl http_body::Body for BudgetedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if self.drawing.as_ref().is_some_and(|drawing| drawing.poll_revoked(cx).is_ready()) {
            return Poll::Ready(Some(Err(RequestFault::Overloaded.into())));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        match &frame {
            Some(frame) => {
                if let Some(data) = frame.as_ref().ok().and_then(Frame::data_ref) {
                    self.draw(data)?;
                }
            }
            None => self.end()?,
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
    fn a_long_message_draws_from_its_head_until_it_is_answered() {
        let accountant = Accountant::of_bytes(10_000);
        let held = |kind| accountant.of(kind).used() as usize;
        let place = accountant.take(PlaceKind::Requests, &CallerKey::Local, 1).expect("the first");
        let permits = Arc::new(RequestPermits::new(accountant.clone(), place));
        let counted = || {
            let (accountant, permits) = (accountant.clone(), Some(Arc::clone(&permits)));
            BudgetedBody::new(Body::empty(), accountant, CallerKey::Local, permits, false)
        };
        let left = || 10_000 - held(PlaceKind::Bytes);
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
        assert_eq!(held(PlaceKind::Answers), 8 * (12_000 - FREE), "and is decoded");
        permits.made();
        assert_eq!(held(PlaceKind::Answers), 0, "it is answered");
        assert_eq!(body.draw(&[0, 0xff, 0xff, 0xff, 0xff]), Ok(()), "refused for its length by another");
        assert_eq!(body.draw(&long[..5_000]), Ok(()));
        assert_eq!(left(), 10_000);
        let mut body = counted();
        assert_eq!(body.draw(&long[..100]), Ok(()));
        drop(body);
        assert_eq!(left(), 10_000, "given up half-way");
    }
}
