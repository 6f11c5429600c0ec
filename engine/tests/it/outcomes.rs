//! The outcomes of a log, from one reading: what `Collector` passes on is what a reader finds and an audit reports.

use crate::support::{chained, records};
use canasta_engine::log::audit::{Auditor, Expect, audit};
use canasta_engine::log::outcome::{Collector, Outcome, ReachedPosition, Replay, ReplayedLog};
use canasta_engine::log::{LogErrorKind, Reader, Record};

const LIVE: Expect = Expect { live: true, head: None, record: None, salvage: false };

/// Returns a whole game with refused actions.
fn game() -> Vec<u8> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/logs/v2/classic-4p/game-000000.clog");
    std::fs::read(file).expect("a golden log")
}

/// Replays a log in pieces of this size.
fn replay(log: &[u8], size: usize, collector: Collector) -> (Vec<Outcome>, ReplayedLog) {
    let (mut replay, mut outcomes) = (Replay::new(Auditor::new(LIVE), collector), Vec::new());
    for piece in log.chunks(size) {
        replay.feed(piece, &mut |outcome| outcomes.push(outcome));
    }
    let end = replay.finish(&mut |outcome| outcomes.push(outcome));
    (outcomes, end)
}

#[test]
fn every_record_comes_once_with_what_it_led_to() {
    let log = game();
    let expected = records(&log);
    for size in [log.len(), 97] {
        let (outcomes, end) = replay(&log, size, Collector::all());
        assert_eq!(outcomes.len(), expected.len());
        let mut moved = None;
        for ((n, record), outcome) in (0..).zip(&expected).zip(&outcomes) {
            assert_eq!((outcome.n(), &*outcome.record), (n, record));
            let at = |position: &Option<ReachedPosition>| position.as_ref().map(|at| at.n);
            assert_eq!(outcome.before.is_some(), outcome.is_judged && moved.is_some(), "record {n}");
            assert_eq!(at(&outcome.before), moved.filter(|_| outcome.is_judged), "record {n}");
            if outcome.is_judged {
                moved = Some(n);
            }
            assert_eq!(at(&outcome.after), moved, "record {n}");
            assert_eq!(outcome.events.is_some(), matches!(record, Record::Action(_)), "record {n}");
            assert_eq!(outcome.refused.is_some(), matches!(record, Record::Refusal(_)), "record {n}");
            assert_eq!(outcome.ended.is_some(), matches!(record, Record::RoundEnd(_)), "record {n}");
            assert_eq!(outcome.is_booked, outcome.ended.is_some(), "record {n}");
        }
        let last = outcomes.last().expect("a record");
        assert_eq!((last.result, last.place.head), (end.report.result, end.report.head));
        assert_eq!((end.last, end.part.seq), (Some(last.n()), end.report.actions));
        assert!(end.fault.is_none());
    }
}

#[test]
fn records_behind_one_that_stops_the_audit_come_too_and_the_report_is_that_of_the_stop() {
    let mut records = records(&game());
    let register =
        records.iter().position(|record| matches!(record, Record::Register(_))).expect("a register");
    records.insert(register + 9, records[register].clone());
    let log = chained(&records);
    for size in [log.len(), 97] {
        let (outcomes, end) = replay(&log, size, Collector::all());
        assert!(outcomes.iter().map(|outcome| &*outcome.record).eq(&records));
        assert!(outcomes.iter().all(|outcome| !outcome.is_judged));
        assert_eq!(end.report, audit(&log, LIVE));
        assert!(end.report.records < records.len() as u64 && end.fault.is_none());
    }
}

#[test]
fn a_collector_of_one_record_and_one_of_the_last_pass_on_the_same() {
    let log = game();
    let (all, _) = replay(&log, log.len(), Collector::all());
    let same = |found: &Outcome, expected: &Outcome| {
        assert_eq!(
            (found.place, &found.record, found.part),
            (expected.place, &expected.record, expected.part)
        );
        assert_eq!(found.events, expected.events);
        assert_eq!(found.after.as_ref().map(|at| at.n), expected.after.as_ref().map(|at| at.n));
    };
    for n in 0..all.len() as u64 {
        let (found, _) = replay(&log, 4096, Collector::new(n, move |wanted| wanted == n));
        same(found.last().expect("the record"), &all[n as usize]);
    }
    let (found, _) = replay(&log, 4096, Collector::new(u64::MAX, |_| false));
    same(found.last().expect("the last record"), all.last().expect("a record"));
}

#[test]
fn a_fault_ends_the_records_and_is_named() {
    let log = game();
    let whole = records(&log).len();
    let (outcomes, end) = replay(&log[..log.len() / 2], 97, Collector::all());
    assert!(outcomes.len() < whole);
    assert!(matches!(end.fault, Some(fault) if matches!(fault.kind, LogErrorKind::Torn { .. })));
    // A record of an unknown kind, whose frame and chain are right.
    let (mut reader, mut rest, mut unknown) = (Reader::new(), &log[..], log.clone());
    while reader.next(&mut rest).expect("a log").is_some() {}
    let mut chain = reader.chain();
    chain.append(&[255], &mut unknown);
    chain.append(&[255], &mut unknown);
    let (outcomes, end) = replay(&unknown, 97, Collector::all());
    assert_eq!(outcomes.len(), whole);
    let fault = end.fault.expect("a fault");
    assert_eq!(fault.record, whole as u64);
    assert!(matches!(fault.kind, LogErrorKind::Record(_)), "{fault}");
}
