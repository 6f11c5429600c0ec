//! An arithmetic coder for yes and no: integers of 32 bits, and a probability of 16 bits a decision.
//!
//! One type writes and reads, so that whatever is coded is described once: a writer is told every bit and gives
//! it back, a reader gives the bit that was written.

use alloc::vec::Vec;

/// A probability: how many in 65,536. Never 0.
pub(super) type Chance = u16;

/// The interval that is left, and where it goes to or comes from.
pub(super) struct Coder<'a> {
    low: u32,
    high: u32,
    side: Side<'a>,
}

enum Side<'a> {
    Write(Vec<u8>),
    Read { bytes: &'a [u8], at: usize, code: u32 },
}

impl<'a> Coder<'a> {
    pub(super) fn writer() -> Self {
        Self { low: 0, high: u32::MAX, side: Side::Write(Vec::new()) }
    }

    /// After the last byte come zeros without end: whoever reads knows when to stop.
    pub(super) fn reader(bytes: &'a [u8]) -> Self {
        let mut coder = Self { low: 0, high: u32::MAX, side: Side::Read { bytes, at: 0, code: 0 } };
        for _ in 0..4 {
            coder.shift(0);
        }
        coder
    }

    /// Codes one bit that is a one with `chance`. `bit` counts for writers only.
    pub(super) fn bit(&mut self, chance: Chance, bit: bool) -> bool {
        let width = u64::from(self.high - self.low);
        let split = self.low + ((width * u64::from(chance)) >> 16) as u32;
        let bit = match self.side {
            Side::Write(_) => bit,
            Side::Read { code, .. } => code <= split,
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

    /// Moves on by one byte: writes it, or reads the next.
    fn shift(&mut self, byte: u8) {
        match &mut self.side {
            Side::Write(out) => out.push(byte),
            Side::Read { bytes, at, code } => {
                *code = *code << 8 | u32::from(bytes.get(*at).copied().unwrap_or(0));
                *at += 1;
            }
        }
    }

    pub(super) fn is_writer(&self) -> bool {
        matches!(self.side, Side::Write(_))
    }

    /// The bytes that were written: as few as name a number of the last interval. Empty for readers.
    pub(super) fn finish(self) -> Vec<u8> {
        let Side::Write(mut out) = self.side else { return Vec::new() };
        if self.low > 0 {
            // The first bytes of low and high differ, so this one with zeros after it lies between them.
            out.push((self.low >> 24) as u8 + 1);
        }
        while out.last() == Some(&0) {
            out.pop();
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chances of a run are any, those of a bit that never comes included.
    #[test]
    fn what_is_written_is_read() {
        let mut random = 1u64;
        let mut next = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as u32
        };
        for length in [0, 1, 7, 100, 5000] {
            let bits: Vec<(Chance, bool)> = (0..length)
                .map(|_| ([1, 40, 32_768, 65_000, 65_535][next() as usize % 5], next() % 3 == 0))
                .collect();
            let mut writer = Coder::writer();
            bits.iter().for_each(|&(chance, bit)| assert_eq!(writer.bit(chance, bit), bit));
            let bytes = writer.finish();
            let mut reader = Coder::reader(&bytes);
            bits.iter().for_each(|&(chance, bit)| assert_eq!(reader.bit(chance, false), bit));
        }
    }

    /// 750 ones of chance 3/4 and 250 zeros are 811 bits: 750 * log2(4/3) + 250 * 2.
    #[test]
    fn costs_what_the_chance_says() {
        let mut writer = Coder::writer();
        (0..1000).for_each(|i| {
            writer.bit(49_152, i % 4 > 0);
        });
        let bytes = writer.finish().len();
        assert!((101..=103).contains(&bytes), "{bytes} bytes");
    }
}
