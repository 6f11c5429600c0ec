//! The facts that a session finds and shows agree with the audit and the export of the same log.

use super::*;
use crate::step::find::{Mark, nearest};
use crate::{Cli, run};
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::replay::{Step, What};
use canasta_engine::notation::Position;
use clap::Parser;
use serde_json::Value;

/// Compares each position that is played again from a kept position with the position of the audit.
#[test]
fn positions_between_two_that_are_kept_are_those_of_the_audit() {
    let mut compared = 0;
    for (game, preset) in (0..).zip(PresetId::all()) {
        let log = play(&rules(preset.name(), 5), game);
        let history = history(&log);
        let mut auditor = Auditor::new(Expect::default());
        auditor.feed_watched(&log, &mut |step: &Step<'_>| {
            let position = |state: &canasta_engine::table::Table| Position::of(state).to_string();
            let held = match step.what {
                What::Acted(_) | What::Booked { .. } => history.after(step.place.n),
                What::Refused { .. } => history.before(step.place.n),
                _ => return,
            };
            let held = held.expect("a position");
            assert_eq!(
                position(&held.table),
                position(step.table),
                "{} record {}",
                preset.name(),
                step.place.n
            );
            assert_eq!(held.table.scores(), step.table.scores());
            compared += 1;
        });
        assert!(auditor.finish().findings.is_empty());
    }
    assert!(compared > 1000, "{compared} positions");
}

/// Exports the log and returns one value per record.
fn exported(log: &[u8]) -> Vec<Value> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let cli = Cli::try_parse_from(["canasta-replay", "export", "-"]).expect("arguments");
    run(&cli.command, &mut Io::new(log, &mut out, &mut err, false)).expect("an export");
    out.split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).expect("a line of JSON"))
        .collect()
}

/// Compares the records at which the keys stop, forwards and backwards, with those of an export.
#[test]
fn keys_go_to_every_refusal_take_canasta_and_deal_and_to_nothing_else() {
    let log = play(&rules("classic-4p", 2000), 2);
    let exported = exported(&log);
    let canasta = |value: &Value| {
        value["events"].as_array().is_some_and(|events| events.iter().any(|event| event["type"] == "canasta"))
    };
    let takes = |value: &Value| value["kind"] == "action" && value["action"]["type"] == "take_pile";
    let of = |is: &dyn Fn(&Value) -> bool| -> Vec<u64> {
        (0..).zip(&exported).filter(|(_, value)| is(value)).map(|(n, _)| n).collect()
    };
    let expected = [
        ('r', of(&|value| value["kind"] == "refusal")),
        ('p', of(&takes)),
        ('c', of(&canasta)),
        ('d', of(&|value| value["kind"] == "action" && value["action"]["type"] == "deal")),
    ];
    let mut app = app(&log, 0, As::Judge, (80, 24));
    assert_eq!(app.history.entries.len(), exported.len());
    for (key, expected) in expected {
        assert!(expected.len() > 1, "{key}: {expected:?}");
        press(&mut app, "<home>");
        let mut found = Vec::new();
        loop {
            press(&mut app, &key.to_string());
            if app.message.starts_with("no ") {
                break;
            }
            found.push(app.at);
        }
        assert_eq!(found, expected, "{key}");
        press(&mut app, "<end>");
        for n in expected.iter().rev() {
            press(&mut app, &key.to_ascii_uppercase().to_string());
            assert_eq!(app.at, *n);
        }
    }
}

#[test]
fn words_and_numbers_are_gone_to() {
    let log = play(&rules("classic-4p", 2000), 2);
    let mut app = app(&log, 0, As::Judge, (80, 24));
    let ends: Vec<u64> =
        (0..).zip(exported(&log)).filter(|(_, value)| value["kind"] == "round_end").map(|(n, _)| n).collect();
    press(&mut app, "/the ROUND is over<enter>");
    assert_eq!(app.at, ends[0]);
    press(&mut app, "n");
    assert_eq!(app.at, ends[1]);
    press(&mut app, "N");
    assert_eq!(app.at, ends[0]);
    press(&mut app, "/no such words<enter>");
    assert_eq!((app.at, app.message.contains("told of no record")), (ends[0], true));
    press(&mut app, ":37<enter>");
    assert_eq!(app.at, 37);
    press(&mut app, "41<enter>");
    assert_eq!(app.at, 41);
    press(&mut app, ":999999<enter>");
    assert_eq!((app.at, app.message.contains("is no record")), (41, true));
    press(&mut app, "<home><left>");
    assert_eq!(app.at, 0);
    press(&mut app, "<end><right>");
    assert_eq!(app.at, app.history.last());
}

/// Checks that the key for refusals also stops at an illegal action, and that the table after it is unknown until the
/// next round.
#[test]
fn an_illegal_action_is_shown_and_what_follows_it_is_not_judged() {
    let log = play(&rules("classic-4p", 2000), 2);
    let mut lines = exported(&log);
    let discards = |value: &Value| value["kind"] == "action" && value["action"]["type"] == "discard";
    let at =
        (0..).zip(&lines).filter(|(_, value)| discards(value)).map(|(n, _)| n).nth(7).expect("a discard");
    let whole = history(&log);
    let before = whole.before(at as u64).expect("a position").table;
    let seat = before.to_act().expect("a seat");
    let missing = before.rules().census().iter().find(|card| before.hand(seat).count(*card) == 0);
    lines[at]["action"]["card"] = missing.expect("a card that is not held").to_string().into();
    // The rest of the round is no longer executed, so its lines may not have what followed from its records.
    for line in &mut lines[at..] {
        let ends = line["kind"] == "round_end";
        let line = line.as_object_mut().expect("an object");
        for key in ["events", "concealed"] {
            line.shift_remove(key);
        }
        if ends {
            line.shift_remove("seat");
            break;
        }
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let place = std::env::temp_dir().join(format!("canasta-step-{}-illegal.clog", std::process::id()));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["canasta-replay", "import", "-", "-o", place.to_str().expect("a path")];
    let cli = Cli::try_parse_from(args).expect("arguments");
    run(&cli.command, &mut Io::new(text.as_bytes(), &mut out, &mut err, false)).expect("an import");
    let broken = std::fs::read(&place).expect("a log");
    std::fs::remove_file(&place).expect("it is there");

    let mut app = app(&broken, 0, As::Judge, (80, 24));
    let next = nearest(0, app.history.last(), true, |n| {
        app.history.entry(n).is_some_and(|entry| entry.illegal.is_some())
    });
    assert_eq!(next, Some(at as u64));
    press(&mut app, &format!("{}<enter>r", at - 1));
    assert_eq!(app.at, at as u64);
    let text = screen(&app).join("\n");
    for part in ["ILLEGAL TURN_CARD_NOT_IN_HAND", "1 finding", "in hand"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    press(&mut app, "w");
    let why = screen(&app).join("\n");
    assert!(why.contains("ILLEGAL") && why.contains("the log has it as done"), "{why}");
    press(&mut app, "<esc><right>");
    let text = screen(&app).join("\n");
    assert!(text.contains(&format!("the action of record {at} broke the rules")), "{text}");
    press(&mut app, "w");
    assert!(words(&screen(&app)).contains("play before it broke the rules"));
    press(&mut app, "<esc>d");
    assert!(screen(&app).join("\n").contains("11 in hand"));
}

/// Checks that a torn or altered log is shown up to the damage, and that the last line has the place and the reason.
#[test]
fn a_damaged_log_is_walked_as_far_as_it_can_be_read() {
    let log = play(&rules("classic-4p", 5), 3);
    let whole = history(&log).entries.len();
    let torn = &log[..log.len() / 2];
    let mut altered = log.clone();
    altered[log.len() / 2] ^= 1;
    for (damaged, why) in [(torn, "torn"), (&altered, "the chain breaks")] {
        let mut app = app(damaged, 0, As::Judge, (80, 24));
        assert!(app.history.entries.len() < whole);
        press(&mut app, "<end>");
        let text = words(&screen(&app));
        let record = app.history.entries.len();
        assert!(text.contains(&format!("the log can be read no further: record {record}, byte ")), "{text}");
        assert!(text.contains(why) && text.contains("1 finding"), "{text}");
        press(&mut app, "a");
        assert!(screen(&app).join("\n").contains(why));
    }
}

#[test]
fn marks_have_names() {
    let names = [Mark::Refusal, Mark::PileTake, Mark::Canasta, Mark::Deal].map(Mark::name);
    assert_eq!(names, ["refusal", "take of the pile", "canasta", "deal"]);
}
