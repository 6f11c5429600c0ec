//! The id of a request, in a header of the request and of its answer.

use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Maximum length of an id that a request may bring, in bytes.
const REQUEST_ID_BYTES_MAX: usize = 64;

pub struct RequestIds(AtomicU64);

impl RequestIds {
    pub fn new(first: u64) -> Self {
        Self(AtomicU64::new(first))
    }

    /// Returns the id that the request brings, if it is visible ASCII of at most 64 bytes; else a new id.
    pub fn of(&self, headers: &HeaderMap) -> HeaderValue {
        let fits = |id: &&HeaderValue| {
            (1..=REQUEST_ID_BYTES_MAX).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
        };
        if let Some(id) = headers.get(&REQUEST_ID).filter(fits) {
            return id.clone();
        }
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        let mut digits = [0; 2 * size_of::<u64>()];
        let written = base16ct::lower::encode(&number.to_be_bytes(), &mut digits);
        HeaderValue::from_bytes(written.expect("two digits a byte")).expect("hex is a header's value")
    }
}
