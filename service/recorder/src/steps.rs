//! Streams that are made step by step: each message is made when the transport asks for it, so nothing is queued.

use canasta_messages::fault::RequestFault;
use std::pin::Pin;

use futures_util::stream::unfold;
use tokio_stream::Stream;
use tonic::Status;

/// A stream of messages; see the module.
pub type MessageSteps<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// The making of a message: the message, and the cursor from which the next one is made; `None` after the last.
pub type StepFuture<S, T> = Pin<Box<dyn Future<Output = Result<(T, Option<S>), RequestFault>> + Send>>;

/// Returns the stream that begins at a cursor. Each step has a box of its own, so a stream that waits is small.
pub fn steps<S: Send + 'static, T: 'static>(first: S, step: fn(S) -> StepFuture<S, T>) -> MessageSteps<T> {
    Box::pin(unfold(Some(first), move |cursor| async move {
        Some(match step(cursor?).await {
            Ok((message, next)) => (Ok(message), next),
            Err(fault) => (Err(fault.into()), None),
        })
    }))
}
