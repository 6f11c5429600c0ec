//! Actions that players signed, verified with their keys.

use crate::common::{Rng, command, directory, short};
use canasta_engine::action::As;
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal;
use canasta_engine::log::record::Player;
use canasta_engine::log::{action_bytes, seat_message};
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
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
