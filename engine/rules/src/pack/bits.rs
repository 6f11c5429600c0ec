//! Bit fields of any width in a sequence of bytes. A byte is filled from its lowest bit, and a field is
//! written lowest bit first.

use super::{TokenError, TokenErrorKind};
use alloc::vec::Vec;

/// The maximum width of a field, in bits: together with the bits before it in its first byte, the field fits
/// in a 64-bit word.
pub const FIELD_MAX: u32 = 56;

/// Returns the number of bits that can hold every number from 0 to `largest`.
pub const fn width_of(largest: u32) -> u32 {
    u32::BITS - largest.leading_zeros()
}

/// The number of bytes by which a writer lengthens its buffer at least.
pub const ROOM: usize = 192;

/// A writer that appends fields to a buffer.
pub struct BitWriter<'a> {
    /// The bytes so far, and zeros behind them.
    out: &'a mut Vec<u8>,
    /// The index of the next bit in `out`.
    at: usize,
    /// The bits so far of the byte with the next bit.
    pending: u64,
}

impl<'a> BitWriter<'a> {
    /// Returns a writer that begins behind the last byte of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        let at = out.len() * 8;
        out.resize(out.len() + ROOM, 0);
        Self { out, at, pending: 0 }
    }

    /// Appends the lowest `width` bits of `value` (at most [`FIELD_MAX`]). The other bits of `value` must be
    /// zero.
    #[inline(always)]
    pub fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width <= FIELD_MAX && value >> width == 0, "{value} in {width} bits");
        let (from, used) = (self.at / 8, self.at as u32 % 8);
        let word = self.pending | value.wrapping_shl(used);
        // To avoid a branch, the whole word is stored each time; the next word overwrites the unfinished byte. The end
        // of the range cannot overflow, which the compiler sees: only the end is compared with the length.
        match self.out.get_mut(from..from.wrapping_add(8)) {
            Some(place) => place.copy_from_slice(&word.to_le_bytes()),
            None => self.lengthen(from, word),
        }
        self.at = self.at.wrapping_add(width as usize);
        self.pending = word.wrapping_shr(used.wrapping_add(width) & !7);
    }

    /// Makes room for more, and stores the word at byte `from`.
    #[cold]
    fn lengthen(&mut self, from: usize, word: u64) {
        self.out.resize(from + ROOM, 0);
        self.out[from..from + 8].copy_from_slice(&word.to_le_bytes());
    }

    /// Appends one bit.
    pub fn flag(&mut self, value: bool) {
        self.put(u64::from(value), 1);
    }

    /// Appends `value`, which has at most `most` significant bits: first the number of significant bits, then
    /// the bits below the highest.
    #[inline(always)]
    pub fn number(&mut self, value: u64, most: u32) {
        let len = u64::BITS - value.leading_zeros();
        let (head, below_top) = (width_of(most), len.saturating_sub(1));
        let low = value & !(1 << below_top);
        if head + below_top <= FIELD_MAX {
            self.put(u64::from(len) | low << head, head + below_top);
        } else {
            self.put(u64::from(len), head);
            self.put(low & u64::from(u32::MAX), 32);
            self.put(low >> 32, below_top - 32);
        }
    }

    /// Cuts the buffer off behind the last byte, which may be used only partly. Its unused bits are zeros.
    pub fn finish(self) {
        self.out.truncate(self.at.div_ceil(8));
    }
}

/// A reader of the fields that [`BitWriter`] writes.
#[derive(Clone)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// The index of the next bit.
    at: usize,
    /// The index of the bit after the last.
    end: usize,
}

impl<'a> BitReader<'a> {
    /// Returns a reader that begins at the first bit of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, end: bytes.len() * 8 }
    }

    /// Returns the index of the next bit.
    pub fn at(&self) -> usize {
        self.at
    }

    fn left(&self) -> usize {
        self.end.wrapping_sub(self.at)
    }

    /// Returns an error at the next bit.
    pub fn error<T>(&self, kind: TokenErrorKind) -> Result<T, TokenError> {
        Err(kind.at(self.at))
    }

    /// Checks that at least `bits` more bits exist.
    #[inline(always)]
    pub fn need(&self, bits: usize) -> Result<(), TokenError> {
        if bits > self.left() { self.error(TokenErrorKind::Truncated) } else { Ok(()) }
    }

    /// Returns the next `width` bits (at most [`FIELD_MAX`]) and moves past them. The caller must check that
    /// they exist ([`BitReader::need`]).
    #[inline(always)]
    pub fn take(&mut self, width: u32) -> u64 {
        debug_assert!(width <= FIELD_MAX && width as usize <= self.left());
        let value = self.peek() & !u64::MAX.wrapping_shl(width);
        self.at = self.at.wrapping_add(width as usize);
        value
    }

    /// Moves past bits that the caller has already looked at.
    #[inline(always)]
    pub fn skip(&mut self, width: u32) -> Result<(), TokenError> {
        self.need(width as usize)?;
        self.at = self.at.wrapping_add(width as usize);
        Ok(())
    }

    /// Returns a word that begins with the next bit and has at least [`FIELD_MAX`] valid bits. Bits after the
    /// end are zeros.
    #[inline(always)]
    pub fn peek(&self) -> u64 {
        let from = self.at / 8;
        // The end of the range cannot overflow, which the compiler sees: only the end is compared with the length.
        let word = match self.bytes.get(from..from.wrapping_add(8)) {
            Some(chunk) => u64::from_le_bytes(*chunk.first_chunk().expect("a range of eight bytes")),
            None => self.last_word(),
        };
        word >> (self.at % 8)
    }

    /// Returns the word at the next bit's byte where fewer than eight bytes are left, with zeros above them.
    #[cold]
    fn last_word(&self) -> u64 {
        let rest = self.bytes.get(self.at / 8..).unwrap_or_default();
        rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    }

    /// Returns the next `width` bits and moves past them.
    #[inline(always)]
    pub fn bits(&mut self, width: u32) -> Result<u64, TokenError> {
        self.need(width as usize)?;
        Ok(self.take(width))
    }

    /// Reads one bit.
    #[inline(always)]
    pub fn flag(&mut self) -> Result<bool, TokenError> {
        Ok(self.bits(1)? == 1)
    }

    /// Returns the number in the next `width` bits if it is below `bound`.
    #[inline(always)]
    pub fn below(&mut self, bound: u64, width: u32, field: &'static str) -> Result<u64, TokenError> {
        let start = self.at;
        let found = self.bits(width)?;
        if found >= bound {
            return Err(TokenErrorKind::Field { field, found }.at(start));
        }
        Ok(found)
    }

    /// Returns a number that [`BitWriter::number`] wrote.
    #[inline(always)]
    pub fn number(&mut self, most: u32, field: &'static str) -> Result<u64, TokenError> {
        let (head, word) = (width_of(most), self.peek());
        let len = (word & !u64::MAX.wrapping_shl(head)) as u32;
        let below_top = len.saturating_sub(1);
        let width = head.wrapping_add(below_top);
        if len > most || width > FIELD_MAX || width as usize > self.left() {
            return self.long_number(most, field);
        }
        self.at = self.at.wrapping_add(width as usize);
        let digits = word.wrapping_shr(head) & !u64::MAX.wrapping_shl(below_top);
        Ok(u64::from(len > 0).wrapping_shl(below_top) | digits)
    }

    /// Returns a number that is longer than a word with its length, or the error of a number that is wrong.
    #[cold]
    fn long_number(&mut self, most: u32, field: &'static str) -> Result<u64, TokenError> {
        let len = self.below(u64::from(most) + 1, width_of(most), field)? as u32;
        let below_top = len.saturating_sub(1);
        self.need(below_top as usize)?;
        let low = self.take(below_top.min(32));
        let high = if below_top > 32 { self.take(below_top - 32) } else { 0 };
        Ok(u64::from(len > 0) << below_top | high << 32 | low)
    }

    /// Returns the next `N` whole bytes. The next bit must be the first of a byte.
    #[inline(always)]
    pub fn bytes<const N: usize>(&mut self) -> Result<&'a [u8; N], TokenError> {
        let found = self.slice(N)?;
        Ok(found.first_chunk().expect("a slice of N bytes begins with N bytes"))
    }

    /// Returns the next `len` whole bytes. The next bit must be the first of a byte.
    pub fn slice(&mut self, len: usize) -> Result<&'a [u8], TokenError> {
        debug_assert!(self.at.is_multiple_of(8), "bytes stand before all bits");
        let from = self.at / 8;
        let Some(found) = self.bytes.get(from..).and_then(|rest| rest.get(..len)) else {
            return self.error(TokenErrorKind::Truncated);
        };
        self.at += len * 8;
        Ok(found)
    }

    /// Checks that the rest of the last byte is zeros, and that no bytes follow.
    pub fn finish(mut self) -> Result<(), TokenError> {
        let padding = (8 - self.at % 8) % 8;
        let start = self.at;
        if self.take(padding as u32) != 0 {
            return Err(TokenErrorKind::Padding.at(start));
        }
        if self.left() > 0 { self.error(TokenErrorKind::TrailingBytes) } else { Ok(()) }
    }
}

/// Maps 0, -1, 1, -2, 2 ... to 0, 1, 2, 3, 4 ...
pub(super) fn zigzag(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

/// Maps 0, 1, 2, 3, 4 ... to 0, -1, 1, -2, 2 ...
pub(super) fn unzigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

#[cfg(test)]
mod tests;
