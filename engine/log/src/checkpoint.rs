//! The text that a checkpoint's signature covers, and its signing (C2SP signed-note, tlog-checkpoint).

use super::frame::Head;
use alloc::format;
use alloc::string::String;
use canasta_rules::hex::hex;
use ed25519_dalek::{Signer, SigningKey};
use sha2::{Digest, Sha256};

/// The algorithm byte of Ed25519 keys.
pub const ED25519: u8 = 1;

/// Returns the three lines of a checkpoint over record `n` of a game, each with its line feed: the origin
/// `canasta-log/1/<game id>`, `n` in decimal, `head` (the head of record `n`) in base64.
pub fn body(game_id: &[u8; 16], n: u64, head: &Head) -> String {
    format!("canasta-log/1/{}\n{n}\n{}\n", hex(game_id), base64(head))
}

/// Returns the key hash that signature lines carry: the first 4 bytes of the hash of a named Ed25519 key.
pub fn key_hash(name: &str, key: &[u8; 32]) -> [u8; 4] {
    let digest = Sha256::new().chain_update(name).chain_update([b'\n', ED25519]).chain_update(key).finalize();
    *digest.first_chunk().expect("a digest has 32 bytes")
}

/// Returns `text` as a note signed with the Ed25519 key `secret` under `name`.
///
/// # Panics
/// If the text does not end with a line feed: such a text cannot be signed.
pub fn sign(text: &str, name: &str, secret: &[u8; 32]) -> String {
    assert!(text.ends_with('\n'), "a note's text ends with a line feed");
    let key = SigningKey::from_bytes(secret);
    let hash = key_hash(name, key.verifying_key().as_bytes());
    let signature = key.sign(text.as_bytes()).to_bytes();
    format!("{text}\n\u{2014} {name} {}\n", base64(&[&hash[..], &signature].concat()))
}

/// Returns the bytes in standard base64 with padding (RFC 4648 section 4).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            let sextet = bits >> (18 - 6 * digit) & 0x3f;
            text.push(if digit <= chunk.len() { char::from(DIGITS[sextet as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::HEAD_START;

    /// Checks the vectors of RFC 4648 section 10.
    #[test]
    fn base64_has_the_published_values() {
        let vectors = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (plain, coded) in vectors {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(b"foobar"), "Zm9vYmFy");
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }

    /// Checks the body. Its base64 was made by another program, from the hex in the definition of the format.
    #[test]
    fn the_body_has_three_lines() {
        assert_eq!(
            body(&[0xab; 16], 7, &HEAD_START),
            "canasta-log/1/abababababababababababababababab\n7\nZ16MVZJV1i51ULp6wWHtv+tCFUqcwNx6P6ov3GpW9w4=\n"
        );
    }
}
