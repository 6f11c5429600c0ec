//! Calls that end where they wait, as if the program died there.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A future that is dropped where it waits for the time after `left`.
pub struct CutOff<F> {
    pub inner: Pin<Box<F>>,
    pub left: u32,
}

impl<F: Future> Future for CutOff<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.inner.as_mut().poll(cx) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending if self.left == 0 => Poll::Ready(None),
            Poll::Pending => {
                self.left -= 1;
                Poll::Pending
            }
        }
    }
}
