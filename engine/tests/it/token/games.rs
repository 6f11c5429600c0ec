//! The states of random games.

use super::common::{Rng, new_game, play, played, round_trip, rules};
use canasta_engine::table::Phase;
use canasta_engine::token::{encode, encode_into, max_len};

#[test]
fn every_state_of_random_games_comes_back() {
    let mut rng = Rng(11);
    let mut phases = [0u32; Phase::ALL.len()];
    for rules in played() {
        let (mut states, mut longest) = (0, 0);
        for game in 0..3 {
            play(new_game(rules, 5, game), &mut rng, |state| {
                phases[state.table.phase() as usize] += 1;
                states += 1;
                longest = longest.max(round_trip(state));
            });
        }
        println!("{}: {states} states, at most {longest} bytes", rules.id());
    }
    assert!(phases.iter().all(|&count| count > 0), "some phase was never reached: {phases:?}");
}

/// Checks the budget of DESIGN: an open token of `classic-4p` has at most 320 bytes. `TOKEN_GAMES` sets the number of
/// games, which is small by default; 10,000 games are about five million states.
#[test]
fn no_classic_token_passes_the_budget() {
    const BUDGET: usize = 320;
    #[expect(clippy::disallowed_methods, reason = "how long to run is no input of a game")]
    let games = std::env::var("TOKEN_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(60);
    let mut rng = Rng(12);
    let (mut states, mut longest, mut total) = (0usize, 0, 0);
    for game in 0..games {
        play(new_game(rules("classic-4p"), 6, game), &mut rng, |state| {
            let len = encode(state).len();
            (states, total, longest) = (states + 1, total + len, longest.max(len));
        });
    }
    let state = new_game(rules("classic-4p"), 6, 0);
    let promised = max_len(&state);
    println!("{states} states: mean {}, max {longest}, promised {promised} bytes", total / states);
    assert!(longest <= promised && promised <= BUDGET);
}

#[test]
fn a_token_is_appended_to_what_is_there() {
    let state = new_game(rules("classic-4p"), 1, 1);
    let mut out = b"before".to_vec();
    encode_into(&state, &mut out);
    assert_eq!(out.strip_prefix(b"before"), Some(&encode(&state)[..]));
}
