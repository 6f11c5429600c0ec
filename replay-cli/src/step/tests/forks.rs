//! Playing on from a record: what is played, saved and audited.

use super::*;
use crate::judging::what_if::fork;
use crate::{Cli, Exit, run};
use clap::Parser;
use std::fs;

/// Returns an empty directory for this test.
fn directory(name: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("canasta-step-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).expect("a directory");
    place
}

fn command(args: &[&str]) -> (Exit, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let cli = Cli::try_parse_from([&["canasta-replay"], args].concat()).expect("arguments");
    let exit = run(&cli.command, &mut Io::new(&b""[..], &mut out, &mut err, false)).expect("it runs");
    (exit, String::from_utf8(out).expect("text"))
}

#[test]
fn a_fork_is_played_on_saved_opened_and_left() {
    let place = directory("fork");
    let log = play(&rules("classic-4p", 500), 2);
    let path = place.join("game.clog");
    fs::write(&path, &log).expect("it is written");
    let mut app = app(&log, 30, As::Judge, (80, 24));
    app.path.clone_from(&path);
    press(&mut app, "f");
    let text = screen(&app);
    assert!(text[0].contains("FORK before record 30: not the game"), "{text:?}");
    let before = history(&log).before(30).expect("a position").table;
    assert!(text.iter().filter(|line| line.starts_with("> ")).count() == 2, "{text:?}");
    // Nothing is saved before a step is played, and an illegal action is not played.
    assert_eq!(press(&mut app, "s"), AppEffect::None);
    press(&mut app, "aend_round<enter>");
    assert!(app.message.contains("not legal"), "{}", app.message);
    press(&mut app, "adance<enter>");
    assert!(app.message.contains("expected"), "{}", app.message);
    // Plays the second step, a step of a bot, takes the latter back, then lets bots play to the end of the round.
    press(&mut app, "<down><enter>bu");
    let ScreenMode::Fork(fork) = &app.mode else { panic!("a fork") };
    let (seat, steps) = (before.to_act().expect("a seat"), legal::steps(&before).actions);
    assert_eq!(fork.played, [(As::Seat(seat), steps[1].clone())]);
    press(&mut app, "B");
    let text = screen(&app).join("\n");
    assert!(text.contains("would score") && text.contains("the round is over"), "{text}");
    let AppEffect::Save { at, actions, output } = press(&mut app, "s<enter>") else { panic!("it is saved") };
    assert_eq!((at, &output), (30, &place.join("game-fork-30.clog")));

    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut io = Io::new(&b""[..], &mut out, &mut err, false);
    fork::save(&path, at, &actions, &output, &mut io).expect("it is written");
    assert!(fork::save(&path, at, &actions, &output, &mut io).is_err(), "it is there already");
    app.saved(output.clone());
    assert_eq!(press(&mut app, "o"), AppEffect::Open(output.clone(), 30));
    let name = output.to_str().expect("a path");
    let (exit, audit) = command(&["audit", name]);
    assert_eq!(exit, Exit::Clean, "{audit}");

    // The log of the fork has the actions of the game up to the record, and then the actions that were played here.
    let forked = fs::read(&output).expect("a log");
    let held = history(&forked);
    let genesis = &held.genesis;
    let of = genesis.fork_of.as_ref().expect("it is marked as a fork");
    assert_eq!((of.game_id, of.n), (history(&log).genesis.game_id, 29));
    let (exit, shown) = command(&["show", name, "--at", "0"]);
    assert_eq!(exit, Exit::Clean, "{shown}");
    let action = |entry: &canasta_engine::log::outcome::Outcome| match &*entry.record {
        canasta_engine::log::Record::Action(record) => Some(record.action.clone()),
        _ => None,
    };
    let played: Vec<Action> = held.entries.iter().filter_map(action).collect();
    let game: Vec<Action> = history(&log).entries[..30].iter().filter_map(action).collect();
    let own: Vec<Action> = actions.into_iter().map(|(_, action)| action).collect();
    assert_eq!(played[..game.len()], game);
    assert_eq!(played[game.len()..game.len() + own.len()], own);

    app.open(output, held, 30);
    assert!(screen(&app)[0].contains("(a fork)"), "{:?}", screen(&app)[0]);
    assert_eq!(press(&mut app, "q"), AppEffect::Open(path.clone(), 30));
    app.open(path, history(&log), 30);
    assert_eq!(press(&mut app, "q"), AppEffect::Quit);
    fs::remove_dir_all(place).expect("it is removed");
}

#[test]
fn only_a_judge_plays_on_and_only_within_a_round() {
    let log = play(&rules("classic-4p", 5), 1);
    let mut app = app(&log, 9, As::Seat(Seat(0)), (80, 24));
    press(&mut app, "f");
    assert!(
        matches!(app.mode, ScreenMode::Walk) && app.message.contains("look as the judge"),
        "{}",
        app.message
    );
    app.viewer = As::Judge;
    press(&mut app, "<home>f");
    assert!(
        matches!(app.mode, ScreenMode::Walk) && app.message.contains("no card is dealt"),
        "{}",
        app.message
    );
    press(&mut app, "<end>f");
    assert!(
        matches!(app.mode, ScreenMode::Walk) && app.message.contains("no seat can act"),
        "{}",
        app.message
    );
}

/// Compares the judgement of a typed action with the one of `what-if` in the position before the record.
#[test]
fn a_typed_action_is_judged_with_numbers_and_rules() {
    let log = play(&rules("classic-4p", 500), 2);
    let place = directory("typed");
    let path = place.join("game.clog");
    fs::write(&path, &log).expect("it is written");
    let name = path.to_str().expect("a path");
    let mut app = app(&log, 30, As::Judge, (200, 60));
    for typed in ["draw", "end_round", "discard X", "take 7h 7d", "S: draw"] {
        press(&mut app, &format!("w{typed}<enter>"));
        let text = screen(&app).join("\n");
        let (exit, said) = command(&["what-if", name, "--at", "30", "--action", typed]);
        let verdict = if exit == Exit::Clean { "LEGAL before" } else { "NOT LEGAL before" };
        assert!(
            text.contains(verdict) && (exit == Exit::Clean) != text.contains("NOT LEGAL"),
            "{typed}: {text}"
        );
        for line in said.lines().filter(|line| line.contains('[') && line.starts_with("    ")) {
            assert!(text.contains(line.trim()), "{typed}: {line} in {text}");
        }
        press(&mut app, "<esc>");
    }
    press(&mut app, "wnonsense<enter>");
    assert!(screen(&app).join("\n").contains("expected"));
    fs::remove_dir_all(place).expect("it is removed");
}

/// Checks that Tab writes every possible step once, and that each of these steps is legal.
#[test]
fn tab_offers_what_is_possible() {
    let log = play(&rules("classic-4p", 500), 2);
    let mut app = app(&log, 30, As::Judge, (80, 24));
    let before = history(&log).before(30).expect("a position").table;
    let steps = legal::steps(&before).actions.len();
    press(&mut app, "w");
    let mut offered = Vec::new();
    for _ in 0..steps {
        press(&mut app, "<tab>");
        let typed = app.input.as_ref().expect("a line").text.clone();
        press(&mut app, "<enter>");
        assert!(screen(&app).iter().any(|line| line.starts_with("LEGAL before")), "{typed}");
        offered.push(typed);
    }
    let first = offered[0].clone();
    offered.sort();
    offered.dedup();
    assert_eq!(offered.len(), steps);
    press(&mut app, "<tab>");
    assert_eq!(app.input.as_ref().expect("a line").text, first);
}
