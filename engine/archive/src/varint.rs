//! Integers in groups of seven bits, the lowest group first. A set high bit means that another group follows.

use alloc::vec::Vec;

/// Writes a number in as few groups as it takes.
pub(super) fn write(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the first bytes. Returns `None` if the bytes end within the number, or if the number
/// exceeds 32 bits or has more groups than it takes.
pub(super) fn read(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u64;
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            let is_least = byte > 0 || shift == 0;
            return u32::try_from(number).ok().filter(|_| is_least);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks every number of groups, and that a number has one spelling.
    #[test]
    fn what_is_written_is_read() {
        for (number, length) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (u32::MAX, 5)] {
            let mut bytes = Vec::new();
            write(number, &mut bytes);
            assert_eq!(bytes.len(), length);
            assert_eq!(read(&mut &bytes[..]), Some(number));
            assert_eq!(read(&mut &bytes[..length - 1]), None);
        }
        for bad in [&[0x80, 0][..], &[0xff, 0xff, 0xff, 0xff, 0x10], &[0x80; 6]] {
            assert_eq!(read(&mut &bad[..]), None, "{bad:02x?}");
        }
    }
}
