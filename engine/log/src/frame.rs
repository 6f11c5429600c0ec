//! The outer form of a log: header, frames and hash chain.
//!
//! The chain covers the stored bytes: a program that can hash can check the chain without decoding a record.

use super::short_hash::{PADDING, sha256};
use alloc::vec::Vec;
use sha2::{Digest, Sha256};

/// The version of the format. A log of another version is not read.
pub const VERSION: u8 = 2;
/// The first bytes of every log: a signature that text transfers damage, then the version.
pub const HEADER: [u8; 9] = [0x89, b'C', b'L', b'O', b'G', b'\r', b'\n', 0x1a, VERSION];
/// Maximum number of bytes of a payload.
pub const PAYLOAD_MAX: usize = 60_000;
/// Number of bytes before the payload: two of length, one of check.
pub const PREFIX: usize = 3;
/// Number of bytes after the payload: the first bytes of the record's head.
pub const SUFFIX: usize = 8;

/// The value of the chain after a record: SHA-256 that covers this record and everything before it.
pub type Head = [u8; 32];

/// The chain's value before record 0: SHA-256 of `canasta-log/1/start\0` and the header.
pub const HEAD_START: Head = [
    0x67, 0x5e, 0x8c, 0x55, 0x92, 0x55, 0xd6, 0x2e, 0x75, 0x50, 0xba, 0x7a, 0xc1, 0x61, 0xed, 0xbf, 0xeb,
    0x42, 0x15, 0x4a, 0x9c, 0xc0, 0xdc, 0x7a, 0x3f, 0xaa, 0x2f, 0xdc, 0x6a, 0x56, 0xf7, 0x0e,
];

/// The state of the chain at the end of a log: enough to append to the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Number of the next record, which is the number of records so far.
    pub next: u64,
    /// Head of the last record, or [`HEAD_START`].
    pub head: Head,
}

impl Chain {
    /// The chain of a log that has only its header.
    pub const START: Self = Self { next: 0, head: HEAD_START };

    /// Appends the next record's frame to `out`.
    ///
    /// # Panics
    /// If `payload` is empty or longer than [`PAYLOAD_MAX`]: [`super::Record::encode`] never returns such a
    /// payload.
    pub fn append(&mut self, payload: &[u8], out: &mut Vec<u8>) {
        assert!(!payload.is_empty() && payload.len() <= PAYLOAD_MAX, "payloads have 1 to 60,000 bytes");
        let length = (payload.len() as u16).to_be_bytes();
        self.head = next_head(&self.head, self.next, payload);
        self.next += 1;
        out.reserve(PREFIX + payload.len() + SUFFIX);
        out.extend_from_slice(&length);
        out.push(crc8(length));
        out.extend_from_slice(payload);
        out.extend_from_slice(&self.head[..SUFFIX]);
    }
}

/// The text with which the message of each head begins.
const LABEL: &[u8; 14] = b"canasta-log/1\0";
/// Number of bytes of a head's message before the payload.
const HEAD_PREFIX: usize = LABEL.len() + 32 + 8 + 4;
/// Number of bytes of a buffer for the messages of nearly all records.
const MESSAGE: usize = 256;

/// Returns the head of record `n`, computed from the head before it and the record's payload.
pub fn next_head(before: &Head, n: u64, payload: &[u8]) -> Head {
    let mut message = [0; MESSAGE];
    let (prefix, rest) = message.split_at_mut(HEAD_PREFIX);
    let (label, fields) = prefix.split_at_mut(LABEL.len());
    label.copy_from_slice(LABEL);
    fields[..32].copy_from_slice(before);
    fields[32..40].copy_from_slice(&n.to_be_bytes());
    fields[40..].copy_from_slice(&(payload.len() as u32).to_be_bytes());
    if payload.len() + PADDING <= rest.len() {
        rest[..payload.len()].copy_from_slice(payload);
        return sha256(&mut message, HEAD_PREFIX + payload.len());
    }
    Sha256::new().chain_update(&message[..HEAD_PREFIX]).chain_update(payload).finalize().into()
}

/// Returns CRC-8/SMBUS (polynomial 07, initial value 00, not reflected, no final xor) of the length bytes.
pub fn crc8(length: [u8; 2]) -> u8 {
    let first = CRC8[usize::from(length[0])];
    CRC8[usize::from(first ^ length[1])]
}

const CRC8: [u8; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut crc = at as u8;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc << 1) ^ if crc & 0x80 == 0 { 0 } else { 0x07 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the values of the format's definition. 0xf4 for "123456789" is the check value in the CRC
    /// catalogue; its last step uses the same table.
    #[test]
    fn crc_has_the_published_values() {
        assert_eq!(crc8([0x01, 0x00]), 0x15);
        assert_eq!(crc8([0xea, 0x60]), 0xe6);
        let check = b"123456789".iter().fold(0, |crc, byte| CRC8[usize::from(crc ^ byte)]);
        assert_eq!(check, 0xf4);
    }

    #[test]
    fn the_chain_starts_at_the_hash_of_the_header() {
        let mut hash = Sha256::new();
        hash.update(b"canasta-log/1/start\0");
        hash.update(HEADER);
        assert_eq!(HEAD_START[..], hash.finalize()[..]);
    }

    /// Compares heads with the definition, around the size at which a buffer is too short.
    #[test]
    fn a_head_is_the_hash_of_its_message() {
        for length in (1..600).chain([PAYLOAD_MAX]) {
            let payload: Vec<u8> = (0..length).map(|at| at as u8).collect();
            let mut hash = Sha256::new();
            hash.update(b"canasta-log/1\0");
            hash.update(HEAD_START);
            hash.update(77u64.to_be_bytes());
            hash.update((length as u32).to_be_bytes());
            hash.update(&payload);
            assert_eq!(next_head(&HEAD_START, 77, &payload)[..], hash.finalize()[..], "{length}");
        }
    }

    #[test]
    fn a_frame_is_length_check_payload_and_head() {
        let mut chain = Chain::START;
        let mut out = Vec::new();
        chain.append(b"ab", &mut out);
        let head = next_head(&HEAD_START, 0, b"ab");
        assert_eq!(out[..5], [0, 2, crc8([0, 2]), b'a', b'b']);
        assert_eq!(out[5..], head[..8]);
        assert_eq!(chain, Chain { next: 1, head });
    }
}
