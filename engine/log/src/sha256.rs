//! SHA-256 of bytes that lie together, padded where they are.
//!
//! The hash state of `sha2` copies what it is given into a buffer of its own. A record is hashed from a buffer already,
//! so that copy is saved, and all blocks go to the processor's instructions at once.

use sha2::block_api::compress256;
use sha2::{Digest, Sha256};

const BLOCK: usize = 64;
/// Number of bytes behind the message, at least: a mark, and the length in bits.
const PADDING: usize = 9;
/// The state before the first block (FIPS 180-4, section 5.3.3).
const START: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// Returns SHA-256 of the first `length` bytes of the buffer. What follows them is overwritten.
pub(crate) fn sha256(buffer: &mut [u8], length: usize) -> [u8; 32] {
    let end = (length + PADDING).next_multiple_of(BLOCK);
    let Some(message) = buffer.get_mut(..end) else { return Sha256::digest(&buffer[..length]).into() };
    message[length..].fill(0);
    message[length] = 0x80;
    message[end - 8..].copy_from_slice(&(8 * length as u64).to_be_bytes());
    let (mut state, (blocks, _)) = (START, message.as_chunks());
    compress256(&mut state, blocks);
    let mut hash = [0; 32];
    for (bytes, word) in hash.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every length, and every room behind it, with the hash state of `sha2`.
    #[test]
    fn hashes_are_those_of_sha2() {
        for length in 0..=300 {
            let message: alloc::vec::Vec<u8> = (0..length).map(|at| (at * 7) as u8).collect();
            for room in [0, 8, 9, 63, 64, 72, 73, 500] {
                let mut buffer = message.clone();
                buffer.resize(length + room, 0xee);
                assert_eq!(sha256(&mut buffer, length), *Sha256::digest(&message), "{length} {room}");
            }
        }
    }
}
