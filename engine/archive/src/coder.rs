//! A binary arithmetic coder with integers of 32 bits and a probability of 16 bits per decision.
//!
//! One type encodes and decodes, so that every format is described once. An encoder receives every bit and
//! returns it; a decoder returns the bit that was written.

use alloc::vec::Vec;

/// A probability in units of 1/65,536; never 0.
pub(super) type Chance = u16;

/// The remaining interval, and the bytes that are written or read.
pub(super) struct Coder<'a> {
    low: u32,
    high: u32,
    side: Direction<'a>,
}

enum Direction<'a> {
    Write(Vec<u8>),
    Read { bytes: &'a [u8], at: usize, code: u32 },
}

impl<'a> Coder<'a> {
    pub(super) fn writer() -> Self {
        Self { low: 0, high: u32::MAX, side: Direction::Write(Vec::new()) }
    }

    /// Returns a decoder. After the last byte it reads zeros without end: the caller knows when to stop.
    pub(super) fn reader(bytes: &'a [u8]) -> Self {
        let mut coder = Self { low: 0, high: u32::MAX, side: Direction::Read { bytes, at: 0, code: 0 } };
        for _ in 0..4 {
            coder.shift(0);
        }
        coder
    }

    /// Encodes or decodes one bit that is a one with probability `chance`. A decoder ignores `bit`.
    pub(super) fn bit(&mut self, chance: Chance, bit: bool) -> bool {
        let width = u64::from(self.high - self.low);
        let split = self.low + ((width * u64::from(chance)) >> 16) as u32;
        let bit = match self.side {
            Direction::Write(_) => bit,
            Direction::Read { code, .. } => code <= split,
        };
        if bit {
            self.high = split;
        } else {
            self.low = split + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            let byte = (self.high >> 24) as u8;
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            self.shift(byte);
        }
        bit
    }

    /// Shifts by one byte: writes `byte`, or reads the next byte.
    fn shift(&mut self, byte: u8) {
        match &mut self.side {
            Direction::Write(out) => out.push(byte),
            Direction::Read { bytes, at, code } => {
                *code = *code << 8 | u32::from(bytes.get(*at).copied().unwrap_or(0));
                *at += 1;
            }
        }
    }

    pub(super) fn is_writer(&self) -> bool {
        matches!(self.side, Direction::Write(_))
    }

    /// Returns the number of bytes written so far; 0 for a decoder.
    pub(super) fn written(&self) -> usize {
        match &self.side {
            Direction::Write(out) => out.len(),
            Direction::Read { .. } => 0,
        }
    }

    /// Whether a decoder's bytes end where an encoder of the same decisions ends them, so that no bytes follow and
    /// none could be left out.
    pub(super) fn is_closed(&self) -> bool {
        let Direction::Read { bytes, at, .. } = &self.side else { return true };
        // A decoder is four bytes ahead of an encoder.
        let written = at - 4;
        if self.low > 0 {
            bytes.len() == written + 1 && bytes[written] == (self.low >> 24) as u8 + 1
        } else {
            bytes.len() <= written && bytes.last() != Some(&0)
        }
    }

    /// Returns the written bytes: as few as identify a number in the last interval. Empty for a decoder.
    pub(super) fn finish(self) -> Vec<u8> {
        let Direction::Write(mut out) = self.side else { return Vec::new() };
        if self.low > 0 {
            // The first bytes of low and high differ, so this byte with zeros after it lies between them.
            out.push((self.low >> 24) as u8 + 1);
        }
        while out.last() == Some(&0) {
            out.pop();
        }
        out
    }
}

#[cfg(test)]
mod tests;
