//! The view of a refused action by each viewer; nothing hidden is shown to a seat.

use crate::common::{Extras, command, play, short};
use canasta_engine::log::Record;
use canasta_engine::log::record::Attempt;
use canasta_engine::log::{HEADER, Reader};

fn records(log: &[u8]) -> Vec<Record> {
    let (mut reader, mut piece) = (Reader::new(), log);
    let mut records = Vec::new();
    while let Some(frame) = reader.next(&mut piece).expect("a whole log") {
        records.push(frame.record().expect("a record"));
    }
    records
}

fn show(log: &[u8], at: usize, options: &[&str]) -> String {
    let at = at.to_string();
    let ran = command(&[&["show", "-", "--at", &at], options].concat(), log);
    String::from_utf8(ran.out).expect("text")
}

#[test]
fn a_masked_action_is_shown_to_a_judge_and_to_who_tried_it() {
    let rules = short("classic-4p", 5);
    let logs: Vec<Vec<u8>> = (0..6).map(|game| play(&rules, game, Extras::All)).collect();
    let mut seen = 0;
    for (log, n, record) in logs.iter().flat_map(|log| (0..).zip(records(log)).map(move |(n, r)| (log, n, r)))
    {
        let Record::Refusal(refusal) = record else { continue };
        let (Attempt::Masked { .. }, Some(actor)) = (&refusal.attempt, refusal.actor) else { continue };
        let hidden = "(hidden from this viewer)";
        for seat in 0..4u8 {
            let shown = show(log, n, &["--seat", &seat.to_string()]);
            assert_eq!(shown.contains(hidden), seat != actor.0, "record {n}, seat {seat}: {shown}");
        }
        assert!(show(log, n, &[]).contains(hidden));
        assert!(!show(log, n, &["--judge"]).contains(hidden));
        assert!(show(log, n, &[]).contains(&refusal.codes[0]));
        seen += 1;
    }
    assert!(seen > 3, "{seen} masked refusals");
}

/// Checks that every record of a log can be shown to everyone, and a record past the end to nobody.
#[test]
fn every_record_is_shown() {
    let log = play(&short("classic-4p", 5), 1, Extras::All);
    let records = records(&log).len();
    for n in 0..records {
        for options in [&[][..], &["--judge"], &["--seat", "2"]] {
            let text = show(&log, n, options);
            assert!(text.contains(&format!("record {n} of ")), "record {n}: {text}");
        }
    }
    assert_eq!(show(&log, records, &[]), "");
    assert_eq!(show(&HEADER, 0, &[]), "");
}
