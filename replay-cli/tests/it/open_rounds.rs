//! Rounds that are not revealed yet: what everyone sees is what the whole log shows later, and nothing hidden is shown.

use crate::common::{Extras, command, directory, frames, play, short};
use base64ct::{Base64, Encoding};
use canasta_engine::action::As;
use canasta_engine::bot;
use canasta_engine::card::Card;
use canasta_engine::deal::{GameId, WallSalt};
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal;
use canasta_engine::log::record::Reveal;
use canasta_engine::log::{Reader, Record};
use canasta_engine::rules::PRESETS;
use canasta_engine::table::Phase;
use canasta_engine::token;
use canasta_engine::view::view;
use canasta_replay::Exit;
use std::fs;

/// Returns the records of a log.
fn records(log: &[u8]) -> Vec<Record> {
    let (mut reader, mut piece) = (Reader::new(), log);
    std::iter::from_fn(|| reader.next(&mut piece).expect("a whole log").map(|frame| frame.record().unwrap()))
        .collect()
}

fn out(args: &[&str], log: &[u8]) -> String {
    let ran = command(args, log);
    assert_ne!(ran.exit, Exit::Failure, "{args:?}: {}", ran.err);
    String::from_utf8(ran.out).expect("text")
}

/// Returns the lines that `show` prints below its first line, which tells how many records the log has.
fn table(log: &[u8], at: usize, options: &[&str]) -> String {
    let at = at.to_string();
    let shown = out(&[&["show", "-", "--at", &at], options].concat(), log);
    shown.split_once('\n').unwrap_or_else(|| panic!("{at}: {shown}")).1.to_owned()
}

/// Cuts the logs of every preset within a round. The table that the cut log shows is the one of the whole log, where all
/// cards of the round are known: turned cards and laid threes included.
#[test]
fn an_open_round_shows_the_table_of_the_whole_log() {
    let mut compared = 0;
    for preset in PRESETS {
        let place = directory(&format!("open-{preset}"));
        let folder = place.to_str().unwrap();
        let played =
            command(&["simulate", "--ruleset", preset, "--games", "1", "--seed", "7", "--out", folder], b"");
        assert_eq!(played.exit, Exit::Clean, "{preset}: {}", played.err);
        let log = fs::read(place.join("game-000000.clog")).unwrap();
        let (starts, records) = (frames(&log), records(&log));
        let ends = |record: &Record| matches!(record, Record::RoundEnd(end) if end.round > 0);
        let end = records.iter().position(ends).expect("a round");
        let registers = |record: &Record| matches!(record, Record::Register(_));
        let first = records[..end].iter().rposition(registers).expect("a register") + 1;
        for at in (first..end.min(first + 150)).step_by(17) {
            let cut = &log[..starts[at + 1]];
            // What happened stands above an empty line: a digest does not tell in which order threes came.
            let below = |shown: String| shown.split_once("\n\n").expect("a table").1.to_owned();
            assert_eq!(below(table(cut, at, &[])), below(table(&log, at, &[])), "{preset}: record {at}");
            let position = out(&["position", "-"], cut);
            if position.contains("to move") {
                let judged = command(&["check", position.trim(), "--action", "draw"], b"");
                assert_ne!(judged.exit, Exit::Failure, "{preset}: {position}{}", judged.err);
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared} tables");
}

/// Checks that a seat's view of an open round names no card that the log does not make public.
#[test]
fn nothing_hidden_is_shown() {
    let log = play(&short("classic-4p", 5), 2, Extras::None);
    let (starts, records) = (frames(&log), records(&log));
    let end = records.iter().position(|record| matches!(record, Record::RoundEnd(_))).expect("a round");
    for at in 2..end {
        let cut = &log[..starts[at + 1]];
        // The lines of the table from its head on: seats, stock and pile, melds.
        let public: Vec<String> = table(cut, at, &[]).lines().map(str::to_owned).collect();
        for options in [&["--judge"][..], &["--seat", "N"], &["--seat", "East"], &["--seat", "2"]] {
            for line in table(cut, at, options).lines() {
                let known = public.iter().any(|other| other == line);
                let adds = line.contains("??")
                    || line.contains("pile, bottom to top")
                    || line.contains("position: ");
                assert!(known || adds || line.contains("in hand"), "record {at} {options:?}: {line}");
            }
        }
    }
}

/// Checks that a director who has the secret of the round sees what the whole log shows. Other secrets are refused.
#[test]
fn a_director_sees_an_open_round_with_its_secret() {
    let place = directory("open-rounds");
    let log = play(&short("classic-4p", 4_000), 3, Extras::None);
    let (starts, records) = (frames(&log), records(&log));
    let secret = |record: &Record| match record {
        Record::RoundEnd(end) => match &end.reveal {
            Reveal::Secret(secret) => {
                Some(secret.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
            }
            _ => None,
        },
        _ => None,
    };
    let secrets: Vec<String> = records.iter().filter_map(secret).collect();
    let file = |name: &str, text: &str| {
        let path = place.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let first = file("first", &format!("{}\n", secrets[0]));
    let cut = &log[..starts[30]];
    assert_eq!(table(cut, 29, &["--judge", "--round-secret", &first]), table(&log, 29, &["--judge"]));
    let position = out(&["position", "-", "--judge", "--round-secret", &first], cut);
    assert!(table(&log, 29, &["--judge"]).ends_with(&format!("position: {position}")));
    for (name, text, expected) in [
        ("second", secrets[1].as_str(), "not what the register of round 1 commits to"),
        ("short", "abcd", "expected the secret of a round: 128 hex digits"),
        ("words", "the round's secret", "expected the secret of a round: 128 hex digits"),
    ] {
        let wrong = file(name, text);
        let ran = command(&["show", "-", "--round-secret", &wrong], cut);
        assert!(ran.exit == Exit::Failure && ran.err.contains(expected), "{name}: {}", ran.err);
        assert!(ran.out.is_empty(), "{name}");
    }
    let ran = command(&["show", "-", "--round-secret", &first], &log);
    assert!(ran.err.contains("no round of this log is hidden"), "{}", ran.err);
}

/// Checks that an open state opens an explicit deal too, whose wall follows from no secret.
#[test]
fn a_director_sees_an_open_round_with_an_open_state() {
    let place = directory("open-states");
    let rules = short("classic-4p", 5);
    let wall: Vec<Card> = rules.census().iter().collect();
    let deal = NewDeal::Explicit { wall, salt: WallSalt([7; 32]) };
    let created = Game::create(NewGame::new(rules, GameId([5; 16]), deal)).expect("a game");
    let (mut game, mut log) = (created.game, created.frames);
    let mut cut = (0, Vec::new(), Vec::new());
    for n in 0.. {
        if matches!(game.table.phase(), Phase::GameOver | Phase::Setup) {
            break;
        }
        let steps = legal::steps(&game.table);
        let actor = game.table.to_act().map_or(As::Table, As::Seat);
        let action = bot::suggest(&view(&game.table, actor), &steps.actions, 0);
        log.extend(game.act(actor, &action, Stamp::default()).expect("a step is legal").frames);
        if n == 20 {
            cut = (frames(&log).len() - 2, log.clone(), token::encode(&game));
        }
    }
    let (at, cut, state) = cut;
    let file = place.join("state");
    let opened = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        command(&["show", "-", "--judge", "--state", file.to_str().unwrap()], &cut)
    };
    let whole = table(&log, at, &["--judge"]);
    for bytes in [state.clone(), Base64::encode_string(&state).into_bytes()] {
        let shown = String::from_utf8(opened(&bytes).out).unwrap();
        assert_eq!(shown.split_once('\n').expect("a table").1, whole);
    }
    let wrong = opened(b"bm8gc3RhdGU=");
    assert!(wrong.exit == Exit::Failure && wrong.err.contains("expected an open state"), "{}", wrong.err);
    assert_eq!(table(&cut, at, &[]), table(&log, at, &[]));
}

/// Checks that `explain` and `what-if` judge in open rounds: what is legal whatever the hidden cards are, what is not, and what
/// depends on them.
#[test]
fn actions_are_judged_with_unknown_cards() {
    let log = play(&short("classic-4p", 5), 2, Extras::None);
    let (starts, records) = (frames(&log), records(&log));
    let drew = |record: &Record| match record {
        Record::Action(record) => record.action == canasta_engine::action::Action::DrawStock,
        _ => false,
    };
    let at = records.iter().position(drew).expect("a draw");
    let before = &log[..starts[at]];
    assert!(out(&["what-if", "-", "--action", "draw"], before).contains("\nLEGAL"));
    let cut = &log[..starts[at + 1]];
    let again = command(&["what-if", "-", "--action", "draw"], cut);
    let again = String::from_utf8(again.out).unwrap();
    assert!(again.contains("\nNOT LEGAL") && again.contains("TURN_ALREADY_DREW"), "{again}");
    let discard = command(&["what-if", "-", "--action", "discard 7h"], cut);
    let discard = String::from_utf8(discard.out).unwrap();
    assert!(discard.contains("DEPENDS\n  on 7h: the hand must hold it"), "{discard}");
    let explained = out(&["explain", "-", "--at", &at.to_string()], cut);
    assert!(explained.contains("allowed    as far as the cards are known"), "{explained}");
}
