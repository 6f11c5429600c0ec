//! Reading on after a fault: what is before the fault stays proven, what follows is reported and marked, and
//! every byte is accounted for.

use crate::common::{Extras, Rng, frames, play, short};
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::{Reader, Record};

fn salvaged(log: &[u8]) -> Report {
    audit(log, Expect { salvage: true, ..Expect::default() })
}

/// Returns a game of several rounds.
fn log() -> Vec<u8> {
    let rules = short("classic-4p", 2_000);
    (0..20).map(|game| play(&rules, game, Extras::None)).max_by_key(Vec::len).expect("twenty games")
}

/// Returns the numbers of the records that end rounds.
fn round_ends(log: &[u8]) -> Vec<usize> {
    let (mut reader, mut input, mut ends) = (Reader::new(), log, Vec::new());
    while let Some(frame) = reader.next(&mut input).expect("an intact log") {
        if let Ok(Record::RoundEnd(_)) = frame.record() {
            ends.push(frame.n as usize);
        }
    }
    ends
}

/// Changes any byte: the first finding and the good prefix equal those of the strict audit, the rest is marked, and
/// every byte is before the fault, in a record, or counted as skipped.
#[test]
fn what_is_before_the_fault_is_as_in_the_strict_audit() {
    let log = log();
    let mut rng = Rng(5);
    for _ in 0..60 {
        let mut damaged = log.clone();
        let at = rng.below(damaged.len());
        damaged[at] ^= 1 << rng.below(8);
        let (strict, salvaged) = (audit(&damaged, Expect::default()), salvaged(&damaged));
        assert_eq!(salvaged.findings[0], strict.findings[0], "byte {at}");
        assert_eq!(
            (salvaged.records, salvaged.bytes, salvaged.head),
            (strict.records, strict.bytes, strict.head),
            "byte {at}"
        );
        assert_eq!(salvaged.verdict, Verdict::Altered);
        assert!(salvaged.findings[1..].iter().all(|finding| finding.unproven), "byte {at}");
        let read = salvaged.salvaged.expect("a fault");
        let gaps: u64 =
            salvaged.findings.iter().filter(|f| f.detail.contains("hold no frame")).count() as u64;
        assert_eq!(read.passed_over > 0, gaps > 0, "byte {at}: {:?}", salvaged.findings);
        let all = frames(&log).len() as u64 - 1;
        let found = salvaged.records + read.records;
        assert!(found == all || read.passed_over > 0, "byte {at}: {found} of {all} records");
    }
}

/// Checks that a damaged length loses only its own record: all other records are read.
#[test]
fn a_damaged_length_costs_one_record() {
    let log = log();
    let frames = frames(&log);
    for n in (1..frames.len() - 2).step_by(7) {
        let mut damaged = log.clone();
        damaged[frames[n]] ^= 0x40;
        let report = salvaged(&damaged);
        let read = report.salvaged.expect("a fault");
        assert_eq!(report.records, n as u64);
        assert_eq!(read.passed_over, (frames[n + 1] - frames[n]) as u64, "record {n}");
        assert_eq!(report.records + read.records, frames.len() as u64 - 2, "record {n}");
    }
}

/// Checks that an illegal action two rounds after a damaged one is found and marked, and that the rounds between and
/// after them are judged.
#[test]
fn faults_behind_a_fault_are_found() {
    let log = log();
    let (frames, ends) = (frames(&log), round_ends(&log));
    assert!(ends.len() > 3, "{} rounds", ends.len());
    // Only the head is wrong: the record itself is as before, so its round is still judged.
    let mut damaged = log.clone();
    let suffix = frames[5] - 1;
    damaged[suffix] ^= 1;
    let report = salvaged(&damaged);
    let kinds: Vec<FindingKind> = report.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::Corrupt], "only the broken chain: {:?}", report.findings);
    assert_eq!((report.rounds as usize, report.conditional_from), (ends.len(), None));
    // Now a round end has another score as well.
    let at = frames[ends[2]] + 3;
    let Ok(Record::RoundEnd(mut end)) = Record::decode(&log[at..frames[ends[2] + 1] - 8]) else {
        unreachable!()
    };
    let line = end.scores[0].lines.first_mut().expect("a line");
    line.points += if line.points % 2 == 0 { 10 } else { -10 };
    let payload = Record::RoundEnd(end).encode().expect("a record");
    if payload.len() == frames[ends[2] + 1] - 8 - at {
        damaged[at..at + payload.len()].copy_from_slice(&payload);
        let report = salvaged(&damaged);
        let found: Vec<_> = report.findings[1..].iter().map(|f| (f.kind, f.record, f.unproven)).collect();
        let record = ends[2] as u64;
        assert_eq!(
            found,
            [(FindingKind::Score, record, true), (FindingKind::Tally, record, true)],
            "{:?}",
            report.findings
        );
    }
}

/// Checks that nothing after a missing round end is judged, because its scores are unknown, and that the report says
/// so.
#[test]
fn without_a_round_end_the_rest_is_not_judged() {
    let log = log();
    let (frames, ends) = (frames(&log), round_ends(&log));
    let mut damaged = log[..frames[ends[1]]].to_vec();
    damaged.extend(&log[frames[ends[1] + 1]..]);
    let report = salvaged(&damaged);
    let last = report.findings.last().expect("findings");
    assert_eq!((last.kind, last.unproven), (FindingKind::NotJudged, true), "{:?}", report.findings);
    assert_eq!(report.result, None, "no result is claimed");
}
