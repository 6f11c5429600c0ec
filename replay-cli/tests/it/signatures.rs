//! Actions that players signed, verified with their keys, and rulings that directors signed.

use crate::common::{Rng, command, directory, short};
use canasta_engine::action::{Action, As, EffectKind};
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal;
use canasta_engine::log::record::Player;
use canasta_engine::log::{action_bytes, ruling_message, seat_message};
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Setup};
use canasta_replay::Exit;
use canasta_tournament::note::NoteSigner;
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::Value;
use std::fs;

const EAST: [u8; 32] = [7; 32];

/// Returns a game in which East has a key and signs every `nth` action; if the choice is free, it depends on
/// `seed`.
fn game(seed: u64, nth: u64) -> Vec<u8> {
    let rules = short("classic-4p", 5);
    let secret = simulate::game_secret(5, 0);
    let key = SigningKey::from_bytes(&EAST);
    let player = |(seat, name): (usize, &str)| Player {
        name: name.into(),
        key: (seat == 1).then(|| key.verifying_key().to_bytes()),
    };
    let created = Game::create(NewGame {
        players: ["North", "East", "South", "West"].into_iter().enumerate().map(player).collect(),
        ..NewGame::new(rules, simulate::game_id(&secret), NewDeal::Seeded(secret))
    })
    .expect("a game");
    let (mut state, mut log) = (created.game, created.frames);
    let (mut rng, mut acted) = (Rng(seed), 0);
    while state.table.phase() != Phase::GameOver {
        let steps = legal::steps(&state.table);
        let action = &steps.actions[rng.below(steps.actions.len())];
        let seat = state.table.to_act();
        let mut stamp = Stamp::default();
        if seat == Some(Seat(1)) {
            acted += 1;
            if acted % nth == 0 {
                let bytes = action_bytes(action).expect("a step fits");
                let message = seat_message(&state.link.head, Seat(1), &bytes);
                stamp.signature = Some(key.sign(&message).to_bytes());
            }
        }
        let actor = seat.map_or(As::Table, As::Seat);
        log.extend(state.act(actor, action, stamp).expect("a step is legal").frames);
    }
    log
}

/// Returns a game in whose first round a ruling lets a position stand, which the log has masked. Its signature is by `signer`.
fn ruled(director: &SigningKey, signer: &SigningKey) -> Vec<u8> {
    let secret = simulate::game_secret(5, 1);
    let created = Game::create(NewGame {
        director: Some(director.verifying_key().to_bytes()),
        ..NewGame::new(short("classic-4p", 5), simulate::game_id(&secret), NewDeal::Seeded(secret))
    })
    .expect("a game");
    let (mut state, mut log) = (created.game, created.frames);
    let mut act = |state: &mut Game, actor, action: &Action| {
        log.extend(state.act(actor, action, Stamp::default()).expect("it is legal").frames);
    };
    act(&mut state, As::Table, &Action::Deal(Box::default()));
    // The next card of the stock is in the hand of the seat in turn.
    let mut setup = Setup::of(&state.table);
    let card = setup.stock.pop().expect("a card");
    setup.hands[setup.turn.index()].insert(card);
    let position = Position::of(&setup.into_table().expect("a position")).to_string();
    let line = "ruling IR-022 -100 NS";
    let Action::Ruling(mut ruling) = Proposal::parse(line, state.table.set()).expect("a ruling").action
    else {
        unreachable!("it is a ruling")
    };
    ruling.side = state.table.side_of(state.table.turn_seat());
    ruling.effect.kind = EffectKind::Stand;
    ruling.effect.action = Some(Box::new(Action::Pass));
    ruling.effect.position = Some(position.into_bytes());
    let message = ruling_message(&state.link.head, &ruling).expect("a ruling that fits");
    ruling.signature = Some(signer.sign(&message).to_bytes());
    act(&mut state, As::Director, &Action::Ruling(ruling));
    while state.table.phase() != Phase::GameOver {
        let action = legal::steps(&state.table).actions.remove(0);
        let actor = state.table.to_act().map_or(As::Table, As::Seat);
        act(&mut state, actor, &action);
    }
    log
}

/// Signs by the director's key and by another one: the log, which has the position masked, tells nobody which it was.
#[test]
fn a_signature_under_a_masked_position_is_present_not_verified() {
    let file = directory("signatures-masked").join("game.clog");
    let (director, other) = (SigningKey::from_bytes(&[0x51; 32]), SigningKey::from_bytes(&[0x52; 32]));
    for signer in [&director, &other] {
        fs::write(&file, ruled(&director, signer)).unwrap();
        let ran = command(&["audit", file.to_str().unwrap()], b"");
        let said = String::from_utf8(ran.out).unwrap();
        assert_eq!(ran.exit, Exit::Clean, "{said}");
        let expected = "1 signature under rulings that let a masked position stand: present, not verified";
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn signed_actions_are_counted_and_unsigned_ones_reserved() {
    let place = directory("signatures");
    let file = place.join("game.clog");
    let path = file.to_str().unwrap();
    let key = NoteSigner::new("east.example", &EAST).unwrap().verifier().to_string();
    let other = NoteSigner::new("west.example", &[8; 32]).unwrap().verifier().to_string();
    let audit = |key: &str| {
        let ran = command(&["audit", path, "--format", "json", "--strict", "--key", key], b"");
        let report: Value = serde_json::from_slice(&ran.out).expect("JSON");
        (ran.exit, report["logs"][0].clone())
    };

    fs::write(&file, game(1, 1)).unwrap();
    let (exit, log) = audit(&key);
    let by_east = &log["signed"][1];
    assert_eq!((exit, by_east["actions"] == by_east["signed"]), (Exit::Findings, true), "{log}");
    // East vouches for the log up to the last action of East; others decide after it, and the dealer chose the cards.
    let said =
        log["not_proven"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect::<Vec<_>>();
    assert!(said[0].contains("may have tried many"), "{said:?}");
    assert!(log["vouched_up_to"].as_u64() < log["records"].as_u64(), "{log}");
    assert_eq!(log["signed"][0]["signed"], 0);
    // The key does not belong to any player.
    let (exit, log) = audit(&other);
    assert_eq!((exit, &log["findings"][0]["kind"]), (Exit::Findings, &"CHECKPOINT".into()));

    fs::write(&file, game(1, 2)).unwrap();
    let (exit, log) = audit(&key);
    assert_eq!(exit, Exit::Findings);
    let reserved = log["not_proven"][1].as_str().unwrap();
    assert!(reserved.contains("of East, who has a key"), "{reserved}");
    // Without --strict and --key the log is clean, signed or not.
    assert_eq!(command(&["audit", path], b"").exit, Exit::Clean);
}

/// Compares two games that fork where East acts, with both actions signed: East cannot deny it.
#[test]
fn two_signed_successors_of_one_head_prove_a_fork() {
    let place = directory("signatures-fork");
    let first = game(1, 1);
    let write = |name: &str, log: &[u8]| {
        let path = place.join(name);
        fs::write(&path, log).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let a = write("a.clog", &first);
    let mut by_player = 0;
    for seed in 2..40 {
        let b = write("b.clog", &game(seed, 1));
        let ran = command(&["diff", &a, &b, "--format", "json"], b"");
        let found: Value = serde_json::from_slice(&ran.out).expect("JSON");
        if found["relation"] != "fork" {
            continue;
        }
        let east = found["copies"][0]["record"]["is"].as_str().unwrap().starts_with("East");
        let proofs = found["proofs"].as_array().unwrap();
        assert_eq!(proofs.len(), usize::from(east), "{found}");
        by_player += proofs.len();
    }
    assert!(by_player > 0, "no fork at an action of East");
}
