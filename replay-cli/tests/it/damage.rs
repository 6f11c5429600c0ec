//! Every flipped bit and every truncation of a whole log is found, and its place is named.

use crate::common::{Extras, frames, play, short};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};

fn log() -> Vec<u8> {
    let rules = short("classic-4p", 5);
    let games = (0..20).map(|game| play(&rules, game, Extras::None));
    games.min_by_key(Vec::len).expect("twenty games")
}

/// Returns the number and the offset of the record whose frame has this byte; the header counts to record 0.
fn place(frames: &[usize], byte: usize) -> (u64, u64) {
    match frames.partition_point(|&start| start <= byte) {
        0 => (0, 0),
        after => (after as u64 - 1, frames[after - 1] as u64),
    }
}

#[test]
fn every_flipped_bit_is_found_where_it_is() {
    let mut log = log();
    assert_eq!(audit(&log, Expect::default()).verdict, Verdict::Clean);
    let frames = frames(&log);
    for bit in 0..log.len() * 8 {
        let flip = |log: &mut Vec<u8>| log[bit / 8] ^= 1 << (bit % 8);
        flip(&mut log);
        let report = audit(&log, Expect::default());
        let first = report.findings.first().unwrap_or_else(|| panic!("bit {bit}: nothing found"));
        let found = (first.kind, (first.record, first.offset));
        // The last byte of the header is the version.
        let (kind, verdict) = match bit / 8 {
            8 => (FindingKind::UnsupportedVersion, Verdict::UnsupportedVersion),
            _ => (FindingKind::Corrupt, Verdict::Altered),
        };
        assert_eq!(found, (kind, place(&frames, bit / 8)), "bit {bit}: {}", first.detail);
        assert_eq!(report.verdict, verdict);
        // The good prefix is that before the frame.
        assert_eq!(report.records, first.record);
        flip(&mut log);
    }
}

#[test]
fn every_truncation_is_found_where_it_is() {
    let log = log();
    let frames = frames(&log);
    for length in 0..log.len() {
        let report = audit(&log[..length], Expect::default());
        let [finding] = &report.findings[..] else { panic!("cut at {length}: {:?}", report.findings) };
        let kind = match length {
            0..9 => FindingKind::NotALog,
            _ if frames.contains(&length) => FindingKind::Incomplete,
            _ => FindingKind::Torn,
        };
        assert_eq!(
            (finding.kind, (finding.record, finding.offset)),
            (kind, place(&frames, length)),
            "cut at {length}"
        );
        // A live log may end between frames and nowhere else.
        let live = audit(&log[..length], Expect { live: true, ..Expect::default() });
        assert_eq!(live.findings.is_empty(), kind == FindingKind::Incomplete, "cut at {length}");
    }
}

/// Records exchanged, repeated or left out break the chain at the first that is not in its place.
#[test]
fn moved_records_are_found() {
    let log = log();
    let frames = frames(&log);
    let frame = |n: usize| &log[frames[n]..frames[n + 1]];
    for n in 1..frames.len() - 2 {
        let rest = &log[frames[n + 2]..];
        let (before, this, next) = (&log[..frames[n]], frame(n), frame(n + 1));
        for damaged in [
            [before, next, this, rest].concat(),
            [before, this, this, next].concat(),
            [before, next, rest].concat(),
        ] {
            let report = audit(&damaged, Expect::default());
            let first = &report.findings[0];
            assert_eq!(first.kind, FindingKind::Corrupt, "record {n}");
            assert!(first.record as usize >= n && first.record as usize <= n + 1, "record {n}: {first:?}");
        }
    }
}

/// Compares the bad logs that ship for other readers with their list: the verdict, the first finding and its record.
/// The list was written from how each log was damaged; `tests/interop/verify_clog.py` judges the same files.
#[test]
fn bad_logs_are_found_as_listed() {
    let place = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/conformance/bad/logs");
    let list = std::fs::read_to_string(place.join("expected.tsv")).expect("a list");
    let mut kinds = std::collections::BTreeSet::new();
    for line in list.lines().skip(1) {
        let [file, verdict, kind, record, done] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let log = std::fs::read(place.join(file)).expect("a log");
        let report = audit(&log, Expect::default());
        let first = report.findings.first().unwrap_or_else(|| panic!("{file}: nothing found"));
        let found = (report.verdict.name(), first.kind.name(), first.record.to_string());
        assert_eq!(found, (verdict, kind, record.to_owned()), "{file}: {done}: {}", first.detail);
        kinds.insert(kind.to_owned());
    }
    assert!(kinds.len() >= 15, "{kinds:?}");
}
