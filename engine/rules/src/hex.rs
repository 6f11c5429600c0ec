//! Bytes as hex digits.

use alloc::string::String;

/// Returns the bytes as lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}

/// Returns the bytes that lower-case hex digits stand for; `None` if the text is not exactly these.
pub fn unhex<const N: usize>(digits: impl AsRef<[u8]>) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let read = base16ct::lower::decode(digits, &mut bytes).ok()?.len();
    (read == N).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lower_case_digits_in_full_length_are_read() {
        assert_eq!(unhex("00ff7a"), Some([0, 255, 0x7a]));
        for bad in
            ["", "00ff7", "00ff7a0", "00ff7a00", "00ff", "00FF7A", "0x0f7a", "+0ff7a", "00 f7a", "00ƒ7a"]
        {
            assert_eq!(unhex::<3>(bad), None, "{bad}");
        }
    }
}
