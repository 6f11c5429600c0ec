//! Tests of the coder.

use super::*;

/// Checks runs of bits with any chances, also of bits that never occur.
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
        assert!(reader.is_closed());
        // Any other ending is recognised: a byte more, a byte less, a larger last byte.
        let mut longer = bytes.clone();
        longer.push(0);
        let shorter = bytes.get(..bytes.len().saturating_sub(1)).unwrap_or_default().to_vec();
        let mut larger = bytes.clone();
        larger.iter_mut().last().into_iter().for_each(|byte| *byte = byte.wrapping_add(1));
        for other in [longer, shorter, larger].into_iter().filter(|other| *other != bytes) {
            let mut reader = Coder::reader(&other);
            let same = bits.iter().all(|&(chance, bit)| reader.bit(chance, false) == bit);
            assert!(!same || !reader.is_closed());
        }
    }
}

/// Checks the size of 750 ones of chance 3/4 and 250 zeros: 750 * log2(4/3) + 250 * 2 = 811 bits.
#[test]
fn costs_what_the_chance_says() {
    let mut writer = Coder::writer();
    (0..1000).for_each(|i| {
        writer.bit(49_152, i % 4 > 0);
    });
    let bytes = writer.finish().len();
    assert!((101..=103).contains(&bytes), "{bytes} bytes");
}
