//! Streams that are made step by step: each message is made when the transport asks for it, so nothing is queued.

use std::pin::Pin;

use canasta_serve::OrFault;
use futures_util::stream::unfold;
use tokio_stream::Stream;
use tonic::Status;

/// A stream of messages; see the module.
pub type MessageSteps<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// The making of the next message, which moves the cursor. It has a box of its own, so a stream that waits is small.
pub type StepFuture<'a, T> = Pin<Box<dyn Future<Output = OrFault<T>> + Send + 'a>>;

/// Returns the stream that begins at a cursor, up to its last message.
pub fn steps<S: Send + 'static, T: Send + 'static>(
    first: S,
    step: fn(&mut S) -> StepFuture<'_, T>,
    is_last: fn(&T) -> bool,
) -> MessageSteps<T> {
    Box::pin(unfold(Some(first), move |cursor| async move {
        let mut cursor = cursor?;
        Some(match step(&mut cursor).await {
            Ok(message) => {
                let next = (!is_last(&message)).then_some(cursor);
                (Ok(message), next)
            }
            Err(fault) => (Err(fault.into()), None),
        })
    }))
}
