//! SHA-256 of a message in a buffer, which is padded in its place: a general hasher would copy each piece once more.

use sha2::block_api::compress256;

/// Number of bytes of a block.
const BLOCK: usize = 64;
/// Maximum number of bytes of the padding: one with the highest bit, zeros up to the end of a block, and the length in
/// bits.
pub(super) const PADDING: usize = BLOCK + 8;

/// The value before the first block (FIPS 180-4, section 5.3.3).
const START: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// Returns SHA-256 of the first `length` bytes of `buffer`, which are followed by at least [`PADDING`] bytes for the
/// padding.
///
/// # Panics
/// If the buffer is shorter.
pub(super) fn sha256(buffer: &mut [u8], length: usize) -> [u8; 32] {
    // A fill of fixed size is a few stores.
    buffer[length..length + PADDING].fill(0);
    buffer[length] = 0x80;
    // The last block is the one with room for the byte behind the message and the length.
    let end = (length + 1 + 8).next_multiple_of(BLOCK);
    buffer[end - 8..end].copy_from_slice(&(length as u64 * 8).to_be_bytes());
    let mut state = START;
    compress256(&mut state, buffer[..end].as_chunks().0);
    let mut hash = [0; 32];
    for (bytes, word) in hash.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn every_length_gives_what_a_general_hasher_gives() {
        let message: [u8; 512] = core::array::from_fn(|at| (at * 7) as u8);
        for length in 0..=512 - PADDING {
            let mut buffer = message;
            assert_eq!(sha256(&mut buffer, length)[..], Sha256::digest(&message[..length])[..], "{length}");
        }
    }
}
