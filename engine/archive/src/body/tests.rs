//! Tests of hostile bodies: the maximum work that they can ask for.

use super::*;
use alloc::vec::Vec;

/// A body of 60 bytes whose index entry declares 64 MiB, one record and one action: unpacking once took
/// seconds.
const SLOW: [u8; 60] = [
    0x01, 0x08, 0x00, 0x08, 0x0a, 0x9f, 0xee, 0x8e, 0xd4, 0x55, 0x44, 0xa2, 0xe5, 0xd5, 0x55, 0xca, 0xc7,
    0x66, 0xfd, 0x8e, 0xb8, 0x4d, 0x84, 0x8f, 0x59, 0x2a, 0xb8, 0xac, 0x49, 0x84, 0x82, 0x81, 0xb2, 0xc4,
    0x8e, 0xef, 0x06, 0x4c, 0x42, 0x81, 0x73, 0x64, 0x24, 0x65, 0xdb, 0x7a, 0x47, 0xeb, 0xc8, 0x64, 0x2a,
    0x27, 0x4e, 0x1d, 0x0f, 0xcf, 0xc3, 0xd5, 0x46, 0x42,
];

/// Returns pseudo-random bytes.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

/// Unpacks a body with the largest values that an index entry can declare. Returns the result and the work
/// done.
fn work(body: &[u8], records: u64) -> (Result<Vec<u8>, Fault>, u64) {
    let bounds = UnpackBounds::new(body.len() as u64, LOG_MAX as u64, records, records);
    let work = Work::new(bounds.work);
    let log = unpack_by(body, &bounds, &work);
    (log, work.done())
}

/// Checks the maximum of work: 16,384 and 1,024 for each of 60 bytes are 77,824. At most one record exceeds
/// it: its 60,000 bytes count, and a wall takes up to 324 x 53 decisions before the next check.
#[test]
fn a_small_body_cannot_ask_for_much() {
    const MOST: u64 = 77_824;
    const RECORD: u64 = 60_000 + 324 * 53 + 2048;
    assert_eq!(work(&SLOW, 0).0, Err(Fault::TooMuchWork { most: MOST }));
    let mut stopped = 0;
    for seed in 0..400 {
        // Columns end early, and zeros without end follow. The columns have the lengths of the slow body, or
        // others.
        let mut body = noise(seed, 60);
        let lengths = [[8, 0, 8], [40, 0, 8], [0, 30, 0], [2, 2, 50]][seed as usize % 4];
        body[..4].copy_from_slice(&[COLUMNS, lengths[0], lengths[1], lengths[2]]);
        for records in [0, 1, u64::from(u32::MAX)] {
            let (log, done) = work(if seed == 0 { &SLOW } else { &body }, records);
            assert!(done <= MOST + RECORD, "seed {seed}: {done}");
            stopped += u64::from(matches!(log, Err(Fault::TooMuchWork { .. })));
        }
    }
    assert!(stopped > 10, "{stopped} ask for more");
}

/// Checks that the index bounds the work too: a log of 100 bytes takes at most 29,696 decisions.
#[test]
fn a_short_log_cannot_ask_for_much() {
    for seed in 0..100 {
        let mut body = noise(seed, 50_000);
        body[0] = COLUMNS;
        let bounds = UnpackBounds::new(body.len() as u64, 100, 3, 3);
        assert_eq!(bounds.work, 4096 + 256 * 100);
        assert!(unpack(&body, &bounds).is_err());
    }
    assert_eq!(unpack(&[0, 1, 2], &UnpackBounds::new(3, 1, 0, 0)), Err(Fault::TooLong { expected: 1 }));
}

/// Checks that a long repetition is stored as it is: its columns would be almost empty, but `unpack` would
/// refuse the work.
#[test]
fn what_would_take_too_much_is_stored() {
    let log = alloc::vec![0; 1 << 20];
    let packed = pack(&log);
    assert_eq!(packed.body[0], STORED);
    let columns = columns(&log);
    assert!(columns.body.len() < 2000, "{}", columns.body.len());
    let bounds = UnpackBounds::new(columns.body.len() as u64, log.len() as u64, 0, 0);
    assert!(matches!(unpack(&columns.body, &bounds), Err(Fault::TooMuchWork { .. })));
    assert_eq!(unpack(&columns.body, &bounds.trusted()), Ok(log));
}
