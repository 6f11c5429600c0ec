//! Streams that are made step by step: each message is made when the transport asks for it, so nothing is queued.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio_stream::Stream;
use tonic::Status;

/// A stream of messages; see the module.
pub struct MessageSteps<S, T> {
    /// The way to the next message; `None` once the stream has ended.
    next: Option<Next<S, T>>,
    step: fn(S) -> StepFuture<S, T>,
}

enum Next<S, T> {
    From(S),
    Making(StepFuture<S, T>),
}

/// The making of a message.
pub type StepFuture<S, T> = Pin<Box<dyn Future<Output = MessageStep<S, T>> + Send>>;

/// A step of a stream.
pub enum MessageStep<S, T> {
    /// A message, and what the next one is made from; `None` after the last.
    Message(T, Option<S>),
    /// The end, with a status that is not OK.
    Failed(Status),
}

impl<S, T> MessageSteps<S, T> {
    /// Returns the stream that begins at `first`.
    pub fn new(first: S, step: fn(S) -> StepFuture<S, T>) -> Self {
        Self { next: Some(Next::From(first)), step }
    }
}

impl<S: Unpin, T> Stream for MessageSteps<S, T> {
    type Item = Result<T, Status>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let mut making = match this.next.take() {
            None => return Poll::Ready(None),
            Some(Next::From(from)) => (this.step)(from),
            Some(Next::Making(making)) => making,
        };
        let Poll::Ready(step) = making.as_mut().poll(cx) else {
            this.next = Some(Next::Making(making));
            return Poll::Pending;
        };
        Poll::Ready(Some(match step {
            MessageStep::Message(message, next) => {
                this.next = next.map(Next::From);
                Ok(message)
            }
            MessageStep::Failed(status) => Err(status),
        }))
    }
}
