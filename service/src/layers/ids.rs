//! The id of a request, in a header of it and of its answer.

use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};

/// The header of requests and replies that holds the request's id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longest id that is taken over from a request.
const MAX_ID: usize = 64;

/// Gives ids.
pub struct Ids(AtomicU64);

impl Ids {
    pub fn new(first: u64) -> Self {
        Self(AtomicU64::new(first))
    }

    /// The id that the request brings, if it is visible ASCII of at most 64 bytes; else a new one.
    pub fn of(&self, headers: &HeaderMap) -> HeaderValue {
        let fits = |id: &&HeaderValue| {
            (1..=MAX_ID).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
        };
        if let Some(id) = headers.get(&REQUEST_ID).filter(fits) {
            return id.clone();
        }
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        HeaderValue::try_from(format!("{number:016x}")).expect("hex is a header's value")
    }
}
