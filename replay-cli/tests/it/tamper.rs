//! Logs that were changed and got a new valid chain. Each change is reported, or is a change that only a head
//! or a signature from outside can show, and these show it.

use crate::common::{Extras, Rng, command, directory, play, short};
use canasta_engine::action::{Action, Group, Onto};
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::{Chain, HEADER, Head, Reader, Record};
use std::fs;

/// Returns the payloads of a log, and its head.
fn payloads(log: &[u8]) -> (Vec<Vec<u8>>, Head) {
    let (mut reader, mut input, mut payloads) = (Reader::new(), log, Vec::new());
    while let Some(frame) = reader.next(&mut input).expect("an intact log") {
        payloads.push(frame.payload.to_vec());
    }
    (payloads, reader.chain().head)
}

/// Returns a log of these payloads with a valid chain.
fn chained<P: AsRef<[u8]>>(payloads: impl IntoIterator<Item = P>) -> Vec<u8> {
    let (mut chain, mut log) = (Chain::START, HEADER.to_vec());
    payloads.into_iter().for_each(|payload| chain.append(payload.as_ref(), &mut log));
    log
}

/// Returns a short whole game.
fn game(preset: &str, number: u32) -> (Vec<Vec<u8>>, Head) {
    let rules = short(preset, 5);
    let games = (10 * number..10 * number + 10).map(|game| play(&rules, game, Extras::None));
    payloads(&games.min_by_key(Vec::len).expect("ten games"))
}

/// Checks that the audit with the head of the original log finds the change, and returns the plain audit.
fn judged(log: &[u8], head: Head, what: &str) -> Report {
    let anchored = audit(log, Expect { head: Some(head), ..Expect::default() });
    assert_ne!(anchored.verdict, Verdict::Clean, "{what}: with the head");
    // Salvage finds no less, and never calls the log clean.
    let salvaged = audit(log, Expect { salvage: true, ..Expect::default() });
    let plain = audit(log, Expect::default());
    assert_eq!(salvaged.verdict == Verdict::Clean, plain.verdict == Verdict::Clean, "{what}: salvaged");
    assert!(
        salvaged.findings.len() >= plain.findings.len(),
        "{what}: salvaged {:#?}, else {:#?}",
        salvaged.findings,
        plain.findings
    );
    plain
}

/// Returns a record without the claims that execution cannot judge: times, and which of two ways names a
/// meld.
fn substance(payload: &[u8]) -> Option<Record> {
    let onto_auto = |groups: &mut [Group]| groups.iter_mut().for_each(|group| group.onto = Onto::Auto);
    let mut record = Record::decode(payload).ok()?;
    if let Record::Action(action) = &mut record {
        action.elapsed_ms = None;
        match &mut action.action {
            Action::Meld(groups) => onto_auto(groups),
            Action::TakePile(take) => {
                take.onto = Onto::Auto;
                onto_auto(&mut take.also);
            }
            _ => {}
        }
    }
    Some(record)
}

/// Changes one bit in every second byte after the genesis record, whose names, id and version are claims.
#[test]
fn a_changed_bit_under_a_new_chain_is_found() {
    for preset in ["classic-4p", "samba-4p"] {
        let (payloads, head) = game(preset, 1);
        let mut rng = Rng(7);
        for n in 1..payloads.len() {
            for at in (n % 2..payloads[n].len()).step_by(2) {
                let mut forged = payloads.clone();
                forged[n][at] ^= 1 << rng.below(8);
                let what = format!("{preset} record {n} byte {at}");
                let report = judged(&chained(&forged), head, &what);
                if report.verdict == Verdict::Clean {
                    assert_eq!(substance(&forged[n]), substance(&payloads[n]), "{what}: not found");
                }
            }
        }
    }
}

/// Records left out, repeated, exchanged and inserted, under a new chain. Two equal records have no order.
#[test]
fn moved_records_under_a_new_chain_are_found() {
    let (payloads, head) = game("classic-4p", 2);
    let (other, _) = game("classic-4p", 3);
    for n in 0..payloads.len() {
        let (before, after) = payloads.split_at(n);
        let next = (n + 1).min(payloads.len() - 1);
        let mut swapped = payloads.clone();
        swapped.swap(n, next);
        let forgeries = [
            ("left out", [before, &after[1..]].concat()),
            ("repeated", [before, &after[..1], after].concat()),
            ("inserted", [before, &other[n % other.len()..=n % other.len()], after].concat()),
            ("exchanged", swapped),
        ];
        for (how, forged) in forgeries {
            if forged == payloads {
                continue;
            }
            let report = judged(&chained(&forged), head, &format!("record {n} {how}"));
            assert_ne!(report.verdict, Verdict::Clean, "record {n} {how}");
        }
    }
}

/// Joins the beginning of one game and the end of another, cut at every record of both.
#[test]
fn spliced_games_are_found() {
    let ((first, head), (second, _)) = (game("classic-4p", 4), game("classic-4p", 5));
    for n in 1..first.len() {
        for at in [1, n.min(second.len() - 1), second.len() - 1] {
            let forged = chained(first[..n].iter().chain(&second[at..]));
            let report = judged(&forged, head, &format!("{n} records, then from {at}"));
            assert_ne!(report.verdict, Verdict::Clean, "{n} records, then from {at}");
        }
    }
}

/// Changes a score, booked as if it were right: both counts find it, and the seat that would gain is named.
#[test]
fn a_changed_score_is_found_by_both_counts() {
    let (mut payloads, head) = game("classic-4p", 6);
    let at = payloads.iter().rposition(|p| matches!(Record::decode(p), Ok(Record::RoundEnd(_)))).unwrap();
    let Ok(Record::RoundEnd(mut end)) = Record::decode(&payloads[at]) else { unreachable!() };
    let line = end.scores[0].lines.first_mut().expect("a line");
    line.points += 100;
    payloads[at] = Record::RoundEnd(end).encode().unwrap();
    let report = judged(&chained(&payloads), head, "a score");
    let kinds: Vec<FindingKind> = report.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::Score, FindingKind::Tally]);
    assert!(report.findings.iter().all(|finding| finding.record == at as u64 && finding.position.is_some()));
}

/// Runs every command that a report prints.
#[test]
fn the_commands_of_a_report_work() {
    let place = directory("tamper-commands");
    let (payloads, _) = game("classic-4p", 7);
    let mut rng = Rng(3);
    let mut tried = 0;
    for n in 0..payloads.len() {
        let mut forged = payloads.clone();
        let at = rng.below(forged[n].len());
        forged[n][at] ^= 1 << rng.below(8);
        let mut log = chained(&forged);
        if n % 3 == 0 {
            let at = rng.below(log.len());
            log[at] ^= 0x10;
        }
        let file = place.join(format!("it's {n}.clog"));
        fs::write(&file, &log).unwrap();
        for extra in ["--live", "--salvage", "--strict"] {
            let ran = command(&["audit", "--format", "json", extra, file.to_str().unwrap()], b"");
            let report: serde_json::Value = serde_json::from_slice(&ran.out).expect("JSON");
            for finding in report["logs"][0]["findings"].as_array().unwrap() {
                let Some(show) = finding["show"].as_str() else { continue };
                let line = show.strip_prefix("canasta-replay show '").expect("a quoted path");
                let (_, rest) = line.rsplit_once('\'').expect("a quoted path");
                let args = ["show", file.to_str().unwrap()].into_iter().chain(rest.split_whitespace());
                let shown = command(&args.collect::<Vec<_>>(), b"");
                // A log that is damaged further on is a finding, and what is before it is shown.
                let told = shown.exit != canasta_replay::Exit::Failure && !shown.out.is_empty();
                assert!(told, "{show}: {finding}: {}", shown.err);
                tried += 1;
            }
        }
    }
    assert!(tried > payloads.len(), "{tried} commands");
}
