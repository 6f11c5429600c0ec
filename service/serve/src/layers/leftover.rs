//! Reader of what a client still sends after its request is refused.
//!
//! If a body is dropped before its end, the transport resets the stream, and counts each frame that arrives
//! afterwards as an error of the client. After a number of such errors it closes the connection, with every other
//! stream on it. So the rest of a refused upload is read and thrown away, within limits: only a client that goes
//! on beyond them is reset.

use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use tokio::runtime::Handle;
use tonic::body::Body;

/// Maximum time for which a body is still read.
const TIME_MAX: Duration = Duration::from_secs(1);
/// Maximum number of bytes that are still read.
const BYTES_MAX: usize = 4 << 20;

/// Reads the rest of a body that no handler wants. The number of such bodies is bounded by the number of streams
/// that each connection may have.
pub fn discard(body: Body) {
    if http_body::Body::is_end_stream(&body) {
        return;
    }
    if let Ok(runtime) = Handle::try_current() {
        runtime.spawn(tokio::time::timeout(TIME_MAX, read(body)));
    }
}

async fn read(body: Body) {
    let mut body = Limited::new(body, BYTES_MAX);
    while let Some(Ok(_)) = body.frame().await {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use bytes::Bytes;
    use http_body::Frame;
    use http_body_util::StreamBody;
    use tonic::Status;

    #[tokio::test]
    async fn only_so_much_is_read() {
        let polled = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&polled);
        let endless = std::iter::repeat_with(move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Status>(Frame::data(Bytes::from_static(&[0; 1024])))
        });
        read(Body::new(StreamBody::new(tokio_stream::iter(endless)))).await;
        assert_eq!(polled.load(Ordering::Relaxed), BYTES_MAX / 1024 + 1);
    }
}
