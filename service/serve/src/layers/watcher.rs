//! The answers of services that anybody may watch without credentials: health and reflection. Their streams end as
//! Play streams do, and do not keep an idle connection open.

use futures_util::stream::unfold;
use http_body_util::{BodyExt as _, StreamBody};
use tonic::body::Body;

use super::response::trailers;
use crate::streams::StreamPlace;

/// Returns a body that ends when its place does.
pub fn watched(body: Body, place: StreamPlace) -> Body {
    let end = Box::pin(async move { place.end().await });
    let frames = unfold(Some((body, end)), |open| async {
        let (mut body, mut end) = open?;
        tokio::select! {
            // First, so that a watcher of health hears of the drain before its stream ends.
            biased;
            frame = body.frame() => frame.map(|frame| (frame, Some((body, end)))),
            why = &mut end => Some((Ok(trailers(why)), None)),
        }
    });
    Body::new(StreamBody::new(frames))
}
