//! Tags of requests, by which a retry is recognized.

use canasta_engine::action::As;

use super::{actor_number, digest_of};

/// Number of tags of an entry.
pub const TAGS: usize = 4;

/// The tag of a request: the first 8 bytes of SHA-256("canasta-record/1\0", actor, request id). Zeros stand for no
/// request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RequestTag(pub [u8; 8]);

impl RequestTag {
    pub fn of(actor: As, request_id: &[u8; 16]) -> Self {
        Self(digest_of(&[b"canasta-record/1\0", &[actor_number(actor)], request_id]))
    }
}
