//! Bytes as hex digits.

use alloc::string::String;

/// Returns the bytes as lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}
