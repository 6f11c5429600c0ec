//! Hex digits in names and addresses.

/// Returns the bytes that lowercase hex digits stand for; `None` if the text is not exactly these.
pub fn unhex<const N: usize>(digits: &str) -> Option<[u8; N]> {
    if digits.len() != 2 * N || !digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&digits[at..at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lowercase_digits_in_full_length_are_read() {
        assert_eq!(unhex("00ff7a"), Some([0, 255, 0x7a]));
        for bad in ["", "00ff7", "00ff7a0", "00FF7A", "0x0f7a", "+0ff7a", "00 f7a", "00ƒ7a"] {
            assert_eq!(unhex::<3>(bad), None, "{bad}");
        }
    }
}
