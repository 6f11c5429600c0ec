//! Hostile lengths reserve no memory: no input makes the log code request more than 64 KiB at once.
//!
//! The tests measure the peak of the memory held while reading, so every single allocation is below that peak.

use crate::log::sample;
use allocation_counter::measure;
use canasta_engine::log::{Chain, HEADER, Reader, Record, action_from_bytes, frame};

const LIMIT: u64 = 64 * 1024;

fn peak(read: impl FnOnce()) -> u64 {
    measure(read).bytes_max
}

fn check(bytes: &[u8]) {
    let record = peak(|| drop(Record::decode(bytes)));
    assert!(record <= LIMIT, "{record} bytes held for {bytes:02x?}");
    let action = peak(|| drop(action_from_bytes(bytes)));
    assert!(action <= LIMIT, "{action} bytes held for {bytes:02x?}");
}

/// A length of each width that an integer can have, from far too long to absurd.
const LENGTHS: [&[u8]; 6] = [
    &[250],
    &[251, 0xff, 0xff],
    &[252, 0xff, 0xff, 0, 0],
    &[252, 0xff, 0xff, 0xff, 0xff],
    &[253, 0, 0, 0, 0, 1, 0, 0, 0],
    &[253, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
];

/// Checks that the counter counts; otherwise the other tests prove nothing.
#[test]
fn the_counter_counts() {
    assert!(peak(|| drop(std::hint::black_box(Vec::<u8>::with_capacity(100_000)))) > LIMIT);
}

/// Puts a hostile length in the place of every byte of every record, and so in the place of every length.
#[test]
fn a_hostile_length_anywhere_reserves_nothing() {
    for record in sample::records() {
        let payload = record.encode().expect("the sample can be stored");
        for at in 0..payload.len() {
            for length in LENGTHS {
                check(&[&payload[..at], length, &payload[at + 1..]].concat());
                check(&[&payload[..at], length].concat());
            }
        }
    }
}

/// Puts a hostile length before a whole payload of bytes that could be taken for elements.
#[test]
fn a_hostile_length_before_a_full_payload_stays_small() {
    for filler in [0u8, 1, 2, 3] {
        for tag in 0u8..21 {
            for length in LENGTHS {
                let mut payload = [&[tag, 0], length].concat();
                payload.resize(frame::PAYLOAD_MAX, filler);
                check(&payload);
                payload.splice(2..2, [8]);
                payload.truncate(frame::PAYLOAD_MAX);
                check(&payload);
            }
        }
    }
}

/// Checks that the reader holds at most one frame, for any input in pieces of any size.
#[test]
fn the_reader_holds_one_frame() {
    let mut log = HEADER.to_vec();
    let mut chain = Chain::START;
    for size in [1, frame::PAYLOAD_MAX, 2, frame::PAYLOAD_MAX - 1, 40_000, 50_000] {
        chain.append(&vec![0x5a; size], &mut log);
    }
    for size in [1, 1000, 4096, 59_999, log.len()] {
        let held = peak(|| {
            let mut reader = Reader::new();
            for mut piece in log.chunks(size) {
                while reader.next(&mut piece).expect("intact").is_some() {}
            }
            assert_eq!(reader.finish(), Ok(chain));
        });
        assert!(held <= LIMIT, "{held} bytes held for pieces of {size}");
    }
    let nothing = peak(|| {
        let mut reader = Reader::new();
        let mut whole = &log[..];
        while reader.next(&mut whole).expect("intact").is_some() {}
    });
    assert!(nothing < 64, "whole frames are not copied, only the header is: {nothing}");
}

/// Tries every length that three bytes can claim, without the bytes that should follow.
#[test]
fn a_claimed_length_costs_at_most_one_frame() {
    for length in 0..=u16::MAX {
        let bytes = length.to_be_bytes();
        let tail = [&HEADER[..], &bytes, &[frame::crc8(bytes)], &[0; 4]].concat();
        let held = peak(|| {
            let mut reader = Reader::new();
            drop(reader.next(&mut &tail[..]));
            drop(reader.finish());
        });
        assert!(held <= LIMIT, "{held} bytes held for a length of {length}");
    }
}
