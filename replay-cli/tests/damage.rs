//! One whole log, every bit flipped and every truncation: each is found, and its place named.

mod common;

use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use common::{Extras, frames, play, short};

fn log() -> Vec<u8> {
    let rules = short("classic-4p", 5);
    let games = (0..20).map(|game| play(&rules, game, Extras::None));
    games.min_by_key(Vec::len).expect("twenty games")
}

/// The record whose frame holds this byte, and where it begins; the header counts to record 0.
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
        assert_eq!(found, (FindingKind::Corrupt, place(&frames, bit / 8)), "bit {bit}: {}", first.detail);
        assert_eq!(report.verdict, Verdict::Altered);
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
            0..9 => FindingKind::Corrupt,
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
