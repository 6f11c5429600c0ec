//! The stream of random bytes: the KDF of NIST SP 800-108r1 in counter mode with HMAC-SHA-512.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;

const BLOCK_BYTES: u32 = 64;

/// KDF output, one block of 64 bytes at a time; a block is computed only when it is requested.
#[derive(Clone)]
pub struct Stream<'a> {
    keyed: Hmac<Sha512>,
    label: &'static str,
    context: &'a [u8],
    bytes: u32,
    next: u32,
}

impl<'a> Stream<'a> {
    /// Returns a stream of `bytes` bytes, a multiple of 64 and below 2^29 (its length in bits is hashed as 32
    /// bits).
    pub(super) fn new(key: &[u8], label: &'static str, context: &'a [u8], bytes: u32) -> Self {
        assert!(bytes.is_multiple_of(BLOCK_BYTES) && bytes < 1 << 29, "{bytes} bytes of KDF output");
        Self { keyed: keyed(key), label, context, bytes, next: 1 }
    }

    /// Returns the stream as big-endian 32-bit words.
    pub fn words(mut self) -> impl Iterator<Item = u32> + use<'a> {
        let mut block = [0; BLOCK_BYTES as usize];
        let mut at = block.len();
        core::iter::from_fn(move || {
            if at == block.len() {
                (block, at) = (self.next()?, 0);
            }
            let word = block[at..].first_chunk().copied().map(u32::from_be_bytes);
            at += size_of::<u32>();
            word
        })
    }
}

impl Iterator for Stream<'_> {
    type Item = [u8; 64];

    fn next(&mut self) -> Option<[u8; 64]> {
        if self.next > self.bytes / BLOCK_BYTES {
            return None;
        }
        let mut mac = self.keyed.clone();
        // The counter comes first, so that the blocks do not share one hash state in which the contributions
        // of the context have been hashed already.
        mac.update(&self.next.to_be_bytes());
        mac.update(self.label.as_bytes());
        mac.update(&[0]);
        mac.update(self.context);
        mac.update(&(self.bytes * 8).to_be_bytes());
        self.next += 1;
        Some(mac.finalize().into_bytes().into())
    }
}

/// Returns HMAC-SHA-512 of the concatenated `parts`.
pub(super) fn hmac512(key: &[u8], parts: &[&[u8]]) -> [u8; 64] {
    let mut mac = keyed(key);
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

fn keyed(key: &[u8]) -> Hmac<Sha512> {
    <Hmac<Sha512> as KeyInit>::new_from_slice(key).expect("HMAC takes keys of any length")
}
