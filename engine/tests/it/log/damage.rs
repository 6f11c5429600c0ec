//! Every flipped bit and every cut of a log is detected at its record, and classified.

use super::sample;
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::{Chain, DecodeError, Foreign, HEADER, LogError, LogErrorKind, Reader, Record};

/// Encodes `records` as a log. Returns the log, and the offset of each frame.
fn write(records: &[Record]) -> (Vec<u8>, Vec<u64>) {
    let mut bytes = HEADER.to_vec();
    let mut chain = Chain::START;
    let mut offsets = Vec::new();
    for record in records {
        offsets.push(bytes.len() as u64);
        chain.append(&record.encode().expect("the sample can be stored"), &mut bytes);
    }
    (bytes, offsets)
}

/// Reads a log in pieces of `size` bytes.
fn read(bytes: &[u8], size: usize) -> Result<(Vec<Record>, Chain), LogError> {
    let mut reader = Reader::new();
    let mut records = Vec::new();
    for mut piece in bytes.chunks(size) {
        while let Some(frame) = reader.next(&mut piece)? {
            assert_eq!(frame.n, records.len() as u64);
            records.push(frame.record()?);
        }
        assert!(piece.is_empty(), "the reader takes all it is fed");
    }
    Ok((records, reader.finish()?))
}

#[test]
fn a_log_reads_back_from_pieces_of_any_size() {
    let records = sample::records();
    let (bytes, _) = write(&records);
    let whole = read(&bytes, bytes.len()).expect("intact");
    assert_eq!(whole.0, records);
    assert_eq!(whole.1.next, records.len() as u64);
    for size in [1, 2, 3, 7, 8, 9, 10, 64, 1000] {
        assert_eq!(read(&bytes, size), Ok(whole.clone()), "pieces of {size}");
    }
}

#[test]
fn frames_say_where_they_stand() {
    let (bytes, offsets) = write(&sample::records());
    let mut reader = Reader::new();
    let mut input = &bytes[..];
    let mut before = canasta_engine::log::HEAD_START;
    for &offset in &offsets {
        let frame = reader.next(&mut input).expect("intact").expect("a frame");
        assert_eq!((frame.offset, frame.before), (offset, before));
        let at = offset as usize + 3;
        assert_eq!(frame.payload, &bytes[at..at + frame.payload.len()]);
        before = frame.head;
    }
    assert_eq!(reader.next(&mut input), Ok(None));
    assert_eq!(reader.offset(), bytes.len() as u64);
}

/// Checks the error for each flipped bit: not a log (or another version) in the header, a failed length check in the
/// first three bytes of a frame (CRC-8 detects every single flip), a broken chain elsewhere.
#[test]
fn every_flipped_bit_is_found_in_its_record() {
    let (bytes, offsets) = write(&sample::records());
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let error = read(&damaged, damaged.len()).expect_err("found");
            assert_eq!(read(&damaged, 5), Err(error.clone()), "pieces change nothing");
            let record = offsets.iter().rposition(|&offset| offset <= at as u64);
            let place = record.map_or((0, 0), |record| (record as u64, offsets[record]));
            assert_eq!((error.record, error.offset), place, "byte {at} bit {bit}: {error}");
            let fits = match error.kind {
                LogErrorKind::NotALog { found } => at < 8 && found == Foreign::DamagedHeader,
                LogErrorKind::Version { .. } => at == 8,
                LogErrorKind::LengthCheck { .. } => at as u64 - place.1 < 3,
                LogErrorKind::Chain { .. } => at as u64 - place.1 >= 3,
                _ => false,
            };
            assert!(fits, "byte {at} bit {bit}: {error}");
        }
    }
}

/// Checks that a payload with a flipped bit is another record or no record, so that a forged chain does not help: no
/// two payloads mean the same.
#[test]
fn every_flipped_bit_of_a_payload_changes_the_record() {
    for record in sample::records() {
        let payload = record.encode().expect("the sample can be stored");
        for at in 0..payload.len() {
            for bit in 0..8 {
                let mut damaged = payload.clone();
                damaged[at] ^= 1 << bit;
                match Record::decode(&damaged) {
                    Ok(other) => assert_eq!(other.encode().as_ref(), Ok(&damaged), "one spelling"),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
}

/// Checks that a log cut at the end of a frame (or of the header) is whole but shorter, that a log cut inside a frame
/// is torn, and that a part of the header is not a log.
#[test]
fn every_cut_is_whole_torn_or_no_log() {
    let (bytes, offsets) = write(&sample::records());
    for length in 0..bytes.len() {
        for size in [1, 4, bytes.len()] {
            let result = read(&bytes[..length], size);
            let complete = offsets.iter().filter(|&&offset| offset < length as u64).count() as u64;
            if offsets.contains(&(length as u64)) {
                let (records, chain) = result.expect("whole");
                assert_eq!((records.len() as u64, chain.next), (complete, complete));
                continue;
            }
            let error = result.expect_err("cut");
            if length < 9 {
                let found = if length == 0 { Foreign::Empty } else { Foreign::CutHeader };
                assert_eq!(error, LogError { record: 0, offset: 0, kind: LogErrorKind::NotALog { found } });
                continue;
            }
            let offset = offsets[complete as usize - 1];
            assert_eq!((error.record, error.offset), (complete - 1, offset));
            assert!(error.kind.is_torn(), "{error}");
            let LogErrorKind::Torn { present, expected } = error.kind else { unreachable!() };
            let next = offsets.get(complete as usize).copied().unwrap_or(bytes.len() as u64);
            assert_eq!(u64::from(present), length as u64 - offset);
            assert_eq!(u64::from(expected), if present < 3 { 3 } else { next - offset });
        }
    }
}

/// Checks that a tail with wrong length bytes is corrupt and not torn: a torn tail is what a crash leaves, but a
/// corrupt tail must not be cut off as if nothing were lost.
#[test]
fn a_damaged_tail_is_corrupt_not_torn() {
    let (bytes, offsets) = write(&sample::records());
    let last = *offsets.last().expect("records") as usize;
    let mut tail = bytes[..last + 5].to_vec();
    tail[last] ^= 1;
    let error = read(&tail, 1).expect_err("found");
    assert!(matches!(error.kind, LogErrorKind::LengthCheck { .. }), "{error}");
    for (length, check) in [([0, 0], 0x00), ([0xea, 0x61], 0xe1)] {
        let mut tail = bytes[..last].to_vec();
        tail.extend([length[0], length[1], check]);
        let error = read(&tail, 1).expect_err("found");
        assert_eq!(error.kind, LogErrorKind::Length { found: u16::from_be_bytes(length) });
        assert_eq!((error.record, error.offset), (offsets.len() as u64 - 1, last as u64));
    }
}

#[test]
fn the_first_fault_stays() {
    let (mut bytes, offsets) = write(&sample::records());
    bytes[offsets[3] as usize + 4] ^= 1;
    let mut reader = Reader::new();
    let mut input = &bytes[..];
    for _ in 0..3 {
        assert!(reader.next(&mut input).expect("good prefix").is_some());
    }
    let error = reader.next(&mut input).map(|_| ()).expect_err("found");
    assert_eq!((reader.chain().next, reader.offset()), (3, offsets[3]), "the good prefix is kept");
    let mut intact = &write(&sample::records()).0[..];
    assert_eq!(reader.next(&mut intact).map(|_| ()), Err(error.clone()));
    assert_eq!(reader.finish(), Err(error));
}

/// Records exchanged, left out or repeated break the chain even though each is intact.
#[test]
fn the_order_of_records_is_part_of_the_chain() {
    let (bytes, offsets) = write(&sample::records());
    let frame = |n: usize| &bytes[offsets[n] as usize..offsets[n + 1] as usize];
    let head = &bytes[..offsets[3] as usize];
    for tail in [[frame(4), frame(3)], [frame(4), frame(5)], [frame(3), frame(3)]] {
        let forged = [head, tail[0], tail[1]].concat();
        let error = read(&forged, 100).expect_err("found");
        assert!(matches!(error.kind, LogErrorKind::Chain { .. }));
        assert!(error.record == 3 || error.record == 4);
    }
}

#[test]
fn genesis_is_the_first_record_and_only_that() {
    let records = sample::records();
    let place = LogErrorKind::Record(DecodeError::Place);
    let error = read(&write(&records[1..]).0, 100).expect_err("no genesis");
    assert_eq!(error, LogError { record: 0, offset: 9, kind: place.clone() });
    let (bytes, offsets) = write(&[records[0].clone(), records[0].clone()]);
    let error = read(&bytes, 100).expect_err("two");
    assert_eq!(error, LogError { record: 1, offset: offsets[1], kind: place });
}

/// Checks that an intact frame around a payload that is not a record is corrupt, at its place.
#[test]
fn a_payload_that_is_no_record_is_found() {
    let (mut bytes, _) = write(&sample::records()[..1]);
    let offset = bytes.len() as u64;
    let mut reader = Reader::new();
    let mut input = &bytes[..];
    reader.next(&mut input).expect("intact").expect("genesis");
    let mut chain = reader.chain();
    chain.append(&[11], &mut bytes);
    let error = read(&bytes, 100).expect_err("found");
    let kind = LogErrorKind::Record(DecodeError::UnknownRecord { tag: 11 });
    assert_eq!(error, LogError { record: 1, offset, kind });
}

/// Checks that logs of version 1, as they were written then, are answered as of another version and never as damage, by
/// the reader and by an audit that salvages.
#[test]
fn version_1_is_no_damage() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/logs/v1");
    let presets = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut count = 0;
    for log in presets.map(|preset| std::fs::read(preset.join("game-000000.clog")).expect("a log")) {
        count += 1;
        let error = read(&log, 100).expect_err("another version");
        assert_eq!((error.record, error.kind), (0, LogErrorKind::Version { found: 1 }));
        for salvage in [false, true] {
            let report = audit(&log, Expect { salvage, ..Expect::default() });
            assert_eq!(report.verdict, Verdict::UnsupportedVersion, "{:?}", report.findings);
            let kinds: Vec<_> = report.findings.iter().map(|finding| finding.kind).collect();
            assert_eq!(kinds, [FindingKind::UnsupportedVersion]);
            assert_eq!((report.records, report.genesis, report.salvaged), (0, None, None));
        }
    }
    assert_eq!(count, 22);
}
