//! Tests of hostile blocks: the maximum work that they can ask for.

use super::*;
use alloc::vec::Vec;

/// Returns pseudo-random bytes.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

/// Unpacks a block of one log with the largest values that an index can declare. Returns the result and the work done.
fn work(block: &[u8], records: u32) -> (Result<(), Fault>, u64) {
    let sizes = [LogSize { length: LOG_MAX as u32, records, actions: records }];
    let work = Work::new(work_of(block.len(), &sizes));
    let result = unpack_to(block, &sizes, &work, &mut Vec::new());
    (result, work.done())
}

/// Checks the maximum of work: 256 and 1,024 for each of 60 bytes are 61,696. At most one record exceeds it: its
/// 60,000 bytes count, and a wall takes up to 324 x 53 decisions before the next check.
#[test]
fn a_small_block_cannot_ask_for_much() {
    const MOST: u64 = 61_696;
    const RECORD: u64 = 60_000 + 324 * 53 + 2048;
    let mut stopped = 0;
    for seed in 0..800 {
        // Columns end early, and zeros without end follow.
        let mut block = noise(seed, 60);
        let lengths = [[8, 0, 8], [40, 0, 8], [0, 30, 0], [2, 2, 50]][seed as usize % 4];
        block[..4].copy_from_slice(&[COLUMNS, lengths[0], lengths[1], lengths[2]]);
        for records in [0, 1, u32::MAX] {
            let (result, done) = work(&block, records);
            assert!(done <= MOST + RECORD, "seed {seed}: {done}");
            stopped += u64::from(result == Err(Fault::TooMuchWork { most: MOST }));
        }
    }
    assert!(stopped > 10, "{stopped} ask for more");
}

/// Checks that the sizes bound the work too: two logs of 50 bytes take at most 33,792 decisions.
#[test]
fn short_logs_cannot_ask_for_much() {
    let sizes = [LogSize { length: 50, records: 3, actions: 3 }; 2];
    assert_eq!(work_of(50_000, &sizes), 2 * (4096 + 256 * 50));
    for seed in 0..100 {
        let mut block = noise(seed, 50_000);
        block[0] = COLUMNS;
        assert!(unpack(&block, &sizes).is_err());
    }
}

/// Checks that blocks of logs as they are have the declared lengths, and no counts.
#[test]
fn logs_as_they_are_have_their_lengths() {
    let size = |length, records| LogSize { length, records, actions: 0 };
    assert_eq!(unpack(&[0, 1, 2], &[size(2, 0)]), Ok(alloc::vec![alloc::vec![1, 2]]));
    for sizes in [[size(1, 0)], [size(3, 0)], [size(2, 1)]] {
        assert_eq!(unpack(&[0, 1, 2], &sizes), Err(Fault::Malformed));
    }
}

/// Checks that a long repetition is stored as it is, and the log beside it is not: its columns would be almost
/// empty, but `unpack` would refuse the work.
#[test]
fn what_would_take_too_much_is_stored() {
    let long = alloc::vec![0; 1 << 20];
    let logs = [&b"hello hello hello hello hello hello hello hello hello"[..], &long];
    let packed = pack(&logs);
    assert_eq!((packed.body[0], packed.content.plain), (COLUMNS, 1 << 20));
    let (columns, costly) = columns(&logs, &[false, false]);
    assert!(columns.body.len() < 2000, "{}", columns.body.len());
    assert_eq!(costly, [1]);
    assert!(matches!(unpack(&columns.body, &columns.sizes), Err(Fault::TooMuchWork { .. })));
    assert_eq!(
        unpack_within(&columns.body, &columns.sizes, u64::MAX).as_deref(),
        Ok(&logs.map(<[u8]>::to_vec)[..])
    );
}

/// Checks that a block can be neither longer nor shorter than its columns.
#[test]
fn a_block_ends_where_its_columns_end() {
    let logs = [&b"to be or not to be"[..], b"that is the question"];
    let packed = pack(&logs);
    assert_eq!(packed.body[0], COLUMNS);
    let longer = [&packed.body[..], &[0]].concat();
    assert_eq!(unpack(&longer, &packed.sizes), Err(Fault::Malformed));
    // A zero byte at the end of the last column, with its length.
    let mut padded = longer;
    padded[3] += 1;
    assert_eq!(unpack(&padded, &packed.sizes), Err(Fault::Malformed));
    assert!(unpack(&packed.body[..packed.body.len() - 1], &packed.sizes).is_err());
}

/// Packs blocks of 0 to 64 logs: noise, repetitions, headers with noise behind them, empty logs. All come back, and
/// a changed block gives an error or logs of the same lengths.
#[test]
fn any_logs_come_back() {
    for seed in 0..60 {
        let of_seed = noise(seed, 80);
        let log = |at: usize| {
            let length = usize::from(of_seed[at + 1] % 97) * usize::from(seed as u8 % 3);
            match of_seed[at] % 4 {
                0 => noise(seed + at as u64, length),
                1 => b"to be or not ".repeat(length / 13),
                2 => [&canasta_log::frame::HEADER[..], &noise(seed + at as u64, length)].concat(),
                _ => Vec::new(),
            }
        };
        let logs: Vec<Vec<u8>> = (0..usize::from(of_seed[0] % 65)).map(log).collect();
        let packed = pack(&logs);
        let total: usize = logs.iter().map(Vec::len).sum();
        assert!(packed.body.len() <= 1 + total, "seed {seed}");
        assert_eq!(unpack(&packed.body, &packed.sizes).as_ref(), Ok(&logs), "seed {seed}");
        for place in 0..packed.body.len().min(8) {
            let mut changed = packed.body.clone();
            changed[place] ^= of_seed[place] | 1;
            if let Ok(others) = unpack(&changed, &packed.sizes) {
                assert!(others.iter().map(Vec::len).eq(logs.iter().map(Vec::len)), "seed {seed}");
            }
        }
    }
}
