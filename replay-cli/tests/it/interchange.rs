//! `canasta-jsonl/1`: lines that are parsed and written again, records that come back, and lines that are
//! refused.

#[path = "../../../engine/tests/it/log/arbitrary.rs"]
mod arbitrary;

use canasta_engine::log::Record;
use canasta_engine::text::interchange::{Derived, ExportError, Exporter, Importer};
use proptest::prelude::*;

/// The examples of the form's definition, in order of a log. `<N>` stands for hex of N digits.
const LINES: [&str; 13] = [
    r#"{"kind":"game","format":"canasta-jsonl/1","log":2,"game_id":"<32>","ruleset":{"id":"classic-4p+short","digest":"<digest>","knobs":{"seats":4,"side_count":2},"base":"classic-4p"},"seats":[{"seat":0,"name":"North","side":0,"key":"<64>"},{"seat":1,"name":"East","side":1},{"seat":2,"name":"South","side":0},{"seat":3,"name":"West","side":1}],"deal":{"mode":"seeded","commitment":"<64>","registration":"by_table"},"engine":"0.1.0","started_at":"2026-01-31T12:00:00.000Z","fork_of":{"game_id":"<32>","n":1,"head":"<64>"}}"#,
    r#"{"kind":"register","round":1,"attempt":1,"dealer":3,"commitment":"<64>","seats":["<64>",""],"beacon":{"chain":"<64>","round":123,"close_ms":1767225600000}}"#,
    r#"{"kind":"action","seq":1,"round":1,"at_ms":0,"action":{"type":"deal"},"events":[],"state":"<16>"}"#,
    r#"{"kind":"action","seq":2,"round":1,"seat":0,"at_ms":1830,"action":{"type":"draw_stock"},"cards":["Ks"],"events":[{"type":"drew","seat":0,"cards":["Ks"]}],"state":"<16>","sig":"<128>"}"#,
    r#"{"kind":"refusal","round":1,"seat":2,"at_ms":95000,"type":"take_pile","codes":["PILE_FROZEN_NEEDS_PAIR"],"masked":"<160>","action":{"type":"take_pile","with":["Ks"],"onto":"auto"}}"#,
    r#"{"kind":"refusal","round":1,"seat":2,"type":"pass","codes":["TURN_NOT_YOURS","TURN_DRAW_FIRST"],"action":{"type":"pass"}}"#,
    r#"{"kind":"note","at_ms":95000,"by":"director","text":"..."}"#,
    r#"{"kind":"note","by":2,"text":"line\nfeed, \"quote\", ž"}"#,
    r#"{"kind":"checkpoint","note":"..."}"#,
    r#"{"kind":"round_end","round":1,"attempt":1,"reason":"went_out","seat":2,"concealed":false,"dealer":3,"wall":["7h","X"],"secret":"<128>","start_scores":[0,0],"sides":[{"side":0,"lines":[{"item":"melded_cards","points":320},{"item":"natural_canastas","count":1,"points":500}],"total":820,"cumulative":820},{"side":1,"lines":[],"total":0,"cumulative":0}],"state":"<64>"}"#,
    r#"{"kind":"round_end","round":2,"attempt":1,"reason":"voided","wall":["7h","X"],"salt":"<64>","state":"<64>"}"#,
    r#"{"kind":"round_end","round":0,"attempt":1,"reason":"drawn","state":"<64>"}"#,
    r#"{"kind":"game_end","winner":0,"margin":1230,"sides":[{"side":0,"cumulative":5230},{"side":1,"cumulative":4000}],"secret":"<128>"}"#,
];

/// The actions of the form's definition; every word of every choice once.
const ACTIONS: [&str; 55] = [
    r#"{"type":"deal","lifted":45,"foot_lifted":52,"contributions":["<64>",""],"signature":"<96>","hands":[["Ks","??"],[]],"upcards":["??","7h"]}"#,
    r#"{"type":"deal"}"#,
    r#"{"type":"draw_cards","picks":[["Ks"],["2d","X"]]}"#,
    r#"{"type":"draw_cards"}"#,
    r#"{"type":"draw_stock"}"#,
    r#"{"type":"take_top"}"#,
    r#"{"type":"restore_pile"}"#,
    r#"{"type":"end_round"}"#,
    r#"{"type":"pass"}"#,
    r#"{"type":"take_talon"}"#,
    r#"{"type":"take_pile","with":["Ks","Kd"],"onto":"auto","also":[{"kind":"set","onto":"auto","cards":["Ks","Kh","2c"]}]}"#,
    r#"{"type":"take_pile","with":[],"onto":"new"}"#,
    r#"{"type":"take_pile","with":["2c"],"onto":4}"#,
    r#"{"type":"take_pile","with":["2c"],"onto":"1:4"}"#,
    r#"{"type":"meld","groups":[{"kind":"set","onto":"auto","top":true,"cards":["Ks","Kh","2c"]},{"kind":"wild","onto":0,"cards":["X"]}]}"#,
    r#"{"type":"meld","groups":[{"kind":"sequence","onto":"0:9","cards":["5c","4c","6c"]},{"kind":"black_threes","onto":"new","cards":["3c","3s"]}]}"#,
    r#"{"type":"meld","groups":[]}"#,
    r#"{"type":"merge_melds","a":1,"b":4}"#,
    r#"{"type":"undo_meld","meld":1,"cards":["Th"]}"#,
    r#"{"type":"lay_threes","cards":["3h"]}"#,
    r#"{"type":"ask","about":"go_out","to":2}"#,
    r#"{"type":"ask","about":"courtesy"}"#,
    r#"{"type":"answer","yes":true}"#,
    r#"{"type":"special_hand","hand":"straight"}"#,
    r#"{"type":"special_hand","hand":"pairs"}"#,
    r#"{"type":"special_hand","hand":"garbage"}"#,
    r#"{"type":"discard","card":"7h"}"#,
    r#"{"type":"call_reveal","of":1}"#,
    r#"{"type":"dispute","open":true,"reason":"..."}"#,
    r#"{"type":"dispute","open":false}"#,
    r#"{"type":"sign","side":0}"#,
    r#"{"type":"ruling","id":1,"by":"director","offender":2,"side":0,"rule":"IR-012","points":-100,"effect":{"type":"none"},"reason":"...","reverses":0}"#,
    r#"{"type":"ruling","id":2,"by":"jury","side":0,"rule":"IR-012","points":-100,"effect":{"type":"warning"},"reason":""}"#,
    r#"{"type":"ruling","id":3,"by":"table","side":0,"rule":"","points":5,"effect":{"type":"raise_minimum","by":10},"reason":"..."}"#,
    r#"{"type":"ruling","id":4,"by":"auto","side":0,"rule":"IR-050","points":0,"effect":{"type":"penalty_cards","seat":1,"cards":["Kd"]},"reason":"..."}"#,
    r#"{"type":"ruling","id":5,"by":"jury","side":0,"rule":"R","points":0,"effect":{"type":"forfeit_pile","seat":1,"until":0},"reason":"..."}"#,
    r#"{"type":"ruling","id":6,"by":"jury","side":0,"rule":"R","points":0,"effect":{"type":"stand","action":{"type":"discard","card":"7h"},"position":"P s"},"reason":"..."}"#,
    r#"{"type":"ruling","id":7,"by":"jury","side":0,"rule":"R","points":0,"effect":{"type":"stand","action":{"type":"pass"},"masked":"<160>"},"reason":"..."}"#,
    r#"{"type":"ruling","id":8,"by":"jury","side":0,"rule":"R","points":0,"effect":{"type":"redeal"},"reason":"..."}"#,
    r#"{"type":"ruling","id":9,"by":"jury","side":0,"rule":"R","points":0,"effect":{"type":"restore","to_seq":17},"reason":"..."}"#,
    r#"{"type":"ruling","id":10,"by":"jury","side":0,"rule":"R","points":0,"effect":{"type":"revoke_talon","side":1},"reason":"..."}"#,
    r#"{"type":"ruling","id":11,"by":"jury","side":0,"rule":"R","points":0,"effect":{"type":"adjust"},"reason":"..."}"#,
    r#"{"type":"ruling","id":12,"by":"jury","side":0,"rule":"R","points":0,"effect":{"type":"forfeit","side":1,"award":500},"reason":"..."}"#,
    r#"{"type":"ruling","id":13,"by":"jury","side":0,"rule":"R","points":0,"effect":{"type":"stop_clock"},"reason":"..."}"#,
    r#"{"type":"deal","lifted":0}"#,
    r#"{"type":"discard","card":"X"}"#,
    r#"{"type":"discard","card":"As"}"#,
    r#"{"type":"discard","card":"Kd"}"#,
    r#"{"type":"discard","card":"Qc"}"#,
    r#"{"type":"discard","card":"Jh"}"#,
    r#"{"type":"discard","card":"Ts"}"#,
    r#"{"type":"discard","card":"9s"}"#,
    r#"{"type":"discard","card":"3d"}"#,
    r#"{"type":"discard","card":"2h"}"#,
    r#"{"type":"answer","yes":false}"#,
];

/// The events of the form's definition.
const EVENTS: [&str; 36] = [
    r#"{"type":"drawn","picks":[["Ks"],["2d","X"]],"seating":[1,0],"dealer":1}"#,
    r#"{"type":"dealt","hands":[["Ks"],[]],"foot_sizes":[11,11],"talon_sizes":[3]}"#,
    r#"{"type":"dealt","hands":[["Ks"],["2d"]]}"#,
    r#"{"type":"upcard","card":"6h","covered":false}"#,
    r#"{"type":"drew","seat":0,"cards":["5c"]}"#,
    r#"{"type":"three_laid","seat":2,"card":"3d"}"#,
    r#"{"type":"replaced","seat":2,"card":"7s"}"#,
    r#"{"type":"melded","side":0,"meld":1,"kind":"set","rank":"T","cards":["Tc","Ts","2s"]}"#,
    r#"{"type":"melded","side":0,"meld":1,"kind":"wild","cards":["X","2s","2s"]}"#,
    r#"{"type":"canasta","side":0,"meld":1,"grade":"natural"}"#,
    r#"{"type":"canasta","side":0,"meld":1,"grade":"mixed"}"#,
    r#"{"type":"canasta","side":0,"meld":1,"grade":"wild"}"#,
    r#"{"type":"canasta","side":0,"meld":1,"grade":"sequence"}"#,
    r#"{"type":"merged","side":0,"a":1,"b":4}"#,
    r#"{"type":"unmelded","side":0,"meld":1,"cards":["Tc"]}"#,
    r#"{"type":"took_pile","seat":1,"cards":["6h","Ks"]}"#,
    r#"{"type":"took_top","seat":1,"card":"6h"}"#,
    r#"{"type":"restored_pile","seat":1}"#,
    r#"{"type":"discarded","seat":1,"card":"Ks","face_down":false}"#,
    r#"{"type":"froze","cause":"wild"}"#,
    r#"{"type":"froze","cause":"red_three"}"#,
    r#"{"type":"froze","cause":"not_opened"}"#,
    r#"{"type":"froze","cause":"always"}"#,
    r#"{"type":"passed","seat":1}"#,
    r#"{"type":"took_foot","seat":1}"#,
    r#"{"type":"talon_awarded","seat":1,"talon":0}"#,
    r#"{"type":"took_talon","seat":1,"cards":["6h","Ks","9c"]}"#,
    r#"{"type":"asked","seat":1,"about":"go_out","to":3}"#,
    r#"{"type":"answered","seat":3,"yes":false}"#,
    r#"{"type":"revealed","seat":3,"cards":["9c"]}"#,
    r#"{"type":"sides_fixed","lone":2}"#,
    r#"{"type":"went_out","seat":2,"concealed":false}"#,
    r#"{"type":"special_hand","seat":2,"hand":"pairs","cards":["9c","9c"]}"#,
    r#"{"type":"stock_exhausted"}"#,
    r#"{"type":"ruled","id":1},{"type":"disputed","open":true},{"type":"signed","side":0}"#,
    r#"{"type":"scored"}"#,
];

/// Returns the text with hex in place of `<N>`. The digest is SHA-256 of `canasta-ruleset/1`, a zero byte and
/// the knobs of the first line, computed by another program.
fn filled(line: &str) -> String {
    let mut line = line.replace("<digest>", DIGEST);
    for digits in [16, 32, 64, 96, 128, 160] {
        line = line.replace(&format!("<{digits}>"), &"0123456789abcdef".repeat(10)[..digits]);
    }
    line
}

const DIGEST: &str = "2df6024ada37f11a040e6f053754a2cdded655312836f96417a617e6a88e9602";

/// Imports the lines, encodes and decodes the records, and compares the exported lines.
fn check(lines: &[String]) {
    let (mut importer, mut exporter) = (Importer::new(), Exporter::new());
    for line in lines {
        let (record, derived) = importer.line(line).expect(line);
        let payload = record.encode().expect(line);
        assert_eq!(Record::decode(&payload).as_ref(), Ok(&record), "{line}");
        assert_eq!(&exporter.line(&record, &derived).expect("a line"), line);
    }
}

fn game() -> String {
    filled(LINES[0])
}

fn action_line(action: &str) -> String {
    filled(&format!(r#"{{"kind":"action","seq":1,"action":{action},"state":"<16>"}}"#))
}

#[test]
fn every_line_prints_back() {
    check(&LINES.map(filled));
}

#[test]
fn every_action_prints_back() {
    for action in ACTIONS {
        check(&[game(), action_line(action)]);
    }
}

#[test]
fn every_event_prints_back() {
    for event in EVENTS {
        let line = r#"{"kind":"action","seq":1,"action":{"type":"pass"},"events":["#;
        check(&[game(), filled(&format!(r#"{line}{event}],"state":"<16>"}}"#))]);
    }
}

/// Checks that the rule set says so, and the lines name seats, if scores are kept by seat.
#[test]
fn scores_are_kept_by_side_or_by_seat() {
    let knobs = r#"{"seats":3,"side_count":3,"score_unit":"seat"}"#;
    let game = game().replace(r#"{"seats":4,"side_count":2}"#, knobs).replace(DIGEST, BY_SEAT_DIGEST);
    let game = game.replace(r#""name":"South","side":0"#, r#""name":"South","side":2"#);
    let game = game.replace(r#","side":1}]"#, r#","side":0}]"#);
    let end = filled(LINES[12]);
    check(&[game.clone(), end.replace("\"side\"", "\"seat\"")]);
    let mut importer = Importer::new();
    importer.line(&game).expect("a game");
    let error = importer.line(&end).expect_err("sides");
    assert_eq!(error.to_string(), "line 2: sides[0].seat: missing");
}

const BY_SEAT_DIGEST: &str = "e72aa2b8c1811bb4fd997dc0014a5eb8fc03d0a7f2c19985c7a9a636f457a061";

/// Times add up in lines and are differences in records; a record without a time has none.
#[test]
fn times_are_added_up() {
    let note = |at_ms: &str| format!(r#"{{"kind":"note",{at_ms}"by":"table","text":""}}"#);
    let lines = ["\"at_ms\":5,", "", "\"at_ms\":5,", "\"at_ms\":18446744073709551615,"].map(note);
    check(&[&[game()], &lines[..3]].concat());
    let mut importer = Importer::new();
    importer.line(&game()).expect("a game");
    let elapsed = lines.map(|line| match importer.line(&line).expect("a note").0 {
        Record::Remark(note) => note.elapsed_ms,
        other => panic!("{other:?}"),
    });
    assert_eq!(elapsed, [Some(5), None, Some(0), Some(u64::MAX - 5)]);
    let error = importer.line(&note("\"at_ms\":4,")).expect_err("backwards");
    assert_eq!(error.reason, "at_ms 4 comes after 18446744073709551615");
}

/// Checks that `seq`, `round` and totals are counted from the records, whatever else is known.
#[test]
fn counts_need_no_rules() {
    let (mut importer, mut exporter) = (Importer::new(), Exporter::new());
    for line in LINES.map(filled) {
        let (record, _) = importer.line(&line).expect("a record");
        let counted = exporter.line(&record, &Derived::default()).expect("a line");
        for key in [r#""seq":"#, r#""round":1"#, r#""total":"#, r#""at_ms":"#] {
            assert_eq!(counted.matches(key).count(), line.matches(key).count(), "{line}");
        }
    }
}

#[test]
fn what_is_no_line_is_refused_with_its_place() {
    let faults = [
        ("{", ""),
        ("[]", ""),
        (r#"{"kind":"song"}"#, ""),
        (r#"{"kind":"checkpoint"}"#, "note"),
        (r#"{"kind":"checkpoint","note":null}"#, "note"),
        (r#"{"kind":"checkpoint","note":"","note":""}"#, "note"),
        (r#"{"kind":"checkpoint","note":"","more":1}"#, "more"),
        (r#"{"kind":"checkpoint","note":7}"#, "note"),
        (r#"{"kind":"note","by":"jury","text":""}"#, "by"),
        (r#"{"kind":"game_end","winner":256}"#, "winner"),
        (r#"{"kind":"game_end","winner":1.0}"#, "winner"),
        (r#"{"kind":"game_end","secret":"00"}"#, "secret"),
        (r#"{"kind":"game_end","sides":[{"side":0,"cumulative":1},{"side":1}]}"#, "sides[1].cumulative"),
    ];
    for (line, field) in faults {
        let mut importer = Importer::new();
        importer.line(&game()).expect("a game");
        let error = importer.line(line).expect_err(line);
        assert_eq!((error.line, error.field.as_str()), (2, field), "{line}: {error}");
    }
    let actions = [
        (r#"{"type":"sing"}"#, "action.type"),
        (r#"{"type":"discard"}"#, "action.card"),
        (r#"{"type":"discard","card":"??"}"#, "action.card"),
        (r#"{"type":"pass","card":"7h"}"#, "action.card"),
        (
            r#"{"type":"meld","groups":[{"kind":"set","onto":"auto","cards":["7h","7x"]}]}"#,
            "action.groups[0].cards[1]",
        ),
        (r#"{"type":"take_pile","with":[],"onto":"01:4"}"#, "action.onto"),
        (r#"{"type":"take_pile","with":[],"onto":256}"#, "action.onto"),
        (r#"{"type":"take_pile","with":[],"onto":-1}"#, "action.onto"),
        (r#"{"type":"deal","signature":"ABCD"}"#, "action.signature"),
        (r#"{"type":"deal","signature":"abc"}"#, "action.signature"),
    ];
    for (action, field) in actions {
        let mut importer = Importer::new();
        importer.line(&game()).expect("a game");
        let error = importer.line(&action_line(action)).expect_err(action);
        assert_eq!(error.field, field, "{action}: {error}");
    }
}

#[test]
fn a_game_is_the_first_line_and_fits_itself() {
    assert!(Importer::new().line(&filled(LINES[1])).is_err(), "no game");
    let mut importer = Importer::new();
    importer.line(&game()).expect("a game");
    assert!(importer.line(&game()).is_err(), "two games");
    let changes = [
        (r#""log":2"#, r#""log":3"#),
        ("jsonl/1", "jsonl/2"),
        (r#""seat":2"#, r#""seat":3"#),
        (r#""name":"South","side":0"#, r#""name":"South","side":1"#),
        (r#""side_count":2"#, r#""side_count":4"#),
        ("2026-01-31", "2026-02-31"),
    ];
    for (from, to) in changes {
        assert!(Importer::new().line(&game().replacen(from, to, 1)).is_err(), "{to}");
    }
}

#[test]
fn a_rule_set_must_be_canonical_to_be_exported() {
    let (record, _) = Importer::new().line(&game()).expect("a game");
    let Record::Genesis(mut genesis) = record else { panic!("a genesis") };
    for bad in ["", "[]", "{ }", r#"{"a":1,"a":2}"#, r#"{"a":1e2}"#] {
        genesis.rule_set = bad.as_bytes().to_vec();
        let line = Exporter::new().line(&Record::Genesis(genesis.clone()), &Derived::default());
        assert_eq!(line, Err(ExportError::RuleSet), "{bad}");
    }
}

/// Returns the record with a rule set that is JSON: a line can hold every other record.
fn exportable(record: Record) -> Record {
    match record {
        Record::Genesis(mut genesis) => {
            genesis.rule_set = br#"{"seats":4,"side_count":2}"#.to_vec();
            Record::Genesis(genesis)
        }
        other => other,
    }
}

proptest! {
    /// Checks that any record of any log, with nothing derived, comes back from its line.
    #[test]
    fn records_come_back(record in arbitrary::record().prop_map(exportable)) {
        let (mut importer, mut exporter) = (Importer::new(), Exporter::new());
        if !matches!(record, Record::Genesis(_)) {
            let (first, _) = importer.line(&game()).expect("a game");
            exporter.line(&first, &Derived::default()).expect("a line");
        }
        let line = exporter.line(&record, &Derived::default()).expect("a line");
        prop_assert!(!line.contains('\n'));
        let (read, _) = importer.line(&line).expect(&line);
        prop_assert_eq!(read, record);
    }
}
